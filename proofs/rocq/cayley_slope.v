(* ========================================================================== *)
(*  cayley_slope: derivatives of the rotation Q = (1 + S)^-1 (1 - S)          *)
(*                                                                            *)
(* Source: the differential that papers on Cayley layers use without proof.   *)
(* Every lemma holds in every dimension, over every ordered field. W is       *)
(* u v^T - v u^T.                                                             *)
(*                                                                            *)
(*   contracted y == |(1 + S)^-1 y| <= |y| for skew S                         *)
(*   slope_of_path F == the derivative of F t = Q (S + t T), at any t         *)
(*    differential == cayley.differential: 'dQ = -2 (1 + S)^-1 dS (1 + S)^-1' *)
(* derivative_in_beta == cayley.derivative_in_beta: 'dQ/dbeta =               *)
(*                    -1/2 (1 + S)^-1 W (1 + Q)', S = (beta/2) W              *)
(* ========================================================================== *)
From mathcomp Require Import all_ssreflect all_algebra ring.
From deltaproof Require Import matrix_kit norm_kit slope_kit cayley.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section Paths.
Variables (R : realFieldType) (n : nat).
Implicit Types (S T : 'M[R]_n) (x y : 'cV[R]_n) (t : R).

Lemma contracted S y : S^T = - S -> gram (invmx (1%:M + S) *m y) <= gram y.
Proof.
move=> skewS; rewrite -[X in _ <= gram X](mulKVmx (nonsingular skewS)).
by rewrite gram_one_plus_skew // ler_addl gram_ge0.
Qed.

Lemma entry_le_gram y (bound : R) i : 0 <= bound -> gram y <= bound ^+ 2 -> `|y i 0| <= bound.
Proof.
move=> bound_ge0 le_y; rewrite -(@ler_pexpn2r _ 2) ?nnegrE // real_normK ?num_real //.
apply: le_trans le_y; rewrite gram_00 (bigD1 i) //= ler_addl.
by apply: sumr_ge0 => *; exact: sqr_ge0.
Qed.

(* no entry of (1 + S)^-1 B exceeds what B alone gives *)
Lemma contracted_entries S (B : 'M[R]_n) i j : S^T = - S ->
  `|(invmx (1%:M + S) *m B) i j| <= 1 + \sum_l gram (col l B).
Proof.
move=> skewS; have grams_ge0 : 0 <= \sum_l gram (col l B).
  by apply: sumr_ge0 => *; exact: gram_ge0.
have -> : (invmx (1%:M + S) *m B) i j = (invmx (1%:M + S) *m col j B) i 0.
  by rewrite !mxE; apply: eq_bigr => k _; rewrite mxE.
apply: entry_le_gram; first by rewrite addr_ge0 ?ler01.
apply: le_trans (contracted _ skewS) _; apply: le_trans (_ : \sum_l gram (col l B) <= _).
  by rewrite (bigD1 j) //= ler_addl; apply: sumr_ge0 => *; exact: gram_ge0.
have -> (g : R) : (1 + g) ^+ 2 = g + (1 + g + g ^+ 2) by ring.
by rewrite ler_addl !addr_ge0 ?ler01 ?sqr_ge0.
Qed.

Lemma inverses_differ (M N : 'M[R]_n) : M \in unitmx -> N \in unitmx ->
  invmx N - invmx M = invmx N *m (M - N) *m invmx M.
Proof. by move=> unitM unitN; rewrite mulmxBr mulmxBl mulmxK // mulVmx // mul1mx. Qed.

Lemma slope_of_path (F : R -> 'M[R]_n) S T t : S^T = - S -> T^T = - T ->
  (forall r, F r = invmx (1%:M + (S + r *: T)) *m (1%:M - (S + r *: T))) ->
  slope_at_mx F t
    ((- 2%:R) *: (invmx (1%:M + (S + t *: T)) *m T *m invmx (1%:M + (S + t *: T)))).
Proof.
move=> skewS skewT F_path; pose path r := S + r *: T.
have skew_path r : (path r)^T = - path r by rewrite trmx_add trmx_scale skewS skewT scalerN opprD.
have unit_path r := nonsingular (skew_path r).
pose M := invmx (1%:M + path t); pose B := 2%:R *: (T *m M *m T *m M).
have doubled r : F r = 2%:R *: invmx (1%:M + path r) - 1%:M.
  by rewrite F_path -plus_one // [X in _ = X - _]addrC addrK.
have moved step : invmx (1%:M + path (t + step)) - M =
    (- step) *: (invmx (1%:M + path (t + step)) *m T *m M).
  rewrite inverses_differ // scalemxAl scalemxAr; congr (_ *m _ *m _).
  by rewrite /path; mxlin.
apply: (slope_mx_quadratic (rest := fun step => invmx (1%:M + path (t + step)) *m B))
    => [step /eqP step_neq0|step i j]; last first.
  exact: contracted_entries.
rewrite !doubled opprB addrA subrK -scalerBr moved -/M !scalerA.
have -> : step^-1 * (2%:R * - step) = - 2%:R.
  by rewrite mulrN mulrN mulrCA mulVf ?mulr1.
rewrite -scalerBr -!mulmxBl moved /B -!scalemxAr !mulmxA -!scalemxAl !scalerA.
by congr (_ *: _); rewrite mulrNN mulrC.
Qed.

Lemma differential S T : S^T = - S -> T^T = - T ->
  exists slope : 'M[R]_n,
    slope_at_mx (fun t => invmx (1%:M + (S + t *: T)) *m (1%:M - (S + t *: T))) 0 slope /\
    slope = (- 2%:R) *: (invmx (1%:M + S) *m T *m invmx (1%:M + S)).
Proof.
move=> skewS skewT; eexists; split; first exact: (slope_of_path 0 skewS skewT (fun=> erefl)).
by rewrite scale0r addr0.
Qed.

Lemma derivative_in_beta (beta : R) (u v : 'cV[R]_n) :
  exists slope : 'M[R]_n,
    slope_at_mx (fun beta => invmx (1%:M + (beta / 2%:R) *: (u *m v^T - v *m u^T)) *m
      (1%:M - (beta / 2%:R) *: (u *m v^T - v *m u^T))) beta slope /\
    slope = (- (1 / 2%:R)) *: (invmx (1%:M + (beta / 2%:R) *: (u *m v^T - v *m u^T)) *m
      (u *m v^T - v *m u^T) *m
      (1%:M + invmx (1%:M + (beta / 2%:R) *: (u *m v^T - v *m u^T)) *m
        (1%:M - (beta / 2%:R) *: (u *m v^T - v *m u^T)))).
Proof.
set W := u *m v^T - v *m u^T; have skewW (s : R) := scaled_generator_skew s u v.
have halved (r : R) : (r / 2%:R) *: W = 0 + r *: (2%:R^-1 *: W) by rewrite add0r scalerA.
eexists; split.
  apply: (@slope_of_path _ 0 (2%:R^-1 *: W)) => [||r]; last by rewrite halved.
    by rewrite trmx0 oppr0.
  exact: skewW.
rewrite -halved plus_one; last exact: skewW.
rewrite -!scalemxAr -!scalemxAl !scalerA; congr (_ *: _).
by field.
Qed.

End Paths.

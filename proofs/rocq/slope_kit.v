(* ========================================================================== *)
(*  slope_kit: derivatives of paths of numbers and matrices, in any ordered   *)
(*  field                                                                     *)
(*                                                                            *)
(* Source: none; the derivative by its definition, the limit of difference    *)
(* quotients, entry by entry.                                                 *)
(*                                                                            *)
(*     slope_at f x s == s is the derivative of the number f at x             *)
(*  slope_at_mx F x D == D is the derivative of the matrix F at x             *)
(*          slope_unique, slope_mx_unique == there is at most one             *)
(*          slope_affine == f (x + h) = f x + h s for all h: the slope is s   *)
(* slope_mx_quadratic == (F (x + h) - F x)/h - D = h E, where E is bounded    *)
(*                      entry by entry for all h: the slope is D              *)
(* ========================================================================== *)
From mathcomp Require Import all_ssreflect all_algebra ring.
From deltaproof Require Import matrix_kit.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section Slopes.
Variable R : realFieldType.

Definition slope_at (f : R -> R) (x slope : R) :=
  forall tolerance : R, 0 < tolerance -> exists radius : R, 0 < radius /\
    (forall step : R, step <> 0 -> `|step| < radius ->
      `|(f (x + step) - f x) / step - slope| < tolerance).

Definition slope_at_mx (m n : nat) (F : R -> 'M[R]_(m, n)) (x : R) (slope : 'M[R]_(m, n)) :=
  forall tolerance : R, 0 < tolerance -> exists radius : R, 0 < radius /\
    (forall step : R, step <> 0 -> `|step| < radius ->
      forall (i_row : 'I_m) (j_column : 'I_n),
        `|(step^-1 *: (F (x + step) - F x) - slope) i_row j_column| < tolerance).

Lemma slope_unique (f : R -> R) (x s s' : R) : slope_at f x s -> slope_at f x s' -> s = s'.
Proof.
move=> slope_s slope_s'; apply/eqP; rewrite -subr_eq0 -normr_le0 leNgt; apply/negP => gap_gt0.
have half_gt0 : 0 < `|s - s'| / 2%:R by rewrite divr_gt0 ?ltr0n.
have [r [r_gt0 near]] := slope_s _ half_gt0; have [r' [r'_gt0 near']] := slope_s' _ half_gt0.
have min_gt0 : 0 < Num.min r r' by rewrite lt_minr r_gt0.
pose step := Num.min r r' / 2%:R; have step_gt0 : 0 < step by rewrite divr_gt0 ?ltr0n.
have step_lt : step < Num.min r r'.
  by rewrite ltr_pdivr_mulr ?ltr0n // mulr_natr mulr2n ltr_addl.
have step_neq0 : step <> 0 by apply/eqP; rewrite gt_eqF.
have step_norm : `|step| = step by rewrite gtr0_norm.
move: step_lt; rewrite lt_minr => /andP[lt_r lt_r'].
have := near _ step_neq0; rewrite step_norm => /(_ lt_r) close.
have := near' _ step_neq0; rewrite step_norm => /(_ lt_r') close'.
have := ltr_add close close'; rewrite -splitr ltNge => /negP; apply.
by rewrite [`|_ - s|]distrC; exact: ler_dist_add.
Qed.

Lemma slope_mx_unique (m n : nat) (F : R -> 'M[R]_(m, n)) (x : R) (D E : 'M[R]_(m, n)) :
  slope_at_mx F x D -> slope_at_mx F x E -> D = E.
Proof.
have entrywise (M : 'M[R]_(m, n)) i j :
    slope_at_mx F x M -> slope_at (fun t => F t i j) x (M i j).
  move=> slope_M tolerance /slope_M[radius [radius_gt0 near]]; exists radius; split=> // step.
  by move=> step_neq0 /(near _ step_neq0)/(_ i j); rewrite !mxE mulrC.
by move=> /entrywise slope_D /entrywise slope_E; apply/matrixP => i j; exact: slope_unique.
Qed.

Lemma slope_affine (f : R -> R) (x slope : R) :
  (forall step, f (x + step) = f x + step * slope) -> slope_at f x slope.
Proof.
move=> affine tolerance tolerance_gt0; exists 1; split=> [|step /eqP step_neq0 _].
  exact: ltr01.
by rewrite affine [f x + _]addrC addrK mulrAC divff // mul1r subrr normr0.
Qed.

Lemma slope_mx_quadratic (m n : nat) (F : R -> 'M[R]_(m, n)) (x : R) (slope : 'M[R]_(m, n))
    (rest : R -> 'M[R]_(m, n)) (bound : R) :
  (forall step, step <> 0 -> step^-1 *: (F (x + step) - F x) - slope = step *: rest step) ->
  (forall step i j, `|rest step i j| <= bound) -> slope_at_mx F x slope.
Proof.
move=> quotient bounded tolerance tolerance_gt0.
have [bound_le0 | bound_gt0] := lerP bound 0.
  exists 1; split=> [|step step_neq0 _ i j]; first exact: ltr01.
  rewrite quotient // mxE normrM; apply: le_lt_trans tolerance_gt0.
  by rewrite -[leRHS](mulr0 `|step|) ler_wpmul2l // (le_trans (bounded _ _ _)).
exists (tolerance / bound); split=> [|step step_neq0 near i j]; first exact: divr_gt0.
rewrite quotient // mxE normrM; apply: le_lt_trans (_ : `|step| * bound < _).
  by rewrite ler_wpmul2l.
by rewrite -ltr_pdivl_mulr.
Qed.

End Slopes.

(* ========================================================================== *)
(*  cayley_angle: by which angles the Cayley rotation turns                   *)
(*                                                                            *)
(* Source: the companion notes of the E-Delta-MHC-Geo Transformer             *)
(* (eigenvalues, retold); of the angle there is none. Q = (1 + S)^-1 (1 - S); *)
(* in rank two S = s W, s = beta/2, W = u v^T - v u^T, and omega^2 = |u|^2    *)
(* |v|^2 - (u.v)^2. Every lemma holds in every dimension.                     *)
(*                                                                            *)
(*  generator_cube, generator_trace == W^3 = - omega^2 W; tr W^2 = -2 omega^2 *)
(*   rotation_trace == tr Q = n - 2 + 2 (1 - s^2 omega^2)/(1 + s^2 omega^2)   *)
(* cos_double_arctan, sin_double_arctan == cos (2 arctan t) = (1 - t^2)/(1 +  *)
(*                     t^2) and sin (2 arctan t) = 2 t/(1 + t^2), over the    *)
(*                     reals of Coq; carried over: cos_turn, sin_turn         *)
(*   rank_two_angle == cayley.rank_two_angle: 'tr Q = n - 2 + 2 cos theta     *)
(*                     and cos theta = (1 - s^2 omega^2)/(1 + s^2 omega^2),   *)
(*                     theta = 2 arctan (s omega)'                            *)
(*      eigenvalues == cayley.eigenvalues: 'an eigenvalue i mu of S gives     *)
(*                     (1 - i mu)/(1 + i mu), a turn by - 2 arctan mu', on    *)
(*                     real and imaginary parts; eigenvalue_image: one of     *)
(*                     them, in any ordered field                             *)
(*                                                                            *)
(* Sine, cosine and arctangent are those of Coq's real numbers, in a field R  *)
(* that is in bijection with them by maps that respect + and *. That there is *)
(* one is the axiom of choice for the reals, which MathComp asks of every     *)
(* field: here a hypothesis. Assumptions beside it: the axioms of Coq's       *)
(* classical real numbers, and no others.                                     *)
(* ========================================================================== *)
From Coq Require Reals Lra.
From mathcomp Require Import all_ssreflect all_algebra ring.
From deltaproof Require Import matrix_kit norm_kit cayley.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section Generator.
Variables (R : realFieldType) (n : nat).
Implicit Types (u v : 'cV[R]_n) (s : R).

Lemma generator_square u v :
  (u *m v^T - v *m u^T) *m (u *m v^T - v *m u^T) =
  gram_dot u v *: (u *m v^T + v *m u^T) - gram u *: (v *m v^T) - gram v *: (u *m u^T).
Proof.
rewrite [LHS]mulmxBr !mulmxA !generator_acts !mulmxDl !mulmx_scale_l [gram_dot v u]gram_dotC.
by mxlin.
Qed.

Lemma generator_cube u v :
  (u *m v^T - v *m u^T) *m (u *m v^T - v *m u^T) *m (u *m v^T - v *m u^T) =
  - (gram u * gram v - gram_dot u v ^+ 2) *: (u *m v^T - v *m u^T).
Proof.
rewrite -mulmxA generator_square !(mulmxBr, mulmx_scale_r, mulmxDr) !mulmxA.
rewrite !generator_acts !mulmxDl !mulmx_scale_l [gram_dot v u]gram_dotC.
by mxlin.
Qed.

Lemma outer_trace (x y : 'cV[R]_n) : \tr (x *m y^T) = gram_dot y x.
Proof. by rewrite mxtrace_mulC /mxtrace big_ord1. Qed.

Lemma generator_trace u v :
  \tr ((u *m v^T - v *m u^T) *m (u *m v^T - v *m u^T)) =
  - (2%:R * (gram u * gram v - gram_dot u v ^+ 2)).
Proof.
rewrite generator_square !(raddfB, raddfD) /= !mxtraceZ !outer_trace.
by rewrite [gram_dot v u]gram_dotC; name_entries; ring.
Qed.

Lemma rotation_trace (s : R) u v :
  \tr (invmx (1%:M + s *: (u *m v^T - v *m u^T)) *m (1%:M - s *: (u *m v^T - v *m u^T))) =
  n%:R - 2%:R + 2%:R * ((1 - s ^+ 2 * (gram u * gram v - gram_dot u v ^+ 2)) /
    (1 + s ^+ 2 * (gram u * gram v - gram_dot u v ^+ 2))).
Proof.
have skewW := scaled_generator_skew s u v; have unitW := nonsingular skewW.
set w := gram u * _ - _; have w_ge0 : 0 <= w := omega_ge0 u v.
have whole_neq0 : 1 + s ^+ 2 * w != 0.
  by rewrite gt_eqF // (ltr_paddr (mulr_ge0 (sqr_ge0 _) w_ge0) ltr01).
have cube := generator_cube u v; have square_trace := generator_trace u v.
have W_trace : \tr (u *m v^T - v *m u^T) = 0.
  by rewrite raddfB /= !outer_trace gram_dotC subrr.
move: cube square_trace W_trace skewW unitW; rewrite -/w.
move: (u *m v^T - v *m u^T) => W cube square_trace W_trace skewW unitW; pose c := s / (1 + s ^+ 2 * w).
have inverse : invmx (1%:M + s *: W) = 1%:M - c *: (W - s *: (W *m W)).
  apply: (can_inj (mulKmx unitW)); rewrite mulmxV //.
  have -> : (1%:M + s *: W) *m (1%:M - c *: (W - s *: (W *m W))) =
      1%:M + (s - c) *: W + (c * s ^+ 2) *: (W *m W *m W) by mxring.
  rewrite cube scaleNr scalerN scalerA -addrA -scalerBl -[LHS]addr0; congr (_ + _).
  apply/esym/eqP; rewrite scaler_eq0; apply/orP; left; apply/eqP.
  by rewrite /c; field.
have -> : invmx (1%:M + s *: W) *m (1%:M - s *: W) = 2%:R *: invmx (1%:M + s *: W) - 1%:M.
  by rewrite -plus_one // [X in _ = X - _]addrC addrK.
have trB (A B : 'M[R]_n) : \tr (A - B) = \tr A - \tr B by rewrite raddfB.
rewrite inverse !(trB, mxtraceZ) mxtrace1.
rewrite W_trace square_trace /c; field; exact: whole_neq0.
Qed.

End Generator.

(* S (x + iy) = i mu (x + iy), in real and imaginary parts *)
Lemma eigenvalue_image (R : realFieldType) (n : nat) (S : 'M[R]_n) (x y : 'cV[R]_n) (mu : R) :
  S^T = - S -> S *m x = (- mu) *: y -> S *m y = mu *: x ->
  invmx (1%:M + S) *m (1%:M - S) *m x =
  ((1 - mu ^+ 2) / (1 + mu ^+ 2)) *: x + (2%:R * mu / (1 + mu ^+ 2)) *: y.
Proof.
move=> skewS Sx Sy; have unitS := nonsingular skewS.
have whole_neq0 : 1 + mu ^+ 2 != 0 by rewrite gt_eqF // (ltr_paddr (sqr_ge0 _) ltr01).
rewrite -mulmxA; apply: (can_inj (mulKmx unitS)); rewrite mulKVmx //.
rewrite mulmxBl mul1mx mulmxDr !mulmxDl !mul1mx -!scalemxAr Sx Sy !scalerA.
by apply/matrixP => i j; rewrite ?entryE; name_entries; field.
Qed.

Module OverCoqReals.
From Coq Require Import Reals Lra.
Notation zero := 0%R.
Notation one := 1%R.

Lemma cos_double_arctan (t : R) :
  (cos ((1 + 1) * atan t) * (1 + t * t) + t * t = 1)%R.
Proof.
have p_gt0 : (0 < 1 + t * t)%R by nra.
have root_neq0 : sqrt (1 + t * t) <> 0%R by apply/not_eq_sym/Rlt_not_eq/sqrt_lt_R0.
rewrite cos_2a_cos cos_atan /Rsqr.
have square := sqrt_sqrt _ (Rlt_le _ _ p_gt0).
have -> : (2 * (1 / sqrt (1 + t * t)) * (1 / sqrt (1 + t * t)) - 1 =
    2 / (sqrt (1 + t * t) * sqrt (1 + t * t)) - 1)%R by field.
by rewrite square; field; lra.
Qed.

Lemma sin_double_arctan (t : R) :
  (sin ((1 + 1) * atan t) * (1 + t * t) = t + t)%R.
Proof.
have p_gt0 : (0 < 1 + t * t)%R by nra.
have root_neq0 : sqrt (1 + t * t) <> 0%R by apply/not_eq_sym/Rlt_not_eq/sqrt_lt_R0.
rewrite sin_2a sin_atan cos_atan /Rsqr.
have square := sqrt_sqrt _ (Rlt_le _ _ p_gt0).
have -> : (2 * (t / sqrt (1 + t * t)) * (1 / sqrt (1 + t * t)) =
    2 * t / (sqrt (1 + t * t) * sqrt (1 + t * t)))%R by field.
by rewrite square; field; lra.
Qed.

Lemma zero_of_double (x : R) : (x + x = x)%R -> x = 0%R.
Proof. by move=> ?; lra. Qed.

Lemma one_of_square (x : R) : (x * x = x)%R -> x <> 0%R -> x = 1%R.
Proof. by move=> square x_neq0; apply: (Rmult_eq_reg_l x) => //; lra. Qed.

End OverCoqReals.

Section Angles.
Variables (R : rcfType) (real : R -> Rdefinitions.R) (of_real : Rdefinitions.R -> R).
Hypotheses (realK : cancel real of_real) (of_realK : cancel of_real real).
Hypothesis realD : {morph real : x y / x + y >-> Rdefinitions.Rplus x y}.
Hypothesis realM : {morph real : x y / x * y >-> Rdefinitions.Rmult x y}.

Lemma real0 : real 0 = OverCoqReals.zero.
Proof. by apply: OverCoqReals.zero_of_double; rewrite -realD addr0. Qed.

Lemma real1 : real 1 = OverCoqReals.one.
Proof.
apply: OverCoqReals.one_of_square; first by rewrite -realM mulr1.
by rewrite -real0 => /(can_inj realK)/eqP; rewrite oner_eq0.
Qed.

Lemma cos_turn (x : R) :
  of_real (Rtrigo_def.cos (real (2%:R * of_real (Ratan.atan (real x))))) =
  (1 - x ^+ 2) / (1 + x ^+ 2).
Proof.
have whole_neq0 : 1 + x ^+ 2 != 0 by rewrite gt_eqF // (ltr_paddr (sqr_ge0 _) ltr01).
apply: (canRL (mulfK whole_neq0)); apply: (canRL (addrK _)); apply: (can_inj realK).
rewrite realD !realM of_realK !realD real1 of_realK.
have -> : real (x ^+ 2) = Rdefinitions.Rmult (real x) (real x) by rewrite expr2 realM.
exact: OverCoqReals.cos_double_arctan.
Qed.

Lemma sin_turn (x : R) :
  of_real (Rtrigo_def.sin (real (2%:R * of_real (Ratan.atan (real x))))) =
  2%:R * x / (1 + x ^+ 2).
Proof.
have whole_neq0 : 1 + x ^+ 2 != 0 by rewrite gt_eqF // (ltr_paddr (sqr_ge0 _) ltr01).
apply: (canRL (mulfK whole_neq0)); apply: (can_inj realK).
rewrite [2%:R * x]mulr_natl [x *+ 2]mulr2n !realD !realM of_realK !realD real1 of_realK.
have -> : real (x ^+ 2) = Rdefinitions.Rmult (real x) (real x) by rewrite expr2 realM.
exact: OverCoqReals.sin_double_arctan.
Qed.

Lemma rank_two_angle (n : nat) (beta : R) (u v : 'cV[R]_n) :
  \tr (invmx (1%:M + (beta / 2%:R) *: (u *m v^T - v *m u^T)) *m
    (1%:M - (beta / 2%:R) *: (u *m v^T - v *m u^T))) =
  n%:R - 2%:R + 2%:R * of_real (Rtrigo_def.cos (real (2%:R * of_real (Ratan.atan
    (real (beta / 2%:R * Num.sqrt (gram u * gram v - gram_dot u v ^+ 2))))))) /\
  of_real (Rtrigo_def.cos (real (2%:R * of_real (Ratan.atan
    (real (beta / 2%:R * Num.sqrt (gram u * gram v - gram_dot u v ^+ 2))))))) =
  (1 - (beta / 2%:R) ^+ 2 * (gram u * gram v - gram_dot u v ^+ 2)) /
  (1 + (beta / 2%:R) ^+ 2 * (gram u * gram v - gram_dot u v ^+ 2)).
Proof. by rewrite cos_turn exprMn sqr_sqrtr ?omega_ge0 // rotation_trace. Qed.

Lemma eigenvalues (n : nat) (mu : R) (S : 'M[R]_n) (x y : 'cV[R]_n) : S^T = - S ->
  S *m x = (- mu) *: y -> S *m y = mu *: x ->
  invmx (1%:M + S) *m (1%:M - S) *m x =
    ((1 - mu ^+ 2) / (1 + mu ^+ 2)) *: x + (2%:R * mu / (1 + mu ^+ 2)) *: y /\
  invmx (1%:M + S) *m (1%:M - S) *m y =
    ((1 - mu ^+ 2) / (1 + mu ^+ 2)) *: y - (2%:R * mu / (1 + mu ^+ 2)) *: x /\
  invmx (1%:M + S) *m (1%:M - S) *m x =
    of_real (Rtrigo_def.cos (real (2%:R * of_real (Ratan.atan (real mu))))) *: x +
    of_real (Rtrigo_def.sin (real (2%:R * of_real (Ratan.atan (real mu))))) *: y /\
  invmx (1%:M + S) *m (1%:M - S) *m y =
    of_real (Rtrigo_def.cos (real (2%:R * of_real (Ratan.atan (real mu))))) *: y -
    of_real (Rtrigo_def.sin (real (2%:R * of_real (Ratan.atan (real mu))))) *: x.
Proof.
move=> skewS Sx Sy; rewrite cos_turn sin_turn.
have image_y : invmx (1%:M + S) *m (1%:M - S) *m y =
    ((1 - mu ^+ 2) / (1 + mu ^+ 2)) *: y - (2%:R * mu / (1 + mu ^+ 2)) *: x.
  rewrite (@eigenvalue_image _ _ _ y x (- mu)) ?opprK // sqrrN mulrN mulNr scaleNr.
  by [].
by rewrite (eigenvalue_image skewS Sx Sy).
Qed.

End Angles.

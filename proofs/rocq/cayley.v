(* ========================================================================== *)
(*  cayley: the rotation Q = (1 + S)^-1 (1 - S) of a skew S                   *)
(*                                                                            *)
(* Source: the E-Delta-MHC-Geo Transformer, arXiv 2605.06729, Thm 4.1 and     *)
(* 4.6, and Thm 1 to 5 of its companion notes (all retold). Every lemma holds *)
(* in every dimension, over every ordered field.                              *)
(*                                                                            *)
(*    generator_skew == cayley.generator_skew: 'u v^T - v u^T is skew'        *)
(*       nonsingular == cayley.nonsingular: '1 + S is invertible for skew S'  *)
(* nonsingular_minus == the same for 1 - S                                    *)
(*   factors_commute == cayley.factors_commute: 'the two factors commute'     *)
(*        orthogonal == cayley.orthogonal (Thm 4.1): 'Q^T Q = 1 for every     *)
(*                      input and every beta', that is for every skew S       *)
(*          isometry == cayley.isometry: 'the norm is preserved'              *)
(* isometry_squared == the same without square roots, over ordered fields     *)
(*       determinant == cayley.determinant: 'det Q = 1'                       *)
(*      no_minus_one == cayley.no_minus_one (Thm 4.6): '-1 is not an          *)
(*                      eigenvalue of Q'                                      *)
(*                                                                            *)
(* Thm 4.6 is proved from the invertibility of 1 + S. 'Because the image lies *)
(* in SO(n)', the reason in the summary, is false: cayley.                    *)
(* so_excludes_minus_one_printed.                                             *)
(* ========================================================================== *)
From mathcomp Require Import all_ssreflect all_algebra ring.
From deltaproof Require Import matrix_kit norm_kit.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Lemma generator_skew (R : comRingType) (n : nat) (u v : 'cV[R]_n) :
  (u *m v^T - v *m u^T)^T = - (u *m v^T - v *m u^T).
Proof. by rewrite !transposeE opprB. Qed.

Section OrderedField.
Variables (R : realFieldType) (n : nat).
Implicit Type S : 'M[R]_n.

Lemma nonsingular S : S^T = - S -> 1%:M + S \in unitmx.
Proof. exact: skew_unitmx. Qed.

Lemma nonsingular_minus S : S^T = - S -> 1%:M - S \in unitmx.
Proof. by move=> skewS; apply: nonsingular; rewrite trmx_opp skewS. Qed.

Lemma factors_commute S : S^T = - S ->
  invmx (1%:M + S) *m (1%:M - S) = (1%:M - S) *m invmx (1%:M + S).
Proof.
move=> skewS; have unitS := nonsingular skewS.
have commute : (1%:M + S) *m (1%:M - S) = (1%:M - S) *m (1%:M + S) by mxring.
by apply: (can_inj (mulKmx unitS)); rewrite mulKVmx // mulmxA commute mulmxK.
Qed.

Lemma orthogonal S : S^T = - S ->
  (invmx (1%:M + S) *m (1%:M - S))^T *m (invmx (1%:M + S) *m (1%:M - S)) = 1%:M.
Proof.
move=> skewS; have unitS := nonsingular skewS.
rewrite {1}factors_commute // trmx_mul trmx_inv !(trmx_add, trmx1, trmx_opp) skewS opprK.
rewrite mulmxA mulmxK //; exact/mulVmx/nonsingular_minus.
Qed.

Lemma isometry_squared S (y : 'cV[R]_n) : S^T = - S ->
  (invmx (1%:M + S) *m (1%:M - S) *m y)^T *m (invmx (1%:M + S) *m (1%:M - S) *m y) =
  y^T *m y.
Proof.
move=> skewS; rewrite trmx_mul mulmxA -[_ *m _ *m (_ *m _)]mulmxA.
by rewrite orthogonal // mulmx1.
Qed.

Lemma determinant S : S^T = - S -> \det (invmx (1%:M + S) *m (1%:M - S)) = 1.
Proof.
move=> skewS; have := nonsingular skewS; rewrite unitmxE => unit_det.
have <- : (1%:M + S)^T = 1%:M - S by rewrite trmx_add trmx1 skewS.
by rewrite det_mulmx det_inv det_tr mulVr.
Qed.

Lemma no_minus_one S (x : 'cV[R]_n) : S^T = - S ->
  invmx (1%:M + S) *m (1%:M - S) *m x = - x -> x = 0.
Proof.
move=> skewS /(congr1 (mulmx (1%:M + S))); rewrite !mulmxA mulmxV ?nonsingular //.
rewrite mul1mx mulmxBl mulmxN mulmxDl mul1mx opprD => /addIr /eqP.
by rewrite -addr_eq0 -mulr2n -scaler_nat scaler_eq0 pnatr_eq0 => /eqP.
Qed.

End OrderedField.

Lemma isometry (R : rcfType) (n : nat) (S : 'M[R]_n) (y : 'cV[R]_n) : S^T = - S ->
  Num.sqrt (((invmx (1%:M + S) *m (1%:M - S) *m y)^T *m
             (invmx (1%:M + S) *m (1%:M - S) *m y)) 0 0) =
  Num.sqrt ((y^T *m y) 0 0).
Proof. by move=> skewS; rewrite isometry_squared. Qed.

Lemma closed_form_gram_of (R : comRingType) (n : nat) (W : 'M[R]_n) (c s t : R) :
  W^T = - W -> 2%:R * s = c * (1 + s ^+ 2 * t) ->
  (1%:M - c *: (W - s *: (W *m W)))^T *m (1%:M - c *: (W - s *: (W *m W))) - 1%:M =
  (c ^+ 2 * s ^+ 2) *: (W *m W *m (W *m W + t *: 1%:M)).
Proof.
move=> skewW c_def; rewrite !transposeE skewW.
transitivity ((c * (2%:R * s) - c ^+ 2) *: (W *m W) + (c ^+ 2 * s ^+ 2) *: (W *m W *m W *m W)).
  by mxring.
by rewrite c_def; mxring.
Qed.

Lemma closed_form_gram (R : realFieldType) (n : nat) (t beta : R) (W : 'M[R]_n) :
  W^T = - W -> 0 <= t ->
  (1%:M - (2%:R * (beta / 2%:R) / (1 + (beta / 2%:R) ^+ 2 * t)) *:
     (W - (beta / 2%:R) *: (W *m W)))^T *m
  (1%:M - (2%:R * (beta / 2%:R) / (1 + (beta / 2%:R) ^+ 2 * t)) *:
     (W - (beta / 2%:R) *: (W *m W))) - 1%:M =
  ((2%:R * (beta / 2%:R) / (1 + (beta / 2%:R) ^+ 2 * t)) ^+ 2 * (beta / 2%:R) ^+ 2) *:
    (W *m W *m (W *m W + t *: 1%:M)).
Proof.
move=> skewW t_ge0; apply: closed_form_gram_of => //; rewrite mulfVK // gt_eqF //.
by rewrite ltr_paddr ?ltr01 // mulr_ge0 ?sqr_ge0.
Qed.

Section RankTwo.
Variables (R : realFieldType) (n : nat).
Implicit Types (S : 'M[R]_n) (u v : 'cV[R]_n).

Lemma scaled_generator_skew (s : R) u v :
  (s *: (u *m v^T - v *m u^T))^T = - (s *: (u *m v^T - v *m u^T)).
Proof. by rewrite trmx_scale generator_skew scalerN. Qed.

Lemma minus_one S : S^T = - S ->
  invmx (1%:M + S) *m (1%:M - S) - 1%:M = invmx (1%:M + S) *m ((- 2%:R) *: S).
Proof.
move=> skewS; have unitS := nonsingular skewS.
apply: (can_inj (mulKmx unitS)); rewrite mulmxBr !mulKVmx // mulmx1.
by mxlin.
Qed.

Lemma rank_minus_one (s : R) u v :
  (\rank (invmx (1%:M + s *: (u *m v^T - v *m u^T)) *m (1%:M - s *: (u *m v^T - v *m u^T))
          - 1%:M)%R <= 2)%N.
Proof.
rewrite minus_one; last exact: scaled_generator_skew.
apply: leq_trans (mxrankM_maxr _ _) _; rewrite scalerA.
by apply: leq_trans (rank_scale _ _) _; apply: (rank_sub (a := 1) (b := 1)); exact: rank_outer.
Qed.

Lemma identity_iff_zero S : S^T = - S ->
  invmx (1%:M + S) *m (1%:M - S) = 1%:M <-> S = 0.
Proof.
move=> skewS; split=> [|->]; last by rewrite addr0 subr0 mulmx1 invmx1.
move/(congr1 (mulmx (1%:M + S))); rewrite mulKVmx ?nonsingular // mulmx1.
move=> /addrI /eqP; rewrite eq_sym -addr_eq0 -mulr2n -scaler_nat scaler_eq0 pnatr_eq0.
by move/eqP.
Qed.

Lemma generator_eq0 u v :
  u *m v^T - v *m u^T = 0 <->
  (exists a b : R, (a <> 0 \/ b <> 0) /\ a *: u + b *: v = 0).
Proof.
split=> [W0 | [a [b [nonzero]]]].
  have [->|u_neq0] := eqVneq u 0.
    by exists 1, 0; split; [left; apply/eqP/oner_neq0 | rewrite scaler0 scale0r addr0].
  exists (gram_dot v u), (- gram u); split.
    by right; apply/eqP; rewrite oppr_eq0 gt_eqF // gram_gt0 //; apply/eqP.
  have := congr1 (mulmx^~ u) W0; rewrite /= mul0mx mulmxBl -!mulmxA !mulmx_mx11_r.
  by rewrite scaleNr.
have swap (x y : 'cV[R]_n) (c : R) : x = c *: y -> x *m y^T - y *m x^T = 0.
  by move=> ->; rewrite trmx_scale mulmx_scale_l mulmx_scale_r subrr.
case: nonzero => /eqP coefficient_neq0 /eqP.
  rewrite addr_eq0 => /eqP au; apply: (swap _ _ (- (a^-1 * b))).
  by rewrite scaleNr -scalerA -scalerN -au scalerA mulVf ?scale1r.
rewrite addrC addr_eq0 => /eqP bv; apply/eqP; rewrite -oppr_eq0 opprB; apply/eqP.
apply: (swap _ _ (- (b^-1 * a))).
by rewrite scaleNr -scalerA -scalerN -bv scalerA mulVf ?scale1r.
Qed.
Lemma identity_at_zero (beta : R) u v :
  invmx (1%:M + (beta / 2%:R) *: (u *m v^T - v *m u^T)) *m
    (1%:M - (beta / 2%:R) *: (u *m v^T - v *m u^T)) = 1%:M <->
  (beta = 0 \/ (exists a : R, exists b : R, (a <> 0 \/ b <> 0) /\ a *: u + b *: v = 0)).
Proof.
rewrite identity_iff_zero; last by rewrite trmx_scale generator_skew scalerN.
split=> [/eqP|[->|/generator_eq0 ->]]; last by rewrite scaler0.
  rewrite scaler_eq0 mulf_eq0 invr_eq0 pnatr_eq0 orbF => /orP[/eqP|/eqP/generator_eq0].
    by left.
  by right.
by rewrite mul0r scale0r.
Qed.
End RankTwo.

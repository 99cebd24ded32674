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
From deltaproof Require Import matrix_kit.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory.
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

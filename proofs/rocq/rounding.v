(* ========================================================================== *)
(*  rounding: what the guard against small directions does to a reflection    *)
(*                                                                            *)
(* Source: none; k/max(|k|, eps) is how directions are normalised in code.    *)
(* In exact arithmetic, every dimension.                                      *)
(*                                                                            *)
(* normalised_zero_is_not_unit == rounding.normalised_zero_is_not_unit: 'k =  *)
(*                 0 gives H = 1; 0 < |k| < eps gives det H = 1 - 2 |k|^2/    *)
(*                 eps^2', which is above -1                                  *)
(*                                                                            *)
(* Left out: floating-point formats, which no library here defines.           *)
(* ========================================================================== *)
From mathcomp Require Import all_ssreflect all_algebra ring.
From deltaproof Require Import matrix_kit norm_kit delta.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Lemma normalised_zero_is_not_unit (R : rcfType) (n : nat) (epsilon : R) (k : 'cV[R]_n) : 0 < epsilon ->
  (k = 0 -> 1%:M - 2%:R *: (((1 / Order.max (Num.sqrt (gram k)) epsilon) *: k) *m
    ((1 / Order.max (Num.sqrt (gram k)) epsilon) *: k)^T) = 1%:M) /\
  (0 < Num.sqrt (gram k) -> Num.sqrt (gram k) < epsilon ->
    \det (1%:M - 2%:R *: (((1 / Order.max (Num.sqrt (gram k)) epsilon) *: k) *m
      ((1 / Order.max (Num.sqrt (gram k)) epsilon) *: k)^T)) =
    1 - 2%:R * Num.sqrt (gram k) ^+ 2 / epsilon ^+ 2) /\
  (0 < Num.sqrt (gram k) -> Num.sqrt (gram k) < epsilon ->
    - 1 < \det (1%:M - 2%:R *: (((1 / Order.max (Num.sqrt (gram k)) epsilon) *: k) *m
      ((1 / Order.max (Num.sqrt (gram k)) epsilon) *: k)^T))).
Proof.
move=> epsilon_gt0; split=> [->|]; first by rewrite scaler0 mul0mx scaler0 subr0.
have determinant : Num.sqrt (gram k) < epsilon ->
    \det (1%:M - 2%:R *: (((1 / Order.max (Num.sqrt (gram k)) epsilon) *: k) *m
      ((1 / Order.max (Num.sqrt (gram k)) epsilon) *: k)^T)) =
    1 - 2%:R * Num.sqrt (gram k) ^+ 2 / epsilon ^+ 2.
  move=> /ltW/max_idPr ->; rewrite norm_sqr delta.determinant gram_scale.
  by rewrite div1r exprVn mulrCA mulrC mulrAC.
split=> [_ /determinant //|norm_gt0 short]; rewrite (determinant short).
have : Num.sqrt (gram k) ^+ 2 / epsilon ^+ 2 < 1.
  rewrite ltr_pdivr_mulr ?exprn_gt0 // mul1r ltr_pexpn2r // nnegrE ?ltW //.
rewrite -mulrA => ratio_lt1; rewrite ltr_subr_addl -ltr_subr_addr opprK.
by rewrite -[1 + 1]/(2%:R) gtr_pmulr ?ltr0n.
Qed.

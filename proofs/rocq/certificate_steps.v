(* ========================================================================== *)
(*  certificate_steps: the steps of a certificate that are no combination     *)
(*                                                                            *)
(* Source: none; it serves every claim that has a certificate. What is a      *)
(* combination of hypotheses is decided by typed_words; these lemmas stand    *)
(* between two combinations, in proofs that are exported, not written.        *)
(*                                                                            *)
(* Matrices                                                                   *)
(*       unit_of_kernel == M x = 0 only for x = 0 -> M is invertible          *)
(*      unit_of_inverse == M N = 1 -> M is invertible                         *)
(*    unit_as, unit_as_transposed == M = N, M = N^T, N invertible -> M is     *)
(*     inverse_is_left, inverse_is_right == M^-1 M = 1, M M^-1 = 1            *)
(*    inverse_as, inverse_as_transposed, inverse_of_inverse == M^-1 from that *)
(*                         of N, for M = N, M = N^T, M = N^-1                 *)
(* Sums of squares                                                            *)
(*             positive == x^T N x >= 0 for all x                             *)
(*    squares_split == w M^T M + N = 0, w > 0, N positive -> M = 0 and N = 0  *)
(*       root_of_square == a a = 0 -> a = 0                                   *)
(*   scalar_of_identity == a 1 = 0, size > 0 -> a = 0                         *)
(*       square_of_norm == |x| |x| = x^T x                                    *)
(*  norm_as, norm_of_square == |x| from x = y, or from x^T x = c^2, c >= 0    *)
(*         equal_norms == x^T x = y^T y -> |x| = |y|                          *)
(* Numbers                                                                    *)
(*    reciprocal_of_ne, reciprocal_of_gt0, reciprocal_of_lt0 == a^-1 a = 1    *)
(*  difference_neq0, difference_lt0, entry_neq0, square_neq0 == what is not 0 *)
(*    reciprocal_as, reciprocal_of_number == a = c b, c d = 1 ->              *)
(*                         a^-1 = d b^-1, and for b = 1                       *)
(*    difference_of_eq, eq_of_difference, and _mx for 1x1 matrices            *)
(*                      == a = b <-> a - b = 0                                *)
(*   product_head, product_tail, factor_of_product == a b = 0 <-> a or b is 0 *)
(*      form_gt0, form_ge0 == tactics: positive or not negative by its form   *)
(* ========================================================================== *)
From mathcomp Require Import all_ssreflect all_algebra.
From deltaproof Require Import matrix_kit.
From deltaproof Require Export typed_words.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section Matrices.
Variables (R : realFieldType) (n : nat).
Implicit Types M N : 'M[R]_n.

Lemma unit_of_kernel M : (forall x : 'cV[R]_n, M *m x = 0 -> x = 0) -> M \in unitmx.
Proof.
move=> kernel0; rewrite -unitmx_tr -row_free_unit; apply/inj_row_free => y yM0.
by apply: trmx_inj; rewrite trmx0; apply: kernel0; rewrite -[M]trmxK -trmx_mul yM0 trmx0.
Qed.

Lemma unit_of_inverse M N : M *m N = 1%:M -> M \in unitmx.
Proof. by case/mulmx1_unit. Qed.

Lemma unit_as M N : N \in unitmx -> M = N -> M \in unitmx.
Proof. by move=> unitN ->. Qed.

Lemma unit_as_transposed M N : N \in unitmx -> M = N^T -> M \in unitmx.
Proof. by move=> unitN ->; rewrite unitmx_tr. Qed.

Lemma inverse_is_left M : M \in unitmx -> invmx M *m M = 1%:M.
Proof. exact: mulVmx. Qed.

Lemma inverse_is_right M : M \in unitmx -> M *m invmx M = 1%:M.
Proof. exact: mulmxV. Qed.

Lemma inverse_as M N : M = N -> invmx M = invmx N.
Proof. by move=> ->. Qed.

Lemma inverse_as_transposed M N : M = N^T -> invmx M = (invmx N)^T.
Proof. by move=> ->; rewrite trmx_inv. Qed.

Lemma inverse_of_inverse M N : M = invmx N -> invmx M = N.
Proof. by move=> ->; exact: invmxK. Qed.

End Matrices.

Section Squares.
Variable R : realFieldType.

Definition positive p (N : 'M[R]_p) := forall x : 'cV[R]_p, 0 <= (x^T *m N *m x) 0 0.

Lemma positive0 p : positive (0 : 'M[R]_p).
Proof. by move=> x; rewrite mulmx0 mul0mx entry_zero. Qed.

Lemma square_form m p w (M : 'M[R]_(m, p)) N (x : 'cV[R]_p) :
  (x^T *m (w *: (M^T *m M) + N) *m x) 0 0 =
  w * ((M *m x)^T *m (M *m x)) 0 0 + (x^T *m N *m x) 0 0.
Proof.
rewrite mulmxDr mulmxDl entry_add -scalemxAr -scalemxAl entry_scale.
by rewrite trmx_mul !mulmxA.
Qed.

Lemma positive_square m p w (M : 'M[R]_(m, p)) N :
  0 < w -> positive N -> positive (w *: (M^T *m M) + N).
Proof.
move=> w_gt0 N_positive x; rewrite square_form addr_ge0 //.
by rewrite mulr_ge0 ?gram_ge0 // ltW.
Qed.

Lemma squares_split m p w (M : 'M[R]_(m, p)) N :
  0 < w -> positive N -> w *: (M^T *m M) + N = 0 -> M = 0 /\ N = 0.
Proof.
move=> w_gt0 N_positive sum0; suff M0 : M = 0.
  by split=> //; move: sum0; rewrite M0 mulmx0 scaler0 add0r.
have Mx0 (x : 'cV_p) : M *m x = 0.
  apply: gram_entry_eq0; have := square_form w M N x.
  rewrite sum0 mulmx0 mul0mx entry_zero => /esym/eqP.
  rewrite paddr_eq0 ?N_positive ?mulr_ge0 ?gram_ge0 ?(ltW w_gt0) //.
  by case/andP=> /eqP/eqP; rewrite mulf_eq0 (gt_eqF w_gt0) => /eqP.
apply/matrixP => i j; have := Mx0 (delta_mx j 0); rewrite -colE => /matrixP/(_ i 0).
by rewrite !mxE.
Qed.

Lemma root_of_square (a : R) : a * a = 0 -> a = 0.
Proof. by move/eqP; rewrite mulf_eq0 orbb => /eqP. Qed.

Lemma scalar_of_identity n (a : R) : (0 < n)%N -> a *: 1%:M = 0 :> 'M[R]_n -> a = 0.
Proof.
case: n => // n _ /matrixP/(_ ord0 ord0).
by rewrite !mxE eqxx mulr1.
Qed.

End Squares.

Section Norms.
Variables (R : rcfType) (m n : nat).
Implicit Types (x : 'cV[R]_m) (y : 'cV[R]_n) (a b c : R).

Lemma square_of_norm x :
  Num.sqrt ((x^T *m x) 0 0) * Num.sqrt ((x^T *m x) 0 0) = (x^T *m x) 0 0.
Proof. by rewrite -expr2 sqr_sqrtr // gram_ge0. Qed.

Lemma equal_norms a b : a = b -> Num.sqrt a = Num.sqrt b.
Proof. by move=> ->. Qed.

Lemma norm_of_square a c : 0 <= c -> a = c * c -> Num.sqrt a = c.
Proof. by move=> c_ge0 ->; rewrite -expr2 sqrtr_sqr ger0_norm. Qed.

End Norms.

Lemma norm_as (R : rcfType) m (x y : 'cV[R]_m) :
  x = y -> Num.sqrt ((x^T *m x) 0 0) = Num.sqrt ((y^T *m y) 0 0).
Proof. by move=> ->. Qed.

Section Numbers.
Variable R : realFieldType.
Implicit Types (a b c d : R).

Lemma difference_neq0 (V : zmodType) (x y : V) : x <> y -> x - y <> 0.
Proof. by move=> x_neq_y /eqP; rewrite subr_eq0 => /eqP. Qed.

Lemma difference_lt0 a b : a < b -> a - b < 0.
Proof. by rewrite subr_lt0. Qed.

Lemma entry_neq0 (M : 'M[R]_1) : M <> 0 -> M 0 0 <> 0.
Proof. by move=> M_neq0 M00; apply: M_neq0; apply: mx11_eq; rewrite M00 mxE. Qed.

Lemma square_neq0 n (x : 'cV[R]_n) : x <> 0 -> (x^T *m x) 0 0 <> 0.
Proof. by move=> x_neq0 /gram_entry_eq0. Qed.

Lemma reciprocal_of_ne a : a <> 0 -> a^-1 * a = 1.
Proof. by move/eqP=> a_neq0; exact: mulVf. Qed.

Lemma reciprocal_of_gt0 a : 0 < a -> a^-1 * a = 1.
Proof. by move/lt0r_neq0; exact: mulVf. Qed.

Lemma reciprocal_of_lt0 a : a < 0 -> a^-1 * a = 1.
Proof. by move/ltr0_neq0; exact: mulVf. Qed.

Lemma reciprocal_as a b c d : c * d = 1 -> a = c * b -> a^-1 = d * b^-1.
Proof.
move=> cd1 ->; rewrite invfM; congr (_ * _).
have c_unit : c \is a GRing.unit by apply/unitrP; exists d; rewrite mulrC.
by rewrite -[LHS]mulr1 -cd1 mulrA mulVr // mul1r.
Qed.

Lemma reciprocal_of_number a c d : c * d = 1 -> a = c -> a^-1 = d.
Proof. by move=> cd1 ac; rewrite -[RHS]mulr1 (@reciprocal_as a 1 c d) ?invr1 ?mulr1. Qed.

Lemma difference_of_eq a b : a = b -> a - b = 0.
Proof. by move=> ->; rewrite subrr. Qed.

Lemma eq_of_difference a b : a - b = 0 -> a = b.
Proof. by move/eqP; rewrite subr_eq0 => /eqP. Qed.

Lemma difference_of_eq_mx (M N : 'M[R]_1) : M = N -> (M - N) 0 0 = 0.
Proof. by move=> ->; rewrite subrr entry_zero. Qed.

Lemma eq_of_difference_mx (M N : 'M[R]_1) : (M - N) 0 0 = 0 -> M = N.
Proof. by move=> MN0; apply/eqP; rewrite -subr_eq0; apply/eqP/mx11_eq; rewrite MN0 mxE. Qed.

Lemma product_head a b : a = 0 -> a * b = 0.
Proof. by move=> ->; rewrite mul0r. Qed.

Lemma product_tail a b : b = 0 -> a * b = 0.
Proof. by move=> ->; rewrite mulr0. Qed.

Lemma factor_of_product a b : a * b = 0 -> a = 0 \/ b = 0.
Proof. by move/eqP; rewrite mulf_eq0 => /orP[] /eqP; [left | right]. Qed.

Lemma add_gt0_ge0 a b : 0 < a -> 0 <= b -> 0 < a + b.
Proof. by move=> a_gt0 b_ge0; rewrite ltr_paddr. Qed.

Lemma add_ge0_gt0 a b : 0 <= a -> 0 < b -> 0 < a + b.
Proof. by move=> a_ge0 b_gt0; rewrite ltr_paddl. Qed.

Lemma mul_self_ge0 a : 0 <= a * a.
Proof. by rewrite -expr2 sqr_ge0. Qed.

Lemma div_gt0 a b : 0 < a -> 0 < b -> 0 < a / b.
Proof. by move=> a_gt0 b_gt0; rewrite divr_gt0. Qed.

Lemma nat_gt0 n : 0 < n.+1%:R :> R.
Proof. by rewrite ltr0n. Qed.

Lemma size_gt0 n : (0 < n)%N -> 0 < n%:R :> R.
Proof. by rewrite ltr0n. Qed.

End Numbers.

(* What a claim may divide by without a hypothesis: c + squares, and the like. *)
Ltac form_ge0 :=
  first
    [ assumption
    | exact: lexx
    | exact: ler01
    | exact: ler0n
    | exact: gram_ge0
    | exact: sqrtr_ge0
    | exact: normr_ge0
    | exact: rule_cauchy_schwarz
    | exact: mul_self_ge0
    | exact: sqr_ge0
    | apply: exprn_even_ge0; exact: isT
    | apply: addr_ge0; form_ge0
    | apply: mulr_ge0; form_ge0
    | apply: exprn_ge0; form_ge0
    | apply: divr_ge0; form_ge0
    | apply: ltW; form_gt0 ]
with form_gt0 :=
  first
    [ assumption
    | exact: ltr01
    | exact: nat_gt0
    | apply: size_gt0; assumption
    | apply: add_gt0_ge0; [form_gt0 | form_ge0]
    | apply: add_ge0_gt0; [form_ge0 | form_gt0]
    | apply: mulr_gt0; form_gt0
    | apply: div_gt0; form_gt0
    | apply: exprn_gt0; form_gt0
    | rewrite sqrtr_gt0; form_gt0 ].

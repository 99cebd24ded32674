(* ========================================================================== *)
(*  norm_kit: Euclidean norms, orthogonal matrices and kernels                *)
(*                                                                            *)
(* Source: none; what papers use of norms without a word. The norm of x is    *)
(* written out, Num.sqrt ((x^T *m x) 0 0), as the printed theorems have it;   *)
(* gram x abbreviates its square.                                             *)
(*                                                                            *)
(*            gram x == (x^T x) 0 0                                           *)
(*         gram_dot x y == (x^T y) 0 0                                        *)
(*    gram_add, gram_sub, gram_scale, gram_opp == squares of sums, multiples  *)
(*  parallelogram x y == |x + y|^2 + |x - y|^2 = 2 |x|^2 + 2 |y|^2            *)
(*         gram_gt0 x == 0 < |x|^2 as soon as x is not 0                      *)
(*    gram_isometry Q x == |Q x|^2 = |x|^2, Q^T Q = 1                         *)
(*       norm_bound c == |y|^2 <= c^2 |x|^2 -> |y| <= c |x|, 0 <= c           *)
(*  norm_lower_bound c == c^2 |x|^2 <= |y|^2 -> c |x| <= |y|, 0 <= c          *)
(*         norm_equal c == |y|^2 = c^2 |x|^2 -> |y| = c |x|, 0 <= c           *)
(*     norm_bound_gram c == |y| <= c |x| -> |y|^2 <= c^2 |x|^2, 0 <= c        *)
(*  orthogonal_vector V == fewer than n independent columns leave a vector    *)
(*                      x <> 0 with V^T x = 0                                 *)
(*    singular_vector M == det M = 0 -> M x = 0 for some x <> 0               *)
(*     deficient_vector M == a square matrix of smaller rank: the same        *)
(*  rank_outer, rank_scale, rank_add, rank_sub == bounds on ranks             *)
(*                                                                            *)
(* Left out: what needs two families.                                         *)
(* ========================================================================== *)
From mathcomp Require Import all_ssreflect all_algebra ring.
From deltaproof Require Import matrix_kit.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Notation gram_dot x y := ((x^T *m y) 0 0).
Notation gram x := (gram_dot x x).

Section Grams.
Variables (R : comRingType) (n : nat).
Implicit Types x y : 'cV[R]_n.

Lemma gram_dotC x y : gram_dot x y = gram_dot y x.
Proof. by rewrite -[x^T *m y]trmx_mx11 trmx_mul trmxK. Qed.

Lemma gram_add x y : gram (x + y) = gram x + gram y + 2%:R * gram_dot x y.
Proof.
rewrite trmx_add mulmxDl !mulmxDr !entry_add [gram_dot y x]gram_dotC.
by name_entries; ring.
Qed.

Lemma gram_opp x : gram (- x) = gram x.
Proof. by rewrite trmx_opp mulNmx mulmxN opprK. Qed.

Lemma gram_dot_opp x y : gram_dot x (- y) = - gram_dot x y.
Proof. by rewrite mulmxN entry_opp. Qed.

Lemma gram_sub x y : gram (x - y) = gram x + gram y - 2%:R * gram_dot x y.
Proof. by rewrite gram_add gram_opp gram_dot_opp mulrN. Qed.

Lemma gram_scale c x : gram (c *: x) = c ^+ 2 * gram x.
Proof. by rewrite trmx_scale mulmx_scale_l mulmx_scale_r !entry_scale mulrA expr2. Qed.

Lemma gram_dot_scale b c x y : gram_dot (b *: x) (c *: y) = b * c * gram_dot x y.
Proof. by rewrite trmx_scale mulmx_scale_l mulmx_scale_r !entry_scale mulrA. Qed.

Lemma parallelogram x y : gram (x + y) = 2%:R * gram x + 2%:R * gram y - gram (x - y).
Proof. by rewrite gram_add gram_sub; name_entries; ring. Qed.

Lemma gram_isometry (Q : 'M[R]_n) x : Q^T *m Q = 1%:M -> gram (Q *m x) = gram x.
Proof. by move=> oQ; rewrite trmx_mul mulmxA -[_ *m _ *m Q]mulmxA oQ mulmx1. Qed.

End Grams.

Section Definite.
Variables (R : realDomainType) (n : nat).
Implicit Types x y : 'cV[R]_n.

Lemma gram_gt0 x : x <> 0 -> 0 < gram x.
Proof.
move=> x_neq0; rewrite lt_def gram_ge0 andbT; apply/eqP => x0.
exact/x_neq0/gram_entry_eq0.
Qed.

Lemma gram_add_le x y : gram (x + y) <= 2%:R * gram x + 2%:R * gram y.
Proof. by rewrite parallelogram ler_subl_addr ler_addl gram_ge0. Qed.

End Definite.

Section Norms.
Variables (R : rcfType) (m n : nat).
Implicit Types (x : 'cV[R]_n) (y : 'cV[R]_m) (c : R).

Lemma scaled_norm c x : 0 <= c -> c * Num.sqrt (gram x) = Num.sqrt (c ^+ 2 * gram x).
Proof. by move=> c_ge0; rewrite sqrtrM ?sqr_ge0 // sqrtr_sqr ger0_norm. Qed.

Lemma norm_bound c x y : 0 <= c ->
  gram y <= c ^+ 2 * gram x -> Num.sqrt (gram y) <= c * Num.sqrt (gram x).
Proof. by move=> c_ge0 le_yx; rewrite scaled_norm // ler_wsqrtr. Qed.

Lemma norm_lower_bound c x y : 0 <= c ->
  c ^+ 2 * gram x <= gram y -> c * Num.sqrt (gram x) <= Num.sqrt (gram y).
Proof. by move=> c_ge0 le_xy; rewrite scaled_norm // ler_wsqrtr. Qed.

Lemma norm_equal c x y : 0 <= c ->
  gram y = c ^+ 2 * gram x -> Num.sqrt (gram y) = c * Num.sqrt (gram x).
Proof. by move=> c_ge0 ->; rewrite scaled_norm. Qed.

Lemma norm_sqr p (x : 'cV[R]_p) : Num.sqrt (gram x) ^+ 2 = gram x.
Proof. by rewrite sqr_sqrtr ?gram_ge0. Qed.

Lemma norm_bound_gram c x y : 0 <= c ->
  Num.sqrt (gram y) <= c * Num.sqrt (gram x) -> gram y <= c ^+ 2 * gram x.
Proof.
move=> c_ge0 le_yx; rewrite -[gram y]norm_sqr -[gram x]norm_sqr -exprMn.
by rewrite ler_pexpn2r // nnegrE ?mulr_ge0 ?sqrtr_ge0.
Qed.

End Norms.

Section Kernels.
Variables (R : fieldType) (n : nat).

Lemma orthogonal_vector m (V : 'M[R]_(n, m)) : (\rank V < n)%N ->
  exists x : 'cV[R]_n, x <> 0 /\ V^T *m x = 0.
Proof.
move=> rank_V; have : kermx V != 0.
  by rewrite -mxrank_eq0 mxrank_ker subn_eq0 -ltnNge.
move/rowV0Pn => [r /sub_kermxP rV0 /eqP r_neq0]; exists r^T; split.
  by move=> r0; apply: r_neq0; rewrite -[r]trmxK r0 trmx0.
by rewrite -trmx_mul rV0 trmx0.
Qed.

Lemma deficient_vector (M : 'M[R]_n) : (\rank M < n)%N ->
  exists x : 'cV[R]_n, x <> 0 /\ M *m x = 0.
Proof. by rewrite -mxrank_tr => /orthogonal_vector; rewrite trmxK. Qed.

Lemma singular_vector (M : 'M[R]_n) : \det M = 0 ->
  exists x : 'cV[R]_n, x <> 0 /\ M *m x = 0.
Proof.
move=> det0; apply: deficient_vector; rewrite ltn_neqAle rank_leq_row andbT.
by apply: contra_eqN det0 => full; rewrite -unitfE -unitmxE -row_full_unit.
Qed.

End Kernels.

Section Ranks.
Variables (R : fieldType) (m n : nat).
Implicit Types A B : 'M[R]_(m, n).

Lemma rank_outer (x : 'cV[R]_m) (y : 'rV[R]_n) : (\rank (x *m y) <= 1)%N.
Proof. exact: leq_trans (mxrankM_maxl _ _) (rank_leq_col _). Qed.

Lemma rank_scale c A : (\rank (c *: A)%R <= \rank A)%N.
Proof. exact/mxrankS/scalemx_sub. Qed.

Lemma rank_add a b A B :
  (\rank A <= a)%N -> (\rank B <= b)%N -> (\rank (A + B)%R <= a + b)%N.
Proof. by move=> rankA rankB; apply: leq_trans (mxrank_add _ _) (leq_add rankA rankB). Qed.

Lemma rank_sub a b A B :
  (\rank A <= a)%N -> (\rank B <= b)%N -> (\rank (A - B)%R <= a + b)%N.
Proof. by move=> rankA rankB; apply: rank_add; rewrite // mxrank_opp. Qed.

End Ranks.

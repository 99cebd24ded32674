(* ========================================================================== *)
(*  reflection: H = 1 - 2 k k^T, k a unit vector                              *)
(* ========================================================================== *)
From mathcomp Require Import all_ssreflect all_algebra ring.
From deltaproof Require Import matrix_kit norm_kit index_kit.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Lemma reflection_orthogonal (R : comRingType) (n : nat) (k : 'cV[R]_n) :
  k^T *m k = 1%:M :> 'M[R]_1 ->
  (1%:M - 2%:R *: (k *m k^T))^T *m (1%:M - 2%:R *: (k *m k^T)) = 1%:M.
Proof.
move=> unit_k; rewrite !transposeE; mxexpand.
have -> : k *m k^T *m k *m k^T = k *m k^T.
  by rewrite -[X in X *m _]mulmxA unit_k mulmx1.
by mxlin.
Qed.

Section Normalised.
Variables (R : rcfType) (n : nat).
Implicit Types x y z : 'cV[R]_n.

(* the reflection along z <> 0 of any length, on y *)
Lemma reflect_along z y : z <> 0 ->
  (1%:M - 2%:R *: (((1 / Num.sqrt (gram z)) *: z) *m ((1 / Num.sqrt (gram z)) *: z)^T)) *m y =
  y - (2%:R * gram_dot z y / gram z) *: z.
Proof.
move=> /gram_gt0 z_gt0; rewrite trmx_scale mulmx_scale_l mulmx_scale_r scalerA.
rewrite mul1r -expr2 exprVn sqr_sqrtr ?ltW // mulmxBl mul1mx !mulmx_scale_l -mulmxA.
rewrite [z *m _]mulmx_mx11_r !scalerA; congr (_ - _ *: _).
by rewrite mulrAC.
Qed.

Lemma adaptive_axis_negates x : x <> 0 ->
  (1%:M - 2%:R *: (((1 / Num.sqrt (gram x)) *: x) *m ((1 / Num.sqrt (gram x)) *: x)^T)) *m x =
  - x.
Proof.
move=> x_neq0; rewrite reflect_along // mulfK ?gt_eqF ?gram_gt0 //.
by mxlin.
Qed.

(* the reflection along x - y exchanges x and y of one length *)
Lemma reflect_difference x y : x - y <> 0 -> gram y = gram x ->
  (1%:M - 2%:R *: (((1 / Num.sqrt (gram (x - y))) *: (x - y)) *m
                   ((1 / Num.sqrt (gram (x - y))) *: (x - y))^T)) *m x = y.
Proof.
move=> xy_neq0 same_length; rewrite reflect_along //.
have -> : 2%:R * gram_dot (x - y) x = gram (x - y).
  rewrite gram_sub same_length trmx_add trmx_opp mulmxDl mulNmx entry_add entry_opp.
  by rewrite [gram_dot y x]gram_dotC; name_entries; ring.
by rewrite divff ?gt_eqF ?gram_gt0 // scale1r subKr.
Qed.

End Normalised.

Lemma product_rank (R : realFieldType) (n r : nat) (k : nat -> 'cV[R]_n) :
  ((\rank ((\big[mulmx/1%:M]_(i <- rev (index_iota 1 r.+1))
              (1%:M - 2%:R *: (k i *m (k i)^T))) - 1%:M))%:R : R) <= r%:R /\
  ((\big[mulmx/1%:M]_(i <- rev (index_iota 1 r.+1))
      (1%:M - 2%:R *: (k i *m (k i)^T))) = - 1%:M -> (n%:R : R) <= r%:R).
Proof.
set product := \big[_/_]_(_ <- _) _; have rank_le : (\rank (product - 1%:M)%R <= r)%N.
  rewrite /product; elim: r {product} => [|r IH]; first by rewrite big_nil subrr mxrank0.
  rewrite product_recr //; set shorter := \big[_/_]_(_ <- _) _ in IH *.
  have -> : (1%:M - 2%:R *: (k r.+1 *m (k r.+1)^T)) *m shorter - 1%:M =
      (shorter - 1%:M) + (- 2%:R) *: (k r.+1 *m ((k r.+1)^T *m shorter)) by mxring.
  apply: leq_trans (rank_add (a := r) (b := 1) IH _) _; last by rewrite addn1.
  exact: leq_trans (rank_scale _ _) (rank_outer _ _).
split; first by rewrite ler_nat.
move=> minus_one; rewrite ler_nat; apply: leq_trans rank_le; rewrite minus_one.
have -> : - 1%:M - 1%:M = (- 2%:R) *: 1%:M :> 'M[R]_n by mxlin.
by rewrite eqmx_scale ?mxrank1 // oppr_eq0 pnatr_eq0.
Qed.

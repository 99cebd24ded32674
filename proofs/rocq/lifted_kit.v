(* ========================================================================== *)
(*  lifted_kit: stacked matrices and Kronecker products                       *)
(*                                                                            *)
(* Source: none. MathComp 1.15 has no Kronecker product. In the printed       *)
(* theorems vec X is (mxvec X^T)^T, the columns under one another, and L x M  *)
(* the matrix of X |-> L X M^T on rows that are put one after another:        *)
(*                                                                            *)
(*                lifted L M == (lin_mx (fun X => L *m X *m M^T))^T           *)
(*              lifted_entry == its entry in row (i, k), column (j, l) is     *)
(*                              L i j * M k l                                 *)
(*         mxvec_index_value == where the row (i, k) is: i p + k, counted     *)
(*                              from 0, for M with p rows                     *)
(*             lifted_stacks == (L x M) vec X = vec (M X L^T)                 *)
(* ========================================================================== *)
From mathcomp Require Import all_ssreflect all_algebra ring.
From deltaproof Require Import matrix_kit.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Lemma index_pairs (S T : eqType) (s : seq S) (t : seq T) (x : S) (y : T) :
  x \in s -> y \in t ->
  index (x, y) [seq (a, b) | a <- s, b <- t] = (index x s * size t + index y t)%N.
Proof.
move=> + yt; elim: s => // a s IHs; rewrite inE /= index_cat.
have [->|x_neq] := eqVneq x a => /= [_|xs].
  by rewrite map_f // index_map // => b c [].
case: ifP => [/mapP[b _ [x_eq _]]|_]; first by rewrite x_eq eqxx in x_neq.
by rewrite size_map IHs // mulSn addnA.
Qed.

Lemma mxvec_index_value m n (i : 'I_m) (j : 'I_n) : mxvec_index i j = (i * n + j)%N :> nat.
Proof.
rewrite /= /enum_rank; unlock enum_rank_in => /=.
rewrite insubdK; last by rewrite -topredE /= cardE index_mem mem_enum.
rewrite enumT unlock /= index_pairs ?mem_enum //.
by rewrite !index_enum_ord size_enum_ord.
Qed.

Section Lifted.
Variable R : comRingType.

Notation lifted L M := (lin_mx (fun stacked => L *m stacked *m M^T))^T.

Lemma two_sided_linear m n p q (L : 'M[R]_(m, n)) (M : 'M[R]_(p, q)) :
  linear (fun X : 'M[R]_(n, q) => L *m X *m M^T).
Proof. by move=> a X Y; rewrite mulmxDr mulmxDl -scalemxAr -scalemxAl. Qed.

Lemma mul_lifted m n p q (L : 'M[R]_(m, n)) (M : 'M[R]_(p, q)) (X : 'M[R]_(n, q)) :
  mxvec X *m lin_mx (fun stacked => L *m stacked *m M^T) = mxvec (L *m X *m M^T).
Proof. exact: (mul_vec_lin (Linear (two_sided_linear L M))). Qed.

Lemma lifted_entry m n p q (L : 'M[R]_(m, n)) (M : 'M[R]_(p, q)) i j k l :
  lifted L M (mxvec_index i k) (mxvec_index j l) = L i j * M k l.
Proof.
rewrite mxE; have := mul_lifted L M (delta_mx j l).
rewrite mxvec_delta -rowE => /rowP/(_ (mxvec_index i k)); rewrite mxvecE mxE => ->.
rewrite mxE (bigD1 l) //= big1 => [|l' l'_neq]; rewrite !mxE (bigD1 j) //= big1.
- by rewrite mxE !eqxx mulr1 !addr0.
- by move=> j' j'_neq; rewrite mxE (negbTE j'_neq) mulr0.
- by rewrite mxE (negbTE l'_neq) andbF mulr0 add0r mul0r.
by move=> j' j'_neq; rewrite mxE (negbTE j'_neq) mulr0.
Qed.

Lemma lifted_stacks m n p q (L : 'M[R]_(m, n)) (M : 'M[R]_(p, q)) (X : 'M[R]_(q, n)) :
  lifted L M *m (mxvec X^T)^T = (mxvec (M *m X *m L^T)^T)^T.
Proof. by rewrite -trmx_mul mul_lifted !trmx_mul trmxK mulmxA. Qed.

Lemma same_on_stacks m n N (A B : 'M[R]_(m * n, N)) :
  (forall X : 'M[R]_(m, n), mxvec X *m A = mxvec X *m B) -> A = B.
Proof.
move=> same; apply/row_matrixP => i; rewrite !rowE -[delta_mx 0 i]vec_mxK; exact: same.
Qed.

End Lifted.

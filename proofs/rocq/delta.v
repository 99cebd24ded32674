(* ========================================================================== *)
(*  delta: the delta operator A = 1 - beta k k^T                              *)
(*                                                                            *)
(* Source: Deep Delta Learning, arXiv 2601.00417, sections 2.1 to 2.3, and    *)
(* the companion notes of the E-Delta-MHC-Geo Transformer, Prop. 4.1, Thm 6   *)
(* and 7 (all retold). Every lemma holds in every dimension.                  *)
(*                                                                            *)
(*     rank_one_form == delta.rank_one_form: 'the update (1 - beta k k^T) X + *)
(*                      beta k v^T adds beta k (v^T - k^T X) to X'            *)
(* eigenvalue_along_k == delta.eigenvalue_along_k: 'k is an eigenvector, of   *)
(*                      eigenvalue 1 - beta', k a unit vector                 *)
(* eigenvalue_off_k == delta.eigenvalue_off_k: 'every u orthogonal to k is    *)
(*                      fixed'                                                *)
(*       determinant == delta.determinant: 'det A = 1 - beta k^T k', any k    *)
(*        gram_delta == A^T A = 1 + beta (beta - 2) k k^T, k a unit vector    *)
(*    orthogonal_iff == delta.orthogonal_iff: 'A is orthogonal if and only if *)
(*                      beta is 0 or 2', k a unit vector                      *)
(*                                                                            *)
(* The operator is written out in each statement: these lemmas close theorems *)
(* that are printed from the claims. Rings are as general as the proofs are.  *)
(* ========================================================================== *)
From mathcomp Require Import all_ssreflect all_algebra ring.
From deltaproof Require Import matrix_kit.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section CommutativeRing.
Variables (R : comRingType) (n m : nat).
Implicit Types (k u : 'cV[R]_n) (X : 'M[R]_(n, m)) (v : 'cV[R]_m) (beta : R).

Lemma rank_one_form k X v beta :
  (1%:M - beta *: (k *m k^T)) *m X + beta *: (k *m v^T) =
  X + beta *: (k *m (v^T - k^T *m X)).
Proof. by mxring. Qed.

Lemma eigenvalue_along_k k beta : k^T *m k = 1%:M :> 'M[R]_1 ->
  (1%:M - beta *: (k *m k^T)) *m k = (1 - beta) *: k.
Proof.
move=> unit_k; rewrite mulmxBl mul1mx -scalemxAl -mulmxA unit_k mulmx1.
by rewrite scalerBl scale1r.
Qed.

Lemma eigenvalue_off_k k u beta : k^T *m u = 0 :> 'M[R]_1 ->
  (1%:M - beta *: (k *m k^T)) *m u = u.
Proof.
by move=> ku0; rewrite mulmxBl mul1mx -scalemxAl -mulmxA ku0 mulmx0 scaler0 subr0.
Qed.

Lemma determinant k beta :
  \det (1%:M - beta *: (k *m k^T)) = 1 - beta * (k^T *m k) 0 0.
Proof.
rewrite scalemxAl sylvester_determinant -scalemxAr det_mx11.
by rewrite !(entry_add, entry_opp, entry_scale) mxE eqxx.
Qed.

Lemma gram_delta k beta : k^T *m k = 1%:M :> 'M[R]_1 ->
  (1%:M - beta *: (k *m k^T))^T *m (1%:M - beta *: (k *m k^T)) =
  1%:M + (beta * (beta - 2%:R)) *: (k *m k^T).
Proof.
move=> unit_k; rewrite !transposeE; mxexpand.
have -> : k *m k^T *m k *m k^T = k *m k^T.
  by rewrite -[X in X *m _]mulmxA unit_k mulmx1.
by mxlin.
Qed.

End CommutativeRing.

Lemma orthogonal_iff (R : idomainType) (n : nat) (k : 'cV[R]_n) (beta : R) :
  k^T *m k = 1%:M :> 'M[R]_1 ->
  (1%:M - beta *: (k *m k^T))^T *m (1%:M - beta *: (k *m k^T)) = 1%:M <->
  (beta = 0 \/ beta = 2%:R).
Proof.
move=> unit_k; rewrite gram_delta //; split=> [gram1|].
  have : (beta * (beta - 2%:R)) *: (k *m k^T) = 0.
    by apply: (addrI 1%:M); rewrite addr0.
  move/(congr1 (fun M => (k^T *m M *m k) 0 0)).
  rewrite -scalemxAr -scalemxAl mulmxA unit_k mul1mx unit_k mulmx0 mul0mx.
  rewrite entry_scale entry_zero mxE eqxx mulr1 => /eqP.
  by rewrite mulf_eq0 subr_eq0 => /orP[] /eqP; [left | right].
by case=> ->; rewrite ?mul0r ?subrr ?mulr0 scale0r addr0.
Qed.

(* ========================================================================== *)
(*  index_kit: ranges of integers, and powers and products of matrices        *)
(*                                                                            *)
(* Source: none. Printed theorems run over integers l <= i <= L - 1; proofs   *)
(* go by induction on the number of layers between l and L.                   *)
(*                                                                            *)
(*       layers l L == the integers l, ..., L - 1, none if L < l              *)
(*     layers_offset == l <= L -> L = l + m for some natural m                *)
(*   layer_hypothesis == what holds of layers l, ..., l + m - 1 holds at      *)
(*                      l + t for each t < m                                  *)
(*    layers_from_start, layers_after == layers l (l + m), and those after    *)
(*                      l + t, as shifted naturals                            *)
(*    big_layers, big_layers_rev == so do sums and products over them         *)
(*          power M t == iter t (mulmx M) 1%:M, the t-th power                *)
(*   power_S, power_add, power_commute == powers of one matrix                *)
(*     product_recr == a product in descending order grows on the left        *)
(* ========================================================================== *)
From mathcomp Require Import all_ssreflect all_algebra.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Notation layers l L :=
  [seq l + step%:Z | step <- iota 0 (absz (Order.max 0 (L - l)))].
Notation power M t := (iter t (mulmx M) 1%:M).

Lemma layers_offset (l L : int) : l <= L -> exists m : nat, L = l + m%:Z.
Proof.
by rewrite -subr_ge0 => /gez0_abs offset; exists `|L - l|%N; rewrite offset addrC subrK.
Qed.

Lemma layer_next (l : int) (t : nat) : l + t%:Z + 1 = l + t.+1%:Z.
Proof. by rewrite -addrA -addn1 PoszD. Qed.

Lemma layer_count (l : int) (m : nat) : l + m%:Z - l = m%:Z.
Proof. by rewrite addrAC subrr add0r. Qed.

Lemma layer_hypothesis (l : int) (m : nat) (P : int -> Prop) :
  (forall i : int, (l <= i <= l + m%:Z - 1) -> P i) ->
  forall t : nat, (t < m)%N -> P (l + t%:Z).
Proof.
move=> holds t lt_tm; apply: holds; apply/andP; split; first by rewrite ler_addl.
by rewrite ler_subr_addr layer_next ler_add2l lez_nat.
Qed.

Lemma layers_from_start (l : int) (m : nat) :
  layers l (l + m%:Z) = [seq l + t%:Z | t <- index_iota 0 m].
Proof. by rewrite layer_count max_r ?lez_nat // /index_iota subn0. Qed.

Lemma layers_after (l : int) (t m : nat) : (t < m)%N ->
  layers (l + t%:Z + 1) (l + m%:Z) = [seq l + s%:Z | s <- index_iota t.+1 m].
Proof.
move=> lt_tm; rewrite layer_next opprD addrACA subrr add0r subzn // max_r ?lez_nat //=.
rewrite /index_iota -[t.+1 in RHS]addn0 iotaDl -map_comp addn0.
by apply: eq_map => s /=; rewrite PoszD addrA.
Qed.

Section Big.
Variables (T : Type) (idx : T) (op : T -> T -> T).

Lemma big_layers (l : int) (m : nat) (F : int -> T) :
  \big[op/idx]_(i <- layers l (l + m%:Z)) F i = \big[op/idx]_(0 <= t < m) F (l + t%:Z).
Proof. by rewrite layers_from_start big_map. Qed.

Lemma big_layers_rev (l : int) (m : nat) (F : int -> T) :
  \big[op/idx]_(i <- rev (layers l (l + m%:Z))) F i =
  \big[op/idx]_(t <- rev (index_iota 0 m)) F (l + t%:Z).
Proof. by rewrite layers_from_start -map_rev big_map. Qed.

Lemma big_layers_after (l : int) (t m : nat) (F : int -> T) : (t < m)%N ->
  \big[op/idx]_(i <- layers (l + t%:Z + 1) (l + m%:Z)) F i =
  \big[op/idx]_(t.+1 <= s < m) F (l + s%:Z).
Proof. by move=> lt_tm; rewrite layers_after // big_map. Qed.

Lemma big_layers_after_rev (l : int) (t m : nat) (F : int -> T) : (t < m)%N ->
  \big[op/idx]_(i <- rev (layers (l + t%:Z + 1) (l + m%:Z))) F i =
  \big[op/idx]_(s <- rev (index_iota t.+1 m)) F (l + s%:Z).
Proof. by move=> lt_tm; rewrite layers_after // -map_rev big_map. Qed.

End Big.

Section Products.
Variables (R : ringType) (n : nat).
Implicit Types (M : 'M[R]_n) (W : nat -> 'M[R]_n).

Lemma product_recr W (a b : nat) : (a <= b)%N ->
  \big[mulmx/1%:M]_(i <- rev (index_iota a b.+1)) W i =
  W b *m \big[mulmx/1%:M]_(i <- rev (index_iota a b)) W i.
Proof.
move=> le_ab; rewrite /index_iota subSn // -addn1 iotaD cats1 rev_rcons big_cons.
by rewrite subnKC.
Qed.

Lemma product_nil W (a : nat) : \big[mulmx/1%:M]_(i <- rev (index_iota a a)) W i = 1%:M.
Proof. by rewrite /index_iota subnn big_nil. Qed.

Lemma power_add M (s t : nat) : power M (s + t) = power M s *m power M t.
Proof. by elim: s => [|s IH]; rewrite ?mul1mx // addSn !iterS IH mulmxA. Qed.

Lemma power_recr M (t : nat) : power M t.+1 = power M t *m M.
Proof. by rewrite -addn1 power_add /= mulmx1. Qed.

End Products.

Lemma power_transpose_skew (R : comRingType) (n : nat) (N : 'M[R]_n) (t : nat) :
  N^T = - N -> (power N t)^T = (- 1) ^+ t *: power N t.
Proof.
move=> skewN; elim: t => [|t IH]; first by rewrite trmx1 scale1r.
by rewrite [in LHS]power_recr trmx_mul IH skewN mulNmx -scalemxAr exprS mulN1r scaleNr.
Qed.

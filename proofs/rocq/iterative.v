(* ========================================================================== *)
(*  iterative: the fixed-point iteration for the Cayley rotation              *)
(* ========================================================================== *)
From mathcomp Require Import all_ssreflect all_algebra ring.
From deltaproof Require Import matrix_kit index_kit.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory.
Local Open Scope ring_scope.

Section Iteration.
Variables (R : comRingType) (n : nat).
Implicit Types (N : 'M[R]_n) (Y : nat -> 'M[R]_n).

Lemma series (t : nat) N Y : Y 0%N = 1%:M + 2%:R *: N ->
  (forall i : nat, (0 <= i < t)%N -> Y i.+1 = 1%:M + N *m (1%:M + Y i)) ->
  Y t = 1%:M + 2%:R *: (\sum_(1%N <= j < t.+2) power N j).
Proof.
elim: t => [|t IH] start rounds; first by rewrite start big_nat1 /= mulmx1.
have earlier i : (0 <= i < t)%N -> Y i.+1 = 1%:M + N *m (1%:M + Y i).
  by move=> /andP[_ lt_it]; apply: rounds; rewrite (leqW lt_it).
rewrite rounds ?ltnSn // (IH start earlier).
rewrite [in RHS]big_nat_recl //= mulmx1.
by rewrite -mulmx_sumr; mxring.
Qed.

(* the Neumann sum with its generator multiplied in telescopes *)
Lemma telescoped N (t : nat) :
  (1%:M - N) *m (1%:M + 2%:R *: (\sum_(1%N <= j < t.+2) power N j)) =
  1%:M + N - 2%:R *: power N t.+2.
Proof.
elim: t => [|t IH].
  by rewrite big_nat1 /= mulmx1; mxring.
rewrite big_nat_recr //= scalerDr addrA mulmxDr IH mulmx_scale_r mulmxBl mul1mx.
by rewrite -!iterS; mxlin.
Qed.

End Iteration.

(* ========================================================================== *)
(*  iterative: the fixed-point iteration for the Cayley rotation              *)
(*                                                                            *)
(* Source: JPmHC, arXiv 2602.18308 (retold): Y_0 = 1 + 2 N, Y_(t+1) = 1 + N   *)
(* (1 + Y_t). Every lemma holds in every dimension.                           *)
(*                                                                            *)
(*               series == iterative.series: 'Y_t = 1 + 2 (N + ... +          *)
(*                         N^(t+1))', any square N                            *)
(*           telescoped == (1 - N) Y_t = 1 + N - 2 N^(t+2)                    *)
(*   every_second_power == (1 - N^2) (N^a + N^(a+2) + ... ) telescopes        *)
(*        scaled_defect == (1 - N^2) (Y^T Y - 1) in closed form, N skew       *)
(*               defect == iterative.defect: 'how far the iterates are from   *)
(*                         orthogonal'; defect_even and defect_odd are its    *)
(*                         halves                                             *)
(*                                                                            *)
(* Left out: the limit.                                                       *)
(* ========================================================================== *)
From mathcomp Require Import all_ssreflect all_algebra ring.
From deltaproof Require Import matrix_kit index_kit cayley.

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

Section Defect.
Variables (R : realFieldType) (n : nat).
Implicit Types (N : 'M[R]_n) (Y : nat -> 'M[R]_n).

Lemma every_second_power N (a m : nat) :
  (1%:M - N *m N) *m (\sum_(0%N <= j < m.+1) power N (a + 2 * j)) =
  power N a - power N (a + 2 * m.+1).
Proof.
have step j : N *m N *m power N (a + 2 * j) = power N (a + 2 * j.+1).
  by rewrite mulnS addnCA add2n !iterS mulmxA.
elim: m => [|m IH]; first by rewrite big_nat1 mulmxBl mul1mx step muln0 addn0.
by rewrite big_nat_recr //= mulmxDr IH mulmxBl mul1mx step addrA subrK.
Qed.

Lemma sum_commutes N (t : nat) :
  N *m (1%:M + 2%:R *: (\sum_(1%N <= j < t.+2) power N j)) =
  (1%:M + 2%:R *: (\sum_(1%N <= j < t.+2) power N j)) *m N.
Proof.
rewrite mulmxDr mulmxDl mulmx1 mul1mx -scalemxAr -scalemxAl mulmx_sumr mulmx_suml.
by congr (_ + _ *: _); apply: eq_bigr => j _; rewrite -power_recr.
Qed.

Lemma skew_factor_unit N : N^T = - N -> 1%:M - N *m N \in unitmx.
Proof.
move=> skewN; have -> : 1%:M - N *m N = (1%:M + N) *m (1%:M - N) by mxring.
by rewrite unitmx_mul nonsingular ?nonsingular_minus.
Qed.

(* (1 - N^2) (Y^T Y - 1), as the sum telescopes on both sides *)
Lemma scaled_defect N (Y : 'M[R]_n) (t : nat) : N^T = - N ->
  Y = 1%:M + 2%:R *: (\sum_(1%N <= j < t.+2) power N j) ->
  (1%:M - N *m N) *m (Y^T *m Y - 1%:M) =
  (1%:M - N - 2%:R *: ((- 1) ^+ t *: power N t.+2)) *m (1%:M + N - 2%:R *: power N t.+2) -
  (1%:M - N *m N).
Proof.
move=> skewN Y_def; have right : (1%:M - N) *m Y = 1%:M + N - 2%:R *: power N t.+2.
  by rewrite Y_def telescoped.
have commutes : N *m Y = Y *m N by rewrite Y_def sum_commutes.
have commutes_T : N *m Y^T = Y^T *m N.
  by apply: trmx_inj; rewrite !trmx_mul trmxK skewN mulmxN mulNmx commutes.
have left : Y^T *m (1%:M + N) = 1%:M - N - 2%:R *: ((- 1) ^+ t *: power N t.+2).
  have := congr1 trmx right; rewrite trmx_mul !(trmx_add, trmx_opp, trmx1) skewN opprK => ->.
  by rewrite trmx_scale power_transpose_skew // !exprS mulrA mulrNN mulr1 mul1r.
rewrite -left -right mulmxBr mulmx1; congr (_ - _).
have -> : Y^T *m (1%:M + N) *m ((1%:M - N) *m Y) = Y^T *m (1%:M - N *m N) *m Y.
  have -> : 1%:M - N *m N = (1%:M + N) *m (1%:M - N) by mxring.
  by rewrite !mulmxA.
rewrite mulmxA; congr (_ *m _); rewrite mulmxBl mulmxBr mul1mx mulmx1; congr (_ - _).
by rewrite -mulmxA commutes_T !mulmxA commutes_T.
Qed.

Lemma defect_even N (Y : 'M[R]_n) (m : nat) : N^T = - N ->
  Y = 1%:M + 2%:R *: (\sum_(1%N <= j < (2 * m).+2) power N j) ->
  Y^T *m Y - 1%:M = - (4%:R *: (\sum_(0%N <= j < m.+1) power N (2 * m + 2 + 2 * j))).
Proof.
move=> skewN Y_def; apply: (can_inj (mulKmx (skew_factor_unit skewN))).
rewrite (scaled_defect skewN Y_def) mulmxN -scalemxAr every_second_power.
rewrite exprM sqrrN expr1n expr1n scale1r addn2.
have -> : ((2 * m).+2 + 2 * m.+1 = (2 * m).+2 + (2 * m).+2)%N by rewrite mulnS add2n.
have commutes : N *m power N (2 * m).+2 = power N (2 * m).+2 *m N by rewrite -power_recr.
rewrite power_add; move: (power N (2 * m).+2) commutes => P commutes.
transitivity (2%:R *: (N *m P - P *m N) - 4%:R *: (P - P *m P)); first by mxring.
by rewrite commutes subrr scaler0 add0r.
Qed.

Lemma defect_odd N (Y : 'M[R]_n) (m : nat) : N^T = - N ->
  Y = 1%:M + 2%:R *: (\sum_(1%N <= j < (2 * m).+3) power N j) ->
  Y^T *m Y - 1%:M = 4%:R *: (\sum_(0%N <= j < m.+1) power N (2 * m + 4 + 2 * j)).
Proof.
move=> skewN Y_def; apply: (can_inj (mulKmx (skew_factor_unit skewN))).
rewrite (scaled_defect skewN Y_def) -scalemxAr every_second_power.
rewrite exprS exprM sqrrN expr1n expr1n mulr1 scaleN1r addn4.
have -> : ((2 * m).+4 + 2 * m.+1 = (2 * m).+3 + (2 * m).+3)%N.
  by rewrite mulnS add2n !addnS !addSn.
have commutes : N *m power N (2 * m).+3 = power N (2 * m).+3 *m N by rewrite -power_recr.
rewrite power_add (_ : power N (2 * m).+4 = N *m power N (2 * m).+3) //.
move: (power N (2 * m).+3) commutes => P commutes.
transitivity (2%:R *: (N *m P + P *m N) - 4%:R *: (P *m P)); first by mxring.
by rewrite -commutes; mxring.
Qed.

Lemma defect (m : nat) N Y : N^T = - N -> Y 0%N = 1%:M + 2%:R *: N ->
  (forall i : nat, (0 <= i < (2 * m)%N.+1)%N -> Y i.+1 = 1%:M + N *m (1%:M + Y i)) ->
  (Y (2 * m)%N)^T *m Y (2 * m)%N - 1%:M =
    - (4%:R *: (\sum_(0%N <= j < m.+1) power N (2 * m + 2 + 2 * j)%N)) /\
  (Y (2 * m)%N.+1)^T *m Y (2 * m)%N.+1 - 1%:M =
    4%:R *: (\sum_(0%N <= j < m.+1) power N (2 * m + 4 + 2 * j)%N).
Proof.
move=> skewN start rounds; split; [apply: defect_even | apply: defect_odd] => //;
  apply: series => // i /andP[_ lt_i]; apply: rounds.
by rewrite (leqW lt_i).
Qed.

End Defect.

(* ========================================================================== *)
(*  delta_lifted: the delta operator on all columns of a state, I_m x A       *)
(*                                                                            *)
(* Source: Deep Delta Learning, arXiv 2601.00417, section 2.2 (retold). Both  *)
(* lemmas hold in every dimension, over every ordered field. A is             *)
(* 1 - beta k k^T, and the Kronecker product I_m x A is written out as in     *)
(* lifted_kit.v.                                                              *)
(*                                                                            *)
(*   lifted_determinant == delta.lifted_determinant: 'the determinant on all  *)
(*                         columns is (1 - beta)^m', k a unit vector          *)
(*      frozen_jacobian == delta.frozen_jacobian: 'with k, v, beta fixed the  *)
(*                         Jacobian of vec X |-> vec X' is I_m x A', along H  *)
(*                         and read with Y                                    *)
(* ========================================================================== *)
From mathcomp Require Import all_ssreflect all_algebra ring.
From deltaproof Require Import matrix_kit slope_kit lifted_kit.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

(* 1 x A = 1 - beta K K^T where K = 1 x k, and K^T K = 1: Sylvester *)
Lemma lifted_determinant (R : comRingType) (d m : nat) (beta : R) (k : 'cV[R]_d) :
  k^T *m k = 1%:M :> 'M[R]_1 ->
  \det ((lin_mx (fun stacked : 'M[R]_(m, d) =>
    1%:M *m stacked *m (1%:M - beta *: (k *m k^T))^T))^T) = (1 - beta) ^+ m.
Proof.
move=> unit_k; rewrite det_tr.
pose along := lin_mx (fun X : 'M[R]_(m, d) => (1%:M : 'M[R]_m) *m X *m (k^T)^T).
pose back := lin_mx (fun x : 'M[R]_(m, 1) => (1%:M : 'M[R]_m) *m x *m k^T).
have -> : lin_mx (fun X : 'M[R]_(m, d) => (1%:M : 'M[R]_m) *m X *m (1%:M - beta *: (k *m k^T))^T) =
    1%:M - (beta *: along) *m back.
  apply: same_on_stacks => X; rewrite mul_lifted mulmxBr mulmx1 -scalemxAl -scalemxAr mulmxA.
  rewrite !mul_lifted !mul1mx trmxK.
  have -> : X *m (1%:M - beta *: (k *m k^T))^T = X - beta *: (X *m k *m k^T).
    by rewrite !transposeE mulmxBr mulmx1 -scalemxAr mulmxA.
  by rewrite linearB linearZ.
have back_along : back *m along = 1%:M.
  apply: same_on_stacks => x; rewrite mulmxA !mul_lifted !mul1mx trmxK mulmx1.
  by rewrite -mulmxA unit_k mulmx1.
rewrite sylvester_determinant -scalemxAr back_along.
have -> : 1%:M - beta *: 1%:M = (1 - beta) *: 1%:M :> 'M[R]_(m * 1) by rewrite scalerBl scale1r.
by rewrite detZ det1 mulr1 muln1.
Qed.

Lemma frozen_jacobian (R : realFieldType) (d m : nat) (beta : R) (Y : 'M[R]_(d, m)) (k : 'cV[R]_d)
    (X H : 'M[R]_(d, m)) (v : 'cV[R]_m) :
  exists slope : R,
    slope_at (fun t : R => ((mxvec (Y^T))^T^T *m
      (mxvec (((1%:M - beta *: (k *m k^T)) *m (X + t *: H) + beta *: (k *m v^T))^T))^T) 0 0)
      0 slope /\
    slope = ((mxvec (Y^T))^T^T *m
      (lin_mx (fun stacked : 'M[R]_(m, d) =>
        (1%:M : 'M[R]_m) *m stacked *m (1%:M - beta *: (k *m k^T))^T))^T *m
      (mxvec (H^T))^T) 0 0.
Proof.
set A := 1%:M - _; eexists; split=> //; apply: slope_affine => step.
rewrite -[_ *m _ *m (mxvec H^T)^T]mulmxA lifted_stacks trmx1 mulmx1.
have -> : A *m (X + (0 + step) *: H) + beta *: (k *m v^T) =
    A *m (X + 0 *: H) + beta *: (k *m v^T) + step *: (A *m H).
  by rewrite add0r scale0r addr0 mulmxDr -scalemxAr addrAC.
by rewrite trmx_add trmx_scale !(linearD, linearZ) /= entry_add entry_scale.
Qed.

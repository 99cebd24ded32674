(* ========================================================================== *)
(*  delta_gate: the gate beta = 2 sigma(z) of the delta operator              *)
(*                                                                            *)
(* Source: Deep Delta Learning, arXiv 2601.00417, its explainer (retold).     *)
(* sigma z = 1/(1 + exp (- z)).                                               *)
(*                                                                            *)
(*          gate_range == delta.gate_range: 'the learned gate takes every     *)
(*                        value in (0, 2) and no other'; beta (- z) is        *)
(*                        2 - beta z, beta 0 is 1                             *)
(*                                                                            *)
(* Assumptions: the axioms of Coq's classical real numbers, and no others.    *)
(* ========================================================================== *)
From Coq Require Import ssreflect Reals Lra.
From Coquelicot Require Import Coquelicot.

Open Scope R_scope.

Lemma gate_range (z c : R) :
  0 < 2 * (1 / (1 + exp (- z))) /\
  2 * (1 / (1 + exp (- z))) < 2 /\
  (0 < c -> c < 2 -> exists t : R, 2 * (1 / (1 + exp (- t))) = c) /\
  2 * (1 / (1 + exp (- (- z)))) = 2 - 2 * (1 / (1 + exp (- z))) /\
  2 * (1 / (1 + exp (- 0))) = 1.
Proof.
have exp_gt0 := exp_pos (- z).
have part_gt0 : 0 < 1 / (1 + exp (- z)) by apply: Rdiv_lt_0_compat; lra.
split; first by lra.
split.
  apply: (Rmult_lt_reg_r (1 + exp (- z))); first by lra.
  have -> : 2 * (1 / (1 + exp (- z))) * (1 + exp (- z)) = 2; first by field; lra.
  by lra.
split=> [c_gt0 c_lt2|].
  exists (- ln (2 / c - 1)); rewrite Ropp_involutive exp_ln.
    by field; lra.
  have : 1 < 2 / c; last by lra.
  apply: (Rmult_lt_reg_r c) => //.
  have -> : 2 / c * c = 2; first by field; lra.
  by lra.
split; last by rewrite Ropp_0 exp_0; lra.
have inverse : exp (- - z) * exp (- z) = 1 by rewrite -exp_plus Rplus_opp_l exp_0.
have exp_gt0' := exp_pos (- - z).
have -> : exp (- - z) = / exp (- z) by apply: (Rmult_eq_reg_r (exp (- z))); [rewrite inverse; field; lra | lra].
by field; lra.
Qed.

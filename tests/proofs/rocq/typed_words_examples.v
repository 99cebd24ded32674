(* ========================================================================== *)
(*  typed_words_examples: what the certificate checker must accept and refuse *)
(*                                                                            *)
(* Compile with  coqc -Q proofs/rocq deltaproof  after the files of           *)
(* proofs/rocq. Theorems stand as an exporter prints them; each refusal names *)
(* what is wrong in it. certificate_rejected fails if the checker accepts.    *)
(* ========================================================================== *)
From mathcomp Require Import all_ssreflect all_algebra.
From deltaproof Require Import typed_words.

Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Definition no_steps : certificate := [::].

(* -------------------------------------------------------------------------- *)
(*  Accepted                                                                  *)
(* -------------------------------------------------------------------------- *)

Definition push_through_steps : certificate := [::
  Use [:: Coef 1 1 [::] [::]] [::] 0 false [:: Fwd 0; Fwd 3];
  Use [:: Coef (-1) 1 [::] [::]] [:: Fwd 2; Fwd 0] 1 false [::]].

Theorem push_through : forall (R : realFieldType) (n m : nat)
  (n_gt0 : (0 < n)%N) (m_gt0 : (0 < m)%N) (U : 'M[R]_(n, m)) (V : 'M[R]_(m, n)),
  1%:M + U *m V \in unitmx -> 1%:M + V *m U \in unitmx ->
  invmx (1%:M + U *m V) *m U = U *m invmx (1%:M + V *m U).
Proof.
intros R n m n_gt0 m_gt0 U V unit0 unit1.
have h0 := mulVmx unit0.
have h1 := mulmxV unit1.
certificate (n, m) (U, V, invmx (1%:M + U *m V), invmx (1%:M + V *m U)) tt
  (h0, h1) push_through_steps.
Qed.

Theorem rank_one_form : forall (R : realFieldType) (n m : nat)
  (X : 'M[R]_(n, m)) (k : 'cV[R]_n) (v : 'cV[R]_m) (beta : R),
  (1%:M - beta *: (k *m k^T)) *m X + beta *: (k *m v^T) =
  X + beta *: (k *m (v^T - k^T *m X)).
Proof.
intros R n m X k v beta.
certificate (n, m) (X, k, v) beta tt no_steps.
Qed.

Definition cayley_orthogonal_steps : certificate := [::
  Use [:: Coef (-2) 1 [::] [::]] [:: Bwd 1] 0 false [:: Fwd 1];
  Use [:: Coef 2 1 [::] [::]] [:: Bwd 1] 1 false [::];
  Use [:: Coef 2 1 [::] [::]] [::] 1 true [:: Fwd 1];
  Use [:: Coef (-2) 1 [::] [::]] [:: Bwd 1] 2 false [::];
  Use [:: Coef 1 1 [::] [::]] [::] 2 false [::];
  Use [:: Coef 1 1 [::] [::]] [::] 2 true [:: Fwd 1; Fwd 0];
  Use [:: Coef (-1) 1 [::] [::]] [::] 2 true [:: Fwd 1]].

Theorem cayley_orthogonal : forall (R : realFieldType) (n : nat) (S : 'M[R]_n),
  S^T = - S ->
  (invmx (1%:M + S) *m (1%:M - S))^T *m (invmx (1%:M + S) *m (1%:M - S)) = 1%:M.
Proof.
intros R n S h0.
have unit1 := rule_skew h0.
have h1 := mulmxV unit1.
have h2 := mulVmx unit1.
certificate n (S, invmx (1%:M + S)) tt (h0, h1, h2) cayley_orthogonal_steps.
Qed.

(* The same where square roots exist: R : rcfType.                            *)
Theorem cayley_orthogonal_rcf : forall (R : rcfType) (n : nat) (S : 'M[R]_n),
  S^T = - S ->
  (invmx (1%:M + S) *m (1%:M - S))^T *m (invmx (1%:M + S) *m (1%:M - S)) = 1%:M.
Proof.
intros R n S h0.
have unit1 := rule_skew h0.
have h1 := mulmxV unit1.
have h2 := mulVmx unit1.
certificate n (S, invmx (1%:M + S)) tt (h0, h1, h2) cayley_orthogonal_steps.
Qed.

(* A 1x1 hypothesis, read as a matrix ...                                     *)
Definition error_contraction_steps : certificate := [::
  Use [:: Coef (-1) 1 [:: Pow 0 1] [::]] [::] 0 false [:: Bwd 0; Fwd 1];
  Use [:: Coef 1 1 [:: Pow 0 1] [::]] [::] 0 false [:: Bwd 2]].

Theorem error_contraction : forall (R : realFieldType) (n m : nat)
  (k : 'cV[R]_n) (X : 'M[R]_(n, m)) (v : 'cV[R]_m) (beta : R),
  k^T *m k = 1%:M ->
  k^T *m (X + beta *: (k *m (v^T - k^T *m X))) - v^T =
  (1 - beta) *: (k^T *m X - v^T).
Proof.
intros R n m k X v beta h0.
certificate (n, m) (k, X, v) beta h0 error_contraction_steps.
Qed.

(* ... and as a number, in a statement about numbers.                         *)
Definition norm_distortion_steps : certificate := [::
  Use [:: Coef 1 1 [:: Pow 0 2] [:: [:: Bwd 0; Fwd 1]; [:: Bwd 0; Fwd 1]]]
    [::] 0 false [::]].

Theorem norm_distortion : forall (R : realFieldType) (n : nat)
  (k x : 'cV[R]_n) (beta : R),
  (k^T *m k) 0 0 = 1 ->
  (((1%:M - beta *: (k *m k^T)) *m x)^T *m ((1%:M - beta *: (k *m k^T)) *m x)) 0 0 =
  (x^T *m x) 0 0 + beta * (beta - 2%:R) * (k^T *m x) 0 0 ^+ 2.
Proof.
intros R n k x beta h0.
certificate n (k, x) beta h0 norm_distortion_steps.
Qed.

(* 1x1 pieces commute and equal their transposes: no steps are needed.        *)
Theorem loops_commute : forall (R : realFieldType) (n m : nat)
  (u v : 'cV[R]_n) (x y : 'cV[R]_m) (A : 'M[R]_(n, m)),
  (u^T *m A *m y) *m (x^T *m x) *m (v^T *m u) =
  (u^T *m v) *m (y^T *m A^T *m u) *m (x^T *m x).
Proof.
intros R n m u v x y A.
certificate (n, m) (u, v, x, y, A) tt tt no_steps.
Qed.

Theorem loops_are_numbers : forall (R : realFieldType) (n : nat) (u v : 'cV[R]_n),
  (u *m v^T - v *m u^T) *m (u *m v^T - v *m u^T) *m (u *m v^T - v *m u^T) =
  - ((u^T *m u) 0 0 * (v^T *m v) 0 0 - (u^T *m v) 0 0 ^+ 2) *:
    (u *m v^T - v *m u^T).
Proof.
intros R n u v.
certificate n (u, v) tt tt no_steps.
Qed.

(* A quotient is a parameter, with  x / x = 1  as a hypothesis.               *)
Definition delta_inverse_steps : certificate := [::
  Use [:: Coef (-1) 1 [:: Pow 0 2; Pow 1 1] [::]] [:: Fwd 0] 0 false [:: Bwd 0];
  Use [:: Coef 1 1 [:: Pow 0 1] [::]] [:: Fwd 0] 1 false [:: Bwd 0]].

Theorem delta_inverse : forall (R : realFieldType) (n : nat) (k : 'cV[R]_n) (beta : R),
  k^T *m k = 1%:M -> 1 - beta != 0 ->
  (1%:M - beta *: (k *m k^T)) *m (1%:M + (beta / (1 - beta)) *: (k *m k^T)) = 1%:M.
Proof.
intros R n k beta h0 neq1.
have h1 := mulfV neq1.
certificate n k (beta, (1 - beta)^-1) (h0, h1) delta_inverse_steps.
Qed.

(* Fractions, in the statement and in the certificate.                        *)
Definition symmetric_part_steps : certificate := [::
  Use [:: Coef 1 2 [::] [::]] [::] 0 false [::]].

Theorem symmetric_part : forall (R : realFieldType) (n : nat) (A : 'M[R]_n),
  A^T = - A -> (1%:R / 2%:R) *: (A + A^T) = 0.
Proof.
intros R n A h0.
certificate n A tt h0 symmetric_part_steps.
Qed.

(* A multiplier that is a number, and one that a rule shows nonzero.          *)
Definition halving_steps : certificate := [::
  Use [:: Coef 1 1 [::] [::]] [::] 0 false [::]].

Theorem halving : forall (R : realFieldType) (n m : nat) (A : 'M[R]_(n, m)),
  A + A = 0 -> A = 0.
Proof.
intros R n m A h0.
certificate_scaled (@rule_nat_neq0 R 1) (n, m) A tt h0 halving_steps.
Qed.

Definition scaled_steps : certificate := [::
  Use [:: Coef 1 1 [::] [::]] [::] 0 false [::]].

Theorem scaled : forall (R : realFieldType) (n : nat) (A : 'M[R]_n) (s w : R),
  0 <= w -> A + (s ^+ 2 * w) *: A = 0 -> A = 0.
Proof.
intros R n A s w w_ge0 h0.
certificate_scaled (rule_one_plus_neq0 s w_ge0) n A (s, w) h0 scaled_steps.
Qed.

(* Rules between certificates.                                                *)
Theorem orthogonal_inverse : forall (R : realFieldType) (n : nat) (Q : 'M[R]_n),
  Q^T *m Q = 1%:M -> Q *m Q^T = 1%:M.
Proof.
intros R n Q h0.
have h1 := rule_flip h0.
certificate n Q tt h1 halving_steps.
Qed.

Definition skew_kernel_steps : certificate := [::
  Use [:: Coef 1 1 [::] [::]] [:: Bwd 1] 0 false [:: Fwd 1];
  Use [:: Coef (-1) 1 [::] [::]] [:: Bwd 1] 1 false [::];
  Use [:: Coef (-1) 1 [::] [::]] [::] 1 true [:: Fwd 1]].

Theorem skew_kernel : forall (R : realFieldType) (n m : nat)
  (S : 'M[R]_n) (X : 'M[R]_(n, m)),
  S^T = - S -> S *m X = X -> X = 0.
Proof.
intros R n m S X h0 h1.
have h2 : X^T *m X = 0.
  certificate_scaled (@rule_nat_neq0 R 1) (n, m) (S, X) tt (h0, h1) skew_kernel_steps.
exact: rule_gram h2.
Qed.

(* The closed form of the rank-two rotation: quotients, 1x1 pieces and rules. *)
Definition closed_form_steps : certificate := [::
  Use [:: Coef 2 1 [:: Pow 0 1] [::]] [:: Fwd 2] 1 false [:: Fwd 0; Bwd 1];
  Use [:: Coef (-2) 1 [:: Pow 0 1] [::]] [:: Fwd 2] 1 false [:: Fwd 1; Bwd 0];
  Use [:: Coef 1 1 [::] [::]] [::] 0 false [::];
  Use [:: Coef (-2) 1 [:: Pow 0 1; Pow 1 1] [::]] [::] 0 false [:: Fwd 0; Bwd 1];
  Use [:: Coef 2 1 [:: Pow 0 1; Pow 1 1] [::]] [::] 0 false [:: Fwd 1; Bwd 0];
  Use [:: Coef 2 1 [:: Pow 0 2; Pow 1 1] [::]] [::] 0 false [:: Fwd 0; Bwd 1; Fwd 0; Bwd 1];
  Use [:: Coef (-2) 1 [:: Pow 0 2; Pow 1 1] [::]] [::] 0 false [:: Fwd 0; Bwd 1; Fwd 1; Bwd 0];
  Use [:: Coef (-2) 1 [:: Pow 0 2; Pow 1 1] [::]] [::] 0 false [:: Fwd 1; Bwd 0; Fwd 0; Bwd 1];
  Use [:: Coef 2 1 [:: Pow 0 2; Pow 1 1] [::]] [::] 0 false [:: Fwd 1; Bwd 0; Fwd 1; Bwd 0]].

Theorem rank_two_closed_form : forall (R : realFieldType) (n : nat)
  (u v : 'cV[R]_n) (s : R),
  invmx (1%:M + s *: (u *m v^T - v *m u^T)) *m (1%:M - s *: (u *m v^T - v *m u^T)) =
  1%:M - (2%:R * s / (1 + s ^+ 2 *
    ((u^T *m u) 0 0 * (v^T *m v) 0 0 - (u^T *m v) 0 0 ^+ 2))) *:
    ((u *m v^T - v *m u^T) -
     s *: ((u *m v^T - v *m u^T) *m (u *m v^T - v *m u^T))).
Proof.
intros R n u v s.
have skew : (u *m v^T - v *m u^T)^T = - (u *m v^T - v *m u^T).
  certificate n (u, v) tt tt no_steps.
have h0 := mulVmx (rule_skew_scaled s skew).
have h1 := mulfV (rule_one_plus_neq0 s (rule_cauchy_schwarz u v)).
certificate n (u, v, invmx (1%:M + s *: (u *m v^T - v *m u^T)))
  (s, (1 + s ^+ 2 * ((u^T *m u) 0 0 * (v^T *m v) 0 0 - (u^T *m v) 0 0 ^+ 2))^-1)
  (h0, h1) closed_form_steps.
Qed.

(* -------------------------------------------------------------------------- *)
(*  Refused                                                                   *)
(* -------------------------------------------------------------------------- *)

(* A sign in the statement is wrong.                                          *)
Theorem push_through_false : forall (R : realFieldType) (n m : nat)
  (U : 'M[R]_(n, m)) (V : 'M[R]_(m, n)),
  1%:M + U *m V \in unitmx -> 1%:M + V *m U \in unitmx ->
  invmx (1%:M + U *m V) *m U = - U *m invmx (1%:M + V *m U).
Proof.
intros R n m U V unit0 unit1.
have h0 := mulVmx unit0.
have h1 := mulmxV unit1.
certificate_rejected (n, m) (U, V, invmx (1%:M + U *m V), invmx (1%:M + V *m U)) tt
  (h0, h1) push_through_steps.
Fail certificate (n, m) (U, V, invmx (1%:M + U *m V), invmx (1%:M + V *m U)) tt
  (h0, h1) push_through_steps.
Abort.

(* Matrices do not commute; only 1x1 pieces do.                               *)
Theorem matrices_commute : forall (R : realFieldType) (n : nat) (A B : 'M[R]_n),
  A *m B = B *m A.
Proof.
intros R n A B.
certificate_rejected n (A, B) tt tt no_steps.
Abort.

Theorem matrices_symmetric : forall (R : realFieldType) (n : nat) (A : 'M[R]_n), A^T = A.
Proof.
intros R n A.
certificate_rejected n A tt tt no_steps.
Abort.

(* False at a = 0: no coefficient makes it a combination.                     *)
Theorem cancel_scalar : forall (R : realFieldType) (n : nat) (A B : 'M[R]_n) (a : R),
  a *: A = a *: B -> A = B.
Proof.
intros R n A B a h0.
certificate_rejected n (A, B) a h0 halving_steps.
Abort.

(* One step of error_contraction_steps is changed at a time.                  *)
Definition with_step (s : step) : certificate :=
  [:: s; Use [:: Coef 1 1 [:: Pow 0 1] [::]] [::] 0 false [:: Bwd 2]].

Theorem error_contraction_wrong_steps : forall (R : realFieldType) (n m : nat)
  (k : 'cV[R]_n) (X : 'M[R]_(n, m)) (v : 'cV[R]_m) (beta : R),
  k^T *m k = 1%:M ->
  k^T *m (X + beta *: (k *m (v^T - k^T *m X))) - v^T =
  (1 - beta) *: (k^T *m X - v^T).
Proof.
intros R n m k X v beta h0.
(* a sign, a denominator, an exponent, a parameter that does not exist        *)
certificate_rejected (n, m) (k, X, v) beta h0
  (with_step (Use [:: Coef 1 1 [:: Pow 0 1] [::]] [::] 0 false [:: Bwd 0; Fwd 1])).
certificate_rejected (n, m) (k, X, v) beta h0
  (with_step (Use [:: Coef (-1) 2 [:: Pow 0 1] [::]] [::] 0 false [:: Bwd 0; Fwd 1])).
certificate_rejected (n, m) (k, X, v) beta h0
  (with_step (Use [:: Coef (-1) 1 [:: Pow 0 2] [::]] [::] 0 false [:: Bwd 0; Fwd 1])).
certificate_rejected (n, m) (k, X, v) beta h0
  (with_step (Use [:: Coef (-1) 1 [:: Pow 1 1] [::]] [::] 0 false [:: Bwd 0; Fwd 1])).
(* a hypothesis and a letter that do not exist                                *)
certificate_rejected (n, m) (k, X, v) beta h0
  (with_step (Use [:: Coef (-1) 1 [:: Pow 0 1] [::]] [::] 1 false [:: Bwd 0; Fwd 1])).
certificate_rejected (n, m) (k, X, v) beta h0
  (with_step (Use [:: Coef (-1) 1 [:: Pow 0 1] [::]] [::] 0 false [:: Bwd 0; Fwd 3])).
(* words of the wrong type, and a factor that is no 1x1 matrix                *)
certificate_rejected (n, m) (k, X, v) beta h0
  (with_step (Use [:: Coef (-1) 1 [:: Pow 0 1] [::]] [:: Fwd 1] 0 false [:: Bwd 0; Fwd 1])).
certificate_rejected (n, m) (k, X, v) beta h0
  (with_step (Use [:: Coef (-1) 1 [:: Pow 0 1] [::]] [::] 0 false [:: Bwd 0; Bwd 1])).
certificate_rejected (n, m) (k, X, v) beta h0
  (with_step (Use [:: Coef (-1) 1 [:: Pow 0 1] [:: [:: Fwd 1]]] [::] 0 false
    [:: Bwd 0; Fwd 1])).
(* a step too few                                                             *)
certificate_rejected (n, m) (k, X, v) beta h0 (behead error_contraction_steps).
certificate_rejected (n, m) (k, X, v) beta h0 no_steps.
(* as they are, they are accepted                                             *)
Fail certificate_rejected (n, m) (k, X, v) beta h0 error_contraction_steps.
certificate (n, m) (k, X, v) beta h0 error_contraction_steps.
Qed.

(* A transposed hypothesis of another type; a multiplier that may vanish.     *)
Theorem wrong_transposition : forall (R : realFieldType) (n m : nat)
  (A : 'M[R]_n) (X : 'M[R]_(n, m)), A *m X = 0 -> X = 0 -> A *m X = 0.
Proof.
intros R n m A X h0 h1.
certificate_rejected (n, m) (A, X) tt (h0, h1)
  ([:: Use [:: Coef 1 1 [::] [::]] [::] 0 true [::]] : certificate).
Fail certificate_scaled h1 (n, m) (A, X) tt (h0, h1) halving_steps.
certificate (n, m) (A, X) tt (h0, h1) halving_steps.
Qed.

(* What cannot be read is an error, not a refusal.                            *)
Theorem not_listed : forall (R : realFieldType) (n : nat) (A B : 'M[R]_n),
  A + B = B + A.
Proof.
intros R n A B.
Fail certificate n A tt tt no_steps.
Fail certificate tt (A, B) tt tt no_steps.
Fail certificate_rejected n A tt tt no_steps.
certificate n (A, B) tt tt no_steps.
Qed.

(* -------------------------------------------------------------------------- *)
(*  Assumptions: none                                                         *)
(* -------------------------------------------------------------------------- *)

Print Assumptions push_through.
Print Assumptions cayley_orthogonal_rcf.
Print Assumptions norm_distortion.
Print Assumptions delta_inverse.
Print Assumptions scaled.
Print Assumptions rank_two_closed_form.
Print Assumptions skew_kernel.
Print Assumptions rule_cauchy_schwarz.

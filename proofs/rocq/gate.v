(* ========================================================================== *)
(*  gate: regularisers of a gate in [0, 1], over the reals of Coq             *)
(*                                                                            *)
(* Source: the E-Delta-MHC-Geo Transformer, arXiv 2605.06729, Thm 7.3, and    *)
(* Thm 10 and 11 of its companion notes (all retold).                         *)
(*                                                                            *)
(*   is_derive_reflect == g |-> f (1 - g) has derivative - f'(1/2) at 1/2     *)
(*  zero_gradient_midpoint == gate.zero_gradient_midpoint (Thm 7.3): 'every   *)
(*                      smooth symmetric regulariser has zero gradient at the *)
(*                      midpoint'; symmetry is needed near 1/2 only, and of   *)
(*                      smoothness only differentiability at 1/2              *)
(*  is_derive_midpoint == the same as is_derive f (1/2) 0                     *)
(*                                                                            *)
(* regulariser_profile == gate.regulariser_profile: everything below at once, *)
(*                      with 4 g (1 - g) written out, for every real g        *)
(* regulariser_profile_of == the same of any f with f x = 4 x (1 - x) for all *)
(*                      x; so are the parts                                   *)
(*  regulariser_square == f g = 1 - (2 g - 1)^2                               *)
(*    regulariser_eq0  == f g = 0 exactly at 0 and 1                          *)
(*    regulariser_le1  == f g <= 1                                            *)
(*    regulariser_eq1  == f g = 1 exactly at 1/2                              *)
(* regulariser_ex_derive, regulariser_derive == f'(g) = 4 (1 - 2 g), and it   *)
(*                      exists                                                *)
(* regulariser_ex_derive_2, regulariser_derive_2 == f''(g) = -8, and it exists*)
(*                                                                            *)
(* central_difference_blind == gate.central_difference_blind: 'a central      *)
(*                      difference at 1/2 of a symmetric f is 0'              *)
(* entropy_and_product_instances == gate.entropy_and_product_instances: 'the  *)
(*                      squared product and the entropy are symmetric, with   *)
(*                      zero gradient at 1/2'                                 *)
(*                                                                            *)
(* Assumptions: the axioms of Coq's classical real numbers, and no others.    *)
(* Left out: gates as logistic functions of a logit.                          *)
(* ========================================================================== *)
From Coq Require Import ssreflect Reals Lra.
From Coquelicot Require Import Coquelicot.

Open Scope R_scope.

Lemma is_derive_reflect (f : R -> R) :
  ex_derive f (1 / 2) -> is_derive (fun g => f (1 - g)) (1 / 2) (- Derive f (1 / 2)).
Proof.
move=> derivable_f.
have -> : - Derive f (1 / 2) = scal (- 1) (Derive f (1 / 2)).
  by rewrite /scal /= /mult /=; ring.
apply: (is_derive_comp f (fun g => 1 - g)); last by auto_derive=> //; ring.
have -> : 1 - 1 / 2 = 1 / 2 by lra.
exact: Derive_correct.
Qed.

Lemma zero_gradient_midpoint (f : R -> R) :
  (exists delta, 0 < delta /\
     forall g, 1 / 2 - delta < g -> g < 1 / 2 + delta -> f g = f (1 - g)) ->
  ex_derive f (1 / 2) -> Derive f (1 / 2) = 0.
Proof.
case=> delta [delta_gt0 symmetric_near] derivable_f.
have negated : is_derive f (1 / 2) (- Derive f (1 / 2)).
  apply: (is_derive_ext_loc (fun g => f (1 - g))); last exact: is_derive_reflect.
  exists (mkposreal delta delta_gt0) => g /Rabs_def2 /=.
  rewrite /minus /plus /opp /= => g_near.
  by symmetry; apply: symmetric_near; lra.
have := is_derive_unique _ _ _ negated.
by lra.
Qed.

Lemma is_derive_midpoint (f : R -> R) :
  (exists delta, 0 < delta /\
     forall g, 1 / 2 - delta < g -> g < 1 / 2 + delta -> f g = f (1 - g)) ->
  ex_derive f (1 / 2) -> is_derive f (1 / 2) 0.
Proof.
move=> symmetric_near derivable_f.
rewrite -(zero_gradient_midpoint f symmetric_near derivable_f).
exact: Derive_correct.
Qed.

Section Regulariser.
Variable f : R -> R.
Hypothesis f_def : forall x, f x = 4 * x * (1 - x).
Implicit Type g : R.

Lemma regulariser_square g : f g = 1 - (2 * g - 1) ^ 2.
Proof. by rewrite f_def; ring. Qed.

Lemma regulariser_eq0 g : f g = 0 <-> g = 0 \/ g = 1.
Proof.
rewrite f_def; split=> [root | [-> | ->]]; try by ring.
by case: (Rmult_integral _ _ root) => ?; [left | right]; lra.
Qed.

Lemma regulariser_le1 g : f g <= 1.
Proof. by rewrite regulariser_square; have := pow2_ge_0 (2 * g - 1); lra. Qed.

Lemma regulariser_eq1 g : f g = 1 <-> g = 1 / 2.
Proof.
rewrite regulariser_square; split=> [maximal | ->]; last by field.
have double_root : (2 * g - 1) * (2 * g - 1) = 0 by lra.
by case: (Rmult_integral _ _ double_root); lra.
Qed.

Lemma regulariser_is_derive g : is_derive f g (4 * (1 - 2 * g)).
Proof.
apply: (is_derive_ext (fun x => 4 * x * (1 - x))) => [x|]; first by rewrite f_def.
by auto_derive=> //; ring.
Qed.

Lemma regulariser_ex_derive g : ex_derive f g.
Proof. by exists (4 * (1 - 2 * g)); exact: regulariser_is_derive. Qed.

Lemma regulariser_derive g : Derive f g = 4 * (1 - 2 * g).
Proof. by apply: is_derive_unique; exact: regulariser_is_derive. Qed.

Lemma regulariser_is_derive_2 g : is_derive (Derive f) g (- 8).
Proof.
apply: (is_derive_ext (fun x => 4 * (1 - 2 * x))) => [x|].
  by rewrite regulariser_derive.
by auto_derive=> //; ring.
Qed.

Lemma regulariser_ex_derive_2 g : ex_derive_n f 2 g.
Proof. by exists (- 8); exact: regulariser_is_derive_2. Qed.

Lemma regulariser_derive_2 g : Derive_n f 2 g = - 8.
Proof. by apply: is_derive_unique; exact: regulariser_is_derive_2. Qed.

Lemma regulariser_profile_of g :
  f g = 1 - (2 * g - 1) ^ 2 /\
  (f g = 0 <-> g = 0 \/ g = 1) /\
  f g <= 1 /\
  (f g = 1 <-> g = 1 / 2) /\
  ex_derive f g /\
  Derive f g = 4 * (1 - 2 * g) /\
  ex_derive_n f 2 g /\
  Derive_n f 2 g = - 8.
Proof.
exact: (conj (regulariser_square g) (conj (regulariser_eq0 g)
  (conj (regulariser_le1 g) (conj (regulariser_eq1 g)
  (conj (regulariser_ex_derive g) (conj (regulariser_derive g)
  (conj (regulariser_ex_derive_2 g) (regulariser_derive_2 g)))))))).
Qed.

End Regulariser.

Lemma regulariser_profile (g : R) :
  4 * g * (1 - g) = 1 - (2 * g - 1) ^ 2 /\
  (4 * g * (1 - g) = 0 <-> g = 0 \/ g = 1) /\
  4 * g * (1 - g) <= 1 /\
  (4 * g * (1 - g) = 1 <-> g = 1 / 2) /\
  ex_derive (fun x => 4 * x * (1 - x)) g /\
  Derive (fun x => 4 * x * (1 - x)) g = 4 * (1 - 2 * g) /\
  ex_derive_n (fun x => 4 * x * (1 - x)) 2 g /\
  Derive_n (fun x => 4 * x * (1 - x)) 2 g = - 8.
Proof. exact: (regulariser_profile_of (fun x => 4 * x * (1 - x)) (fun _ => eq_refl)). Qed.

Lemma central_difference_blind (f : R -> R) (h : R) :
  (forall g : R, f g = f (1 - g)) -> h <> 0 ->
  (f (1 / 2 + h) - f (1 / 2 - h)) / (2 * h) = 0.
Proof.
move=> symmetric h_neq0; have -> : f (1 / 2 + h) = f (1 / 2 - h).
  by rewrite symmetric; congr f; lra.
by field.
Qed.

Lemma entropy_and_product_instances (gamma : R) : 0 < gamma -> gamma < 1 ->
  (gamma * (1 - gamma)) ^ 2 = ((1 - gamma) * (1 - (1 - gamma))) ^ 2 /\
  ex_derive (fun gamma : R => (gamma * (1 - gamma)) ^ 2) (1 / 2) /\
  Derive (fun gamma : R => (gamma * (1 - gamma)) ^ 2) (1 / 2) = 0 /\
  - (gamma * ln gamma) - (1 - gamma) * ln (1 - gamma) =
    - ((1 - gamma) * ln (1 - gamma)) - (1 - (1 - gamma)) * ln (1 - (1 - gamma)) /\
  ex_derive (fun gamma : R => - (gamma * ln gamma) - (1 - gamma) * ln (1 - gamma)) (1 / 2) /\
  Derive (fun gamma : R => - (gamma * ln gamma) - (1 - gamma) * ln (1 - gamma)) (1 / 2) = 0.
Proof.
move=> gamma_gt0 gamma_lt1.
have product_slope : is_derive (fun gamma : R => (gamma * (1 - gamma)) ^ 2) (1 / 2) 0.
  by auto_derive=> //; field.
have entropy_slope : is_derive
    (fun gamma : R => - (gamma * ln gamma) - (1 - gamma) * ln (1 - gamma)) (1 / 2) 0.
  auto_derive; first by split; [lra | split => //; lra].
  have -> : 1 + - (1 / 2) = 1 / 2 by lra.
  by field.
split; first by ring.
split; first by exists 0.
split; first exact: is_derive_unique.
split; first by have -> : 1 - (1 - gamma) = gamma by [ring]; ring.
split; first by exists 0.
exact: is_derive_unique.
Qed.

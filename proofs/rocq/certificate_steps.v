(* ========================================================================== *)
(*  certificate_steps: the steps of a certificate that are no combination     *)
(*                                                                            *)
(* Source: none; it serves every claim that has a certificate. What is a      *)
(* combination of hypotheses is decided by typed_words; these lemmas stand    *)
(* between two combinations, in proofs that are exported, not written.        *)
(*                                                                            *)
(*       unit_of_kernel == M x = 0 only for x = 0 -> M is invertible          *)
(*      unit_of_inverse == M N = 1 -> M is invertible                         *)
(*     inverse_is_left, inverse_is_right == M^-1 M = 1, M M^-1 = 1            *)
(*    product_of_either == a = b or c = d -> (a - b)(c - d) = 0               *)
(*    either_of_product == the converse                                       *)
(*       root_of_square == a a = 0 -> a = 0                                   *)
(*    reciprocal_of_ne, reciprocal_of_gt0 == a^-1 a = 1 for a != 0, for 0 < a *)
(*        equal_squares == a = b -> sqrt a = sqrt b                           *)
(* ========================================================================== *)
From mathcomp Require Import all_ssreflect all_algebra.
From deltaproof Require Import matrix_kit.
From deltaproof Require Export typed_words.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Steps.
Variables (R : realFieldType) (n : nat).
Implicit Types (M N : 'M[R]_n) (a b c d : R).

Lemma unit_of_kernel M : (forall x : 'cV[R]_n, M *m x = 0 -> x = 0) -> M \in unitmx.
Proof.
move=> kernel0; rewrite -unitmx_tr -row_free_unit; apply/inj_row_free => y yM0.
by apply: trmx_inj; rewrite trmx0; apply: kernel0; rewrite -[M]trmxK -trmx_mul yM0 trmx0.
Qed.

Lemma unit_of_inverse M N : M *m N = 1%:M -> M \in unitmx.
Proof. by case/mulmx1_unit. Qed.

Lemma inverse_is_left M : M \in unitmx -> invmx M *m M = 1%:M.
Proof. exact: mulVmx. Qed.

Lemma inverse_is_right M : M \in unitmx -> M *m invmx M = 1%:M.
Proof. exact: mulmxV. Qed.

Lemma product_of_either a b c d : a = b \/ c = d -> (a - b) * (c - d) = 0.
Proof. by case=> ->; rewrite subrr ?mul0r ?mulr0. Qed.

Lemma either_of_product a b c d : (a - b) * (c - d) = 0 -> a = b \/ c = d.
Proof. by move/eqP; rewrite mulf_eq0 !subr_eq0 => /orP[] /eqP; [left | right]. Qed.

Lemma root_of_square a : a * a = 0 -> a = 0.
Proof. by move/eqP; rewrite mulf_eq0 orbb => /eqP. Qed.

Lemma reciprocal_of_ne a : a <> 0 -> a^-1 * a = 1.
Proof. by move/eqP=> a_neq0; exact: mulVf. Qed.

Lemma reciprocal_of_gt0 a : 0 < a -> a^-1 * a = 1.
Proof. by move/lt0r_neq0; exact: mulVf. Qed.

End Steps.

Lemma equal_squares (R : rcfType) (a b : R) : a = b -> Num.sqrt a = Num.sqrt b.
Proof. by move=> ->. Qed.

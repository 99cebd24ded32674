(* ========================================================================== *)
(*  matrix_kit: what every family of lemmas shares                            *)
(*                                                                            *)
(* Source: none. These are the steps that papers on residual connections take *)
(* without a word ("expand", "a 1x1 matrix is a number", "x^T S x vanishes"). *)
(*                                                                            *)
(* Rule sets and tactics                                                      *)
(*       entryE == entries of sums, opposites, multiples; products stay atoms *)
(*   transposeE == pushes ^T to the letters                                   *)
(*      expandE == distributes products, pulls scalars out, left associates   *)
(*     mxexpand == rewrite with expandE as far as it goes                     *)
(*        mxlin == decides equality of linear combinations of matrix atoms    *)
(*       mxring == mxexpand, then mxlin                                       *)
(*      mxfield == as mxring, over a field; leaves the denominators != 0      *)
(*   (rewriting with linearD instead would split products as well)            *)
(*                                                                            *)
(* 1x1 matrices                                                               *)
(*         mx11_eq == equal as soon as the only entries are                   *)
(*       trmx_mx11 == their own transpose                                     *)
(*     mulmx_mx11C == they commute                                            *)
(*   mulmx_mx11_00 == the entry of a product is the product of the entries    *)
(*       mx11_unit == k^T k = 1 as matrices iff as numbers                    *)
(*    mulmx_mx11_l, mulmx_mx11_r == as a factor they are scalar multiples     *)
(*                                                                            *)
(* Definiteness, skew forms, determinants                                     *)
(*         gram_00 == (x^T x) 0 0 is the sum of the squares of x              *)
(*        gram_ge0 == 0 <= (x^T x) 0 0                                        *)
(*        gram_eq0 == A^T A = 0 -> A = 0, rectangular A                       *)
(*    gram_sum_eq0 == A^T A + B^T B = 0 -> A = 0 /\ B = 0                     *)
(*    gram_entry_eq0 == (x^T x) 0 0 = 0 -> x = 0                              *)
(*   skew_form_eq0 == S^T = - S -> x^T S x = 0                                *)
(*     skew_unitmx == S^T = - S -> 1 + S is invertible                        *)
(* sylvester_determinant == det (1 - A B) = det (1 - B A), rectangular A, B   *)
(*                                                                            *)
(* Left out: words and certificates (typed_words.v), and anything that a      *)
(* single family needs.                                                       *)
(* ========================================================================== *)
From mathcomp Require Import all_ssreflect all_algebra ring.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section Entries.
Variables (R : ringType) (m n : nat).
Implicit Types A B : 'M[R]_(m, n).

Lemma entry_add A B i j : (A + B) i j = A i j + B i j.
Proof. by rewrite mxE. Qed.

Lemma entry_opp A i j : (- A) i j = - A i j.
Proof. by rewrite mxE. Qed.

Lemma entry_zero i j : (0 : 'M[R]_(m, n)) i j = 0.
Proof. by rewrite mxE. Qed.

Lemma entry_scale c A i j : (c *: A) i j = c * A i j.
Proof. by rewrite mxE. Qed.

Lemma entry_muln A k i j : (A *+ k) i j = A i j *+ k.
Proof. by elim: k => [|k IHk]; rewrite ?mulr0n ?mxE // !mulrS entry_add IHk. Qed.

End Entries.

Definition entryE := (entry_add, entry_opp, entry_zero, entry_scale, entry_muln).

Section Transposes.
Variables (R : comRingType) (m n : nat).
Implicit Types A B : 'M[R]_(m, n).

Lemma trmx_add A B : (A + B)^T = A^T + B^T.
Proof. exact: linearD. Qed.

Lemma trmx_opp A : (- A)^T = - A^T.
Proof. exact: linearN. Qed.

Lemma trmx_scale c A : (c *: A)^T = c *: A^T.
Proof. exact: linearZ. Qed.

End Transposes.

Definition transposeE :=
  (trmx_add, trmx_opp, trmx_scale, trmx1, trmx0, trmx_mul, @trmxK).

Section Products.
Variables (R : comRingType) (m n p : nat).
Implicit Types (A : 'M[R]_(m, n)) (B : 'M[R]_(n, p)).

Lemma mulmx_scale_l c A B : (c *: A) *m B = c *: (A *m B).
Proof. by rewrite scalemxAl. Qed.

Lemma mulmx_scale_r c A B : A *m (c *: B) = c *: (A *m B).
Proof. by rewrite scalemxAr. Qed.

End Products.

Definition expandE :=
  (mulmxDl, mulmxDr, mulmxN, mulNmx, mulmx1, mul1mx, mulmx0, mul0mx,
   mul_scalar_mx, mul_mx_scalar, mulmx_scale_l, mulmx_scale_r, mulmxA).

Ltac mxexpand := rewrite ?expandE.

(* `ring` compares atoms syntactically, and entries reach the goal through    *)
(* different paths of canonical structures: a name of its own for each entry  *)
(* makes those paths invisible.                                               *)
Ltac name_entries :=
  repeat match goal with
  | |- context [fun_of_matrix ?A ?i ?j] =>
      let a := fresh "entry" in set a := (fun_of_matrix A i j); clearbody a
  end.

Ltac mxlin := apply/matrixP => ? ?; rewrite ?entryE; name_entries; ring.
Ltac mxring := mxexpand; mxlin.
Ltac mxfield := mxexpand; apply/matrixP => ? ?; rewrite ?entryE; name_entries; field.

Section OneByOne.
Variable R : comRingType.
Implicit Types A B : 'M[R]_1.

Lemma mx11_eq A B : A 0 0 = B 0 0 -> A = B.
Proof. by move=> entryAB; apply/matrixP => i j; rewrite !ord1. Qed.

Lemma trmx_mx11 A : A^T = A.
Proof. by apply: mx11_eq; rewrite mxE. Qed.

Lemma mulmx_mx11_00 A B : (A *m B) 0 0 = A 0 0 * B 0 0.
Proof. by rewrite mxE big_ord1. Qed.

Lemma mulmx_mx11C A B : A *m B = B *m A.
Proof. by apply: mx11_eq; rewrite !mulmx_mx11_00 mulrC. Qed.

Lemma mx11_unit A : A = 1%:M <-> A 0 0 = 1.
Proof.
split=> [->|A00]; first by rewrite mxE eqxx.
by apply: mx11_eq; rewrite A00 mxE eqxx.
Qed.

Lemma mulmx_mx11_l n A (x : 'rV[R]_n) : A *m x = A 0 0 *: x.
Proof. by rewrite [A in LHS]mx11_scalar mul_scalar_mx. Qed.

Lemma mulmx_mx11_r n (x : 'cV[R]_n) A : x *m A = A 0 0 *: x.
Proof. by rewrite [A in LHS]mx11_scalar mul_mx_scalar. Qed.

End OneByOne.

Section Definiteness.
Variable R : realDomainType.

Lemma gram_00 n (x : 'cV[R]_n) : (x^T *m x) 0 0 = \sum_i x i 0 ^+ 2.
Proof. by rewrite mxE; apply: eq_bigr => i _; rewrite mxE expr2. Qed.

Lemma gram_ge0 n (x : 'cV[R]_n) : 0 <= (x^T *m x) 0 0.
Proof. by rewrite gram_00; apply: sumr_ge0 => i _; exact: sqr_ge0. Qed.

Lemma gram_sum_eq0 m n p (A : 'M[R]_(m, p)) (B : 'M[R]_(n, p)) :
  A^T *m A + B^T *m B = 0 -> A = 0 /\ B = 0.
Proof.
pose squares k (M : 'M[R]_(k, p)) j := \sum_i M i j ^+ 2.
have gram_squares k (M : 'M[R]_(k, p)) j : (M^T *m M) j j = squares _ M j.
  by rewrite mxE; apply: eq_bigr => i _; rewrite mxE expr2.
have squares_ge0 k (M : 'M[R]_(k, p)) j : 0 <= squares _ M j.
  by apply: sumr_ge0 => i _; exact: sqr_ge0.
have squares_eq0 k (M : 'M[R]_(k, p)) : (forall j, squares _ M j = 0) -> M = 0.
  move=> M0; apply/matrixP => i j; rewrite mxE; have /eqP := M0 j.
  rewrite psumr_eq0 => [/allP/(_ i (mem_index_enum _))|? _]; last exact: sqr_ge0.
  by rewrite sqrf_eq0 => /eqP.
move=> gram0; have squares0 j : (squares _ A j == 0) && (squares _ B j == 0).
  by rewrite -paddr_eq0 // -!gram_squares -entry_add gram0 mxE.
by split; apply: squares_eq0 => j; have /andP[/eqP ? /eqP ?] := squares0 j.
Qed.

Lemma gram_eq0 m n (A : 'M[R]_(m, n)) : A^T *m A = 0 -> A = 0.
Proof.
move=> gram0; apply: (proj1 (@gram_sum_eq0 m m n A 0 _)).
by rewrite mulmx0 addr0.
Qed.

Lemma gram_entry_eq0 n (x : 'cV[R]_n) : (x^T *m x) 0 0 = 0 -> x = 0.
Proof. by move=> xx0; apply: gram_eq0; apply: mx11_eq; rewrite xx0 mxE. Qed.

Lemma skew_form_eq0 n (S : 'M[R]_n) (x : 'cV[R]_n) :
  S^T = - S -> x^T *m S *m x = 0.
Proof.
move=> skewS; set q := _ *m x; have : q^T = - q.
  by rewrite /q !trmx_mul trmxK skewS mulNmx mulmxN mulmxA.
rewrite trmx_mx11 => /(congr1 (fun M : 'M[R]_1 => M 0 0))/eqP.
rewrite entry_opp -addr_eq0 -mulr2n mulrn_eq0 /= => /eqP q00.
by apply: mx11_eq; rewrite q00 mxE.
Qed.

End Definiteness.

Lemma skew_unitmx (R : realFieldType) n (S : 'M[R]_n) :
  S^T = - S -> 1%:M + S \in unitmx.
Proof.
move=> skewS; rewrite -unitmx_tr trmx_add trmx1 skewS -row_free_unit.
apply/inj_row_free => x; rewrite mulmxDr mulmx1 mulmxN => /eqP; rewrite subr_eq0.
move=> /eqP xS; apply: trmx_inj; rewrite trmx0; apply: gram_eq0; rewrite trmxK.
by rewrite {1}xS -{1}[x]trmxK; exact: skew_form_eq0.
Qed.

Section Determinants.
Variable R : comRingType.

Lemma sylvester_determinant m n (A : 'M[R]_(m, n)) (B : 'M[R]_(n, m)) :
  \det (1%:M - A *m B) = \det (1%:M - B *m A).
Proof.
pose M := block_mx 1%:M A B 1%:M; have unitsE := (mul1mx, mul0mx, mulmx0, mulmx1).
have lower_upper : M = block_mx 1%:M 0 B 1%:M *m block_mx 1%:M A 0 (1%:M - B *m A).
  by rewrite mulmx_block ?unitsE ?addr0 ?add0r [B *m A + _]addrC subrK.
have upper_lower : M = block_mx (1%:M - A *m B) A 0 1%:M *m block_mx 1%:M 0 B 1%:M.
  by rewrite mulmx_block ?unitsE ?addr0 ?add0r subrK.
have := congr1 determinant upper_lower; rewrite {1}lower_upper !det_mulmx.
by rewrite !(det_lblock, det_ublock) !det1 !(mul1r, mulr1).
Qed.

End Determinants.

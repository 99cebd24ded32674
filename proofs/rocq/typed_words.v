(* ========================================================================== *)
(*  typed_words: certificates checked by the kernel                           *)
(*                                                                            *)
(* Source: none; it serves every claim that has a certificate, that is, whose *)
(* conclusion l = r is, with a nonzero multiplier D,                          *)
(*        D (l - r) = sum of c * left * (l_h - r_h) * right                   *)
(* over its hypotheses l_h = r_h. All matrices are rectangular, over an       *)
(* ordered field; c is a polynomial in scalar parameters with rational        *)
(* coefficients; left and right are words in letters and their transposes.    *)
(*                                                                            *)
(*  certificate == a list of steps                                            *)
(*  Use c w h b w' == the step  c * w * hypothesis h * w'; b = true takes the *)
(*                 transposed hypothesis. A hypothesis between scalars or 1x1 *)
(*                 matrices may be used anywhere: then w and w' are joined    *)
(*    c == a list of  Coef z d [:: Pow i e; ...] [:: w; ...]  ==  z/d times   *)
(*         powers of parameters times the entries of 1x1 words  w             *)
(*    w == a list of  Fwd k (letter k)  and  Bwd k (letter k transposed)      *)
(*                                                                            *)
(*  certificate SIZES LETTERS PARAMS HYPS steps == closes an equation between *)
(*                 matrices or scalars, or fails with a reason                *)
(*  certificate_scaled NEQ0 SIZES LETTERS PARAMS HYPS steps == the same with  *)
(*                 the multiplier D, NEQ0 : D != 0                            *)
(*  certificate_rejected SIZES LETTERS PARAMS HYPS steps == changes nothing;  *)
(*                 succeeds if everything could be read and the checker says  *)
(*                 no, for tests; fails if it says yes                        *)
(*  Checker.accepts_sound == what is accepted holds                           *)
(*                                                                            *)
(* Numbers in steps are positions, from 0, in the tuples given to the tactic: *)
(* SIZES (n, m), or n, or 2%N, or tt when there are none; 1 is known. LETTERS *)
(* (A, B, invmx (1%:M + S)), any terms of matrix type, in the very form in    *)
(* which they stand in the statement. PARAMS (beta, (1 - beta)^-1), any       *)
(* scalars but numerals; entries such as (x^T *m y) 0 0 need none. HYPS, names*)
(* of hypotheses that are equations. Everything else in goal and hypotheses   *)
(* must be 0, 1%:M, s%:M, +, -, *m, *:, *+, ^T, and for scalars 0, 1, n%:R,   *)
(* n%:R^-1, +, -, *, /, ^+, *+, M 0 0 with M of size 1x1. The field is the    *)
(* R : realFieldType or R : rcfType of the context.                           *)
(*                                                                            *)
(* Emission of a certificate (as in tests/proofs/rocq/typed_words_examples.v):*)
(*                                                                            *)
(*   From mathcomp Require Import all_ssreflect all_algebra.                  *)
(*   From deltaproof Require Import typed_words.                              *)
(*   Import GRing.Theory Num.Theory.                                          *)
(*   Local Open Scope ring_scope.                                             *)
(*                                                                            *)
(*   Definition steps : certificate := [::                                    *)
(*     Use [:: Coef 1 1 [::] [::]] [::] 0 false [:: Fwd 0; Fwd 3];            *)
(*     Use [:: Coef (-1) 1 [::] [::]] [:: Fwd 2; Fwd 0] 1 false [::]].        *)
(*                                                                            *)
(*   Theorem push_through : forall (R : realFieldType) (n m : nat)            *)
(*     (U : 'M[R]_(n, m)) (V : 'M[R]_(m, n)),                                 *)
(*     1%:M + U *m V \in unitmx -> 1%:M + V *m U \in unitmx ->                *)
(*     invmx (1%:M + U *m V) *m U = U *m invmx (1%:M + V *m U).               *)
(*   Proof.                                                                   *)
(*   intros R n m U V unit0 unit1.                                            *)
(*   have h0 := mulVmx unit0.                                                 *)
(*   have h1 := mulmxV unit1.                                                 *)
(*   certificate (n, m)                                                       *)
(*     (U, V, invmx (1%:M + U *m V), invmx (1%:M + V *m U)) tt (h0, h1) steps.*)
(*   Qed.                                                                     *)
(*                                                                            *)
(* Steps are defined before the theorem, where no variable of the claim can   *)
(* hide their names. For inverses, first  have h := mulVmx unit  (M^-1 M = 1) *)
(* or mulmxV (M M^-1 = 1); for scalars  mulfV neq0  (x / x = 1).  A rule that *)
(* is not a combination is a lemma between two certificates:                  *)
(*                                                                            *)
(*   have h2 : A *m B = 1%:M.  certificate ... steps2.                        *)
(*   have h3 := rule_flip h2.      (then use h3 as a hypothesis)              *)
(*                                                                            *)
(*         rule_flip == A B = 1 -> B A = 1, square A and B                    *)
(*         rule_gram == M^T M = 0 -> M = 0                                    *)
(*     rule_gram_sum == M^T M + N^T N = 0 -> M = 0 /\ N = 0                   *)
(*      rule_squares == x^2 + y^2 = 0 -> x = 0 /\ y = 0, numbers              *)
(*         rule_skew == S^T = - S -> 1 + S is invertible                      *)
(*  rule_skew_scaled == S^T = - S -> 1 + s S is invertible                    *)
(* rule_cauchy_schwarz == 0 <= |u|^2 |v|^2 - (u, v)^2                         *)
(*  rule_one_plus_gt0 == 0 <= w -> 0 < 1 + s^2 w                              *)
(*  rule_one_plus_neq0 == 0 <= w -> 1 + s^2 w != 0                            *)
(*     rule_nat_neq0 == n.+1 != 0, a multiplier that is a number              *)
(*                                                                            *)
(* How it works. A statement is reified to a tree (mx, sc) whose value is the *)
(* statement itself, by conversion: the theorem is about the plain MathComp   *)
(* terms. Trees are multiplied out to polynomials: terms  factor * powers of  *)
(* parameters * loops * path. Loops are the 1x1 pieces: they commute and equal*)
(* their transposes, so each is replaced by the smaller of itself and its     *)
(* transpose, and they are sorted; the path is what remains. Words are typed  *)
(* by objects: 0 is the size 1, i + 1 is SIZES' i-th; casts occur in the empty*)
(* word only. D goal - sum c l h r is sorted, merged and must be empty.       *)
(*                                                                            *)
(* Left out: traces, ranks, determinants, block matrices, powers of matrices. *)
(* ========================================================================== *)
From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect all_algebra.
From deltaproof Require Import matrix_kit.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

(* -------------------------------------------------------------------------- *)
(*  Certificates: what is exported                                            *)
(* -------------------------------------------------------------------------- *)

Inductive letter := Fwd of nat | Bwd of nat.
Definition word := seq letter.

Inductive power := Pow of nat & nat.
Inductive coefficient := Coef of Z & positive & seq power & seq word.
Inductive step := Use of seq coefficient & word & nat & bool & word.
Definition certificate := seq step.

(* Numerals for the first two arguments of Coef, also where ZArith, which     *)
(* takes %N away from nat, is not imported.                                   *)
Declare Scope numerator_scope.
Declare Scope denominator_scope.
Number Notation Z Z.of_num_int Z.to_num_int : numerator_scope.
Number Notation positive Pos.of_num_int Pos.to_num_uint : denominator_scope.
Arguments Coef _%numerator_scope _%denominator_scope _ _.

(* -------------------------------------------------------------------------- *)
(* The checker keeps its names to itself:                                     *)
(*          mx i j, sc == trees of matrices from object i to j, of scalars    *)
(*        equation, holds == two trees, and that their values are equal       *)
(*   mx_value, sc_value == the matrix and the number that a tree stands for   *)
(*      poly, poly_value == lists of terms, and the matrix that one stands for*)
(*      poly_mx, poly_sc == trees multiplied out                              *)
(*          typed_poly i j == every word leads from i to j                    *)
(*        normal_poly i p == 1x1 pieces ordered, equal terms merged, zeros out*)
(*                 accepts == the checker, a boolean function of closed data  *)
(*          accepts_sound == accepts -> D != 0 -> all hypotheses -> goal      *)
(* -------------------------------------------------------------------------- *)
Module Checker.

(* -------------------------------------------------------------------------- *)
(*  Statements: what is reified                                               *)
(* -------------------------------------------------------------------------- *)

Inductive mx : nat -> nat -> Type :=
  | Letter (k i j : nat) : mx i j
  | Scalar i of sc : mx i i
  | Null i j : mx i j
  | Add i j of mx i j & mx i j : mx i j
  | Opp i j of mx i j : mx i j
  | Muln i j of mx i j & nat : mx i j
  | Scale i j of sc & mx i j : mx i j
  | Mul i j l of mx i j & mx j l : mx i l
  | Transp i j of mx i j : mx j i
with sc : Type :=
  | Param of nat
  | Zero
  | One
  | Nat of nat
  | InvNat of nat
  | ScAdd of sc & sc
  | ScOpp of sc
  | ScMuln of sc & nat
  | ScMul of sc & sc
  | ScExp of sc & nat
  | Entry of mx 0 0.

Inductive equation :=
  | MxEq i j of mx i j & mx i j
  | ScEq of sc & sc.

Scheme mx_sc_ind := Induction for mx Sort Prop
with sc_mx_ind := Induction for sc Sort Prop.
Combined Scheme expression_ind from mx_sc_ind, sc_mx_ind.

(* -------------------------------------------------------------------------- *)
(*  Polynomials: what is computed with                                        *)
(* -------------------------------------------------------------------------- *)

Section Words.
Variable signature : seq (nat * nat).

Fixpoint ends_of (s : seq (nat * nat)) (k : nat) : nat * nat :=
  match s, k with
  | [::], _ => (0, 0)%N
  | ends :: _, 0 => ends
  | _ :: s', k'.+1 => ends_of s' k'
  end.

Definition source l :=
  match l with Fwd k => (ends_of signature k).1 | Bwd k => (ends_of signature k).2 end.
Definition target l :=
  match l with Fwd k => (ends_of signature k).2 | Bwd k => (ends_of signature k).1 end.
Definition flip l := match l with Fwd k => Bwd k | Bwd k => Fwd k end.

Fixpoint typed (w : word) (i j : nat) : bool :=
  if w is l :: w' then (source l == i) && typed w' (target l) j else i == j.

Definition reverse (w : word) := rev (map flip w).

(* The part of w before its first visit to the object 0 of size 1, and, if    *)
(* there is one, the loops at 0 and the part after the last visit.            *)
Fixpoint cut (w : word) : word * option (seq word * word) :=
  if w is l :: w' then
    let: (head, rest) := cut w' in
    if target l == 0%N then
      ([:: l], Some (if rest is Some (loops, last) then (head :: loops, last)
                     else ([::], head)))
    else (l :: head, rest)
  else ([::], None).

Definition split_loop (w : word) : seq word :=
  match cut w with
  | (head, None) => [:: head]
  | (head, Some (loops, last)) => head :: last :: loops
  end.

End Words.

Fixpoint compare_seq T (compare : T -> T -> comparison) (s t : seq T) :=
  match s, t with
  | [::], [::] => Eq
  | [::], _ => Lt
  | _, [::] => Gt
  | x :: s', y :: t' =>
      match compare x y with Eq => compare_seq compare s' t' | c => c end
  end.

Definition compare_letter k l :=
  match k, l with
  | Fwd a, Fwd b | Bwd a, Bwd b => Nat.compare a b
  | Fwd _, Bwd _ => Lt
  | Bwd _, Fwd _ => Gt
  end.

Definition compare_word := compare_seq compare_letter.

Definition canonical_loop (w : word) :=
  let w' := reverse w in if compare_word w w' is Gt then w' else w.

Fixpoint insert_loop (w : word) (loops : seq word) :=
  if loops is w' :: loops' then
    if compare_word w w' is Gt then w' :: insert_loop w loops' else w :: loops
  else [:: w].

Definition sort_loops (loops : seq word) :=
  foldr (fun w sorted =>
    if w is [::] then sorted else insert_loop (canonical_loop w) sorted) [::] loops.

Definition rational := (Z * positive)%type.

Definition add_rational (x y : rational) : rational :=
  if Pos.eqb x.2 y.2 then (Z.add x.1 y.1, x.2)
  else (Z.add (Z.mul x.1 (Zpos y.2)) (Z.mul y.1 (Zpos x.2)), Pos.mul x.2 y.2).
Definition mul_rational (x y : rational) : rational :=
  (Z.mul x.1 y.1, Pos.mul x.2 y.2).
Definition opp_rational (x : rational) : rational := (Z.opp x.1, x.2).
Definition one_rational : rational := (Zpos xH, xH).
Definition nat_rational (n : nat) : rational := (Z.of_nat n, xH).

Fixpoint add_powers (e f : seq nat) :=
  match e, f with
  | [::], _ => f
  | _, [::] => e
  | a :: e', b :: f' => (a + b)%N :: add_powers e' f'
  end.

Fixpoint strip_powers (e : seq nat) :=
  if e is a :: e' then
    if strip_powers e' is b :: f then a :: b :: f
    else if a is 0 then [::] else [:: a]
  else [::].

Record term := Term
  { factor : rational; powers : seq nat; loops : seq word; path : word }.
Definition poly := seq term.

Definition mul_term s t :=
  Term (mul_rational (factor s) (factor t)) (add_powers (powers s) (powers t))
       (loops s ++ loops t) (path s ++ path t).

Definition constant (x : rational) : poly := [:: Term x [::] [::] [::]].
Definition monomial (w : word) : poly := [:: Term one_rational [::] [::] w].
Definition opp_poly : poly -> poly :=
  map (fun t => Term (opp_rational (factor t)) (powers t) (loops t) (path t)).
Definition mul_poly (p q : poly) : poly :=
  foldr (fun s products => map (mul_term s) q ++ products) [::] p.
Definition transpose_poly : poly -> poly :=
  map (fun t => Term (factor t) (powers t) (loops t) (reverse (path t))).
Definition loop_poly : poly -> poly :=
  map (fun t => Term (factor t) (powers t) (path t :: loops t) [::]).

(* Equal keys are merged; that the result is sorted matters for speed and     *)
(* completeness, not for soundness.                                           *)
Definition compare_term s t :=
  match compare_word (path s) (path t) with
  | Eq =>
      match compare_seq Nat.compare (powers s) (powers t) with
      | Eq => compare_seq compare_word (loops s) (loops t)
      | c => c
      end
  | c => c
  end.

Fixpoint merge_poly (p : poly) : poly -> poly :=
  fix merge_p (q : poly) :=
    match p, q with
    | [::], _ => q
    | _, [::] => p
    | s :: p', t :: q' =>
        match compare_term s t with
        | Eq => Term (add_rational (factor s) (factor t))
                  (powers s) (loops s) (path s) :: merge_poly p' q'
        | Lt => s :: merge_poly p' q
        | Gt => t :: merge_p q'
        end
    end.

Fixpoint push_poly (p : poly) (stack : seq (option poly)) :=
  match stack with
  | [::] => [:: Some p]
  | None :: stack' => Some p :: stack'
  | Some q :: stack' => None :: push_poly (merge_poly p q) stack'
  end.

Definition sort_poly (p : poly) : poly :=
  foldr (fun layer sorted => if layer is Some q then merge_poly q sorted else sorted)
    [::] (foldr (fun t stack => push_poly [:: t] stack) [::] p).

Section Check.
Variable signature : seq (nat * nat).
Local Notation typed := (typed signature).

Definition normal_term (i : nat) (t : term) : term :=
  let old := flatten (map (split_loop signature) (loops t)) in
  let e := strip_powers (powers t) in
  match cut signature (path t) with
  | (_, None) => Term (factor t) e (sort_loops old) (path t)
  | (head, Some (new, last)) =>
      if i == 0%N then Term (factor t) e (sort_loops (head :: new ++ old)) last
      else Term (factor t) e (sort_loops (new ++ old)) (head ++ last)
  end.

Definition normal_poly i (p : poly) : poly :=
  filter (fun t => ~~ Z.eqb (factor t).1 0) (sort_poly (map (normal_term i) p)).

Definition typed_term i j t :=
  typed (path t) i j && all (fun w => typed w 0%N 0%N) (loops t).
Definition typed_poly i j : poly -> bool := all (typed_term i j).

Fixpoint poly_mx i j (e : mx i j) : poly :=
  match e with
  | Letter k i j => if typed [:: Fwd k] i j then monomial [:: Fwd k] else [::]
  | Scalar _ s => poly_sc s
  | Null _ _ => [::]
  | Add _ _ a b => poly_mx a ++ poly_mx b
  | Opp _ _ a => opp_poly (poly_mx a)
  | Muln _ _ a n => mul_poly (constant (nat_rational n)) (poly_mx a)
  | Scale _ _ s a => mul_poly (poly_sc s) (poly_mx a)
  | Mul _ _ _ a b => mul_poly (poly_mx a) (poly_mx b)
  | Transp _ _ a => transpose_poly (poly_mx a)
  end
with poly_sc (s : sc) : poly :=
  match s with
  | Param k => [:: Term one_rational (ncons k 0%N [:: 1%N]) [::] [::]]
  | Zero => [::]
  | One => constant one_rational
  | Nat n => constant (nat_rational n)
  | InvNat n => if n is n'.+1 then constant (Zpos xH, Pos.of_succ_nat n') else [::]
  | ScAdd a b => poly_sc a ++ poly_sc b
  | ScOpp a => opp_poly (poly_sc a)
  | ScMuln a n => mul_poly (constant (nat_rational n)) (poly_sc a)
  | ScMul a b => mul_poly (poly_sc a) (poly_sc b)
  | ScExp a n => iter n (mul_poly (poly_sc a)) (constant one_rational)
  | Entry e => loop_poly (poly_mx e)
  end.

Definition ends (e : equation) : nat * nat :=
  match e with MxEq i j _ _ => (i, j) | ScEq _ _ => (0, 0)%N end.
Definition poly_of (e : equation) : poly :=
  match e with
  | MxEq _ _ a b => poly_mx a ++ opp_poly (poly_mx b)
  | ScEq a b => poly_sc a ++ opp_poly (poly_sc b)
  end.

Record premise := Premise
  { straight : poly; flipped : poly; first_end : nat; last_end : nat }.

Definition prepare (e : equation) : premise :=
  let: (a, b) := ends e in
  let p := normal_poly a (poly_of e) in
  Premise p (transpose_poly p) a b.
Definition typed_premise h :=
  typed_poly (first_end h) (last_end h) (straight h) &&
  typed_poly (last_end h) (first_end h) (flipped h).

Definition powers_of (s : seq power) : seq nat :=
  foldr (fun s f => let: Pow k e := s in add_powers (ncons k 0%N [:: e]) f) [::] s.
Definition coefficient_poly (c : coefficient) : term :=
  let: Coef z d s w := c in Term (z, d) (powers_of s) w [::].
Definition typed_coefficient (c : coefficient) :=
  let: Coef _ _ _ w := c in all (fun w => typed w 0%N 0%N) w.

Definition step_poly i j (hyps : seq premise) (s : step) : option poly :=
  let: Use c l k transposed r := s in
  let: Premise p pt a b := nth (Premise [::] [::] 0 0) hyps k in
  let: (h, a, b) := if transposed then (pt, b, a) else (p, a, b) in
  let c' := map coefficient_poly c in
  if ~~ all typed_coefficient c then None
  else if typed l i a && typed r b j then
    Some (mul_poly c' (mul_poly (monomial l) (mul_poly h (monomial r))))
  else if (a == 0%N) && (b == 0%N) && typed (l ++ r) i j then
    Some (mul_poly c' (mul_poly (loop_poly h) (monomial (l ++ r))))
  else None.

Fixpoint combination i j (hyps : seq premise) (steps : certificate) : option poly :=
  if steps is s :: steps' then
    match step_poly i j hyps s, combination i j hyps steps' with
    | Some p, Some q => Some (p ++ q)
    | _, _ => None
    end
  else Some [::].

Definition accepts (multiplier : sc) (goal : equation) (hyps : seq equation)
    (steps : certificate) : bool :=
  let: (i, j) := ends goal in
  let prepared := map prepare hyps in
  all typed_premise prepared &&
  if combination i j prepared steps is Some sum then
    nilp (normal_poly i (mul_poly (poly_sc multiplier) (poly_of goal) ++ opp_poly sum))
  else false.

End Check.

(* -------------------------------------------------------------------------- *)
(*  Numbers                                                                   *)
(* -------------------------------------------------------------------------- *)

Section Numbers.
Variable R : realFieldType.

Definition pos_value (p : positive) : R := (Pos.to_nat p)%:R.
Definition int_value (z : Z) : R :=
  match z with Z0 => 0 | Zpos p => pos_value p | Zneg p => - pos_value p end.
Definition rational_value (x : rational) : R := int_value x.1 / pos_value x.2.

Lemma pos_value_gt0 p : 0 < pos_value p.
Proof. by rewrite ltr0n; apply/ssrnat.ltP; exact: Pos2Nat.is_pos. Qed.

Lemma pos_value_neq0 p : pos_value p != 0.
Proof. by rewrite gt_eqF ?pos_value_gt0. Qed.

Lemma pos_valueD p q : pos_value (Pos.add p q) = pos_value p + pos_value q.
Proof. by rewrite /pos_value Pos2Nat.inj_add natrD. Qed.

Lemma pos_valueM p q : pos_value (Pos.mul p q) = pos_value p * pos_value q.
Proof. by rewrite /pos_value Pos2Nat.inj_mul natrM. Qed.

Lemma int_value_pos_sub p q : int_value (Z.pos_sub p q) = pos_value p - pos_value q.
Proof.
rewrite Z.pos_sub_spec; case: Pos.compare_spec => [->|p_lt_q|q_lt_p] /=.
- by rewrite subrr.
- by rewrite -{2}(Pos.sub_add _ _ p_lt_q) pos_valueD opprD addrCA subrr addr0.
- by rewrite -{2}(Pos.sub_add _ _ q_lt_p) pos_valueD addrK.
Qed.

Lemma int_valueD x y : int_value (Z.add x y) = int_value x + int_value y.
Proof.
case: x y => [|p|p] [|q|q] //=; rewrite ?add0r ?addr0 ?int_value_pos_sub //.
- exact: pos_valueD.
- by rewrite addrC.
- by rewrite pos_valueD opprD.
Qed.

Lemma int_valueM x y : int_value (Z.mul x y) = int_value x * int_value y.
Proof.
by case: x y => [|p|p] [|q|q] //=;
  rewrite ?(mul0r, mulr0, pos_valueM, mulrN, mulNr, opprK).
Qed.

Lemma int_valueN x : int_value (Z.opp x) = - int_value x.
Proof. by case: x => [|p|p] /=; rewrite ?oppr0 ?opprK. Qed.

Lemma int_value_nat n : int_value (Z.of_nat n) = n%:R.
Proof. by case: n => //= n; rewrite /pos_value SuccNat2Pos.id_succ. Qed.

Lemma rational_valueD x y :
  rational_value (add_rational x y) = rational_value x + rational_value y.
Proof.
rewrite /rational_value /add_rational.
case: Pos.eqb_spec => [->|_] /=; first by rewrite int_valueD mulrDl.
by rewrite int_valueD !int_valueM pos_valueM addf_div ?pos_value_neq0.
Qed.

Lemma rational_valueM x y :
  rational_value (mul_rational x y) = rational_value x * rational_value y.
Proof. by rewrite /rational_value int_valueM pos_valueM mulf_div. Qed.

Lemma rational_valueN x : rational_value (opp_rational x) = - rational_value x.
Proof. by rewrite /rational_value int_valueN mulNr. Qed.

Lemma rational_value_nat n : rational_value (nat_rational n) = n%:R.
Proof. by rewrite /rational_value int_value_nat divr1. Qed.

Lemma rational_value1 : rational_value one_rational = 1.
Proof. exact: (rational_value_nat 1). Qed.

Lemma rational_value_inv n :
  rational_value (Zpos xH, Pos.of_succ_nat n) = n.+1%:R^-1.
Proof. by rewrite /rational_value /= /pos_value SuccNat2Pos.id_succ div1r. Qed.

Lemma rational_value_eq0 x : Z.eqb x.1 0 -> rational_value x = 0.
Proof. by move/Z.eqb_spec; rewrite /rational_value => ->; rewrite mul0r. Qed.

End Numbers.

(* -------------------------------------------------------------------------- *)
(*  Values                                                                    *)
(* -------------------------------------------------------------------------- *)

(* The proof that two closed numbers are equal computes to erefl.             *)
Fixpoint same_nat (i j : nat) : option (i = j) :=
  match i, j with
  | 0, 0 => Some erefl
  | i'.+1, j'.+1 =>
      if same_nat i' j' is Some e then Some (congr1 S e) else None
  | _, _ => None
  end.

Lemma same_natP i j : if same_nat i j is Some _ then i == j else i != j.
Proof. by elim: i j => [|i IHi] [|j] //=; have := IHi j; case: same_nat. Qed.

Definition size_of (sizes : seq nat) (i : nat) : nat :=
  if i is i'.+1 then
    (fix lookup (s : seq nat) i := match s, i with
     | [::], _ => 1%N | n :: _, 0 => n | _ :: s', i'.+1 => lookup s' i' end) sizes i'
  else 1%N.

Section Values.
Variables (R : realFieldType) (sizes : seq nat).
Local Notation d := (size_of sizes).

Definition place i j i' j' (A : 'M[R]_(d i, d j)) : 'M[R]_(d i', d j') :=
  match same_nat i i', same_nat j j' with
  | Some ei, Some ej =>
      match ei in _ = i', ej in _ = j' return 'M[R]_(d i', d j') with
      | erefl, erefl => A
      end
  | _, _ => 0
  end.

Lemma place_id i j (A : 'M[R]_(d i, d j)) : place i j A = A.
Proof.
rewrite /place; case: (same_nat i i) (same_natP i i); rewrite ?eqxx // => ei _.
case: (same_nat j j) (same_natP j j); rewrite ?eqxx // => ej _.
by rewrite (eq_irrelevance ei erefl) (eq_irrelevance ej erefl).
Qed.

Lemma place_neq i j i' j' (A : 'M[R]_(d i, d j)) :
  ~~ ((i == i') && (j == j')) -> place i' j' A = 0.
Proof.
rewrite /place; case: (same_nat i i') (same_natP i i') => // ? ->.
by case: (same_nat j j') (same_natP j j') => // ? ->.
Qed.

Fixpoint letters_of (signature : seq (nat * nat)) : Type :=
  if signature is ends :: signature' then
    ('M[R]_(d ends.1, d ends.2) * letters_of signature')%type
  else unit.

Fixpoint letter_value signature :
    letters_of signature -> forall k,
    'M[R]_(d (ends_of signature k).1, d (ends_of signature k).2) :=
  match signature with
  | [::] => fun _ _ => 0
  | _ :: signature' => fun letters k =>
      match k with 0 => letters.1 | k'.+1 => letter_value letters.2 k' end
  end.

Fixpoint param_value (params : seq R) k : R :=
  match params, k with
  | [::], _ => 0
  | x :: _, 0 => x
  | _ :: params', k'.+1 => param_value params' k'
  end.

Variable signature : seq (nat * nat).
Variable letters : letters_of signature.
Variable params : seq R.

Fixpoint mx_value i j (e : mx i j) : 'M[R]_(d i, d j) :=
  match e with
  | Letter k i j => place i j (letter_value letters k)
  | Scalar i s => (sc_value s)%:M
  | Null i j => 0
  | Add i j a b => mx_value a + mx_value b
  | Opp i j a => - mx_value a
  | Muln i j a n => mx_value a *+ n
  | Scale i j s a => sc_value s *: mx_value a
  | Mul i j l a b => mx_value a *m mx_value b
  | Transp i j a => (mx_value a)^T
  end
with sc_value (s : sc) : R :=
  match s with
  | Param k => param_value params k
  | Zero => 0
  | One => 1
  | Nat n => n%:R
  | InvNat n => n%:R^-1
  | ScAdd a b => sc_value a + sc_value b
  | ScOpp a => - sc_value a
  | ScMuln a n => sc_value a *+ n
  | ScMul a b => sc_value a * sc_value b
  | ScExp a n => sc_value a ^+ n
  | Entry e => (mx_value e : 'M[R]_1) 0 0
  end.

Definition holds (e : equation) : Prop :=
  match e with
  | MxEq i j a b => mx_value a = mx_value b
  | ScEq a b => sc_value a = sc_value b
  end.

Fixpoint all_hold (hyps : seq equation) : Prop :=
  if hyps is e :: hyps' then holds e /\ all_hold hyps' else True.

Local Notation source := (source signature).
Local Notation target := (target signature).
Local Notation typed := (typed signature).
Local Notation typed_term := (typed_term signature).
Local Notation typed_poly := (typed_poly signature).

Definition directed_value l : 'M[R]_(d (source l), d (target l)) :=
  match l with
  | Fwd k => letter_value letters k
  | Bwd k => (letter_value letters k)^T
  end.

Fixpoint word_value (w : word) i j : 'M[R]_(d i, d j) :=
  if w is l :: w' then
    place i (target l) (directed_value l) *m word_value w' (target l) j
  else place i j (1%:M : 'M[R]_(d i, d i)).

Definition loop_value (w : word) : R := (word_value w 0 0 : 'M[R]_1) 0 0.
Definition loops_value (ws : seq word) : R :=
  foldr (fun w x => loop_value w * x) 1 ws.

Fixpoint powers_value (e : seq nat) (xs : seq R) : R :=
  if e is a :: e' then param_value xs 0 ^+ a * powers_value e' (behead xs) else 1.

Definition scalar_value (t : term) : R :=
  rational_value R (factor t) * (powers_value (powers t) params * loops_value (loops t)).

Definition poly_value i j (p : poly) : 'M[R]_(d i, d j) :=
  foldr (fun t M => scalar_value t *: word_value (path t) i j + M) 0 p.

(* Words *)

Lemma typedP l w i j :
  typed (l :: w) i j -> i = source l /\ typed w (target l) j.
Proof. by move=> /= /andP[/eqP ->]. Qed.

Lemma word_value_nil i : word_value [::] i i = 1%:M.
Proof. exact: place_id. Qed.

Lemma word_value_cons l w j :
  word_value (l :: w) (source l) j = directed_value l *m word_value w (target l) j.
Proof. by rewrite /= place_id. Qed.

Arguments word_value w i j : simpl never.

Lemma word_value_letter l : word_value [:: l] (source l) (target l) = directed_value l.
Proof. by rewrite word_value_cons word_value_nil mulmx1. Qed.

Lemma typed_cat u v i m j : typed u i m -> typed (u ++ v) i j = typed v m j.
Proof.
elim: u i => [|l u IHu] i; first by move=> /eqP ->.
by case/typedP=> -> /IHu /=; rewrite eqxx.
Qed.

Lemma word_value_cat u v i m j : typed u i m ->
  word_value (u ++ v) i j = word_value u i m *m word_value v m j.
Proof.
elim: u i => [|l u IHu] i; first by move=> /eqP ->; rewrite word_value_nil mul1mx.
by case/typedP=> -> /IHu u_v; rewrite cat_cons !word_value_cons u_v mulmxA.
Qed.

Lemma source_flip l : source (flip l) = target l.
Proof. by case: l. Qed.

Lemma target_flip l : target (flip l) = source l.
Proof. by case: l. Qed.

Lemma directed_value_flip l : word_value [:: flip l] (target l) (source l) = (directed_value l)^T.
Proof. by case: l => k; rewrite [LHS]word_value_letter //= trmxK. Qed.

Lemma reverse_cons l w : reverse (l :: w) = reverse w ++ [:: flip l].
Proof. by rewrite /reverse /= rev_cons cats1. Qed.

Lemma typed_reverse w i j : typed w i j -> typed (reverse w) j i.
Proof.
elim: w i => [|l w IHw] i; first by rewrite /= eq_sym.
case/typedP=> -> /IHw w_back; rewrite reverse_cons (typed_cat _ _ w_back) /=.
by rewrite source_flip target_flip !eqxx.
Qed.

Lemma word_value_reverse w i j : typed w i j ->
  word_value (reverse w) j i = (word_value w i j)^T.
Proof.
elim: w i => [|l w IHw] i; first by move=> /eqP ->; rewrite word_value_nil trmx1.
case/typedP=> -> typed_w; rewrite reverse_cons word_value_cons trmx_mul -IHw //.
by rewrite (word_value_cat _ _ (typed_reverse typed_w)) directed_value_flip.
Qed.

(* Loops at the object of size 1 *)

Lemma loops_value_cat u v : loops_value (u ++ v) = loops_value u * loops_value v.
Proof. by elim: u => [|w u IHu] /=; rewrite ?mul1r // IHu mulrA. Qed.

Lemma loop_value_nil : loop_value [::] = 1.
Proof. by rewrite /loop_value word_value_nil mxE. Qed.

Lemma loop_mulmx w n (M : 'M[R]_(d 0, n)) : word_value w 0 0 *m M = loop_value w *: M.
Proof. exact: mulmx_mx11_l. Qed.

Lemma loop_value_cat u v : typed u 0%N 0%N -> loop_value (u ++ v) = loop_value u * loop_value v.
Proof.
move=> typed_u; rewrite /loop_value (word_value_cat _ _ typed_u).
exact: mulmx_mx11_00.
Qed.

Lemma loop_value_reverse w : typed w 0%N 0%N -> loop_value (reverse w) = loop_value w.
Proof. by move=> typed_w; rewrite /loop_value word_value_reverse // trmx_mx11. Qed.

Lemma cut_sound w i j : typed w i j ->
  match cut signature w with
  | (head, None) => head = w
  | (head, Some (new, last)) =>
      [/\ typed head i 0%N, all (fun w => typed w 0%N 0%N) new, typed last 0%N j &
          word_value w i j =
          loops_value new *: (word_value head i 0%N *m word_value last 0%N j)]
  end.
Proof.
elim: w i => [//|l w IHw] i /typedP[-> typed_w]; rewrite word_value_cons /=.
have := IHw _ typed_w; case: (cut signature w) => head rest.
case: eqP => [loop|_] rest_sound.
  have typed_l : typed [:: l] (source l) 0%N by rewrite /= loop !eqxx.
  have first_step : directed_value l *m word_value w (target l) j =
                    word_value [:: l] (source l) 0%N *m word_value w 0%N j.
    by rewrite -(word_value_cat _ _ typed_l) word_value_cons.
  rewrite {}first_step; rewrite loop in typed_w rest_sound.
  case: rest rest_sound => [[new last] [typed_head typed_new typed_last ->]|->].
    split=> //=; first by rewrite typed_head.
    by rewrite loop_mulmx -!scalemxAr scalerA mulrC.
  by split=> //; rewrite scale1r.
case: rest rest_sound => [[new last] [typed_head typed_new typed_last ->]|-> //].
split=> //; first by rewrite /= eqxx.
by rewrite word_value_cons -scalemxAr mulmxA.
Qed.

Lemma split_loop_sound w : typed w 0%N 0%N ->
  all (fun w => typed w 0%N 0%N) (split_loop signature w) /\
  loops_value (split_loop signature w) = loop_value w.
Proof.
move=> typed_w; rewrite /split_loop; have := cut_sound typed_w.
case: cut => head [[new last] [typed_head typed_new typed_last value_w]|->] /=.
  rewrite typed_head typed_last typed_new; split=> //.
  rewrite mulrA mulrC [in RHS]/loop_value value_w entry_scale; congr (_ * _).
  by rewrite [RHS]mulmx_mx11_00.
by rewrite typed_w mulr1.
Qed.

Lemma canonical_loop_value w : typed w 0%N 0%N -> loop_value (canonical_loop w) = loop_value w.
Proof. by rewrite /canonical_loop; case: compare_word => // /loop_value_reverse. Qed.

Lemma insert_loop_value w ws : loops_value (insert_loop w ws) = loop_value w * loops_value ws.
Proof. by elim: ws => //= w' ws IHws; case: compare_word => //=; rewrite IHws mulrCA. Qed.

Lemma sort_loops_value ws : all (fun w => typed w 0%N 0%N) ws ->
  loops_value (sort_loops ws) = loops_value ws.
Proof.
elim: ws => //= -[|l w] ws IHws /andP[typed_w /IHws IH] /=.
  by rewrite loop_value_nil mul1r.
by rewrite insert_loop_value canonical_loop_value // IH.
Qed.

Arguments sort_loops : simpl never.

Lemma split_loops_sound ws : all (fun w => typed w 0%N 0%N) ws ->
  all (fun w => typed w 0%N 0%N) (flatten (map (split_loop signature) ws)) /\
  loops_value (flatten (map (split_loop signature) ws)) = loops_value ws.
Proof.
elim: ws => //= w ws IHws /andP[typed_w /IHws[typed_ws value_ws]].
have [typed_split value_split] := split_loop_sound typed_w.
by rewrite all_cat typed_split loops_value_cat value_split value_ws.
Qed.

(* Powers of the parameters *)

Lemma powers_value_add e f xs :
  powers_value (add_powers e f) xs = powers_value e xs * powers_value f xs.
Proof.
elim: e f xs => [|a e IHe] [|b f] xs /=; rewrite ?mul1r ?mulr1 //.
by rewrite IHe exprD mulrACA.
Qed.

Lemma powers_value_strip e xs : powers_value (strip_powers e) xs = powers_value e xs.
Proof.
elim: e xs => //= a e IHe xs; rewrite -IHe.
by case: (strip_powers e) => //; case: a => //= ; rewrite mul1r.
Qed.

Lemma powers_value_ncons k e xs :
  powers_value (ncons k 0%N [:: e]) xs = param_value xs k ^+ e.
Proof.
by elim: k xs => [|k IHk] xs /=; rewrite ?mulr1 // mul1r IHk; case: xs.
Qed.

(* Terms and polynomials *)

Lemma scalar_value_mul s t : scalar_value (mul_term s t) = scalar_value s * scalar_value t.
Proof.
rewrite /scalar_value rational_valueM powers_value_add loops_value_cat.
rewrite [RHS]mulrACA; congr (_ * _); exact: mulrACA.
Qed.

Lemma poly_value_cat p q i j : poly_value i j (p ++ q) = poly_value i j p + poly_value i j q.
Proof. by elim: p => [|t p IHp] /=; rewrite ?add0r // IHp addrA. Qed.

Lemma poly_value_opp p i j : poly_value i j (opp_poly p) = - poly_value i j p.
Proof.
elim: p => [|t p IHp] /=; first by rewrite oppr0.
by rewrite IHp opprD /scalar_value rational_valueN mulNr scaleNr.
Qed.

Lemma poly_value_transpose p i j : typed_poly i j p ->
  poly_value j i (transpose_poly p) = (poly_value i j p)^T.
Proof.
elim: p => [|t p IHp] /=; first by rewrite trmx0.
case/andP=> /andP[typed_t _] /IHp ->.
by rewrite trmx_add trmx_scale word_value_reverse.
Qed.

Lemma poly_value_mul p q i m j : typed_poly i m p ->
  poly_value i j (mul_poly p q) = poly_value i m p *m poly_value m j q.
Proof.
elim: p => [|s p IHp] /=; first by rewrite mul0mx.
case/andP=> /andP[typed_s _] /IHp p_q; rewrite poly_value_cat p_q mulmxDl.
congr (_ + _); elim: q {p_q IHp} => [|t q IHq] /=; first by rewrite mulmx0.
rewrite IHq mulmxDr scalar_value_mul (word_value_cat _ _ typed_s).
by rewrite mulmx_scale_r !mulmx_scale_l scalerA [_ * scalar_value s]mulrC.
Qed.

Lemma typed_poly_cat p q i j : typed_poly i j (p ++ q) = typed_poly i j p && typed_poly i j q.
Proof. exact: all_cat. Qed.

Lemma typed_poly_opp p i j : typed_poly i j p -> typed_poly i j (opp_poly p).
Proof. by rewrite /typed_poly all_map. Qed.

Lemma typed_poly_transpose p i j : typed_poly i j p -> typed_poly j i (transpose_poly p).
Proof.
rewrite /typed_poly all_map; apply: sub_all => t /= /andP[typed_t typed_loops].
by rewrite /typed_term /= typed_reverse.
Qed.

Lemma typed_poly_mul p q i m j :
  typed_poly i m p -> typed_poly m j q -> typed_poly i j (mul_poly p q).
Proof.
move=> typed_p typed_q; elim: p typed_p => //= s p IHp /andP[typed_s /IHp typed_pq].
rewrite typed_poly_cat typed_pq andbT /typed_poly all_map.
case/andP: typed_s => typed_s loops_s.
apply: sub_all typed_q => t /= /andP[typed_t loops_t].
by rewrite /typed_term /= (typed_cat _ _ typed_s) typed_t all_cat loops_s.
Qed.

Lemma typed_poly_loop p i j : typed_poly 0%N 0%N p -> i = j -> typed_poly i j (loop_poly p).
Proof.
move=> typed_p ->; rewrite /typed_poly all_map; apply: sub_all typed_p => t /=.
by case/andP=> typed_t loops_t; rewrite /typed_term /= eqxx typed_t.
Qed.

Lemma poly_value_loop p i : poly_value i i (loop_poly p) =
  (((poly_value 0%N 0%N p : 'M[R]_1) 0 0)%:M : 'M[R]_(d i)).
Proof.
elim: p => [|t p IHp] /=; first by rewrite mxE raddf0.
rewrite IHp entry_add entry_scale raddfD /= word_value_nil; congr (_ + _).
rewrite scalemx1 /scalar_value /= -/(loop_value (path t)) -!mulrA.
by rewrite [loop_value _ * _]mulrC.
Qed.

Lemma poly_value_constant x i : poly_value i i (constant x) = (rational_value R x)%:M.
Proof. by rewrite /= addr0 word_value_nil scalemx1 /scalar_value /= !mulr1. Qed.

Lemma poly_value_monomial w i j : poly_value i j (monomial w) = word_value w i j.
Proof. by rewrite /= addr0 /scalar_value /= rational_value1 !mulr1 scale1r. Qed.

Arguments constant : simpl never.

(* Normal forms *)

Lemma compare_seqP T (compare : T -> T -> comparison) :
  (forall x y, compare x y = Eq -> x = y) ->
  forall s t, compare_seq compare s t = Eq -> s = t.
Proof.
move=> compareP; elim=> [|x s IHs] [|y t] //=.
by case xy: (compare x y) => // /IHs ->; rewrite (compareP _ _ xy).
Qed.

Lemma compare_wordP u v : compare_word u v = Eq -> u = v.
Proof.
by apply: compare_seqP => -[] k [] l //= /PeanoNat.Nat.compare_eq ->.
Qed.

Lemma merge_term_value s t i j : compare_term s t = Eq ->
  scalar_value (Term (add_rational (factor s) (factor t)) (powers s) (loops s) (path s))
    *: word_value (path s) i j =
  scalar_value s *: word_value (path s) i j + scalar_value t *: word_value (path t) i j.
Proof.
rewrite /compare_term; case path_st: compare_word => //; case powers_st: compare_seq => //.
move=> loops_st; rewrite -(compare_wordP path_st) -scalerDl; congr (_ *: _).
rewrite /scalar_value /= -(compare_seqP PeanoNat.Nat.compare_eq powers_st).
by rewrite -(compare_seqP compare_wordP loops_st) rational_valueD mulrDl.
Qed.

Lemma merge_poly_value p q i j :
  poly_value i j (merge_poly p q) = poly_value i j p + poly_value i j q.
Proof.
elim: p q => [|s p IHp]; first by case=> *; rewrite add0r.
elim=> [|t q IHq]; first by rewrite addr0.
rewrite /=; case s_t: compare_term => /=.
- by rewrite merge_term_value // IHp addrACA.
- by rewrite IHp /= addrA.
- by rewrite IHq /= addrCA.
Qed.

Lemma sort_poly_value p i j : poly_value i j (sort_poly p) = poly_value i j p.
Proof.
pose layer l := if l is Some q then poly_value i j q else 0.
pose stack_value := foldr (fun l M => layer l + M) 0.
have push_value q stack :
    stack_value (push_poly q stack) = poly_value i j q + stack_value stack.
  elim: stack q => [|[r|] stack IHstack] q //=; last by rewrite add0r.
  by rewrite IHstack merge_poly_value add0r addrA.
have -> : poly_value i j p =
    stack_value (foldr (fun t stack => push_poly [:: t] stack) [::] p).
  by elim: p => //= t p ->; rewrite push_value /= addr0.
rewrite /sort_poly; elim: (foldr _ [::] p) => //= -[q|] stack IHstack /=.
  by rewrite merge_poly_value IHstack.
by rewrite IHstack add0r.
Qed.

Lemma normal_term_value t i j : typed_term i j t ->
  scalar_value (normal_term signature i t)
    *: word_value (path (normal_term signature i t)) i j =
  scalar_value t *: word_value (path t) i j.
Proof.
case/andP=> typed_t /split_loops_sound; rewrite /normal_term.
move: (flatten _) => old [typed_old value_old]; have := cut_sound typed_t.
case: cut => head [[new last] [typed_head typed_new typed_last ->]|_] /=; last first.
  by rewrite /scalar_value /= powers_value_strip sort_loops_value // value_old.
have typed_loops : all (fun w => typed w 0%N 0%N) (new ++ old).
  by rewrite all_cat typed_new.
rewrite scalerA; case: eqP => [i0|_] /=; rewrite /scalar_value /= powers_value_strip.
  rewrite i0 in typed_head *; rewrite sort_loops_value /= ?typed_head //.
  rewrite loops_value_cat value_old loop_mulmx scalerA; congr (_ *: _).
  rewrite -!mulrA; do 3!congr (_ * _).
  by rewrite [RHS]mulrA [RHS]mulrC [_ * loops_value new]mulrC.
rewrite sort_loops_value // loops_value_cat value_old (word_value_cat _ _ typed_head).
by rewrite -!mulrA [loops_value new * _]mulrC.
Qed.

Lemma poly_value_map f p i j :
  (forall t, typed_term i j t -> scalar_value (f t) *: word_value (path (f t)) i j =
                                 scalar_value t *: word_value (path t) i j) ->
  typed_poly i j p -> poly_value i j (map f p) = poly_value i j p.
Proof.
by move=> value_f; elim: p => //= t p IHp /andP[/value_f -> /IHp ->].
Qed.

Lemma normal_poly_value p i j : typed_poly i j p ->
  poly_value i j (normal_poly signature i p) = poly_value i j p.
Proof.
move=> typed_p; rewrite -(poly_value_map (fun t => @normal_term_value t i j) typed_p).
rewrite -[RHS]sort_poly_value /normal_poly; elim: (sort_poly _) => //= t q IHq.
case: ifPn => /= [_|]; first by rewrite IHq.
rewrite negbK => /(rational_value_eq0 R) factor0.
by rewrite IHq /scalar_value factor0 mul0r scale0r add0r.
Qed.

Arguments poly_value i j p : simpl never.
Arguments monomial : simpl never.
Arguments mul_poly : simpl never.

(* Soundness of reification *)

Definition pure (p : poly) :=
  all (fun t => nilp (path t) && all (fun w => typed w 0%N 0%N) (loops t)) p.

Lemma pure_typed p i : pure p -> typed_poly i i p.
Proof.
by apply: sub_all => t /andP[/nilP path_t loops_t]; rewrite /typed_term path_t /= eqxx.
Qed.

Lemma pure_cat p q : pure (p ++ q) = pure p && pure q.
Proof. exact: all_cat. Qed.

Lemma pure_opp p : pure p -> pure (opp_poly p).
Proof. by rewrite /pure all_map. Qed.

Lemma pure_mul p q : pure p -> pure q -> pure (mul_poly p q).
Proof.
move=> pure_p pure_q; elim: p pure_p => //= s p IHp /andP[/andP[/nilP path_s loops_s]].
move=> /IHp pure_pq; rewrite pure_cat pure_pq andbT /pure all_map.
apply: sub_all pure_q => t /= /andP[/nilP path_t loops_t].
by rewrite path_s path_t all_cat loops_s.
Qed.

Lemma pure_loop p : typed_poly 0 0 p -> pure (loop_poly p).
Proof.
by move=> typed_p; rewrite /pure all_map; apply: sub_all typed_p.
Qed.

Lemma constant_mul x p i j :
  poly_value i j (mul_poly (constant x) p) = rational_value R x *: poly_value i j p.
Proof.
by rewrite (@poly_value_mul _ _ i i j) ?poly_value_constant ?mul_scalar_mx //= /typed_term /= eqxx.
Qed.

Lemma expression_sound :
  (forall i j (e : mx i j), typed_poly i j (poly_mx signature e) /\
     poly_value i j (poly_mx signature e) = mx_value e) /\
  (forall s, pure (poly_sc signature s) /\
     forall i, poly_value i i (poly_sc signature s) = (sc_value s)%:M).
Proof.
have letter_sound k i j : typed_poly i j (poly_mx signature (Letter k i j)) /\
    poly_value i j (poly_mx signature (Letter k i j)) = mx_value (Letter k i j).
  rewrite [poly_mx _ _](_ : _ =
    if typed [:: Fwd k] i j then monomial [:: Fwd k] else [::]) //.
  case: ifPn => [typed_k|untyped_k]; last by split=> //; rewrite [RHS]place_neq.
  split; first by rewrite /typed_poly /= /typed_term typed_k.
  rewrite poly_value_monomial; case/typedP: typed_k => -> /= /eqP <-.
  by rewrite place_id (word_value_letter (Fwd k)).
apply: expression_ind => /=; first exact: letter_sound.
- by move=> i s [pure_s value_s]; split; [exact: pure_typed | exact: value_s].
- by [].
- move=> i j a [typed_a value_a] b [typed_b value_b].
  by rewrite typed_poly_cat typed_a poly_value_cat value_a value_b.
- by move=> i j a [typed_a value_a]; rewrite typed_poly_opp // poly_value_opp value_a.
- move=> i j a [typed_a value_a] n; split.
    by apply: (@typed_poly_mul _ _ i i j) => //=; rewrite /typed_term /= eqxx.
  by rewrite constant_mul rational_value_nat value_a scaler_nat.
- move=> i j s [pure_s value_s] a [typed_a value_a]; split.
    exact: typed_poly_mul (pure_typed i pure_s) typed_a.
  by rewrite (poly_value_mul _ _ (pure_typed i pure_s)) value_s value_a mul_scalar_mx.
- move=> i j l a [typed_a value_a] b [typed_b value_b]; split.
    exact: typed_poly_mul typed_a typed_b.
  by rewrite (poly_value_mul _ _ typed_a) value_a value_b.
- move=> i j a [typed_a value_a]; split; first exact: typed_poly_transpose.
  by rewrite poly_value_transpose // value_a.
- move=> k; split=> // i; rewrite /poly_value /= addr0 word_value_nil scalemx1.
  by rewrite /scalar_value /= rational_value1 mul1r mulr1 powers_value_ncons expr1.
- by split=> // i; rewrite raddf0.
- by split=> // i; rewrite poly_value_constant rational_value1.
- by move=> n; split=> // i; rewrite poly_value_constant rational_value_nat.
- case=> [|n] /=; first by split=> // i; rewrite invr0 raddf0.
  by split=> // i; rewrite poly_value_constant rational_value_inv.
- move=> a [pure_a value_a] b [pure_b value_b]; rewrite pure_cat pure_a; split=> // i.
  by rewrite poly_value_cat value_a value_b raddfD.
- move=> a [pure_a value_a]; rewrite pure_opp //; split=> // i.
  by rewrite poly_value_opp value_a raddfN.
- move=> a [pure_a value_a] n; split=> [|i]; first exact: pure_mul.
  by rewrite constant_mul rational_value_nat value_a scale_scalar_mx mulr_natl.
- move=> a [pure_a value_a] b [pure_b value_b]; split=> [|i]; first exact: pure_mul.
  by rewrite (poly_value_mul _ _ (pure_typed i pure_a)) value_a value_b -scalar_mxM.
- move=> a [pure_a value_a]; elim=> [|n [pure_n value_n]] /=.
    by split=> // i; rewrite poly_value_constant rational_value1.
  split=> [|i]; first exact: pure_mul.
  by rewrite (poly_value_mul _ _ (pure_typed i pure_a)) value_a value_n -scalar_mxM -exprS.
- move=> e [typed_e value_e]; split=> [|i]; first exact: pure_loop.
  by rewrite poly_value_loop value_e.
Qed.

(* Soundness of certificates *)

Lemma typed_poly_of e : typed_poly (ends e).1 (ends e).2 (poly_of signature e).
Proof.
have [mx_sound sc_sound] := expression_sound.
case: e => [i j a b|a b] /=; rewrite typed_poly_cat typed_poly_opp ?andbT.
- by case: (mx_sound i j a).
- by case: (mx_sound i j b).
- by case: (sc_sound a) => pure_a _; exact: pure_typed.
- by case: (sc_sound b) => pure_b _; exact: pure_typed.
Qed.

Lemma holdsP e :
  holds e <-> poly_value (ends e).1 (ends e).2 (poly_of signature e) = 0.
Proof.
have [mx_sound sc_sound] := expression_sound.
case: e => [i j a b|a b]; rewrite /= poly_value_cat poly_value_opp.
  have [[_ ->] [_ ->]] := (mx_sound i j a, mx_sound i j b).
  by split=> [->|/eqP]; rewrite ?subrr // subr_eq0 => /eqP.
have [[_ ->] [_ ->]] := (sc_sound a, sc_sound b).
split=> [->|/eqP]; first by rewrite subrr.
by rewrite subr_eq0 => /eqP/matrixP/(_ 0 0); rewrite !mxE.
Qed.

Definition premise_holds (h : premise) :=
  poly_value (first_end h) (last_end h) (straight h) = 0 /\
  poly_value (last_end h) (first_end h) (flipped h) = 0.

Lemma prepare_sound e : typed_premise signature (prepare signature e) -> holds e ->
  premise_holds (prepare signature e).
Proof.
rewrite /typed_premise /prepare; case ends_e: (ends e) => [a b] /=.
case/andP=> typed_e _ /holdsP; have := typed_poly_of e; rewrite ends_e /= => typed_p p0.
rewrite /premise_holds /= poly_value_transpose // normal_poly_value //.
by rewrite p0 trmx0.
Qed.

Lemma step_sound i j hyps s p :
  (forall k, let h := nth (Premise [::] [::] 0 0) hyps k in
     typed_premise signature h /\ premise_holds h) ->
  step_poly signature i j hyps s = Some p -> typed_poly i j p /\ poly_value i j p = 0.
Proof.
move=> hyps_sound; case: s => c l k transposed r; rewrite /step_poly.
have := hyps_sound k; case: nth => p0 pt0 a0 b0 /=.
rewrite /typed_premise /premise_holds /= => -[/andP[typed_p0 typed_pt0] [p0_eq0 pt0_eq0]].
set c' := map _ _.
have {typed_p0 typed_pt0 p0_eq0 pt0_eq0} :
  let: (h, a, b) := if transposed then (pt0, b0, a0) else (p0, a0, b0) in
  typed_poly a b h /\ poly_value a b h = 0 by case: transposed.
case: (if transposed then _ else _) => [[h a] b] [typed_h h_eq0].
case: (boolP (all _ c)) => //= typed_c.
have pure_c : pure c'.
  by rewrite /pure all_map; apply: sub_all typed_c => -[].
case: ifP => [/andP[typed_l typed_r] [<-]|_].
  split.
    apply: (@typed_poly_mul _ _ i i j); first exact: pure_typed.
    apply: (@typed_poly_mul _ _ i a j); first by rewrite /typed_poly /= /typed_term typed_l.
    by apply: (@typed_poly_mul _ _ a b j) => //; rewrite /typed_poly /= /typed_term typed_r.
  rewrite (@poly_value_mul _ _ i i j) ?pure_typed //.
  rewrite (@poly_value_mul _ _ i a j) ?(@poly_value_mul _ _ a b j) //.
    by rewrite h_eq0 mul0mx !mulmx0.
  by rewrite /typed_poly /= /typed_term typed_l.
case: ifP => // /andP[/andP[/eqP a0E /eqP b0E] typed_lr] [<-].
rewrite a0E b0E in typed_h h_eq0.
have pure_h := pure_loop typed_h.
split.
  apply: (@typed_poly_mul _ _ i i j); first exact: pure_typed.
  apply: (@typed_poly_mul _ _ i i j); first exact: pure_typed.
  by rewrite /typed_poly /= /typed_term typed_lr.
rewrite (@poly_value_mul _ _ i i j) ?pure_typed //.
rewrite (@poly_value_mul _ _ i i j) ?pure_typed //.
by rewrite poly_value_loop h_eq0 mxE raddf0 mul0mx mulmx0.
Qed.

Lemma combination_sound i j hyps steps p :
  (forall k, let h := nth (Premise [::] [::] 0 0) hyps k in
     typed_premise signature h /\ premise_holds h) ->
  combination signature i j hyps steps = Some p ->
  typed_poly i j p /\ poly_value i j p = 0.
Proof.
move=> hyps_sound; elim: steps p => [|s steps IHsteps] p /=; first by case=> <-.
case step_s: step_poly => [q|] //; case: combination IHsteps => // r IHsteps [<-].
have [typed_q q_eq0] := step_sound hyps_sound step_s.
have [typed_r r_eq0] := IHsteps _ erefl.
by rewrite typed_poly_cat typed_q poly_value_cat q_eq0 r_eq0 addr0.
Qed.

Theorem accepts_sound multiplier goal hyps steps :
  accepts signature multiplier goal hyps steps ->
  sc_value multiplier != 0 -> all_hold hyps -> holds goal.
Proof.
rewrite /accepts; case ends_goal: (ends goal) => [i j] /andP[typed_hyps].
case combination_steps: combination => [sum|] // /nilP normal0 multiplier_neq0 hyps_hold.
have hyps_sound k : let h := nth (Premise [::] [::] 0 0) (map (prepare signature) hyps) k in
    typed_premise signature h /\ premise_holds h.
  elim: hyps hyps_hold typed_hyps k {combination_steps} => [_ _|e hyps IHhyps].
    by case=> [|k]; split.
  case=> e_holds hyps_hold /= /andP[typed_e typed_hyps] [|k] /=; last exact: IHhyps.
  by split=> //; exact: prepare_sound.
have [typed_sum sum_eq0] := combination_sound hyps_sound combination_steps.
have [pure_multiplier value_multiplier] := (proj2 expression_sound) multiplier.
have := typed_poly_of goal; rewrite ends_goal => typed_goal.
apply/holdsP; rewrite ends_goal; apply: (scalerI multiplier_neq0); rewrite scaler0.
have := congr1 (poly_value i j) normal0; rewrite normal_poly_value.
  rewrite poly_value_cat poly_value_opp sum_eq0 subr0.
  by rewrite (@poly_value_mul _ _ i i j) ?pure_typed // value_multiplier mul_scalar_mx.
rewrite typed_poly_cat typed_poly_opp // andbT.
by apply: (@typed_poly_mul _ _ i i j); first exact: pure_typed.
Qed.

End Values.

End Checker.

Import Checker.

(* -------------------------------------------------------------------------- *)
(*  Reification                                                               *)
(* -------------------------------------------------------------------------- *)

(* Conversion opens values first: the reified statement then becomes the      *)
(* plain one, and nothing of MathComp is unfolded.                            *)
Strategy expand [holds all_hold mx_value sc_value letter_value param_value
                 place same_nat size_of ends_of letters_of].

(* (a, b, c) |-> (a, (b, (c, tt))); a |-> (a, tt); tt |-> tt                  *)
Ltac tw_flatten t rest :=
  lazymatch t with
  | tt => rest
  | (?t', ?x) => let rest' := constr:((x, rest)) in tw_flatten t' rest'
  | ?x => constr:((x, rest))
  end.

Ltac tw_find x l :=
  lazymatch l with
  | tt => constr:(@None nat)
  | (x, _) => constr:(Some O)
  | (_, ?l') =>
      let found := tw_find x l' in
      lazymatch found with Some ?k => constr:(Some (S k)) | None => found end
  end.

(* The same up to conversion: slower, asked last.                             *)
Ltac tw_find_convertible x l :=
  match l with
  | tt => constr:(@None nat)
  | (?y, _) => let same := constr:(@erefl _ y : x = y) in constr:(Some O)
  | (_, ?l') =>
      let found := tw_find_convertible x l' in
      lazymatch found with Some ?k => constr:(Some (S k)) | None => found end
  end.

Ltac tw_object sizes a :=
  lazymatch a with
  | S O => constr:(O)
  | _ =>
      let found := tw_find a sizes in
      lazymatch found with
      | Some ?k => constr:(S k)
      | None => fail 100 "certificate: not among the sizes:" a
      end
  end.

Ltac tw_mx sizes letters params t i j :=
  let found := tw_find t letters in
  lazymatch found with
  | Some ?k => constr:(Letter k i j)
  | None =>
      let mx t i j := tw_mx sizes letters params t i j in
      let sc t := tw_sc sizes letters params t in
      lazymatch t with
      | GRing.zero _ => constr:(Null i j)
      | GRing.add ?a ?b =>
          let u := mx a i j in let v := mx b i j in constr:(@Add i j u v)
      | GRing.opp ?a => let u := mx a i j in constr:(@Opp i j u)
      | GRing.natmul ?a ?n => let u := mx a i j in constr:(@Muln i j u n)
      | GRing.scale ?x ?a =>
          let s := sc x in let u := mx a i j in constr:(@Scale i j s u)
      | scalar_mx ?x => let s := sc x in constr:(@Scalar i s)
      | @mulmx _ _ ?n _ ?a ?b =>
          let m := tw_object sizes n in
          let u := mx a i m in let v := mx b m j in constr:(@Mul i m j u v)
      | trmx ?a => let u := mx a j i in constr:(@Transp j i u)
      | _ =>
          let found := tw_find_convertible t letters in
          lazymatch found with
          | Some ?k => constr:(Letter k i j)
          | None => fail 100
              "certificate: neither a letter nor a sum, product, multiple or transpose:" t
          end
      end
  end
with tw_sc sizes letters params t :=
  let found := tw_find t params in
  lazymatch found with
  | Some ?k => constr:(Param k)
  | None =>
      let sc t := tw_sc sizes letters params t in
      lazymatch t with
      | GRing.zero _ => constr:(Zero)
      | GRing.one _ => constr:(One)
      | GRing.natmul (GRing.one _) ?n => constr:(Nat n)
      | GRing.inv (GRing.natmul (GRing.one _) ?n) => constr:(InvNat n)
      | GRing.add ?a ?b => let u := sc a in let v := sc b in constr:(ScAdd u v)
      | GRing.opp ?a => let u := sc a in constr:(ScOpp u)
      | GRing.natmul ?a ?n => let u := sc a in constr:(ScMuln u n)
      | GRing.mul ?a ?b => let u := sc a in let v := sc b in constr:(ScMul u v)
      | GRing.exp ?a ?n => let u := sc a in constr:(ScExp u n)
      | fun_of_matrix ?a _ _ =>
          let u := tw_mx sizes letters params a O O in constr:(Entry u)
      | _ =>
          let found := tw_find_convertible t params in
          lazymatch found with
          | Some ?k => constr:(Param k)
          | None => fail 100
              "certificate: neither a parameter nor a sum, product, power or entry:" t
          end
      end
  end.

Ltac tw_equation sizes letters params e :=
  lazymatch e with
  | @eq ?T ?l ?r =>
      let T' := eval hnf in T in
      lazymatch T' with
      | matrix _ ?a ?b =>
          let i := tw_object sizes a in
          let j := tw_object sizes b in
          let u := tw_mx sizes letters params l i j in
          let v := tw_mx sizes letters params r i j in
          constr:(@MxEq i j u v)
      | _ =>
          let u := tw_sc sizes letters params l in
          let v := tw_sc sizes letters params r in
          constr:(ScEq u v)
      end
  | _ => fail 100 "certificate: not an equation:" e
  end.

Ltac tw_equations sizes letters params hyps :=
  lazymatch hyps with
  | tt => constr:(@nil equation)
  | (?h, ?hyps') =>
      let statement := type of h in
      let e := tw_equation sizes letters params statement in
      let es := tw_equations sizes letters params hyps' in
      constr:(@cons equation e es)
  end.

Ltac tw_proofs hyps :=
  lazymatch hyps with
  | tt => constr:(I)
  | (?h, ?hyps') => let proofs := tw_proofs hyps' in constr:(conj h proofs)
  end.

Ltac tw_seq T l :=
  lazymatch l with
  | tt => constr:(@nil T)
  | (?x, ?l') => let s := tw_seq T l' in constr:(@cons T x s)
  end.

Ltac tw_signature sizes letters :=
  lazymatch letters with
  | tt => constr:(@nil (nat * nat))
  | (?A, ?letters') =>
      let T := type of A in
      let T' := eval hnf in T in
      lazymatch T' with
      | matrix _ ?a ?b =>
          let i := tw_object sizes a in
          let j := tw_object sizes b in
          let s := tw_signature sizes letters' in
          constr:(@cons (nat * nat) (i, j) s)
      end
  end.

Ltac tw_field :=
  lazymatch goal with
  | R : realFieldType |- _ => constr:(R)
  | R : rcfType |- _ => constr:(Num.RealClosedField.realFieldType R)
  | _ => fail 100 "certificate: no R : realFieldType or R : rcfType in the context"
  end.

(* Calls  k R signature multiplier goal equations sizes letters params proofs *)
Ltac tw_reify multiplier sizes letters params hyps k :=
  let sizes := tw_flatten sizes tt in
  let letters := tw_flatten letters tt in
  let params := tw_flatten params tt in
  let hyps := tw_flatten hyps tt in
  let R := tw_field in
  lazymatch goal with
  | |- @eq ?T ?l ?r =>
      let signature := tw_signature sizes letters in
      let multiplier' := tw_sc sizes letters params multiplier in
      let goal' := tw_equation sizes letters params (@eq T l r) in
      let equations := tw_equations sizes letters params hyps in
      let proofs := tw_proofs hyps in
      let sizes' := tw_seq nat sizes in
      let params' := tw_seq (Num.RealField.sort R) params in
      k R signature multiplier' goal' equations sizes' letters params' proofs
  | |- ?e => fail 100 "certificate: not an equation:" e
  end.

Ltac tw_certificate multiplier multiplier_neq0 sizes letters params hyps steps :=
  tw_reify multiplier sizes letters params hyps
    ltac:(fun R signature multiplier' goal' equations sizes' letters' params' proofs =>
      let accepted := fresh "accepted" in
      assert (accepts signature multiplier' goal' equations steps = true) as accepted;
      [ first [ abstract (vm_cast_no_check (@erefl bool true))
              | fail 100 "certificate: rejected" ]
      | exact (@accepts_sound R sizes' signature letters' params'
                 multiplier' goal' equations steps accepted multiplier_neq0 proofs) ]).

Tactic Notation "certificate" constr(sizes) constr(letters) constr(params)
    constr(hyps) constr(steps) :=
  let R := tw_field in
  tw_certificate (GRing.one (Num.RealField.ringType R)) (@oner_neq0 R)
    sizes letters params hyps steps.

Tactic Notation "certificate_scaled" constr(multiplier_neq0) constr(sizes)
    constr(letters) constr(params) constr(hyps) constr(steps) :=
  let T := type of multiplier_neq0 in
  lazymatch T with
  | is_true (negb (eq_op ?multiplier _)) =>
      tw_certificate multiplier multiplier_neq0 sizes letters params hyps steps
  | _ => fail 100 "certificate_scaled: not of the form x != 0:" T
  end.

Tactic Notation "certificate_rejected" constr(sizes) constr(letters) constr(params)
    constr(hyps) constr(steps) :=
  let R := tw_field in
  tw_reify (GRing.one (Num.RealField.ringType R)) sizes letters params hyps
    ltac:(fun R signature multiplier' goal' equations sizes' letters' params' proofs =>
      let verdict :=
        eval vm_compute in (accepts signature multiplier' goal' equations steps) in
      lazymatch verdict with
      | false => idtac
      | _ => fail 100 "certificate_rejected: accepted"
      end).

(* -------------------------------------------------------------------------- *)
(*  Rules: what is no combination of hypotheses                               *)
(* -------------------------------------------------------------------------- *)

Section Rules.
Variable R : realFieldType.

Lemma rule_flip n (A B : 'M[R]_n) : A *m B = 1%:M -> B *m A = 1%:M.
Proof. exact: mulmx1C. Qed.

Lemma rule_gram m n (M : 'M[R]_(m, n)) : M^T *m M = 0 -> M = 0.
Proof. exact: gram_eq0. Qed.

Lemma rule_gram_sum m n p (M : 'M[R]_(m, p)) (N : 'M[R]_(n, p)) :
  M^T *m M + N^T *m N = 0 -> M = 0 /\ N = 0.
Proof. exact: gram_sum_eq0. Qed.

Lemma rule_squares (x y : R) : x ^+ 2 + y ^+ 2 = 0 -> x = 0 /\ y = 0.
Proof.
move/eqP; rewrite paddr_eq0 ?sqr_ge0 // !sqrf_eq0.
by case/andP=> /eqP -> /eqP ->.
Qed.

Lemma rule_skew n (S : 'M[R]_n) : S^T = - S -> 1%:M + S \in unitmx.
Proof. exact: skew_unitmx. Qed.

Lemma rule_skew_scaled n (S : 'M[R]_n) (s : R) :
  S^T = - S -> 1%:M + s *: S \in unitmx.
Proof. by move=> skewS; apply: skew_unitmx; rewrite trmx_scale skewS scalerN. Qed.

Lemma rule_cauchy_schwarz n (u v : 'cV[R]_n) :
  0 <= (u^T *m u) 0 0 * (v^T *m v) 0 0 - (u^T *m v) 0 0 ^+ 2.
Proof.
have [uu0|uu_neq0] := eqVneq ((u^T *m u) 0 0) 0.
  by rewrite (gram_entry_eq0 uu0) trmx0 !mul0mx entry_zero mul0r expr0n subr0.
have uu_gt0 : 0 < (u^T *m u) 0 0 by rewrite lt_def uu_neq0 gram_ge0.
rewrite -(pmulr_rge0 _ uu_gt0); set projected := _ * _.
suff -> : projected =
    (((u^T *m u) 0 0 *: v - (u^T *m v) 0 0 *: u)^T *m
     ((u^T *m u) 0 0 *: v - (u^T *m v) 0 0 *: u)) 0 0 by exact: gram_ge0.
rewrite /projected.
certificate n (u, v) tt tt (@nil step).
Qed.

Lemma rule_one_plus_gt0 (s w : R) : 0 <= w -> 0 < 1 + s ^+ 2 * w.
Proof. by move=> w_ge0; rewrite ltr_paddr ?ltr01 // mulr_ge0 ?sqr_ge0. Qed.

Lemma rule_one_plus_neq0 (s w : R) : 0 <= w -> 1 + s ^+ 2 * w != 0.
Proof. by move/rule_one_plus_gt0=> /(_ s) /lt0r_neq0. Qed.

Lemma rule_nat_neq0 n : n.+1%:R != 0 :> R.
Proof. by rewrite pnatr_eq0. Qed.

End Rules.

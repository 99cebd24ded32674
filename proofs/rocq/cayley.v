(* ========================================================================== *)
(*  cayley: the rotation Q = (1 + S)^-1 (1 - S) of a skew S                   *)
(*                                                                            *)
(* Source: the E-Delta-MHC-Geo Transformer, arXiv 2605.06729, Thm 4.1 and     *)
(* 4.6, and Thm 1 to 5 of its companion notes (all retold). Every lemma holds *)
(* in every dimension, over every ordered field. W is u v^T - v u^T, omega^2  *)
(* = |u|^2 |v|^2 - (u.v)^2, S = (beta/2) W where u and v are named.           *)
(*                                                                            *)
(*       generator_skew == cayley.generator_skew: 'u v^T - v u^T is skew'     *)
(*          nonsingular == cayley.nonsingular: '1 + S is invertible for skew  *)
(*                         S'                                                 *)
(*    nonsingular_minus == the same for 1 - S                                 *)
(*      factors_commute == cayley.factors_commute: 'the two factors commute'  *)
(*           orthogonal == cayley.orthogonal (Thm 4.1): 'Q^T Q = 1 for every  *)
(*                         input and every beta', that is for every skew S    *)
(*             isometry == cayley.isometry: 'the norm is preserved';          *)
(*                         isometry_squared has no square roots               *)
(*          determinant == cayley.determinant: 'det Q = 1'                    *)
(*         no_minus_one == cayley.no_minus_one (Thm 4.6): '-1 is not an       *)
(*                         eigenvalue of Q'                                   *)
(*     closed_form_gram == cayley.closed_form_gram: 'what an error in omega^2 *)
(*                         costs the closed form'; closed_form_gram_of is the *)
(*                         identity behind it                                 *)
(*       rank_minus_one == Q - 1 has rank at most 2                           *)
(*     identity_at_zero == cayley.identity_at_zero: 'Q = 1 exactly at beta =  *)
(*                         0 or for dependent u, v'; generator_eq0: W = 0     *)
(*             plus_one == 1 + Q = 2 (1 + S)^-1                               *)
(*       cauchy_schwarz == (u.v)^2 <= |u|^2 |v|^2                             *)
(*    generator_stretch == |W y| <= omega |y|; equality in the plane          *)
(*                         (generator_in_plane)                               *)
(* distance_to_minus_one ==                                                   *)
(*                         cayley.distance_to_minus_one: 'the smallest        *)
(*                         singular value of 1 + Q is 2/sqrt(1 + s^2          *)
(*                         omega^2): positive, and tends to 0 with growing    *)
(*                         beta'                                              *)
(*                                                                            *)
(* Thm 4.6 is proved from the invertibility of 1 + S. 'Because the image lies *)
(* in SO(n)', the reason in the summary, is false:                            *)
(* cayley.so_excludes_minus_one_printed.                                      *)
(* Left out: the angle, derivatives, eigenvalues, and what certificates       *)
(* decide.                                                                    *)
(* ========================================================================== *)
From mathcomp Require Import all_ssreflect all_algebra ring.
From deltaproof Require Import matrix_kit norm_kit.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Lemma generator_skew (R : comRingType) (n : nat) (u v : 'cV[R]_n) :
  (u *m v^T - v *m u^T)^T = - (u *m v^T - v *m u^T).
Proof. by rewrite !transposeE opprB. Qed.

Section OrderedField.
Variables (R : realFieldType) (n : nat).
Implicit Type S : 'M[R]_n.

Lemma nonsingular S : S^T = - S -> 1%:M + S \in unitmx.
Proof. exact: skew_unitmx. Qed.

Lemma nonsingular_minus S : S^T = - S -> 1%:M - S \in unitmx.
Proof. by move=> skewS; apply: nonsingular; rewrite trmx_opp skewS. Qed.

Lemma factors_commute S : S^T = - S ->
  invmx (1%:M + S) *m (1%:M - S) = (1%:M - S) *m invmx (1%:M + S).
Proof.
move=> skewS; have unitS := nonsingular skewS.
have commute : (1%:M + S) *m (1%:M - S) = (1%:M - S) *m (1%:M + S) by mxring.
by apply: (can_inj (mulKmx unitS)); rewrite mulKVmx // mulmxA commute mulmxK.
Qed.

Lemma orthogonal S : S^T = - S ->
  (invmx (1%:M + S) *m (1%:M - S))^T *m (invmx (1%:M + S) *m (1%:M - S)) = 1%:M.
Proof.
move=> skewS; have unitS := nonsingular skewS.
rewrite {1}factors_commute // trmx_mul trmx_inv !(trmx_add, trmx1, trmx_opp) skewS opprK.
rewrite mulmxA mulmxK //; exact/mulVmx/nonsingular_minus.
Qed.

Lemma isometry_squared S (y : 'cV[R]_n) : S^T = - S ->
  (invmx (1%:M + S) *m (1%:M - S) *m y)^T *m (invmx (1%:M + S) *m (1%:M - S) *m y) =
  y^T *m y.
Proof.
move=> skewS; rewrite trmx_mul mulmxA -[_ *m _ *m (_ *m _)]mulmxA.
by rewrite orthogonal // mulmx1.
Qed.

Lemma determinant S : S^T = - S -> \det (invmx (1%:M + S) *m (1%:M - S)) = 1.
Proof.
move=> skewS; have := nonsingular skewS; rewrite unitmxE => unit_det.
have <- : (1%:M + S)^T = 1%:M - S by rewrite trmx_add trmx1 skewS.
by rewrite det_mulmx det_inv det_tr mulVr.
Qed.

Lemma no_minus_one S (x : 'cV[R]_n) : S^T = - S ->
  invmx (1%:M + S) *m (1%:M - S) *m x = - x -> x = 0.
Proof.
move=> skewS /(congr1 (mulmx (1%:M + S))); rewrite !mulmxA mulmxV ?nonsingular //.
rewrite mul1mx mulmxBl mulmxN mulmxDl mul1mx opprD => /addIr /eqP.
by rewrite -addr_eq0 -mulr2n -scaler_nat scaler_eq0 pnatr_eq0 => /eqP.
Qed.

End OrderedField.

Lemma isometry (R : rcfType) (n : nat) (S : 'M[R]_n) (y : 'cV[R]_n) : S^T = - S ->
  Num.sqrt (((invmx (1%:M + S) *m (1%:M - S) *m y)^T *m
             (invmx (1%:M + S) *m (1%:M - S) *m y)) 0 0) =
  Num.sqrt ((y^T *m y) 0 0).
Proof. by move=> skewS; rewrite isometry_squared. Qed.

Lemma closed_form_gram_of (R : comRingType) (n : nat) (W : 'M[R]_n) (c s t : R) :
  W^T = - W -> 2%:R * s = c * (1 + s ^+ 2 * t) ->
  (1%:M - c *: (W - s *: (W *m W)))^T *m (1%:M - c *: (W - s *: (W *m W))) - 1%:M =
  (c ^+ 2 * s ^+ 2) *: (W *m W *m (W *m W + t *: 1%:M)).
Proof.
move=> skewW c_def; rewrite !transposeE skewW.
transitivity ((c * (2%:R * s) - c ^+ 2) *: (W *m W) + (c ^+ 2 * s ^+ 2) *: (W *m W *m W *m W)).
  by mxring.
by rewrite c_def; mxring.
Qed.

Lemma closed_form_gram (R : realFieldType) (n : nat) (t beta : R) (W : 'M[R]_n) :
  W^T = - W -> 0 <= t ->
  (1%:M - (2%:R * (beta / 2%:R) / (1 + (beta / 2%:R) ^+ 2 * t)) *:
     (W - (beta / 2%:R) *: (W *m W)))^T *m
  (1%:M - (2%:R * (beta / 2%:R) / (1 + (beta / 2%:R) ^+ 2 * t)) *:
     (W - (beta / 2%:R) *: (W *m W))) - 1%:M =
  ((2%:R * (beta / 2%:R) / (1 + (beta / 2%:R) ^+ 2 * t)) ^+ 2 * (beta / 2%:R) ^+ 2) *:
    (W *m W *m (W *m W + t *: 1%:M)).
Proof.
move=> skewW t_ge0; apply: closed_form_gram_of => //; rewrite mulfVK // gt_eqF //.
by rewrite ltr_paddr ?ltr01 // mulr_ge0 ?sqr_ge0.
Qed.

Section RankTwo.
Variables (R : realFieldType) (n : nat).
Implicit Types (S : 'M[R]_n) (u v : 'cV[R]_n).

Lemma scaled_generator_skew (s : R) u v :
  (s *: (u *m v^T - v *m u^T))^T = - (s *: (u *m v^T - v *m u^T)).
Proof. by rewrite trmx_scale generator_skew scalerN. Qed.

Lemma minus_one S : S^T = - S ->
  invmx (1%:M + S) *m (1%:M - S) - 1%:M = invmx (1%:M + S) *m ((- 2%:R) *: S).
Proof.
move=> skewS; have unitS := nonsingular skewS.
apply: (can_inj (mulKmx unitS)); rewrite mulmxBr !mulKVmx // mulmx1.
by mxlin.
Qed.

Lemma rank_minus_one (s : R) u v :
  (\rank (invmx (1%:M + s *: (u *m v^T - v *m u^T)) *m (1%:M - s *: (u *m v^T - v *m u^T))
          - 1%:M)%R <= 2)%N.
Proof.
rewrite minus_one; last exact: scaled_generator_skew.
apply: leq_trans (mxrankM_maxr _ _) _; rewrite scalerA.
by apply: leq_trans (rank_scale _ _) _; apply: (rank_sub (a := 1) (b := 1)); exact: rank_outer.
Qed.

Lemma identity_iff_zero S : S^T = - S ->
  invmx (1%:M + S) *m (1%:M - S) = 1%:M <-> S = 0.
Proof.
move=> skewS; split=> [|->]; last by rewrite addr0 subr0 mulmx1 invmx1.
move/(congr1 (mulmx (1%:M + S))); rewrite mulKVmx ?nonsingular // mulmx1.
move=> /addrI /eqP; rewrite eq_sym -addr_eq0 -mulr2n -scaler_nat scaler_eq0 pnatr_eq0.
by move/eqP.
Qed.

Lemma generator_eq0 u v :
  u *m v^T - v *m u^T = 0 <->
  (exists a b : R, (a <> 0 \/ b <> 0) /\ a *: u + b *: v = 0).
Proof.
split=> [W0 | [a [b [nonzero]]]].
  have [->|u_neq0] := eqVneq u 0.
    by exists 1, 0; split; [left; apply/eqP/oner_neq0 | rewrite scaler0 scale0r addr0].
  exists (gram_dot v u), (- gram u); split.
    by right; apply/eqP; rewrite oppr_eq0 gt_eqF // gram_gt0 //; apply/eqP.
  have := congr1 (mulmx^~ u) W0; rewrite /= mul0mx mulmxBl -!mulmxA !mulmx_mx11_r.
  by rewrite scaleNr.
have swap (x y : 'cV[R]_n) (c : R) : x = c *: y -> x *m y^T - y *m x^T = 0.
  by move=> ->; rewrite trmx_scale mulmx_scale_l mulmx_scale_r subrr.
case: nonzero => /eqP coefficient_neq0 /eqP.
  rewrite addr_eq0 => /eqP au; apply: (swap _ _ (- (a^-1 * b))).
  by rewrite scaleNr -scalerA -scalerN -au scalerA mulVf ?scale1r.
rewrite addrC addr_eq0 => /eqP bv; apply/eqP; rewrite -oppr_eq0 opprB; apply/eqP.
apply: (swap _ _ (- (b^-1 * a))).
by rewrite scaleNr -scalerA -scalerN -bv scalerA mulVf ?scale1r.
Qed.
Lemma identity_at_zero (beta : R) u v :
  invmx (1%:M + (beta / 2%:R) *: (u *m v^T - v *m u^T)) *m
    (1%:M - (beta / 2%:R) *: (u *m v^T - v *m u^T)) = 1%:M <->
  (beta = 0 \/ (exists a : R, exists b : R, (a <> 0 \/ b <> 0) /\ a *: u + b *: v = 0)).
Proof.
rewrite identity_iff_zero; last by rewrite trmx_scale generator_skew scalerN.
split=> [/eqP|[->|/generator_eq0 ->]]; last by rewrite scaler0.
  rewrite scaler_eq0 mulf_eq0 invr_eq0 pnatr_eq0 orbF => /orP[/eqP|/eqP/generator_eq0].
    by left.
  by right.
by rewrite mul0r scale0r.
Qed.
End RankTwo.

Section Distance.
Variables (R : realFieldType) (n : nat).
Implicit Types (S : 'M[R]_n) (u v x y : 'cV[R]_n).

Lemma plus_one S : S^T = - S -> 1%:M + invmx (1%:M + S) *m (1%:M - S) = 2%:R *: invmx (1%:M + S).
Proof.
move=> skewS; have unitS := nonsingular skewS; apply: (can_inj (mulKmx unitS)).
by rewrite mulmxDr mulmx1 mulKVmx // -scalemxAr mulmxV //; mxlin.
Qed.

Lemma gram_one_plus_skew S y : S^T = - S -> gram ((1%:M + S) *m y) = gram y + gram (S *m y).
Proof.
move=> skewS; rewrite mulmxDl mul1mx gram_add [y^T *m (S *m y)]mulmxA skew_form_eq0 // entry_zero mulr0.
by rewrite addr0.
Qed.

Lemma cauchy_schwarz u v : gram_dot u v ^+ 2 <= gram u * gram v.
Proof.
have [->|/eqP u_neq0] := eqVneq u 0.
  by rewrite trmx0 !mul0mx entry_zero expr0n mul0r.
have u_gt0 := gram_gt0 u_neq0; rewrite -subr_ge0 -(pmulr_rge0 _ u_gt0).
have := gram_ge0 (gram u *: v - gram_dot u v *: u).
rewrite gram_sub !gram_scale gram_dot_scale [gram_dot v u]gram_dotC; congr (_ <= _).
by name_entries; ring.
Qed.

Lemma omega_ge0 u v : 0 <= gram u * gram v - gram_dot u v ^+ 2.
Proof. by rewrite subr_ge0 cauchy_schwarz. Qed.

Lemma generator_acts u v y :
  (u *m v^T - v *m u^T) *m y = gram_dot v y *: u + (- gram_dot u y) *: v.
Proof. by rewrite mulmxBl -!mulmxA !mulmx_mx11_r scaleNr. Qed.

Lemma gram_plane u v (p q : R) :
  gram (p *: u + q *: v) = p ^+ 2 * gram u + q ^+ 2 * gram v + 2%:R * p * q * gram_dot u v.
Proof. by rewrite gram_add !gram_scale gram_dot_scale; name_entries; ring. Qed.

Lemma gram_dot_plane u v x (p q : R) :
  gram_dot x (p *: u + q *: v) = p * gram_dot x u + q * gram_dot x v.
Proof. by rewrite mulmxDr !mulmx_scale_r entry_add !entry_scale. Qed.

(* in the plane of u and v the generator multiplies lengths by omega *)
Lemma generator_in_plane u v (p q : R) :
  gram ((u *m v^T - v *m u^T) *m (p *: u + q *: v)) =
  (gram u * gram v - gram_dot u v ^+ 2) * gram (p *: u + q *: v).
Proof.
rewrite generator_acts !gram_plane !gram_dot_plane [gram_dot v u]gram_dotC.
by name_entries; ring.
Qed.

(* and nowhere by more: |z|^4 = (z . W y)^2 = (W z . y)^2 for z = W y *)
Lemma generator_stretch u v y :
  gram ((u *m v^T - v *m u^T) *m y) <= (gram u * gram v - gram_dot u v ^+ 2) * gram y.
Proof.
set W := u *m v^T - v *m u^T; set z := W *m y.
have [z0|z_neq0] := eqVneq (gram z) 0; first by rewrite z0 mulr_ge0 ?omega_ge0 ?gram_ge0.
have z_gt0 : 0 < gram z by rewrite lt_def z_neq0 gram_ge0.
have in_plane : gram (W *m z) = (gram u * gram v - gram_dot u v ^+ 2) * gram z.
  have := generator_in_plane u v (gram_dot v y) (- gram_dot u y).
  by rewrite -generator_acts.
have moved : gram_dot (W *m z) y = - gram z.
  by rewrite [(W *m z)^T]trmx_mul generator_skew -/W mulmxN mulNmx entry_opp -mulmxA.
have := cauchy_schwarz (W *m z) y; rewrite in_plane moved sqrrN.
by rewrite mulrAC expr2 ler_pmul2r.
Qed.

End Distance.

Lemma distance_attained (R : realFieldType) (n : nat) (u v : 'cV[R]_n) : (0 < n)%N ->
  exists y : 'cV[R]_n, y <> 0 /\
    gram ((u *m v^T - v *m u^T) *m y) = (gram u * gram v - gram_dot u v ^+ 2) * gram y.
Proof.
move=> n_gt0; have [->|/eqP u_neq0] := eqVneq u 0; last first.
  exists u; split=> //; have := generator_in_plane u v 1 0.
  by rewrite scale1r scale0r addr0.
exists (const_mx 1); split.
  by move/matrixP/(_ (Ordinal n_gt0) 0); rewrite !mxE => /eqP; rewrite oner_eq0.
have -> : (0 : 'cV[R]_n) *m v^T - v *m 0^T = 0 by rewrite mul0mx trmx0 mulmx0 subrr.
by rewrite !mul0mx !trmx0 !mul0mx !entry_zero mul0r expr0n subrr mul0r.
Qed.

(* 2/sqrt (1 + b^2 w/4) falls below any tolerance beyond some gate *)
Lemma decay_of_distance (R : rcfType) (w : R) : 0 < w ->
  forall tolerance : R, 0 < tolerance -> exists bound : R, 0 <= bound /\
    forall beta : R, bound < `|beta| ->
      `|2%:R / Num.sqrt (1 + (beta / 2%:R) ^+ 2 * w) - 0| < tolerance.
Proof.
move=> w_gt0 tolerance tolerance_gt0.
pose c := Num.sqrt w; have c_gt0 : 0 < c by rewrite sqrtr_gt0.
exists (4%:R / (c * tolerance)); split; first by rewrite divr_ge0 ?mulr_ge0 ?ler0n ?ltW.
move=> beta far; have beta_gt0 : 0 < `|beta|.
  by apply: le_lt_trans far; rewrite divr_ge0 ?mulr_ge0 ?ler0n ?ltW.
have root_gt : `|beta| / 2%:R * c < Num.sqrt (1 + (beta / 2%:R) ^+ 2 * w).
  have -> : `|beta| / 2%:R * c = Num.sqrt ((beta / 2%:R) ^+ 2 * w).
    by rewrite sqrtrM ?sqr_ge0 // sqrtr_sqr normrM normfV [`|2%:R|]ger0_norm ?ler0n.
  rewrite ltr_sqrt ?ltr_addr ?ltr01 //.
  by apply: (ltr_paddr (mulr_ge0 (sqr_ge0 _) (ltW w_gt0))); exact: ltr01.
have root_gt0 := le_lt_trans (mulr_ge0 (divr_ge0 (ltW beta_gt0) (ler0n _ _)) (ltW c_gt0)) root_gt.
rewrite subr0 ger0_norm ?divr_ge0 ?ler0n ?ltW // ltr_pdivr_mulr //.
apply: lt_trans (_ : tolerance * (`|beta| / 2%:R * c) < _); last by rewrite ltr_pmul2l.
have : 4%:R < `|beta| * (c * tolerance) by rewrite -ltr_pdivr_mulr // mulr_gt0.
have -> : tolerance * (`|beta| / 2%:R * c) = `|beta| * (c * tolerance) / 2%:R.
  by field.
have -> : 4%:R = 2%:R * 2%:R :> R by rewrite -natrM.
by rewrite -ltr_pdivl_mulr ?ltr0n.
Qed.

Section Smallest.
Variables (R : rcfType) (n : nat).
Implicit Types (u v : 'cV[R]_n).

Lemma distance_positive (s w : R) : 0 <= w -> 0 < 2%:R / Num.sqrt (1 + s ^+ 2 * w).
Proof.
move=> w_ge0; rewrite divr_gt0 ?ltr0n // sqrtr_gt0.
exact: (ltr_paddr (mulr_ge0 (sqr_ge0 _) w_ge0) ltr01).
Qed.

Lemma smallest_of_plus_one (s : R) u v : (0 < n)%N ->
  0 <= 2%:R / Num.sqrt (1 + s ^+ 2 * (gram u * gram v - gram_dot u v ^+ 2)) /\
  (forall x : 'cV[R]_n,
     2%:R / Num.sqrt (1 + s ^+ 2 * (gram u * gram v - gram_dot u v ^+ 2)) *
       Num.sqrt (gram x) <=
     Num.sqrt (gram ((1%:M + invmx (1%:M + s *: (u *m v^T - v *m u^T)) *m
       (1%:M - s *: (u *m v^T - v *m u^T))) *m x))) /\
  (exists x : 'cV[R]_n, x <> 0 /\
     Num.sqrt (gram ((1%:M + invmx (1%:M + s *: (u *m v^T - v *m u^T)) *m
       (1%:M - s *: (u *m v^T - v *m u^T))) *m x)) =
     2%:R / Num.sqrt (1 + s ^+ 2 * (gram u * gram v - gram_dot u v ^+ 2)) *
       Num.sqrt (gram x)).
Proof.
move=> n_gt0; set w := _ - _ ^+ 2; have w_ge0 : 0 <= w := omega_ge0 u v.
have skewS := scaled_generator_skew s u v; have unitS := nonsingular skewS.
have whole_gt0 : 0 < 1 + s ^+ 2 * w := ltr_paddr (mulr_ge0 (sqr_ge0 _) w_ge0) ltr01.
have square : (2%:R / Num.sqrt (1 + s ^+ 2 * w)) ^+ 2 = 4%:R / (1 + s ^+ 2 * w).
  by rewrite exprMn exprVn sqr_sqrtr ?ltW // -natrX.
have distance_ge0 : 0 <= 2%:R / Num.sqrt (1 + s ^+ 2 * w) by apply/ltW/distance_positive.
have doubled (y : 'cV[R]_n) : gram ((1%:M + invmx (1%:M + s *: (u *m v^T - v *m u^T)) *m
    (1%:M - s *: (u *m v^T - v *m u^T))) *m ((1%:M + s *: (u *m v^T - v *m u^T)) *m y)) =
    4%:R * gram y.
  by rewrite plus_one // mulmx_scale_l mulKmx // gram_scale -natrX.
have length (y : 'cV[R]_n) : gram ((1%:M + s *: (u *m v^T - v *m u^T)) *m y) =
    gram y + s ^+ 2 * gram ((u *m v^T - v *m u^T) *m y).
  by rewrite gram_one_plus_skew // mulmx_scale_l gram_scale.
split=> //; split=> [x|].
  rewrite -[x](mulKVmx unitS); move: (invmx _ *m x) => y.
  have expand (a b c : R) : 4%:R * a * (1 + b * c) = 4%:R * (a + b * (c * a)) by ring.
  apply: norm_lower_bound => //; rewrite doubled length square mulrAC ler_pdivr_mulr //.
  rewrite expand ler_pmul2l ?ltr0n // ler_add2l; apply: ler_wpmul2l; first exact: sqr_ge0.
  exact: generator_stretch.
have [y [y_neq0 stretched]] := distance_attained u v n_gt0.
exists ((1%:M + s *: (u *m v^T - v *m u^T)) *m y); split.
  by move/(congr1 (mulmx (invmx (1%:M + s *: (u *m v^T - v *m u^T))))); rewrite mulKmx // mulmx0.
apply: norm_equal => //; rewrite doubled length stretched -/w square.
have -> : gram y + s ^+ 2 * (w * gram y) = (1 + s ^+ 2 * w) * gram y.
  by rewrite mulrDl mul1r mulrA.
by rewrite mulrA divfK ?gt_eqF.
Qed.

Lemma distance_to_minus_one (beta : R) u v : (0 < n)%N ->
  (0 <= 2%:R / Num.sqrt (1 + (beta / 2%:R) ^+ 2 * (gram u * gram v - gram_dot u v ^+ 2)) /\
   (forall x : 'cV[R]_n,
     2%:R / Num.sqrt (1 + (beta / 2%:R) ^+ 2 * (gram u * gram v - gram_dot u v ^+ 2)) *
       Num.sqrt (gram x) <=
     Num.sqrt (gram ((1%:M + invmx (1%:M + (beta / 2%:R) *: (u *m v^T - v *m u^T)) *m
       (1%:M - (beta / 2%:R) *: (u *m v^T - v *m u^T))) *m x))) /\
   (exists x : 'cV[R]_n, x <> 0 /\
     Num.sqrt (gram ((1%:M + invmx (1%:M + (beta / 2%:R) *: (u *m v^T - v *m u^T)) *m
       (1%:M - (beta / 2%:R) *: (u *m v^T - v *m u^T))) *m x)) =
     2%:R / Num.sqrt (1 + (beta / 2%:R) ^+ 2 * (gram u * gram v - gram_dot u v ^+ 2)) *
       Num.sqrt (gram x))) /\
  0 < 2%:R / Num.sqrt (1 + (beta / 2%:R) ^+ 2 * (gram u * gram v - gram_dot u v ^+ 2)) /\
  (gram u * gram v - gram_dot u v ^+ 2 <> 0 ->
   (forall tolerance : R, 0 < tolerance -> exists bound : R, forall beta : R, bound < beta ->
      `|2%:R / Num.sqrt (1 + (beta / 2%:R) ^+ 2 * (gram u * gram v - gram_dot u v ^+ 2)) - 0|
        < tolerance) /\
   (forall tolerance : R, 0 < tolerance -> exists bound : R, forall beta : R, bound < beta ->
      `|2%:R / Num.sqrt (1 + ((- beta) / 2%:R) ^+ 2 *
          (gram u * gram v - gram_dot u v ^+ 2)) - 0| < tolerance)).
Proof.
move=> n_gt0; split; first exact: smallest_of_plus_one.
split; first exact/distance_positive/omega_ge0.
move/eqP=> omega_neq0; have omega_gt0 : 0 < gram u * gram v - gram_dot u v ^+ 2.
  by rewrite lt_def omega_neq0 omega_ge0.
split=> tolerance /(decay_of_distance omega_gt0)[bound [bound_ge0 small]];
  exists bound => far_beta far; have far_gt0 := le_lt_trans bound_ge0 far; apply: small.
  by rewrite gtr0_norm.
by rewrite normrN gtr0_norm.
Qed.

End Smallest.

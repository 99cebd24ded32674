(* ========================================================================== *)
(*  hybrid: the blend B = gamma Q + (1 - gamma) H                             *)
(*                                                                            *)
(* Source: the E-Delta-MHC-Geo Transformer, arXiv 2605.06729, its summary     *)
(* (section 2.3) and companion notes, Thm 8 and 9 (all retold). Q and H are   *)
(* orthogonal, det Q = 1, det H = - 1, 0 <= gamma <= 1. Every lemma holds in  *)
(* every dimension.                                                           *)
(*                                                                            *)
(*      both_components == hybrid.both_components: 'det B is 1 at gamma = 1   *)
(*                         and -1 at gamma = 0'                               *)
(*       opposed_vector == some x <> 0 has H x = - Q x; there B x = (2 gamma  *)
(*                         - 1) Q x (blend_opposed)                           *)
(*      gram_blend_lost == |B x|^2 = |x|^2 - gamma (1 - gamma) |Q x - H x|^2  *)
(*      gram_blend_kept == |B x|^2 = (2 gamma - 1)^2 |x|^2 + gamma (1 -       *)
(*                         gamma) |Q x + H x|^2                               *)
(*    midpoint_singular == hybrid.midpoint_singular: 'at gamma = 1/2 the      *)
(*                         blend is singular'                                 *)
(* interior_not_orthogonal ==                                                 *)
(*                         hybrid.interior_not_orthogonal: 'no blend with 0 < *)
(*                         gamma < 1 is orthogonal'                           *)
(*          norm_bounds == hybrid.norm_bounds: '|2 gamma - 1| |x| <= |B x| <= *)
(*                         |x|'                                               *)
(* smallest_singular_value ==                                                 *)
(*                         hybrid.smallest_singular_value: 'it is |2 gamma -  *)
(*                         1|'                                                *)
(* orthogonality_defect == hybrid.orthogonality_defect: 'the norm of B^T B -  *)
(*                         1 is 4 gamma (1 - gamma)'                          *)
(* distance_to_orthogonal ==                                                  *)
(*                         hybrid.distance_to_orthogonal: 'the distance from  *)
(*                         B to O(n) is 1 - |2 gamma - 1|'                    *)
(*   planar_determinant == hybrid.planar_determinant: 'det B = 2 gamma - 1    *)
(*                         for n = 2'                                         *)
(* blend_reaches_rotation_on_one_vector ==                                    *)
(*                         hybrid.blend_reaches_rotation_on_one_vector: 'at   *)
(*                         gamma = 1/2 the blend meets a rotation on one      *)
(*                         vector'                                            *)
(*   common_fixed_space == hybrid.common_fixed_space: 'a layer fixes all but  *)
(*                         three dimensions, so it is at distance 2 from -1   *)
(*                         for n >= 4'                                        *)
(*  reduces_to_residual == hybrid.reduces_to_residual: 'with the gate open    *)
(*                         the layer is a residual one'                       *)
(* depth_covers_orthogonal_group ==                                           *)
(*                         hybrid.depth_covers_orthogonal_group: 'n layers    *)
(*                         with closed gates reach every element of O(n)'     *)
(*                                                                            *)
(* Left out: what certificates decide.                                        *)
(* ========================================================================== *)
From mathcomp Require Import all_ssreflect all_algebra ring.
From deltaproof Require Import matrix_kit norm_kit index_kit cayley reflection.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section OrderedField.
Variables (R : realFieldType) (n : nat).
Implicit Types (Q H M : 'M[R]_n) (x : 'cV[R]_n) (gamma : R).

Lemma both_components Q H gamma : \det Q = 1 -> \det H = - 1 ->
  (gamma = 1 -> \det (gamma *: Q + (1 - gamma) *: H) = 1) /\
  (gamma = 0 -> \det (gamma *: Q + (1 - gamma) *: H) = - 1).
Proof.
move=> detQ detH; split=> ->.
  by rewrite subrr scale0r scale1r addr0.
by rewrite subr0 scale0r scale1r add0r.
Qed.

Lemma sum_singular Q H : Q^T *m Q = 1%:M -> H^T *m H = 1%:M ->
  \det Q = 1 -> \det H = - 1 -> \det (Q + H) = 0.
Proof.
move=> oQ oH detQ detH.
have fixed : Q *m (Q + H)^T *m H = Q + H.
  rewrite trmx_add mulmxDr (mulmx1C oQ) mulmxDl mul1mx -mulmxA oH mulmx1.
  by rewrite addrC.
have /eqP := congr1 (fun M : 'M_n => \det M) fixed; rewrite /=.
rewrite !det_mulmx det_tr detQ detH mul1r mulrN1 eq_sym -addr_eq0 -mulr2n.
by rewrite mulrn_eq0 /= => /eqP.
Qed.

Lemma midpoint_singular Q H : Q^T *m Q = 1%:M -> H^T *m H = 1%:M ->
  \det Q = 1 -> \det H = - 1 -> \det ((1 / 2%:R) *: (Q + H)) = 0.
Proof. by move=> oQ oH detQ detH; rewrite detZ sum_singular ?mulr0. Qed.

Lemma turn_orthogonal Q H : Q^T *m Q = 1%:M -> H^T *m H = 1%:M ->
  (Q^T *m H)^T *m (Q^T *m H) = 1%:M.
Proof.
move=> oQ oH; rewrite trmx_mul trmxK mulmxA -[_ *m Q *m _]mulmxA (mulmx1C oQ).
by rewrite mulmx1.
Qed.

(* some x that H negates as Q moves it: on it the blend is (2 gamma - 1) Q *)
Lemma opposed_vector Q H : Q^T *m Q = 1%:M -> H^T *m H = 1%:M ->
  \det Q = 1 -> \det H = - 1 -> exists x, x <> 0 /\ H *m x = - (Q *m x).
Proof.
move=> oQ oH detQ detH.
have [x [x_neq0 sum0]] := singular_vector (sum_singular oQ oH detQ detH).
exists x; split=> //; apply/eqP; rewrite -addr_eq0 addrC -mulmxDl.
exact/eqP.
Qed.

Lemma blend_opposed Q H gamma x : H *m x = - (Q *m x) ->
  (gamma *: Q + (1 - gamma) *: H) *m x = (2%:R * gamma - 1) *: (Q *m x).
Proof.
move=> Hx; rewrite mulmxDl !mulmx_scale_l Hx scalerN -scalerBl.
by congr (_ *: _); ring.
Qed.

(* the two readings of |B x|^2: how much is lost, and what is kept *)
Lemma gram_blend_lost Q H gamma x : Q^T *m Q = 1%:M -> H^T *m H = 1%:M ->
  gram ((gamma *: Q + (1 - gamma) *: H) *m x) =
  gram x - gamma * (1 - gamma) * gram (Q *m x - H *m x).
Proof.
move=> oQ oH; rewrite mulmxDl !mulmx_scale_l gram_add gram_sub !gram_scale.
rewrite gram_dot_scale !gram_isometry //; name_entries; ring.
Qed.

Lemma gram_blend_kept Q H gamma x : Q^T *m Q = 1%:M -> H^T *m H = 1%:M ->
  gram ((gamma *: Q + (1 - gamma) *: H) *m x) =
  (2%:R * gamma - 1) ^+ 2 * gram x + gamma * (1 - gamma) * gram (Q *m x + H *m x).
Proof.
move=> oQ oH; rewrite gram_blend_lost // gram_sub gram_add !gram_isometry //.
by name_entries; ring.
Qed.

Lemma interior_not_orthogonal Q H gamma : Q^T *m Q = 1%:M -> H^T *m H = 1%:M ->
  \det Q = 1 -> \det H = - 1 -> 0 < gamma -> gamma < 1 ->
  (gamma *: Q + (1 - gamma) *: H)^T *m (gamma *: Q + (1 - gamma) *: H) <> 1%:M.
Proof.
move=> oQ oH detQ detH gamma_gt0 gamma_lt1 oB.
have [x [x_neq0 Hx]] := opposed_vector oQ oH detQ detH.
have := gram_isometry x oB; rewrite gram_blend_lost // Hx opprK => /eqP.
rewrite -subr_eq0 addrAC subrr add0r oppr_eq0 !mulf_eq0 subr_eq0.
rewrite (gt_eqF gamma_gt0) (gt_eqF gamma_lt1) /= -mulr2n -scaler_nat gram_scale.
by rewrite gram_isometry // mulf_eq0 (gt_eqF (gram_gt0 x_neq0)) sqrf_eq0 pnatr_eq0.
Qed.

End OrderedField.

Section Norms.
Variables (R : rcfType) (n : nat).
Implicit Types (Q H U : 'M[R]_n) (x : 'cV[R]_n) (gamma : R).

Lemma blend_weight_ge0 gamma : 0 <= gamma -> gamma <= 1 -> 0 <= gamma * (1 - gamma).
Proof. by move=> gamma_ge0 gamma_le1; rewrite mulr_ge0 // subr_ge0. Qed.

Lemma norm_bounds Q H gamma x : Q^T *m Q = 1%:M -> H^T *m H = 1%:M ->
  0 <= gamma -> gamma <= 1 ->
  `|2%:R * gamma - 1| * Num.sqrt (gram x) <=
    Num.sqrt (gram ((gamma *: Q + (1 - gamma) *: H) *m x)) /\
  Num.sqrt (gram ((gamma *: Q + (1 - gamma) *: H) *m x)) <= Num.sqrt (gram x).
Proof.
move=> oQ oH gamma_ge0 gamma_le1; have weight := blend_weight_ge0 gamma_ge0 gamma_le1.
split; first apply: norm_lower_bound => //.
  by rewrite gram_blend_kept // real_normK ?num_real // ler_addl mulr_ge0 ?gram_ge0.
rewrite -[leRHS]mul1r; apply: norm_bound => //.
by rewrite gram_blend_lost // expr1n mul1r ler_subl_addr ler_addl mulr_ge0 ?gram_ge0.
Qed.

Lemma smallest_singular_value Q H gamma : Q^T *m Q = 1%:M -> H^T *m H = 1%:M ->
  \det Q = 1 -> \det H = - 1 -> 0 <= gamma -> gamma <= 1 ->
  0 <= `|2%:R * gamma - 1| /\
  (forall x, `|2%:R * gamma - 1| * Num.sqrt (gram x) <=
     Num.sqrt (gram ((gamma *: Q + (1 - gamma) *: H) *m x))) /\
  (exists x, x <> 0 /\ Num.sqrt (gram ((gamma *: Q + (1 - gamma) *: H) *m x)) =
     `|2%:R * gamma - 1| * Num.sqrt (gram x)).
Proof.
move=> oQ oH detQ detH gamma_ge0 gamma_le1; split; first exact: normr_ge0.
split=> [x|]; first by have [] := norm_bounds x oQ oH gamma_ge0 gamma_le1.
have [x [x_neq0 Hx]] := opposed_vector oQ oH detQ detH; exists x; split=> //.
apply: norm_equal => //; rewrite blend_opposed // gram_scale gram_isometry //.
by rewrite real_normK ?num_real.
Qed.

(* B^T B - 1 = gamma (1 - gamma) (Q^T H + H^T Q - 2), on x as a sum of two turns *)
Lemma blend_defect Q H gamma x : Q^T *m Q = 1%:M -> H^T *m H = 1%:M ->
  ((gamma *: Q + (1 - gamma) *: H)^T *m (gamma *: Q + (1 - gamma) *: H) - 1%:M) *m x =
  (gamma * (1 - gamma)) *: ((Q^T *m (H *m x) - x) + (H^T *m (Q *m x) - x)).
Proof.
move=> oQ oH; rewrite !transposeE; mxexpand; rewrite oQ oH; mxexpand; mxlin.
Qed.

Lemma gram_turn_le U x : U^T *m U = 1%:M -> gram (U *m x - x) <= 4%:R * gram x.
Proof.
move=> oU; have := gram_add_le (U *m x) (- x); rewrite gram_opp gram_isometry //.
by rewrite -mulrDl -natrD.
Qed.

Lemma orthogonality_defect Q H gamma : Q^T *m Q = 1%:M -> H^T *m H = 1%:M ->
  \det Q = 1 -> \det H = - 1 -> 0 <= gamma -> gamma <= 1 ->
  0 <= 4%:R * gamma * (1 - gamma) /\
  (forall x, Num.sqrt (gram
    (((gamma *: Q + (1 - gamma) *: H)^T *m (gamma *: Q + (1 - gamma) *: H) - 1%:M) *m x)) <=
     4%:R * gamma * (1 - gamma) * Num.sqrt (gram x)) /\
  (exists x, x <> 0 /\ Num.sqrt (gram
    (((gamma *: Q + (1 - gamma) *: H)^T *m (gamma *: Q + (1 - gamma) *: H) - 1%:M) *m x)) =
     4%:R * gamma * (1 - gamma) * Num.sqrt (gram x)).
Proof.
move=> oQ oH detQ detH gamma_ge0 gamma_le1.
have weight := blend_weight_ge0 gamma_ge0 gamma_le1.
have defect_ge0 : 0 <= 4%:R * gamma * (1 - gamma) by rewrite -mulrA mulr_ge0 ?ler0n.
have square : (4%:R * gamma * (1 - gamma)) ^+ 2 = (gamma * (1 - gamma)) ^+ 2 * 16%:R.
  by ring.
split=> //; split=> [x|].
  apply: norm_bound => //; rewrite blend_defect // gram_scale square -mulrA.
  rewrite ler_wpmul2l ?sqr_ge0 //; apply: le_trans (gram_add_le _ _) _.
  rewrite !mulmxA; have turnQ := gram_turn_le x (turn_orthogonal oQ oH).
  have turnH := gram_turn_le x (turn_orthogonal oH oQ).
  have -> : 16%:R = 2%:R * (4%:R + 4%:R) :> R by ring.
  by rewrite -mulrDr -mulrA ler_pmul2l ?ltr0n // mulrDl ler_add.
have [x [x_neq0 Hx]] := opposed_vector oQ oH detQ detH; exists x; split=> //.
have QHx : Q^T *m (H *m x) = - x by rewrite Hx mulmxN mulmxA oQ mul1mx.
have HQx : H^T *m (Q *m x) = - x by rewrite -[Q *m x]opprK -Hx mulmxN mulmxA oH mul1mx.
apply: norm_equal => //; rewrite blend_defect // QHx HQx gram_scale square -mulrA.
congr (_ * _).
have -> : - x - x + (- x - x) = (- 4%:R) *: x by mxlin.
by rewrite gram_scale sqrrN -natrX.
Qed.

Lemma gram_dot_le_unit U H x : U^T *m U = 1%:M -> H^T *m H = 1%:M ->
  `|gram_dot (H *m x) (U *m x)| <= gram x.
Proof.
move=> oU oH; rewrite ler_norml; have := gram_ge0 (H *m x + U *m x).
have := gram_ge0 (H *m x - U *m x); rewrite gram_sub gram_add !gram_isometry //.
rewrite -mulr2n -mulr_natl -mulrBr -mulrDr !pmulr_rge0 ?ltr0n // subr_ge0 => ->.
by rewrite addrC -ler_subl_addr sub0r => ->.
Qed.

Lemma distance_to_orthogonal Q H gamma : Q^T *m Q = 1%:M -> H^T *m H = 1%:M ->
  \det Q = 1 -> \det H = - 1 -> 0 <= gamma -> gamma <= 1 ->
  (forall U, U^T *m U = 1%:M -> exists x, x <> 0 /\
     (1 - `|2%:R * gamma - 1|) * Num.sqrt (gram x) <=
     Num.sqrt (gram ((gamma *: Q + (1 - gamma) *: H - U) *m x))) /\
  (exists U, U^T *m U = 1%:M /\ (forall x,
     Num.sqrt (gram ((gamma *: Q + (1 - gamma) *: H - U) *m x)) <=
     (1 - `|2%:R * gamma - 1|) * Num.sqrt (gram x))).
Proof.
move=> oQ oH detQ detH gamma_ge0 gamma_le1.
have near1 : `|2%:R * gamma - 1| <= 1.
  rewrite ler_norml ler_subr_addr addNr mulr_ge0 ?ler0n //=.
  have -> : (2%:R * gamma - 1 <= 1) = (2%:R * gamma <= 2%:R * 1).
    by rewrite ler_subl_addr; congr (_ <= _); ring.
  by rewrite ler_pmul2l ?ltr0n.
have away_ge0 : 0 <= 1 - `|2%:R * gamma - 1| by rewrite subr_ge0.
split=> [U oU|].
  have [x [x_neq0 Hx]] := opposed_vector oQ oH detQ detH; exists x; split=> //.
  apply: norm_lower_bound => //; rewrite mulmxBl blend_opposed // gram_sub gram_scale.
  rewrite -[U *m x in X in _ <= _ - X]scale1r gram_dot_scale mulr1 !gram_isometry //.
  set c := 2%:R * gamma - 1; set dot := gram_dot (Q *m x) (U *m x).
  have dot_le : `|dot| <= gram x := gram_dot_le_unit x oU oQ.
  have : c * dot <= `|c| * gram x.
    by apply: le_trans (ler_norm _) _; rewrite normrM ler_wpmul2l.
  rewrite -subr_ge0 => gap_ge0; rewrite -subr_ge0.
  have expand (a b N D : R) : a ^+ 2 = b ^+ 2 ->
    b ^+ 2 * N + N - 2%:R * (b * D) - (1 - a) ^+ 2 * N = 2%:R * (a * N - b * D).
    by move=> <-; ring.
  rewrite (expand `|c|) ?real_normK ?num_real //.
  by rewrite mulr_ge0 ?ler0n.
have diff_le x : gram (H *m x - Q *m x) <= 4%:R * gram x.
  have := gram_add_le (H *m x) (- (Q *m x)); rewrite gram_opp !gram_isometry //.
  by rewrite -mulrDl -natrD.
have [half_le|half_ge] := lerP 0 (2%:R * gamma - 1).
  exists Q; split=> // x; rewrite ger0_norm //; apply: norm_bound.
    by move: away_ge0; rewrite ger0_norm.
  have -> : (gamma *: Q + (1 - gamma) *: H - Q) *m x = (1 - gamma) *: (H *m x - Q *m x).
    by mxring.
  have -> : 1 - (2%:R * gamma - 1) = (1 - gamma) * 2%:R by ring.
  by rewrite gram_scale exprMn -natrX -[leRHS]mulrA ler_wpmul2l ?sqr_ge0 // diff_le.
exists H; split=> // x; rewrite ltr0_norm //; apply: norm_bound.
  by move: away_ge0; rewrite ltr0_norm.
have -> : (gamma *: Q + (1 - gamma) *: H - H) *m x = (- gamma) *: (H *m x - Q *m x).
  by mxring.
have -> : 1 - - (2%:R * gamma - 1) = gamma * 2%:R by ring.
by rewrite gram_scale sqrrN exprMn -natrX -[leRHS]mulrA ler_wpmul2l ?sqr_ge0 // diff_le.
Qed.

End Norms.

Lemma det2 (R : comRingType) (M : 'M[R]_2) :
  \det M = M 0 0 * M 1 1 - M 0 1 * M 1 0.
Proof.
rewrite (expand_det_row _ 0) !big_ord_recl big_ord0 /cofactor !det_mx11 !mxE /=.
rewrite addr0 expr0 expr1 mul1r mulN1r mulrN.
by congr (_ * M _ _ - M _ _ * M _ _); apply/val_inj.
Qed.

Lemma planar_trace (R : realFieldType) (M : 'M[R]_2) :
  M^T *m M = 1%:M -> \det M = - 1 -> M 0 0 + M 1 1 = 0.
Proof.
move=> oM; rewrite det2 => detM.
have entry_of i j : (M^T *m M) i j = M 0 i * M 0 j + M 1 i * M 1 j.
  by rewrite mxE !big_ord_recl big_ord0 addr0 !mxE; congr (_ + M _ _ * M _ _); apply/val_inj.
have := entry_of 0 0; have := entry_of 1 1; rewrite oM !mxE /= => col1 col0.
have : (M 0 0 + M 1 1) ^+ 2 + (M 0 1 - M 1 0) ^+ 2 = 0.
  have -> : (M 0 0 + M 1 1) ^+ 2 + (M 0 1 - M 1 0) ^+ 2 =
    (M 0 0 * M 0 0 + M 1 0 * M 1 0) + (M 0 1 * M 0 1 + M 1 1 * M 1 1) +
    2%:R * (M 0 0 * M 1 1 - M 0 1 * M 1 0) by ring.
  by rewrite detM -col0 -col1 mulrN1 -natrD subrr.
move/eqP; rewrite paddr_eq0 ?sqr_ge0 // sqrf_eq0 => /andP[/eqP->] //.
Qed.

Lemma planar_determinant (R : realFieldType) (Q H : 'M[R]_2) (gamma : R) :
  Q^T *m Q = 1%:M -> H^T *m H = 1%:M -> \det Q = 1 -> \det H = - 1 ->
  \det (gamma *: Q + (1 - gamma) *: H) = 2%:R * gamma - 1.
Proof.
move=> oQ oH detQ detH; set M := Q^T *m H.
have detM : \det M = - 1 by rewrite det_mulmx det_tr detQ detH mul1r.
have := planar_trace (turn_orthogonal oQ oH) detM; rewrite -/M => trM.
have -> : gamma *: Q + (1 - gamma) *: H = Q *m (gamma%:M + (1 - gamma) *: M).
  by rewrite mulmxDr mul_mx_scalar mulmx_scale_r mulmxA (mulmx1C oQ) mul1mx.
rewrite det_mulmx detQ mul1r; move: (M) detM trM => M'; rewrite !det2 !mxE /= !mulr1n !mulr0n !add0r => detM trM.
have -> : 2%:R * gamma - 1 = gamma ^+ 2 - (1 - gamma) ^+ 2 by ring.
have -> : (gamma + (1 - gamma) * M' 0 0) * (gamma + (1 - gamma) * M' 1 1) -
  (1 - gamma) * M' 0 1 * ((1 - gamma) * M' 1 0) =
  gamma ^+ 2 + gamma * (1 - gamma) * (M' 0 0 + M' 1 1) +
  (1 - gamma) ^+ 2 * (M' 0 0 * M' 1 1 - M' 0 1 * M' 1 0) by ring.
by rewrite trM detM mulr0 addr0 mulrN1.
Qed.

Lemma blend_reaches_rotation_on_one_vector (R : rcfType) (n : nat) (T : 'M[R]_n) (x : 'cV[R]_n) :
  T^T *m T = 1%:M -> x - T *m x <> 0 ->
  ((1 / 2%:R) *: T + (1 / 2%:R) *: (1%:M - 2%:R *:
     (((1 / Num.sqrt (gram (x - T *m x))) *: (x - T *m x)) *m
      ((1 / Num.sqrt (gram (x - T *m x))) *: (x - T *m x))^T))) *m x = T *m x.
Proof.
move=> oT moved; have exchanged := reflect_difference moved (gram_isometry x oT).
rewrite mulmxDl -[(_ *: (1%:M - _)) *m x]scalemxAl exchanged -scalemxAl.
by rewrite -scalerDl -mulr2n -mulr_natl mul1r divff ?pnatr_eq0 // scale1r.
Qed.

Lemma common_fixed_space (R : rcfType) (n : nat) (gamma beta : R) (k u v : 'cV[R]_n) :
  k^T *m k = 1%:M :> 'M[R]_1 -> 0 <= gamma -> gamma <= 1 ->
  ((\rank (gamma *: (invmx (1%:M + (beta / 2%:R) *: (u *m v^T - v *m u^T)) *m
                     (1%:M - (beta / 2%:R) *: (u *m v^T - v *m u^T))) +
           (1 - gamma) *: (1%:M - 2%:R *: (k *m k^T)) - 1%:M))%:R : R) <= 3%:R /\
  ((4%:R : R) <= n%:R -> (0 : R) <= 2%:R /\
   (forall x : 'cV[R]_n,
      Num.sqrt (gram ((gamma *: (invmx (1%:M + (beta / 2%:R) *: (u *m v^T - v *m u^T)) *m
                                 (1%:M - (beta / 2%:R) *: (u *m v^T - v *m u^T))) +
           (1 - gamma) *: (1%:M - 2%:R *: (k *m k^T)) + 1%:M) *m x)) <=
      2%:R * Num.sqrt (gram x)) /\
   (exists x : 'cV[R]_n, x <> 0 /\
      Num.sqrt (gram ((gamma *: (invmx (1%:M + (beta / 2%:R) *: (u *m v^T - v *m u^T)) *m
                                 (1%:M - (beta / 2%:R) *: (u *m v^T - v *m u^T))) +
           (1 - gamma) *: (1%:M - 2%:R *: (k *m k^T)) + 1%:M) *m x)) =
      2%:R * Num.sqrt (gram x))).
Proof.
move=> unit_k gamma_ge0 gamma_le1.
have oQ := orthogonal (scaled_generator_skew (beta / 2%:R) u v).
have rankQ := rank_minus_one (beta / 2%:R) u v.
have oH := reflection_orthogonal unit_k.
move: (invmx _ *m _) oQ rankQ => Q oQ rankQ; have lost x := gram_blend_lost gamma x oQ oH.
have rankB : (\rank (gamma *: Q + (1 - gamma) *: (1%:M - 2%:R *: (k *m k^T)) - 1%:M)%R <= 3)%N.
  have -> : gamma *: Q + (1 - gamma) *: (1%:M - 2%:R *: (k *m k^T)) - 1%:M =
    gamma *: (Q - 1%:M) + ((1 - gamma) * - 2%:R) *: (k *m k^T) by mxring.
  apply: (rank_add (a := 2) (b := 1)); first exact: leq_trans (rank_scale _ _) rankQ.
  exact: leq_trans (rank_scale _ _) (rank_outer _ _).
split=> [|n_ge4]; first by rewrite ler_nat.
set B := gamma *: Q + _ in rankB lost *.
split; first exact: ler0n.
split=> [x|].
  apply: norm_bound; rewrite ?ler0n // mulmxDl mul1mx.
  apply: le_trans (gram_add_le _ _) _; rewrite lost.
  have -> : 2%:R ^+ 2 * gram x = 2%:R * gram x + 2%:R * gram x by ring.
  rewrite ler_add2r ler_pmul2l ?ltr0n // ler_subl_addr ler_addl.
  by rewrite mulr_ge0 ?gram_ge0 ?blend_weight_ge0.
have [|x [x_neq0]] := @deficient_vector _ _ (B - 1%:M).
  by apply: leq_ltn_trans rankB _; rewrite -(ler_nat R).
rewrite mulmxBl mul1mx => /eqP; rewrite subr_eq0 => /eqP Bx; exists x; split=> //.
apply: norm_equal; rewrite ?ler0n // mulmxDl Bx mul1mx.
have -> : x + x = 2%:R *: x by mxlin.
by rewrite gram_scale.
Qed.

Lemma reduces_to_residual (R : realFieldType) (n m : nat) (gamma beta : R) (H_pre H_post : 'M[R]_n)
    (u v : 'cV[R]_n) (X : 'M[R]_(n, m)) (k : 'cV[R]_n)
    (F LN : 'M[R]_(n, m) -> 'M[R]_(n, m)) :
  gamma = 1 -> beta = 0 -> H_pre = 1%:M -> H_post = 1%:M ->
  let G := gamma *: (invmx (1%:M + (beta / 2%:R) *: (u *m v^T - v *m u^T)) *m
      (1%:M - (beta / 2%:R) *: (u *m v^T - v *m u^T)) *m X) +
      (1 - gamma) *: ((1%:M - 2%:R *: (k *m k^T)) *m X) in
  G + H_post^T *m F (H_pre *m LN G) = X + F (LN X).
Proof.
move=> -> -> -> -> /=; rewrite mul0r scale0r addr0 subr0 invmx1 !mul1mx scale1r subrr scale0r.
by rewrite addr0 trmx1 mul1mx.
Qed.

(* n layers: the reflections, then layers that do nothing *)
Lemma depth_covers_orthogonal_group (R : rcfType) (n : nat) (T : 'M[R]_n) : (0 < n)%N -> T^T *m T = 1%:M ->
  exists gamma : nat -> R, exists beta : nat -> R, exists u : nat -> 'cV[R]_n,
  exists v : nat -> 'cV[R]_n, exists K : nat -> 'cV[R]_n,
    (forall i : nat, (1 <= i < n.+1)%N -> (K i)^T *m K i = 1%:M :> 'M[R]_1 /\
       (gamma i = 0 \/ (gamma i = 1 /\ beta i = 0))) /\
    T = \big[mulmx/1%:M]_(i <- rev (index_iota 1 n.+1))
      (gamma i *: (invmx (1%:M + (beta i / 2%:R) *: (u i *m (v i)^T - v i *m (u i)^T)) *m
                   (1%:M - (beta i / 2%:R) *: (u i *m (v i)^T - v i *m (u i)^T))) +
       (1 - gamma i) *: (1%:M - 2%:R *: (K i *m (K i)^T))).
Proof.
move=> n_gt0 oT; have [K [units product]] := cartan_dieudonne_nat oT (erefl (\rank (T - 1%:M))).
set r := \rank (T - 1%:M) in units product; have r_len : (r <= n)%N := rank_leq_row _.
pose axis : 'cV[R]_n := delta_mx (Ordinal n_gt0) 0.
have unit_axis : axis^T *m axis = 1%:M :> 'M[R]_1.
  rewrite trmx_delta mul_delta_mx; apply/mx11_unit; rewrite mxE !eqxx //.
exists (fun i => (r < i)%:R), (fun=> 0), (fun=> 0), (fun=> 0).
exists (fun i => if (r < i)%N then axis else K i); split=> [i /andP[i_ge1 _]|].
  have [lt_ri|le_ir] := ltnP r i; first by split=> //; right.
  by split; [apply: units; rewrite i_ge1 | left].
have layer i M : (r < i)%:R *: (invmx (1%:M + (0 / 2%:R) *: M) *m (1%:M - (0 / 2%:R) *: M)) +
    (1 - (r < i)%:R) *: (1%:M - 2%:R *: ((if (r < i)%N then axis else K i) *m
      (if (r < i)%N then axis else K i)^T)) =
    if (r < i)%N then 1%:M else 1%:M - 2%:R *: (K i *m (K i)^T).
  rewrite mul0r scale0r addr0 subr0 invmx1 mul1mx; case: ifP => _.
    by rewrite subrr scale0r scale1r addr0.
  by rewrite scale0r add0r subr0 scale1r.
have padded m : \big[mulmx/1%:M]_(i <- rev (index_iota 1 (r + m).+1))
      (if (r < i)%N then 1%:M else 1%:M - 2%:R *: (K i *m (K i)^T)) = T.
  elim: m => [|m IH]; last by rewrite addnS product_recr // ltnS leq_addr mul1mx.
  rewrite addn0 [RHS]product; apply: eq_big_seq => i.
  by rewrite mem_rev mem_index_iota => /andP[_ i_le]; rewrite ltnNge -ltnS i_le.
under eq_bigr do rewrite layer.
by have := padded (n - r)%N; rewrite subnKC.
Qed.

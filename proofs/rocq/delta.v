(* ========================================================================== *)
(*  delta: the delta operator A = 1 - beta k k^T                              *)
(*                                                                            *)
(* Source: Deep Delta Learning, arXiv 2601.00417, sections 2.1 to 2.3, and    *)
(* the companion notes of the E-Delta-MHC-Geo Transformer, Prop. 4.1, Thm 6   *)
(* and 7 (all retold). Every lemma holds in every dimension. k is a unit      *)
(* vector but where its length is shown.                                      *)
(*                                                                            *)
(*        rank_one_form == delta.rank_one_form: 'the update (1 - beta k k^T)  *)
(*                         X + beta k v^T adds beta k (v^T - k^T X) to X'     *)
(*          update_rank == delta.update_rank: 'the update has rank at most 1' *)
(*   eigenvalue_along_k == delta.eigenvalue_along_k: 'k is an eigenvector, of *)
(*                         eigenvalue 1 - beta'                               *)
(*     eigenvalue_off_k == delta.eigenvalue_off_k: 'every u orthogonal to k   *)
(*                         is fixed'                                          *)
(* eigenspace_dimension == delta.eigenspace_dimension: 'the eigenspace of 1   *)
(*                         has dimension d - 1', beta <> 0                    *)
(* characteristic_polynomial ==                                               *)
(*                         delta.characteristic_polynomial: 'the eigenvalues  *)
(*                         are 1, d - 1 times, and 1 - beta'                  *)
(*          determinant == delta.determinant: 'det A = 1 - beta k^T k', any k *)
(*         singular_iff == delta.singular_iff: 'A is singular exactly at beta *)
(*                         = 1'                                               *)
(*           gram_delta == A^T A = 1 + beta (beta - 2) k k^T                  *)
(*       orthogonal_iff == delta.orthogonal_iff: 'A is orthogonal if and only *)
(*                         if beta is 0 or 2'                                 *)
(*           reflection == delta.reflection: 'at beta = 2 the operator is a   *)
(*                         reflection'                                        *)
(*      orthogonal_gate == A orthogonal, beta > 0, any k <> 0: beta |k|^2 = 2 *)
(* regularised_never_orthogonal ==                                            *)
(*                         delta.regularised_never_orthogonal: 'with |k|^2 +  *)
(*                         eps below the gate, 0 < beta <= 2, A is never      *)
(*                         orthogonal'                                        *)
(*        gram_operator == |A x|^2 = |x|^2 + beta (beta - 2) (k^T x)^2        *)
(*         component_le == (k^T x)^2 <= |x|^2                                 *)
(*    non_expansive_iff == delta.non_expansive_iff: 'A expands no vector if   *)
(*                         and only if 0 <= beta <= 2'                        *)
(*        spectral_norm == delta.spectral_norm: 'max(1, |1 - beta|) for d >=  *)
(*                         2, |1 - beta| for d = 1', by their definition;     *)
(*                         spectral_norm_plane, spectral_norm_line are its    *)
(*                         halves                                             *)
(*        epsilon_limit == delta.epsilon_limit: 'eps in the normalisation     *)
(*                         costs |beta| eps/(1 + eps), which tends to 0'      *)
(*          composition == delta.composition: 'operators along one k compose, *)
(*                         with gate a + b - a b; L of them have gate 1 - (1  *)
(*                         - beta)^L'                                         *)
(*       worked_example == delta.worked_example: 'k = (1, 0), X = (2, 3)'     *)
(*        rms_direction == delta.rms_direction: 'RMS normalisation over the   *)
(*                         root of d is the L2 one, with eps^2 under the root'*)
(*                                                                            *)
(* The operator is written out in each statement: these lemmas close theorems *)
(* that are printed from the claims. Rings are as general as the proofs are.  *)
(* Left out: what certificates decide, and the gate as a function of a logit. *)
(* ========================================================================== *)
From mathcomp Require Import all_ssreflect all_algebra ring.
From deltaproof Require Import matrix_kit norm_kit index_kit.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section CommutativeRing.
Variables (R : comRingType) (n m : nat).
Implicit Types (k u : 'cV[R]_n) (X : 'M[R]_(n, m)) (v : 'cV[R]_m) (beta : R).

Lemma rank_one_form k X v beta :
  (1%:M - beta *: (k *m k^T)) *m X + beta *: (k *m v^T) =
  X + beta *: (k *m (v^T - k^T *m X)).
Proof. by mxring. Qed.

Lemma eigenvalue_along_k k beta : k^T *m k = 1%:M :> 'M[R]_1 ->
  (1%:M - beta *: (k *m k^T)) *m k = (1 - beta) *: k.
Proof.
move=> unit_k; rewrite mulmxBl mul1mx -scalemxAl -mulmxA unit_k mulmx1.
by rewrite scalerBl scale1r.
Qed.

Lemma eigenvalue_off_k k u beta : k^T *m u = 0 :> 'M[R]_1 ->
  (1%:M - beta *: (k *m k^T)) *m u = u.
Proof.
by move=> ku0; rewrite mulmxBl mul1mx -scalemxAl -mulmxA ku0 mulmx0 scaler0 subr0.
Qed.

Lemma determinant k beta :
  \det (1%:M - beta *: (k *m k^T)) = 1 - beta * (k^T *m k) 0 0.
Proof.
rewrite scalemxAl sylvester_determinant -scalemxAr det_mx11.
by rewrite !(entry_add, entry_opp, entry_scale) mxE eqxx.
Qed.

Lemma gram_delta k beta : k^T *m k = 1%:M :> 'M[R]_1 ->
  (1%:M - beta *: (k *m k^T))^T *m (1%:M - beta *: (k *m k^T)) =
  1%:M + (beta * (beta - 2%:R)) *: (k *m k^T).
Proof.
move=> unit_k; rewrite !transposeE; mxexpand.
have -> : k *m k^T *m k *m k^T = k *m k^T.
  by rewrite -[X in X *m _]mulmxA unit_k mulmx1.
by mxlin.
Qed.

End CommutativeRing.

Lemma orthogonal_iff (R : idomainType) (n : nat) (k : 'cV[R]_n) (beta : R) :
  k^T *m k = 1%:M :> 'M[R]_1 ->
  (1%:M - beta *: (k *m k^T))^T *m (1%:M - beta *: (k *m k^T)) = 1%:M <->
  (beta = 0 \/ beta = 2%:R).
Proof.
move=> unit_k; rewrite gram_delta //; split=> [gram1|].
  have : (beta * (beta - 2%:R)) *: (k *m k^T) = 0.
    by apply: (addrI 1%:M); rewrite addr0.
  move/(congr1 (fun M => (k^T *m M *m k) 0 0)).
  rewrite -scalemxAr -scalemxAl mulmxA unit_k mul1mx unit_k mulmx0 mul0mx.
  rewrite entry_scale entry_zero mxE eqxx mulr1 => /eqP.
  by rewrite mulf_eq0 subr_eq0 => /orP[] /eqP; [left | right].
by case=> ->; rewrite ?mul0r ?subrr ?mulr0 scale0r addr0.
Qed.

Section OrderedField.
Variables (R : realFieldType) (d m : nat).
Implicit Types (k x : 'cV[R]_d) (X : 'M[R]_(d, m)) (v : 'cV[R]_m) (beta : R).

Lemma update_rank k X v beta :
  ((\rank ((1%:M - beta *: (k *m k^T)) *m X + beta *: (k *m v^T) - X))%:R : R) <= 1.
Proof.
rewrite rank_one_form addrAC subrr add0r -[leRHS]/(1%:R) ler_nat.
exact: leq_trans (rank_scale _ _) (rank_outer _ _).
Qed.

Lemma singular_iff k beta : k^T *m k = 1%:M :> 'M[R]_1 ->
  1%:M - beta *: (k *m k^T) \in unitmx <-> beta <> 1.
Proof.
move=> unit_k; rewrite unitmxE determinant unit_k mxE eqxx mulr1 unitfE subr_eq0 eq_sym.
by split=> /eqP.
Qed.

Lemma eigenspace_dimension k beta : k^T *m k = 1%:M :> 'M[R]_1 -> beta <> 0 ->
  d%:R - (\rank (1%:M - beta *: (k *m k^T) - 1%:M))%:R = d%:R - 1 :> R.
Proof.
move=> unit_k /eqP beta_neq0; congr (_ - _); have k_neq0 : k != 0.
  by apply/eqP => k0; have /eqP := unit_k; rewrite k0 mulmx0 eq_sym oner_eq0.
have -> : 1%:M - beta *: (k *m k^T) - 1%:M = (- beta) *: (k *m k^T) by mxlin.
suff -> : \rank ((- beta) *: (k *m k^T)) = 1%N by [].
apply/eqP; rewrite eqn_leq lt0n mxrank_eq0 scaler_eq0 oppr_eq0 (negbTE beta_neq0) /=.
rewrite scalemxAl rank_outer; apply/eqP => kk0; move/eqP: k_neq0; apply.
have /(congr1 (mulmx^~ k)) := kk0; by rewrite /= mul0mx -mulmxA unit_k mulmx1.
Qed.

Lemma reflection k beta : k^T *m k = 1%:M :> 'M[R]_1 -> beta = 2%:R ->
  (1%:M - beta *: (k *m k^T)) *m (1%:M - beta *: (k *m k^T)) = 1%:M /\
  (1%:M - beta *: (k *m k^T))^T *m (1%:M - beta *: (k *m k^T)) = 1%:M /\
  (1%:M - beta *: (k *m k^T)) *m k = - k /\
  \det (1%:M - beta *: (k *m k^T)) = - 1.
Proof.
move=> unit_k ->.
have symmetric : (1%:M - 2%:R *: (k *m k^T))^T = 1%:M - 2%:R *: (k *m k^T).
  by rewrite !transposeE.
have involution : (1%:M - 2%:R *: (k *m k^T)) *m (1%:M - 2%:R *: (k *m k^T)) = 1%:M.
  by rewrite -{1}symmetric gram_delta // subrr mulr0 scale0r addr0.
split=> //; split; first by rewrite symmetric.
split; first by rewrite eigenvalue_along_k //; mxlin.
by rewrite determinant unit_k mxE eqxx mulr1; ring.
Qed.

(* k need not be a unit vector *)
Lemma orthogonal_gate k (t : R) : k <> 0 -> 0 < t ->
  (1%:M - t *: (k *m k^T))^T *m (1%:M - t *: (k *m k^T)) = 1%:M ->
  t * gram k = 2%:R.
Proof.
move=> k_neq0 t_gt0 orth; have k_gt0 := gram_gt0 k_neq0.
have Ak : (1%:M - t *: (k *m k^T)) *m k = (1 - t * gram k) *: k.
  by rewrite mulmxBl mul1mx mulmx_scale_l -mulmxA mulmx_mx11_r; mxlin.
have := gram_isometry k orth; rewrite Ak gram_scale => /eqP.
rewrite -subr_eq0 -[X in _ - X]mul1r -mulrBl mulf_eq0 (gt_eqF k_gt0) orbF.
have -> : (1 - t * gram k) ^+ 2 - 1 = t * gram k * (t * gram k - 2%:R).
  by name_entries; ring.
by rewrite !mulf_eq0 (gt_eqF t_gt0) (gt_eqF k_gt0) /= subr_eq0 => /eqP.
Qed.

Lemma regularised_never_orthogonal (epsilon beta : R) k :
  k <> 0 -> 0 < epsilon -> 0 < beta -> beta <= 2%:R ->
  (1%:M - (beta / ((k^T *m k) 0 0 + epsilon)) *: (k *m k^T))^T *m
  (1%:M - (beta / ((k^T *m k) 0 0 + epsilon)) *: (k *m k^T)) <> 1%:M.
Proof.
move=> k_neq0 epsilon_gt0 beta_gt0 beta_le2; have k_gt0 := gram_gt0 k_neq0.
have length_gt0 : 0 < gram k + epsilon by rewrite addr_gt0.
move/(orthogonal_gate k_neq0 (divr_gt0 beta_gt0 length_gt0))/eqP; rewrite lt_eqF //.
rewrite mulrAC ltr_pdivr_mulr //; apply: le_lt_trans (ler_wpmul2r (ltW k_gt0) beta_le2) _.
by rewrite ltr_pmul2l ?ltr0n // ltr_addl.
Qed.

(* |A x|^2 = |x|^2 + beta (beta - 2) (k^T x)^2 *)
Lemma gram_operator k x beta : k^T *m k = 1%:M :> 'M[R]_1 ->
  gram ((1%:M - beta *: (k *m k^T)) *m x) =
  gram x + beta * (beta - 2%:R) * gram_dot k x ^+ 2.
Proof.
move=> unit_k; rewrite mulmxBl mul1mx mulmx_scale_l -mulmxA mulmx_mx11_r scalerA.
rewrite gram_sub gram_scale (proj1 (mx11_unit _) unit_k) -[X in gram_dot X (_ *: k)]scale1r.
by rewrite gram_dot_scale [gram_dot x k]gram_dotC; name_entries; ring.
Qed.

Lemma component_le k x : k^T *m k = 1%:M :> 'M[R]_1 -> gram_dot k x ^+ 2 <= gram x.
Proof.
move=> unit_k; have := gram_ge0 ((1%:M - 1 *: (k *m k^T)) *m x).
rewrite gram_operator // -[gram_dot k x ^+ 2 <= _]subr_ge0; congr (_ <= _).
by name_entries; ring.
Qed.
End OrderedField.

Section Norms.
Variables (R : rcfType) (d : nat).
Implicit Types (k x : 'cV[R]_d) (beta : R).

Lemma non_expansive_iff k beta : k^T *m k = 1%:M :> 'M[R]_1 ->
  (forall x, Num.sqrt (gram ((1%:M - beta *: (k *m k^T)) *m x)) <= Num.sqrt (gram x)) <->
  (0 <= beta /\ beta <= 2%:R).
Proof.
move=> unit_k; have gram_k := proj1 (mx11_unit _) unit_k; split=> [contracts|].
  have := contracts k; rewrite -[leRHS]mul1r => /(norm_bound_gram ler01).
  rewrite gram_operator // gram_k !expr1n !mulr1 ger_addl => product_le0.
  have [beta_lt0|beta_ge0] := ltrP beta 0.
    by move: product_le0; rewrite leNgt nmulr_rgt0 // subr_lt0 (lt_trans beta_lt0) ?ltr0n.
  split=> //; rewrite leNgt; apply/negP => beta_gt2; move: product_le0.
  by rewrite leNgt mulr_gt0 ?subr_gt0 // (lt_trans _ beta_gt2) ?ltr0n.
case=> beta_ge0 beta_le2 x; rewrite -[leRHS]mul1r; apply: norm_bound => //.
rewrite gram_operator // expr1n mul1r ger_addl mulr_le0_ge0 ?sqr_ge0 //.
by rewrite mulr_ge0_le0 // subr_le0.
Qed.

(* the larger of two candidates bounds the stretch, and each is attained *)
Lemma gram_operator_along k beta : k^T *m k = 1%:M :> 'M[R]_1 ->
  gram ((1%:M - beta *: (k *m k^T)) *m k) = `|1 - beta| ^+ 2 * gram k.
Proof. by move=> unit_k; rewrite eigenvalue_along_k // gram_scale real_normK ?num_real. Qed.

Lemma unit_neq0 k : k^T *m k = 1%:M :> 'M[R]_1 -> k <> 0.
Proof.
move=> unit_k k0; have := proj1 (mx11_unit _) unit_k.
by rewrite k0 mulmx0 entry_zero => /esym/eqP; rewrite oner_eq0.
Qed.

Lemma spectral_norm_plane k beta : (2 <= d)%N -> k^T *m k = 1%:M :> 'M[R]_1 ->
  0 <= Order.max 1 `|1 - beta| /\
  (forall x, Num.sqrt (gram ((1%:M - beta *: (k *m k^T)) *m x)) <=
     Order.max 1 `|1 - beta| * Num.sqrt (gram x)) /\
  (exists x, x <> 0 /\ Num.sqrt (gram ((1%:M - beta *: (k *m k^T)) *m x)) =
     Order.max 1 `|1 - beta| * Num.sqrt (gram x)).
Proof.
move=> d_ge2 unit_k; have gram_k := proj1 (mx11_unit _) unit_k.
have expand x : gram ((1%:M - beta *: (k *m k^T)) *m x) =
    `|1 - beta| ^+ 2 * gram x + (1 - `|1 - beta| ^+ 2) * (gram x - gram_dot k x ^+ 2).
  by rewrite gram_operator // real_normK ?num_real //; name_entries; ring.
have rest x : 0 <= gram x - gram_dot k x ^+ 2 by rewrite subr_ge0 component_le.
have [small|large] := lerP `|1 - beta| 1.
  have square_le1 : `|1 - beta| ^+ 2 <= 1 by rewrite expr_le1.
  split; first exact: ler01.
  split=> [x|].
    apply: norm_bound; rewrite ?ler01 // expand expr1n mul1r.
    have whole : `|1 - beta| ^+ 2 * gram x + (1 - `|1 - beta| ^+ 2) * gram x = gram x.
      by rewrite -mulrDl addrC subrK mul1r.
    by rewrite -[leRHS]whole ler_add2l ler_wpmul2l ?subr_ge0 // ler_subl_addr ler_addl sqr_ge0.
  have [|x [x_neq0 kx0]] := @orthogonal_vector _ _ _ k.
    exact: leq_ltn_trans (rank_leq_col _) d_ge2.
  exists x; split=> //; apply: norm_equal; rewrite ?ler01 //.
  by rewrite eigenvalue_off_k // expr1n mul1r.
split; first exact: normr_ge0.
split=> [x|].
  apply: norm_bound; rewrite ?normr_ge0 // expand ger_addl mulr_le0_ge0 // subr_le0.
  by rewrite exprn_ege1 // ltW.
exists k; split; first exact: unit_neq0.
by apply: norm_equal; rewrite ?normr_ge0 ?gram_operator_along.
Qed.

Lemma spectral_norm_line k beta : d = 1%N -> k^T *m k = 1%:M :> 'M[R]_1 ->
  0 <= `|1 - beta| /\
  (forall x, Num.sqrt (gram ((1%:M - beta *: (k *m k^T)) *m x)) <=
     `|1 - beta| * Num.sqrt (gram x)) /\
  (exists x, x <> 0 /\ Num.sqrt (gram ((1%:M - beta *: (k *m k^T)) *m x)) =
     `|1 - beta| * Num.sqrt (gram x)).
Proof.
move=> d1 unit_k; split; first exact: normr_ge0.
split=> [x|]; last first.
  exists k; split; first exact: unit_neq0.
  by apply: norm_equal; rewrite ?normr_ge0 ?gram_operator_along.
apply: norm_bound; rewrite ?normr_ge0 //.
case: _ / (esym d1) k unit_k x => k unit_k x.
have kk1 : k *m k^T = 1%:M by rewrite mulmx_mx11C.
have -> : (1%:M - beta *: (k *m k^T)) *m x = (1 - beta) *: x.
  by rewrite kk1; mxring.
by rewrite gram_scale real_normK ?num_real.
Qed.

Lemma spectral_norm k beta : k^T *m k = 1%:M :> 'M[R]_1 ->
  ((2%:R : R) <= d%:R ->
   0 <= Order.max 1 `|1 - beta| /\
   (forall x : 'cV[R]_d, Num.sqrt (gram ((1%:M - beta *: (k *m k^T)) *m x)) <=
      Order.max 1 `|1 - beta| * Num.sqrt (gram x)) /\
   (exists x : 'cV[R]_d, x <> 0 /\ Num.sqrt (gram ((1%:M - beta *: (k *m k^T)) *m x)) =
      Order.max 1 `|1 - beta| * Num.sqrt (gram x))) /\
  (d%:R = 1 :> R ->
   0 <= `|1 - beta| /\
   (forall x : 'cV[R]_d, Num.sqrt (gram ((1%:M - beta *: (k *m k^T)) *m x)) <=
      `|1 - beta| * Num.sqrt (gram x)) /\
   (exists x : 'cV[R]_d, x <> 0 /\ Num.sqrt (gram ((1%:M - beta *: (k *m k^T)) *m x)) =
      `|1 - beta| * Num.sqrt (gram x))).
Proof.
move=> unit_k; split=> [d_ge2|/eqP].
  by apply: spectral_norm_plane => //; rewrite -(ler_nat R).
by rewrite pnatr_eq1 => /eqP d1; exact: spectral_norm_line.
Qed.
End Norms.

Local Notation column a b := (\matrix_(i_row < 2, j_column < 1)
  nth 0 (nth [::] [:: [:: a]; [:: b]] i_row) j_column).

Lemma worked_example (R : comRingType) :
  ((1%:M : 'M[R]_2) - 1 *: ((column 1 0 : 'cV[R]_2) *m (column 1 0 : 'cV[R]_2)^T)) *m
    (column 2%:R 3%:R : 'cV[R]_2) = column 0 3%:R :> 'cV[R]_2 /\
  ((1%:M : 'M[R]_2) - 2%:R *: ((column 1 0 : 'cV[R]_2) *m (column 1 0 : 'cV[R]_2)^T)) *m
    (column 2%:R 3%:R : 'cV[R]_2) = column (- 2%:R) 3%:R :> 'cV[R]_2.
Proof.
by split; apply/matrixP => i j; rewrite !ord1 mxE !big_ord_recl big_ord0 !mxE
  !big_ord_recl !big_ord0 !mxE /=; case: i => [[|[|i]] ?] //=; ring.
Qed.

Section Composition.
Variables (R : comRingType) (d : nat).
Implicit Types (k : 'cV[R]_d) (a b beta : R).

Lemma compose k a b : k^T *m k = 1%:M :> 'M[R]_1 ->
  (1%:M - a *: (k *m k^T)) *m (1%:M - b *: (k *m k^T)) =
  1%:M - (a + b - a * b) *: (k *m k^T).
Proof.
move=> unit_k; mxexpand; have -> : k *m k^T *m k *m k^T = k *m k^T.
  by rewrite -[X in X *m _]mulmxA unit_k mulmx1.
by mxlin.
Qed.

Lemma composition k a b beta (L : nat) : k^T *m k = 1%:M :> 'M[R]_1 ->
  (1%:M - a *: (k *m k^T)) *m (1%:M - b *: (k *m k^T)) =
    1%:M - (a + b - a * b) *: (k *m k^T) /\
  power (1%:M - beta *: (k *m k^T)) L = 1%:M - (1 - (1 - beta) ^+ L) *: (k *m k^T).
Proof.
move=> unit_k; split; first exact: compose.
elim: L => [|L IH]; first by rewrite expr0 subrr scale0r subr0.
rewrite iterS IH compose //; congr (_ - _ *: _).
by rewrite exprS; ring.
Qed.

End Composition.

Lemma characteristic_polynomial (R : fieldType) (d : nat) (lam beta : R) (k : 'cV[R]_d) :
  (0 < d)%N -> k^T *m k = 1%:M :> 'M[R]_1 ->
  \det (lam *: 1%:M - (1%:M - beta *: (k *m k^T))) = (lam - 1) ^+ d.-1 * (lam - 1 + beta).
Proof.
move=> d_gt0 unit_k.
have -> : lam *: 1%:M - (1%:M - beta *: (k *m k^T)) = (lam - 1) *: 1%:M + beta *: (k *m k^T).
  by mxlin.
have [-> | y_neq0] := eqVneq (lam - 1) 0.
  rewrite scale0r !add0r; case: d d_gt0 k unit_k => // -[|e] _ k unit_k.
    by rewrite detZ expr1 expr0 mul1r [k *m _]mulmx_mx11C unit_k det1 mulr1.
  rewrite expr0n mul0r; apply/eqP/det0P.
  have [|x [x_neq0 kx0]] := @orthogonal_vector _ _ _ k.
    exact: leq_ltn_trans (rank_leq_col _) _.
  exists x^T.
    by apply/eqP => xT0; apply: x_neq0; rewrite -[x]trmxK xT0 trmx0.
  rewrite -scalemxAr mulmxA -[x^T *m k]trmxK trmx_mul trmxK kx0 trmx0 mul0mx scaler0 //.
have -> : (lam - 1) *: 1%:M + beta *: (k *m k^T) =
    (lam - 1) *: (1%:M - (- (beta / (lam - 1))) *: (k *m k^T)).
  rewrite scalerBr scalerA mulrN mulrCA divff // mulr1 scaleNr opprK //.
rewrite detZ determinant unit_k mxE eqxx mulr1 opprK -{1}(prednK d_gt0) exprSr -mulrA.
by congr (_ * _); rewrite mulrDr mulr1 mulrCA divff // mulr1.
Qed.

Lemma gram_rank_one (R : comRingType) (d : nat) (c : R) (k x : 'cV[R]_d) :
  k^T *m k = 1%:M :> 'M[R]_1 -> gram ((c *: (k *m k^T)) *m x) = c ^+ 2 * gram_dot k x ^+ 2.
Proof.
move=> unit_k; rewrite mulmx_scale_l -mulmxA mulmx_mx11_r !gram_scale.
by rewrite (proj1 (mx11_unit _) unit_k) mulr1.
Qed.

Lemma epsilon_limit (R : rcfType) (d : nat) (epsilon beta : R) (k : 'cV[R]_d) :
  k^T *m k = 1%:M :> 'M[R]_1 -> 0 <= epsilon ->
  (0 <= `|beta| * epsilon / (1 + epsilon) /\
   (forall x : 'cV[R]_d, Num.sqrt (gram ((1%:M - (beta / (1 + epsilon)) *: (k *m k^T) -
      (1%:M - beta *: (k *m k^T))) *m x)) <=
      `|beta| * epsilon / (1 + epsilon) * Num.sqrt (gram x)) /\
   (exists x : 'cV[R]_d, x <> 0 /\
      Num.sqrt (gram ((1%:M - (beta / (1 + epsilon)) *: (k *m k^T) -
      (1%:M - beta *: (k *m k^T))) *m x)) =
      `|beta| * epsilon / (1 + epsilon) * Num.sqrt (gram x))) /\
  (forall tolerance : R, 0 < tolerance -> exists radius : R, 0 < radius /\
     (forall epsilon : R, epsilon <> 0 -> `|epsilon - 0| < radius ->
        `| `|beta| * epsilon / (1 + epsilon) - 0| < tolerance)).
Proof.
move=> unit_k epsilon_ge0.
have gap_ge0 : 0 <= `|beta| * epsilon / (1 + epsilon).
  by rewrite divr_ge0 ?mulr_ge0 ?addr_ge0 ?ler01.
have whole : 1 + epsilon != 0 by rewrite gt_eqF // ltr_paddr ?ltr01.
have stretch (x : 'cV[R]_d) : gram ((1%:M - (beta / (1 + epsilon)) *: (k *m k^T) -
    (1%:M - beta *: (k *m k^T))) *m x) =
    (`|beta| * epsilon / (1 + epsilon)) ^+ 2 * gram_dot k x ^+ 2.
  have -> : 1%:M - (beta / (1 + epsilon)) *: (k *m k^T) - (1%:M - beta *: (k *m k^T)) =
      (beta * epsilon / (1 + epsilon)) *: (k *m k^T) :> 'M[R]_d.
    by mxfield.
  rewrite gram_rank_one //; congr (_ * _).
  by rewrite !exprMn real_normK ?num_real.
split.
  split=> //; split=> [x|].
    by apply: norm_bound => //; rewrite stretch ler_wpmul2l ?sqr_ge0 ?component_le.
  exists k; split; first exact: unit_neq0.
  by apply: norm_equal => //; rewrite stretch (proj1 (mx11_unit _) unit_k) expr1n.
move=> tolerance tolerance_gt0.
pose slope := 2%:R * (`|beta| + 1).
have slope_gt0 : 0 < slope by rewrite mulr_gt0 ?ltr0n ?ltr_paddl ?ltr01.
exists (Order.min (1 / 2%:R) (tolerance / slope)); split.
  by rewrite lt_minr !divr_gt0 ?ltr01 ?ltr0n.
move=> e _; rewrite !subr0 lt_minr => /andP[e_half e_small].
have half_lt : 1 / 2%:R < 1 + e.
  have := e_half; rewrite ltr_norml => /andP[e_gt _].
  by rewrite -ltr_subl_addl (le_lt_trans _ e_gt) // ler_subl_addr addrC ler_subr_addr -mulrDl -(natrD _ 1 1) divff ?pnatr_eq0.
have whole_gt0 : 0 < 1 + e by apply: lt_trans half_lt; rewrite divr_gt0 ?ltr01 ?ltr0n.
rewrite !normrM normr_id normfV (gtr0_norm whole_gt0) ltr_pdivr_mulr //.
have e_small' : `|e| * slope < tolerance by rewrite -ltr_pdivl_mulr.
apply: (@le_lt_trans _ _ (`|e| * slope * (1 / 2%:R))).
  have -> : `|e| * slope * (1 / 2%:R) = (`|beta| + 1) * `|e|.
    by rewrite /slope; field.
  by rewrite ler_wpmul2r // ler_addl ler01.
apply: le_lt_trans (_ : tolerance * (1 / 2%:R) < _).
  by rewrite ler_wpmul2r ?divr_ge0 ?ler01 ?ler0n // ltW.
by rewrite ltr_pmul2l.
Qed.

Lemma rms_direction (R : rcfType) (d : nat) (epsilon : R) (k : 'cV[R]_d) :
  (0 < d)%N -> 0 < gram k + epsilon ^+ 2 ->
  (1 / Num.sqrt d%:R) *:
    ((1 / Num.sqrt (gram k / d%:R + epsilon ^+ 2 / d%:R)) *: k) =
  (1 / Num.sqrt (gram k + epsilon ^+ 2)) *: k.
Proof.
move=> d_gt0 softened_gt0; rewrite scalerA !div1r -invfM -sqrtrM ?ler0n // -mulrDl.
by rewrite [_ * (_ / _)]mulrC divfK // pnatr_eq0 -lt0n.
Qed.

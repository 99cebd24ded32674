(* ========================================================================== *)
(*  birkhoff: doubly stochastic matrices                                      *)
(*                                                                            *)
(* Source: mHC, arXiv 2512.24880, and the summary of the E-Delta-MHC-Geo      *)
(* Transformer, arXiv 2605.06729 (all retold). Every lemma holds in every     *)
(* dimension.                                                                 *)
(*                                                                            *)
(*  doubly_stochastic P == entries >= 0, rows and columns that sum to 1       *)
(* closed_under_product == birkhoff.closed_under_product: 'products are       *)
(*                         doubly stochastic'                                 *)
(*       preserves_mean == birkhoff.preserves_mean: 'the mean is preserved'   *)
(*       square_of_mean == (sum p y)^2 <= sum p y^2 for weights p             *)
(*        gram_mixed_le == |P x|^2 <= |x|^2                                   *)
(*    spectral_norm_one == birkhoff.spectral_norm_one: 'the spectral norm is  *)
(*                         1'                                                 *)
(* orthogonal_iff_permutation ==                                              *)
(*                         birkhoff.orthogonal_iff_permutation: 'orthogonal   *)
(*                         exactly if a permutation matrix'                   *)
(*        cannot_negate == birkhoff.cannot_negate: 'at distance 2 from what   *)
(*                         is orthogonal and negates the mean'                *)
(*    column_step_exact == birkhoff.column_step_exact: 'after a column step   *)
(*                         the columns sum to 1'                              *)
(* sum_defect_accumulates ==                                                  *)
(*                         birkhoff.sum_defect_accumulates: 'a defect c of    *)
(*                         the row sums becomes c^t'                          *)
(*                                                                            *)
(* Left out: Sinkhorn's limit.                                                *)
(* ========================================================================== *)
From mathcomp Require Import all_ssreflect all_algebra ring.
From deltaproof Require Import matrix_kit norm_kit index_kit.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Notation doubly_stochastic P :=
  ((forall i j, 0 <= P i j) /\ P *m const_mx 1 = const_mx 1 :> 'cV_ _ /\
   (const_mx 1)^T *m P = (const_mx 1)^T :> 'rV_ _).

Section Sums.
Variables (R : realFieldType) (n : nat).
Implicit Types (P M : 'M[R]_n) (x : 'cV[R]_n) (c : R).

Lemma row_sum P i : P *m const_mx 1 = const_mx 1 :> 'cV[R]_n -> \sum_j P i j = 1.
Proof.
move=> /matrixP/(_ i 0); rewrite !mxE => sum1; rewrite -[RHS]sum1.
by apply: eq_bigr => j _; rewrite mxE mulr1.
Qed.

Lemma column_sum P j : (const_mx 1)^T *m P = (const_mx 1)^T :> 'rV[R]_n -> \sum_i P i j = 1.
Proof.
move=> /matrixP/(_ 0 j); rewrite !mxE => sum1; rewrite -[RHS]sum1.
by apply: eq_bigr => i _; rewrite !mxE mul1r.
Qed.

Lemma closed_under_product P M : doubly_stochastic P -> doubly_stochastic M ->
  (forall i j, 0 <= (P *m M) i j) /\ P *m M *m const_mx 1 = const_mx 1 :> 'cV[R]_n /\
  (const_mx 1)^T *m (P *m M) = (const_mx 1)^T :> 'rV[R]_n.
Proof.
move=> [P_ge0 [P_rows P_columns]] [M_ge0 [M_rows M_columns]]; split=> [i j|].
  by rewrite mxE sumr_ge0 // => k _; rewrite mulr_ge0.
by rewrite -mulmxA M_rows P_rows mulmxA P_columns M_columns.
Qed.

Lemma preserves_mean P x : doubly_stochastic P ->
  (const_mx 1)^T *m P *m x = (const_mx 1)^T *m x :> 'M[R]_1.
Proof. by case=> _ [_ ->]. Qed.

(* the square of a mean is at most the mean of the squares *)
Lemma square_of_mean (p y : 'I_n -> R) : (forall j, 0 <= p j) -> \sum_j p j = 1 ->
  (\sum_j p j * y j) ^+ 2 <= \sum_j p j * y j ^+ 2.
Proof.
move=> p_ge0 p_sum; set mean := \sum_j p j * y j.
have : 0 <= \sum_j p j * (y j - mean) ^+ 2.
  by apply: sumr_ge0 => j _; rewrite mulr_ge0 ?sqr_ge0.
rewrite -[mean ^+ 2 <= _]subr_ge0; congr (_ <= _).
have -> : \sum_j p j * (y j - mean) ^+ 2 =
    \sum_j (p j * y j ^+ 2 - 2%:R * mean * (p j * y j) + mean ^+ 2 * p j).
  by apply: eq_bigr => j _; ring.
by rewrite big_split sumrB /= -!mulr_sumr p_sum -/mean; ring.
Qed.

Lemma gram_mixed_le P x : doubly_stochastic P -> gram (P *m x) <= gram x.
Proof.
case=> [P_ge0 [P_rows P_columns]]; rewrite !gram_00.
apply: (@le_trans _ _ (\sum_i \sum_j P i j * x j 0 ^+ 2)).
  by apply: ler_sum => i _; rewrite mxE; apply: square_of_mean; rewrite ?row_sum.
rewrite exchange_big /=; apply: ler_sum => j _.
by rewrite -mulr_suml column_sum // mul1r.
Qed.

Lemma orthogonal_iff_permutation P : doubly_stochastic P ->
  P^T *m P = 1%:M <->
  ((forall i j, P i j = 0 \/ P i j = 1) /\ P *m const_mx 1 = const_mx 1 :> 'cV[R]_n /\
   (const_mx 1)^T *m P = (const_mx 1)^T :> 'rV[R]_n).
Proof.
case=> [P_ge0 [P_rows P_columns]].
have P_le1 i j : P i j <= 1.
  by rewrite -(row_sum i P_rows) (bigD1 j) //= ler_addl sumr_ge0.
have gram_of j k : (P^T *m P) j k = \sum_i P i j * P i k.
  by rewrite mxE; apply: eq_bigr => i _; rewrite mxE.
split=> [orthogonal|[binary _]].
  split=> // i j; have sum0 : \sum_i P i j * (1 - P i j) = 0.
    under eq_bigr do rewrite mulrBr mulr1.
    by rewrite sumrB column_sum // -gram_of orthogonal mxE eqxx subrr.
  have /eqP := sum0; rewrite psumr_eq0 => [/allP/(_ i (mem_index_enum _))|k _].
    by rewrite mulf_eq0 subr_eq0 => /orP[/eqP|/eqP]; [left | right].
  by rewrite mulr_ge0 ?subr_ge0.
apply/matrixP => j k; rewrite gram_of mxE; have [<-|j_neqk] := eqVneq j k.
  rewrite -(column_sum j P_columns); apply: eq_bigr => i _.
  by case: (binary i j) => ->; rewrite ?mulr0 ?mulr1.
apply: big1 => i _; case: (binary i j) => [->|Pij]; first by rewrite mul0r.
case: (binary i k) => [->|Pik]; first by rewrite mulr0.
have := row_sum i P_rows; rewrite (bigD1 j) //= (bigD1 k) 1?eq_sym //= Pij Pik => /eqP.
rewrite -subr_eq0 addrC addKr paddr_eq0 ?ler01 ?oner_eq0 //.
by apply: sumr_ge0.
Qed.

Lemma column_step_exact (M : 'M[R]_n) : (forall i j, 0 < M i j) -> (0 < n)%N ->
  diag_mx ((M^T *m (const_mx 1 : 'cV[R]_n))^T) \in unitmx /\
  (const_mx 1 : 'cV[R]_n)^T *m (M *m invmx (diag_mx ((M^T *m (const_mx 1 : 'cV[R]_n))^T))) =
    (const_mx 1)^T :> 'rV[R]_n.
Proof.
move=> M_gt0 n_gt0; set sums := (M^T *m _)^T.
have unit_sums : diag_mx sums \in unitmx.
  rewrite unitmxE det_diag unitfE prodf_seq_neq0; apply/allP => j _ /=.
  rewrite !mxE gt_eqF // (bigD1 (Ordinal n_gt0)) //= !mxE mulr1.
  by apply: ltr_paddr => //; apply: sumr_ge0 => i _; rewrite !mxE mulr1 ltW.
split=> //; rewrite mulmxA.
have -> : (const_mx 1 : 'cV[R]_n)^T *m M = (const_mx 1)^T *m diag_mx sums.
  apply/matrixP => i j; rewrite mul_mx_diag /sums trmx_mul trmxK !mxE mul1r.
  by apply: eq_bigr => k _; rewrite !mxE.
by rewrite mulmxK.
Qed.

Lemma sum_defect_accumulates (t : nat) c M :
  M *m const_mx 1 = c *: const_mx 1 :> 'cV[R]_n ->
  power M t *m const_mx 1 = c ^+ t *: const_mx 1 :> 'cV[R]_n.
Proof.
move=> M_rows; elim: t => [|t IH]; first by rewrite mul1mx scale1r.
by rewrite iterS -mulmxA IH -scalemxAr M_rows scalerA exprSr.
Qed.

End Sums.

Section Norms.
Variables (R : rcfType) (n : nat).
Implicit Types P H : 'M[R]_n.

Lemma ones_neq0 : (0 < n)%N -> (const_mx 1 : 'cV[R]_n) <> 0.
Proof.
move=> n_gt0 /matrixP/(_ (Ordinal n_gt0) 0); rewrite !mxE => /eqP.
by rewrite oner_eq0.
Qed.

Lemma spectral_norm_one P : (0 < n)%N -> doubly_stochastic P ->
  (0 : R) <= 1 /\
  (forall x : 'cV[R]_n, Num.sqrt (gram (P *m x)) <= 1 * Num.sqrt (gram x)) /\
  (exists x : 'cV[R]_n, x <> 0 /\ Num.sqrt (gram (P *m x)) = 1 * Num.sqrt (gram x)).
Proof.
move=> n_gt0 stochastic; split; first exact: ler01.
split=> [x|]; first by apply: norm_bound; rewrite ?ler01 // expr1n mul1r gram_mixed_le.
exists (const_mx 1); split; first exact: ones_neq0.
by case: stochastic => _ [-> _]; rewrite mul1r.
Qed.

Lemma cannot_negate P H : (0 < n)%N -> doubly_stochastic P -> H^T *m H = 1%:M ->
  H *m const_mx 1 = - const_mx 1 :> 'cV[R]_n ->
  (0 : R) <= 2%:R /\
  (forall x : 'cV[R]_n, Num.sqrt (gram ((P - H) *m x)) <= 2%:R * Num.sqrt (gram x)) /\
  (exists x : 'cV[R]_n, x <> 0 /\
     Num.sqrt (gram ((P - H) *m x)) = 2%:R * Num.sqrt (gram x)).
Proof.
move=> n_gt0 stochastic oH negates; split; first exact: ler0n.
split=> [x|].
  apply: norm_bound; rewrite ?ler0n // mulmxBl.
  apply: le_trans (gram_add_le _ _) _; rewrite gram_opp (gram_isometry x oH).
  have -> : 2%:R ^+ 2 * gram x = 2%:R * gram x + 2%:R * gram x by ring.
  by rewrite ler_add2r ler_pmul2l ?ltr0n // gram_mixed_le.
exists (const_mx 1); split; first exact: ones_neq0.
apply: norm_equal; rewrite ?ler0n // mulmxBl negates opprK.
case: stochastic => _ [-> _].
have -> : const_mx 1 + const_mx 1 = 2%:R *: const_mx 1 :> 'cV[R]_n by mxlin.
by rewrite gram_scale.
Qed.

End Norms.

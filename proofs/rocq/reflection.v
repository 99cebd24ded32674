(* ========================================================================== *)
(*  reflection: H = 1 - 2 k k^T, k a unit vector                              *)
(*                                                                            *)
(* Source: the E-Delta-MHC-Geo Transformer, arXiv 2605.06729, and Thm 8 of    *)
(* its companion notes (all retold). Every lemma holds in every dimension.    *)
(*                                                                            *)
(* reflection_orthogonal ==                                                   *)
(*                         H^T H = 1; reflection_involution: H H = 1          *)
(*        reflect_along == the reflection along z <> 0 of any length, applied *)
(* adaptive_axis_negates ==                                                   *)
(*                         reflection.adaptive_axis_negates: 'the reflection  *)
(*                         along x negates x'                                 *)
(*   reflect_difference == the reflection along x - y takes x to y of the     *)
(*                         same length                                        *)
(*         product_rank == reflection.product_rank: 'r reflections move at    *)
(*                         most r dimensions, so -1 needs n of them'          *)
(* rank_of_larger_kernel ==                                                   *)
(*                         a strictly larger kernel means a smaller rank      *)
(*         reflect_back == some reflection lowers the rank of R - 1, R        *)
(*                         orthogonal and not 1                               *)
(*     cartan_dieudonne == reflection.cartan_dieudonne: 'every orthogonal R   *)
(*                         is a product of rank (R - 1) <= n reflections';    *)
(*                         cartan_dieudonne_nat numbers them by naturals      *)
(*                                                                            *)
(* Left out: what certificates decide.                                        *)
(* ========================================================================== *)
From mathcomp Require Import all_ssreflect all_algebra ring.
From deltaproof Require Import matrix_kit norm_kit index_kit.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Lemma reflection_orthogonal (R : comRingType) (n : nat) (k : 'cV[R]_n) :
  k^T *m k = 1%:M :> 'M[R]_1 ->
  (1%:M - 2%:R *: (k *m k^T))^T *m (1%:M - 2%:R *: (k *m k^T)) = 1%:M.
Proof.
move=> unit_k; rewrite !transposeE; mxexpand.
have -> : k *m k^T *m k *m k^T = k *m k^T.
  by rewrite -[X in X *m _]mulmxA unit_k mulmx1.
by mxlin.
Qed.

Section Normalised.
Variables (R : rcfType) (n : nat).
Implicit Types x y z : 'cV[R]_n.

(* the reflection along z <> 0 of any length, on y *)
Lemma reflect_along z y : z <> 0 ->
  (1%:M - 2%:R *: (((1 / Num.sqrt (gram z)) *: z) *m ((1 / Num.sqrt (gram z)) *: z)^T)) *m y =
  y - (2%:R * gram_dot z y / gram z) *: z.
Proof.
move=> /gram_gt0 z_gt0; rewrite trmx_scale mulmx_scale_l mulmx_scale_r scalerA.
rewrite mul1r -expr2 exprVn sqr_sqrtr ?ltW // mulmxBl mul1mx !mulmx_scale_l -mulmxA.
rewrite [z *m _]mulmx_mx11_r !scalerA; congr (_ - _ *: _).
by rewrite mulrAC.
Qed.

Lemma adaptive_axis_negates x : x <> 0 ->
  (1%:M - 2%:R *: (((1 / Num.sqrt (gram x)) *: x) *m ((1 / Num.sqrt (gram x)) *: x)^T)) *m x =
  - x.
Proof.
move=> x_neq0; rewrite reflect_along // mulfK ?gt_eqF ?gram_gt0 //.
by mxlin.
Qed.

(* the reflection along x - y exchanges x and y of one length *)
Lemma reflect_difference x y : x - y <> 0 -> gram y = gram x ->
  (1%:M - 2%:R *: (((1 / Num.sqrt (gram (x - y))) *: (x - y)) *m
                   ((1 / Num.sqrt (gram (x - y))) *: (x - y))^T)) *m x = y.
Proof.
move=> xy_neq0 same_length; rewrite reflect_along //.
have -> : 2%:R * gram_dot (x - y) x = gram (x - y).
  rewrite gram_sub same_length trmx_add trmx_opp mulmxDl mulNmx entry_add entry_opp.
  by rewrite [gram_dot y x]gram_dotC; name_entries; ring.
by rewrite divff ?gt_eqF ?gram_gt0 // scale1r subKr.
Qed.

End Normalised.

Lemma product_rank (R : realFieldType) (n r : nat) (k : nat -> 'cV[R]_n) :
  ((\rank ((\big[mulmx/1%:M]_(i <- rev (index_iota 1 r.+1))
              (1%:M - 2%:R *: (k i *m (k i)^T))) - 1%:M))%:R : R) <= r%:R /\
  ((\big[mulmx/1%:M]_(i <- rev (index_iota 1 r.+1))
      (1%:M - 2%:R *: (k i *m (k i)^T))) = - 1%:M -> (n%:R : R) <= r%:R).
Proof.
set product := \big[_/_]_(_ <- _) _; have rank_le : (\rank (product - 1%:M)%R <= r)%N.
  rewrite /product; elim: r {product} => [|r IH]; first by rewrite big_nil subrr mxrank0.
  rewrite product_recr //; set shorter := \big[_/_]_(_ <- _) _ in IH *.
  have -> : (1%:M - 2%:R *: (k r.+1 *m (k r.+1)^T)) *m shorter - 1%:M =
      (shorter - 1%:M) + (- 2%:R) *: (k r.+1 *m ((k r.+1)^T *m shorter)) by mxring.
  apply: leq_trans (rank_add (a := r) (b := 1) IH _) _; last by rewrite addn1.
  exact: leq_trans (rank_scale _ _) (rank_outer _ _).
split; first by rewrite ler_nat.
move=> minus_one; rewrite ler_nat; apply: leq_trans rank_le; rewrite minus_one.
have -> : - 1%:M - 1%:M = (- 2%:R) *: 1%:M :> 'M[R]_n by mxlin.
by rewrite eqmx_scale ?mxrank1 // oppr_eq0 pnatr_eq0.
Qed.

Section CartanDieudonne.
Variables (R : rcfType) (n : nat).
Implicit Types (T M : 'M[R]_n) (k x y z : 'cV[R]_n) (K : nat -> 'cV[R]_n).

Lemma normalised_unit z : z <> 0 ->
  ((1 / Num.sqrt (gram z)) *: z)^T *m ((1 / Num.sqrt (gram z)) *: z) = 1%:M :> 'M[R]_1.
Proof.
move=> /gram_gt0 z_gt0; apply/mx11_unit; rewrite gram_scale mul1r exprVn.
by rewrite sqr_sqrtr ?ltW // mulVf // gt_eqF.
Qed.

Lemma reflection_involution k : k^T *m k = 1%:M :> 'M[R]_1 ->
  (1%:M - 2%:R *: (k *m k^T)) *m (1%:M - 2%:R *: (k *m k^T)) = 1%:M.
Proof.
move=> unit_k; rewrite -[RHS](reflection_orthogonal unit_k); congr (_ *m _).
by rewrite !transposeE.
Qed.

(* a kernel that grows strictly means a smaller rank *)
Lemma rank_of_larger_kernel (M M' : 'M[R]_n) x :
  (forall y, M *m y = 0 -> M' *m y = 0) -> M' *m x = 0 -> M *m x <> 0 ->
  (\rank M' < \rank M)%N.
Proof.
move=> grows x_in x_out; have rows (N : 'M[R]_n) (y : 'cV[R]_n) :
    (y^T <= kermx N^T)%MS <-> N *m y = 0.
  split=> [/sub_kermxP yN0|Ny0].
    by apply: trmx_inj; rewrite trmx_mul yN0 trmx0.
  by apply/sub_kermxP; rewrite -trmx_mul Ny0 trmx0.
have : (kermx M^T < kermx M'^T)%MS.
  apply/andP; split.
    apply/rV_subP => r; rewrite -[r]trmxK => /rows My0; exact/rows/grows.
  by apply/negP => /(submx_trans ((rows M' x).2 x_in))/rows/x_out.
rewrite ltmxErank => /andP[_]; rewrite !mxrank_ker !mxrank_tr => lt_ker.
by rewrite ltnNge; apply/negP => le_rank; move: lt_ker; rewrite ltnNge leq_sub2l.
Qed.

(* reflecting T x back to x *)
Lemma reflect_back T : T^T *m T = 1%:M -> T - 1%:M <> 0 ->
  exists k, k^T *m k = 1%:M :> 'M[R]_1 /\
    (\rank ((1%:M - 2%:R *: (k *m k^T)) *m T - 1%:M)%R < \rank (T - 1%:M)%R)%N.
Proof.
move=> oT /eqP moves; have /row_subPn : ~~ ((T - 1%:M)^T <= (0 : 'M[R]_n))%MS.
  by rewrite submx0 trmx_eq0.
case=> i; rewrite submx0 => column_neq0.
pose x : 'cV[R]_n := delta_mx i 0.
have moved : (T - 1%:M) *m x <> 0.
  move=> x0; move/eqP: column_neq0; apply.
  by rewrite rowE -trmx_delta -trmx_mul x0 trmx0.
have z_neq0 : T *m x - x <> 0 by move=> z0; apply: moved; rewrite mulmxBl mul1mx.
set z := T *m x - x in z_neq0; exists ((1 / Num.sqrt (gram z)) *: z).
split; first exact: normalised_unit.
apply: (rank_of_larger_kernel (x := x)) => // [y|].
  rewrite [(T - 1%:M) *m y]mulmxBl mul1mx => /eqP; rewrite subr_eq0 => /eqP Ty.
  rewrite [(_ *m T - _) *m y]mulmxBl mul1mx -mulmxA Ty reflect_along //.
  have -> : gram_dot z y = 0.
    rewrite /z trmx_add trmx_opp mulmxDl mulNmx entry_add entry_opp -{1}Ty trmx_mul.
    by rewrite mulmxA -[x^T *m _ *m _]mulmxA oT mulmx1 subrr.
  by rewrite mulr0 mul0r scale0r subr0 subrr.
rewrite [(_ *m T - _) *m x]mulmxBl mul1mx -mulmxA; apply/eqP; rewrite subr_eq0; apply/eqP.
by rewrite /z reflect_difference // ?gram_isometry.
Qed.

Lemma cartan_dieudonne_nat (r : nat) T : T^T *m T = 1%:M -> \rank (T - 1%:M) = r ->
  exists K, (forall i : nat, (1 <= i <= r)%N -> (K i)^T *m K i = 1%:M :> 'M[R]_1) /\
    T = \big[mulmx/1%:M]_(i <- rev (index_iota 1 r.+1)) (1%:M - 2%:R *: (K i *m (K i)^T)).
Proof.
elim: r T => [|r IH] T oT rankT.
  exists (fun=> 0); split; first by case.
  by rewrite big_nil; apply/eqP; rewrite -subr_eq0 -mxrank_eq0 rankT.
have moves : T - 1%:M <> 0 by move=> T1; move: rankT; rewrite T1 mxrank0.
have [k [unit_k rank_lt]] := reflect_back oT moves.
set H := 1%:M - 2%:R *: (k *m k^T) in rank_lt.
have oH : H^T *m H = 1%:M := reflection_orthogonal unit_k.
have HH : H *m H = 1%:M := reflection_involution unit_k.
have oHT : (H *m T)^T *m (H *m T) = 1%:M.
  by rewrite trmx_mul mulmxA -[T^T *m _ *m _]mulmxA oH mulmx1.
have rankHT : \rank (H *m T - 1%:M) = r.
  have rank_le : (\rank (T - 1%:M)%R <= \rank (H *m T - 1%:M)%R + 1)%N.
    have -> : T - 1%:M = H *m (H *m T - 1%:M) + (- 2%:R) *: (k *m k^T).
      by rewrite mulmxBr mulmxA HH mulmx1 mul1mx /H; mxlin.
    apply: rank_add; first exact: mxrankM_maxr.
    exact: leq_trans (rank_scale _ _) (rank_outer _ _).
  apply/eqP; rewrite eqn_leq -ltnS -rankT rank_lt /=.
  by move: rank_le; rewrite rankT addn1 ltnS.
have [K [units product]] := IH _ oHT rankHT.
exists (fun i => if i == r.+1 then k else K i); split=> [i|].
  by case: eqP => // /eqP i_neq /andP[i_ge1 i_le]; apply: units; rewrite i_ge1 -ltnS ltn_neqAle i_neq.
have -> : T = H *m (H *m T) by rewrite mulmxA HH mul1mx.
rewrite product_recr // eqxx -/H; congr (_ *m _); rewrite product.
apply: eq_big_seq => i; rewrite mem_rev mem_index_iota => /andP[_ i_lt].
by rewrite ltn_eqF.
Qed.

Lemma cartan_dieudonne (r : int) T : T^T *m T = 1%:M -> (\rank (T - 1%:M))%:R = r%:~R :> R ->
  (r%:~R : R) <= n%:R /\
  (exists K : int -> 'cV[R]_n,
     (forall i : int, (1 <= i <= r) -> (K i)^T *m K i = 1%:M :> 'M[R]_1) /\
     T = \big[mulmx/1%:M]_(i <- rev (layers 1 (r + 1))) (1%:M - 2%:R *: (K i *m (K i)^T))).
Proof.
move=> oT rank_r; rewrite -rank_r ler_nat rank_leq_row; split=> //.
have [K [units product]] := cartan_dieudonne_nat oT (erefl (\rank (T - 1%:M))).
have r_nat : r = (\rank (T - 1%:M))%:Z.
  by apply/eqP; rewrite -(eqr_int R) -rank_r.
exists (fun i => K (absz i)); split.
  move=> [i|i] /andP[i_ge1 i_le] //; apply: units.
  by move: i_ge1 i_le; rewrite r_nat !lez_nat => -> ->.
rewrite [r + 1]addrC r_nat big_layers_rev [LHS]product /index_iota subn0 subSS subn0.
rewrite (iotaDl 1 0 (\rank (T - 1%:M)) : iota 1 _ = _) -map_rev big_map.
by apply: eq_bigr => i _; rewrite add1n.
Qed.

End CartanDieudonne.

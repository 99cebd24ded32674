(* ========================================================================== *)
(*  residual: units x_(i+1) = x_i + F_i between the layers l and L            *)
(*                                                                            *)
(* Source: Identity Mappings in Deep Residual Networks, arXiv 1603.05027,     *)
(* equations 4 to 10 and section 3 (all retold); the delta block is that of   *)
(* arXiv 2601.00417. Layers are integers l <= L; l = L is allowed. Every      *)
(* lemma holds in every dimension.                                            *)
(*                                                                            *)
(*           unroll_sum == the recurrences, by induction on the number of     *)
(*                         layers; likewise unroll_scaled, unroll_linear,     *)
(*                         product_of_layers                                  *)
(*             unrolled == residual.unrolled (eq. 4): 'x_L = x_l + sum of     *)
(*                         F_i'                                               *)
(*             gradient == residual.gradient (eq. 5): 'the gradient passes    *)
(*                         unchanged, plus that of the sum'; jacobian without *)
(*                         the row                                            *)
(*      scaled_unrolled == residual.scaled_unrolled (eq. 7): 'scaled          *)
(*                         shortcuts, with the later factors'                 *)
(*      scaled_gradient == residual.scaled_gradient (eq. 8)                   *)
(*      linear_shortcut == residual.linear_shortcut (section 3): 'ordered     *)
(*                         products in the state and in the gradient'         *)
(*       plain_gradient == residual.plain_gradient: 'without shortcuts, the   *)
(*                         product of the Jacobians'                          *)
(*      plain_vanishing == residual.plain_vanishing: 'Jacobians of norm at    *)
(*                         most c < 1 make the gradient decay'                *)
(*          scale_decay == residual.scale_decay (section 3.1): 'factors below *)
(*                         1 decay, above 1 grow'                             *)
(*        vanishing_iff == residual.vanishing_iff: 'the gradient vanishes     *)
(*                         exactly at an eigenvalue -1'; left_right_kernel on *)
(*                         the way                                            *)
(* relu_before_addition_monotone ==                                           *)
(*                         residual.relu_before_addition_monotone: 'residuals *)
(*                         >= 0 make the state grow'                          *)
(* post_activation_defect ==                                                  *)
(*                         residual.post_activation_defect: 'what a ReLU      *)
(*                         after the addition adds'                           *)
(* asymmetric_is_preactivation ==                                             *)
(*                         residual.asymmetric_is_preactivation (eqs. 9, 10)  *)
(* delta_block_is_residual ==                                                 *)
(*                         residual.delta_block_is_residual: 'the delta block *)
(*                         is a residual unit'                                *)
(*                                                                            *)
(* Left out: layer norm.                                                      *)
(* ========================================================================== *)
From mathcomp Require Import all_ssreflect all_algebra ring.
From deltaproof Require Import matrix_kit norm_kit index_kit delta.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

(* ---- by induction on the number of layers *)

Lemma unroll_sum (V : zmodType) (x F : nat -> V) (m : nat) :
  (forall t, (t < m)%N -> x t.+1 = x t + F t) -> x m = x 0%N + \sum_(0 <= t < m) F t.
Proof.
elim: m => [|m IH] unit_of; first by rewrite big_geq // addr0.
rewrite unit_of // IH => [|t /ltnW lt_tm]; last exact: unit_of.
by rewrite big_nat_recr //= addrA.
Qed.

Lemma unroll_scaled (R : comRingType) (V : lmodType R) (x F : nat -> V) (a : nat -> R) (m : nat) :
  (forall t, (t < m)%N -> x t.+1 = a t *: x t + F t) ->
  x m = (\prod_(0 <= t < m) a t) *: x 0%N +
        \sum_(0 <= t < m) (\prod_(t.+1 <= s < m) a s) *: F t.
Proof.
elim: m => [|m IH] unit_of; first by rewrite !big_geq // scale1r addr0.
rewrite unit_of // IH => [|t /ltnW lt_tm]; last exact: unit_of.
rewrite scalerDr scalerA big_nat_recr //= mulrC scaler_sumr -addrA; congr (_ + _).
rewrite [RHS]big_nat_recr //= [X in X *: F m]big_geq // scale1r; congr (_ + _).
by apply: eq_big_nat => t lt_tm; rewrite scalerA big_nat_recr //= mulrC.
Qed.

Lemma unroll_linear (R : ringType) (n p : nat) (x F : nat -> 'M[R]_(n, p)) (W : nat -> 'M[R]_n)
    (m : nat) :
  (forall t, (t < m)%N -> x t.+1 = W t *m x t + F t) ->
  x m = \big[mulmx/1%:M]_(t <- rev (index_iota 0 m)) W t *m x 0%N +
        \sum_(0 <= t < m) (\big[mulmx/1%:M]_(s <- rev (index_iota t.+1 m)) W s *m F t).
Proof.
elim: m => [|m IH] unit_of; first by rewrite product_nil big_geq // mul1mx addr0.
rewrite unit_of // IH => [|t /ltnW lt_tm]; last exact: unit_of.
rewrite mulmxDr mulmxA product_recr // mulmx_sumr -addrA; congr (_ + _).
rewrite [RHS]big_nat_recr //= product_nil mul1mx; congr (_ + _).
by apply: eq_big_nat => t lt_tm; rewrite mulmxA product_recr.
Qed.

Lemma product_of_layers (R : ringType) (n p : nat) (x : nat -> 'M[R]_(n, p)) (W : nat -> 'M[R]_n)
    (m : nat) :
  (forall t, (t < m)%N -> x t.+1 = W t *m x t) ->
  x m = \big[mulmx/1%:M]_(t <- rev (index_iota 0 m)) W t *m x 0%N.
Proof.
move=> unit_of; rewrite [LHS](@unroll_linear _ _ _ _ (fun=> 0) W) => [|t lt_tm].
  by rewrite big1 ?addr0 // => t _; rewrite mulmx0.
by rewrite unit_of // addr0.
Qed.

(* ---- the ledger's rows, between integers *)

Section States.
Variables (R : comRingType) (n : nat) (l L : int).
Implicit Types (x F : int -> 'cV[R]_n) (G J : int -> 'M[R]_n) (g : 'rV[R]_n).

Lemma unrolled x F : l <= L ->
  (forall i : int, (l <= i <= L - 1) -> x (i + 1) = x i + F i) ->
  x L = x l + \sum_(i <- layers l L) F i.
Proof.
move=> /layers_offset[m ->] /layer_hypothesis unit_of.
rewrite (@unroll_sum _ (fun t => x (l + t%:Z)) (fun t => F (l + t%:Z))) => [|t lt_tm].
  by rewrite addr0 big_layers.
by rewrite -layer_next unit_of.
Qed.

Lemma jacobian G J : l <= L -> G l = 1%:M ->
  (forall i : int, (l <= i <= L - 1) -> G (i + 1) = G i + J i *m G i) ->
  G L = 1%:M + \sum_(i <- layers l L) (J i *m G i).
Proof.
move=> /layers_offset[m ->] start /layer_hypothesis unit_of.
rewrite (@unroll_sum _ (fun t => G (l + t%:Z)) (fun t => J (l + t%:Z) *m G (l + t%:Z))).
  by rewrite addr0 start big_layers.
by move=> t lt_tm; rewrite -layer_next unit_of.
Qed.

Lemma gradient g G J : l <= L -> G l = 1%:M ->
  (forall i : int, (l <= i <= L - 1) -> G (i + 1) = G i + J i *m G i) ->
  g *m G L = g *m (1%:M + \sum_(i <- layers l L) (J i *m G i)).
Proof. by move=> le_lL start /(jacobian le_lL start) ->. Qed.

Lemma scaled_unrolled x (lam : int -> R) F : l <= L ->
  (forall i : int, (l <= i <= L - 1) -> x (i + 1) = lam i *: x i + F i) ->
  x L = (\prod_(i <- layers l L) lam i) *: x l +
        (\sum_(i <- layers l L) ((\prod_(j <- layers (i + 1) L) lam j) *: F i)).
Proof.
move=> /layers_offset[m ->] /layer_hypothesis unit_of.
rewrite (@unroll_scaled _ _ (fun t => x (l + t%:Z)) (fun t => F (l + t%:Z))
           (fun t => lam (l + t%:Z))) => [|t lt_tm]; last by rewrite -layer_next unit_of.
rewrite addr0 !big_layers; congr (_ + _); apply: eq_big_nat => t /andP[_ lt_tm].
by rewrite big_layers_after.
Qed.

Lemma scaled_gradient g G (lam : int -> R) J : l <= L -> G l = 1%:M ->
  (forall i : int, (l <= i <= L - 1) -> G (i + 1) = lam i *: G i + J i *m G i) ->
  g *m G L = g *m ((\prod_(i <- layers l L) lam i) *: 1%:M +
    (\sum_(i <- layers l L) ((\prod_(j <- layers (i + 1) L) lam j) *: (J i *m G i)))).
Proof.
move=> /layers_offset[m ->] start /layer_hypothesis unit_of; congr (_ *m _).
rewrite (@unroll_scaled _ _ (fun t => G (l + t%:Z)) (fun t => J (l + t%:Z) *m G (l + t%:Z))
           (fun t => lam (l + t%:Z))) => [|t lt_tm]; last by rewrite -layer_next unit_of.
rewrite addr0 start !big_layers; congr (_ + _); apply: eq_big_nat => t /andP[_ lt_tm].
by rewrite big_layers_after.
Qed.

Lemma linear_unrolled p (x F : int -> 'M[R]_(n, p)) (W : int -> 'M[R]_n) : l <= L ->
  (forall i : int, (l <= i <= L - 1) -> x (i + 1) = W i *m x i + F i) ->
  x L = (\big[mulmx/1%:M]_(i <- rev (layers l L)) W i) *m x l +
        (\sum_(i <- layers l L)
           ((\big[mulmx/1%:M]_(j <- rev (layers (i + 1) L)) W j) *m F i)).
Proof.
move=> /layers_offset[m ->] /layer_hypothesis unit_of.
rewrite (@unroll_linear _ _ _ (fun t => x (l + t%:Z)) (fun t => F (l + t%:Z))
           (fun t => W (l + t%:Z))) => [|t lt_tm]; last by rewrite -layer_next unit_of.
rewrite addr0 big_layers_rev !big_layers; congr (_ + _); apply: eq_big_nat => t /andP[_ lt_tm].
by rewrite big_layers_after_rev.
Qed.

Lemma linear_shortcut g x (W : int -> 'M[R]_n) F G J : l <= L ->
  (forall i : int, (l <= i <= L - 1) -> x (i + 1) = W i *m x i + F i) ->
  G l = 1%:M ->
  (forall i : int, (l <= i <= L - 1) -> G (i + 1) = W i *m G i + J i *m G i) ->
  x L = (\big[mulmx/1%:M]_(i <- rev (layers l L)) W i) *m x l +
        (\sum_(i <- layers l L)
           ((\big[mulmx/1%:M]_(j <- rev (layers (i + 1) L)) W j) *m F i)) /\
  g *m G L = g *m ((\big[mulmx/1%:M]_(i <- rev (layers l L)) W i) +
        (\sum_(i <- layers l L)
           ((\big[mulmx/1%:M]_(j <- rev (layers (i + 1) L)) W j) *m (J i *m G i)))).
Proof.
move=> le_lL states start jacobians; split; first exact: linear_unrolled.
congr (_ *m _); rewrite (linear_unrolled (F := fun i => J i *m G i) le_lL jacobians).
by rewrite start mulmx1.
Qed.

Lemma plain_gradient g G J : l <= L -> G l = 1%:M ->
  (forall i : int, (l <= i <= L - 1) -> G (i + 1) = J i *m G i) ->
  g *m G L = g *m (\big[mulmx/1%:M]_(i <- rev (layers l L)) J i).
Proof.
move=> /layers_offset[m ->] start /layer_hypothesis unit_of; congr (_ *m _).
rewrite (@product_of_layers _ _ _ (fun t => G (l + t%:Z)) (fun t => J (l + t%:Z))) => [|t lt_tm].
  by rewrite addr0 start mulmx1 big_layers_rev.
by rewrite -layer_next unit_of.
Qed.

Lemma delta_block_is_residual d p (X : int -> 'M[R]_(d, p)) (beta : int -> R)
    (k : int -> 'cV[R]_d) (v : int -> 'cV[R]_p) : l <= L ->
  (forall i : int, (l <= i <= L - 1) -> X (i + 1) =
     (1%:M - beta i *: (k i *m (k i)^T)) *m X i + beta i *: (k i *m (v i)^T)) ->
  X L = X l + \sum_(i <- layers l L) (beta i *: (k i *m ((v i)^T - (k i)^T *m X i))).
Proof.
move=> /layers_offset[m ->] /layer_hypothesis unit_of.
rewrite (@unroll_sum _ (fun t => X (l + t%:Z)) (fun t => beta (l + t%:Z) *: (k (l + t%:Z) *m
  ((v (l + t%:Z))^T - (k (l + t%:Z))^T *m X (l + t%:Z))))) => [|t lt_tm].
  by rewrite addr0 big_layers.
by rewrite -layer_next unit_of // delta.rank_one_form.
Qed.

Lemma asymmetric_is_preactivation (x y : int -> 'cV[R]_n)
    (F : int -> 'cV[R]_n -> 'cV[R]_n) (f : 'cV[R]_n -> 'cV[R]_n) :
  (forall i : int, (0 <= i <= L - 1) -> y (i + 1) = y i + F (i + 1) (f (y i))) ->
  (forall i : int, (0 <= i <= L) -> x (i + 1) = y i) ->
  forall i : int, (1 <= i <= L) -> x (i + 1) = x i + F i (f (x i)).
Proof.
move=> units renamed i /andP[i_ge1 i_leL].
have i_pred : i = (i - 1) + 1 by rewrite subrK.
have pred_ge0 : 0 <= i - 1 by rewrite subr_ge0.
have x_i : x i = y (i - 1).
  rewrite {1}i_pred renamed // pred_ge0 /=.
  by apply: le_trans i_leL; rewrite ler_subl_addr ler_addl.
rewrite x_i renamed; last by rewrite i_leL andbT (le_trans _ i_ge1).
by rewrite {1}i_pred units -?i_pred // pred_ge0 ler_add2r i_leL.
Qed.

End States.

Section Activations.
Variables (R : realFieldType) (l L : int).

Lemma max_opp (z : R) : Order.max 0 z = z + Order.max 0 (- z).
Proof.
have [z_ge0|z_lt0] := lerP 0 z; first by rewrite max_l ?oppr_le0 // addr0.
have z_opp : 0 <= - z by rewrite oppr_ge0 ltW.
by rewrite (max_r z_opp) subrr.
Qed.

Lemma post_activation_defect (x F : int -> R) : l <= L ->
  (forall i : int, (l <= i <= L - 1) -> x (i + 1) = Order.max 0 (x i + F i)) ->
  x L - x l - (\sum_(i <- layers l L) F i) =
  \sum_(i <- layers l L) Order.max 0 (- (x i + F i)).
Proof.
move=> /layers_offset[m ->] /layer_hypothesis unit_of.
rewrite (@unroll_sum _ (fun t => x (l + t%:Z))
  (fun t => F (l + t%:Z) + Order.max 0 (- (x (l + t%:Z) + F (l + t%:Z))))) => [|t lt_tm].
  by rewrite addr0 !big_layers big_split /= [x l + _]addrC addrK addrC addKr.
by rewrite -layer_next unit_of // max_opp addrA.
Qed.

Lemma relu_before_addition_monotone n (x F : int -> 'cV[R]_n) : l <= L ->
  (forall i : int, (l <= i <= L - 1) -> x (i + 1) = x i + F i) ->
  (forall i : int, (l <= i <= L - 1) -> forall p : 'I_n, 0 <= (F i) p 0) ->
  forall p : 'I_n, (x l) p 0 <= (x L) p 0.
Proof.
move=> /layers_offset[m ->] /layer_hypothesis unit_of /layer_hypothesis F_ge0 p.
elim: m unit_of F_ge0 => [|m IH] unit_of F_ge0; first by rewrite addr0.
rewrite -layer_next unit_of // entry_add; apply: ler_paddr; first exact: F_ge0.
by apply: IH => t /ltnW lt_tm; [exact: unit_of | exact: F_ge0].
Qed.

Lemma scale_decay (c : R) (lam : int -> R) : l <= L ->
  ((forall i : int, (l <= i <= L - 1) -> `|lam i| <= c) -> c < 1 ->
     `|\prod_(i <- layers l L) lam i| <= c ^ (L - l)) /\
  ((forall i : int, (l <= i <= L - 1) -> c <= lam i) -> 1 < c ->
     c ^ (L - l) <= \prod_(i <- layers l L) lam i).
Proof.
move=> /layers_offset[m ->]; rewrite big_layers !layer_count -!exprnP.
split=> /layer_hypothesis bounded => [_|c_gt1].
  elim: m bounded => [|m IH] bounded; first by rewrite big_geq // normr1.
  rewrite big_nat_recr //= normrM exprSr ler_pmul // ?bounded // IH // => t /ltnW.
  exact: bounded.
elim: m bounded => [|m IH] bounded; first by rewrite big_geq.
have c_ge0 : 0 <= c by rewrite ltW // (lt_trans ltr01).
rewrite big_nat_recr //= exprSr ler_pmul ?exprn_ge0 ?bounded // IH // => t /ltnW.
exact: bounded.
Qed.

Lemma left_right_kernel n (M : 'M[R]_n) :
  (exists g : 'rV[R]_n, g <> 0 /\ g *m M = 0) <-> (exists y : 'cV[R]_n, y <> 0 /\ M *m y = 0).
Proof.
have rank_lt p (r : 'rV[R]_p) (N : 'M[R]_p) : r <> 0 -> r *m N = 0 -> (\rank N < p)%N.
  move=> /eqP r_neq0 rN0; rewrite ltn_neqAle rank_leq_row andbT; apply: contra r_neq0.
  by rewrite -/(row_free N) => /row_freeP[N' NN']; rewrite -[r]mulmx1 -NN' mulmxA rN0 mul0mx.
split=> [[g [g_neq0 gM0]]|[y [y_neq0 My0]]]; first exact/deficient_vector/rank_lt/gM0.
have [|g [g_neq0 gM0]] := @deficient_vector _ _ M^T.
  apply: (rank_lt _ y^T); first by move=> y0; apply: y_neq0; rewrite -[y]trmxK y0 trmx0.
  by rewrite -trmx_mul My0 trmx0.
exists g^T; split; first by move=> g0; apply: g_neq0; rewrite -[g]trmxK g0 trmx0.
by apply: trmx_inj; rewrite trmx_mul trmxK gM0 trmx0.
Qed.

Lemma vanishing_iff n (G J : int -> 'M[R]_n) (b a : int -> R) : l <= L -> G l = 1%:M ->
  (forall i : int, (l <= i <= L - 1) -> G (i + 1) = G i + J i *m G i) ->
  b l = 1 ->
  (forall i : int, (l <= i <= L - 1) -> b (i + 1) = b i + a i * b i) ->
  ((exists g : 'rV[R]_n, g <> 0 /\ g *m G L = 0) <->
   (exists y : 'cV[R]_n, y <> 0 /\ (\sum_(i <- layers l L) (J i *m G i)) *m y = - y)) /\
  ((exists e : R, e <> 0 /\ e * b L = 0) <-> \sum_(i <- layers l L) (a i * b i) = - 1).
Proof.
move=> le_lL start jacobians start1 slopes; split.
  rewrite (jacobian le_lL start jacobians) left_right_kernel.
  split=> -[y [y_neq0 Dy]]; exists y; split=> //.
    by apply/eqP; rewrite -addr_eq0 addrC; move: Dy; rewrite mulmxDl mul1mx => ->.
  by rewrite mulmxDl mul1mx Dy subrr.
have -> : b L = 1 + \sum_(i <- layers l L) (a i * b i).
  move: le_lL slopes => /layers_offset[m ->] /layer_hypothesis slope_of.
  rewrite (@unroll_sum _ (fun t => b (l + t%:Z)) (fun t => a (l + t%:Z) * b (l + t%:Z))).
    by rewrite addr0 start1 big_layers.
  by move=> t lt_tm; rewrite -layer_next slope_of.
split=> [[e [/eqP e_neq0 /eqP]]|->]; last first.
  by exists 1; rewrite mul1r subrr; split=> //; apply/eqP/oner_neq0.
by rewrite mulf_eq0 (negbTE e_neq0) /= addrC addr_eq0 => /eqP.
Qed.

End Activations.

Lemma plain_vanishing (R : rcfType) (n : nat) (l L : int) (c : R) (y : 'cV[R]_n)
    (J : int -> 'M[R]_n) : l <= L -> 0 <= c ->
  (forall i : int, (l <= i <= L - 1) -> forall z : 'cV[R]_n,
     Num.sqrt (gram (J i *m z)) <= c * Num.sqrt (gram z)) ->
  Num.sqrt (gram ((\big[mulmx/1%:M]_(i <- rev (layers l L)) J i) *m y)) <=
  c ^ (L - l) * Num.sqrt (gram y).
Proof.
move=> /layers_offset[m ->] c_ge0 /layer_hypothesis contracts.
rewrite big_layers_rev layer_count -exprnP.
elim: m contracts => [|m IH] contracts; first by rewrite product_nil mul1mx mul1r.
rewrite product_recr // -mulmxA exprS -mulrA; apply: le_trans (contracts m _ _) _ => //.
by rewrite ler_wpmul2l // IH // => t /ltnW; exact: contracts.
Qed.

"""The family rounding, the delta update with the operator formed first: the error of an entry.

ENTRIES == rounding.delta_update_operator_first

A row of A = I − βkkᵀ is off by ((1 + r)³ − 1)(|I_ih| + |βk_i||k_h|) at h; its product with a column
adds d·r; then come the value's two products and a sum. Bernoulli's inequality turns 1 + d·r into
(1 + r)ᵈ.
"""

from ...symbolic import rounding as statements
from ...symbolic.claims import restate
from ...symbolic.derivations import (
    AtMost,
    Derivation,
    Each,
    Evaluated,
    Known,
    Line,
    Linear,
    Parts,
    chain,
    cited,
    lines,
    step,
)
from ...symbolic.evidence import Kind
from ...symbolic.expressions import (
    Expression,
    NaturalPower,
    Total,
    absolute,
    as_expression,
    element,
    entry,
    eye,
    index,
    total,
)
from ...symbolic.propositions import Le, both, eq, forall, le
from ...symbolic.rounding import (
    applied,
    beta,
    deltas,
    entries_bounded,
    eps_1,
    eps_2,
    eps_3,
    exactly,
    h,
    i,
    k,
    k_i,
    operated,
    operator_bound,
    operator_entry,
    r,
    read_magnitudes,
    row_of_sum,
    v,
    x,
    x_i,
)
from ...symbolic.rules import instance
from .entry import Entry, Mutant
from .iterative import by_induction, of_index
from .rounding_sums import (
    MINUS_ONE,
    at_least_zero,
    error_of,
    growth,
    in_order,
    negated,
    ordered,
    product_within,
    result_of,
    sum_within,
    within_itself,
)

CLAIMS = {claim.id: claim for claim in statements.CLAIMS}
d = applied.count
read, written = entry(k.T @ x), beta * k_i

operator = CLAIMS["rounding.delta_update_operator_first"]
cubed, fourth = (1 + r) ** 3, (1 + r) ** 4
unit_h, k_h, x_h = element(eye(d.size), i, h), element(k, h, 1), element(x, h, 1)
computed_h, exact_h = operator_entry(h), unit_h - written * k_h
size_h = absolute(unit_h) + absolute(written) * absolute(k_h)
errors_h = tuple(element(errors, h, 1) for errors in (eps_1, eps_2, eps_3))
grown_h, through_h = growth(errors_h, r)
off_h = computed_h - exact_h

# for each entry of the row: its error, its size, and the size of the computed one
off_within = le(absolute(off_h * x_h), (cubed - 1) * size_h * absolute(x_h))
exact_within = le(absolute(exact_h * x_h), size_h * absolute(x_h))
computed_within = le(absolute(computed_h) * absolute(x_h), cubed * size_h * absolute(x_h))


def each(statement: Le, *before: Line) -> Line:
    """`statement` for each h, the last of these lines."""
    proof = lines(*before, last=Known())
    return forall(h, statement, over=(1, d)), Each(proof)


def entry_error() -> tuple[Line, ...]:
    """The error of an entry of the row: three roundings of the product, one of I_ih."""
    parts = unit_h * errors_h[2], -(written * k_h) * (through_h - 1)
    return (
        *(
            line
            for errors in (eps_1, eps_2, eps_3)
            for line in of_index(entries_bounded(errors), h)
        ),
        grown_h,
        within_itself(unit_h),
        product_within(unit_h, absolute(unit_h), errors_h[2], r),
        *size_of_product(written, k_h),
        product_within(
            -(written * k_h), absolute(written) * absolute(k_h), through_h - 1, cubed - 1
        ),
        sum_within(*parts),
        (
            le(r, cubed - 1),
            AtMost(chain(cubed - 1 - r, step(2 * r + 3 * r**2 + r**3, "multiply out"))),
        ),
        at_least_zero(unit_h),
        in_order(absolute(unit_h), r, cubed - 1),
        (
            le(absolute(off_h), (cubed - 1) * size_h),
            Linear(
                (
                    le(absolute(parts[0] + parts[1]), absolute(parts[0]) + absolute(parts[1])),
                    le(absolute(parts[0]), absolute(unit_h) * r),
                    le(
                        absolute(parts[1]),
                        absolute(written) * absolute(k_h) * (cubed - 1),
                    ),
                    ordered(absolute(unit_h), r, cubed - 1),
                )
            ),
        ),
        within_itself(x_h),
        product_within(off_h, (cubed - 1) * size_h, x_h, absolute(x_h)),
    )


def size_of_product(left: Expression, right: Expression) -> tuple[Line, ...]:
    """|−a b| ≤ |a||b|."""
    size_of = absolute(left) * absolute(right)
    return (
        *negated(left * right),
        (
            le(absolute(-(left * right)), size_of),
            Linear(
                (
                    le(absolute(-(left * right)), absolute(left * right)),
                    instance("absolute_product", left, right),
                )
            ),
        ),
    )


def entry_size() -> tuple[Line, ...]:
    """|I_ih − βk_i k_h| ≤ |I_ih| + |βk_i||k_h|."""
    return (
        *size_of_product(written, k_h),
        (
            le(absolute(exact_h), size_h),
            Linear(
                (
                    instance("absolute_triangle", unit_h, -(written * k_h)),
                    le(absolute(-(written * k_h)), absolute(written) * absolute(k_h)),
                )
            ),
        ),
        within_itself(x_h),
        product_within(exact_h, size_h, x_h, absolute(x_h)),
    )


def over_h(term: Expression) -> Total:
    """Σ term over h."""
    return total(h, 1, d, term)


exact_row = x_i - written * read
all_sizes = absolute(x_i) + absolute(written) * read_magnitudes
of_all = over_h(size_h * absolute(x_h))
exact_terms = over_h(exact_h * x_h)
unit_terms, read_terms = over_h(unit_h * x_h), over_h(k_h * x_h)
minus_written = over_h(-written * (k_h * x_h))
minus_exact = over_h(-1 * (exact_h * x_h))
row_sizes = over_h(absolute(unit_h) * absolute(x_h))
read_sizes = over_h(absolute(written) * (absolute(k_h) * absolute(x_h)))


def scaled(factor: Expression) -> Derivation:
    """Σ factor·(|I_ih| + |βk_i||k_h|)|X_hj| = factor·(|X_ij| + |βk_i|Σ|k||X_j|)."""
    inside = over_h(factor * size_h * absolute(x_h))
    return chain(
        inside,
        step(factor * of_all, "the factor comes out", instance("scaled_sum", factor, of_all)),
        step(factor * all_sizes, "the sizes", eq(of_all, all_sizes)),
    )


sums: tuple[Line, ...] = (
    (
        eq(of_all, all_sizes),
        chain(
            of_all,
            step(
                over_h(
                    absolute(unit_h) * absolute(x_h)
                    + absolute(written) * (absolute(k_h) * absolute(x_h))
                ),
                "multiply out",
            ),
            step(
                row_sizes + read_sizes,
                "two sums",
                instance(
                    "sum_of_sums",
                    over_h(
                        absolute(unit_h) * absolute(x_h)
                        + absolute(written) * (absolute(k_h) * absolute(x_h))
                    ),
                ),
            ),
            step(
                absolute(x_i) + read_sizes,
                "a row of the identity",
                instance("row_of_identity", i, row_sizes),
            ),
            step(
                all_sizes,
                "the factor comes out",
                instance("scaled_sum", absolute(written), read_magnitudes),
            ),
        ),
    ),
    (
        eq(exact_terms, exact_row),
        chain(
            exact_terms,
            step(over_h(unit_h * x_h + -written * (k_h * x_h)), "multiply out"),
            step(
                unit_terms + minus_written,
                "two sums",
                instance("sum_of_sums", over_h(unit_h * x_h + -written * (k_h * x_h))),
            ),
            step(
                x_i + minus_written,
                "a row of the identity",
                instance("row_of_identity", i, unit_terms),
            ),
            step(
                x_i + -written * read_terms,
                "the factor comes out",
                instance("scaled_sum", -written, read_terms),
            ),
            step(exact_row, "kᵀX_j", instance("inner_product", k, x, h)),
        ),
    ),
    (
        eq(over_h(off_h * x_h), row_of_sum - exact_row),
        chain(
            over_h(off_h * x_h),
            step(over_h(computed_h * x_h + -1 * (exact_h * x_h)), "multiply out"),
            step(
                row_of_sum + minus_exact,
                "two sums",
                instance("sum_of_sums", over_h(computed_h * x_h + -1 * (exact_h * x_h))),
            ),
            step(
                row_of_sum + -1 * exact_terms,
                "the factor comes out",
                instance("scaled_sum", -1, exact_terms),
            ),
            step(row_of_sum - exact_row, "the exact row", eq(exact_terms, exact_row)),
        ),
    ),
)

f = index("f")
base, bernoulli_last = 1 + r, NaturalPower(1 + r, d)
bernoulli = by_induction(
    f,
    lambda count: le(1 + count * r, NaturalPower(base, as_expression(count))),
    last=None,
    base=Linear(()),
    step=lines(
        (le(0, base), Linear((le(0, r),))),
        in_order(base, 1 + f * r, NaturalPower(base, f)),
        cited(le(0, f * r), "nonnegative_product", f, r),
        cited(le(0, r * (f * r)), "nonnegative_product", r, f * r),
        last=Linear(
            (
                ordered(base, 1 + f * r, NaturalPower(base, f)),
                instance("power_successor", base, f),
                le(0, r * (f * r)),
            )
        ),
    ),
)

whole = NaturalPower(1 + r, d + 4)
linear_growth = fourth * (1 + d * r)
growths = le(linear_growth, whole), le(cubed, whole)
powers: tuple[Line, ...] = (
    bernoulli,
    *of_index(bernoulli[0], d),
    (le(0, fourth), AtMost(chain(fourth - 0, step(fourth, "a power")))),
    in_order(fourth, 1 + d * r, bernoulli_last),
    (le(0, 4), Linear(())),
    (
        le(linear_growth, whole),
        Linear(
            (
                ordered(fourth, 1 + d * r, bernoulli_last),
                instance("power_of_sum", base, d, as_expression(4)),
            )
        ),
    ),
    (
        le(cubed, linear_growth),
        AtMost(
            chain(
                linear_growth - cubed,
                step(cubed * (r + d * r + d * r**2), "(1 + r)³ comes out"),
            )
        ),
    ),
    (le(cubed, whole), Linear((le(cubed, linear_growth), le(linear_growth, whole)))),
)

row_error = applied.result - row_of_sum
gap = applied.result - exact_row
gap_growth = cubed * (1 + d * r) - 1
row_bound = error_of(applied)
grown_last, through_last = growth(deltas[3:], r)
operated_terms = (
    gap,
    gap * deltas[5],
    exact_row * deltas[5],
    written * v * (through_last - 1),
)
operated_apart = operated_terms[0] + operated_terms[1] + operated_terms[2] + operated_terms[3]
operated_sizes = (
    absolute(operated_terms[0])
    + absolute(operated_terms[1])
    + absolute(operated_terms[2])
    + absolute(operated_terms[3])
)
operated_difference = operated - exactly
every_off, every_exact, every_computed = (
    forall(h, part, over=(1, d)) for part in (off_within, exact_within, computed_within)
)

OPERATOR_FIRST = Entry(
    operator,
    (Kind.DERIVATION,),
    derivation=lines(
        *result_of(applied),
        (MINUS_ONE, Evaluated()),
        each(off_within, *entry_error()),
        each(exact_within, *entry_size()),
        each(
            computed_within,
            *of_index(every_off, h),
            *of_index(every_exact, h),
            (
                computed_within,
                Linear(
                    (
                        instance("absolute_product", computed_h, x_h),
                        instance("absolute_triangle", exact_h * x_h, off_h * x_h),
                        off_within,
                        exact_within,
                    )
                ),
            ),
        ),
        *sums,
        (
            le(absolute(row_of_sum - exact_row), (cubed - 1) * all_sizes),
            lines(
                (
                    eq(absolute(row_of_sum - exact_row), absolute(over_h(off_h * x_h))),
                    chain(
                        absolute(row_of_sum - exact_row),
                        step(
                            absolute(over_h(off_h * x_h)),
                            "the sum of the errors",
                            eq(over_h(off_h * x_h), row_of_sum - exact_row),
                        ),
                    ),
                ),
                (
                    eq(
                        over_h((cubed - 1) * size_h * absolute(x_h)),
                        (cubed - 1) * all_sizes,
                    ),
                    scaled(cubed - 1),
                ),
                last=Linear(
                    (
                        eq(absolute(row_of_sum - exact_row), absolute(over_h(off_h * x_h))),
                        instance("absolute_of_sum", every_off),
                        eq(
                            over_h((cubed - 1) * size_h * absolute(x_h)),
                            (cubed - 1) * all_sizes,
                        ),
                    )
                ),
            ),
        ),
        (
            le(applied.size, cubed * all_sizes),
            lines(
                (eq(over_h(cubed * size_h * absolute(x_h)), cubed * all_sizes), scaled(cubed)),
                last=Linear(
                    (
                        instance("sums_in_order", every_computed),
                        eq(over_h(cubed * size_h * absolute(x_h)), cubed * all_sizes),
                    )
                ),
            ),
        ),
        (
            le(absolute(exact_row), all_sizes),
            lines(
                (
                    eq(absolute(exact_row), absolute(exact_terms)),
                    chain(
                        absolute(exact_row),
                        step(
                            absolute(exact_terms),
                            "the exact row",
                            eq(exact_terms, exact_row),
                        ),
                    ),
                ),
                last=Linear(
                    (
                        eq(absolute(exact_row), absolute(exact_terms)),
                        instance("absolute_of_sum", every_exact),
                        eq(of_all, all_sizes),
                    )
                ),
            ),
        ),
        (le(0, d), Linear((le(1, d),))),
        cited(le(0, d * r), "nonnegative_product", d, r),
        in_order(d * r, applied.size, cubed * all_sizes),
        (
            le(absolute(gap), gap_growth * all_sizes),
            Linear(
                (
                    instance("absolute_triangle", row_error, row_of_sum - exact_row),
                    le(absolute(row_error), row_bound),
                    ordered(d * r, applied.size, cubed * all_sizes),
                    le(absolute(row_of_sum - exact_row), (cubed - 1) * all_sizes),
                )
            ),
        ),
        (both(*growths), lines(*powers, last=Parts((Known(), Known())))),
        grown_last,
        within_itself(written * v),
        product_within(gap, gap_growth * all_sizes, deltas[5], r),
        product_within(exact_row, all_sizes, deltas[5], r),
        product_within(written * v, absolute(written * v), through_last - 1, cubed - 1),
        sum_within(*operated_terms),
        at_least_zero(exact_row),
        (
            le(0, all_sizes),
            Linear((le(0, absolute(exact_row)), le(absolute(exact_row), all_sizes))),
        ),
        in_order(all_sizes, linear_growth, whole),
        at_least_zero(written * v),
        in_order(absolute(written * v), cubed, whole),
        last=Linear(
            (
                le(absolute(operated_apart), operated_sizes),
                le(absolute(gap), gap_growth * all_sizes),
                le(absolute(operated_terms[1]), gap_growth * all_sizes * r),
                le(absolute(operated_terms[2]), all_sizes * r),
                le(absolute(operated_terms[3]), absolute(written * v) * (cubed - 1)),
                ordered(all_sizes, linear_growth, whole),
                ordered(absolute(written * v), cubed, whole),
            )
        ),
    ),
    mutants=(
        Mutant("one rounding fewer", restate(operator, then=le(
            absolute(operated_difference), operator_bound(NaturalPower(base, d + 3))))),
        Mutant("the sum is exact", restate(operator, then=le(
            absolute(operated_difference), operator_bound(fourth)))),
        Mutant("X is not rounded", restate(operator, then=le(
            absolute(operated_difference),
            (whole - 1) * (absolute(written) * read_magnitudes + absolute(written * v))))),
        Mutant("the value is not rounded", restate(operator, then=le(
            absolute(operated_difference), (whole - 1) * all_sizes))),
    ),
)  # fmt: skip

ENTRIES = (OPERATOR_FIRST,)

"""The checker of certificates: what it accepts is right, what is not right it refuses."""

import ast
import copy
import json
import random
from fractions import Fraction
from pathlib import Path

import deltaproof.symbolic.certificates as certificates_module
import pytest
from deltaproof.symbolic import (
    Claim,
    cayley,
    delta,
    dims,
    eq,
    eye,
    iff,
    inv,
    invertible,
    matrix,
    ne,
    scalar,
    vector,
    zeros,
)  # fmt: skip
from deltaproof.symbolic.certificate_text import certificate_as_mathematics
from deltaproof.symbolic.certificates import (
    Certificate,
    Chain,
    Refused,
    Step,
    check_certificate,
    read_certificate,
    write_certificate,
)
from deltaproof.symbolic.claims import restate, statement_hash
from deltaproof.symbolic.evidence import Kind, Outcome
from deltaproof.symbolic.free_algebra import branches
from deltaproof.symbolic.search import search_certificate

n, m = dims("n m")
A, B, C = (matrix(name, n, n) for name in "ABC")
U, V = matrix("U", n, m), matrix("V", m, n)
k, x = vector("k", n), vector("x", n)
a, b = scalar("a"), scalar("b")

PUSH_THROUGH = Claim(
    "test.push_through",
    given=[invertible(eye(n) + U @ V), invertible(eye(m) + V @ U)],
    then=eq(inv(eye(n) + U @ V) @ U, U @ inv(eye(m) + V @ U)),
)
SCALAR = Claim("test.scalar", given=[eq(a * A, a * B), ne(a, 0)], then=eq(A, B))
PENROSE = Claim(
    "test.penrose",
    given=[eq(A.T @ A @ B, A.T @ A @ C), eq(k.T @ k, eye(1))],
    then=eq(A @ B @ k, A @ C @ k),
)
RIGHT = Claim("test.right_inverse", given=[eq(A @ B, eye(n))], then=eq(B @ A, eye(n)))
SKEW_INVERSE = Claim(
    "test.inverse", given=[eq(A.T, -A)],
    then=iff(eq((eye(n) - A) @ x, zeros(n, 1)), eq(x, zeros(n, 1))),
)  # fmt: skip
BUILT_IN = {claim.id: claim for claim in (*delta.CLAIMS, *cayley.CLAIMS)}
CLAIMS = (
    PUSH_THROUGH, SCALAR, PENROSE, RIGHT, SKEW_INVERSE,
    *(BUILT_IN[name] for name in ("delta.orthogonal_iff", "cayley.isometry", "cayley.nonsingular")),
)  # fmt: skip


def found(claim):
    certificate = search_certificate(claim)
    assert isinstance(certificate, Certificate), str(certificate)
    return certificate


def data_of(claim):
    return json.loads(json.dumps(found(claim).to_json()))


def refusal(claim, data):
    evidence = check_certificate(claim, data)
    assert evidence.kind == Kind.CERTIFICATE
    assert evidence.outcome == Outcome.ERROR
    return evidence.detail


def terms_of(data):
    return [t for steps in data["branches"] for step in steps for t in step.get("terms", [])]


# ---- what is right is accepted


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_a_certificate_survives_its_json(claim):
    certificate = found(claim)
    evidence = check_certificate(claim, data_of(claim))
    assert evidence.outcome == Outcome.CONFIRMED
    assert evidence.scope == "all"
    assert evidence.data["certificate"]["terms"] == certificate.terms
    assert Certificate.from_json(certificate.to_json()) == certificate


def test_files_are_read_back_as_written(tmp_path: Path):
    certificate = found(PUSH_THROUGH)
    path = write_certificate(certificate, tmp_path)
    assert path.name == "test.push_through.json"
    assert read_certificate(path) == certificate


COMMITTED = Path(__file__).parents[2] / "proofs" / "certificates"


@pytest.mark.parametrize(
    "name",
    ["delta.rank_one_form", "delta.eigenvalue_along_k", "delta.eigenvalue_off_k",
     "delta.orthogonal_iff", "cayley.generator_skew", "cayley.nonsingular", "cayley.orthogonal",
     "cayley.isometry", "cayley.no_minus_one"],
)  # fmt: skip
def test_committed_certificates_are_accepted(name):
    certificate = read_certificate(COMMITTED / f"{name}.json")
    assert check_certificate(BUILT_IN[name], certificate).outcome == Outcome.CONFIRMED


def test_the_checker_imports_neither_search_nor_algebra_systems():
    for name in ("certificates.py", "free_algebra.py"):
        tree = ast.parse((Path(certificates_module.__file__).parent / name).read_text())
        nodes = list(ast.walk(tree))
        imported = {node.module for node in nodes if isinstance(node, ast.ImportFrom)}
        plain = [node for node in nodes if isinstance(node, ast.Import)]
        imported |= {alias.name for node in plain for alias in node.names}
        forbidden = {"search", "completion", "sympy", "flint", "exact", "evaluation", "refutation"}
        assert not imported & forbidden


# ---- what is not right is refused, with the reason


def test_a_dropped_term():
    data = data_of(PUSH_THROUGH)
    del data["branches"][0][-1]["terms"][0]
    assert "do not add up" in refusal(PUSH_THROUGH, data)


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_any_dropped_term(claim):
    whole = data_of(claim)
    for number in range(len(terms_of(whole))):
        data = copy.deepcopy(whole)
        counter = iter(range(10**6))
        for steps in data["branches"]:
            for step in steps:
                kept = [t for t in step.get("terms", []) if next(counter) != number]
                if "terms" in step:
                    step["terms"] = kept
        refusal(claim, data)


def test_a_changed_sign():
    data = data_of(PUSH_THROUGH)
    coefficient = data["branches"][0][-1]["terms"][0]["coeff"][0]
    coefficient[0] = str(-Fraction(coefficient[0]))
    assert "do not add up" in refusal(PUSH_THROUGH, data)


def test_a_retyped_word():
    data = data_of(PUSH_THROUGH)
    data["branches"][0][-1]["terms"][0]["left"] = ["U"]
    assert "do not fit its shape" in refusal(PUSH_THROUGH, data)
    data["branches"][0][-1]["terms"][0]["left"] = ["U", "U"]
    assert "ill-typed word" in refusal(PUSH_THROUGH, data)
    data["branches"][0][-1]["terms"][0]["left"] = ["Z"]
    assert "unknown symbol Z" in refusal(PUSH_THROUGH, data)


def test_an_unknown_fact():
    data = data_of(PUSH_THROUGH)
    data["branches"][0][-1]["terms"][0]["hypothesis"] = "given 9"
    assert "there is no fact 'given 9'" in refusal(PUSH_THROUGH, data)


def test_a_truncated_file(tmp_path: Path):
    path = write_certificate(found(PUSH_THROUGH), tmp_path)
    text = path.read_text(encoding="utf-8")
    for cut in range(0, len(text) - 2, 40):
        path.write_text(text[:cut], encoding="utf-8")
        with pytest.raises(Refused, match="not JSON, cut short perhaps"):
            read_certificate(path)


def test_a_missing_conclusion():
    data = data_of(PUSH_THROUGH)
    del data["branches"][0][-1]
    assert "is not reached" in refusal(PUSH_THROUGH, data)
    data["branches"] = []
    assert "0 branches, the claim 1" in refusal(PUSH_THROUGH, data)


def test_a_wrong_hash_and_a_changed_statement():
    data = data_of(SCALAR)
    changed = restate(SCALAR, then=eq(A, 2 * B))
    assert "another statement" in refusal(changed, data)
    data["statement_hash"] = statement_hash(changed)
    assert "do not add up" in refusal(changed, data)
    assert "for the claim" in refusal(PUSH_THROUGH, data)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda d: d.pop("rules"), "lacks"),
        (lambda d: d.update(comment="hello"), "has the unknown"),
        (lambda d: d.update(schema=2), "schema"),
        (lambda d: d.update(schema=True), "schema"),
        (lambda d: d.update(rules=["gram"]), "names the rules"),
        (lambda d: d["branches"][0][-1]["terms"].reverse(), "out of order"),
        (lambda d: d["branches"][0][-1]["terms"].extend(terms_of(d)[-1:]), "repeats"),
        (lambda d: d["branches"][0][-1]["terms"][0].update(transposed=0), "true or false"),
        (lambda d: d["branches"][0][-1]["terms"][0]["coeff"][0].__setitem__(0, "2/2"), "oddly"),
        (lambda d: d["branches"][0][-1]["terms"][0]["coeff"][0].__setitem__(0, "1.0"), "oddly"),
        (lambda d: d["branches"][0][-1]["terms"][0]["coeff"][0].__setitem__(0, "1/0"), "rational"),
        (lambda d: d["branches"][0][-1]["terms"][0]["coeff"][0].__setitem__(0, 1), "a string"),
        (lambda d: d["branches"][0][-1]["terms"][0].update(coeff=[]), "coefficient is 0"),
        (lambda d: d["branches"][0][-1].update(rule="magic"), "no rule 'magic'"),
        (lambda d: d["branches"][0][-1].update(rule="equation"), "one polynomial is needed"),
        (lambda d: d["branches"][0][-1].update(weights=["1"]), "no polynomials of its own"),
        (lambda d: d["branches"][0].append(d["branches"][0][-1]), "no goal left"),
    ],
)  # fmt: skip
def test_malformed_certificates(change, reason):
    data = data_of(PUSH_THROUGH)
    change(data)
    assert reason in refusal(PUSH_THROUGH, data)


@pytest.mark.parametrize("data", [None, 3, "text", [], {"schema": 1}, {"schema": 1, "claim": 2}])
def test_what_is_no_certificate(data):
    assert "refused: malformed" in refusal(PUSH_THROUGH, data)


def test_other_spellings_of_a_term_are_refused():
    claim = Claim("test.spelling", given=[eq(k.T @ A @ k, zeros(1, 1)), eq(A @ x, k)],
                  then=eq(k.T @ A @ A @ x, zeros(1, 1)))  # fmt: skip
    data = data_of(claim)
    ((one, *_),) = ([t for t in terms_of(data) if t["hypothesis"] == "given 2"],)
    one["transposed"] = True
    one["left"], one["right"] = [], ["A^T", "k"]
    assert "canonical" in refusal(claim, data)


# ---- rules that are asked for what they cannot give


def forged(claim, *steps, rules=()):
    return Certificate(claim.id, statement_hash(claim), rules, (tuple(steps),))


def polynomials(claim, *nodes):
    reading = Chain(claim, branches(claim)[0]).reading
    return tuple(reading.polynomial(node) for node in nodes)


def test_an_inverse_has_to_exist():
    claim = Claim("test.open", given=[eq(A.T, -A)], then=eq(inv(eye(n) + A), inv(eye(n) + A)))
    certificate = forged(claim, Step("conclusion"))
    assert "not known to exist" in refusal(claim, certificate)


def test_a_rectangle_is_not_flipped_and_has_no_inverse():
    claim = Claim("test.rectangle", given=[eq(V @ U, eye(m))], then=eq(U @ V, eye(n)))
    factors = polynomials(claim, V, U)
    assert "square factors" in refusal(claim, forged(claim, Step("flip", factors)))
    assert "square factors" in refusal(claim, forged(claim, Step("inverse", factors)))
    assert "square matrix" in refusal(claim, forged(claim, Step("kernel", factors[:1])))


def test_squares_need_positive_weights():
    claim = Claim("test.weights", given=[eq(A.T @ A, B.T @ B)], then=eq(A, zeros(n, n)))
    roots = polynomials(claim, A, B)
    step = Step("gram", roots, (Fraction(1), Fraction(-1)))
    assert "not positive" in refusal(claim, forged(claim, step))
    assert "weight for each" in refusal(claim, forged(claim, Step("gram", roots, (Fraction(1),))))


def test_invertibility_has_to_be_shown():
    claim = Claim("test.invertible", then=invertible(A))
    (matrix_a,) = polynomials(claim, A)
    assert "has not been shown" in refusal(claim, forged(claim, Step("conclusion")))
    assert "no vector of its kernel" in refusal(
        claim, forged(claim, Step("invertible", (matrix_a,)))
    )
    steps = (Step("kernel", (matrix_a,)), Step("invertible", (matrix_a,)))
    assert "do not add up" in refusal(claim, forged(claim, *steps))


def test_only_sums_of_squares_are_positive():
    claim = Claim("test.positive", given=[eq((1 + a**2) * A, zeros(n, n))], then=eq(A, zeros(n, n)))
    (root,) = polynomials(claim, a)
    for weights in ((), (Fraction(1),), (Fraction(0), Fraction(1)), (Fraction(1), Fraction(-1))):
        refusal(claim, forged(claim, Step("positive", (root,), weights)))


# ---- thousands of mutations, and a second multiplier

PRIME = 2**61 - 1


class Modular:
    """Certificates at random matrices modulo a prime: terms must add up to what a step needs."""

    def __init__(self, claim, branch, seed):
        self.chain, self.draw = Chain(claim, branch), random.Random(seed)
        self.values, self.sizes = {}, {}

    def size(self, size):
        if isinstance(size, int):
            return size
        return self.sizes.setdefault(size, 2 + len(self.sizes))

    def letter(self, letter):
        name, transposed = letter
        if name not in self.values:
            rows, columns = map(self.size, self.chain.alphabet.shapes[name, False])
            self.values[name] = [
                [self.draw.randrange(PRIME) for _ in range(columns)] for _ in range(rows)
            ]
        value = self.values[name]
        return [list(column) for column in zip(*value, strict=True)] if transposed else value

    def atom(self, atom):
        if isinstance(atom, tuple):
            return self.word(atom, 1)[0][0]
        return self.values.setdefault(("scalar", atom), self.draw.randrange(PRIME))

    def word(self, word, size):
        if not word:
            return [[int(i == j) for j in range(size)] for i in range(size)]
        value = self.letter(word[0])
        for letter in word[1:]:
            value = times(value, self.letter(letter))
        return value

    def scalar(self, value, atoms):
        value = value.numerator * pow(value.denominator, -1, PRIME)
        for atom in atoms:
            value = value * self.atom(atom) % PRIME
        return value

    def polynomial(self, body):
        rows, columns = map(self.size, body.shape)
        total = [[0] * columns for _ in range(rows)]
        for (atoms, word), value in body.terms.items():
            total = plus(total, self.word(word, rows), self.scalar(value, atoms))
        return total

    def adds_up(self, step):
        target = self.chain.target(step)
        if target is None:
            return True
        total = self.polynomial(target)
        for term in step.terms:
            fact = self.polynomial(self.chain.facts[term.fact])
            if term.transposed:
                fact = [list(column) for column in zip(*fact, strict=True)]
            factor = sum(self.scalar(value, atoms) for value, atoms in term.coefficient)
            product = times(self.word(term.left, len(fact)), fact)
            product = times(product, self.word(term.right, len(product[0])))
            if term.beside is not None:
                factor = factor * product[0][0]
                product = self.word(term.beside, len(total))
            total = plus(total, product, -factor)
        return not any(x % PRIME for row in total for x in row)


def times(left, right):
    columns = list(zip(*right, strict=True))
    return [[sum(map(int.__mul__, row, column)) % PRIME for column in columns] for row in left]


def plus(left, right, factor):
    return [
        [(x + factor * y) % PRIME for x, y in zip(r, s, strict=True)]
        for r, s in zip(left, right, strict=True)
    ]


def confirmed_by_second_multiplier(claim, data):
    certificate = Certificate.from_json(data)
    for branch, steps in zip(branches(claim), certificate.branches, strict=True):
        second = Modular(claim, branch, 1)
        for step in steps:
            if not second.adds_up(step):
                return False
            second.chain.learn(step)
    return True


_TEXTS = (
    "A", "A^T", "B", "U", "k", "k^T", "a", "1", "-1", "1/2", "given 1", "given 2", "lemma 1",
    "inverse 1 left", "inverse 1 right", "gram", "flip", "equation",
)  # fmt: skip


def mutate(data, draw):
    """A copy with one place changed."""
    data = copy.deepcopy(data)
    places = []

    def collect(node):
        items = node.items() if isinstance(node, dict) else enumerate(node)
        for key, value in list(items):
            places.append((node, key))
            if isinstance(value, dict | list):
                collect(value)

    collect(data)
    node, key = draw.choice(places)
    value = node[key]
    move = draw.randrange(5)
    if isinstance(value, bool):
        node[key] = not value
    elif isinstance(value, str):
        node[key] = draw.choice(_TEXTS) if move else "-" + value
    elif isinstance(value, list) and value and move < 4:
        i, j = draw.randrange(len(value)), draw.randrange(len(value))
        if move == 0:
            del value[i]
        elif move == 1:
            value[i], value[j] = value[j], value[i]
        elif move == 2:
            value.insert(i, copy.deepcopy(value[j]))
        else:
            value[i] = copy.deepcopy(value[j])
    elif isinstance(node, dict) and move % 2:
        del node[key]
    else:
        node[key] = draw.choice([[], {}, None, 0, 7, "", [[]], ["A"]])
    return data


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_mutations_are_refused_or_harmless(claim):
    whole = data_of(claim)
    assert confirmed_by_second_multiplier(claim, whole)
    draw = random.Random(claim.id)
    refused = 0
    for _ in range(1300):
        data = mutate(whole, draw)
        if data == whole:
            continue
        evidence = check_certificate(claim, data)
        if evidence.outcome == Outcome.CONFIRMED:
            assert confirmed_by_second_multiplier(claim, data), data
        else:
            refused += 1
    assert refused > 1000


def test_the_second_multiplier_sees_a_changed_term():
    data = data_of(PUSH_THROUGH)
    data["branches"][0][-1]["terms"][0]["coeff"][0][0] = "2"
    assert not confirmed_by_second_multiplier(PUSH_THROUGH, data)


# ---- to read


def test_a_certificate_reads_as_mathematics():
    lines = [line.plain for line in certificate_as_mathematics(RIGHT, found(RIGHT))]
    assert lines == [
        "(given 1):  A B = I",
        "−I + A B = (given 1)",
        "square factors, so (lemma 1):  (B) (A) = I",
        "B A − I = (lemma 1)",
        "Hence B A = I.",
    ]


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_every_certificate_can_be_read(claim):
    lines = certificate_as_mathematics(claim, found(claim))
    assert lines[-1].plain.startswith("Hence ")
    for line in lines:
        assert line.latex.count("{") == line.latex.count("}")

"""What a proof rests on: other claims, and named rules.

Claims(entries)              == the claims of a catalogue, ready to be looked up
dependencies(entry, claims)  == by kind of evidence, the ids of claims and "rule:NAME" of rules
lemmas_of(derivation, known) == the lemmas that a derivation proves on its way, with what is known
lemma_calls()                == which lemmas of the Rocq development each of them uses
ancestors(id, rests_on)      == everything that a claim rests on, directly or not

A derivation rests on a claim whose statement it proves as a lemma, on the rules that it cites, and
on the claims by which such rules are proved;
a certificate on the rules that it names; a kernel proof on the claims whose lemmas its lemma uses.
Nothing here decides anything: each proof is checked as a whole, lemmas included.

Left out: facts that a derivation proves within a chain, without stating them as a lemma.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ..symbolic import expressions as ex
from ..symbolic import propositions as pr
from ..symbolic.claims import plain_body
from ..symbolic.derivations import Have
from ..symbolic.evidence import Kind
from ..symbolic.rules import RULES, Instance
from .catalogue.entry import Entry

RULE = "rule:"
_FOLDER = Path(__file__).parent
_Known = tuple[pr.Proposition, ...]


class Claims:
    """The claims of a catalogue, by what they say and by their Rocq lemmas."""

    def __init__(self, entries: Iterable[Entry]):
        self.by_form: dict[str, list[tuple[str, Any, tuple[Any, ...]]]] = {}
        self.by_lemma: dict[str, list[str]] = {}
        for entry in entries:
            claim = entry.claim
            if claim.expected == "proved":
                *given, then = map(_plain, claim.statement)
                form = _form(claim.then)
                self.by_form.setdefault(form, []).append((claim.id, then, tuple(given)))
            if entry.lemma is not None:
                self.by_lemma.setdefault(entry.lemma, []).append(claim.id)

    def saying(self, lemma: pr.Proposition, known: Sequence[pr.Proposition]) -> set[str]:
        """The claims whose conclusion is `lemma` and whose hypotheses are `known`.

        Up to the names of symbols: a symbol stands for a symbol of its sort, not for an
        expression. What is found is what the claim says, not an instance of it.
        """
        candidates = self.by_form.get(_form(lemma), ())
        plain = _plain(lemma) if candidates else None
        found = set()
        for claim_id, then, given in candidates:
            names: dict[Any, Any] = {}
            if _same(then, plain, names) and _all_known(given, [*map(_plain, known)], names):
                found.add(claim_id)
        return found


def dependencies(
    entry: Entry, claims: Claims, certificate: Mapping[str, Any] | None = None
) -> dict[Kind, tuple[str, ...]]:
    """What each attached proof of `entry` rests on, sorted; kinds that rest on nothing too.

    Parameters
    ----------
    claims : Claims
        Where lemmas are looked up.
    certificate : mapping, optional
        The certificate as JSON; that of the package by default.
    """
    found: dict[Kind, set[str]] = {}
    if entry.derivation is not None:
        found[Kind.DERIVATION] = _of_proof(entry, entry.derivation, claims)
    if entry.counterproof is not None:
        found[Kind.COUNTERPROOF] = _of_proof(entry, entry.counterproof, claims)
    if Kind.CERTIFICATE in entry.kinds:
        found[Kind.CERTIFICATE] = _of_certificate(entry, certificate)
    if Kind.KERNEL in entry.kinds:
        found[Kind.KERNEL] = (
            _of_certificate(entry, certificate)
            if entry.lemma is None
            else _of_lemma(entry.lemma, claims)
        )
    return {kind: tuple(sorted(names - {entry.claim.id})) for kind, names in found.items()}


def ancestors(claim_id: str, rests_on: Mapping[str, Iterable[str]]) -> set[str]:
    """Everything that a claim rests on, directly or not; the claim itself where it does so too."""
    found: set[str] = set()
    todo = [*rests_on.get(claim_id, ())]
    while todo:
        name = todo.pop()
        if name not in found:
            found.add(name)
            todo += rests_on.get(name, ())
    return found


# ---------------------------------------------------------------- derivations


def _of_proof(entry: Entry, proof: Any, claims: Claims) -> set[str]:
    rules = {node.rule for node in _nodes(proof) if isinstance(node, Instance)}
    found = {RULE + name for name in rules}
    found |= {RULES[name].proved_by for name in rules if RULES[name].proved_by}
    itself = claims.saying(entry.claim.then, entry.claim.given)
    for lemma, known in lemmas_of(proof, entry.claim.given):
        found |= claims.saying(lemma, known) - itself
    return found


def _nodes(value: Any) -> Iterator[Any]:
    """Every data class in a proof, statements left out."""
    while isinstance(value, Have):
        yield value
        yield from _nodes(value.because)
        value = value.then
    if isinstance(value, tuple):
        for part in value:
            yield from _nodes(part)
    elif isinstance(value, Mapping):
        yield from _nodes(tuple(value.values()))
    elif is_dataclass(value) and not isinstance(value, ex.Expression | pr.Proposition):
        yield value
        for f in fields(value):
            yield from _nodes(getattr(value, f.name))


def lemmas_of(proof: Any, known: _Known) -> Iterator[tuple[pr.Proposition, _Known]]:
    """The lemmas that `proof` states and proves, each with the hypotheses and lemmas before it."""
    while isinstance(proof, Have):
        yield proof.lemma, known
        yield from lemmas_of(proof.because, known)
        known, proof = (*known, proof.lemma), proof.then
    if isinstance(proof, tuple):
        for part in proof:
            yield from lemmas_of(part, known)
    elif is_dataclass(proof) and not isinstance(proof, ex.Expression | pr.Proposition | Instance):
        for f in fields(proof):
            yield from lemmas_of(getattr(proof, f.name), known)


def _all_known(given: Sequence[Any], known: Sequence[Any], names: dict[Any, Any]) -> bool:
    if not given:
        return True
    for fact in known:
        trial = dict(names)
        if _same(given[0], fact, trial) and _all_known(given[1:], known, trial):
            return True
    return False


_SYMBOLS = (
    ex.Dim, ex.IndexSymbol, ex.ScalarSymbol, ex.MatrixSymbol, ex.FunctionSymbol, ex.SequenceSymbol,
    ex.MapSymbol,
)  # fmt: skip


def _same(pattern: Any, value: Any, names: dict[Any, Any]) -> bool:
    """Are two trees equal, symbols of the pattern renamed one to one? Extends `names`."""
    if type(pattern) is not type(value):
        return False
    if isinstance(pattern, _SYMBOLS):
        if pattern in names:
            return names[pattern] == value
        if value in names.values():
            return False
        names[pattern] = value
        return all(
            _same(getattr(pattern, f.name), getattr(value, f.name), names)
            for f in fields(pattern)
            if f.name != "name"
        )
    if isinstance(pattern, tuple):
        return len(pattern) == len(value) and all(
            _same(p, v, names) for p, v in zip(pattern, value, strict=True)
        )
    if is_dataclass(pattern):
        return all(
            _same(getattr(pattern, f.name), getattr(value, f.name), names) for f in fields(pattern)
        )
    return pattern == value


def _plain(node: pr.Proposition) -> pr.Proposition:
    """A statement with names replaced by what they stand for."""
    return pr.replace_expressions(node, plain_body)


def _form(node: pr.Proposition) -> str:
    """What statements that differ in the names of symbols have in common, and few others."""
    if isinstance(node, pr.Eq | pr.Ne | pr.Le | pr.Lt):
        return " ".join(type(part).__name__ for part in (node, _bare(node.left), _bare(node.right)))
    return type(node).__name__


def _bare(node: ex.Expression) -> ex.Expression:
    return _bare(node.body) if isinstance(node, ex.Named) else node


# ---------------------------------------------------------------- certificates, Rocq


def _of_certificate(entry: Entry, certificate: Mapping[str, Any] | None) -> set[str]:
    path = _FOLDER / "certificates" / f"{entry.claim.id}.json"
    if certificate is None and path.is_file():
        certificate = json.loads(path.read_text(encoding="utf-8"))
    return {RULE + rule for rule in (certificate or {}).get("rules", ())}


def _of_lemma(lemma: str, claims: Claims) -> set[str]:
    calls = lemma_calls()
    # what a claim's lemma uses, that claim rests on
    own = {
        name: used for name, used in calls.items() if name == lemma or name not in claims.by_lemma
    }
    used = ancestors(lemma, own)
    return {claim_id for name in used for claim_id in claims.by_lemma.get(name, ())}


_LEMMA = re.compile(
    r"\b(?:Lemma|Theorem|Corollary|Fact|Remark|Proposition)\s+([A-Za-z_][\w']*)(.*?)\bQed\.",
    re.DOTALL,
)
_COMMENT = re.compile(r"\(\*.*?\*\)", re.DOTALL)


@cache
def lemma_calls(folder: Path = _FOLDER / "rocq") -> dict[str, tuple[str, ...]]:
    """ "file:lemma" -> the lemmas of the development whose names stand in its statement or proof.

    A name means the lemma of the same file, else that of a file that it loads.
    """
    texts = {
        path.stem: _COMMENT.sub(" ", path.read_text(encoding="utf-8"))
        for path in sorted(folder.glob("*.v"))
    }
    defined = {file: {m[1]: m[2] for m in _LEMMA.finditer(text)} for file, text in texts.items()}
    calls: dict[str, tuple[str, ...]] = {}
    for file, lemmas in defined.items():
        loaded = re.findall(r"From deltaproof Require (?:Import|Export)?([^.]*)\.", texts[file])
        visible = [file, *(name for names in loaded for name in names.split() if name in defined)]
        home = {name: place for place in reversed(visible) for name in defined[place]}
        for lemma, text in lemmas.items():
            words = dict.fromkeys(re.findall(r"[A-Za-z_][\w']*", text))
            calls[f"{file}:{lemma}"] = tuple(
                f"{home[word]}:{word}" for word in words if word in home and word != lemma
            )
    return calls

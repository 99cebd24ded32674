"""The lines of a proof as a reader sees them, written while it is checked.

Lines            == what `check_derivation` writes to; it decides nothing
Lines.numbered() == the lines as JSON values
LEADS            == what a line begins with, by its role
why(line)        == its name and its reason together

A line has a `role`:

    goal    what is proved below, one level deeper
    assume  what is supposed from here on, in this level
    let     a new symbol, or a value that is taken for one
    start   the first expression of a chain
    equal   an expression that equals the one before it
    fact    what has been proved
    part    of the statement that is refuted, the part that the next lines are about

with its `depth`, its formula (`expression` in LaTeX, and `plain`), a `name` (why, in words) and a
`reason` (what it rests on). A line that another one rests on has a `number`, and is cited by it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from . import expressions as ex
from . import propositions as pr
from .free_algebra import conjuncts
from .printing import home, latex, plain
from .rules import Instance, Premises

LEADS = {
    "goal": "to show:", "assume": "suppose", "let": "let", "start": "", "equal": "=",
    "fact": "∴", "part": "of the statement:",
}  # fmt: skip
_PLACE = re.compile("\ue000(\\d+)\ue001")


def why(line: Mapping[str, Any]) -> str:
    """Why a line holds, and what it rests on; said once where one says the other."""
    if line["name"] and line["reason"].endswith(line["name"]):
        return line["reason"]
    return ": ".join(filter(None, (line["name"], line["reason"])))


class Lines:
    """Lines that grow as a proof closes, and the places of the facts among them."""

    def __init__(self, given: tuple[pr.Proposition, ...] = ()) -> None:
        self._hypotheses: dict[pr.Proposition, int] = {}  # and parts of them, with their numbers
        for number, fact in enumerate(given, 1):
            for part in (fact, *conjuncts(fact)):
                self._hypotheses.setdefault(part, number)
        self.premises: dict[int, Premises] = {}  # of the instances of rules, by where they are
        self._lines: list[dict[str, Any]] = []
        self._depth = 0
        self._places: dict[pr.Proposition, int] = {}
        self._spelled: dict[pr.Proposition, list[pr.Proposition]] = {}
        self._noted: list[tuple[pr.Proposition, int | None]] = []  # and their places before that

    # ---- what is known where
    @contextmanager
    def scope(self, deeper: int = 0) -> Iterator[None]:
        """What is noted inside is not known outside."""
        mark = len(self._noted)
        self._depth += deeper
        try:
            yield
        finally:
            self._depth -= deeper
            while len(self._noted) > mark:
                fact, before = self._noted.pop()
                if before is None:
                    del self._places[fact]
                else:
                    self._places[fact] = before

    def note(self, fact: pr.Proposition, place: int) -> None:
        """From here on a fact, or a part of it, is cited by the line at `place`."""
        for part in {fact: None} | dict.fromkeys(conjuncts(fact)):
            self._noted.append((part, self._places.get(part)))
            self._places[part] = place

    def spell(self, fact: pr.Proposition, known: list[pr.Proposition]) -> None:
        """A fact is cited by the numbers of what is known, spelled as it is there."""
        self._spelled[fact] = known

    @property
    def last(self) -> int:
        """The place of the last line."""
        return len(self._lines) - 1

    # ---- citing
    def words(self, fact: pr.Proposition | Instance) -> str:
        """How a fact is cited: by its number, a rule by what it says and by its premises."""
        if isinstance(fact, Instance):
            labels = dict.fromkeys(map(self.label, self.premises.get(id(fact), ())))
            told = ", ".join(filter(None, labels))
            return f"{fact.words}, with {told}" if told else fact.words
        label = self.label(fact)
        if label.startswith("hypothesis"):
            return f"{label}: {plain(fact)}"
        return label or plain(fact)

    def label(self, fact: pr.Proposition) -> str:
        """The number of a fact, or those of its parts; empty where they have none."""
        labels = dict.fromkeys(self._label(part) for part in self._spelled.get(fact, ()))
        return self._label(fact) or (", ".join(labels) if all(labels) else "")

    def _label(self, fact: pr.Proposition) -> str:
        if fact in self._places:  # an induction may have made it anew
            return self.at(self._places[fact])
        return f"hypothesis {self._hypotheses[fact]}" if fact in self._hypotheses else ""

    def at(self, place: int) -> str:
        """The number of a line."""
        return f"\ue000{place}\ue001"

    # ---- lines
    def goal(self, goal: pr.Proposition, why: str = "") -> int:
        """What is to be shown, one level deeper."""
        return self._add("goal", latex(goal), plain(goal), why)

    def assume(self, fact: pr.Proposition, why: str = "") -> None:
        """What is supposed in this scope."""
        self.note(fact, self._add("assume", latex(fact), plain(fact), why))

    def suppose(self, facts: Iterable[pr.Proposition], why: str) -> None:
        """What is supposed in this scope, each of it shown only where it is cited."""
        for fact in facts:
            self.assume(fact, why)
            self._lines[-1]["if_cited"] = True

    def let(self, symbol: Any, within: Sequence[pr.Proposition] = ()) -> None:
        """A new symbol, and what is known of it."""
        of_latex, of_plain = home(symbol)
        name = symbol[ex.index("i")] if isinstance(symbol, ex.SequenceSymbol) else symbol
        formula = r",\; ".join([f"{latex(name)} {of_latex}", *map(latex, within)])
        text = ", ".join([f"{plain(name)} {of_plain}", *map(plain, within)])
        place = self._add("let", formula, text)
        for fact in within:
            self.note(fact, place)

    def take(self, value: pr.Proposition) -> None:
        """The value that is taken for a variable."""
        self._add("let", latex(value), plain(value), "such a value")

    def obtain(
        self, fact: pr.Proposition, found: pr.Proposition, within: Iterable[pr.Proposition]
    ) -> None:
        """A new symbol for what a fact says to exist."""
        place = self._add("let", latex(found), plain(found), "some such value", self.words(fact))
        for part in (found, *within):
            self.note(part, place)

    def part(self, part: pr.Proposition) -> None:
        """The part of a statement that is looked at; said once."""
        said = (line["plain"] for line in reversed(self._lines) if line["role"] == "part")
        if next(said, None) != plain(part):
            self._add("part", latex(part), plain(part))

    def start(self, first: ex.Expression) -> None:
        """The first expression of a chain."""
        self._add("start", latex(first), plain(first))

    def equal(self, following: ex.Expression, why: str, reason: str) -> None:
        """The next expression of a chain."""
        self._add("equal", latex(following), plain(following), why, reason)

    def fact(self, fact: pr.Proposition, why: str, reason: str) -> None:
        """What has been proved."""
        self._add("fact", latex(fact), plain(fact), why, reason)

    def _add(self, role: str, formula: str, text: str, name: str = "", reason: str = "") -> int:
        line = {"role": role, "depth": self._depth, "expression": formula, "plain": text}
        self._lines.append({**line, "name": name, "reason": reason})
        return self.last

    def close(self, place: int) -> None:
        """The last line need not repeat the goal that it closes."""
        goal, closing = self._lines[place], self._lines[-1]
        if closing["role"] == "fact" and closing["plain"] == goal["plain"]:
            closing |= {"expression": r"\text{as claimed}", "plain": "as claimed"}

    # ---- the result
    def numbered(self) -> list[dict[str, Any]]:
        """The lines; those that are cited have a number, counted from 1."""
        cited = {
            int(place)
            for line in self._lines
            for place in _PLACE.findall(line["name"] + line["reason"])
        }
        numbers = {place: number for number, place in enumerate(sorted(cited), 1)}

        def told(text: str) -> str:
            return _PLACE.sub(lambda found: f"({numbers[int(found[1])]})", text)

        made = []
        for place, line in enumerate(self._lines):
            if line.get("if_cited") and place not in cited:
                continue
            shown = {key: value for key, value in line.items() if key != "if_cited"}
            shown |= {"name": told(line["name"]), "reason": told(line["reason"])}
            made.append(shown | ({"number": numbers[place]} if place in cited else {}))
        return made

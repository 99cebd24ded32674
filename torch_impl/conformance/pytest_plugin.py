"""The pytest plugin: one test item for each claim and format.

``@pytest.mark.conforms("delta_update")`` on a function without arguments that returns the callable;
keywords are settings of `conform`, `dtypes` among them. ``--deltaproof-profile`` chooses the
profile. The callable runs in this process: a hang is left to pytest-timeout.

Nothing heavy is imported until a marked function is collected.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from .result import Check, ConformanceResult

MARK = "conforms"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--deltaproof-profile``."""
    parser.getgroup("deltaproof").addoption(
        "--deltaproof-profile",
        default="quick",
        choices=("quick", "ci", "deep"),
        help="how thoroughly marked functions are checked against their contracts",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker."""
    config.addinivalue_line(
        "markers", f"{MARK}(contract, **settings): the callable that this returns obeys a contract"
    )


def pytest_pycollect_makeitem(
    collector: pytest.Module | pytest.Class, name: str, obj: object
) -> pytest.Collector | None:
    """Collect a marked function as the checks of its contract."""
    marks = getattr(obj, "pytestmark", None)
    if not isinstance(marks, list) or not callable(obj) or isinstance(obj, type):
        return None
    found = [mark for mark in marks if mark.name == MARK]
    if not found:
        return None
    made = Conforming.from_parent(collector, name=name)
    made.prepare(obj, found[0], [mark for mark in marks if mark.name != MARK])
    return made


class Conforming(pytest.Collector):
    """The checks of one marked function."""

    def prepare(self, make: Any, mark: pytest.Mark, others: list[pytest.Mark]) -> None:
        """Keep what was marked, and with what."""
        self.make, self.mark, self.others = make, mark, others
        self.results: dict[str, ConformanceResult] = {}

    def collect(self) -> Iterator[pytest.Item]:
        """One item for each claim and format."""
        from .conforming import DTYPES, job

        if len(self.mark.args) != 1:
            raise self.CollectError(f"mark.{MARK} takes the name of one contract")
        self.contract = str(self.mark.args[0])
        self.settings = dict(self.mark.kwargs)
        dtypes = tuple(self.settings.pop("dtypes", DTYPES))
        self.settings.setdefault("profile", self.config.getoption("deltaproof_profile"))
        told = {k: v for k, v in self.settings.items() if k not in ("seconds", "limit", "ranges")}
        try:
            claims = job(self.contract, **told).contract.checks
        except (ValueError, TypeError) as problem:
            raise self.CollectError(str(problem)) from None
        for dtype in dtypes:
            for claim in claims:
                item = ConformanceItem.from_parent(self, name=f"{claim}-{dtype}")
                item.claim, item.dtype = claim, dtype
                for mark in self.others:
                    item.add_marker(getattr(pytest.mark, mark.name)(*mark.args, **mark.kwargs))
                yield item

    def result(self, dtype: str) -> ConformanceResult:
        """The run in one format, made once."""
        if dtype not in self.results:
            from .conforming import conform

            self.results[dtype] = conform(
                self.make(), contract=self.contract, dtypes=(dtype,), **self.settings
            )
        return self.results[dtype]


class ConformanceItem(pytest.Item):
    """One claim in one format."""

    claim: str
    dtype: str

    def runtest(self) -> None:
        """Fail as the check did."""
        parent = self.parent
        assert isinstance(parent, Conforming)
        result = parent.result(self.dtype)
        found: Check | None = next((c for c in result.checks if c.claim == self.claim), None)
        if found is None and result.complete:
            pytest.skip("nothing of this contract's could be checked in this format")
        if found is None:
            pytest.fail("the time was over before this check", pytrace=False)
        if found.outcome == "skipped":
            pytest.skip(found.diagnosis)
        if found.outcome != "passed":
            from .report import complaint

            pytest.fail("\n".join(complaint(found.to_json())), pytrace=False)

    def reportinfo(self) -> tuple[Any, int | None, str]:
        """Where the marked function stands."""
        parent = self.parent
        assert isinstance(parent, Conforming)
        code = getattr(parent.make, "__code__", None)
        line = None if code is None else code.co_firstlineno - 1
        return self.path, line, f"{parent.name}: {self.claim} in {self.dtype}"

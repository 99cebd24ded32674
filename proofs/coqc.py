"""coqc: where it is, what it can load, and a store of what it has compiled.

find_toolchain()     == the Toolchain of this machine, or None without coqc
Library, LIBRARIES   == the libraries that developments load, and the Debian packages they come in
read_development(d)  == the `.v` files of a folder as Sources, each with what it requires
holes(source)        == sentences that leave something unproved: line and words
Store                == compiled files by content, in a folder that concurrent runs may share
Failure              == where and why coqc stopped

A unit is compiled in a folder of its own under a temporary name, which is renamed when coqc has
succeeded: what stands under `units/` is complete, whatever was killed. The key of a unit is made of
its text, the keys of the units it requires, and the toolchain. Beside a unit stand the hashes of
its files and of the compiled files it was made with: one that was cut or changed since, or that
was made with another, is compiled again.

Left out: claims, and what counts as a proof of one (kernel.py).
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from .processes import prepared

LOGICAL = "deltaproof"
MANIFEST = "made.json"
FLAGS = ("-q", "-w", "-notation-overridden,-ambiguous-paths")


@dataclass(frozen=True)
class Library:
    """A library of Rocq: a file that shows it is there, the sentence that loads it, its package."""

    name: str
    marker: str
    loaded_by: str
    package: str


LIBRARIES = (
    Library(
        "MathComp",
        "mathcomp/algebra/all_algebra.vo",
        r"From\s+mathcomp\s+Require\b",
        "libcoq-mathcomp-algebra",
    ),
    Library(
        "algebra-tactics",
        "mathcomp/algebra_tactics/ring.vo",
        r"From\s+mathcomp\s+Require\b[^.]*\b(?:ring|lra)\b",
        "libcoq-mathcomp-algebra-tactics",
    ),
    Library(
        "Coquelicot",
        "Coquelicot/Coquelicot.vo",
        r"From\s+Coquelicot\s+Require\b",
        "libcoq-coquelicot",
    ),
)


@dataclass(frozen=True)
class Toolchain:
    """A coqc. `fingerprint` changes with its version and with those of its libraries."""

    coqc: str
    version: str
    libraries: Mapping[str, bool]
    fingerprint: str


def find_toolchain() -> Toolchain | None:
    """The coqc on the PATH with the libraries it finds; None where there is none that runs."""
    coqc = shutil.which("coqc")
    if coqc is None:
        return None
    try:
        asked = [
            subprocess.run([coqc, option], capture_output=True, text=True, check=True, timeout=60)
            for option in ("-print-version", "-where")
        ]
    except (OSError, subprocess.SubprocessError):
        return None
    version, where = (answer.stdout.strip() for answer in asked)
    folders = [*filter(None, os.environ.get("COQPATH", "").split(os.pathsep))]
    folders.append(str(Path(where, "user-contrib")))
    libraries, marks = {}, [version]
    for library in LIBRARIES:
        found = next((p for f in folders if (p := Path(f, library.marker)).is_file()), None)
        libraries[library.name] = found is not None
        # a compiled file holds the checksums of all that it was compiled against
        marks.append(hashlib.sha256(found.read_bytes()).hexdigest() if found else "absent")
    return Toolchain(coqc, version.split()[0], libraries, digest(marks))


# ---------------------------------------------------------------- developments


@dataclass(frozen=True)
class Source:
    """A `.v` file of a development. `requires` names the files of the development it loads."""

    name: str
    text: str
    requires: tuple[str, ...]

    @property
    def libraries(self) -> tuple[Library, ...]:
        """The libraries that the file itself loads."""
        return libraries_of(self.text)


def libraries_of(text: str) -> tuple[Library, ...]:
    """The libraries that a `.v` text loads."""
    bare = without_comments(text)
    return tuple(library for library in LIBRARIES if re.search(library.loaded_by, bare))


def read_development(folder: Path) -> dict[str, Source]:
    """Every `.v` file of `folder`, by name."""
    found = {}
    for path in sorted(folder.glob("*.v")):
        text = path.read_text(encoding="utf-8")
        sentences = re.findall(
            rf"From\s+{LOGICAL}\s+Require\s+(?:Import\s+|Export\s+)?([\w\s]+)\.",
            without_comments(text),
        )
        names = tuple(dict.fromkeys(name for s in sentences for name in s.split()))
        found[path.stem] = Source(path.stem, text, names)
    return found


def closure(development: Mapping[str, Source], name: str) -> tuple[Source, ...]:
    """`name` and all that it requires, each file after those it requires.

    Raises
    ------
    LookupError
        A file that is required is not in the development, or requires itself.
    """
    done: dict[str, Source] = {}

    def visit(wanted: str, above: tuple[str, ...]) -> None:
        if wanted in above:
            raise LookupError(f"{wanted}.v requires itself, by {' → '.join((*above, wanted))}")
        if wanted not in development:
            by = f", required by {above[-1]}.v" if above else ""
            raise LookupError(f"{wanted}.v is not in the development{by}")
        for required in development[wanted].requires:
            if required not in done:
                visit(required, (*above, wanted))
        done[wanted] = development[wanted]

    visit(name, ())
    return tuple(done.values())


_HOLE = re.compile(
    r"(?:Local |Global |#\[[^\]]*\] )*"
    r"(?:(Admitted|Axioms?|Conjectures?|Parameters?|Declare Module|Primitive"
    r"|Unset (?:Guard|Universe|Positivity) Checking)\b|(Variables?|Hypothes[ei]s|Context)\b)"
)
_TACTIC_HOLE = re.compile(r"\b(admit|give_up|bypass_check)\b")


def holes(source: Source) -> Iterator[tuple[int, str]]:
    """What leaves something unproved in a file: the line, and the word that does.

    A variable or hypothesis inside a section becomes an argument of its lemmas, so it is no hole.
    """
    text = without_comments(source.text)
    blocks: list[str] = []
    position = 0
    for match in re.finditer(r"\.(?=\s|$)", text):
        sentence = text[position : match.start()]
        start = position + len(sentence) - len(sentence.lstrip())
        line = text.count("\n", 0, start) + 1
        words = " ".join(sentence.split())
        position = match.end()
        if opened := re.match(r"(Section|Module)\b(?!.*:=)", words):
            blocks.append(opened[1])
        elif re.match(r"End \w+$", words) and blocks:
            blocks.pop()
        if (hole := _HOLE.match(words)) and (hole[1] or "Section" not in blocks):
            yield line, hole[1] or hole[2]
        elif tactic := _TACTIC_HOLE.search(sentence):
            yield line + sentence.lstrip().count("\n", 0, tactic.start()), tactic[1]


def without_comments(text: str) -> str:
    """`text` with comments and the insides of strings blanked; lines keep their numbers."""
    kept, depth, quoted, i = [], 0, False, 0
    while i < len(text):
        pair = text[i : i + 2]
        if not quoted and pair == "(*":
            depth, i = depth + 1, i + 2
        elif not quoted and depth and pair == "*)":
            depth, i = depth - 1, i + 2
            kept.append(" ")
        else:
            if text[i] == '"':
                quoted = not quoted
            shown = not depth and (not quoted or text[i] == '"')
            kept.append(text[i] if shown or text[i] == "\n" else "")
            i += 1
    return "".join(kept)


# ---------------------------------------------------------------- compiling


@dataclass(frozen=True)
class Failure:
    """coqc stopped. `line` is 0 where it gave none; `message` is one line."""

    file: str
    line: int
    message: str
    timed_out: bool = False

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.message}" if self.line else self.message


@dataclass
class Store:
    """Compiled units under `root`, and the coqc that makes them.

    `processes` are those running; whoever is done, or interrupted, calls `stop`.
    """

    root: Path
    toolchain: Toolchain
    time_limit: float
    processes: set[subprocess.Popen] = field(default_factory=set)
    _prepared: Callable[[], None] | None = field(default_factory=prepared)
    _sound: dict[str, str] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _stopped: threading.Event = field(default_factory=threading.Event)

    def key(self, name: str, text: str, requires: Iterable[str]) -> str:
        """The key of a unit; `requires` are the keys of what it loads."""
        return digest([name, text, [*requires], self.toolchain.fingerprint, [*FLAGS]])

    def unit(self, key: str) -> Path:
        """The folder of a unit."""
        return self.root / "units" / key[:32]

    def has(self, key: str, name: str, requires: Iterable[str]) -> bool:
        """Is it compiled, unharmed, and made with what its `requires` are now?"""
        made = self._hashes(key, name)
        return made is not None and made == self._required(requires)

    def compile(self, name: str, text: str, requires: Iterable[str]) -> Failure | None:
        """Compile `text` as `deltaproof.name` unless that is done; None on success."""
        requires = [*requires]
        key = self.key(name, text, requires)
        if self.has(key, name, requires):
            return None
        with self._folder() as folder:
            failure, _ = self.run(Path(folder), name, text, requires)
            if failure is None:
                for file in Path(folder).iterdir():
                    if file.suffix not in (".v", ".vo"):
                        file.unlink()
                hashes = {f.name: _file_hash(f) for f in Path(folder).iterdir()}
                manifest = {"files": hashes, "requires": self._required(requires)}
                Path(folder, MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")
                target = self.unit(key)
                shutil.rmtree(target, ignore_errors=True)
                Path(folder).rename(target)
                self._sound.pop(key, None)
        return failure

    def _hashes(self, key: str, name: str) -> dict[str, str] | None:
        """The hashes of what a unit was made with; None where its own files are not as made."""
        folder = self.unit(key)
        try:
            manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
            files, requires = manifest["files"], manifest["requires"]
            if key not in self._sound:
                if {f"{name}.v", f"{name}.vo"} != {*files}:
                    return None
                if any(_file_hash(folder / file) != made for file, made in files.items()):
                    return None
                self._sound[key] = files[f"{name}.vo"]
            return requires
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None

    def _required(self, requires: Iterable[str]) -> dict[str, str]:
        """The hashes of compiled units, which come before what requires them."""
        found = {}
        for key in requires:
            compiled = next(self.unit(key).glob("*.vo"), None)
            found[key] = self._sound.get(key) or (_file_hash(compiled) if compiled else "")
        return found

    def listen(
        self, name: str, text: str, requires: Iterable[str], *options: str
    ) -> tuple[Failure | None, str]:
        """What coqc prints while it reads `text`; nothing is kept."""
        with self._folder() as folder:
            return self.run(Path(folder), name, text, requires, *options)

    def run(
        self, folder: Path, name: str, text: str, requires: Iterable[str], *options: str
    ) -> tuple[Failure | None, str]:
        """Run coqc on `text` in `folder`."""
        path = folder / f"{name}.v"
        path.write_text(text, encoding="utf-8")
        loads = [a for key in requires for a in ("-Q", str(self.unit(key)), LOGICAL)]
        command = [self.toolchain.coqc, *FLAGS, *options, *loads, "-Q", str(folder), LOGICAL]
        with self._lock:
            if self._stopped.is_set():
                return Failure(path.name, 0, "interrupted"), ""
            process = subprocess.Popen(
                [*command, path.name],
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                errors="replace",
                preexec_fn=self._prepared,
            )
            self.processes.add(process)
        with process:
            try:
                output, errors = process.communicate(timeout=self.time_limit)
            except subprocess.TimeoutExpired:
                late = f"coqc did not finish within {self.time_limit:g} s"
                return Failure(path.name, 0, late, timed_out=True), ""
            finally:
                process.kill()
                with self._lock:
                    self.processes.discard(process)
        if process.returncode == 0:
            return None, output + errors
        return _failure(path.name, process.returncode, errors), output

    def stop(self) -> None:
        """End every coqc that is still running, and start no other."""
        with self._lock:
            self._stopped.set()
            for process in self.processes:
                process.kill()

    def sweep(self) -> None:
        """Remove what killed runs left; only while no other run compiles here."""
        for folder in self.root.glob("tmp-*"):
            shutil.rmtree(folder, ignore_errors=True)

    def _folder(self) -> tempfile.TemporaryDirectory:
        (self.root / "units").mkdir(parents=True, exist_ok=True)
        return tempfile.TemporaryDirectory(prefix="tmp-", dir=self.root, ignore_cleanup_errors=True)


def _file_hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _failure(file: str, status: int, errors: str) -> Failure:
    """The last error that coqc reports: warnings come before it in the same form."""
    places = [*re.finditer(r'File "[^"]*", line (\d+), characters \d+-\d+:\n', errors)]
    text = errors[places[-1].end() :] if places else errors
    message = one_line(re.sub(r"^Error:", "", text.strip()))
    return Failure(
        file,
        int(places[-1][1]) if places else 0,
        message or f"coqc ended with status {status} and said nothing",
    )


def one_line(text: str) -> str:
    """A message of coqc as one line of at most 300 characters, without the context of a goal."""
    text = re.sub(r"^In environment\n(?:(?:[\w', ]+ :=? .*|\s+.*)\n)*", "", text.strip())
    line = " ".join(text.split())
    return line if len(line) <= 300 else f"{line[:299]}…"


def digest(value: object) -> str:
    """SHA-256 of JSON data."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()

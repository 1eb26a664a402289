"""One baseline scan from the survey to a `Baseline` (A31).

Always: a fault of Semgrep is a status with a reason, never an exception. Every file of a language that our pack covers is
accounted for: scanned, or named as unparsed, so that nothing in the target can make the scan look at less in silence.

Read-only copies of the surveyed files, in a private folder, for a program that must not meet the target itself. Always: a copy
holds exactly the bytes that were surveyed; no ignore file, configuration or link of the target comes along; names are kept,
because rules may filter by path, unless the program would not read the file under its name. What could not be copied is said.
"""

import errno
import os
import shutil
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from counterproof.analysis.confinement import Cut, Ended
from counterproof.analysis.semgrep.output import NotSemgrep, Output, plain, read_output
from counterproof.analysis.semgrep.program import MAX_OUTPUT, own_rules, run_semgrep
from counterproof.analysis.source.reading import TargetChanged, read_bytes
from counterproof.model.baseline import Baseline, BaselineStatus, Unparsed, skipped
from counterproof.model.survey import Language, SourceFile, Survey

MAX_TOTAL_BYTES = 1 << 30

_SILENCING = frozenset((".semgrepignore", ".gitignore", ".git", ".semgrep", ".semgrep.yml", ".semgrep.yaml", ".gitmodules"))

_KNOWN = {
    Language.PYTHON: (".py", ".pyi"),
    Language.JAVASCRIPT: (".js", ".jsx", ".mjs", ".cjs"),
    Language.TYPESCRIPT: (".ts", ".tsx"),
    Language.JAVA: (".java",),
    Language.GO: (".go",),
    Language.PHP: (".php", ".phtml"),
    Language.RUBY: (".rb",),
}
"""Endings by which Semgrep knows a language; the first is added to files that are known by something else."""


class NoRoom(Exception):
    """The copies do not fit on the disk."""


@dataclass(frozen=True, slots=True)
class Staged:
    """`originals` maps the name of a copy to the surveyed file; `unparsed` are files without a copy."""

    originals: dict[str, SourceFile]
    unparsed: tuple[Unparsed, ...]


def stage(root: Path, files: Iterable[SourceFile], tree: Path) -> Staged:
    """Copy into `tree`, which must be empty. Raises `NoRoom` only."""
    originals: dict[str, SourceFile] = {}
    unparsed: list[Unparsed] = []
    left = MAX_TOTAL_BYTES
    for index, file in enumerate(sorted(files, key=lambda each: each.path)):
        if _SILENCING.intersection(file.path.split("/")):
            continue
        if file.size > left:
            unparsed.append(Unparsed(file.path, "more source than one scan takes"))
            continue
        try:
            originals[_copy(tree, file, index, read_bytes(root, file))] = file
        except TargetChanged:
            unparsed.append(Unparsed(file.path, "changed since the survey"))
            continue
        left -= file.size
    return Staged(originals, tuple(unparsed))


def _copy(tree: Path, file: SourceFile, index: int, data: bytes) -> str:
    """Under its own name if the file system and Semgrep take it, else under a number."""
    suffix = _wanted_suffix(file)
    plain = f"renamed-{index:06}/file{suffix}"
    for name in (_own_name(file, suffix), plain):
        if name is None:
            continue
        try:
            _write(tree / name, data)
        except OSError as error:
            if error.errno in (errno.ENOSPC, errno.EDQUOT) or name == plain:
                raise NoRoom(error.strerror) from error
        else:
            return name
    raise AssertionError("the plain name always works or raises")


def _own_name(file: SourceFile, suffix: str) -> str | None:
    try:
        file.path.encode("utf-8")
    except UnicodeEncodeError:
        return None
    return file.path if file.path.endswith(suffix) else file.path + suffix


def _wanted_suffix(file: SourceFile) -> str:
    own = PurePosixPath(file.path).suffix
    if file.language is None:
        return own if own.isascii() else ""
    known = _KNOWN[file.language]
    return own if own in known else known[0]


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("xb") as stream:
        stream.write(data)
    path.chmod(0o400)


NOT_INSTALLED = "not installed; `counterproof setup` installs it"

_OPTIONS = (
    "scan",
    "--metrics=off",
    "--disable-version-check",
    "--json",
    "--time",
    "--quiet",
    "--no-git-ignore",
    "--disable-nosem",
    "--no-rewrite-rule-ids",
    "--max-target-bytes=0",
    "--timeout=10",
    "--timeout-threshold=3",
    "--max-memory=3000",
    "--jobs=2",
)
_IGNORE_FILE = ".semgrepignore"


def scan(
    root: Path,
    survey: Survey,
    semgrep: Path | None,
    config: Path | None = None,
    timeout: float = 300.0,
) -> Baseline:
    """Scan the surveyed files with our pack, or with the user's rules at `config`, within `timeout` seconds."""
    if semgrep is None:
        return skipped(NOT_INSTALLED)
    files = tuple(file for file in survey.files if config or file.language)
    rules = (config,) if config else own_rules(language for language, _ in survey.languages())
    if not files or not rules:
        return skipped("no file is in a language that its rules cover")
    try:
        private = Path(tempfile.mkdtemp(prefix="counterproof-baseline-"))
    except OSError as error:
        return skipped(f"there is no room for temporary files: {error.strerror}")
    try:
        return _scanned(_Scan(root, survey, semgrep, rules, timeout, own=config is None), private)
    except NoRoom as error:
        return skipped(f"the files could not be copied for it: {error}")
    except OSError as error:
        return skipped(f"it could not be started: {error.strerror or type(error).__name__}")
    finally:
        shutil.rmtree(private, ignore_errors=True)


@dataclass(frozen=True, slots=True)
class _Scan:
    root: Path
    survey: Survey
    semgrep: Path
    rules: tuple[Path, ...]
    timeout: float
    own: bool


def _scanned(order: _Scan, private: Path) -> Baseline:
    tree = private / "tree"
    tree.mkdir()
    files = (file for file in order.survey.files if file.language or not order.own)
    staged = stage(order.root, files, tree)
    # Semgrep has ignore patterns of its own (tests, vendored code); a file without patterns replaces them.
    (tree / _IGNORE_FILE).write_text("# everything here is to be scanned\n", encoding="ascii")
    configs = tuple(f"--config={path}" for path in order.rules)
    home = private / "home"
    home.mkdir(mode=0o700)
    ended = run_semgrep(order.semgrep, (*_OPTIONS, *configs, "."), tree, home, order.rules, order.timeout)
    places = (str(private), *(str(path.parent) for path in order.rules))
    return _judged(replace(ended, output=_without(places, ended.output), errors=_without(places, ended.errors)), staged, order)


def _without(places: tuple[str, ...], text: bytes) -> bytes:
    """Folders of this machine taken out of what was printed, so that a reason reads the same everywhere."""
    for place in places:
        text = text.replace(os.fsencode(place) + b"/", b"")
    return text


def _judged(ended: Ended, staged: Staged, order: _Scan) -> Baseline:
    if ended.cut is Cut.TIME:
        return skipped(f"it took longer than {order.timeout:g} seconds")
    if ended.cut is Cut.OUTPUT:
        return skipped(f"it printed more than {MAX_OUTPUT >> 20} MiB")
    failure = "" if ended.code in (0, 1) else f"it failed with exit code {ended.code}"
    try:
        output = read_output(ended.output, staged.originals)
    except NotSemgrep as error:
        return skipped(": ".join(each for each in (failure, _last_words(ended) or str(error)) if each))
    if failure and not output.hits:
        return skipped(f"{failure}: {output.fault or _last_words(ended) or 'no reason given'}")
    faults = [each for each in (failure, output.fault) if each]
    return _baseline(output, _all_unparsed(output, staged, order.own), faults)


def _baseline(output: Output, unparsed: tuple[Unparsed, ...], faults: list[str]) -> Baseline:
    count = sum(bool(each.path) for each in unparsed)
    reasons = [f"{count} {'file was' if count == 1 else 'files were'} not scanned, or not all of it"] if count else []
    reasons += [each.reason for each in unparsed if not each.path] + faults
    status = BaselineStatus.PARTIAL if reasons else BaselineStatus.COMPLETED
    return Baseline(status, "; ".join(reasons), output.hits, unparsed, output.version, output.rules, output.in_tests)


def _all_unparsed(output: Output, staged: Staged, own: bool) -> tuple[Unparsed, ...]:
    """What was not copied, what Semgrep complained about, and, with our pack, what it passed over without a word."""
    rows = {each.path: each for each in output.unparsed if each.path}
    rows |= {each.path: each for each in staged.unparsed}
    if own:
        for name, file in staged.originals.items():
            if name not in output.scanned:
                rows.setdefault(file.path, Unparsed(file.path, "Semgrep passed over it"))
    general = tuple(each for each in output.unparsed if not each.path)
    return tuple(rows[path] for path in sorted(rows)) + general


def _last_words(ended: Ended) -> str:
    """The first line that speaks of an error, because traces follow it; else the last line."""
    lines = [line for line in ended.errors.decode("utf-8", "replace").splitlines() if line.strip()]
    telling = next((line for line in lines if "error" in line.lower()), lines[-1] if lines else "")
    return plain(telling, 300)

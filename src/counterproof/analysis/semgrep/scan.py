"""One baseline scan, from the survey to a `Baseline` (A31).

Invariant: a failure of Semgrep is a status with a reason, never an exception. Every file of a language in our pack is accounted
for: scanned, or listed as unparsed, so that nothing in the target can silently reduce the scan.
"""

import os
import shutil
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from counterproof.analysis.confinement import Cut, Ended
from counterproof.analysis.semgrep.output import NotSemgrep, Output, plain, read_output
from counterproof.analysis.semgrep.program import MAX_OUTPUT, run_semgrep
from counterproof.analysis.semgrep.rules import own_rules
from counterproof.analysis.semgrep.staged_copies import NoRoom, Staged, stage
from counterproof.model.baseline import Baseline, BaselineStatus, Unparsed, skipped
from counterproof.model.survey import Survey

NOT_INSTALLED = "not installed; `counterproof setup` installs it"

_OPTIONS = (
    "scan", "--metrics=off", "--disable-version-check", "--json", "--time", "--quiet", "--no-git-ignore", "--disable-nosem",
    "--no-rewrite-rule-ids", "--max-target-bytes=0", "--timeout=10", "--timeout-threshold=3", "--max-memory=3000", "--jobs=2",
)  # fmt: skip
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
    # Semgrep has built-in ignore patterns (tests, vendored code); an empty ignore file replaces them.
    (tree / _IGNORE_FILE).write_text("# everything here is to be scanned\n", encoding="ascii")
    configs = tuple(f"--config={path}" for path in order.rules)
    home = private / "home"
    home.mkdir(mode=0o700)
    ended = run_semgrep(order.semgrep, (*_OPTIONS, *configs, "."), tree, home, order.rules, order.timeout)
    places = (str(private), *(str(path.parent) for path in order.rules))
    return _judged(replace(ended, output=_without(places, ended.output), errors=_without(places, ended.errors)), staged, order)


def _without(places: tuple[str, ...], text: bytes) -> bytes:
    """The output without local folders, so that a reason is the same on every machine."""
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
    """Files that were not copied, that Semgrep reported errors for, and, with our pack, that it silently skipped."""
    rows = {each.path: each for each in output.unparsed if each.path}
    rows |= {each.path: each for each in staged.unparsed}
    if own:
        for name, file in staged.originals.items():
            if name not in output.scanned:
                rows.setdefault(file.path, Unparsed(file.path, "Semgrep passed over it"))
    general = tuple(each for each in output.unparsed if not each.path)
    return tuple(rows[path] for path in sorted(rows)) + general


def _last_words(ended: Ended) -> str:
    """The first line with an error, because traces follow it; else the last line."""
    lines = [line for line in ended.errors.decode("utf-8", "replace").splitlines() if line.strip()]
    telling = next((line for line in lines if "error" in line.lower()), lines[-1] if lines else "")
    return plain(telling, 300)

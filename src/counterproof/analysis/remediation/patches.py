"""Patches for findings, kept only if a second analysis of the patched tree confirms them: fixed replacements for weaknesses with
the same remedy everywhere, and patches from other authors.

Invariant: our own patches change only the lines of the flaw, and add one import if the new text needs it. A patch is kept only
if its flaw was there before, is gone after, no rule shows more than before and the files can still be read. Our own are judged
together as they would be applied; withdrawing one judges the rest again. Not handled here: who writes a patch.
"""

import ast
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from counterproof.analysis import families
from counterproof.analysis.project import Project
from counterproof.analysis.recon import entry_points_of
from counterproof.model.dimension import Dimension
from counterproof.model.location import Location
from counterproof.model.survey import Language

_TABLE = "patches.toml"


@dataclass(frozen=True, slots=True)
class Substitution:
    """One entry of the table."""

    find: re.Pattern[str]
    put: str
    needs: str
    imports: str


@dataclass(frozen=True, slots=True, order=True)
class Flaw:
    """One location of a finding. `number` is the finding's number in the report."""

    place: Location
    rule: str
    number: str = ""


@dataclass(frozen=True, slots=True)
class Patched:
    """A text after a patch. `line` is the new first line of the finding, `added` the number of lines inserted above it."""

    text: str
    line: int
    added: int


@cache
def _table() -> dict[str, tuple[Substitution, ...]]:
    entries = tomllib.loads(files("counterproof.analysis.remediation").joinpath(_TABLE).read_text(encoding="utf-8"))["patch"]
    found: dict[str, list[Substitution]] = {}
    for each in entries:
        made = Substitution(re.compile(each["find"]), each["put"], each.get("needs", ""), each.get("imports", ""))
        for rule in each["rules"]:
            found.setdefault(rule, []).append(made)
    return {rule: tuple(each) for rule, each in found.items()}


def rules() -> tuple[str, ...]:
    """The rules that have a patch."""
    return tuple(sorted(_table()))


def patched(text: str, flaw: Flaw, moved: int = 0) -> Patched | None:
    """The text with the first patch of the rule that matches the finding's lines; None if none does. `moved`: how far earlier
    patches of the file moved those lines down."""
    lines = text.split("\n")
    first, last = flaw.place.start - 1 + moved, flaw.place.end + moved
    if not 0 <= first < last <= len(lines):
        return None
    there = "\n".join(lines[first:last])
    for each in _table().get(flaw.rule, ()):
        if each.needs in text and (after := each.find.sub(each.put, there)) != there:
            lines[first:last] = after.split("\n")
            place = _import_place(lines, each.imports)
            if place is not None:
                lines.insert(place, f"import {each.imports}")
            added = int(place is not None and place <= first)
            return Patched("\n".join(lines), first + 1 + added, added)
    return None


def _import_place(lines: list[str], module: str) -> int | None:
    """The line for an import: before the first one of the file; None if it is unnecessary or already there."""
    try:
        top = ast.parse("\n".join(lines)).body if module else []
    except (SyntaxError, ValueError, RecursionError):
        return None  # verification withdraws the patch
    imports = [each for each in top if isinstance(each, ast.Import | ast.ImportFrom)]
    plain = (alias for each in imports if isinstance(each, ast.Import) for alias in each.names)
    if any(alias.name == module and alias.asname is None for alias in plain):
        return None
    return next((each.lineno - 1 for each in imports if getattr(each, "module", "") != "__future__"), None)


_LANGUAGES = (Language.PYTHON, Language.JAVASCRIPT, Language.TYPESCRIPT)
NO_PATCH = "no automatic fix"
CHANGED = "the analysis does not report it in the files as they are now; audit them again"
PERSISTS = "a patch was tried, and the finding is still there"
WORSE = "a patch was tried, and the analysis has more to say about the file than before"
UNREADABLE = "a patch was tried, and the file can no longer be read"


@dataclass(frozen=True, slots=True)
class Remedied:
    """The result: the patched texts, the findings that they fix, and why the others have no patch."""

    texts: Mapping[str, str]
    settled: tuple[Flaw, ...]
    unsettled: tuple[tuple[Flaw, str], ...]


def remedied(project: Project, flaws: Iterable[Flaw]) -> Remedied:
    """Every verified patch for these findings."""
    wanted = sorted(set(flaws))
    before = _said(project, frozenset(each.place.path for each in wanted))
    why = {each: CHANGED for each in wanted if (each.place.path, each.rule, each.place.start) not in before}
    while True:
        texts, lines = _patched(project, [each for each in wanted if each not in why])
        why |= {each: NO_PATCH for each in wanted if each not in why and each not in lines}
        broken = _broken(project, before, texts, lines) if texts else {}
        if not broken:
            return Remedied(texts, tuple(sorted(lines)), tuple((each, why[each]) for each in sorted(why)))
        why |= broken


def _patched(project: Project, wanted: list[Flaw]) -> tuple[dict[str, str], dict[Flaw, int]]:
    """The texts with all patches applied, and the new line of each patched finding."""
    texts: dict[str, str] = {}
    lines: dict[Flaw, int] = {}
    moved: Counter[str] = Counter()
    for flaw in wanted:
        path = flaw.place.path
        done = patched(texts.get(path, project.text(path)), flaw, moved[path])
        if done is not None:
            texts[path] = done.text
            moved[path] += done.added
            lines = {each: line + (done.added if each.place.path == path else 0) for each, line in lines.items()}
            lines[flaw] = done.line
    return texts, lines


Said = Counter[tuple[str, str, int]]
"""The number of findings per path, rule and line."""


def _broken(project: Project, before: Said, texts: Mapping[str, str], lines: Mapping[Flaw, int]) -> dict[Flaw, str]:
    """Patches that fail verification, with the reason."""
    after_patch = with_texts(project, texts)
    after = _said(after_patch, frozenset(texts))
    earlier, later = _by_rule(before), _by_rule(after)
    worse = {path for (path, rule), count in later.items() if count > earlier[path, rule]}
    lost = _lost(after_patch, texts)
    found: dict[Flaw, str] = {}
    for flaw, line in lines.items():
        path = flaw.place.path
        if path in lost:
            found[flaw] = UNREADABLE
        elif after[path, flaw.rule, line]:
            found[flaw] = PERSISTS
        elif path in worse:
            found[flaw] = WORSE
    return found


def with_texts(project: Project, texts: Mapping[str, str]) -> Project:
    """The tree with these texts in it."""
    patched_project = Project(project.root, project.survey, project.checkpoint)
    patched_project.freeze({**project.frozen, **texts})
    return patched_project


def _lost(project: Project, texts: Mapping[str, str]) -> set[str]:
    return {path for path, text in texts.items() if path in project.unread or not _parses(path, text)}


@dataclass(frozen=True, slots=True)
class Judge:
    """Judges patches that others wrote. `said` is what the analysis says of a whole tree, `before` what it says of this one."""

    said: Callable[[Project], Said]
    project: Project
    before: Said

    def objection(self, flaws: Iterable[Flaw], texts: Mapping[str, str]) -> str:
        """Why these texts do not settle flaws that the analysis reports; '' where they do."""
        after_patch = with_texts(self.project, texts)
        earlier, later = _by_rule(self.before), _by_rule(self.said(after_patch))
        if lost := _lost(after_patch, texts):
            return f"{UNREADABLE}: {min(lost)}"
        places = {(each.place.path, each.rule, each.place.start) for each in flaws}
        for (path, rule), count in Counter((path, rule) for path, rule, _ in places).items():
            if later[path, rule] > max(0, earlier[path, rule] - count):
                return f"{PERSISTS}: {rule} in {path}"
        worse = [f"{rule} in {path}" for (path, rule), count in sorted(later.items()) if count > earlier[path, rule]]
        return f"{WORSE}: {', '.join(worse)[:400]}" if worse else ""


def _by_rule(said: Said) -> Counter[tuple[str, str]]:
    counts: Counter[tuple[str, str]] = Counter()
    for (path, rule, _), count in said.items():
        counts[path, rule] += count
    return counts


def _parses(path: str, text: str) -> bool:
    if not path.endswith(".py"):
        return True
    try:
        ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return False
    return True


def said_of(project: Project) -> Said:
    """The findings of an audit for the tree, by location."""
    return _said(project, frozenset(project.files))


def _said(project: Project, paths: frozenset[str]) -> Said:
    points = entry_points_of(project)
    used = [each for each in _LANGUAGES if project.of_language(each)] or [Language.PYTHON]
    findings = {
        finding
        for language in used
        for finding in families.examine(project, points, tuple(Dimension), language).examination.findings
    }
    places = {(place, finding.rule) for finding in findings for place in (finding.location, *finding.also)}
    return Counter((place.path, rule, place.start) for place, rule in places if place.path in paths)

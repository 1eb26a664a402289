"""The search of a project's files for secrets (D7): every candidate is judged, and working secrets are reported.

Every candidate becomes an item of the ledger with its verdict, so the coverage of keys, passwords and tokens counts everything
that was read. Test files, examples and documentation are included, but only realistic secrets are reported there, and only as a
pattern: a fixture rarely grants access. No finding contains a secret: evidence is redacted or truncated before it.
"""

import base64
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from counterproof.analysis.examination import Examination
from counterproof.analysis.facts.trees import tree_of
from counterproof.analysis.project import OutOfTime, Project
from counterproof.analysis.reuse import reuse_of
from counterproof.analysis.secrets.candidate import Candidate, Place
from counterproof.analysis.secrets.file_kinds import has_settings, lines_for_show
from counterproof.analysis.secrets.formats import DOCUMENTED, may_hold_secrets, opens_private_key, token_hits, url_passwords
from counterproof.analysis.secrets.report import RUNNING_OUT, finding_of, group_key
from counterproof.analysis.secrets.secret_names import Kind
from counterproof.analysis.secrets.spans import named_in
from counterproof.analysis.secrets.uses import is_taken_as_another, is_used
from counterproof.analysis.secrets.values import Judgement, is_thought_up, judge, looks_random
from counterproof.analysis.source.origin import is_sample
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import last_name, walk
from counterproof.model.counting import counted
from counterproof.model.dimension import Dimension
from counterproof.model.finding import Finding
from counterproof.model.ledger import Item, Search
from counterproof.model.location import at
from counterproof.model.survey import FileRole, Language, SourceFile

_QUERIES = (
    (Kind.KEY, "literals called secret, api_key, private_key, signing_key …, and private key blocks"),
    (Kind.PASSWORD, "literals called password, passwd, pwd …, seeded accounts, passwords in connection strings"),
    (Kind.TOKEN, "literals called token, and tokens of known providers by their form"),
)
FAMILY = "secrets"
_REFUSES = re.compile(r"\$\{\w{1,80}:?\?\s{0,4}[\"']?\Z")
"""`${KEY:?a message}` refuses to start without the variable, and what follows is the message."""
MAX_LINE = 20_000
_TESTED = re.compile(
    r"""\bROOT_URLCONF["']?\s{0,5}[=:]\s{0,5}["'](?:\w{1,40}\.){0,4}tests?(?:_?(?:app|project|site|suite))?(?:[._]\w|["'])"""
)
"""Settings that use test URLs: a library is tested with them."""


@dataclass(frozen=True, slots=True)
class Searched:
    """The items found in one file, and whether secrets are among them. Contains no secret."""

    items: tuple[Item, ...]
    secrets: bool


@dataclass(frozen=True, slots=True)
class _Judged:
    candidate: Candidate
    judgement: Judgement


def examine(project: Project, only: frozenset[str] | None = None) -> Examination:
    """Find hard-coded passwords, keys and tokens in every file of the survey, or only in the files in `only`."""
    files = tuple(file for file in project.survey.files if only is None or file.path in only)
    searched: list[Searched] = []
    judged: list[_Judged] = []
    limitations: list[str] = []
    try:
        reuse = reuse_of(project, FAMILY, Searched) if only is None else None
        for file in files:
            project.checkpoint()
            make = partial(_searched, project, file, judged)
            searched.append(reuse.result(file.path, make, lambda made: not made.secrets) if reuse else make())
        limitations += _searched_in_part(project, files)
    except OutOfTime:
        limitations.append("The search for secrets ran out of time; some files were not searched")
    return Examination(
        findings=_findings(project, judged),
        searches=tuple(_search(kind, query, searched) for kind, query in _QUERIES),
        items=tuple(item for each in searched for item in each.items),
        limitations=tuple(limitations),
    )


def reported_values(project: Project, path: str) -> tuple[tuple[int, str, Kind], ...]:
    """Line, value and kind of each secret reported in a file."""
    found = _judged_in(project, project.files[path])
    return tuple((each.candidate.line, each.candidate.value, each.candidate.kind) for each in found if each.judgement.secret)


def _searched_in_part(project: Project, files: tuple[SourceFile, ...]) -> tuple[str, ...]:
    large = (file.path for file in files if file.language is None and file.size > MAX_LINE)
    paths = [path for path in large if any(len(line) > MAX_LINE for line in project.text(path).split("\n"))]
    if not paths:
        return ()
    shown = ", ".join(paths[:5]) + (" …" if len(paths) > 5 else "")
    return (f"Very long lines were searched for secrets only at their start, in {counted(len(paths), 'file')}: {shown}",)


def _searched(project: Project, file: SourceFile, judged: list[_Judged]) -> Searched:
    """The items found in a file. Values judged to be secrets are added to `judged` for the findings, and never stored."""
    found = _judged_in(project, file)
    secrets = [each for each in found if each.judgement.secret]
    judged += secrets
    return Searched(tuple(map(_item, found)), bool(secrets))


def _judged_in(project: Project, file: SourceFile) -> list[_Judged]:
    seen: dict[tuple[int, str], _Judged] = {}
    found = [*_formed(project, file), *_named(project, file)]
    shown = _lines_for_show(project, file) if found else frozenset[int]()
    for each in found:
        judged = _shown(each, 0 in shown) if shown & {0, each.candidate.line} else each
        judged = _without_use(project, judged)
        key = (each.candidate.line, each.candidate.value)
        if key not in seen or (judged.judgement.secret and not seen[key].judgement.secret):
            seen[key] = judged
    return [seen[key] for key in sorted(seen)]


def _formed(project: Project, file: SourceFile) -> Iterator[_Judged]:
    """Tokens, private keys and passwords in URLs; searched for in every text file."""
    text = project.text(file.path)
    for number, line in enumerate(text.split("\n") if may_hold_secrets(text) else (), start=1):
        line = line[:MAX_LINE]
        for hit in token_hits(line):
            value = line[hit.start : hit.end]
            candidate = Candidate(file.path, number, hit.label, value, hit.kind, Place.FORM, label=hit.label)
            if not value.endswith(DOCUMENTED):
                yield _Judged(candidate, Judgement(True, hit.label))
        for hit in url_passwords(line):
            value = line[hit.start : hit.end]
            candidate = Candidate(file.path, number, "password", value, hit.kind, Place.CONFIGURED, label=hit.label)
            yield _Judged(candidate, judge(value, hit.kind))
        if opens_private_key(line) and _has_body(text, line):
            candidate = Candidate(file.path, number, "private key", "", Kind.KEY, Place.FORM, label="a private key")
            yield _Judged(candidate, Judgement(True, "a private key"))


def _has_body(text: str, line: str) -> bool:
    """Return True if a private key follows: a header alone is a parser's constant. A key with a passphrase grants no access by
    itself."""
    after = text[text.find(line) :][:600].partition("PRIVATE KEY")[2]
    if "ENCRYPTED PRIVATE KEY" in line or "4,ENCRYPTED" in after:
        return False
    return re.search(r"[A-Za-z0-9+/]{40}", after) is not None


def _named(project: Project, file: SourceFile) -> Iterator[_Judged]:
    """Literals whose name or use says that they are secrets."""
    text = project.text(file.path)
    starts: list[int] = []
    seen: set[int] = set()
    for each in named_in(text, file.path, partial(tree_of, project, file.path)):
        if each.start in seen or _REFUSES.search(text, max(0, each.start - 100), each.start):
            continue
        seen |= {each.start} if each.judgement.secret else set()
        starts = starts or [0, *(found.end() for found in re.finditer("\n", text))]
        line = bisect_right(starts, each.start)
        value = text[each.start : each.end]
        place = Place.DEFAULT if line in _replaced(project, file) and each.place is Place.ASSIGNED else each.place
        function = _function(project, file, line)
        yield _Judged(Candidate(file.path, line, each.name, value, each.kind, place, function, "", each.handed), each.judgement)


def _function(project: Project, file: SourceFile, line: int) -> str:
    if file.language is not Language.PYTHON:
        return ""
    around = [each for each in project.module(file.path).functions if each.line <= line <= each.end]
    return max(around, key=lambda each: each.line).qualified if around else ""


def _replaced(project: Project, file: SourceFile) -> frozenset[int]:
    """Lines of `class Settings(BaseSettings)`: its fields are read from the environment, and the code contains only defaults."""
    if file.language is not Language.PYTHON or "BaseSettings" not in project.text(file.path):
        return frozenset()
    read = [
        each for each in project.module(file.path).classes
        if any((last_name(base) or "").endswith("BaseSettings") for base in each.bases)
    ]  # fmt: skip
    return frozenset(line for each in read for line in range(each.line, each.end + 1))


def _lines_for_show(project: Project, file: SourceFile) -> frozenset[int]:
    """Lines whose values are for tests, examples or documentation; 0 means the whole file."""
    text = project.text(file.path)
    if file.test or file.role is FileRole.CI or is_sample(file.path) or _TESTED.search(text):
        return frozenset((0,))
    if file.language is not Language.PYTHON:
        return lines_for_show(file.path, text.split("\n")) if file.language is None else frozenset()
    module = project.module(file.path)
    texts = (each for each in walk(*module.body) if isinstance(each, ir.ExprStatement) and isinstance(each.value, ir.Const))
    asserts = (each for each in walk(*module.body) if isinstance(each, ir.Assert))
    classes = (each for each in module.classes if each.name.startswith(("Test", "Testing")))
    return frozenset(line for each in (*texts, *asserts, *classes) for line in range(each.line, each.end + 1))


def _shown(judged: _Judged, whole: bool) -> _Judged:
    """In an example, report only realistic values; in an example section of another file, only known formats."""
    candidate, judgement = judged.candidate, judged.judgement
    if candidate.place is Place.FORM:
        real = not candidate.value.startswith(RUNNING_OUT)
    else:
        real = whole and not judgement.weak and _is_generated(candidate.value)
    if real or not judgement.secret:
        return judged
    return _Judged(candidate, Judgement(False, "a value for tests, examples or documentation"))


def _without_use(project: Project, judged: _Judged) -> _Judged:
    """Judge a candidate without a known use: if only its name says that it is a secret, the value must look invented. Values in
    settings count as used."""
    candidate = judged.candidate
    if not judged.judgement.secret or candidate.label or has_settings(candidate.path):
        return judged
    if is_taken_as_another(project, candidate):
        return _Judged(candidate, Judgement(False, "what a function of the project does not take as a secret"))
    value = candidate.value
    made_up = value.isascii() and (is_thought_up(value) or looks_random(value))
    if made_up or is_used(project, candidate):
        return judged
    return _Judged(candidate, Judgement(False, "a word that nothing was seen to use as a secret"))


def _is_generated(value: str) -> bool:
    """Return True if the value is random, both as written and, if it is base64, decoded."""
    if not looks_random(value):
        return False
    try:
        meant = base64.b64decode(value, validate=True).decode("ascii")
    except ValueError:
        return True
    return not meant.isprintable() or looks_random(meant)


def _item(judged: _Judged) -> Item:
    verdict = f"a secret in the source: {judged.judgement.reason}" if judged.judgement.secret else judged.judgement.reason
    return Item(Dimension.D7, judged.candidate.kind, at(judged.candidate.path, judged.candidate.line), True, verdict)


def _search(kind: Kind, query: str, searched: list[Searched]) -> Search:
    paths = [item.location.path for each in searched for item in each.items if item.kind == kind]
    return Search(Dimension.D7, kind, query, len(paths), tuple(dict.fromkeys(paths)))


def _findings(project: Project, judged: list[_Judged]) -> tuple[Finding, ...]:
    groups: dict[tuple[str, ...], list[_Judged]] = {}
    for each in judged:
        if each.judgement.secret:
            groups.setdefault(group_key(project, each.candidate), []).append(each)
    return tuple(_finding(project, group) for group in groups.values())


def _finding(project: Project, group: list[_Judged]) -> Finding:
    """The finding for a group, located in code that runs if possible."""
    ordered = sorted(group, key=lambda each: project.files[each.candidate.path].role is not FileRole.RUNTIME)
    return finding_of(project, tuple(each.candidate for each in ordered), ordered[0].judgement)

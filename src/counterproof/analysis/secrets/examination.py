"""The examination of a project for secrets in its files (D7): every candidate judged, and what works as a secret reported.

Every candidate becomes an item of the ledger with its verdict, so that coverage of keys, passwords and tokens is a count of
what was read. Test files, examples and documentation are included, but only what looks like a real secret is reported there,
and only as a pattern: a fixture rarely opens anything. No finding holds a secret: evidence is redacted or cut before it.
"""

import base64
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from counterproof.analysis.examination import Examination
from counterproof.analysis.program.words import vocabulary
from counterproof.analysis.project import OutOfTime, Project
from counterproof.analysis.reuse import reuse_of
from counterproof.analysis.secrets.candidate import Candidate, Place
from counterproof.analysis.secrets.python_code import CodeReader
from counterproof.analysis.secrets.report import RUNNING_OUT, finding_of, group_key
from counterproof.analysis.secrets.secret_names import (
    Kind,
    is_qualified,
    names_action,
    names_choice,
    names_entry,
    only_repeats,
    words_of,
)
from counterproof.analysis.secrets.signatures import signatures_in
from counterproof.analysis.secrets.text_files import (
    MAX_LINE,
    among_texts,
    form_candidates,
    has_long_lines,
    reads_settings,
    seed_candidates,
    setting_candidates,
)
from counterproof.analysis.secrets.uses import SIGNING
from counterproof.analysis.secrets.values import (
    FIELD_NAME,
    LABEL,
    SPOKEN,
    Judgement,
    is_said,
    judge,
    looks_random,
    spells_words,
)
from counterproof.analysis.source.origin import is_sample
from counterproof.analysis.syntax.ir import Const, ExprStatement
from counterproof.analysis.syntax.walk import walk
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


_CHECKS = (".github/", ".ci/", ".circleci/", ".gitlab-ci", ".travis", "ci/", ".buildkite/", ".drone", "azure-pipelines")


FAMILY = "secrets"
_CODE = re.compile(r"""(?:^|[\s{,(\[])["']?([A-Z]{2})["']?\s?[:=]""")
"""A code of two letters in front of what it stands for."""
_LANGUAGES = frozenset(("i18n", "intl", "locale", "locales", "lang", "langs", "languages", "messages", "translations"))
"""Folders of texts by language, by their names."""
_BY_LANGUAGE = re.compile(r"[a-z]{2,3}(?:[-_][a-z]{2,4})?\.(?:[cm]?[jt]s|py|json|ya?ml)")
"""`de.ts`, `pt_br.js`."""
_CODES = vocabulary(
    "af am ar az be bg bn bs ca cs cy da de el en eo es et eu fa fi fr ga gl gu he hi hr hu hy id is it ja ka kk km ko lt lv mk "
    "ml mn mr ms nb nl nn no pa pl pt ro ru si sk sl sq sr sv sw ta te th tr uk ur uz vi zh"
)
MIN_LANGUAGES = 4
"""Files named after languages that make their folder one of texts, whatever it is called."""
_SHOWN = re.compile(r"\bplaceholder=[\"'{]")
_EXAMPLE = re.compile(r"""\s*(?:-\s+)?["']?(?:x-)?examples?["']?\s*:""", re.IGNORECASE)
"""A field by which the description of an interface shows what a value may look like."""
_TESTED = re.compile(
    r"""\bROOT_URLCONF["']?\s{0,5}[=:]\s{0,5}["'](?:\w{1,40}\.){0,4}tests?(?:_?(?:app|project|site|suite))?(?:[._]\w|["'])"""
)
"""Settings whose addresses are those of tests: a library runs under them where it is tested."""


@dataclass(frozen=True, slots=True)
class Searched:
    """What was seen in one file, and whether secrets are among it. No secret is in here."""

    items: tuple[Item, ...]
    secrets: bool


@dataclass(frozen=True, slots=True)
class _Judged:
    candidate: Candidate
    judgement: Judgement


def examine(project: Project, only: frozenset[str] | None = None) -> Examination:
    """Hard-coded passwords, keys and tokens in every file of the survey; `only` leaves all other files out."""
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
    """Line, value and kind of what a file holds that is reported as a secret."""
    found = _judged_in(project, project.files[path])
    return tuple((each.candidate.line, each.candidate.value, each.candidate.kind) for each in found if each.judgement.secret)


def _searched_in_part(project: Project, files: tuple[SourceFile, ...]) -> tuple[str, ...]:
    large = (file.path for file in files if file.language is None and file.size > MAX_LINE)
    paths = [path for path in large if has_long_lines(project.text(path))]
    if not paths:
        return ()
    shown = ", ".join(paths[:5]) + (" …" if len(paths) > 5 else "")
    return (f"Very long lines were searched for secrets only at their start, in {counted(len(paths), 'file')}: {shown}",)


def _searched(project: Project, file: SourceFile, judged: list[_Judged]) -> Searched:
    """What is seen in a file. What was judged to be a secret goes into `judged`, for the findings, and is never kept."""
    found = _judged_in(project, file)
    secrets = [each for each in found if each.judgement.secret]
    judged += secrets
    return Searched(tuple(map(_item, found)), bool(secrets))


def _judged_in(project: Project, file: SourceFile) -> list[_Judged]:
    seen: dict[tuple[int, str], _Judged] = {}
    candidates = tuple(_candidates(project, file))
    documented = _documented(project, file) if candidates else frozenset[int]()
    text = project.text(file.path) if candidates else ""
    lines = text.splitlines()
    shown = file.test or is_sample(file.path) or _is_translation(project, file.path) or _TESTED.search(text) is not None
    for candidate in candidates:
        example = _EXAMPLE.match("".join(lines[candidate.line - 1 : candidate.line])[:MAX_LINE]) is not None
        judgement = _judgement(candidate, shown or example or candidate.line in documented)
        if _SHOWN.search("".join(lines[candidate.line - 1 : candidate.line])[:MAX_LINE]):
            judgement = Judgement(False, "what an empty field shows for people to enter")
        if candidate.name == "PW" and _lists_countries(lines[max(candidate.line - 3, 0) : candidate.line + 2]):
            judgement = Judgement(False, "a country by its code")
        if judgement.secret and is_said(candidate.value) and among_texts(lines, candidate.line):
            judgement = Judgement(False, SPOKEN)
        if candidate.generic and not judgement.secret:
            continue
        key = (candidate.line, candidate.value)
        if key not in seen or (judgement.secret and not seen[key].judgement.secret):
            seen[key] = _Judged(candidate, judgement)
    return [seen[key] for key in sorted(seen)]


def _lists_countries(lines: list[str]) -> bool:
    """Whether `PW` stands among other codes of two letters, whatever they stand for: names, numbers, prefixes."""
    return len({code for line in lines for code in _CODE.findall(line[:MAX_LINE])} - {"PW"}) > 0


def _documented(project: Project, file: SourceFile) -> frozenset[int]:
    """Lines of texts that stand alone in the code: what they show is an example."""
    if file.language is not Language.PYTHON:
        return frozenset()
    alone = (each for each in walk(*project.module(file.path).body) if isinstance(each, ExprStatement))
    return frozenset(line for each in alone if isinstance(each.value, Const) for line in range(each.line, each.end + 1))


def _candidates(project: Project, file: SourceFile) -> Iterator[Candidate]:
    text = project.text(file.path)
    yield from form_candidates(file.path, text)
    if _is_translation(project, file.path):
        return
    if file.language is Language.PYTHON:
        yield from CodeReader(project.module(file.path), signatures_in(project)).candidates()
    elif reads_settings(file.path):
        yield from setting_candidates(file.path, text)
        yield from seed_candidates(file.path, text)


def _is_translation(project: Project, path: str) -> bool:
    """Whether a file holds what a program says in one language, as data or, under the name of the language, as code: there a
    password is a word on a form."""
    *folders, name = path.lower().split("/")
    if _LANGUAGES & {*folders} and name.endswith(".json"):
        return True
    if _BY_LANGUAGE.fullmatch(name) is None:
        return False
    counted = project.once("files by language", lambda: _counted(project))
    return bool(_LANGUAGES & {*folders}) or (_is_code(name) and counted[path.rpartition("/")[0]] >= MIN_LANGUAGES)


def _counted(project: Project) -> Counter[str]:
    """How many files of each folder are named after a language."""
    named = (path.rpartition("/") for path in project.files)
    return Counter(folder for folder, _, name in named if _BY_LANGUAGE.fullmatch(name.lower()) and _is_code(name))


def _is_code(name: str) -> bool:
    return re.split(r"[-_.]", name.lower(), maxsplit=1)[0] in _CODES


def _judgement(candidate: Candidate, sample: bool) -> Judgement:
    if candidate.place is Place.FORM:
        if _for_checks(candidate.path) and candidate.value.endswith("EXAMPLE"):
            return Judgement(False, "the key that a provider's documentation shows, where checks run")
        if sample and candidate.value.startswith(RUNNING_OUT):
            return Judgement(False, "a token that is shown as an example, and ran out")
        return Judgement(True, candidate.label)
    judgement = judge(candidate.value, candidate.kind, candidate.place is Place.SEEDED, _is_setting(candidate))
    told = words_of(candidate.value) != words_of(candidate.name)  # `SECRET_KEY = "secret_key"` only spells its own name
    named = judgement.reason in (LABEL, FIELD_NAME) and candidate.name.upper() in SIGNING and told
    if not judgement.secret and (named or _signs(candidate)):
        judgement = Judgement(True, "a placeholder that the framework signs with", weak=True)
    if any(
        test(candidate.name, candidate.value) for test in (only_repeats, names_entry, names_action, names_choice, is_qualified)
    ):
        return Judgement(False, "a name, not a secret")
    if candidate.generic and (not looks_random(candidate.value) or spells_words(candidate.value)):
        return Judgement(False, "a key of another sort")
    if judgement.secret and _for_checks(candidate.path):
        return Judgement(False, "a value for services that live as long as a check")
    if sample and judgement.secret and (judgement.weak or not _is_generated(candidate.value)):
        return Judgement(False, "a value for tests, examples or documentation")
    return judgement


def _is_generated(value: str) -> bool:
    """Random as it stands and, where it is a text in base64, as what it stands for."""
    if not looks_random(value):
        return False
    try:
        meant = base64.b64decode(value, validate=True).decode("ascii")
    except ValueError:
        return True
    return not meant.isprintable() or looks_random(meant)


def _signs(candidate: Candidate) -> bool:
    """`app.secret_key = "your-secret-key"`: what the code itself gives a framework is in use, whatever it reads like."""
    given = candidate.handed and candidate.place is Place.ASSIGNED
    filled_in = any(each in candidate.value for each in "{}$<>%")  # by whatever makes the file from a template
    return given and candidate.name.upper() in SIGNING and any(each.isalpha() for each in candidate.value) and not filled_in


def _is_setting(candidate: Candidate) -> bool:
    """`POSTGRES_PASSWORD=password`: what an environment gets is taken as it stands, even if it reads like a label."""
    settled = candidate.place in (Place.DEFAULT, Place.CONFIGURED)
    return settled and candidate.name.isupper() and "_" in candidate.name


def _for_checks(path: str) -> bool:
    """Whether a file only sets up continuous integration; its passwords protect services that are thrown away."""
    return path.startswith(_CHECKS) or "/.ci/" in path or path.endswith(("settings/ci.py", "settings_ci.py", "settings/test.py"))


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
    """Told by the place that runs, where there is one."""
    ordered = sorted(group, key=lambda each: project.files[each.candidate.path].role is not FileRole.RUNTIME)
    return finding_of(project, tuple(each.candidate for each in ordered), ordered[0].judgement)

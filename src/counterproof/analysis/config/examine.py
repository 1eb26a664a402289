"""Run check rules over the files in scope and convert matches to items, searches and findings.

Test files are read only by rules that request it (A29 allows this for D7 and D8); their results are recorded but are no findings,
because test code does not run in production. The results per file are cached between runs with the inputs they depend on.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial

from counterproof.analysis.config.checks import SCRIPTED, TYPED
from counterproof.analysis.config.evidence import finding_of
from counterproof.analysis.config.patterns import Matching, Walk, walk_of
from counterproof.analysis.examination import Examination
from counterproof.analysis.project import OutOfTime, Project
from counterproof.analysis.reuse import reuse_of
from counterproof.analysis.ruleset import CheckRule, Match
from counterproof.analysis.source.reading import TargetChanged
from counterproof.model.dimension import Dimension
from counterproof.model.errors import CounterproofError
from counterproof.model.finding import Finding
from counterproof.model.ledger import Item, Search
from counterproof.model.location import Location
from counterproof.model.survey import Language, SourceFile

FAMILY = "checks"
TESTS_TOO = (Dimension.D7, Dimension.D8)
_SAMPLES = {Language.PYTHON.value: "a.py", Language.JAVASCRIPT.value: "a.js", Language.TYPESCRIPT.value: "a.ts"}


@dataclass(slots=True)
class _Record:
    findings: list[Finding] = field(default_factory=list[Finding])
    items: list[Item] = field(default_factory=list[Item])
    limitations: list[str] = field(default_factory=list[str])
    hits: list[str] = field(default_factory=list[str])


@dataclass(frozen=True, slots=True)
class Checked:
    """The rules' results for one file; `hits` are the ids of the rules of the items."""

    findings: tuple[Finding, ...]
    items: tuple[Item, ...]
    limitations: tuple[str, ...]
    hits: tuple[str, ...]


def examine(project: Project, rules: tuple[CheckRule, ...], only: frozenset[str] | None = None) -> Examination:
    """Run every rule on every file that it applies to, in path order; `only` restricts the files."""
    found: dict[str, Checked] = {}
    late = ()
    try:
        for path, checked in _every(project, rules) if only is None else _some(project, rules, only):
            found[path] = checked
    except OutOfTime:
        late = ("Time ran out during the configuration checks; files after that point were not checked.",)
    hits: dict[str, list[str]] = {rule.id: [] for rule in rules}
    for path, checked in found.items():
        for rule in checked.hits:
            hits[rule].append(path)
    return Examination(
        findings=tuple(each for checked in found.values() for each in checked.findings),
        searches=tuple(search for rule in rules for search in _searches(rule, hits[rule.id])),
        items=tuple(each for checked in found.values() for each in checked.items),
        limitations=(*(each for checked in found.values() for each in checked.limitations), *late),
    )


def _every(project: Project, rules: tuple[CheckRule, ...]) -> Iterator[tuple[str, Checked]]:
    """Reuse an earlier run's results for files that are unchanged, including everything they depend on."""
    walk = walk_of(rules)
    reuse = reuse_of(project, FAMILY, Checked, " ".join(rule.id for rule in rules))
    for file in project.survey.files:
        project.checkpoint()
        yield file.path, reuse.result(file.path, partial(_checked, project, file, rules, walk), lambda made: not made.limitations)


def _some(project: Project, rules: tuple[CheckRule, ...], only: frozenset[str]) -> Iterator[tuple[str, Checked]]:
    walk = walk_of(rules)
    for file in project.survey.files:
        if file.path in only:
            project.checkpoint()
            yield file.path, _checked(project, file, rules, walk)


def _checked(project: Project, file: SourceFile, rules: tuple[CheckRule, ...], walk: Walk) -> Checked:
    record = _Record()
    _file(project, file, rules, walk, record)
    return Checked(tuple(record.findings), tuple(record.items), tuple(record.limitations), tuple(record.hits))


def _file(project: Project, file: SourceFile, rules: tuple[CheckRule, ...], walk: Walk, record: _Record) -> None:
    wanted = [rule for rule in rules if _reads(rule, file)]
    patterned = frozenset(rule.id for rule in wanted if isinstance(rule.check, Matching))
    walked = walk.matches(project, file.path, patterned) if patterned else {}
    for rule in wanted:
        try:
            found = walked[rule.id] if rule.id in walked else rule.check(project, file.path)
            if isinstance(found, Exception):
                raise found
            for match in sorted(found, key=lambda match: (match.line, match.item, match.verdict)):
                _match(project, file, rule, match, record)
        except (OutOfTime, TargetChanged):
            raise
        except Exception as error:  # a rule that fails on one file must not affect the others
            told = str(error) if isinstance(error, CounterproofError) else type(error).__name__
            record.limitations.append(f"Rule {rule.id} could not judge {file.path}: {told}")
            project.left_unread(file.path, f"rule {rule.id} could not judge it ({told})")


def _reads(rule: CheckRule, file: SourceFile) -> bool:
    return rule.applies(file.path) and (not file.test or (rule.in_tests and rule.dimension in TESTS_TOO))


def _match(project: Project, file: SourceFile, rule: CheckRule, match: Match, record: _Record) -> None:
    location = Location(file.path, match.line, max(match.line, min(match.end_line, file.lines)))
    verdict = f"{match.verdict} (test code)" if file.test else match.verdict
    record.items.append(Item(rule.dimension, rule.kind, location, True, verdict))
    record.hits.append(rule.id)
    if match.finding and not file.test:
        record.findings.append(finding_of(project, rule, match, location))


def _searches(rule: CheckRule, hits: list[str]) -> Iterator[Search]:
    """One search per query of a rule, separated by semicolons; one per language for rules limited to certain languages."""
    languages = [language for language, path in _SAMPLES.items() if rule.applies(path)]
    for language in languages or ("",):
        mine = [path for path in hits if not languages or rule_language(path) == language]
        for query in rule.query.split("; "):
            yield Search(rule.dimension, rule.kind, query, len(mine), tuple(dict.fromkeys(mine)), language)


def rule_language(path: str) -> str:
    """The language of a file for check rules, by its name alone."""
    if path.endswith(TYPED):
        return Language.TYPESCRIPT.value
    return Language.JAVASCRIPT.value if path.endswith(SCRIPTED) else Language.PYTHON.value

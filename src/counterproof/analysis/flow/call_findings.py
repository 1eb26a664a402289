"""The results of rules on single calls, as findings, security settings and searches.

Invariant: one search per rule and language, with or without matches, so that absence can be proved. Not handled here: checking
calls.
"""

from dataclasses import replace

from counterproof.analysis.config.evidence import finding_of
from counterproof.analysis.examination import Examination
from counterproof.analysis.flow.seen_calls import Watch
from counterproof.analysis.project import SCRIPTS, Project
from counterproof.analysis.proofs import fact_at
from counterproof.analysis.ruleset import Match
from counterproof.model.fact import Fact
from counterproof.model.finding import Finding
from counterproof.model.ledger import Item, Search
from counterproof.model.location import Location, at
from counterproof.model.survey import FileRole


def judged(project: Project, watch: Watch) -> Examination:
    """All results, ordered by rule and location."""
    by_rule = {rule.id: rule for rule in watch.rules}
    findings: dict[tuple[str, Location], Finding] = {}
    items: list[Item] = []
    hits: dict[tuple[str, str], list[str]] = {}
    told: set[tuple[str, str]] = set()
    """Secrets already reported: replacing one replaces it everywhere."""
    said = sorted(watch.said.items(), key=lambda each: (each[0][:3], each[1].item, each[1].verdict))
    for (identity, path, line, _), match in said:
        file = project.files[path]
        rule = by_rule[identity]
        where = Location(path, line, max(line, min(match.end_line, file.lines)))
        items.append(Item(rule.dimension, rule.kind, where, True, match.verdict))
        hits.setdefault((identity, file.language.value if file.language else ""), []).append(path)
        if match.finding and not (match.secret and (identity, match.secret) in told):
            told.add((identity, match.secret))
            literal = _literal_of(project, match, where)
            used = match if literal == where else replace(match, used=(*match.used, *_fact(project, where)))
            findings.setdefault((identity, literal), finding_of(project, rule, used, literal))
    searches = tuple(
        Search(rule.dimension, rule.kind, query, len(found), tuple(dict.fromkeys(found)), language.value)
        for rule in watch.rules
        for language in SCRIPTS
        for found in [hits.get((rule.id, language.value), [])]
        for query in rule.query.split("; ")
    )
    return Examination(findings=tuple(findings.values()), searches=searches, items=tuple(items))


def _literal_of(project: Project, match: Match, call: Location) -> Location:
    """The location of the secret passed to a call: the literal itself, also if a variable holds it, in this file or in the only
    other file that contains it."""
    if not match.secret:
        return call
    here = _holding(project, call.path, match.secret)
    if here:
        return call if any(call.start <= number <= call.end for number in here) else at(call.path, here[0])
    scripts = (file.path for file in project.survey.files if file.language in SCRIPTS and file.role is FileRole.RUNTIME)
    others = [(path, found[0]) for path in scripts if (found := _holding(project, path, match.secret))]
    return at(*others[0]) if len(others) == 1 else call


def _holding(project: Project, path: str, secret: str) -> list[int]:
    """The lines of a file with the secret as a literal."""
    text = project.text(path)
    quoted = [f"{quote}{secret}{quote}" for quote in "'\"`"] if secret in text else []
    return [number for number, line in enumerate(text.split("\n"), 1) if any(each in line for each in quoted)] if quoted else []


def _fact(project: Project, place: Location) -> tuple[Fact, ...]:
    fact = fact_at(project, place)
    return (fact,) if fact is not None else ()

"""What rules said about single calls, as findings, core items and searches.

Always holds: one search per rule and language, found or not, so that absence can be proved. Does not belong here: judging.
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


def judged(project: Project, watch: Watch) -> Examination:
    """Everything that was judged, in the order of rules and places."""
    by_rule = {rule.info.id: rule for rule in watch.rules}
    findings: dict[tuple[str, Location], Finding] = {}
    items: list[Item] = []
    hits: dict[tuple[str, str], list[str]] = {}
    told: set[tuple[str, str]] = set()
    """Secrets that were reported: whoever changes one changes it wherever it is used."""
    said = sorted(watch.said.items(), key=lambda each: (each[0][:3], each[1].item, each[1].verdict))
    for (identity, path, line, _), match in said:
        file = project.files[path]
        rule = by_rule[identity]
        where = Location(path, line, max(line, min(match.end_line, file.lines)))
        items.append(Item(rule.info.dimension, rule.info.kind, where, True, match.verdict))
        hits.setdefault((identity, file.language.value if file.language else ""), []).append(path)
        if match.finding and not (match.secret and (identity, match.secret) in told):
            told.add((identity, match.secret))
            literal = _literal_of(project, match, where)
            used = match if literal == where else replace(match, used=(*match.used, *_fact(project, where)))
            findings.setdefault((identity, literal), finding_of(project, rule.info, used, literal))
    searches = tuple(
        Search(rule.info.dimension, rule.info.kind, rule.query, len(found), tuple(dict.fromkeys(found)), language.value)
        for rule in watch.rules
        for language in SCRIPTS
        for found in [hits.get((rule.info.id, language.value), [])]
    )
    return Examination(findings=tuple(findings.values()), searches=searches, items=tuple(items))


def _literal_of(project: Project, match: Match, call: Location) -> Location:
    """Where the secret that a call is given stands: what has to be changed is the literal, also where a variable holds it."""
    quoted = [f"{quote}{match.secret}{quote}" for quote in "'\"`"] if match.secret else []
    lines = project.text(call.path).split("\n") if quoted else []
    holding = [number for number, line in enumerate(lines, 1) if any(each in line for each in quoted)]
    inside = not holding or any(call.start <= number <= call.end for number in holding)
    return call if inside else at(call.path, holding[0])


def _fact(project: Project, place: Location) -> tuple[Fact, ...]:
    fact = fact_at(project, place)
    return (fact,) if fact is not None else ()

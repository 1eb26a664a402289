"""The record of the search: the sinks searched for, and how far each was traced.

Invariant: one search per rule and family of sinks, with or without matches, so that absence can be proved; one trace per sink.
Not handled here: findings.
"""

from counterproof.analysis.flow.outcome import Outcome
from counterproof.analysis.flow.package_api import minds_callers
from counterproof.analysis.flow.values import CALLER, STORED, Source, Trusted
from counterproof.analysis.libraries.concepts import Sink
from counterproof.analysis.project import Quotes
from counterproof.analysis.ruleset import FlowRule
from counterproof.model.ledger import Search, Trace
from counterproof.model.survey import Language

_MAX_NAMES = 12
_TYPED = (".ts", ".tsx", ".mts", ".cts")
_OWN = "internal"
_ORIGINS = ((Trusted.LITERAL, "literal"), (Trusted.SETTING, "configuration"), (Trusted.INTERNAL, _OWN))


def _family(sink: Sink) -> str:
    """Sinks of one package form one query; methods of any receiver form another."""
    return "methods" if sink.call.startswith("*.") else sink.call.split(".", 1)[0]


def searches(rules: tuple[FlowRule, ...], outcomes: list[Outcome]) -> tuple[Search, ...]:
    return tuple(search for rule in rules for language in rule.languages for search in _searches(rule, outcomes, language))


def _searches(rule: FlowRule, outcomes: list[Outcome], language: Language) -> list[Search]:
    found: list[Search] = []
    families: dict[str, list[Sink]] = {}
    for sink in rule.sinks:
        families.setdefault(_family(sink), []).append(sink)
    for sinks in families.values():
        names = list(dict.fromkeys(sink.call for sink in sinks))
        found.append(_search(rule, _query(names), tuple(names), outcomes, language))
    if rule.handler_returns:
        query = "return values of " + ", ".join(rule.handler_returns) + " handlers"
        found.append(_search(rule, query, ("<return>",), outcomes, language))
    return found


def _query(names: list[str]) -> str:
    """The search query as text."""
    if names == ["<template>"]:
        return "values printed by templates that the code renders"
    stored = [name.removesuffix("[]") for name in names if name.endswith("[]")]
    return "entries put into " + _listed(stored) if len(stored) == len(names) else "calls of " + _listed(names)


def _listed(names: list[str]) -> str:
    shown = ", ".join(names[:_MAX_NAMES])
    return f"{shown} and {len(names) - _MAX_NAMES} more" if len(names) > _MAX_NAMES else shown


def _search(rule: FlowRule, query: str, calls: tuple[str, ...], outcomes: list[Outcome], language: Language) -> Search:
    hits = [each.hit for each in outcomes if each.hit.rule is rule and each.hit.call in calls]
    places = {(hit.sink_path, hit.sink_line) for hit in hits if _is_of(hit.sink_path, language)}
    files = tuple(sorted({path for path, _ in places}))
    return Search(rule.dimension, rule.kind, query, len(places), files, language.value)


def _is_of(path: str, language: Language) -> bool:
    """JavaScript and TypeScript share their rules; every other language has its own."""
    return language is Language.PYTHON or path.endswith(_TYPED) == (language is Language.TYPESCRIPT)


def traces(outcomes: list[Outcome], quotes: Quotes) -> tuple[Trace, ...]:
    """One trace per rule and sink: complete only if every flow to it was followed to its origin."""
    sinks: dict[tuple[str, str, int], list[Outcome]] = {}
    for outcome in outcomes:
        hit = outcome.hit
        sinks.setdefault((hit.sink_path, hit.rule.id, hit.sink_line), []).append(outcome)
    return tuple(_trace(ways, quotes) for _, ways in sorted(sinks.items()))


def _trace(ways: list[Outcome], quotes: Quotes) -> Trace:
    hit = ways[0].hit
    rule = hit.rule
    where = quotes.location(hit.sink_path, hit.sink_line, hit.sink_end)
    broken = next((way.broken for way in ways if way.broken), None)
    if broken:
        return Trace(rule.dimension, rule.kind, where, complete=False, broken_by=broken.value)
    return Trace(rule.dimension, rule.kind, where, complete=True, origin=_origin(ways))


def _origin(ways: list[Outcome]) -> str:
    """The origin of the data. For a sink unaffected by callers, their arguments count as the program's own."""
    taints = [(way.hit, taint) for way in ways for taint in (*way.harmful, *way.harmless)]
    channels = {
        taint.origin.channel if taint.origin.channel != CALLER or minds_callers(hit, taint) else _OWN
        for hit, taint in taints
        if isinstance(taint.origin, Source)
    }
    plain = {"argv": "argv", "message": "message", STORED: "stored data", CALLER: "argument of a caller", _OWN: _OWN}
    names = [plain.get(channel, f"request {channel}") for channel in sorted(channels)]
    names += [name for flag, name in _ORIGINS if any(way.origin & flag for way in ways)]
    return ", ".join(dict.fromkeys(names)) or _OWN

"""Data flow from untrusted sources through guards and sanitisers to sinks, across functions and files.

Invariant: every sink of every rule is recorded, traced as far as the code allows, and reported only if untrusted data reaches it
without a guard that stops it. Not handled here: the lists of sinks and sanitisers, which the rules define.
"""

import re
from dataclasses import replace
from functools import partial

from counterproof.analysis.examination import Examination, united
from counterproof.analysis.flow.call_findings import judged
from counterproof.analysis.flow.engine import Engine
from counterproof.analysis.flow.findings import finding
from counterproof.analysis.flow.handlers import Handlers
from counterproof.analysis.flow.hits import stopping
from counterproof.analysis.flow.index import ProjectIndex
from counterproof.analysis.flow.outcome import Outcome, Writes, run_everything
from counterproof.analysis.flow.package_api import minds_callers, publisher
from counterproof.analysis.flow.page_library import Library
from counterproof.analysis.flow.records import searches, traces
from counterproof.analysis.flow.rule_table import RuleTable, nests_queries, without_fixed
from counterproof.analysis.flow.seen_calls import Watch
from counterproof.analysis.flow.sources import LOCAL_CHANNELS, REQUEST, SOME_FIELD
from counterproof.analysis.flow.values import CALLER, Source, StepKind, Taint, steps_of
from counterproof.analysis.program.callees import file_of
from counterproof.analysis.project import SCRIPTS, OutOfTime, Project, Quotes
from counterproof.analysis.ruleset import CallRule, FlowRule
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.page_scripts import has_pages
from counterproof.analysis.templates.files import TemplateFiles
from counterproof.model.finding import Finding
from counterproof.model.location import Location, at
from counterproof.model.recon import EntryPoint, Guard
from counterproof.model.survey import FileRole, Language

_BY_SCRIPT = frozenset({"PUT", "PATCH", "DELETE"})
_BROUGHT = re.compile(r"cookie|session(?!Storage|[\"']?\s{0,3}:\s{0,3}false\b)|www-authenticate|basic-?auth", re.IGNORECASE)
"""Credentials that browsers send automatically, as code refers to them."""

Shown = tuple[Outcome, Taint]

_CHECKED_AT_THE_DOOR = frozenset({"path", "request"})
"""Kinds of weakness that one check of the value at its entry fixes for every sink. Statements and pages are fixed where they are
built.
"""

MANY = 4
"""At least this many sinks of one value in one file of another layer are reported as one finding."""

OUT_OF_TIME = "The time for following data was over before all code was looked at; flows may be missing."


def examine(project: Project, rules: tuple[FlowRule | CallRule, ...], entry_points: tuple[EntryPoint, ...]) -> Examination:
    """Examine the project's code with these rules, language by language; tests are excluded."""
    parts: list[Examination] = []
    calls = tuple(rule for rule in rules if isinstance(rule, CallRule))
    for languages in ((Language.PYTHON,), SCRIPTS):
        scripts = languages is SCRIPTS
        chosen = tuple(rule for rule in rules if isinstance(rule, FlowRule) and languages[0] in rule.languages)
        wanted = chosen or (calls and scripts)
        if wanted and (not scripts or any(project.of_language(each) for each in languages)):
            parts.append(
                _examined(project, chosen, entry_points, languages, calls if scripts else (), _modules(project, languages))
            )
    return united(parts)


def examine_pages(project: Project, rules: tuple[FlowRule, ...]) -> Examination:
    """Examine the inline scripts of pages, which run in the browser and have no callers."""
    files = (each for each in project.survey.files if each.role is FileRole.RUNTIME and each.language is None)
    pages = [module for each in files if has_pages(each.path) and (module := project.module(each.path)).body]
    return _examined(project, rules, (), SCRIPTS, (), (pages, [])) if pages else Examination()


def _examined(
    project: Project,
    rules: tuple[FlowRule, ...],
    entry_points: tuple[EntryPoint, ...],
    languages: tuple[Language, ...],
    calls: tuple[CallRule, ...],
    code: tuple[list[ir.Module], list[str]],
) -> Examination:
    modules, limitations = code
    scripts = languages is SCRIPTS
    index = ProjectIndex(modules)
    engine = Engine(
        index,
        RuleTable(without_fixed(project, rules)),
        Handlers(entry_points, index),
        lambda problems: Library(TemplateFiles(project, problems), modules),
        project.checkpoint,
        partial(file_of, project),
        scripts=scripts,
        nested_queries=scripts and nests_queries(project),
    )
    publish = publisher(project, scripts=scripts)
    engine.watch = Watch(calls, modules) if calls else None
    outcomes, writes, finished = run_everything(engine, publish, project.followed)
    if not finished and OUT_OF_TIME not in limitations:
        limitations.append(OUT_OF_TIME)
    for path, why in engine.given_up.items():
        project.left_unread(path, why)
    quotes = Quotes(project)
    flows = Examination(
        findings=_findings(project, outcomes, writes, engine.handlers, quotes),
        searches=searches(rules, outcomes),
        traces=traces(outcomes, quotes),
        limitations=(*limitations, *engine.limitations),
        finished=OUT_OF_TIME not in limitations,
    )
    return united((flows, judged(project, engine.watch))) if engine.watch else flows


def _modules(project: Project, languages: tuple[Language, ...]) -> tuple[list[ir.Module], list[str]]:
    """All modules that could be lowered in time, and the problems with the others."""
    modules: list[ir.Module] = []
    limitations: list[str] = []
    for file in project.survey.files:
        if file.test or file.language not in languages:
            continue
        try:
            project.checkpoint()
        except OutOfTime:
            limitations.append(OUT_OF_TIME)
            break
        module = project.module(file.path)
        modules.append(module)
        if module.problems:
            first = module.problems[0]
            more = f", and {len(module.problems) - 1} more like it" if len(module.problems) > 1 else ""  # as recon says it
            limitations.append(f"{file.path}:{first.line}: {first.text}{more}")
    return modules, limitations


def _findings(
    project: Project, outcomes: list[Outcome], writes: Writes, handlers: Handlers, quotes: Quotes
) -> tuple[Finding, ...]:
    """One finding for each rule and location, or for a group of locations. If data reaches a function with several sinks, the
    best evidence is used."""
    found: dict[tuple[str, str, int], list[tuple[Outcome, Taint]]] = {}
    for outcome in outcomes:
        best = _best(outcome, writes)
        if best is None or is_never_shown(project, outcome, best, handlers):
            continue
        found.setdefault((outcome.hit.rule.id, outcome.hit.path, outcome.hit.line), []).append((outcome, best))
    shown = [min(each, key=lambda pair: (not pair[0].certain, _preference(pair[1]))) for each in found.values()]
    worse = {_function(outcome) for outcome, _ in shown if not outcome.hit.sink.question}
    chosen = [(outcome, best) for outcome, best in shown if not outcome.hit.sink.question or _function(outcome) not in worse]

    def made(outcome: Outcome, best: Taint, also: tuple[Location, ...]) -> Finding | None:
        make = lambda: replace(finding(outcome, best, handlers.entry_of(best), quotes), also=also)  # noqa: E731
        return project.spared(outcome.hit.path, f"reporting line {outcome.hit.line}", make, None)

    every = (made(outcome, best, also) for (outcome, best), also in grouped(chosen))
    return tuple(each for each in every if each is not None)


def _function(outcome: Outcome) -> tuple[str, str, str]:
    return outcome.hit.rule.kind, outcome.hit.path, outcome.hit.function


def _best(outcome: Outcome, writes: Writes) -> Taint | None:
    """The origin with the best evidence: remote before local, complete before broken, short before long."""
    local = outcome.hit.rule.local_users and not outcome.hit.sink.only_remote
    reported = [
        taint
        for each in outcome.harmful
        for taint in writes.explained(each)
        if not (taint is not each and stopping(outcome.hit.rule, taint.passed))
        and isinstance(taint.origin, Source)
        and (taint.origin.channel not in LOCAL_CHANNELS or (local and not taint.broken))
        and (taint.origin.channel != CALLER or minds_callers(outcome.hit, taint))
        and not _is_vague(taint)
        and not (outcome.hit.sink.data and taint.broken and not _is_text(taint))
    ]
    return min(reported, key=_preference, default=None)


def _is_text(taint: Taint) -> bool:
    return any(step.kind is StepKind.BUILD for step in steps_of(taint.step))


_PARTS = frozenset({"query", "form", "header", "cookie"})


def _is_vague(taint: Taint) -> bool:
    """Return True if all fields of a request went into a value that could not be followed, so that no single field is known to
    come out."""
    source = taint.origin
    if not taint.broken or not isinstance(source, Source) or source.parameter:
        return False
    return source.channel in _PARTS and source.name.startswith(REQUEST) and SOME_FIELD not in taint.passed


def _preference(taint: Taint) -> tuple[bool, bool, str, int]:
    source = taint.origin
    assert isinstance(source, Source)
    return source.channel in LOCAL_CHANNELS, taint.broken is not None, source.path, source.line


def grouped(shown: list[Shown]) -> list[tuple[Shown, tuple[Location, ...]]]:
    """Each group as its first location in the file, with the other locations.

    Invariant: every location is in `also` of the finding that represents it. Locations are grouped if one piece of data reaches
    several sinks of a kind in one function and the data is an argument of a package's caller, or the flow is broken and the call
    is the same. For callers, functions that reach one sink through a function that only passes data on are grouped too. Request
    data with a complete flow stays separate per location, unless one name or URL reaches many sinks in a file of another layer:
    it is checked once, at its entry."""
    layers: dict[tuple[object, ...], set[tuple[object, ...]]] = {}
    for each in shown:
        layers.setdefault(_layer(each), set()).add((each[0].hit.path, each[0].hit.line))
    groups: dict[tuple[object, ...], list[Shown]] = {}
    for each in shown:
        layer = _layer(each)
        groups.setdefault(layer if layer and len(layers[layer]) >= MANY else _root(each), []).append(each)
    return [_spoken(group) for group in groups.values()]


def _layer(each: Shown) -> tuple[object, ...]:
    """The key of a request value and the other file it is passed to; () if the sink is in the file that reads the value."""
    hit, source = each[0].hit, each[1].origin
    assert isinstance(source, Source)
    if source.channel == CALLER or hit.path == source.path or hit.rule.kind not in _CHECKED_AT_THE_DOOR:
        return ()
    return ("layer", hit.rule.id, hit.path, source.path, source.line, source.parameter, bool(each[1].broken))


def _root(each: Shown) -> tuple[object, ...]:
    """The key shared by the locations of one weakness."""
    hit, source = each[0].hit, each[1].origin
    assert isinstance(source, Source)
    if source.channel != CALLER and not each[1].broken:
        return (hit.rule.id, hit.path, hit.line)
    if source.channel != CALLER:
        return (hit.rule.id, hit.path, _named(hit.function), source.path, source.line, hit.call)
    if (hit.path, hit.line) != (hit.sink_path, hit.sink_line):
        return (hit.rule.id, hit.sink_path, hit.sink_line, "handed on")
    return (hit.rule.id, hit.path, _named(hit.function), source.path, source.line)


def _named(function: str) -> str:
    """The enclosing named function, without the anonymous functions inside it."""
    parts = function.split(".")
    while len(parts) > 1 and parts[-1].startswith("function at"):
        parts.pop()
    return ".".join(parts)


def _spoken(group: list[Shown]) -> tuple[Shown, tuple[Location, ...]]:
    first = min(group, key=lambda each: (not each[0].certain, each[0].hit.path, each[0].hit.line))
    own = (first[0].hit.path, first[0].hit.line)
    others = sorted({(outcome.hit.path, outcome.hit.line) for outcome, _ in group} - {own})
    return first, tuple(at(path, line) for path, line in others)


def is_never_shown(project: Project, outcome: Outcome, taint: Taint, handlers: Handlers) -> bool:
    """Return True for markup in a response that only a script can request.

    It is harmful only if a browser displays it to a user whom the attacker sent there. Links and forms cannot send PUT, PATCH or
    DELETE requests, or a token in a header: only the program's own script can, and it does not display the response. Invariant:
    in doubt the response counts as displayed; a program that mentions cookies or sessions anywhere may authenticate browsers by
    them."""
    if outcome.hit.rule.kind != "html" or not any(taint is each for each in outcome.harmful):
        return False
    entry = handlers.entry_of(taint)
    if entry is None:
        return False
    return (bool(entry.method) and {*entry.method.split(",")} <= _BY_SCRIPT) or _asks_for_header(project, entry)


def _asks_for_header(project: Project, entry: EntryPoint) -> bool:
    """Return True if the entry point's guard accepts no credentials that browsers send automatically."""
    file = project.files.get(entry.handler.path)
    if entry.guard is not Guard.PRESENT or file is None or file.language not in SCRIPTS:
        return False
    return not project.once("what browsers send along", lambda: _knows_browsers(project))


def _knows_browsers(project: Project) -> bool:
    runs = (each.path for each in project.survey.files if each.role is FileRole.RUNTIME and each.language in SCRIPTS)
    return any(_BROUGHT.search(project.text(path)) for path in runs if not path.endswith(".d.ts"))

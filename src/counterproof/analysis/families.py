"""Every family of checks, selected by dimension and language; the only place that lists all families.

A family is imported by the function that starts it: a run that finds earlier results needs none of them, and importing them all
takes as long as the rest of such a run.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Protocol, TypeGuard

from counterproof.analysis import secrets
from counterproof.analysis.cache import digest_of
from counterproof.analysis.checked_proofs import proved
from counterproof.analysis.examination import Examination, restricted, united
from counterproof.analysis.examples import runs, without_examples
from counterproof.analysis.out_of_reach import closed
from counterproof.analysis.project import SCRIPTS, OutOfTime, Project
from counterproof.analysis.reuse import settle
from counterproof.analysis.rule_index import index_of_rules
from counterproof.analysis.ruleset import CallRule, CheckRule, FlowRule, Rule, load_rules
from counterproof.analysis.secrets.outgoing_text import safe
from counterproof.analysis.stored_examinations import find, keep
from counterproof.model.dimension import ALL_DIMENSIONS, Dimension
from counterproof.model.finding import Finding
from counterproof.model.location import Location
from counterproof.model.proof import Part
from counterproof.model.recon import EntryPoint
from counterproof.model.survey import Language, SourceFile

OUT_OF_TIME = "The time was over before all imports were resolved; code that is missing from the tree may be unnamed."


@dataclass(frozen=True, slots=True)
class Hunt:
    """The findings, and the files visited for them. `for_secrets` are additional files read only for secrets (D7), `for_supply`
    manifests and locks read for the supply chain (D10)."""

    visited: tuple[str, ...]
    examination: Examination
    for_secrets: tuple[str, ...] = ()
    for_supply: tuple[str, ...] = ()


def examine(
    project: Project,
    entry_points: tuple[EntryPoint, ...],
    dimensions: tuple[Dimension, ...],
    language: Language,
    only: frozenset[str] | None = None,
) -> Hunt:
    """Run the families of these dimensions over the files of one language and the files of none (settings, manifests).

    `only` restricts the families that judge each file separately."""
    hunt = _hunted(project, entry_points, dimensions, language, only)
    in_time = project.followed is not None or _note_gaps(project)  # a part imports what was left out on purpose
    examined = closed(project, entry_points, hunt.examination)
    examined = replace(examined, findings=proved(project, examined.findings, entry_points))
    if not in_time:
        examined = replace(examined, limitations=(*examined.limitations, OUT_OF_TIME), finished=False)
    return replace(hunt, examination=replace(examined, unread=tuple(project.unread.values())))


def _note_gaps(project: Project) -> bool:
    """Record unresolved imports of the project's own packages (A64). False if there was no time."""

    def gaps() -> Examination:
        from counterproof.analysis.program.own_imports import gaps_of  # parses the tree, which a stored result avoids

        return Examination(unread=gaps_of(project))

    try:
        found = _kept(project, "gaps", project.survey.files, gaps)
    except OutOfTime:
        return False
    for each in found.unread:
        project.left_unread(each.path, each.why)
    return True


def _hunted(
    project: Project,
    entry_points: tuple[EntryPoint, ...],
    dimensions: tuple[Dimension, ...],
    language: Language,
    only: frozenset[str] | None,
) -> Hunt:
    if language in SCRIPTS:
        return _scripts(project, entry_points, dimensions, language, only)
    if language is not Language.PYTHON:
        return _without_analyst(project, dimensions, language)
    flows = _flows(project, entry_points, dimensions)
    checks = _not_scripts(project, restricted(_apart(project, "checks", only), dimensions))
    parts = [flows, _unsettled(project, flows, checks)]
    if {Dimension.D3, Dimension.D5, Dimension.D9} & set(dimensions):
        parts.append(_not_scripts(project, _controlled(project, entry_points, dimensions)))
    parts = [without_examples(project, united((*parts, _pages(project, dimensions))))]
    if Dimension.D7 in dimensions:
        parts.append(_apart(project, "secrets", only))
    if Dimension.D10 in dimensions:
        parts.append(_supply_chain(project))
    visited = tuple(file.path for file in project.survey.files if file.language in (language, None))
    others = tuple(file.path for file in project.survey.files if file.language not in (language, None))
    return Hunt(visited, united(parts), others if Dimension.D7 in dimensions else ())


FOLLOWED = (Language.PYTHON, *SCRIPTS)
"""Languages with data-flow analysis."""


def _scripts(
    project: Project,
    entry_points: tuple[EntryPoint, ...],
    dimensions: tuple[Dimension, ...],
    language: Language,
    only: frozenset[str] | None,
) -> Hunt:
    """JavaScript and TypeScript import each other, so both are followed together and separated here."""
    from counterproof.analysis.templates.script_templates import is_template

    pages = (file.path for file in project.survey.files if file.language is None and is_template(file.path))
    own = frozenset((*(file.path for file in project.of_language(language)), *pages))
    whole = [_flows(project, entry_points, dimensions, SCRIPTS), restricted(_apart(project, "checks", only), dimensions)]
    if Dimension.D3 in dimensions or Dimension.D9 in dimensions:
        whole.append(_controlled(project, entry_points, dimensions))
    parts = [_published(project, _of(each, own, language.value)) for each in whole]
    alone = not project.of_language(Language.PYTHON)  # otherwise the Python run also reads secrets and files of no language
    if alone and language is next(each for each in SCRIPTS if project.of_language(each)):
        parts.append(without_examples(project, _pages(project, dimensions)))
    if Dimension.D7 in dimensions and alone:
        parts.append(_apart(project, "secrets", only))
    if Dimension.D10 in dimensions:
        parts.append(_supply_chain(project))
    visited = tuple(file.path for file in project.survey.files if file.path in own or (alone and file.language is None))
    others = tuple(file.path for file in project.survey.files if file.path not in visited)
    manifests = _manifests(_supply_chain(project)) if Dimension.D10 in dimensions else ()
    return Hunt(visited, _distinct(united(parts)), others if Dimension.D7 in dimensions and alone else (), manifests)


_BUILT = ("sql", "shell", "html", "code", "template")
"""Kinds of text that both data flow and a check judge by the inserted values."""


def _unsettled(project: Project, flows: Examination, checks: Examination) -> Examination:
    """The checks' results without texts that data flow covered: those are reported with their flow, or are safe."""
    kinds = index_of_rules(project).kinds()
    settled = {
        (place.path, place.start, kinds[each.rule])
        for each in flows.findings
        for place in (each.location, *(step.location for step in (each.flow.steps if each.flow else ())))
    }
    known = (each for each in flows.traces if each.kind in _BUILT and each.complete and "internal" not in each.origin)
    settled |= {(each.sink.path, each.sink.start, each.kind) for each in known}
    kept = (each for each in checks.findings if (each.location.path, each.location.start, kinds[each.rule]) not in settled)
    return replace(checks, findings=tuple(kept))


def _distinct(whole: Examination) -> Examination:
    """One finding per line and weakness, the first: a followed flow precedes a mere pattern. A value whose use is reported as the
    same weakness is reported there."""
    found: dict[tuple[str, int, int], Finding] = {}
    for each in whole.findings:
        found.setdefault((each.location.path, each.location.start, each.cwe), each)
    for key, each in list(found.items()):
        if any(used != key and used in found for used in _used_at(each)):
            del found[key]
    return replace(whole, findings=tuple(found.values()))


def _used_at(finding: Finding) -> Iterator[tuple[str, int, int]]:
    """The locations where a finding's value is used, as keys."""
    links = finding.proof.links if finding.proof is not None else ()
    return ((link.fact.at.path, link.fact.at.start, finding.cwe) for link in links if link.part is Part.USE)


def _published(project: Project, whole: Examination) -> Examination:
    """An examination without the examples of a package, which its users do not install (A10)."""
    scripts = project.scripts()
    kept = tuple(
        each for each in whole.findings if not scripts.is_example(each.location.path) or runs(project, each.location.path)
    )
    left = len(whole.findings) - len(kept)
    if not left:
        return whole
    said = "Findings in examples, demos and benchmarks of a published package were left out, because nobody installs those."
    return replace(whole, findings=kept, limitations=(*whole.limitations, said))


def _of(whole: Examination, own: frozenset[str], *languages: str) -> Examination:
    """The part of an examination for these files, with its searches in these languages."""
    return replace(
        whole,
        findings=tuple(each for each in whole.findings if each.location.path in own),
        searches=tuple(each for each in whole.searches if each.language in languages),
        traces=tuple(each for each in whole.traces if each.sink.path in own),
        items=tuple(each for each in whole.items if each.location.path in own),
        comparisons=tuple(each for each in whole.comparisons if each.at.path in own),
        entries=tuple(each for each in whole.entries if each.path in own),
        endpoints=tuple(each for each in whole.endpoints if each.path in own),
    )


def _not_scripts(project: Project, whole: Examination) -> Examination:
    """The part of an examination of all files for files other than JavaScript."""
    own = frozenset(file.path for file in project.survey.files if file.language not in SCRIPTS)
    return _of(whole, own, "", Language.PYTHON.value)


def _checked(project: Project, only: frozenset[str] | None = None) -> Examination:
    """Run every check rule, of any dimension."""
    from counterproof.analysis import config as configuration

    return configuration.examine(project, tuple(rule for rule in _rules() if isinstance(rule, CheckRule)), only)


class Family(Protocol):
    """Checks that need only the files; `only` restricts them."""

    def __call__(self, project: Project, only: frozenset[str] | None = None) -> Examination: ...


APART: dict[str, Family] = {"checks": _checked, "secrets": secrets.examine}
"""Families that need only the files."""


def _apart(project: Project, family: str, only: frozenset[str] | None) -> Examination:
    """Computed once for all agents of a run."""
    if only is not None:
        return project.once(f"{family} of {' '.join(sorted(only))}", lambda: _safe(project, APART[family](project, only)))

    def examination() -> Examination:
        made = APART[family](project)
        settle(project)
        return made

    return _kept(project, family, project.survey.files, examination)


def _kept(
    project: Project, name: str, files: Iterable[SourceFile], make: Callable[[], Examination], more: str = ""
) -> Examination:
    """The examination of these files from an earlier run, or computed now; stored only if complete."""
    inputs = tuple(files)
    key = digest_of(name, inputs, more) if project.results else ""

    def examination() -> Examination:
        found = project.once(f"{name} of an earlier run", lambda: find(project, key))
        if found is not None:
            return found
        made = _safe(project, make())
        if not (name == "checks" and made.limitations):
            keep(project, key, made, inputs)
        return made

    return project.once(name, examination)


def _safe(project: Project, whole: Examination) -> Examination:
    """Redact secrets in all target text, before anything is stored, logged or reported."""
    return replace(whole, findings=safe(project, whole.findings), traces=safe(project, whole.traces))


def _without_analyst(project: Project, dimensions: tuple[Dimension, ...], language: Language) -> Hunt:
    """Examine manifests and locks, which are read the same way for all languages; code in this language is not analysed."""
    nobody = Examination(limitations=(f"There is no embedded analyst for {language.value} yet.",))
    if Dimension.D10 not in dimensions:
        return Hunt((), nobody)
    supply = _supply_chain(project)
    return Hunt(tuple(sorted({item.location.path for item in supply.items})), united((supply, nobody)))


def _manifests(supply: Examination) -> tuple[str, ...]:
    """The files used for the supply-chain examination, in any language."""
    return tuple(sorted({each.location.path for each in (*supply.items, *supply.findings)}))


def _supply_chain(project: Project) -> Examination:
    """Examined once for all agents of a run."""

    def examination() -> Examination:
        from counterproof.analysis import dependencies

        return _safe(project, dependencies.examine(project))

    name = "supply chain"
    if project.vulnerability_data:
        return project.once(name, examination)
    return _kept(project, name, project.survey.files, examination, repr(project.survey.skipped))


def findings(project: Project, entry_points: tuple[EntryPoint, ...]) -> tuple[Finding, ...]:
    """The findings of the analysts for every language and dimension."""

    def found() -> tuple[Finding, ...]:
        languages = [each for each in FOLLOWED if project.of_language(each)] or [Language.PYTHON]
        hunts = (examine(project, entry_points, ALL_DIMENSIONS, each) for each in languages)
        return tuple(dict.fromkeys(each for hunt in hunts for each in hunt.examination.findings))

    return project.once("findings of every family", found)


def flows(project: Project, entry_points: tuple[EntryPoint, ...], dimensions: tuple[Dimension, ...]) -> Examination:
    """The data-flow findings, with a trace of every sink."""
    parts = [_flows(project, entry_points, dimensions)]
    if any(project.of_language(each) for each in SCRIPTS):
        parts.append(_flows(project, entry_points, dimensions, SCRIPTS))
    return united(parts)


def _rules() -> tuple[Rule, ...]:
    return tuple(loaded.rule for loaded in load_rules())


def _flows(
    project: Project,
    entry_points: tuple[EntryPoint, ...],
    dimensions: tuple[Dimension, ...],
    languages: tuple[Language, ...] = (Language.PYTHON,),
) -> Examination:
    """Data flow costs the same for one rule as for all, so it is computed once for all agents of a run."""
    if not index_of_rules(project).follows(dimensions, languages[0]):
        return Examination()
    mine = (file for file in project.survey.files if not file.test and file.language in (*languages, None))  # with templates
    terms = repr(entry_points) + (repr(list(map(sorted, project.followed))) if project.followed is not None else "")
    whole = _kept(project, f"flows {languages[0].value}", mine, lambda: _follow(project, entry_points, languages), terms)
    return replace(restricted(whole, dimensions), entries=_followed(project, entry_points, languages) if whole.finished else ())


def _follow(project: Project, entry_points: tuple[EntryPoint, ...], languages: tuple[Language, ...]) -> Examination:
    from counterproof.analysis import flow

    rules = tuple(rule for rule in _rules() if _concerns(rule, languages))
    return _safe(project, flow.examine(project, rules, entry_points))


def _concerns(rule: Rule, languages: tuple[Language, ...]) -> TypeGuard[FlowRule | CallRule]:
    """Return True if the flow engine runs a rule on code in these languages."""
    return (
        isinstance(rule, CallRule)
        if languages == SCRIPTS and not isinstance(rule, FlowRule)
        else (isinstance(rule, FlowRule) and languages[0] in rule.languages)
    )


def _pages(project: Project, dimensions: tuple[Dimension, ...]) -> Examination:
    """Scripts in pages, which belong to no language's files. Computed once for all agents of a run."""

    def examination() -> Examination:
        from counterproof.analysis import flow

        rules = tuple(rule for rule in _rules() if isinstance(rule, FlowRule) and SCRIPTS[0] in rule.languages)
        return flow.examine_pages(project, rules)

    pages = (file for file in project.survey.files if file.language is None)
    whole = _kept(project, "page scripts", pages, examination)
    return restricted(replace(whole, searches=(), limitations=()), dimensions)


def _controlled(project: Project, entry_points: tuple[EntryPoint, ...], dimensions: tuple[Dimension, ...]) -> Examination:
    wanted = tuple(each for each in (Dimension.D3, Dimension.D5, Dimension.D9) if each in dimensions)
    name = f"control {' '.join(wanted)}"

    def examination() -> Examination:
        from counterproof.analysis import control

        return control.examine(project, entry_points, wanted)

    return _kept(project, name, project.survey.files, examination, repr(entry_points))


def _followed(project: Project, entry_points: tuple[EntryPoint, ...], languages: tuple[Language, ...]) -> tuple[Location, ...]:
    """Handlers that data was followed from: the engine runs every function of every file except tests."""
    code = {file.path for file in project.survey.files if file.language in languages and not file.test}
    return tuple(entry.handler for entry in entry_points if entry.handler.path in code)

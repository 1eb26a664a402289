"""Every family of checks, chosen by dimension and language. The one place that knows all families."""

from dataclasses import dataclass, replace

from counterproof.analysis import config as configuration
from counterproof.analysis import control, dependencies, flow, secrets
from counterproof.analysis.examination import Examination, restricted, united
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, FlowRule, Rule, load_rules
from counterproof.model.dimension import Dimension
from counterproof.model.finding import Finding
from counterproof.model.location import Location
from counterproof.model.recon import EntryPoint
from counterproof.model.survey import Language


@dataclass(frozen=True, slots=True)
class Hunt:
    """What was found, and the files that were visited for it."""

    visited: tuple[str, ...]
    examination: Examination


def examine(
    project: Project, entry_points: tuple[EntryPoint, ...], dimensions: tuple[Dimension, ...], language: Language
) -> Hunt:
    """Run the families of these dimensions over the files of one language and the files of none (settings, manifests)."""
    if language is not Language.PYTHON:
        return Hunt((), Examination(limitations=(f"There is no embedded analyst for {language.value} yet.",)))
    parts = [_flows(project, entry_points, dimensions)]
    checks = tuple(rule for rule in _rules() if isinstance(rule, CheckRule) and rule.info.dimension in dimensions)
    parts.append(configuration.examine(project, checks))
    if Dimension.D3 in dimensions or Dimension.D9 in dimensions:
        parts.append(control.examine(project, entry_points, dimensions))
    if Dimension.D7 in dimensions:
        parts.append(secrets.examine(project))
    if Dimension.D10 in dimensions:
        parts.append(dependencies.examine(project))
    visited = tuple(file.path for file in project.survey.files if file.language in (language, None))
    return Hunt(visited, united(parts))


def followed(
    project: Project, entry_points: tuple[EntryPoint, ...], dimensions: tuple[Dimension, ...]
) -> tuple[tuple[Finding, ...], tuple[Location, ...]]:
    """What following data forwards reported, and the sinks that it followed to every origin with nothing to report."""
    flows = _flows(project, entry_points, dimensions)
    reported = {place for each in flows.findings for place in (each.location, each.flow.sink.location if each.flow else None)}
    return flows.findings, tuple(trace.sink for trace in flows.traces if trace.complete and trace.sink not in reported)


def _rules() -> tuple[Rule, ...]:
    return tuple(loaded.rule for loaded in load_rules())


def _flows(project: Project, entry_points: tuple[EntryPoint, ...], dimensions: tuple[Dimension, ...]) -> Examination:
    """Data flow costs the same for one rule as for all, so it is followed once for all agents of a run."""
    rules = tuple(rule for rule in _rules() if isinstance(rule, FlowRule))
    if not any(rule.info.dimension in dimensions for rule in rules):
        return Examination()
    whole = project.once("flows", lambda: flow.examine(project, rules, entry_points))
    return replace(restricted(whole, dimensions), entries=_followed(project, entry_points) if whole.finished else ())


def _followed(project: Project, entry_points: tuple[EntryPoint, ...]) -> tuple[Location, ...]:
    """Handlers that data was followed from: the engine runs every function of every file that is not a test."""
    code = {file.path for file in project.of_language(Language.PYTHON) if not file.test}
    return tuple(entry.handler for entry in entry_points if entry.handler.path in code)

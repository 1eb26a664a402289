"""The iteration states and the items in them as YAML, in the protocol's schemas (P4).

Invariant: one document per iteration, then one block for each challenge, unknown, context and risk. Every text is a quoted
scalar in JSON form, which YAML accepts, so no text can become structure.
"""

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Any, cast

from counterproof.model.canonical import plain
from counterproof.model.plan.iteration import IterationState
from counterproof.model.plan.report import PlanReport
from counterproof.reports.inert import json_text


def as_yaml(report: PlanReport) -> str:
    """All states, oldest first, then the items in order of their ids."""
    items = (
        ("challenge", report.challenges),
        ("unknown", report.unknowns),
        ("surfaced_context", report.contexts),
        ("probed_risk", report.risks),
    )
    documents: list[dict[str, Any]] = [state_document(each) for each in report.iterations]
    documents += [{name: asdict(each)} for name, group in items for each in group]
    return "".join("---\n" + "".join(_block(each, 0)) for each in documents) or "--- {}\n"


def state_document(state: IterationState) -> dict[str, object]:
    """The state of an iteration in the schema's shape, for YAML and JSON."""
    shown = {
        "iteration": state.iteration,
        "plan_path": state.plan_path,
        "plan_quality": state.plan_quality,
        "team_mode": state.team_mode,
        "challenges": _only(state.challenges, "id", "status", "severity"),
        "unknowns": _only(state.unknowns, "id", "resolution"),
        "surfaced_contexts": _only(state.surfaced_contexts, "id", "impact", "generates_challenge"),
        "probed_risks": _only(state.probed_risks, "id", "generates_challenge"),
        "convergence": _only((state.convergence,), "blocking_open", "significant_open", "status")[0],
        "user_responses": [f"{each.challenge_id}: {each.text}" for each in state.user_responses],
        "synthesizer_directives": state.synthesizer_directives,
        "quality_score": state.quality_score,
    }
    return {"iteration_state": plain(shown)}


def _only(items: Iterable[object], *names: str) -> list[dict[str, object]]:
    return [{name: getattr(each, name) for name in names} for each in items]


def _block(value: dict[str, Any], depth: int) -> Iterator[str]:
    pad = "  " * depth
    for key, inner in value.items():
        if isinstance(inner, dict):
            yield f"{pad}{key}:\n"
            yield from _block(cast("dict[str, Any]", inner), depth + 1)
        elif isinstance(inner, list | tuple) and inner:
            yield f"{pad}{key}:\n"
            yield from _items(list(cast("list[Any]", inner)), depth + 1)
        else:
            yield f"{pad}{key}: {_scalar(cast('object', inner))}\n"


def _items(values: list[Any], depth: int) -> Iterator[str]:
    pad = "  " * depth
    for value in values:
        if isinstance(value, dict):
            first, *rest = _block(cast("dict[str, Any]", value), depth + 1)
            yield f"{pad}- {first.lstrip()}"
            yield from rest
        else:
            yield f"{pad}- {_scalar(value)}\n"


def _scalar(value: object) -> str:
    if isinstance(value, str):
        return json_text(str(value), indent=None)
    return json_text(list(cast("list[object]", value)) if isinstance(value, tuple) else value, indent=None)

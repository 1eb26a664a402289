"""What keeps a verification small: caps on challenges, directives under conditions, budgets of tools."""

from dataclasses import replace

import pytest

from counterproof.model.plan.challenge import Challenge, Raiser, Response, Standing, Weight
from counterproof.model.plan.contract import Allowance, Tool
from counterproof.model.plan.research import (
    ContextImpact,
    ContextSource,
    Directive,
    DirectiveKind,
    ResearchMode,
    SurfacedContext,
    Trigger,
    UnknownResolution,
    UnknownType,
)
from counterproof.protocols.plan import budgets, directives
from counterproof.protocols.plan.directives import Record
from counterproof.protocols.plan.guards import admit, degraded
from protocols.plan.plans import challenge, unknown

B, S, M = Weight.BLOCKING, Weight.SIGNIFICANT, Weight.MINOR


def surfaced(number: int, severity: Weight) -> Challenge:
    return challenge(number, severity, origin=Raiser.SURFACED)


@pytest.mark.rule("P9")
def test_research_brings_two_a_round_and_the_heaviest_stay() -> None:
    admission = admit([surfaced(1, M), surfaced(2, S), surfaced(3, S), surfaced(4, M)], [])
    assert [each.id for each in admission.admitted] == ["C2", "C3"]
    assert [each.id for each in admission.set_aside] == ["C1", "C4"]
    assert admit([surfaced(5, S)], [], researched=2).admitted == ()


@pytest.mark.rule("P9")
def test_eight_are_active_and_withdrawn_or_deferred_take_no_place() -> None:
    standing = [challenge(number) for number in range(1, 7)]
    standing += [challenge(7, M, Standing.DEFERRED), challenge(8, status=Standing.WITHDRAWN, resolution="no")]
    standing += [challenge(9, status=Standing.RESOLVED, resolution="done")]
    admission = admit([challenge(10, M), challenge(11, S)], standing)
    assert [each.id for each in admission.admitted] == ["C11"]
    assert [each.id for each in admission.set_aside] == ["C10"]


@pytest.mark.rule("P9")
def test_a_blocking_one_is_never_set_aside() -> None:
    full = [challenge(number) for number in range(1, 9)]
    assert [each.id for each in admit([surfaced(9, B), surfaced(10, B), surfaced(11, B)], full).admitted] == ["C9", "C10", "C11"]
    assert admit([challenge(9, B), challenge(10, S)], [], tightened=True).set_aside[0].id == "C10"


@pytest.mark.rule("P9")
def test_degradation_counts_what_was_raised_after_the_opening_brief() -> None:
    opening = [challenge(1), challenge(2)]
    assert not degraded([], opening, ["C1", "C2"])
    assert degraded(opening, [*opening, challenge(3)], [])
    assert not degraded(opening, [replace(opening[0], status=Standing.RESOLVED, resolution="x"), opening[1], challenge(3)], [])


CONTEXT = SurfacedContext("S1", ContextSource.CODEBASE, "app.py:3", "why", ContextImpact.CONTRADICTS_PLAN)
NEW_BLOCKING = challenge(2, B, iteration=2)
RECORD = Record(
    iteration=2,
    challenges=(challenge(1, S, Standing.UNRESOLVED), NEW_BLOCKING),
    before=(challenge(1, S, Standing.UNRESOLVED),),
    contexts=(CONTEXT,),
    fresh_unknowns=(unknown(1),),
    responses=(Response("C1", "only in Europe", 2),),
)
STANDING = (
    Directive(DirectiveKind.RE_SWEEP, Trigger.NEW_BLOCKING_CONTRADICTS_CONTEXT, ("C2", "S1")),
    Directive(DirectiveKind.RE_SWEEP, Trigger.USER_CHANGED_SCOPE, ("C1",)),
    Directive(DirectiveKind.RE_PROBE, Trigger.UNKNOWN_REVEALED_DEPENDENCY, ("U1",)),
    Directive(DirectiveKind.RE_PROBE, Trigger.UNRESOLVED_CASCADES, ("C1",)),
)


@pytest.mark.rule("P8")
@pytest.mark.parametrize("directive", STANDING, ids=lambda each: each.trigger)
def test_the_four_conditions(directive: Directive) -> None:
    assert directives.refusal(directive, RECORD) == ""
    assert "not recorded" in directives.refusal(replace(directive, about=("C9", "S9", "U9")), RECORD)
    other = DirectiveKind.RE_PROBE if directive.kind is DirectiveKind.RE_SWEEP else DirectiveKind.RE_SWEEP
    assert "is not one of its conditions" in directives.refusal(replace(directive, kind=other), RECORD)


@pytest.mark.rule("P8")
@pytest.mark.parametrize("directive", STANDING, ids=lambda each: each.trigger)
def test_the_three_nevers(directive: Directive) -> None:
    assert "no iteration is left" in directives.refusal(directive, replace(RECORD, iteration=3))
    minor = replace(RECORD, challenges=(challenge(1, M, Standing.UNRESOLVED),))
    assert "only MINOR" in directives.refusal(directive, minor)
    moving = replace(RECORD, challenges=(challenge(1, S, Standing.OPEN, "do A"),), before=(challenge(1, S),))
    assert "no challenge is stalled" in directives.refusal(directive, moving)


@pytest.mark.rule("P8")
def test_an_old_blocking_or_an_open_unknown_is_no_condition() -> None:
    old = replace(RECORD, challenges=(challenge(2, B, iteration=1), challenge(1, S, Standing.UNRESOLVED)))
    assert directives.refusal(STANDING[0], old)
    undecided = replace(RECORD, fresh_unknowns=(unknown(1, resolution=UnknownResolution.PARTIALLY_RESOLVED),))
    assert directives.refusal(STANDING[2], undecided)


@pytest.mark.rule("P10")
def test_the_tables_are_the_protocols() -> None:
    assert budgets.LIMITS[ResearchMode.RESOLVE][Tool.READ] == 8
    for tool, ceiling in budgets.CEILING.items():
        assert sum(limits.get(tool, 0) for limits in budgets.LIMITS.values()) <= ceiling
    assert (budgets.CEILING[Tool.READ], budgets.CEILING[Tool.GREP], budgets.CEILING[Tool.MEMORY]) == (14, 13, 8)


@pytest.mark.rule("P10")
def test_absent_tools_lapse_and_the_ceiling_binds() -> None:
    given = budgets.allowances(ResearchMode.PROBE, {Tool.READ: 12, Tool.GREP: 13}, (Tool.MEMORY,))
    assert given == (Allowance(Tool.GREP, 0), Allowance(Tool.READ, 2), Allowance(Tool.WEB_SEARCH, 1))
    assert budgets.refusal(Tool.READ, given, 1) == ""
    assert "used up" in budgets.refusal(Tool.READ, given, 2)
    more = budgets.allowances(ResearchMode.PROBE, {Tool.READ: 12}, (Tool.MEMORY,), raised=("Read",))
    assert Allowance(Tool.READ, 4) in more
    assert "not available" in budgets.refusal(Tool.MEMORY, given, 0)


@pytest.mark.rule("P10")
@pytest.mark.parametrize("kind", list(UnknownType))
def test_the_web_is_for_what_the_code_cannot_answer(kind: UnknownType) -> None:
    allowed = kind in (UnknownType.API_BEHAVIOR, UnknownType.STALE_KNOWLEDGE, UnknownType.INTEGRATION_UNKNOWN)
    assert (budgets.web_refusal(ResearchMode.RESOLVE, kind, False, True) == "") == allowed
    assert budgets.web_refusal(ResearchMode.RESOLVE, kind, False, False)
    assert budgets.web_refusal(ResearchMode.SURFACE, kind, True, True)
    assert budgets.web_refusal(ResearchMode.PROBE, None, True, True) == ""
    assert budgets.web_refusal(ResearchMode.PROBE, None, False, True)

"""Whole audits of small projects in languages without an analyst of flows: models earn the coverage, the run ends complete."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from agents.models_loop.diligence import Claimed, Diligent
from agents.models_loop.language_projects import ABSENT, CLAIM, FILLER, HANDLER, PROJECTS, STEPS
from agents.models_loop.modelling import a_model_task, audited, tools_for
from counterproof.model.contract import Role
from counterproof.model.coverage import Status
from counterproof.model.dimension import Dimension
from counterproof.model.proof import Guess
from counterproof.model.receipt import Exit
from counterproof.model.report import Report
from counterproof.model.survey import Language
from counterproof.protocols.audit.modes import Mode
from counterproof.protocols.audit.state import AuditState
from counterproof.toolbox.refusal import ToolRefused
from counterproof.toolbox.statements import Cited


@dataclass(frozen=True)
class Ran:
    language: str
    report: Report
    state: AuditState
    model: Diligent


def a_project(folder: Path, language: str) -> Path:
    files, _, _ = PROJECTS[language]
    name, head, row = FILLER[language]
    root = folder / language
    root.mkdir()
    for path, text in {**files, name: head + "".join(row.format(n=n) for n in range(180))}.items():
        (root / path).write_text(text, encoding="utf-8")
    return root


def a_model(language: str) -> Diligent:
    _, file, sink = PROJECTS[language]
    named = [path for path in PROJECTS[language][0] if path != file]
    # The sink's file is not read first: the model asks for it after it has hit it.
    return Diligent(
        ABSENT[language], [*named, file], [(file, sink)], [Claimed(CLAIM, file, sink, STEPS[language])], [HANDLER[language]]
    )


@pytest.fixture(params=sorted(PROJECTS))
def ran(request: pytest.FixtureRequest, tmp_path: Path, home: Path) -> Ran:
    model = a_model(request.param)
    report, state = audited(a_project(tmp_path, request.param), model, Mode.STANDARD)
    return Ran(request.param, report, state, model)


@pytest.mark.rule("A59")
def test_models_earn_the_coverage_and_the_audit_ends_complete(ran: Ran) -> None:
    rows = {row.dimension: row for row in ran.report.coverage}
    good = (Status.COVERED, Status.NOT_APPLICABLE)
    assert all(row.status in good for row in rows.values() if row.dimension is not Dimension.D10), rows
    assert rows[Dimension.D1].complete_traces == 1
    assert rows[Dimension.D2].reason.startswith("proved absent: 3 empty searches over 2 sub-categories")
    assert "controlled places followed" in rows[Dimension.D3].reason
    assert ran.report.outcome.exit in (Exit.CLEAN, Exit.FINDINGS), ran.report.outcome


@pytest.mark.rule("A59", "A29", "X2")
def test_the_flaw_that_shows_only_in_the_caller_is_found_cited_and_followed_hop_by_hop(ran: Ran) -> None:
    """The model hits the query, asks who calls its function, is shown the caller, and states the flow from there."""
    _, sink_file, sink = PROJECTS[ran.language]
    (found,) = [entry.finding for entry in ran.report.findings if entry.finding.cwe == 89]
    assert found.location.path == sink_file
    assert sink in found.evidence
    cited = [claim["evidence"] for claim in ran.model.handed_in]
    assert cited
    assert all(text.endswith("‹comment withheld›") for text in cited), "quoted as it was shown, and accepted"
    assert found.flow is not None
    assert found.flow.steps[0].location.path != sink_file
    assert found.proof is not None
    assert found.proof.refuted == ()
    assert {each.guess for each in found.proof.open_points} == {Guess.NO_ANALYST}
    asked = max(
        (each for each in ran.model.questions if "D1 injection" in each.task_text and "a hunter, in round" in each.task_text),
        key=lambda each: each.step,
    )
    made = [call.name for message in asked.messages for call in message.calls]
    assert made.index("grep") < made.index("callers")
    (body,) = [each.text for each in asked.messages if each.tool == "callers"]
    call = next(text for _, text, kind, _, _ in STEPS[ran.language] if kind == "call")
    assert call in body, "the caller comes with its lines"
    assert "‹comment withheld›" in body, "and, in a first pass, without its authors' words"
    assert "checked by the gateway" not in body


@pytest.mark.rule("A29")
def test_lines_that_a_look_showed_may_be_cited_and_no_others_count_as_read(tmp_path: Path, home: Path) -> None:
    tools = tools_for(a_project(tmp_path, "go"), a_model_task(Role.HUNTER, Dimension.D1, languages=(Language.GO,)))
    tools.symbols("findOrders")
    assert tools.own_reads() == {"orders.go"}
    assert tools.ledger().files_read() == frozenset(), "shown, and nothing made of it yet"
    tools.callers("findOrders")
    assert tools.own_reads() == {"main.go", "orders.go"}
    (read,) = [each for each in tools.ledger().reads if each.paths == ("main.go",)]
    assert (read.first, read.last) == (12, 21), "the caller's own lines"


@pytest.mark.rule("A59")
def test_a_guard_is_on_record_only_as_the_source_has_it(tmp_path: Path, home: Path) -> None:
    tools = tools_for(a_project(tmp_path, "go"), a_model_task(Role.HUNTER, Dimension.D3, Dimension.D8, languages=(Language.GO,)))
    line = 12
    with pytest.raises(ToolRefused, match="was not read"):
        tools.guard("main.go", line, None, Dimension.D3)
    tools.read("main.go")
    with pytest.raises(ToolRefused, match=r"sees no `call requireLogin` at main\.go:14; it sees: "):
        tools.guard("main.go", line, Cited("main.go", 14, "call", "requireLogin"), Dimension.D3)
    with pytest.raises(ToolRefused, match="no entry point"):
        tools.guard("orders.go", 5, None, Dimension.D3)
    with pytest.raises(ToolRefused, match="D8 is not earned this way"):
        tools.guard("main.go", line, None, Dimension.D8)
    tools.guard("main.go", line, Cited("main.go", 14, "call", "findOrders"), Dimension.D3)
    ledger = tools.ledger()
    assert [str(place) for place in ledger.endpoints] == ["main.go:12"]
    assert [(each.dimension, each.complete) for each in ledger.traces] == [(Dimension.D3, True)]


@pytest.mark.rule("A16", "A59")
def test_settings_are_judged_one_by_one_and_what_was_hit_and_left_stays_open(tmp_path: Path, home: Path) -> None:
    root = a_project(tmp_path, "go")
    for name in ("a", "b"):
        text = f'package main\n\nimport "crypto/tls"\n\nvar {name}TLS = &tls.Config{{InsecureSkipVerify: true}}\n'
        (root / f"{name}.go").write_text(text, encoding="utf-8")
    tools = tools_for(root, a_model_task(Role.HUNTER, Dimension.D8, languages=(Language.GO,)))
    tools.grep("InsecureSkipVerify", kind="tls", dimension=Dimension.D8)
    tools.read("a.go")
    with pytest.raises(ToolRefused, match=r"sees no `assign Verify`"):
        tools.setting(Cited("a.go", 5, "assign", "Verify"), "tls", "weak", Dimension.D8)
    tools.setting(Cited("a.go", 5, "assign", "InsecureSkipVerify"), "tls", "weak", Dimension.D8)
    assert [(str(item.location), item.judged) for item in tools.ledger().items] == [("a.go:5", True), ("b.go:1", False)]

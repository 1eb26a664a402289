"""Whole audits of small projects in languages without an analyst of flows: models earn the coverage, the run ends complete."""

from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from agents.models_loop.diligence import Claimed, Diligent
from agents.models_loop.language_projects import ABSENT, CLAIM, FILLER, PROJECTS, STEPS
from agents.models_loop.modelling import a_model_task, audited, tools_for
from counterproof.agents.models.rendering import rendered
from counterproof.model.contract import AgentReply, Role
from counterproof.model.coverage import Status
from counterproof.model.dimension import ALL_DIMENSIONS, Dimension
from counterproof.model.ledger import Ledger
from counterproof.model.location import at
from counterproof.model.openitem import Answered, ItemKind, OpenItem
from counterproof.model.proof import Guess
from counterproof.model.receipt import Exit
from counterproof.model.report import Report
from counterproof.model.survey import Language
from counterproof.protocols.audit.modes import Mode
from counterproof.protocols.audit.state import AuditState
from counterproof.toolbox.results import Units
from counterproof.toolbox.witnessed import WitnessedTools


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
    return Diligent(ABSENT[language], [*named, file], [(file, sink)], [Claimed(CLAIM, file, sink, STEPS[language])])


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
    assert rows[Dimension.D2].searches >= 3
    assert "endpoints checked for guards" in rows[Dimension.D3].reason
    assert ran.report.outcome.exit in (Exit.CLEAN, Exit.FINDINGS), ran.report.outcome


@pytest.mark.rule("A59", "A29")
def test_the_flaw_that_shows_only_in_the_caller_is_found_cited_and_followed_hop_by_hop(ran: Ran) -> None:
    """The model hits the query, asks who calls its function, is shown the caller, and states the flow from there."""
    _, sink_file, sink = PROJECTS[ran.language]
    (found,) = [entry.finding for entry in ran.report.findings if entry.finding.cwe == 89]
    assert found.location.path == sink_file
    assert sink in found.evidence
    cited = [claim["evidence"] for claim in ran.model.handed_in]
    assert cited
    assert all("one row a line" in text for text in cited), "quoted as it was shown, comments included, and accepted"
    assert found.flow is not None
    assert found.flow.steps[0].location.path != sink_file
    assert found.proof is not None
    assert found.proof.refuted == ()
    assert {each.guess for each in found.proof.open_points} == {Guess.NO_ANALYST}
    asked = max((each for each in ran.model.questions if "Audit this program." in each.task_text), key=lambda each: each.step)
    made = [call.name for message in asked.messages for call in message.calls]
    assert made.index("grep") < made.index("callers")
    (body,) = [each.text for each in asked.messages if each.tool == "callers"]
    call = next(text for _, text, kind, _, _ in STEPS[ran.language] if kind == "call")
    assert call in body, "the caller comes with its lines"


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


@pytest.mark.rule("A61")
def test_a_body_that_a_look_showed_is_shown_once(tmp_path: Path, home: Path) -> None:
    tools = tools_for(a_project(tmp_path, "go"), a_model_task(Role.HUNTER, Dimension.D1, languages=(Language.GO,)))
    (first,), (again,) = tools.callers("findOrders").units, tools.callers("findOrders").units
    assert (len(first.lines), first.before) == (10, False)
    assert again.before
    assert tuple(each.number for each in again.lines) == again.matter
    assert "(shown before; `read` shows it again)" in rendered(Units("call it", (again,), 1))[1]
    assert len(tools.read("main.go").lines) > 10


ENTRY = OpenItem("E1", ItemKind.ENTRY, at("main.go", 12), (Dimension.D3, Dimension.D9), "http /orders")
SETTING = OpenItem("S1", ItemKind.SETTING, at("a.go", 5), (Dimension.D8,), "tls")


def answered(tools: WitnessedTools, *answers: Answered) -> Ledger:
    tools.citations(AgentReply("model-r1-01", 1, (), (), (), answers=answers))
    return tools.ledger()


@pytest.mark.rule("A59", "A63")
def test_an_answer_about_an_entry_point_counts_once_its_line_was_shown(tmp_path: Path, home: Path) -> None:
    task = replace(a_model_task(Role.HUNTER, *ALL_DIMENSIONS, languages=(Language.GO,)), open_items=(ENTRY,))
    tools = tools_for(a_project(tmp_path, "go"), task)
    said = Answered("E1", at("main.go", 14), "safe")
    assert answered(tools, said).endpoints == ()
    tools.read("main.go")
    ledger = answered(tools, said, Answered("E7", at("main.go", 14), "safe"))
    assert [str(place) for place in ledger.endpoints] == ["main.go:12"]
    assert [(each.dimension, each.complete) for each in ledger.traces] == [(Dimension.D3, True), (Dimension.D9, True)]


@pytest.mark.rule("A16", "A63")
def test_an_answer_about_a_setting_is_a_judged_item(tmp_path: Path, home: Path) -> None:
    root = a_project(tmp_path, "go")
    (root / "a.go").write_text('package main\n\nimport "crypto/tls"\n\nvar t = &tls.Config{InsecureSkipVerify: true}\n')
    tools = tools_for(root, replace(a_model_task(Role.HUNTER, Dimension.D8, languages=(Language.GO,)), open_items=(SETTING,)))
    tools.read("a.go")
    ledger = answered(tools, Answered("S1", at("a.go", 5), "finding"))
    assert [(str(item.location), item.judged, item.verdict) for item in ledger.items] == [("a.go:5", True, "finding")]


@pytest.mark.rule("A63")
def test_text_that_was_shown_whole_counts_as_searched(tmp_path: Path, home: Path) -> None:
    root = a_project(tmp_path, "go")
    tools = tools_for(root, a_model_task(Role.HUNTER, *ALL_DIMENSIONS, languages=(Language.GO,)))
    tools.read("main.go")
    assert answered(tools).searches == ()
    for path in root.glob("*.go"):
        for first in range(1, path.read_text().count("\n") + 1, 200):
            tools.read(path.name, first)
    searched = answered(tools).searches
    assert any(each.dimension is Dimension.D1 and each.kind == "sql" and "orders.go" in each.files for each in searched)
    empty = {
        each.kind for each in searched if each.dimension is Dimension.D4 and not each.hits and each.language == Language.GO.value
    }
    assert {"objects", "xml"} <= empty

"""Validator, verifier and diver as the audit runs them: real toolbox, real ledger, real citations."""

from dataclasses import replace
from pathlib import Path

import pytest

from counterproof.agents.analysts.diver import dive
from counterproof.agents.analysts.hunter import hunt
from counterproof.agents.analysts.judge import judge
from counterproof.analysis.source.survey import SurveyOptions
from counterproof.model.baseline import Hit
from counterproof.model.contract import AgentReply, AgentTask, Limits, Role
from counterproof.model.dimension import ALL_DIMENSIONS, Dimension
from counterproof.model.judgement import HitVerdict, Verdict
from counterproof.model.severity import Severity
from counterproof.model.survey import Language
from counterproof.protocols.audit import deep_dive
from counterproof.protocols.guard.citations import verified
from counterproof.toolbox.recording import RecordingToolbox
from counterproof.toolbox.workspace import Workspace

APP = """
import os
from flask import Flask, request
import tools
app = Flask(__name__)


@app.route("/run")
def run():
    name = request.args["name"]
    code = tools.listed("ls " + name)
    return {"code": code}


@app.route("/safe")
def safe():
    return {"code": os.system("ls")}
"""
TOOLS = "import os\n\n\ndef listed(command):\n    code = os.system(command + ' -l')\n    return code\n"


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    root = tmp_path / "target"
    root.mkdir()
    (root / "app.py").write_text(APP, "utf-8")
    (root / "tools.py").write_text(TOOLS, "utf-8")
    made = Workspace(root, SurveyOptions())
    made.take_survey()
    made.entry_points = made.take_recon(1).entry_points
    return made


def a_task(role: Role, **more: object) -> AgentTask:
    task = AgentTask("t/1", "agent-x", role, 1, 1, ALL_DIMENSIONS, (Language.PYTHON,), Limits(25, 60))
    return replace(task, **more)  # pyright: ignore[reportArgumentType]


def hunted(workspace: Workspace) -> AgentReply:
    task = a_task(Role.HUNTER)
    return hunt(task, RecordingToolbox(workspace, task))


@pytest.mark.rule("A37", "A38")
def test_the_validator_confirms_by_the_facts_of_the_proof_and_records_what_it_read(workspace: Workspace) -> None:
    grave = tuple(each for each in hunted(workspace).findings if each.dimension is Dimension.D1)
    assert grave
    stripped = tuple(replace(each, flow=None, source="", sink="") for each in grave)
    task = a_task(Role.VALIDATOR, findings=stripped)
    toolbox = RecordingToolbox(workspace, task)
    reply = judge(task, toolbox)
    assert [each.verdict for each in reply.judgements] == [Verdict.CONFIRMED] * len(grave)
    assert all(each.counts(4) for each in reply.judgements)
    assert toolbox.ledger().files_read() == {"app.py", "tools.py"}
    assert any(trace.complete for trace in toolbox.ledger().traces)
    assert reply.findings == ()


@pytest.mark.rule("A37")
def test_the_validator_refutes_a_planted_claim(workspace: Workspace) -> None:
    real = next(each for each in hunted(workspace).findings if each.rule == "command-injection")
    line = APP.split("\n").index('    return {"code": os.system("ls")}') + 1
    planted = replace(real, location=replace(real.location, path="app.py", start=line, end=line))
    task = a_task(Role.VALIDATOR, findings=(planted,))
    reply = judge(task, RecordingToolbox(workspace, task))
    assert [each.verdict for each in reply.judgements] == [Verdict.REJECTED]


@pytest.mark.rule("A35", "A29")
def test_confirmed_hits_bring_findings_whose_citations_check_out(workspace: Workspace) -> None:
    hits = (
        Hit("h1", "r", "tools.py", 5, 5, "m", 78, Severity.HIGH, Dimension.D1),
        Hit("h2", "r", "app.py", 17, 17, "m", 78, Severity.HIGH, Dimension.D1),
        Hit("h3", "r", "app.py", 11, 11, "m", None, Severity.HIGH, None),
    )
    task = a_task(Role.HIT_VERIFIER, hits=hits)
    toolbox = RecordingToolbox(workspace, task)
    reply = judge(task, toolbox)
    assert [each.verdict for each in reply.hit_judgements] == [
        HitVerdict.CONFIRMED,
        HitVerdict.REJECTED,
        HitVerdict.NEEDS_MANUAL,
    ]
    assert all(each.reason for each in reply.hit_judgements)
    kept, refused = verified("agent-x", reply.findings, toolbox.citations(reply), toolbox.ledger().files_read())
    assert tuple(replace(each, excerpt=None) for each in kept) == reply.findings == (reply.hit_judgements[0].finding,)
    assert all(each.excerpt for each in kept)
    assert refused == ()


@pytest.mark.rule("A34")
def test_the_dive_satisfies_the_phase(workspace: Workspace) -> None:
    reply = hunted(workspace)
    task = a_task(Role.DEEP_DIVER, findings=reply.findings)
    toolbox = RecordingToolbox(workspace, task)
    dived = dive(task, toolbox)
    survey = workspace.project.survey
    read = toolbox.ledger().files_read()
    assert dived.notes == ()
    assert all(deep_dive.credible(flow, survey, read) for flow in dived.flows)
    judged = deep_dive.judge(survey, ("app.py",), frozenset({"app.py", "tools.py"}), read, reply.findings, dived.flows, 0)
    assert judged.completed, judged.shortfalls


@pytest.mark.rule("A34")
def test_the_dive_records_every_file_and_sink_that_data_was_followed_to(workspace: Workspace) -> None:
    findings = tuple(each for each in hunted(workspace).findings if each.flow)
    task = a_task(Role.DEEP_DIVER, findings=findings)
    toolbox = RecordingToolbox(workspace, task)
    dive(task, toolbox)
    ledger = toolbox.ledger()
    read = ledger.files_read()
    assert read == {"app.py", "tools.py"}
    judged = deep_dive.judge(workspace.project.survey, (), read, read, findings, (), 0, traces=ledger.traces)
    assert (judged.completed, judged.exhausted) == (True, True)


@pytest.mark.rule("A34")
def test_findings_of_the_hunters_are_not_submitted_again(workspace: Workspace) -> None:
    task = a_task(Role.DEEP_DIVER, files=("tools.py",))
    toolbox = RecordingToolbox(workspace, task)
    reply = dive(task, toolbox)
    assert reply.findings == ()
    assert reply.ended
    assert toolbox.ledger().files_read() == {"app.py", "tools.py"}


def test_a_dive_without_time_submits_its_results_so_far(workspace: Workspace) -> None:
    workspace.ceiling.expire()
    task = a_task(Role.DEEP_DIVER)
    reply = dive(task, RecordingToolbox(workspace, task))
    assert not reply.ended
    assert reply.notes


def test_validators_and_verifiers_without_time_submit_their_results_so_far(workspace: Workspace) -> None:
    findings = tuple(each for each in hunted(workspace).findings if each.dimension is Dimension.D1)
    workspace.ceiling.expire()
    task = a_task(Role.VALIDATOR, findings=findings)
    reply = judge(task, RecordingToolbox(workspace, task))
    assert (reply.ended, reply.judgements) == (False, ())
    hit = Hit("h1", "r", "tools.py", 5, 5, "m", 78, Severity.HIGH, Dimension.D1)
    task = a_task(Role.HIT_VERIFIER, hits=(hit,))
    reply = judge(task, RecordingToolbox(workspace, task))
    assert (reply.ended, reply.hit_judgements) == (False, ())


@pytest.mark.rule("A29")
def test_a_secret_in_a_language_without_an_analyst_was_read_for_and_is_not_refused(workspace: Workspace) -> None:
    key = "Zx81" + "kQ9pLw3Tn7Vb2Yc6Hs"  # in two parts, so that no scanner takes it for a secret of ours
    (workspace.root / "web.js").write_text(f'const password = "{key}";\n', "utf-8")
    made = Workspace(workspace.root, SurveyOptions())
    made.take_survey()
    task = a_task(Role.HUNTER, dimensions=(Dimension.D7, Dimension.D8))
    toolbox = RecordingToolbox(made, task)
    reply = hunt(task, toolbox)
    kept, refused = verified("agent-x", reply.findings, toolbox.citations(reply), toolbox.ledger().files_read())
    assert refused == ()
    assert [read.dimensions for read in toolbox.ledger().reads if "web.js" in read.paths] == [(Dimension.D7,)]
    assert "web.js" in {finding.location.path for finding in kept}


@pytest.mark.rule("A29")
def test_manifest_of_another_language_is_read_by_the_agent_that_reports_it(tmp_path: Path) -> None:
    root = tmp_path / "target"
    root.mkdir()
    (root / "app.py").write_text("print(1)\n", "utf-8")
    (root / "page.js").write_text("console.log(1);\n", "utf-8")
    (root / "requirements.txt").write_text("-e git+https://example.org/tools.git#egg=tools\n", "utf-8")
    made = Workspace(root, SurveyOptions())
    made.take_survey()
    task = a_task(Role.HUNTER, languages=(Language.JAVASCRIPT,))
    toolbox = RecordingToolbox(made, task)
    reply = hunt(task, toolbox)
    assert [each.location.path for each in reply.findings] == ["requirements.txt"]
    assert verified("agent-x", reply.findings, toolbox.citations(reply), toolbox.ledger().files_read())[1] == ()

"""Findings in JavaScript and TypeScript, walked back from their sinks by the second witness."""

from dataclasses import replace
from pathlib import Path

import pytest

from counterproof.analysis import backward, flow
from counterproof.analysis.polyglot.find import other_entry_points
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import FlowRule, load_rules
from counterproof.analysis.source.survey import survey
from counterproof.model.finding import StepResult
from counterproof.model.judgement import Judgement, Verdict

RULE = next(each.rule for each in load_rules() if each.rule.id == "javascript-command-injection")
HEAD = 'const express = require("express");\nconst { exec } = require("child_process");\nconst app = express();\n'


def judged(root: Path, text: str, line: int) -> Judgement:
    """The second witness's word on a claim about one line, whoever makes it."""
    (root / "app.js").write_text(HEAD + text, "utf-8")
    claimed = "app.get('/claim', (req, res) => exec(req.query.a));\n"
    (root / "claim.js").write_text(HEAD + claimed, "utf-8")
    project = Project(root, survey(root))
    entries = other_entry_points(project)
    assert isinstance(RULE, FlowRule)
    claim = next(each for each in flow.examine(project, (RULE,), entries).findings if each.location.path == "claim.js")
    place = replace(claim.location, path="app.js", start=line, end=line)
    return backward.judge(project, entries, replace(claim, location=place, flow=None)).judgement


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("app.get('/a', (req, res) => {\n  const name = req.query.name;\n  exec('ls ' + name);\n});\n", 6),
        ("function run(name) {\n  exec(`ls ${name}`);\n}\napp.get('/a', (req, res) => run(req.query.name));\n", 5),
        (
            "app.get('/a', (req, res) => {\n  const { l } = req.body;\n  l.forEach((each) => {\n    exec(each);\n  });\n});\n",
            7,
        ),
        ("app.get('/a', (req, res) => {\n  const options = { name: req.query.name };\n  exec(options.name);\n});\n", 6),
        (
            (
                "const run = (line) => new Promise((done) => exec(line, done));\n"
                "app.get('/a', async (req, res) => {\n  await run(`ls ${req.query.name}`);\n});\n"
            ),
            6,
        ),
        (
            (
                "app.get('/a', (req, res) => {\n  const parts = ['ls'];\n  parts.push(req.query.name);\n"
                "  exec(parts.join(' '));\n});\n"
            ),
            7,
        ),
        ("app.get('/a', (req, res) => {\n  if (!req.query.name) return;\n  exec(req.query.name);\n});\n", 6),
    ],
)
def test_a_sender_that_is_walked_to_confirms(tmp_path: Path, text: str, line: int) -> None:
    found = judged(tmp_path, text, line)
    assert found.verdict is Verdict.CONFIRMED
    assert all(step.result is StepResult.PASS for step in found.validation.steps)


@pytest.mark.rule("A54")
@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("box.innerHTML = decodeURIComponent(location.hash.slice(1));\n", Verdict.CONFIRMED),
        ("function show(text) {\n  box.innerHTML += `<b>${text}</b>`;\n}\nshow(document.referrer);\n", Verdict.CONFIRMED),
        ("window.addEventListener('message', (event) => {\n  box.innerHTML = event.data.text;\n});\n", Verdict.CONFIRMED),
        ("box.innerHTML = parseInt(location.hash.slice(1), 10);\n", Verdict.REJECTED),
        ("const location = read();\nbox.innerHTML = location.hash;\n", Verdict.DOWNGRADED),
        (
            "addEventListener('message', (event) => {\n  if (event.origin !== HOME) return;\n  b.innerHTML = event.data;\n});\n",
            Verdict.DOWNGRADED,
        ),
    ],
)
def test_what_the_browser_hands_over_comes_from_others(tmp_path: Path, text: str, verdict: Verdict) -> None:
    rule = next(each.rule for each in load_rules() if each.rule.id == "javascript-dom-xss")
    assert isinstance(rule, FlowRule)
    (tmp_path / "app.js").write_text(text, "utf-8")
    (tmp_path / "claim.js").write_text("box.innerHTML = location.hash;\n", "utf-8")
    project = Project(tmp_path, survey(tmp_path))
    claim = next(each for each in flow.examine(project, (rule,), ()).findings if each.location.path == "claim.js")
    line = next(number for number, each in enumerate(text.splitlines(), 1) if "innerHTML" in each)
    place = replace(claim.location, path="app.js", start=line, end=line)
    assert backward.judge(project, (), replace(claim, location=place, flow=None)).judgement.verdict is verdict


def test_a_test_of_the_value_leaves_the_defence_open(tmp_path: Path) -> None:
    text = "app.get('/a', (req, res) => {\n  const name = req.query.name;\n  if (!safe(name)) return;\n  exec(name);\n});\n"
    found = judged(tmp_path, text, 7)
    assert found.verdict is Verdict.DOWNGRADED
    assert found.validation.defence.result is StepResult.PARTIAL
    assert "app.js:6" in found.validation.defence.reason


def test_a_conversion_on_every_way_refutes(tmp_path: Path) -> None:
    text = "app.get('/a', (req, res) => {\n  const n = parseInt(req.query.n, 10);\n  exec('head -n ' + n);\n});\n"
    assert judged(tmp_path, text, 6).verdict is Verdict.REJECTED


def test_a_value_that_nobody_explains_is_not_confirmed(tmp_path: Path) -> None:
    text = "module.exports = function (name) {\n  exec(name);\n};\n"
    found = judged(tmp_path, text, 5)
    assert found.verdict is Verdict.DOWNGRADED
    assert found.validation.flow.result is StepResult.PARTIAL


def test_functions_that_call_each_other_end(tmp_path: Path) -> None:
    text = "function a(x) {\n  exec(x);\n  b(x);\n}\nfunction b(x) {\n  a(x);\n}\n"
    assert judged(tmp_path, text, 5).verdict is Verdict.DOWNGRADED


CONTROLLER = """import { Body, Controller, Get, Param, Post } from "@nestjs/common";
import { UsersService } from "./users.service";
@Controller("users")
export class UsersController {
  constructor(private readonly usersService: UsersService) {}
  @Post()
  run(@Body() name: string) {
    return this.usersService.run(name);
  }
}
"""
SERVICE = """import { Injectable } from "@nestjs/common";
import { exec } from "child_process";
@Injectable()
export class UsersService {
  run(name: string) {
    return exec("id " + name);
  }
}
"""


def test_what_a_handler_of_nest_is_given_comes_from_the_sender(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"dependencies": {"@nestjs/common": "11.0.0"}}', "utf-8")
    (tmp_path / "users.controller.ts").write_text(CONTROLLER, "utf-8")
    (tmp_path / "users.service.ts").write_text(SERVICE, "utf-8")
    project = Project(tmp_path, survey(tmp_path))
    entries = other_entry_points(project)
    assert isinstance(RULE, FlowRule)
    (claim,) = flow.examine(project, (RULE,), entries).findings
    found = backward.judge(project, entries, claim).judgement
    assert found.verdict is Verdict.CONFIRMED
    dived = backward.dive(project, entries, (claim,), (), (claim.dimension,))
    assert [(each.complete, each.sink.start) for each in dived.traces] == [(True, 6)]


@pytest.mark.parametrize(
    ("decorator", "count"),
    [("@Body()", 1), ("@Query('name')", 1), ("@ActiveUser('name')", 0), ("@GetUser()", 0), ("@GetSpace()", 0), ("@ZodBody()", 1)],
)
def test_who_is_logged_in_is_not_the_senders_choice(tmp_path: Path, decorator: str, count: int) -> None:
    (tmp_path / "package.json").write_text('{"dependencies": {"@nestjs/common": "11.0.0"}}', "utf-8")
    (tmp_path / "users.controller.ts").write_text(CONTROLLER.replace("@Body()", decorator), "utf-8")
    (tmp_path / "users.service.ts").write_text(SERVICE, "utf-8")
    project = Project(tmp_path, survey(tmp_path))
    assert isinstance(RULE, FlowRule)
    assert len(flow.examine(project, (RULE,), other_entry_points(project)).findings) == count


def test_functions_that_only_call_each_other_explain_nothing(tmp_path: Path) -> None:
    text = "function run(name) {\n  exec(name);\n  helper.run(name);\n}\n"
    found = judged(tmp_path, text, 5)
    assert found.verdict is Verdict.DOWNGRADED
    assert "who gives name is not known" in found.validation.flow.reason

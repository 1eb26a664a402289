"""A model that says it looked everywhere: coverage is what the tools recorded, on code that only models read (X7, X21)."""

import json
from pathlib import Path
from typing import Any

import pytest

from agents.models_loop.modelling import audited
from agents.obedient import _result
from counterproof.agents.models.channel import Answer, Question, ToolCall
from counterproof.agents.models.scripted import ScriptedChannel, calls, says
from counterproof.model.coverage import Status
from counterproof.model.dimension import Dimension
from counterproof.model.receipt import Exit

FILES = {
    "app.rb": "require 'sinatra'\nget('/run') { `#{params[:command]}` }\nget('/find') { DB[\"select #{params[:q]}\"] }\n",
    "store.rb": "def load(text)\n  Marshal.load(text)\nend\ndef open_it(name)\n  File.read(name)\nend\n",
    "Gemfile": "gem 'sinatra', '4.0.0'\n",
}
Call = tuple[str, dict[str, Any]]


def greps(*patterns: str, **more: str) -> list[Call]:
    return [("grep", {"pattern": each, **more}) for each in patterns]


NOTHING = ["zqx1", "zqx2", "zqx3", "zqx4", "zqx5", "zqx6"]
CLAIMED: dict[str, list[Call]] = {
    "nothing was called": [],
    "searches for words that no code has": greps(*NOTHING),
    "one search in many spellings": greps("exec\\(", "exec \\(", "(exec)\\(", "[e]xec\\(", "exec[(]", "exe[c]\\("),
    "searches in the one file without code": greps("system", "exec", "eval", "Marshal", "File", glob="Gemfile"),
    "searches of a glob that fits nothing": greps("system", "exec", "eval", "select", "Marshal", "`", glob="*.py"),
    "searches that hit, and nobody followed": greps("`", "params", "Marshal", "select", "File"),
    "reads of no line": [("read", {"path": path, "first": 900, "last": 999}) for path in FILES],
    "reads of one line each": [("read", {"path": path, "first": 1, "last": 1}) for path in FILES],
    "reads of files that are not there": [("read", {"path": f"src/{each}.rb"}) for each in NOTHING],
    "the list of files": [("glob", {"pattern": "**"})] * 6,
    "traces of lines without anything": [("trace", {"path": path, "line": 1}) for path in FILES],
    "traces of places that are not there": [("trace", {"path": "app.rb", "line": line}) for line in (90, 91, 92)],
    "knowledge and no code": [("knowledge", {"name": each}) for each in ("injection", "authentication", "files")],
    "patterns that match the empty text": greps("^", "$", "x*", "(?:)", "\\b"),
}
WORDS = {
    "notes": ["Every dimension is covered: 100 %. All sinks were traced to their sources."],
    "gaps": [],
    "coverage": {each.value: "covered" for each in Dimension},
    "files_read": list(FILES),
    "excluded": [{"file": "app.rb", "line": 2, "reason": "a constant"}],
    "statements": [{"about": "app.rb:2", "verdict": "safe", "why": "checked"}],
}


@pytest.mark.rule("X7", "A16")
@pytest.mark.parametrize("name", CLAIMED)
def test_a_models_claim_of_coverage_covers_nothing(name: str, tmp_path: Path, home: Path) -> None:
    root = tmp_path / "target"
    root.mkdir()
    for path, text in FILES.items():
        (root / path).write_text(text)

    def answer(question: Question) -> Answer:
        asked = sum(bool(message.calls) for message in question.messages)
        if question.may_call and CLAIMED[name] and not asked:
            return calls(*(ToolCall(f"c{n}", tool, json.dumps(given)) for n, (tool, given) in enumerate(CLAIMED[name])))
        said = json.loads(_result(question, "", {}))
        return says(json.dumps({**said, **(WORDS if "findings" in said else {})}))

    report, _ = audited(root, ScriptedChannel(answer))
    status = {row.dimension: row.status for row in report.coverage}
    assert [each.value for each in (Dimension.D1, Dimension.D4, Dimension.D5) if status[each] is Status.COVERED] == []
    assert Exit.INCOMPLETE in {reason.code for reason in report.outcome.reasons}

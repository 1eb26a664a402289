"""What an examination hands in: findings with everything a reader needs, and an honest record of the search."""

import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import pytest

from counterproof.analysis import flow
from counterproof.analysis.endpoints.find import entry_points
from counterproof.analysis.examination import Examination
from counterproof.analysis.project import OutOfTime, Project
from counterproof.analysis.ruleset import FlowRule, load_rules
from counterproof.analysis.source.survey import survey
from counterproof.model.dimension import Dimension
from counterproof.model.flow import StepKind
from counterproof.model.severity import Confidence, Impact, Reach

Examine = Callable[..., Examination]
RULES = tuple(loaded.rule for loaded in load_rules() if isinstance(loaded.rule, FlowRule))

SHOP = """
import sqlite3
from flask import Flask, g, request
app = Flask(__name__)

@app.route("/item/<name>", methods=["POST"])
def item(name):
    query = (
        "SELECT * FROM item WHERE name = '" + name + "'"
    )
    sqlite3.connect("shop.db").execute(query)
    sqlite3.connect("shop.db").execute("SELECT 1")
    g.db.execute("SELECT " + request.form["column"])
    return {}
"""


def test_finding_carries_flow_evidence_validation_and_proof(examine: Examine) -> None:
    found = examine(app=SHOP).findings[0]
    assert (found.rule, found.cwe, found.dimension, found.function) == ("sql-injection", 89, Dimension.D1, "item")
    assert found.evidence == 'sqlite3.connect("shop.db").execute(query)'
    assert found.confidence is Confidence.HIGH
    assert found.flow is not None
    assert found.flow.complete
    assert [step.kind for step in found.flow.steps] == [StepKind.SOURCE, StepKind.BUILD, StepKind.SINK]
    assert found.flow.steps[0].code == "def item(name):"
    assert found.validation.passed
    assert found.poc == "curl -X POST 'http://localhost:8000/item/%27%20OR%20%271%27%3D%271'"
    assert (found.rating.reach, found.rating.impact) == (Reach.ANONYMOUS, Impact.FULL)


def test_uncertain_receiver_lowers_confidence(examine: Examine) -> None:
    found = examine(app=SHOP).findings[1]
    assert found.location.start == 13
    assert found.confidence is Confidence.MEDIUM
    assert not found.validation.passed
    assert "--data-urlencode 'column=" in found.poc


def test_a_decoded_body_is_no_field_of_a_form(examine: Examine) -> None:
    (found,) = examine(
        app="""
import os
from flask import Flask, request
app = Flask(__name__)

@app.post("/run")
def run():
    os.system(request.data.decode("utf-8"))
"""
    ).findings
    assert found.source.startswith("request, body at")
    assert "--data-binary" in found.poc


@pytest.mark.rule("A16")
def test_every_sink_is_searched_and_traced(examine: Examine) -> None:
    examination = examine(app=SHOP)
    (search,) = [each for each in examination.searches if each.kind == "sql" and each.hits]
    assert (search.hits, search.files) == (3, ("app.py",))
    traced = {each.sink.start: each for each in examination.traces if each.kind == "sql"}
    assert {line: (each.complete, each.origin) for line, each in traced.items()} == {
        11: (True, "request path, literal"),
        12: (True, "literal"),
        13: (True, "request form, literal"),
    }


@pytest.mark.rule("A16")
@pytest.mark.parametrize("dimension", [Dimension.D1, Dimension.D4, Dimension.D5, Dimension.D6])
def test_absence_can_be_proved(examine: Examine, dimension: Dimension) -> None:
    searches = [each for each in examine(app="x = 1\n").searches if each.dimension is dimension]
    assert all(each.hits == 0 for each in searches)
    assert len({each.query for each in searches}) >= 3
    assert len({each.kind for each in searches}) >= 2


def test_parameter_that_nothing_passes_leaves_the_trace_open(examine: Examine) -> None:
    (trace,) = examine(app="import os\n\ndef run(command):\n    os.system(command)\n").traces
    assert (trace.complete, trace.broken_by) == (False, "callback")


@pytest.mark.rule("A24")
def test_flow_through_an_unknown_library_is_broken_and_medium(examine: Examine) -> None:
    (found,) = examine(
        app="""
        import os
        import oddlib
        from flask import Flask, request
        app = Flask(__name__)

        @app.route("/")
        def handler():
            os.system(oddlib.transform(request.args["x"]))
            return {}
        """
    ).findings
    assert found.flow is not None
    assert (found.flow.broken_by, found.confidence) == ("external library", Confidence.MEDIUM)


def test_command_line_data_is_local(examine: Examine) -> None:
    (found,) = examine(app="import os\nimport sys\nos.system('ls ' + sys.argv[1])\n").findings
    assert (found.rating.reach, found.rating.impact) == (Reach.ADMIN, Impact.LOCAL)
    assert found.no_poc_reason


@pytest.mark.rule("A29")
def test_tests_are_left_out(examine: Examine) -> None:
    assert examine(tests__test_app=SHOP, app="x = 1\n").findings == ()


def test_broken_file_is_a_limitation_and_the_rest_is_examined(examine: Examine) -> None:
    examination = examine(app=SHOP, broken="def f(:\n  x = [1,\n")
    assert len(examination.findings) == 2
    assert any(each.startswith("broken.py:1: tree-sitter could not parse this") for each in examination.limitations)


def test_out_of_time_hands_in_what_is_there(tmp_path: Path) -> None:
    for number in range(5):
        (tmp_path / f"app{number}.py").write_text(SHOP)
    left = [9]

    def checkpoint() -> None:
        left[0] -= 1
        if left[0] < 0:
            raise OutOfTime("over")

    project = Project(tmp_path, survey(tmp_path), checkpoint)
    examination = flow.examine(project, RULES, entry_points(Project(tmp_path, survey(tmp_path))))
    assert flow.OUT_OF_TIME in examination.limitations
    assert examination.searches


SCRIPT = """
import sys
from pathlib import Path
from counterproof.analysis import flow
from counterproof.analysis.endpoints.find import entry_points
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import FlowRule, load_rules
from counterproof.analysis.source.survey import survey
project = Project(Path(sys.argv[1]), survey(Path(sys.argv[1])))
rules = tuple(each.rule for each in load_rules() if isinstance(each.rule, FlowRule))
print(repr(flow.examine(project, rules, entry_points(project))))
"""


def test_the_same_code_gives_the_same_bytes_whatever_the_hash_seed(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(SHOP)
    (tmp_path / "other.py").write_text(SHOP.replace("item", "thing"))
    outputs = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT, str(tmp_path)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1


@pytest.mark.rule("X16")
@pytest.mark.parametrize(
    "text",
    [
        "".join(f"def f{n}(a):\n    f{n + 1}(a)\n    f{n + 1}(a + 'x')\n" for n in range(40)) + "def f40(a):\n    eval(a)\n",
        "".join(f"def f{n}(a):\n" + "".join(f"    f{m}(a)\n" for m in range(20)) for n in range(20)),
        "def f(a):\n" + "".join("    " * depth + "    for i in a:\n" for depth in range(20)) + "    " * 21 + "a = a + [i]\n",
        "x = []\n" + "x.append(x)\n" * 300,
        "def f(a):\n    a = {'k': a}\n" + "    a = {'k': a, 'l': a}\n" * 200 + "    eval(a)\n",
        "def f(a):\n    x = a\n" + "    x = x + x\n" * 300 + "    eval(x)\n",
        "class A(B): pass\nclass B(A):\n    def go(self): return self.stop()\nA().go()\n",
        "def f(g): return g(g)\nf(f)\n",
        "def f(a):\n" + "    if a:\n        a = a.b\n" * 300 + "    eval(a)\n",
    ],
    ids=[
        "doubling calls",
        "everyone calls everyone",
        "nested loops",
        "self-containing",
        "growing",
        "doubling",
        "cycle",
        "self",
        "branches",
    ],
)
def test_hostile_code_ends(examine: Examine, text: str) -> None:
    examination = examine(app=text)
    by_sink: dict[str, int] = defaultdict(int)
    for trace in examination.traces:
        by_sink[str(trace.sink)] += 1
    assert all(count == 1 for count in by_sink.values())

"""The second witness: what it confirms, what it refutes, and where it says that it does not know."""

from collections.abc import Callable

import pytest
from backward_claims import HEAD, Judge

from counterproof.model.finding import SKIPPED, StepResult
from counterproof.model.judgement import Verdict


@pytest.mark.rule("A37", "A38")
@pytest.mark.parametrize(
    "body",
    [
        "os.system(x)  # HERE",
        "os.system('ls ' + x)  # HERE",
        "os.system(f'ls {x}')  # HERE",
        "os.system('ls %s' % x)  # HERE",
        "os.system('ls {}'.format(x))  # HERE",
        "y = x.strip()\nos.system(y)  # HERE",
        "y = 'ls'\nif x:\n    y = y + x\nos.system(y)  # HERE",
        "parts = ['ls']\nparts.append(x)\nos.system(' '.join(parts))  # HERE",
        "d = {'a': 'ls', 'b': x}\nos.system(d['b'])  # HERE",
        "a, b = 'ls', x\nos.system(b)  # HERE",
        "parts = ['ls', x]\nos.system(parts[-1])  # HERE",
        "parts = ['ls', x]\nos.system(parts[-9])  # HERE",
        "for y in [x, 'ls']:\n    os.system(y)  # HERE",
        "os.system(' '.join(part for part in x.split()))  # HERE",
        "y = x if x else 'ls'\nos.system(y)  # HERE",
        "y = 'ls'\nfor _ in range(2):\n    os.system(y)  # HERE\n    y = x",
        "if x in ALLOWED:\n    pass\nos.system(x)  # HERE",
        "if x == 'a' or len(x) > 3:\n    os.system(x)  # HERE",
        "try:\n    y = x\nexcept ValueError:\n    y = 'ls'\nos.system(y)  # HERE",
        "if x not in ALLOWED:\n    x = x.lower()\nos.system(x)  # HERE",
        "if y := x:\n    os.system(y)  # HERE",
        "y = ''\nfor name in request.form.keys():\n    if name != 'a':\n        y = name\n        break\nos.system(y)  # HERE",
        "import base64\nos.system(base64.b64decode(base64.b64encode(x.encode('utf-8'))).decode('utf-8'))  # HERE",
    ],
)
def test_request_data_that_reaches_the_sink_is_confirmed(handler: Callable[[str], str], body: str) -> None:
    assert handler(body) == "confirmed"


@pytest.mark.rule("A38")
@pytest.mark.parametrize(
    "body",
    [
        "os.system('ls')  # HERE",
        "y = 'ls'\nos.system(y)  # HERE",
        "x = 'ls'\nos.system(x)  # HERE",
        "os.system('ls %d' % int(x))  # HERE",
        "os.system(str(int(x)))  # HERE",
        "import shlex\nos.system('ls ' + shlex.quote(x))  # HERE",
        "if x not in ALLOWED:\n    return 'no'\nos.system(x)  # HERE",
        "if x in ALLOWED:\n    os.system(x)  # HERE",
        "if x in ALLOWED and len(x) < 9:\n    os.system(x)  # HERE",
        "os.system(x if x in ALLOWED else 'ls')  # HERE",
        "if not x.isalnum():\n    raise ValueError\nos.system(x)  # HERE",
        "import re\nif not re.fullmatch('[a-z]+', x):\n    return 'no'\nos.system(x)  # HERE",
        "y = 'ls ' + x\nif x not in ALLOWED:\n    return 'no'\nos.system(y)  # HERE",
        "d = {'a': 'ls', 'b': x}\nos.system(d['a'])  # HERE",
        "commands = {'a': 'ls', 'b': 'df'}\nos.system(commands.get(x, 'ls'))  # HERE",
        "d = {'a': x}\nos.system(' '.join(key for key in d))  # HERE",
        "try:\n    int(x)\nexcept ValueError:\n    return 'no'\nos.system(x)  # HERE",
        "if x == 'a':\n    os.system(x)  # HERE",
        "y = request.args.get('n', type=int)\nos.system(f'ls {y}')  # HERE",
        "os.system(app.config['COMMAND'])  # HERE",
        "[os.system(y) for y in x.split() if y in ALLOWED]  # HERE",
        "if x in ALLOWED or x.isdigit():\n    os.system(x)  # HERE",
    ],
)
def test_data_that_nobody_chooses_or_that_was_checked_is_rejected(handler: Callable[[str], str], body: str) -> None:
    assert handler(body) == "rejected"


@pytest.mark.rule("A38")
@pytest.mark.parametrize(
    "body",
    [
        "import somelib\nos.system(somelib.render(x))  # HERE",
        "try:\n    pass\nexcept Exception as error:\n    os.system(str(error))  # HERE",
        "len(x)  # HERE",
    ],
)
def test_what_could_not_be_settled_is_downgraded(handler: Callable[[str], str], body: str) -> None:
    assert handler(body) == "downgraded"


CALLER = """
from flask import Flask, request
from tools import run, check
app = Flask(__name__)

@app.route('/x/<name>')
def handler(name):
    {body}
    return {{}}
"""
TOOLS = """
import os

def run(name):
    os.system('ls ' + name)  # HERE

def check(name):
    if name not in ('a', 'b'):
        raise ValueError(name)

def fine(name):
    return name.isalnum() and len(name) < 9
"""


@pytest.mark.parametrize(
    ("body", "verdict"),
    [
        ("run(name)", Verdict.CONFIRMED),
        ("run('fixed')", Verdict.REJECTED),
        ("check(name)\n    run(name)", Verdict.REJECTED),
        ("run(request.headers['x'])", Verdict.CONFIRMED),
    ],
)
def test_parameters_lead_back_to_callers_in_other_files(judge: Judge, body: str, verdict: Verdict) -> None:
    assert judge({"app.py": CALLER.format(body=body), "tools.py": TOOLS}).verdict is verdict


def test_a_claim_may_stand_where_the_data_is_handed_over(judge: Judge) -> None:
    text = TOOLS.replace("  # HERE", "")
    handed = CALLER.format(body="run(name)  # HERE")
    judgement = judge({"app.py": handed, "tools.py": text})
    assert judgement.verdict is Verdict.CONFIRMED
    safe = judge({"app.py": CALLER.format(body="run('fixed')  # HERE"), "tools.py": text})
    assert safe.verdict is Verdict.REJECTED


def test_a_call_is_judged_by_its_own_arguments_not_by_those_of_other_callers(judge: Judge) -> None:
    both = "run(name)\n    run('fixed')  # HERE"
    files = {"app.py": CALLER.format(body=both), "tools.py": TOOLS.replace("  # HERE", "")}
    assert judge(files).verdict is Verdict.REJECTED


@pytest.mark.rule("A38")
def test_a_number_in_the_route_is_a_defence(judge: Judge) -> None:
    text = HEAD + "\n@app.route('/x/<int:number>')\ndef handler(number):\n    os.system(f'ls {number}')  # HERE\n    return {}\n"
    judgement = judge({"app.py": text})
    assert judgement.verdict is Verdict.REJECTED
    assert "number" in judgement.validation.defence.reason


PATHS = """
import os
from flask import Flask, abort, request
app = Flask(__name__)
ROOT = '/srv/files'

@app.route('/')
def handler():
    path = {path}
    {test}
    return open(path).read()  # HERE
"""


@pytest.mark.parametrize(
    ("path", "test", "verdict"),
    [
        ("os.path.join(ROOT, request.args['n'])", "pass", Verdict.CONFIRMED),
        ("os.path.join(ROOT, request.args['n'])", "if not path.startswith(ROOT): abort(404)", Verdict.CONFIRMED),
        ("os.path.realpath(os.path.join(ROOT, request.args['n']))", "if not path.startswith(ROOT): abort(404)", Verdict.REJECTED),
        (
            "os.path.realpath(os.path.join(ROOT, request.args['n']))",
            "if os.path.commonpath((ROOT, path)) != ROOT: abort(404)",
            Verdict.REJECTED,
        ),
        ("os.path.join(ROOT, os.path.basename(request.args['n']))", "pass", Verdict.REJECTED),
        ("os.path.join(ROOT, request.args['n'])", "if not path.endswith('.txt'): abort(404)", Verdict.CONFIRMED),
    ],
)
def test_a_prefix_counts_only_on_a_resolved_path(judge: Judge, path: str, test: str, verdict: Verdict) -> None:
    assert judge({"app.py": PATHS.format(path=path, test=test)}, cwe=22).verdict is verdict


def test_a_guard_that_cannot_be_read_leaves_the_reach_open(judge: Judge) -> None:
    text = (
        HEAD + "from elsewhere import wrap\n\n@app.route('/')\n@wrap\ndef handler():\n    os.system(request.args['x'])  # HERE\n"
    )
    judgement = judge({"app.py": text})
    assert judgement.verdict is Verdict.DOWNGRADED
    assert judgement.validation.reach.result is StepResult.PARTIAL


def test_the_command_line_is_no_attacker(judge: Judge) -> None:
    text = "import os\nimport sys\n\n\ndef main():\n    os.system(sys.argv[1])  # HERE\n\n\nmain()\n"
    assert judge({"tool.py": text}).verdict is Verdict.DOWNGRADED


def test_a_sink_called_in_its_safe_way_is_refuted(judge: Judge) -> None:
    text = (
        HEAD
        + "import yaml\n\n@app.route('/')\ndef handler():\n    return yaml.load(request.data, Loader=yaml.SafeLoader)  # HERE\n"
    )
    assert judge({"app.py": text}, cwe=502).verdict is Verdict.REJECTED


@pytest.mark.rule("A36")
def test_three_steps_leave_the_fourth_out(judge: Judge) -> None:
    text = HEAD + "\n@app.route('/')\ndef handler():\n    os.system(request.args['x'])  # HERE\n    return {}\n"
    judgement = judge({"app.py": text}, steps=3)
    assert judgement.validation.impact is SKIPPED
    assert judgement.counts(3)
    assert not judgement.counts(4)


@pytest.mark.rule("A38")
def test_every_step_names_a_line_of_the_code(judge: Judge) -> None:
    text = HEAD + "\n@app.route('/')\ndef handler():\n    os.system(request.args['x'])  # HERE\n    return {}\n"
    judgement = judge({"app.py": text})
    assert all(step.at is not None and step.at.path == "app.py" for step in judgement.validation.steps)
    assert "os.system" in judgement.validation.flow.reason
    assert judgement.at is not None


def test_fields_of_objects_are_followed(judge: Judge) -> None:
    text = HEAD + (
        "\nclass Job:\n    def __init__(self, name):\n        self.name = name\n\n    def run(self):\n"
        "        os.system(self.name)  # HERE\n\n"
        "@app.route('/')\ndef handler():\n    Job(request.args['x']).run()\n    return {}\n"
    )
    assert judge({"app.py": text}).verdict is Verdict.CONFIRMED


def test_keyword_names_are_the_programs_own(judge: Judge) -> None:
    text = """
    import sqlite3
    from flask import Flask, request
    app = Flask(__name__)

    def update(**values):
        columns = ", ".join(f"{name} = ?" for name in values)
        sqlite3.connect("x").execute(f"UPDATE t SET {columns}", tuple(values.values()))  # HERE

    @app.route('/')
    def handler():
        update(name=request.args['x'])
        return {}
    """
    assert judge({"app.py": text}, cwe=89).verdict is Verdict.REJECTED
    spread = text.replace("update(name=request.args['x'])", "update(**request.args)")
    assert judge({"app.py": spread}, cwe=89).verdict is Verdict.CONFIRMED


FORM = """
from flask_wtf import FlaskForm
from wtforms import StringField

class Lookup(FlaskForm):
    domain = StringField()

@app.route("/", methods=["POST"])
def lookup():
    content = {"form": Lookup(), "command": "waiting"}
    domain = content["form"].domain.data
    content["command"] = f"whois {domain}"
    os.system(content["command"])  # HERE
    return {}
"""


@pytest.mark.parametrize(
    ("change", "verdict"),
    [(("", ""), "confirmed"), (('= f"whois {domain}"', '= "whois example.org"'), "rejected")],
)
def test_a_form_that_a_mapping_holds_is_still_the_senders(judge: Judge, change: tuple[str, str], verdict: str) -> None:
    assert judge({"app.py": HEAD + FORM.replace(*change)}).verdict.value == verdict


@pytest.mark.rule("A38")
@pytest.mark.parametrize(
    ("given", "verdict"),
    [
        ("f'SELECT * FROM t WHERE a = {request.args[\"x\"]}'", Verdict.CONFIRMED),
        ("statement", Verdict.CONFIRMED),
        ("request.args['x']", Verdict.DOWNGRADED),  # nothing says that this is a statement
    ],
)
def test_the_text_that_a_caller_hands_over_says_what_runs_it(judge: Judge, given: str, verdict: Verdict) -> None:
    text = (
        HEAD + "from elsewhere import store\n\ndef rows(text, all=True):\n    return store().execute(text).fetchall()\n\n"
        "@app.route('/')\ndef handler():\n    statement = 'DELETE FROM t WHERE a = ' + request.args['x']\n"
        f"    return str(rows({given}))  # HERE\n"
    )
    assert judge({"app.py": text}, cwe=89).verdict is verdict

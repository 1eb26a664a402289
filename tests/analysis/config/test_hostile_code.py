"""Code made to be slow or confusing: the checks stay within bounds and keep their answers."""

import time

import pytest

from counterproof.analysis import config
from counterproof.analysis.ruleset import CheckRule, load_rules

RULES = tuple(loaded.rule for loaded in load_rules() if isinstance(loaded.rule, CheckRule))

SLOW = {
    "many values in one statement": "import random\nx = [" + "random.random(),\n" * 2_000 + "]\n",
    "many values in one table": "import random\nx = {" + "".join(f"'k{n}': random.random(),\n" for n in range(2_000)) + "}\n",
    "a long chain of arms": "import random\nif a == 0:\n    x = 0\n"
    + "".join(f"elif a == {n}:\n    x = random.random()\n" for n in range(1_000)),
    "helpers that call each other": "from flask import Flask, request\napp = Flask(__name__)\n"
    + "".join(f"def f{n}(password):\n" + "".join(f"    f{m}(password)\n" for m in range(60)) for n in range(60))
    + '@app.route("/login", methods=["POST"])\ndef login():\n    f0(request.form["password"])\n    return ""\n',
    "a registration that hands its form on": "from flask import Flask, request\napp = Flask(__name__)\n"
    '@app.post("/register")\ndef register():\n    data = request.form\n'
    + "    one(data)\n" * 1_000
    + "def one(data):\n"
    + "    two(data)\n" * 1_000
    + "def two(data):\n"
    + "    x = data + 1\n" * 1_000,
    "one name in every line": "import hashlib\ndef f(x):\n    h = hashlib.md5(x)\n" + "    h = g(h)\n" * 4_000,
}


@pytest.mark.rule("X16")
@pytest.mark.parametrize("name", SLOW)
def test_checks_stay_within_bounds(make_project, name: str) -> None:
    project = make_project({"a.py": SLOW[name]})
    started = time.process_time()
    config.examine(project, RULES)
    assert time.process_time() - started < 20


def test_strange_code_is_no_error(make_project) -> None:
    project = make_project(
        {
            "a.py": "app.run(debug=)\nset_cookie()\nx.set_cookie(*a, **k)\njwt.decode()\nhashlib.new()\n",
            "b.py": "DEBUG = DEBUG\nDEBUG = (lambda: DEBUG)()\nALLOWED_HOSTS = INSTALLED_APPS = MIDDLEWARE = ROOT_URLCONF = 1\n",
            "c.py": "import hashlib as hashlib\nfrom hashlib import *\nmd5(password)\nname = name\nhashlib.new(name, password)\n",
            "d.py": "@\ndef f(:\n    return\n",
        }
    )
    assert config.examine(project, RULES).limitations == ()

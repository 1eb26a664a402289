"""A reason whose line is there and that defends nothing: it refutes no finding (X3, A54)."""

from pathlib import Path

import pytest

from agents.models_loop.modelling import a_target
from agents.models_loop.test_loop import a_judge, judging

ASKED = "host = request.args['host']"
QUOTE = ("shlex.quote", "call")
EMPTY: dict[str, tuple[tuple[str, ...], tuple[str, ...], tuple[str, str]]] = {
    # what stands above the handler, the four lines before its sink, what the reason names
    "another value": ((), (ASKED, "name = request.args['name']", "name = shlex.quote(name)", "pass"), QUOTE),
    "result thrown away": ((), (ASKED, "shlex.quote(host)", "pass", "pass"), QUOTE),
    "result kept elsewhere": ((), (ASKED, "safe = shlex.quote(host)", "print(safe)", "pass"), QUOTE),
    "read again afterwards": ((), (ASKED, "host = shlex.quote(host)", ASKED, "pass"), QUOTE),
    "in a branch that never runs": ((), (ASKED, "if False:", "    host = shlex.quote(host)", "pass"), QUOTE),
    "in a branch that the attacker chooses": (
        (),
        (ASKED, "if request.args.get('safe'):", "    host = shlex.quote(host)", "pass"),
        QUOTE,
    ),
    "in one arm of an expression": (
        (),
        (ASKED, "host = shlex.quote(host) if 'safe' in request.args else host", "pass", "pass"),
        QUOTE,
    ),
    "behind an or": ((), (ASKED, "host = host or shlex.quote(host)", "pass", "pass"), QUOTE),
    "in a loop over nothing": ((), (ASKED, "for _ in ():", "    host = shlex.quote(host)", "pass"), QUOTE),
    "in a loop that may not run": (
        (),
        (ASKED, "for each in request.args.getlist('x'):", "    host = shlex.quote(host)", "pass"),
        QUOTE,
    ),
    "in a function that nobody calls": (("def clean(host): return shlex.quote(host)",), (ASKED, "pass", "pass", "pass"), QUOTE),
    "in a lambda that nobody calls": ((), (ASKED, "clean = lambda: shlex.quote(host)", "pass", "pass"), QUOTE),
    "on a part of it": ((), (ASKED, "host = shlex.quote(host[:1]) + host[1:]", "pass", "pass"), QUOTE),
    "undone again": ((), (ASKED, "host = shlex.quote(host)[1:-1]", "pass", "pass"), QUOTE),
    "undone by replace": ((), (ASKED, "host = shlex.quote(host).replace(\"'\", '')", "pass", "pass"), QUOTE),
    "beside the value": ((), (ASKED, "host = host + shlex.quote(host)", "pass", "pass"), QUOTE),
    "swallowed by an except": (
        (),
        (ASKED, "try: host = shlex.quote(json.loads(host))", "except ValueError: pass", "pass"),
        QUOTE,
    ),
    "a function of the same name": (
        ("class shlex:", "    quote = staticmethod(str)"),
        (ASKED, "host = shlex.quote(host)", "pass", "pass"),
        QUOTE,
    ),
    "a name bound anew": (("shlex.quote = str",), (ASKED, "host = shlex.quote(host)", "pass", "pass"), QUOTE),
    "an escape of another language": ((), (ASKED, "host = html.escape(host)", "pass", "pass"), ("html.escape", "call")),
    "a strip": ((), (ASKED, "host = host.strip()", "pass", "pass"), ("strip", "call")),
    "a check that only logs": ((), (ASKED, "if host not in ('a', 'b'):", "    print('odd host')", "pass"), ("host", "compare")),
    "a check of another value": (
        (),
        (ASKED, "if request.args['name'] not in ('a', 'b'):", "    raise ValueError", "pass"),
        ("name", "compare"),
    ),
    "a check that is always true": ((), (ASKED, "if host != host:", "    raise ValueError", "pass"), ("host", "compare")),
    "a check of its length": ((), (ASKED, "if len(host) > 100:", "    raise ValueError", "pass"), ("host", "compare")),
    "a check for the wrong end": (
        (),
        (ASKED, "if not host.endswith('.example'):", "    raise ValueError", "pass"),
        ("endswith", "call"),
    ),
    "a pattern without an end": (
        (),
        (ASKED, "if not re.match('[a-z]+', host):", "    raise ValueError", "pass"),
        ("re.match", "call"),
    ),
    "an assertion": ((), (ASKED, "assert host.isalnum()", "pass", "pass"), ("isalnum", "call")),
    "a number thrown away": ((), (ASKED, "int(host) if host.isdigit() else 0", "pass", "pass"), ("int", "call")),
    "a word in a text": ((), (ASKED, "note = 'host = shlex.quote(host)'", "pass", "pass"), ("shlex.quote", "mention")),
    "an import": ((), (ASKED, "import shlex", "pass", "pass"), ("shlex", "import")),
    "the source itself": ((), (ASKED, "pass", "pass", "pass"), ("host", "assign")),
    "the framework": ((), (ASKED, "pass", "pass", "pass"), ("request.args", "read")),
    "checked, then read again": ((), (ASKED, "if host not in ('a', 'b'):", "    raise ValueError", ASKED), ("host", "compare")),
    "checked, then appended to": (
        (),
        (ASKED, "if host not in ('a', 'b'):", "    raise ValueError", "host += request.args['x']"),
        ("host", "compare"),
    ),
    "checked, then unpacked anew": (
        (),
        (ASKED, "if host not in ('a', 'b'):", "    raise ValueError", "_, host = 1, request.args['x']"),
        ("host", "compare"),
    ),
    "quoted, then a loop binds it": (
        (),
        (ASKED, "host = shlex.quote(host)", "for host in request.args.values(): pass", "pass"),
        QUOTE,
    ),
    "quoted, then a with binds it": (
        (),
        (ASKED, "host = shlex.quote(host)", "with open(request.args['f']) as host: pass", "pass"),
        QUOTE,
    ),
    "quoted, then joined": ((), (ASKED, "host = shlex.quote(host)", "host = host + request.args['x']", "pass"), QUOTE),
    "quoted, then a walrus": ((), (ASKED, "host = shlex.quote(host)", "print(host := request.args['x'])", "pass"), QUOTE),
    "quoted, then a global function binds it": (
        (),
        ("global host; host = request.args['host']", "host = shlex.quote(host)", "change()", "pass"),
        QUOTE,
    ),
    "a pattern that takes anything": (
        (),
        (ASKED, "if not re.fullmatch('.*', host):", "    raise ValueError", "pass"),
        ("host", "compare"),
    ),
    "a pattern that the sender gives": (
        (),
        (ASKED, "if not re.fullmatch(request.args['p'], host):", "    raise ValueError", "pass"),
        ("host", "compare"),
    ),
    "a list that the sender gives": (
        (),
        (ASKED, "if host not in request.args.getlist('x'):", "    raise ValueError", "pass"),
        ("host", "compare"),
    ),
    "a list that holds the value": (
        (),
        (ASKED, "if host not in ('a', host):", "    raise ValueError", "pass"),
        ("host", "compare"),
    ),
    "a part of a text": ((), (ASKED, "if 'a' not in host:", "    raise ValueError", "pass"), ("host", "compare")),
    "turned round": (
        (),
        (ASKED, "if host not in ('a', 'b'): print('fine')", "else: raise ValueError", "pass"),
        ("host", "compare"),
    ),
    "one of its letters": ((), (ASKED, "if host[0] not in ('a', 'b'):", "    raise ValueError", "pass"), ("host", "compare")),
    "its type": (
        (),
        (ASKED, "if type(host).__name__ not in ('str', 'int'):", "    raise ValueError", "pass"),
        ("host", "compare"),
    ),
    "ends in a nested function": (
        (),
        (ASKED, "if host not in ('a', 'b'):", "    def stop(): raise ValueError", "pass"),
        ("host", "compare"),
    ),
    "kept in a dictionary": ((), (ASKED, "d = {'host': shlex.quote(host)}", "print(d)", "pass"), QUOTE),
    "a truth that picks the raw value": ((), (ASKED, "host = shlex.quote(host) and request.args['x']", "pass", "pass"), QUOTE),
    "one case of a match": ((), (ASKED, "match host:", "    case 'a': host = shlex.quote(host)", "pass"), QUOTE),
    "raised into a suppress": (
        ("from contextlib import suppress",),
        (ASKED, "with suppress(ValueError):", "    if host not in ('a', 'b'): raise ValueError", "pass"),
        ("host", "compare"),
    ),
    "quoted and decoded": ((), (ASKED, "host = shlex.quote(host).encode().decode('unicode_escape')", "pass", "pass"), QUOTE),
    "a generator that nobody runs": ((), (ASKED, "(shlex.quote(each) for each in [host])", "pass", "pass"), QUOTE),
    "swallowed test": ((), (ASKED, "try: assert host in ('a', 'b')", "except AssertionError: pass", "pass"), ("host", "compare")),
}


def written(above: tuple[str, ...], body: tuple[str, ...]) -> str:
    """The handler with its sink at line 12, where the finding has it."""
    head = ["import os, sqlite3, shlex, html, re, json", "from flask import Flask, request", "app = Flask(__name__)"]
    lines = [*head, *above, *([""] * (2 - len(above))), "@app.route('/ping')", "def ping():", *(f"    {each}" for each in body)]
    return "\n".join([*lines, "    os.system('ping -c 1 ' + host)", "    return 'ok'", ""])


@pytest.mark.rule("X3", "A54")
@pytest.mark.parametrize("name", EMPTY)
def test_a_true_line_that_defends_nothing_refutes_nothing(name: str, tmp_path: Path) -> None:
    assert refutations(tmp_path, *EMPTY[name]) == 0


@pytest.mark.rule("A54")
def test_the_same_line_where_it_defends_refutes(tmp_path: Path) -> None:
    assert refutations(tmp_path / "a", (), (ASKED, "host = shlex.quote(host)", "pass", "pass"), QUOTE) == 1
    tested = ("if host not in ('a', 'b'):", "    raise ValueError")
    assert refutations(tmp_path / "b", (), (ASKED, *tested, "pass"), ("host", "compare")) == 1


def refutations(folder: Path, above: tuple[str, ...], body: tuple[str, ...], names: tuple[str, str]) -> int:
    """How many the engine confirms when a validator rejects the finding for the first line that has the name."""
    text, (symbol, operation) = written(above, body), names
    assert text.split("\n")[11].strip() == "os.system('ping -c 1 ' + host)"
    known = [each for each in (*body, *above) if symbol.rpartition(".")[2] in each]
    named = next((each for each in known if operation == "compare" and each.startswith("if ")), known[0]).strip()
    line = [each.strip() for each in text.split("\n")].index(named) + 1
    folder.mkdir(exist_ok=True)
    given = {"line": line, "symbol": symbol, "operation": operation}
    reply, tools, _ = a_judge(a_target(folder, {"app.py": text}), *[lambda q: judging(q, "rejected", **given)] * 2, source=8)
    assert reply.judgements
    return len(tools.checks(reply).refutations)

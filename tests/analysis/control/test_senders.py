"""Whether a sender decides about a value: bounded on any code."""

from pathlib import Path

import pytest

from counterproof.analysis.control.senders import Asked, is_sent
from counterproof.analysis.endpoints.entered_program import entered_program
from counterproof.analysis.endpoints.find import entry_points
from counterproof.analysis.project import Project
from counterproof.analysis.source.survey import survey
from counterproof.analysis.syntax.ir import Call, Name

HEAD = "from flask import Flask, request\napp = Flask(__name__)\nKNOWN = ('a', 'b')\n\n\n"


def sent(root: Path, text: str, *, keys: bool = False) -> bool:
    """The answer for the argument of the one call of `use`."""
    (root / "app.py").write_text(HEAD + text, "utf-8")
    project = Project(root, survey(root))
    program = entered_program(project, entry_points(project))
    file = program.file("app.py")
    calls = (site.node for site in file.of(Call) if isinstance(site.node.callee, Name) and site.node.callee.id == "use")
    return is_sent(program, Asked(file, next(calls).arguments[0].value, keys))


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("use(request.form['role'])", True),
        ("x = request.get_json()\n    use(x['a']['b'].strip())", True),
        ("for name, value in request.form.items():\n        use(name)", True),
        ("for name, value in request.form.items():\n        if name in KNOWN:\n            use(name)", False),
        (
            "for name in request.form.keys():\n        if name not in KNOWN:\n            continue\n        use(name)",
            False,
        ),
        ("use(int(request.form['n']))", False),
        ("use(request.args.get('n', type=int))", False),
        ("x = request.form['a']\n    x = 'fixed'\n    use(x)", False),
        ("use(elsewhere(request.form['a']))", False),
    ],
)
def test_a_value_is_followed_through_variables_loops_and_tests(tmp_path: Path, body: str, expected: bool) -> None:
    assert sent(tmp_path, f"@app.post('/')\ndef home():\n    {body}\n") is expected


def test_a_value_is_followed_to_callers_and_out_of_functions(tmp_path: Path) -> None:
    text = "def given():\n    return request.get_json()\n\n\ndef keep(values):\n    use(values)\n\n\n"
    assert sent(tmp_path, text + "@app.post('/')\ndef home():\n    keep(given())\n")
    assert not sent(tmp_path, text + "@app.post('/')\ndef home():\n    keep({'a': 1})\n")


def test_only_the_keys_are_asked_about(tmp_path: Path) -> None:
    text = "@app.post('/')\ndef home():\n    given = {'a': request.form['a']}\n    use(given)\n"
    assert not sent(tmp_path, text, keys=True)
    assert sent(tmp_path, text)


@pytest.mark.rule("X16")
def test_functions_that_call_each_other_from_everywhere_end(tmp_path: Path) -> None:
    calls = "".join(f"    f{number}(x)\n" for number in range(20))
    text = "".join(f"def f{number}(x):\n{calls}    return f{(number + 1) % 20}(x)\n\n\n" for number in range(20))
    assert not sent(tmp_path, text + "def g(x):\n    use(f0(x))\n    g(x)\n")

"""Code written to exhaust the walk: it ends, soon, and says that it did not get everywhere."""

import time
from pathlib import Path

import pytest
from backward_claims import HEAD, a_claim, marked, written

from counterproof.analysis import backward
from counterproof.analysis.endpoints import entry_points
from counterproof.model.judgement import Verdict

LIMIT = 20.0


def judged(root: Path, text: str) -> Verdict:
    project = written(root / "target", {"app.py": text})
    started = time.process_time()
    judgement = backward.judge(project, entry_points(project), a_claim(marked(project))).judgement
    assert judgement.counts(4)
    assert time.process_time() - started < LIMIT
    return judgement.verdict


@pytest.mark.rule("X16")
def test_a_function_that_calls_itself_ends(tmp_path: Path) -> None:
    text = HEAD + "\ndef loop(x):\n    os.system(x)  # HERE\n    loop(x + 'a')\n\n@app.route('/')\ndef h():\n    loop('a')\n"
    assert judged(tmp_path, text) in (Verdict.REJECTED, Verdict.DOWNGRADED)


@pytest.mark.rule("X16")
def test_a_long_chain_of_assignments_ends(tmp_path: Path) -> None:
    lines = "".join(f"    x{n + 1} = x{n} + x{n}\n" for n in range(3000))
    text = HEAD + f"\n@app.route('/')\ndef h():\n    x0 = request.args['x']\n{lines}    os.system(x3000)  # HERE\n"
    assert judged(tmp_path, text) is Verdict.DOWNGRADED


@pytest.mark.rule("X16")
def test_a_web_of_callers_ends(tmp_path: Path) -> None:
    functions = "".join(
        f"def f{n}(x):\n" + "".join(f"    f{m}(x + '{m}')\n" for m in range(n + 1, min(n + 8, 60))) + "\n" for n in range(60)
    )
    text = HEAD + "\n" + functions + "def f60(x):\n    os.system(x)  # HERE\n"
    text = text.replace("f59(x + '59')", "f60(x)")
    assert judged(tmp_path, text) is not Verdict.CONFIRMED


@pytest.mark.rule("X16")
def test_deep_nesting_ends(tmp_path: Path) -> None:
    nested = "".join("    " + " " * n + f"if x != '{n}':\n" for n in range(70))
    text = (
        HEAD + "\n@app.route('/')\ndef h():\n    x = request.args['x']\n" + nested + "    " + " " * 70 + "os.system(x)  # HERE\n"
    )
    judged(tmp_path, text)


def test_the_same_code_gives_the_same_words(tmp_path: Path) -> None:
    body = "    for part in {request.args['a'], request.args['b']}:\n        os.system(part)  # HERE\n"
    text = HEAD + "\n@app.route('/')\ndef h():\n" + body
    one = written(tmp_path / "one", {"app.py": text})
    two = written(tmp_path / "two", {"app.py": text})
    first = backward.judge(one, entry_points(one), a_claim(marked(one))).judgement
    second = backward.judge(two, entry_points(two), a_claim(marked(two))).judgement
    assert first == second

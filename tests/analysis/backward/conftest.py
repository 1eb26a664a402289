"""Verdicts on made-up claims."""

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest
from backward_claims import HEAD, Judge, a_claim, marked, written

from counterproof.analysis import backward
from counterproof.analysis.endpoints import entry_points
from counterproof.model.judgement import Judgement


@pytest.fixture
def judge(tmp_path: Path) -> Judge:
    """The judgement on a claim about the marked line of these files."""

    def run(files: dict[str, str], cwe: int = 78, rule: str = "made-up", steps: int = 4) -> Judgement:
        project = written(tmp_path / "target", files)
        return backward.judge(project, entry_points(project), a_claim(marked(project), cwe, rule), steps).judgement

    return run


@pytest.fixture
def handler(judge: Judge) -> Callable[[str], str]:
    """The verdict on `os.system(…)` in a handler that has request data in `x`."""

    def run(body: str) -> str:
        lines = "".join(f"    {line}\n" for line in dedent(body).strip().splitlines())
        text = dedent(HEAD) + "ALLOWED = ('a', 'b')\n\n@app.route('/')\ndef handler():\n    x = request.args['x']\n" + lines
        judgement = judge({"app.py": text + "    return {}\n"})
        assert judgement.counts(4)
        return judgement.verdict.value

    return run

"""How much an examination works: no function is followed anew for each of its callers."""

from pathlib import Path

from counterproof.analysis import flow
from counterproof.analysis.endpoints.find import entry_points
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import FlowRule, load_rules
from counterproof.analysis.source.survey import survey

LINKS, CALLERS = 90, 60


def test_a_very_long_chain_is_followed_to_its_end_a_few_times_whoever_calls_it(tmp_path: Path) -> None:
    """Calls nest deeper than the engine follows at once, and sixty handlers call the first link."""
    chain = "\n".join(f"def f{n}(word):\n    return f{n + 1}(word)" for n in range(LINKS))
    callers = "\n".join(
        f"@app.route('/{n}')\ndef handler{n}():\n    f0(request.args['x'])\n    return {{}}" for n in range(CALLERS)
    )
    head = "import os\nfrom flask import Flask, request\napp = Flask(__name__)\n"
    (tmp_path / "app.py").write_text(f"{head}{callers}\n{chain}\ndef f{LINKS}(word):\n    os.system('ls ' + word)\n")
    looked = 0

    def checkpoint() -> None:  # asked before every run of a function, and for every file
        nonlocal looked
        looked += 1

    project = Project(tmp_path, survey(tmp_path), checkpoint)
    entries = entry_points(project)
    looked = 0
    found = flow.examine(project, tuple(each.rule for each in load_rules() if isinstance(each.rule, FlowRule)), entries)
    assert {finding.rule for finding in found.findings} == {"command-injection"}
    assert looked < 5 * (LINKS + CALLERS)

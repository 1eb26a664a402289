"""A report that is written into the target is no part of the next run's target."""

from pathlib import Path

import pytest

from analysis.plans.planned_shop import CLEAN, shop
from cli.command import counterproof
from counterproof.analysis.source.survey import survey
from counterproof.model.survey import SkipReason


def paths(root: Path) -> set[str]:
    return {each.path for each in survey(root).files}


@pytest.mark.rule("A64")
def test_reports_inside_the_target_are_left_out_and_listed(tmp_path: Path) -> None:
    folder = shop(tmp_path / "shop", **{"PLAN.md": CLEAN})
    before = paths(folder)
    counterproof("audit", ".", "--mode", "quick", "--yes", "--out", "report", cwd=folder)
    counterproof("verify", "--out", "verified", cwd=folder)
    written = {path.relative_to(folder).as_posix() for name in ("report", "verified") for path in (folder / name).iterdir()}
    assert {path.rpartition("/")[2] for path in written} >= {"report.html", "appendix.md", "report.sarif", "plan-report.json"}
    assert paths(folder) - before == {"verified/plan-iterations.yaml"}
    left = {each.path for each in survey(folder).skipped if each.reason is SkipReason.GENERATED and "earlier run" in each.detail}
    assert left == written - {"verified/plan-iterations.yaml"}


@pytest.mark.rule("A64", "X21")
@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("report/report.json", '{"schema_version": "1.2", "exit_code": 0, "password": "hunter2-and-more"}\n'),
        ("report/report.html", "<!doctype html>\n<html><body>{{ name | safe }}</body></html>\n"),
        ("report/receipt.json", '{\n  "token": "a"\n}\n'),
        ("pages/basket.md", "# Security audit of `shop`\n"),
    ],
)
def test_a_name_or_a_marker_alone_hides_no_file(tmp_path: Path, path: str, text: str) -> None:
    folder = shop(tmp_path / "shop")
    (folder / path).parent.mkdir()
    (folder / path).write_text(text)
    assert path in paths(folder)

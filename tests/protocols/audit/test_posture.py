"""Posture (A56): one entry per kind and project root, Medium at most, in a section of its own, failing only on request."""

from dataclasses import replace

import pytest

from counterproof.model.location import at
from counterproof.model.receipt import Exit
from counterproof.model.report import Report
from counterproof.model.severity import Severity
from counterproof.protocols.audit.commands import WriteReport
from counterproof.protocols.audit.merge import calibrated
from counterproof.protocols.audit.posture import posture_entries
from counterproof.protocols.audit.request import AuditRequest
from counterproof.protocols.audit.resolution import Ruled
from counterproof.reports.markdown import render_markdown
from counterproof.reports.sarif import build_log
from counterproof.reports.summary import render_summary
from protocols.audit.play import Play, a_finding

HABIT = {"rule": "cookie-secure", "cwe": 614, "posture": True, "title": "Cookie without Secure"}


def audited(*, fail_on_posture: Severity | None = None) -> Report:
    habits = tuple(a_finding(line, id=f"F{line}", **HABIT) for line in (30, 40))
    request = AuditRequest("/shop", fail_on=Severity.CRITICAL, fail_on_posture=fail_on_posture)
    play = Play(request).until_hunting().hand_in_all(*habits, a_finding())
    command = play.commands[0]
    assert isinstance(command, WriteReport)
    return command.report


@pytest.mark.rule("A56")
def test_posture_is_one_entry_with_all_its_places_and_no_finding() -> None:
    report = audited()
    assert [row.finding.rule for row in report.findings] == ["py.sql"]
    (entry,) = report.posture
    assert (entry.number, entry.rule, entry.root, entry.claims) == ("P-01", "cookie-secure", ".", 2)
    assert entry.places == (at("app.py", 30), at("app.py", 40))
    assert entry.severity is Severity.MEDIUM


@pytest.mark.rule("A56")
@pytest.mark.parametrize(
    ("fail_on", "code"), [(None, Exit.CLEAN), (Severity.MEDIUM, Exit.FINDINGS), (Severity.LOW, Exit.FINDINGS)]
)
def test_posture_fails_a_run_only_where_the_user_asks(fail_on: Severity | None, code: Exit) -> None:
    reasons = {reason.code for reason in audited(fail_on_posture=fail_on).outcome.reasons}
    assert (Exit.FINDINGS in reasons) is (code is Exit.FINDINGS)


@pytest.mark.rule("A56")
def test_each_project_root_has_its_own_entry() -> None:
    ruled = tuple(
        Ruled(replace(a_finding(9, **HABIT), id=f"F{number}", location=at(path, 9)), ())
        for number, path in enumerate(("shop/app.py", "shop/views/a.py", "api/app.py", "top.py"))
    )
    entries = posture_entries(calibrated(ruled), frozenset({"shop", "api", "."}))
    assert [(each.root, len(each.places)) for each in entries] == [(".", 1), ("api", 1), ("shop", 2)]
    assert len({each.fingerprint for each in entries}) == 3


@pytest.mark.rule("A56")
def test_every_format_shows_posture_apart() -> None:
    report = audited()
    assert "## Hardening" in render_markdown(report)
    assert "HARDENING" in render_summary(report)
    marked = [each for each in build_log(report)["runs"][0]["results"] if each["properties"].get("posture")]
    assert [len(each["locations"]) for each in marked] == [2]
    assert "1 hardening recommendation at 2 places, not counted as findings" in report.summary[0]

"""The terminal summary: what matters, on one screen of 80 columns, without a control character."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from payloads import PAYLOADS, hostile_text, unseen
from sample_report import compared_sample, deep_sample, many, poisoned, sample

from counterproof.model.location import at
from counterproof.model.receipt import Exit, Outcome, Reason
from counterproof.model.report import Report
from counterproof.reports import render, triage, wording
from counterproof.reports.screen import HEIGHT, LEAST, WIDTH, Row, columns
from counterproof.reports.summary import WIDEST, summary_rows
from effort import examples


def shown(report: Report, height: int = HEIGHT) -> list[str]:
    return [row.text for row in summary_rows(report, height)]


def test_the_whole_of_it() -> None:
    assert render(sample(), "summary").split("\n") == [
        "Counterproof 0.1.0: quick audit of shop",
        "RESULT    findings, incomplete",
        "  - 2 findings at or above high",
        "  - coverage 6 of 8, threshold 7",
        "  - Forced to quick mode: 420 lines of code.",
        "",
        "FINDINGS  1 critical, 1 high confirmed",
        "  C-01 Request parameter reaches a SQL query (CWE-89)          shop/orders.py:42",
        "       anonymous; proved: An anonymous visitor reads and changes every order.",
        "  H-01 Session cookie is unpickled (CWE-502)               shop/session.py:10-11",
        "       low privilege; validated: Code execution on the server.",
        "",
        "CLAIMS    1 to check; 1 suspected from a pattern or a name only",
        "  M-01 Passwords are hashed with MD5 (CWE-328)                   shop/users.py:9",
        "",
        "REFUSED   1 claim, the report says why",
        "COVERAGE  6 of 8 counted dimensions covered, threshold 7: NOT met",
        "LIMITS    2 limitations, 814 files left out",
        "",
        "EXIT      1: findings at or above the threshold",
        "",
    ]


@pytest.mark.rule("A50")
def test_chains_and_rejected_findings_are_reported() -> None:
    lines = shown(deep_sample())
    assert "CHAINS    2, the worst critical: C-01 -> H-01" in lines
    assert "REJECTED  1 finding by validation; 1 claim refused, the report says why" in lines
    assert not any(line.startswith("CHAINS") for line in shown(sample()))


def test_new_findings_come_first_and_accepted_ones_are_only_counted() -> None:
    lines = shown(compared_sample())
    assert "          2 new, 1 persisting, 1 fixed; 1 accepted for a while" in lines
    numbers = [line.split()[0] for line in lines if line[2:6] in ("C-01", "H-01", "M-01", "L-01")]
    assert numbers == ["C-01", "H-01", "M-01"]
    worse = compared_sample()
    low, medium, critical, high = worse.findings
    turned = replace(
        worse, findings=(replace(low, history="new", accepted=""), medium, replace(critical, history="persisting"), high)
    )
    numbers = [line.split()[0] for line in shown(turned) if line[2:6] in ("C-01", "H-01", "M-01", "L-01")]
    assert numbers == ["H-01", "C-01", "M-01"]
    assert any("(persisting)" in line for line in shown(turned))


@pytest.mark.parametrize(
    "report", [sample(), deep_sample(), compared_sample(), many(2_000)], ids=["quick", "deep", "compared", "many"]
)
@pytest.mark.parametrize("height", [LEAST + 6, HEIGHT, 40, 60])
def test_it_fits_the_screen_with_a_row_for_the_prompt(report: Report, height: int) -> None:
    closing = (Row("COST      no model was called, 3 s"), Row("REPORT    /x/report.html"))
    assert len(summary_rows(report, height, closing)) <= height - 1


def test_a_taller_terminal_shows_more_findings() -> None:
    low, high = shown(many(300)), shown(many(300), 60)
    assert sum(line.startswith("  C-") for line in high) - sum(line.startswith("  C-") for line in low) == 18
    assert "more findings in the full report" in "\n".join(low)


def test_a_wider_terminal_shows_whole_titles_up_to_where_the_eye_still_follows() -> None:
    report = sample()
    long = replace(report.findings[2].finding, title="Request parameter reaches a SQL query " * 2 + "at last")
    report = replace(report, findings=(replace(report.findings[2], finding=long),))
    plain, wide, widest = ([row.text for row in summary_rows(report, width=width)] for width in (80, 110, 300))
    assert not any("at last" in line for line in plain)
    assert max(map(len, plain)) <= 80
    assert any("at last" in line and len(line) == 110 for line in wide)
    assert max(map(len, widest)) == WIDEST


def test_findings_of_one_kind_share_a_line() -> None:
    report = sample()
    critical = report.findings[2]
    places = tuple(
        replace(critical, number=f"C-{index:02}", finding=replace(critical.finding, location=at("shop/orders.py", 40 + index)))
        for index in range(1, 13)
    )
    lines = shown(replace(report, findings=places, first_page=tuple(each.number for each in places)))
    assert "  C-01 Request parameter reaches a SQL query (12 findings)     shop/orders.py:41" in lines
    assert not any("more finding" in line for line in lines)


def test_a_long_path_is_never_cut() -> None:
    path = "services/" + "very_long_folder_name/" * 4 + "handlers.py"
    report = sample()
    moved = replace(report.findings[2], finding=replace(report.findings[2].finding, location=at(path, 7)))
    lines = shown(replace(report, findings=(moved,)))
    start = next(index for index, line in enumerate(lines) if line.startswith("  C-01"))
    assert "".join(line.strip() for line in lines[start + 1 : start + 3]) == f"{path}:7"


def test_a_long_closing_line_counts_as_the_rows_it_takes() -> None:
    rows = summary_rows(many(300), HEIGHT, (Row("x" * 200),))
    assert len(rows) + 2 <= HEIGHT - 1


def test_nothing_limited_is_said_too() -> None:
    assert "LIMITS    none recorded" in shown(replace(sample(), limitations=(), skipped=()))


def test_a_limitation_is_said_once() -> None:
    twice = ("D10: known CVEs were not checked: no data.", "Known CVEs were not checked: no data", "Another.")
    lines = shown(replace(sample(), limitations=twice))
    assert "LIMITS    2 limitations, 814 files left out" in lines


def test_limitations_that_repeat_the_coverage_come_last_unless_it_is_insufficient() -> None:
    said = (
        "D3 authorization is shallow: none traced.",
        "Nobody reads this language.",
        "9 lines of go are under a tenth of the code.",
    )
    short = replace(sample(), limitations=said)
    assert triage.pressing(short) == said
    assert triage.pressing(replace(short, covered=short.threshold)) == (said[1], said[0], said[2])


def test_a_reason_that_is_a_banner_too_is_said_once() -> None:
    reason = "The deep dive did not finish: nothing new was read."
    report = replace(sample(), banners=(reason,), outcome=Outcome((Reason(Exit.INCOMPLETE, reason),)))
    for name in ("summary", "html"):
        assert render(report, name).count(reason) == 1
    assert render(report, "markdown").count(reason) == 1


@pytest.mark.rule("A51")
@pytest.mark.parametrize(
    ("reason", "said"),
    [
        ("Not read: a/Core.jar: binary, bytecode.", "incomplete: Not read: a/Core.jar: binary, bytecode"),
        (
            "Required coverage not met: D9. The audit",
            "incomplete: 1 of 3 dimensions covered, 2 needed; shallow: D3 authorization; not covered: D9",
        ),
    ],
)
def test_an_incomplete_run_says_what_is_missing_beside_its_exit_code(reason: str, said: str) -> None:
    report = replace(sample(), covered=1, counted=3, threshold=2, outcome=Outcome((Reason(Exit.INCOMPLETE, reason),)))
    assert wording.exit_meaning(report).startswith(said)


@pytest.mark.rule("A51")
@pytest.mark.parametrize("code", list(Exit))
def test_every_kind_of_ending_is_distinguished(code: Exit) -> None:
    text = render(replace(sample(), outcome=Outcome((Reason(code, "because"),))), "summary")
    assert text.rstrip("\n").split("\n")[-1].startswith(f"EXIT      {code.value}: ")
    named = code.name.lower().replace("_", " ")
    claims = "no finding that fails the run, 1 claim to check"
    expected = {Exit.CLEAN: claims, Exit.INCOMPLETE: f"{claims}, incomplete"}.get(code, named)
    assert expected in " ".join(text.partition("RESULT")[2].split())


def assert_inert(payload: str) -> None:
    text = render(poisoned(payload), "summary")
    text.encode()
    assert unseen(text, " \n") == []
    assert max(columns(line) for line in text.split("\n")) <= WIDTH


@pytest.mark.rule("X11")
@pytest.mark.parametrize("payload", PAYLOADS)
def test_no_payload_reaches_the_terminal(payload: str) -> None:
    assert_inert(payload)


@pytest.mark.rule("X11")
@settings(max_examples=examples(40), deadline=None)
@given(hostile_text)
def test_no_text_reaches_the_terminal(payload: str) -> None:
    assert_inert(payload)

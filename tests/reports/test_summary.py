"""The terminal summary: what matters, in 80 columns, without a control character."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from payloads import PAYLOADS, hostile_text, unseen
from sample_report import deep_sample, poisoned, sample

from counterproof.model.receipt import Exit, Outcome, Reason
from counterproof.reports import render
from counterproof.reports.summary import WIDTH, columns


def test_the_whole_of_it() -> None:
    assert render(sample(), "summary").split("\n") == [
        "Counterproof 0.1.0: quick audit of shop",
        "",
        "RESULT    findings, incomplete",
        "  - 2 findings at or above high (exit 1)",
        "  - coverage 6 of 8, threshold 7 (exit 3)",
        "  ! Forced to quick mode: 420 lines of code.",
        "",
        "FINDINGS  1 critical, 1 high, 1 medium, 1 low",
        "  C-01 CRITICAL: Request parameter reaches a SQL query",
        "       shop/orders.py:42",
        "       CWE-89, confidence high, unvalidated",
        "  H-01 HIGH: Session cookie is unpickled",
        "       shop/session.py:10-11",
        "       CWE-502, confidence high, unvalidated, needs_manual",
        "  M-01 MEDIUM: Passwords are hashed with MD5",
        "       shop/users.py:9",
        "       CWE-328, confidence medium, unvalidated",
        "  L-01 LOW: Debug mode is on",
        "       shop/größe & co/settings.py:3",
        "       CWE-489, confidence pattern, unvalidated",
        "  1 claim refused by verification",
        "",
        "COVERAGE  6 of 8 counted dimensions covered, threshold 7: NOT met",
        "  - D3 authorization: shallow; guards searched, none traced",
        "  - D9 business logic: not covered; never searched",
        "  - D10 supply chain: shallow, not counted; manifests read",
        "",
        "LIMITS    2 limitations, 814 files left out",
        "  - Known CVEs not checked: no vulnerability data.",
        "  - 1 file could not be parsed.",
        "",
        "EXIT      1: findings at or above the threshold",
        "",
    ]


@pytest.mark.rule("A50")
def test_chains_and_rejected_findings_are_told() -> None:
    lines = render(deep_sample(), "summary").split("\n")
    start = lines.index("  1 finding rejected by validation")
    assert lines[start : start + 7] == [
        "  1 finding rejected by validation",
        "  1 claim refused by verification",
        "",
        "CHAINS    2 attack chains",
        "  - CRITICAL: C-01 -> H-01",
        "  - HIGH: C-01 -> M-01 -> L-01",
        "",
    ]
    assert "CHAINS" not in render(sample(), "summary")
    many = replace(deep_sample(), chains=deep_sample().chains * 4)
    assert "  - and 3 more in the full report" in render(many, "summary")


def test_only_the_ten_worst_are_shown() -> None:
    report = sample()
    text = render(replace(report, findings=report.findings * 4), "summary")
    assert text.count("CRITICAL:") == text.count("HIGH:") == 4
    assert text.count("MEDIUM:") == 2
    assert "LOW:" not in text
    assert "and 6 more findings in the full report" in text


def test_nothing_limited_is_said_too() -> None:
    assert "LIMITS    none recorded" in render(replace(sample(), limitations=(), skipped=()), "summary")


def test_many_limitations_are_cut_and_counted() -> None:
    text = render(replace(sample(), limitations=tuple(f"limit {number}" for number in range(9))), "summary")
    assert "limit 5" in text
    assert "limit 6" not in text
    assert "  - and 3 more in the full report" in text


@pytest.mark.rule("A51")
@pytest.mark.parametrize("code", list(Exit))
def test_every_way_to_end_is_told_apart(code: Exit) -> None:
    text = render(replace(sample(), outcome=Outcome((Reason(code, "because"),))), "summary")
    assert text.rstrip("\n").split("\n")[-1].startswith(f"EXIT      {code.value}: ")
    assert f"RESULT    {code.name.lower().replace('_', ' ')}\n" in text


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
@settings(max_examples=40, deadline=None)
@given(hostile_text)
def test_no_text_reaches_the_terminal(payload: str) -> None:
    assert_inert(payload)

"""Every count of findings that a report prints adds up to the number of its findings."""

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from sample_report import many, sample

from counterproof.model.confidence import Confidence
from counterproof.model.known import Acceptance
from counterproof.model.location import at
from counterproof.model.posture import PostureEntry
from counterproof.model.receipt import Outcome
from counterproof.model.report import Report
from counterproof.model.severity import Severity
from counterproof.protocols.guard.acceptance import accepted_posture, compared
from counterproof.protocols.guard.groups import by_kind, grouped
from counterproof.reports import render, wording
from counterproof.reports.audit import shown
from counterproof.reports.explanation import explain
from counterproof.reports.summary import summary_rows
from effort import examples

ROWS = many(12).findings
FATES = st.lists(
    st.tuples(st.sampled_from(Confidence), st.sampled_from(Severity), st.booleans(), st.booleans()), max_size=len(ROWS)
)


def report_with(fates: list[tuple[Confidence, Severity, bool, bool]]) -> Report:
    rows = tuple(
        replace(row, confidence=sure, severity=level, accepted="by Ada" if accepted else "")
        for row, (sure, level, accepted, _) in zip(ROWS, fates, strict=False)
    )
    first = tuple(row.number for row, (*_, page) in zip(rows, fates, strict=True) if page)
    return replace(sample(), findings=rows, first_page=first)


def number_before(words: str, text: str) -> int:
    return sum(int(each) for each in re.findall(rf"(\d+) {words}", text))


@given(FATES)
@settings(max_examples=examples(150))
@pytest.mark.rule("A60")
def test_every_finding_is_counted_in_exactly_one_group(fates: list[tuple[Confidence, Severity, bool, bool]]) -> None:
    report = report_with(fates)
    groups = grouped(report.findings, report.first_page)
    parts = (groups.confirmed, groups.claims, groups.suspected, groups.accepted)
    assert sorted(row.number for part in parts for row in part) == sorted(row.number for row in report.findings)
    assert all(row.accepted for row in groups.accepted)
    assert not any(row.accepted for part in parts[:3] for row in part)
    printed = sum(int(number) for words in groups.counts for number in re.findall(r"\d+", words))
    assert printed == len(report.findings)
    assert groups.first is None or not groups.first.accepted
    severe = [row.severity.rank for row in parts[1] if row.severity.rank > Severity.MEDIUM.rank]
    assert groups.first is None or groups.first.severity.rank >= max(severe, default=0)


@given(FATES, st.integers(16, 60))
@settings(max_examples=examples(60))
@pytest.mark.rule("A60")
def test_the_terminal_shows_and_counts_every_finding_once(
    fates: list[tuple[Confidence, Severity, bool, bool]], height: int
) -> None:
    report = report_with(fates)
    groups = grouped(report.findings, report.first_page)
    lines = [row.text for row in summary_rows(report, height)]
    listed = [line for line in lines if re.match(r"  [CHML]-\d", line)]
    alone = sum("findings)" not in line for line in listed)
    printed = alone + number_before(r"findings\)", " ".join(listed)) + number_before("more findings? in", " ".join(lines))
    assert printed == len(groups.confirmed) + len(groups.claims)
    claims = next((line for line in lines if line.startswith("CLAIMS")), "")
    assert number_before("to check", claims) == len(groups.claims)
    assert number_before("accepted for a while", " ".join(lines)) == len(groups.accepted)
    assert groups.first is None or any(line[2:6] == groups.first.number for line in listed)


@given(FATES)
@settings(max_examples=examples(30))
@pytest.mark.rule("A60")
def test_every_format_has_each_finding_in_full(fates: list[tuple[Confidence, Severity, bool, bool]]) -> None:
    report = report_with(fates)
    tokens = MarkdownIt().parse(render(report, "markdown") + "\n" + render(report, "appendix"))
    headings = [tokens[at + 1].content for at, token in enumerate(tokens) if token.type == "heading_open"]
    assert sum(heading[:2] in ("C-", "H-", "M-", "L-") for heading in headings) == len(report.findings)
    assert len(shown(report)) == len(report.findings)


def advice(number: int) -> PostureEntry:
    return PostureEntry(
        f"P-{number:02}", f"{number:032}", Severity.MEDIUM, "cors-wildcard", "CORS allows any origin", 942,
        sample().findings[0].finding.dimension, ".", (at("api.py", 19), at("web.py", 7)), "allow = '*'",
        "Any page can read the answers.", "List the origins.", 2,
    )  # fmt: skip


@pytest.mark.rule("A56")
def test_without_findings_the_terminal_lists_the_hardening_with_its_places() -> None:
    report = replace(sample(), findings=(), first_page=(), outcome=Outcome(()), posture=(advice(1), advice(2)))
    lines = [row.text for row in summary_rows(report)]
    assert "RESULT    no findings, 2 hardening recommendations" in lines
    assert "  P-01 CORS allows any origin (CWE-942, 2 places)                      api.py:19" in lines
    assert not any(
        line.startswith("  P-") for line in (row.text for row in summary_rows(replace(sample(), posture=(advice(1),))))
    )


@pytest.mark.rule("A56")
def test_an_accepted_recommendation_is_counted_apart_and_its_exception_matches() -> None:
    exceptions = tuple(Acceptance(f"{number:032}", "r", "Ada", "2999-01-31") for number in (1, 7))
    posture = accepted_posture((advice(1), advice(2)), exceptions, "2026-01-01")
    said = wording.posture_sentence(replace(sample(), posture=posture))
    assert said.startswith("2 recommendations (4 places), 1 accepted for a while, not counted as findings: P-02 ")
    (note,) = compared((), None, exceptions, "2026-01-01", posture=posture).notes
    assert f"{7:032}" in note


@pytest.mark.rule("A56")
def test_every_format_gives_the_consequence_and_fix_of_hardening() -> None:
    report = replace(sample(), posture=(advice(1),))
    appendix = render(report, "appendix").partition("## Hardening")[2].partition("\n## ")[0]
    for text in (appendix, render(report, "html"), explain(report, report.posture[0])):
        for part in ("P-01", "api.py:19", "web.py:7", "Any page can read the answers.", "allow = ", "List the origins."):
            assert part in text


@pytest.mark.rule("A69")
def test_no_result_is_called_clean() -> None:
    quiet = replace(sample(), findings=(), first_page=(), outcome=Outcome(()))
    assert wording.verdict(quiet) == "no findings"
    assert wording.verdict(replace(quiet, posture=(advice(1),))) == "no findings, 1 hardening recommendation"
    suspected = replace(sample().findings[0], confidence=Confidence.SUSPECTED)
    assert wording.verdict(replace(quiet, findings=(suspected,))) == "no confirmed finding"


@pytest.mark.rule("A60")
def test_a_group_is_led_by_its_best_evidence_and_its_members_name_each_other() -> None:
    report = many(3)
    first, *rest = report.findings
    known = replace(first, number="C-09", finding=replace(first.finding, title="One problem"))
    unknown = tuple(
        replace(each, severity=known.severity, finding=replace(each.finding, title="One problem", flow=None, proof=None))
        for each in rest
    )
    rows = tuple(replace(each, confidence=Confidence.CLAIMED) for each in (*unknown, known))
    report = replace(report, findings=rows, first_page=())
    (kind,) = by_kind(grouped(report.findings, ()).claims)
    assert kind.rows[0].number == "C-09"
    first = grouped(report.findings, ()).first
    assert first is not None
    assert first.number == "C-09"
    said = explain(report, rows[0])
    assert "the same problem: C-09 " in said

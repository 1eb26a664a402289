"""The Markdown report: the sections of A50, in an order a busy reader can use, and nothing in it that acts (X11)."""

from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given, settings
from markdown_it import MarkdownIt
from payloads import PAYLOADS, hostile_text, unseen
from sample_report import compared_sample, deep_sample, pickled_cookie, poisoned, reported, sample, sql_injection

from counterproof.model.coverage import DimensionCoverage, Status
from counterproof.model.dimension import Dimension
from counterproof.model.finding import Corroboration
from counterproof.model.flow import Flow
from counterproof.model.location import at
from counterproof.model.report import BaselineEvidence, ControlEvidence, Report, SourceCount
from counterproof.model.severity import Severity
from counterproof.reports import render
from effort import examples

ACCEPTED = "| L-01 | low | Debug mode is on | accepted by `ops@example.org` until 2027-01-31: internal host |"
CONFIRMED = (
    "| C-01 | critical | Request parameter reaches a SQL query (new) | `shop/orders.py:42` | "
    "An anonymous visitor reads and changes every order. | anonymous; proved |"
)
ARITHMETIC = (
    "- Severity: reachability +2 (anonymous), impact +3 (code execution, all data, or another account or tenant), "
    "complexity +0 (single request); sum +5; the finder said high"
)
REJECTED = "CWE-601 (open redirect) | the target is a constant | `shop/users.py:19` | A2 |"
PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])


def markdown(report: Report) -> str:
    """Both files, one after the other."""
    return render(report, "markdown") + "\n" + render(report, "appendix")


def headings(text: str, level: int = 2) -> list[str]:
    tokens = PARSER.parse(text)
    return [
        tokens[at + 1].content for at, token in enumerate(tokens) if token.type == "heading_open" and token.tag == f"h{level}"
    ]


def section(text: str, name: str) -> str:
    return text.split(f"\n## {name}\n", 1)[1].split("\n## ", 1)[0]


@pytest.mark.rule("A50")
def test_sections_are_in_order() -> None:
    assert headings(markdown(sample())) == [
        "Executive summary",
        "Findings",
        "Coverage",
        "Refused claims",
        "Limitations",
        "Left out",
        "Claims to check",
        "Suspected",
        "Statistics",
        "Agents",
        "Phase ledger",
        "Source summary",
        "Entry points",
    ]


@pytest.mark.rule("A50")
def test_standard_and_deep_add_their_sections_in_order() -> None:
    assert headings(markdown(deep_sample()))[1:] == [
        "Findings",
        "Attack chains",
        "Attack-path scoring",
        "Coverage",
        "Rejected findings",
        "Refused claims",
        "Limitations",
        "Left out",
        "Claims to check",
        "Suspected",
        "Statistics",
        "Gate evidence",
        "Rounds",
        "Control-driven evidence",
        "Deep dive",
        "Semgrep evidence",
        "Validation evidence",
        "Agents",
        "Phase ledger",
        "Source summary",
        "Entry points",
    ]


@pytest.mark.rule("A50")
@pytest.mark.parametrize(
    ("name", "fact"),
    [
        ("Attack chains", "| **C-01** gives the signing key to **H-01** | critical | +7 |"),
        ("Attack chains", "| **C-01** gives the database's content to **M-01** gives credentials to **L-01** | high | +5 |"),
        ("Attack-path scoring", "| `GET /orders` | C-01 | 3 | +6 |"),
        ("Rejected findings", "| Open redirect | `shop/users.py:20` | " + REJECTED),
        ("Gate evidence", "Not every check passed."),
        ("Gate evidence", "| coverage met | **no** | 6 of 8, 7 needed |"),
        ("Gate evidence", "- D9 not met: never searched"),
        ("Rounds", "| 1 | A1, A2 | 5 of 8 | D3, D7, D9 | next round | gaps are left |"),
        ("Rounds", "| 2 (emergency) | A3 | 6 of 8 | D3, D9 | deep dive | the round limit is reached |"),
        ("Control-driven evidence", "- Endpoints whose guard was verified in the code: 4 of 6 endpoints (EPR 66 %)"),
        ("Control-driven evidence", "- CRUD consistency compared: 2 of 3 resource types"),
        ("Control-driven evidence", "- Inconsistent: `order`"),
        ("Deep dive", "- Read now: 2 of 3 source files files that phase 2 left unread"),
        ("Deep dive", "- Not covered: `shop/auth.py`"),
        ("Deep dive", "- Deepest flow: 7 steps; phase 2's mean was 2.5"),
        ("Semgrep evidence", "- Status: **partial**, version 1.182.0"),
        ("Semgrep evidence", "- Reason: 2 results could not be read"),
        ("Semgrep evidence", "| needs manual review | 3 |"),
        ("Semgrep evidence", "| **total** | **9** |"),
        ("Semgrep evidence", "| `shop/orders.py` | 5 |"),
        ("Validation evidence", "| spot-checked | 1 |"),
        ("Validation evidence", "| left without a verdict | 2 |"),
        ("Validation evidence", "- Failed a spot check, so validated in full: A1"),
        ("Findings", "- Same root cause also at: `shop/orders.py:77`"),
        ("Source summary", "9 raw = 7 kept + 1 refused + 1 repeats."),
        ("Source summary", "7 kept − 1 rejected − 2 merged as duplicates = 4 findings in this report."),
    ],
)
def test_every_piece_of_evidence_is_there(name: str, fact: str) -> None:
    assert fact in section(markdown(deep_sample()), name).split("\n")


@pytest.mark.parametrize(
    ("name", "fact"),
    [
        ("Executive summary", "Since the earlier run, and by exceptions: 2 new, 1 persisting, 1 fixed; 1 accepted for a while."),
        (
            "Executive summary",
            CONFIRMED,
        ),
        ("Executive summary", "- M-01 (medium) Passwords are hashed with MD5 (persisting): `shop/users.py:9`"),
        (
            "Executive summary",
            "- Dimensions shallow: D3 authorization; not covered: D9 business logic; not counted: D10 supply chain.",
        ),
        ("Executive summary", "- 814 files left out."),
        ("Claims to check", "- Since the earlier run: **persisting**"),
        ("Accepted", "- Exception: accepted by `ops@example.org` until 2027-01-31: internal host"),
        ("Accepted exceptions", ACCEPTED),
        ("Fixed since the earlier run", f"| medium | Open redirect after login | `shop/users.py:31` | `{'0' * 32}` |"),
        ("Coverage by root", "| `shop` | application | 400 | 3 | 6 of 8, threshold 7: NOT met |"),
        ("Coverage by root", "| `packages/tiny` | library, too small to count | 20 | 0 | 2 of 3, threshold 3: NOT met |"),
        ("Coverage by root", "| `shop` | yes | yes | part | yes | yes | N/A | yes | yes | no | part |"),
        ("Coverage by root", "| `packages/tiny` | D3 authorization | ⚠️ shallow | guards searched, none traced | 3 searches |"),
    ],
)
def test_history_and_roots_are_there(name: str, fact: str) -> None:
    assert fact in section(markdown(compared_sample()), name).split("\n")
    if name not in ("Executive summary", "Claims to check", "Suspected"):
        assert f"## {name}\n" not in markdown(deep_sample())


def test_places_in_one_file_name_it_once() -> None:
    report = sample()
    critical = report.findings[2]
    rows = tuple(
        replace(critical, number=f"C-{index:02}", finding=replace(critical.finding, location=at(path, index)))
        for index, path in enumerate(("a.py", "a.py", "b.py", "a.py", "a.py"), 1)
    )
    line = "| C-01, C-02, C-03, C-04, and 1 more | critical | Request parameter reaches a SQL query | "
    shown = markdown(replace(report, findings=rows, first_page=tuple(row.number for row in rows)))
    assert f"{line}`a.py:1`, `:2`, `b.py:3`, `a.py:4`, and 1 more | An anonymous" in shown


@pytest.mark.rule("A35")
def test_baseline_hits_that_do_not_add_up_are_named_as_such() -> None:
    scan = deep_sample().baseline
    assert scan
    assert "do not add up" not in section(markdown(deep_sample()), "Semgrep evidence")
    wrong = replace(deep_sample(), baseline=replace(scan, rejected=4))
    assert "**These figures do not add up.**" in section(markdown(wrong), "Semgrep evidence")


@pytest.mark.rule("A50")
def test_findings_that_got_lost_on_the_way_are_named_as_such() -> None:
    wrong = replace(deep_sample(), findings=deep_sample().findings[1:])
    text = section(markdown(wrong), "Source summary")
    assert "**These figures do not add up:** 7 kept − 1 rejected − 2 merged as duplicates does not equal the 3 findings" in text


def test_a_skipped_scan_has_a_reason_and_no_figures() -> None:
    report = replace(deep_sample(), baseline=BaselineEvidence("skipped", "not found", "", 0, 0, 0, 0))
    assert section(markdown(report), "Semgrep evidence").strip() == "- Status: **skipped**\n- Reason: not found"


def test_a_share_is_never_rounded_up_to_a_threshold() -> None:
    report = replace(deep_sample(), control=ControlEvidence(1_000, 299, 0, 0))
    assert "(EPR 29 %)" in section(markdown(report), "Control-driven evidence")
    assert "EPR" not in section(markdown(replace(report, control=ControlEvidence(0, 0, 0, 0))), "Control-driven evidence")


@pytest.mark.rule("A50")
def test_banners_come_before_everything_else() -> None:
    lines = [line for line in markdown(sample()).split("\n") if line]
    assert lines[:3] == [
        "# Security audit of `shop`",
        "> ⚠️ **Forced to quick mode: 420 lines of code.**",
        "## Executive summary",
    ]


@pytest.mark.rule("A50")
def test_findings_run_from_critical_to_low() -> None:
    numbered = [each for each in headings(markdown(sample()), 3) if each[1:2] == "-"]
    assert [each.split(" ")[0] for each in numbered] == ["C-01", "H-01", "M-01", "L-01"]


def test_the_first_screen_shows_the_first_findings_to_fix() -> None:
    first_screen = markdown(sample()).split("\n")[:22]
    assert any(line.startswith("| C-01 | critical | Request parameter reaches a SQL query |") for line in first_screen)


def test_what_is_missing_leaves_no_holes_in_sentences() -> None:
    """A value in the source has no flow: nothing is (empty), no sentence ends twice, and a file that nobody had to trace is
    not told as untraced."""
    bare = replace(pickled_cookie(), source="", sink="SECRET_KEY", no_poc_reason="Reading the line is the proof.")
    row = DimensionCoverage(
        Dimension.D7, Status.COVERED, "all items are judged", searches=3, files_hit=5, items=4, items_judged=4
    )
    shown = markdown(replace(sample(), findings=(reported("H-01", Severity.HIGH, bare),), first_page=("H-01",), coverage=(row,)))
    assert "**About** `SECRET_KEY`" in shown.split("\n")
    assert "**Proof of concept.** None: Reading the line is the proof." in shown.split("\n")
    assert "3 searches, matches in 5 files, 4 of 4 items judged" in shown


@pytest.mark.rule("A50")
@pytest.mark.parametrize(
    "fact",
    [
        "- Where: `shop/orders.py:42` in `search`",
        "- Class: CWE-89 (SQL injection), D1 injection",
        "- Severity: **critical**, confidence: **proved**, reach: anonymous",
        "- Labels: **needs manual review**",
        "- Rating dispute: agent: critical; calibrated: medium",
        "**Flow** (complete, source to sink)",
        "**Flow** (stops where a function is handed on and called elsewhere)",
        "1. source `shop/orders.py:38`: `name = request.args['name']` (read from the query string)",
        "**Defences.** login_required is not applied to search().",
        "**Impact.** An anonymous visitor reads and changes every order.",
        "curl 'http://localhost:5000/orders?name=%27%20OR%201=1--'",
        "**Proof of concept.** None: needs a valid cookie signature.",
        "**Fix.** Pass the value as a parameter: cursor.execute(sql, (name,)).",
        ARITHMETIC,
        "| A2 | Command injection | `shop/missing.py:7` | the file does not exist |",
        "- Known CVEs not checked: no vulnerability data.",
        "| vendored | 812 | `node_modules` (812 files) |",
        "| **total** | **814** |  |",
        "| A2 | analyst | T2 | 1 | D7 | TRUNCATED | TRUNCATED | 1 |",
        "[PHASE] 1 completed",
        "| D9 business logic | control-driven | ❌ not covered | never searched | 0 searches |",
        "- Mode: quick (asked for: standard)",
    ],
)
def test_every_fact_is_there(fact: str) -> None:
    assert fact in markdown(sample()).split("\n")


@pytest.mark.rule("A50")
def test_source_totals_add_up() -> None:
    text = section(markdown(sample()), "Source summary")
    assert "| **total** | 6 | 4 | 1 | 1 |" in text
    assert "6 raw = 4 kept + 1 refused + 1 repeats.\n\n4 kept = 4 findings in this report." in text


@pytest.mark.rule("A50")
def test_sources_that_do_not_add_up_are_named_as_such() -> None:
    report = replace(sample(), sources=(SourceCount("A1", 5, 3, 1, 0), SourceCount("A2", 1, 1, 0, 1)))
    assert "do not add up" in section(markdown(report), "Source summary")


@pytest.mark.rule("A51")
def test_a_threshold_that_is_missed_is_not_hidden() -> None:
    assert "6 of 8 counted dimensions covered, threshold 7: NOT met." in section(markdown(sample()), "Coverage")
    assert "threshold 6: met" in markdown(replace(sample(), threshold=6))


def test_a_report_without_anything_says_so() -> None:
    empty = replace(
        sample(),
        banners=(),
        findings=(),
        refused=(),
        limitations=(),
        skipped=(),
        agents=(),
        markers=(),
        entry_points=(),
        sources=(),
    )
    text = markdown(empty)
    for name, words in [
        ("Findings", "No confirmed finding."),
        ("Claims to check", "None."),
        ("Refused claims", "None."),
        ("Limitations", "None recorded."),
        ("Left out", "Nothing."),
        ("Agents", "No agent ran."),
        ("Phase ledger", "No phase was recorded."),
    ]:
        assert section(text, name).strip().startswith(words)


def test_long_lists_are_cut_and_say_so() -> None:
    report = sample()
    step = (sql_injection().flow or Flow(())).steps[1]
    long = replace(sql_injection(), flow=Flow((step,) * 100))
    report = replace(
        report,
        first_page=("C-01",),
        findings=tuple(replace(report.findings[2], finding=replace(long, title=f"Query {index}")) for index in range(62)),
        entry_points=report.entry_points[:1] * 301,
        refused=report.refused * 201,
        skipped=report.skipped[1:2] * 7,
    )
    text = markdown(report)
    assert "and 2 more findings in the appendix and in the JSON report." in text
    assert "31. … (40 more steps; the JSON report lists them all)" in text
    assert text.count("and 1 more; the JSON report lists them all.") == 2
    assert "and 2 more |" in section(text, "Left out")


@cache
def harmless() -> list[tuple[str, str]]:
    return structure(markdown(poisoned("harmless")))


def structure(text: str) -> list[tuple[str, str]]:
    return [(token.type, token.tag) for token in PARSER.parse(text)]


def assert_inert(payload: str) -> None:
    text = markdown(poisoned(payload))
    assert unseen(text, " \n") == []
    text.encode()
    tokens = PARSER.parse(text)
    assert [(token.type, token.tag) for token in tokens] == harmless()
    children = [child for token in tokens for child in token.children or []]
    assert {child.type for child in children} <= {
        "text",
        "text_special",
        "code_inline",
        "strong_open",
        "strong_close",
        "softbreak",
    }


@pytest.mark.rule("X11")
@pytest.mark.parametrize("payload", [each for each in PAYLOADS if each.strip()])
def test_no_payload_changes_the_structure(payload: str) -> None:
    assert_inert(payload)


@pytest.mark.rule("X11")
@settings(max_examples=examples(30), deadline=None)
@given(hostile_text.filter(lambda text: bool(text.strip(" \t\r\n"))))
def test_no_text_changes_the_structure(payload: str) -> None:
    assert_inert(payload)


@pytest.mark.rule("A29")
def test_the_witnesses_of_a_models_claim_are_listed() -> None:
    report = deep_sample()
    first = report.findings[0]
    doubted = replace(first, finding=replace(first.finding, corroboration=Corroboration.CONTRADICTED))
    told = markdown(replace(report, findings=(doubted, *report.findings[1:])))
    assert "- Witnesses: contradicted by the analysers" in told.split("\n")
    assert "Witnesses:" not in markdown(report)

"""What leaves a review: findings in the one model of all jobs, and one finding explained."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
from jsonschema import Draft4Validator, Draft202012Validator
from payloads import unseen

from counterproof.model.excerpt import Excerpt
from counterproof.model.location import at
from counterproof.model.review.conversion import as_finding
from counterproof.model.review.finding import ReviewFinding, Trust, Twin
from counterproof.model.review.position import Agreement, Defence, Position, Resolution, Resolved, Stance
from counterproof.model.review.profile import Profile, Specialist
from counterproof.model.review.report import Change, Event, ReviewReport
from counterproof.model.review.scope import Scope, ScopeFile, ScopeKind
from counterproof.model.root_cause import fingerprint
from counterproof.model.severity import Confidence, Reach, Severity
from counterproof.protocols.review.routing import whole
from counterproof.reports.review import render
from counterproof.reports.review.findings import explain, find
from counterproof.reports.schema import schema

SARIF = cast("Any", Draft4Validator(json.loads((Path(__file__).parent / "sarif-2.1.0.schema.json").read_text(encoding="utf-8"))))
TEAM = Profile("code", tuple(Specialist(code, code.lower(), ("logic",)) for code in ("SEC", "CORR", "ARCH")), ("SEC",))
HOSTILE = "<b>\x1b[31m\u202e\u2028 `x` |"
INJECTED = ReviewFinding(
    "SEC-001", "SEC", "CWE-918 server-side-request", "A title", "injection", Severity.HIGH, Confidence.HIGH, Trust.EXTERNAL,
    at("a.py", 3), f"It goes wrong.\na.py:3: {HOSTILE}", quote="one\n\ntwo\nthree\nfour", flow=True, traced_source=at("a.py", 1),
    sources=("SEC", "ARCH"), function="load",
)  # fmt: skip
DOUBLED = ReviewFinding(
    "CORR-001",
    "CORR",
    "Odd, isn't it?",
    "A title",
    "own-domain",
    Severity.LOW,
    Confidence.MEDIUM,
    Trust.NONE,
    at("b.py", 7),
    HOSTILE,
)


def report() -> ReviewReport:
    agrees = Position("CORR", "SEC-001", Stance.AGREE, Severity.CRITICAL, HOSTILE, at("a.py", 2))
    against = Position("ARCH", "SEC-001", Stance.CHALLENGE, None, "a guard stands there", at("a.py", 1))
    defence = Defence("SEC-001", True, "the guard comes later")
    resolved = (
        Resolved(INJECTED, Resolution.MAJORITY, Severity.CRITICAL, ("SEC", "CORR", "ARCH"), 3, (agrees, against), defence, True),
        Resolved(DOUBLED, Resolution.SINGLE, Severity.LOW, ("CORR",), 3),
        Resolved(replace(DOUBLED, id="CORR-002"), Resolution.SINGLE, Severity.LOW, ("CORR",), 3),
        Resolved(replace(DOUBLED, id="CORR-003"), Resolution.DISMISSED, Severity.LOW, ("CORR", "SEC"), 3),
    )
    return ReviewReport(
        TEAM, "default", Scope(ScopeKind.DIFF, (ScopeFile("a.py", 10, ((3, 3),)),)), resolved, Agreement.PARTIAL, "",
        changes=(("SEC-001", Change.PERSISTS),), limitations=(HOSTILE,), life=(Event("SEC-001", "created", "SEC", 1),),
        trips=(*(("evidence", "SEC-001", "demoted to Minor"),) * 2, ("scope", "SEC-009", "rejected")),
    )  # fmt: skip


@pytest.mark.rule("R35")
def test_findings_have_the_shape_that_the_audits_schema_publishes() -> None:
    rows = json.loads(render(report(), "json"))["findings"]
    whole = schema()
    checker = cast("Any", Draft202012Validator({"$defs": whole["$defs"], "$ref": "#/$defs/ReportedFinding"}))
    for row in rows:
        assert not list(checker.iter_errors(row))
    assert [row["number"] for row in rows] == ["SEC-001", "CORR-001", "CORR-002"]
    assert len({row["fingerprint"] for row in rows}) == 3
    first = rows[0]["finding"]
    assert (first["rule"], first["cwe"], first["dimension"], first["function"]) == ("server-side-request", 918, "D6", "load")
    assert (first["impact"], first["evidence"], first["found_by"]) == ("It goes wrong.", "one\ntwo\nthree", ["SEC", "ARCH"])
    assert (first["severity"], rows[0]["severity"], rows[0]["history"]) == ("high", "critical", "persisting")


@pytest.mark.rule("R35")
def test_sarif_comes_from_the_one_writer_and_only_weaknesses_are_scored_as_such() -> None:
    value = json.loads(render(report(), "sarif"))
    SARIF.validate(value)
    run = value["runs"][0]
    first, second, _ = run["results"]
    assert first["partialFingerprints"]["counterproof/v2"] == fingerprint(as_finding(INJECTED), 0)
    assert (first["level"], first["taxa"][0]["id"], first["baselineState"]) == ("error", "918", "unchanged")
    assert (first["properties"]["security-severity"], first["properties"]["tags"][0]) == ("9.5", "security")
    assert (second["ruleId"], second["properties"]["tags"]) == ("odd-isn-t-it", ["external/cwe/cwe-710"])
    scored = {rule["id"]: "security-severity" in rule["properties"] for rule in run["tool"]["driver"]["rules"]}
    assert scored == {"odd-isn-t-it": False, "server-side-request": True}
    assert run["invocations"][0]["executionSuccessful"] is False
    assert not unseen(render(report(), "sarif").rstrip("\n"))


def test_a_source_that_nobody_named_reaches_no_further_than_an_administrator() -> None:
    assert as_finding(INJECTED).rating.reach is Reach.ANONYMOUS
    assert as_finding(DOUBLED).rating.reach is Reach.ADMIN


def test_an_explanation_tells_positions_votes_severity_and_guardrails() -> None:
    written = report()
    (each,) = find(written, "sec-001")
    text = explain(written, each)
    for part in (
        "found by SEC, seen by ARCH too",
        "  - ARCH challenges: a guard stands there (a.py:1)",
        "  - SEC stands by it: the guard comes later",
        "  - Majority: 2 for it, its finder included, 1 against it",
        "  - SEC, its finder, votes Important (high)\n  - those who agree say CORR Critical",
        "  - shown as Critical",
        "Guardrails\n  - evidence: demoted to Minor\n\n",
        "  - since the previous review: persists",
    ):
        assert part in text
    assert not unseen(text.replace("\n", ""))
    assert find(written, fingerprint(as_finding(INJECTED), 0)[:8]) == (each,)
    (gone,) = find(written, "CORR-003")
    assert "Dismissed (2/3)" in explain(written, gone)


def test_an_older_defect_is_explained_by_the_number_that_the_report_prints() -> None:
    older = replace(INJECTED, id="SEC-041", older=True)
    written = replace(report(), older=(older,))
    (found,) = find(written, "sec-041")
    text = explain(written, found)
    assert text.startswith(f"SEC-041  {INJECTED.title}\n{INJECTED.location}")
    assert "older than the change: not voted on and not counted" in text
    assert as_finding(INJECTED).impact.split()[0] in text


def test_comments_of_a_pull_request_stand_at_changed_lines_and_carry_their_fingerprint() -> None:
    scope = replace(report().scope, base="b" * 40, commit="c" * 40, committed=True)
    told = json.loads(render(replace(report(), fixed=(DOUBLED,), scope=scope), "github-review"))
    review = told["github"]
    assert [(each["path"], each["line"], each["side"]) for each in review["comments"]] == [("a.py", 3, "RIGHT")]
    assert "b.py:7" in review["body"]
    assert review["event"] == "COMMENT"
    rows = json.loads(render(report(), "json"))["findings"]
    assert sorted(told["standing"]) == sorted(row["fingerprint"] for row in rows)
    assert told["resolved"] == [fingerprint(as_finding(DOUBLED), 0)]
    assert review["comments"][0]["body"].endswith(f"<!-- counterproof:{told['standing'][0]} -->")
    assert review["commit_id"] == "c" * 40
    (place,) = (each["position"] for each in told["gitlab"])
    assert (place["new_line"], place["base_sha"], place["start_sha"], place["head_sha"]) == (3, "b" * 40, "b" * 40, "c" * 40)
    assert not unseen(json.dumps(told, ensure_ascii=False))


@pytest.mark.parametrize(
    ("fix", "suggested"),
    [
        ("```python return load(url)```", "```suggestion\n    return load(url)\n```"),
        ("Check the address first", ""),
        ("```sh rm -rf /```", ""),
        ("Use `load(url)`", ""),
    ],
)
def test_comments_a_fix_of_one_line_is_a_suggestion(fix: str, suggested: str) -> None:
    shown = report()
    finding = replace(INJECTED, fix=fix, excerpt=Excerpt(2, ("def f(url):", "    return get(url)")))
    given = replace(shown, resolved=(replace(shown.resolved[0], finding=finding), *shown.resolved[1:]))
    body = json.loads(render(given, "github-review"))["github"]["comments"][0]["body"]
    assert (suggested in body) if suggested else ("suggestion" not in body)


def test_minor_and_dismissed_findings_are_off_the_first_page_of_every_format() -> None:
    minor = replace(DOUBLED, title="minor words")
    made = report()
    rows = (made.resolved[0], *(replace(each, finding=replace(minor, id=each.finding.id)) for each in made.resolved[1:]))
    written = replace(made, resolved=rows)
    forms = {name: render(written, name) for name in ("markdown", "html", "json", "github", "github-review", "concise")}
    page, _, appendix = forms["markdown"].partition("## Appendix: 2 Minor findings, 1 dismissed\n")
    assert "### CORR-001 Minor: minor words" not in page
    assert [f"### CORR-00{number} Minor: minor words" in appendix for number in (1, 2, 3)] == [True] * 3
    assert "2 Minor findings, 1 dismissed: see the appendix." in page
    first, _, folded = forms["html"].partition('<details id="appendix" class="fold">')
    assert (first.count('<details id="CORR-'), folded.count('<details id="CORR-')) == (0, 3)
    assert json.loads(forms["json"])["first_page"] == ["SEC-001"]
    assert not any("minor words" in forms[name] for name in ("github", "concise"))
    assert "APPENDIX  2 Minor findings, 1 dismissed: see the report" in forms["github"]
    posted = json.loads(forms["github-review"])["github"]
    assert "<details><summary>2 Minor findings</summary>" in posted["body"]
    assert not any("minor words" in each["body"] for each in posted["comments"])


@pytest.mark.rule("R22")
def test_merged_finding_keeps_the_texts_and_places_of_all_reporters() -> None:
    twin = Twin("ARCH", at("a.py", 30), "their title", "their words")
    made = report()
    first = replace(made.resolved[0], finding=replace(INJECTED, twins=(twin,)))
    written = replace(made, resolved=(first, *made.resolved[1:]))
    assert "ARCH at a.py:30: their title. their words" in render(written, "markdown")
    (row, *_) = json.loads(render(written, "json"))["findings"]
    assert [each["start"] for each in row["finding"]["also"]] == [30]
    assert "ARCH at a.py:30: their title" in whole(first.finding)

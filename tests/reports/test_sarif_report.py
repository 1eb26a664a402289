"""The SARIF report: valid against the official schema, readable by code scanning, within its limits, inert."""

import gzip
import json
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest
from hypothesis import given, settings
from jsonschema import Draft4Validator
from markdown_it import MarkdownIt
from payloads import PAYLOADS, hostile_text, unseen
from sample_report import compared_sample, deep_sample, poisoned, sample, sql_injection, weak_hash

from counterproof.model.flow import Flow
from counterproof.model.location import at
from counterproof.model.receipt import Outcome
from counterproof.model.report import Report
from counterproof.model.root_cause import fingerprint
from counterproof.reports import render
from counterproof.reports.inert import json_text
from counterproof.reports.sarif import build_log, limits
from counterproof.reports.sarif.limits import MAX_BYTES, MAX_COMPRESSED, MAX_RESULTS, SHOWN_RESULTS
from counterproof.reports.sarif.log import uri
from counterproof.reports.sarif.related import MAX_RELATED
from counterproof.reports.sarif.results import MAX_STEPS
from counterproof.reports.sarif.rules import MAX_WEAKNESS_TAGS
from effort import examples

SCHEMA = cast("Any", Draft4Validator(json.loads((Path(__file__).parent / "sarif-2.1.0.schema.json").read_text(encoding="utf-8"))))
PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])


def run(report: Report) -> dict[str, Any]:
    value = json.loads(render(report, "sarif"))
    SCHEMA.validate(value)
    return value["runs"][0]


def notifications(report_run: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    every = report_run["invocations"][0].get("toolExecutionNotifications", [])
    return [each for each in every if each["descriptor"]["id"] == kind]


@pytest.fixture(scope="module")
def shop() -> dict[str, Any]:
    return run(sample())


def test_results_are_ordered_and_point_at_their_rules(shop: dict[str, Any]) -> None:
    rules = shop["tool"]["driver"]["rules"]
    assert [each["properties"]["number"] for each in shop["results"]] == ["C-01", "H-01", "M-01", "L-01"]
    assert [each["level"] for each in shop["results"]] == ["error", "error", "warning", "note"]
    assert [rule["id"] for rule in rules] == sorted(rule["id"] for rule in rules)
    for each in shop["results"]:
        assert rules[each["ruleIndex"]]["id"] == each["ruleId"]


def test_a_rule_carries_what_code_scanning_reads(shop: dict[str, Any]) -> None:
    rule = next(each for each in shop["tool"]["driver"]["rules"] if each["id"] == "python.sql.injection")
    assert rule["name"] == "PythonSqlInjection"
    assert rule["shortDescription"]["text"] == "SQL injection"
    assert rule["properties"]["tags"] == ["security", "D1", "external/cwe/cwe-089"]
    assert rule["properties"]["security-severity"] == "9.5"
    assert rule["properties"]["precision"] == "very-high"
    assert rule["defaultConfiguration"]["level"] == "error"
    assert "How to fix it" in rule["help"]["markdown"]


def test_a_finding_without_a_rule_is_filed_under_its_weakness(shop: dict[str, Any]) -> None:
    assert shop["results"][2]["ruleId"] == "CWE-328"


def test_a_rule_takes_its_worst_severity_and_its_weakest_confidence() -> None:
    report = sample()
    low, medium, critical, high = report.findings
    same = replace(low, finding=replace(low.finding, rule=critical.finding.rule))
    rule = run(replace(report, findings=(same, medium, critical, high)))["tool"]["driver"]["rules"][-1]
    assert rule["id"] == critical.finding.rule
    assert rule["properties"]["security-severity"] == "9.5"
    assert rule["properties"]["precision"] == "low"
    assert rule["properties"]["tags"][2:] == ["external/cwe/cwe-089", "external/cwe/cwe-489"]


def test_weaknesses_form_a_taxonomy_that_everything_refers_to(shop: dict[str, Any]) -> None:
    taxonomy = shop["taxonomies"][0]
    assert [taxon["id"] for taxon in taxonomy["taxa"]] == ["89", "328", "489", "502"]
    references = [taxon for each in shop["results"] for taxon in each["taxa"]]
    references += [link["target"] for rule in shop["tool"]["driver"]["rules"] for link in rule["relationships"]]
    assert len(references) == 8
    for reference in references:
        assert taxonomy["taxa"][reference["index"]]["id"] == reference["id"]
        assert reference["toolComponent"] == {"name": "CWE", "index": 0}


def test_a_location_is_relative_to_the_root(shop: dict[str, Any]) -> None:
    place = shop["results"][1]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "shop/session.py", "uriBaseId": "%SRCROOT%"}
    assert (place["region"]["startLine"], place["region"]["endLine"]) == (10, 11)
    assert "%SRCROOT%" in shop["originalUriBaseIds"]


@pytest.mark.parametrize(
    ("path", "encoded"),
    [
        ("shop/größe & co/a b.py", "shop/gr%C3%B6%C3%9Fe%20%26%20co/a%20b.py"),
        ("javascript:alert(1).py", "javascript%3Aalert%281%29.py"),
        ("a#b?c%d.py", "a%23b%3Fc%25d.py"),
        ("bytes\\xFF.py", "bytes%FF.py"),
        ("lone\\xED\\xA0\\x80.py", "lone%ED%A0%80.py"),
    ],
)
def test_paths_are_percent_encoded(path: str, encoded: str) -> None:
    """Bytes that are no UTF-8 are spelled out in the model; the address holds the bytes themselves."""
    assert uri(path) == encoded


def test_a_flow_becomes_a_thread_flow(shop: dict[str, Any]) -> None:
    steps = shop["results"][0]["codeFlows"][0]["threadFlows"][0]["locations"]
    assert [step["location"]["physicalLocation"]["region"]["startLine"] for step in steps] == [38, 40, 42]
    assert [step["kinds"] for step in steps] == [["source"], ["call"], ["sink"]]
    assert steps[0]["location"]["message"]["text"] == "source: read from the query string"
    assert "codeFlows" not in shop["results"][1]
    assert shop["results"][2]["codeFlows"][0]["message"]["text"] == "stops where a function is handed on and called elsewhere"


def test_fingerprints_and_labels_are_carried(shop: dict[str, Any]) -> None:
    result = shop["results"][1]
    known = sample().findings[3].fingerprint
    assert result["partialFingerprints"] == {"counterproof/v2": known, "primaryLocationLineHash": f"{known[:16]}:1"}
    assert result["properties"]["labels"] == ["needs_manual"]
    assert (result["properties"]["confidence"], result["rank"], result["level"]) == ("validated", 75.0, "error")


@pytest.mark.rule("A34")
def test_chains_tie_results_together() -> None:
    critical, high, medium, low = run(deep_sample())["results"]
    assert [(each["message"]["text"], lines(each)) for each in critical["relatedLocations"]] == [
        ("The same root cause", ("shop/orders.py", 77)),
        ("Attack chain: gives the signing key to H-01", ("shop/session.py", 10)),
        ("Attack chain: gives the database's content to M-01", ("shop/users.py", 9)),
    ]
    assert [each["message"]["text"] for each in medium["relatedLocations"]] == [
        "Attack chain: gets the database's content from C-01",
        "Attack chain: gives credentials to L-01",
    ]
    assert [chain["findings"] for chain in critical["properties"]["attackChains"]] == [["C-01", "H-01"], ["C-01", "M-01", "L-01"]]
    assert high["properties"]["attackChains"][0]["severity"] == "critical"
    assert low["properties"]["attackChains"][0]["points"] == 5
    assert "relatedLocations" not in run(sample())["results"][0]
    assert "attackChains" not in run(sample())["results"][0]["properties"]


def lines(location: dict[str, Any]) -> tuple[str, int]:
    place = location["physicalLocation"]
    return place["artifactLocation"]["uri"], place["region"]["startLine"]


@pytest.mark.rule("A39")
def test_rejected_findings_are_counted_and_are_no_results() -> None:
    deep = run(deep_sample())
    assert len(deep["results"]) == 4
    assert "Open redirect" not in json.dumps(deep)
    assert deep["properties"]["rejectedFindings"] == 1
    assert deep["properties"]["semgrepBaseline"] == "partial"


@pytest.mark.rule("A51")
def test_incomplete_coverage_is_reported_with_the_results(shop: dict[str, Any]) -> None:
    invocation = shop["invocations"][0]
    assert invocation["executionSuccessful"] is False
    assert invocation["exitCode"] == 1
    assert [each["level"] for each in notifications(shop, "outcome")] == ["note", "error"]
    assert len(notifications(shop, "banner")) == 1
    assert len(notifications(shop, "coverage")) == 3
    assert len(notifications(shop, "limitation")) == 2


@pytest.mark.rule("A51")
def test_findings_alone_do_not_make_a_run_unsuccessful() -> None:
    report = replace(sample(), outcome=Outcome(sample().outcome.reasons[1:]))
    assert run(report)["invocations"][0]["executionSuccessful"] is True


def test_no_findings_is_an_empty_list_and_not_a_missing_one() -> None:
    assert run(replace(sample(), findings=()))["results"] == []


def test_a_long_flow_keeps_both_ends_and_says_so() -> None:
    report = sample()
    flow = sql_injection().flow
    assert flow
    long = Flow((flow.steps[0], *(flow.steps[1],) * 1_500, flow.steps[2]))
    finding = replace(report.findings[2], finding=replace(sql_injection(), flow=long))
    one = run(replace(report, findings=(finding,)))
    steps = one["results"][0]["codeFlows"][0]["threadFlows"][0]["locations"]
    assert len(steps) == 1_000
    assert (steps[0]["kinds"], steps[-1]["kinds"]) == (["source"], ["sink"])
    assert one["results"][0]["properties"]["flowStepsLeftOut"] == 502
    assert notifications(one, "left-out")[0]["message"]["text"].startswith("Flows shortened")


def many(number: int) -> Report:
    report = sample()
    low = tuple(replace(report.findings[1], number=f"M-{each:02d}") for each in range(number - 1))
    return replace(report, findings=(*low, report.findings[2]))


def test_a_run_holds_no_more_results_than_accepted() -> None:
    one = build_log(many(105), most_results=100)["runs"][0]
    assert len(one["results"]) == 100
    assert one["results"][0]["properties"]["number"] == "C-01"
    notes = [each["message"]["text"] for each in notifications(one, "left-out")]
    assert "5 results left out: a run may hold 100." in notes


def test_the_limits_are_those_of_code_scanning() -> None:
    assert (MAX_RESULTS, SHOWN_RESULTS, MAX_STEPS) == (25_000, 5_000, 1_000)
    assert MAX_RELATED + 1 == 100
    assert MAX_WEAKNESS_TAGS + 2 == 10
    assert MAX_COMPRESSED < 10_000_000 <= MAX_BYTES


def test_a_rule_has_no_more_tags_than_are_shown() -> None:
    report = sample()
    every = tuple(replace(report.findings[1], finding=replace(weak_hash(), rule="r", cwe=cwe)) for cwe in range(100, 130))
    rule = run(replace(report, findings=every))["tool"]["driver"]["rules"][0]
    assert len(rule["properties"]["tags"]) == 10
    assert len(rule["relationships"]) == 30


def test_a_result_names_no_more_places_than_are_shown_and_says_so() -> None:
    report = sample()
    scattered = replace(weak_hash(), also=tuple(at("shop/users.py", number) for number in range(20, 170)))
    one = run(replace(report, findings=(replace(report.findings[1], finding=scattered),)))
    assert len(one["results"][0]["locations"]) + len(one["results"][0]["relatedLocations"]) == 100
    assert one["results"][0]["properties"]["relatedLocationsLeftOut"] == 51
    assert notifications(one, "left-out")[0]["message"]["text"] == "Results that list only 99 of their related locations: 1."


def test_results_that_code_scanning_does_not_show_are_said() -> None:
    one = build_log(many(SHOWN_RESULTS + 1))["runs"][0]
    notes = [each["message"]["text"] for each in notifications(one, "left-out")]
    assert "GitHub code scanning shows the 5000 most severe of these 5001 results." in notes


def test_a_run_names_only_the_rules_of_its_results() -> None:
    report = sample()
    every = tuple(replace(report.findings[1], finding=replace(weak_hash(), rule=f"r{number}")) for number in range(150))
    log = build_log(replace(report, findings=every), most_results=100)
    assert len(log["runs"][0]["tool"]["driver"]["rules"]) == 100
    SCHEMA.validate(json.loads(json_text(log, indent=None)))


def test_a_file_that_does_not_compress_is_made_to_fit_the_upload(monkeypatch: pytest.MonkeyPatch) -> None:
    noise = Random(7)
    report = sample()
    every = tuple(
        replace(report.findings[1], finding=replace(weak_hash(), impact=f"{noise.getrandbits(6_000):x}")) for _ in range(300)
    )
    text = render(replace(report, findings=every), "sarif")
    monkeypatch.setattr(limits, "MAX_COMPRESSED", 200_000)
    monkeypatch.setattr("counterproof.reports.sarif.MAX_BYTES", len(text.encode()) + 1)
    smaller = render(replace(report, findings=every), "sarif")
    assert len(gzip.compress(text.encode())) > 200_000 >= len(gzip.compress(smaller.encode()))
    one = json.loads(smaller)["runs"][0]
    assert 0 < len(one["results"]) < 300
    assert any("results left out" in note["message"]["text"] for note in notifications(one, "left-out"))


def test_a_comparison_lists_new_findings() -> None:
    one = run(compared_sample())
    assert [each["baselineState"] for each in one["results"]] == ["new", "new", "unchanged", "unchanged"]
    assert "baselineState" not in run(sample())["results"][0]
    assert [each["message"]["text"] for each in notifications(one, "fixed")] == [
        f"Fixed: Open redirect after login at shop/users.py:31 (medium, {'0' * 32})"
    ]
    assert one["properties"]["fixedFindings"] == 1
    assert len(one["results"]) == 4  # a result that is gone would be shown as an alert


def test_an_exception_suppresses_its_result_and_no_other() -> None:
    critical, high, medium, low = run(compared_sample())["results"]
    assert low["suppressions"] == [
        {
            "justification": "accepted by ops@example.org until 2027-01-31: internal host",
            "kind": "external",
            "status": "accepted",
        }
    ]
    assert [each["suppressions"] for each in (critical, high, medium)] == [[], [], []]
    assert "suppressions" not in run(sample())["results"][0]


def test_a_fingerprint_stays_when_lines_move() -> None:
    report = sample()
    moved = replace(sql_injection(), location=at("shop/orders.py", 142))
    before = fingerprint(sql_injection(), 0)
    after = replace(report.findings[2], finding=moved, fingerprint=fingerprint(moved, 0))
    assert run(replace(report, findings=(after,)))["results"][0]["partialFingerprints"] == {
        "counterproof/v2": before,
        "primaryLocationLineHash": f"{before[:16]}:1",
    }
    assert fingerprint(moved, 1) != before


@pytest.mark.parametrize("most", [40_000, 100_000, 200_000])
def test_the_file_stays_within_its_size(most: int) -> None:
    log = build_log(many(300), most_bytes=most)
    text = json_text(log, indent=None)
    SCHEMA.validate(json.loads(text))
    assert len(text.encode()) <= most
    one = log["runs"][0]
    results = one["results"]
    assert 0 < len(results) <= 300
    assert results[0]["level"] == "error"
    notes = [each["message"]["text"] for each in notifications(one, "left-out")]
    bare = sum("codeFlows" not in each for each in results)
    assert bare > 0
    assert any("flows of the" in note for note in notes)
    assert any(f"{300 - len(results)} results left out" in note for note in notes) == (len(results) < 300)


def texts(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for key, each in cast("dict[str, Any]", value).items() for text in (key, *texts(each))]
    if isinstance(value, list):
        return [text for each in cast("list[Any]", value) for text in texts(each)]
    return [value] if isinstance(value, str) else []


def assert_inert(payload: str) -> None:
    text = render(poisoned(payload), "sarif")
    text.encode()
    value = json.loads(text)
    SCHEMA.validate(value)
    assert all(unseen(each, " \n") == [] for each in texts(value))
    for rule in value["runs"][0]["tool"]["driver"]["rules"]:
        tokens = PARSER.parse(rule["help"]["markdown"])
        children = {child.type for token in tokens for child in token.children or []}
        assert children <= {"text", "text_special", "code_inline"}
        assert sum(token.type == "heading_open" for token in tokens) <= 2


@pytest.mark.rule("X11")
@pytest.mark.parametrize("payload", PAYLOADS)
def test_no_payload_acts(payload: str) -> None:
    assert_inert(payload)


@pytest.mark.rule("X11")
@settings(max_examples=examples(30), deadline=None)
@given(hostile_text)
def test_no_text_acts(payload: str) -> None:
    assert_inert(payload)

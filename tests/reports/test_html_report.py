"""The HTML report as a file: what it holds without a script, its policy, its size, and nothing in it that acts (X11)."""

import base64
import hashlib
import json
import re
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from payloads import HTML_PAYLOADS, PAYLOADS, hostile_text, unseen
from sample_report import compared_sample, deep_sample, many, poisoned, sample, sql_injection

from counterproof.model.flow import Flow
from counterproof.model.report import Report
from counterproof.reports import render
from counterproof.reports.audit import MAX_FINDINGS
from counterproof.reports.sections.finding import MAX_STEPS
from effort import examples

OWN_ATTRIBUTES = {
    *("aria-sort", "disabled", "for", "tabindex"),
    *("aria-hidden", "aria-label", "aria-labelledby", "aria-live", "aria-pressed", "autocomplete", "charset", "checked", "class"),
    *(
        "content",
        "d",
        "data-area",
        "data-ending",
        "data-fate",
        "data-label",
        "data-level",
        "data-noun",
        "data-path",
        "height",
        "hidden",
        "href",
        "http-equiv",
        "id",
        "lang",
        "list",
        "name",
        "placeholder",
    ),
    *("preserveaspectratio", "rel", "role", "rx", "scope", "start", "title", "type", "value", "viewbox", "width", "x"),
}


class Page(HTMLParser):
    """Tags, attributes and texts of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.texts: list[str] = []
        self._inside: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self._inside.append(tag)
        self.attributes.extend((tag, name, value or "") for name, value in attrs)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    def handle_data(self, data: str) -> None:
        if self.tags and self.tags[-1] not in ("script", "style"):
            self.texts.append(data)

    def text(self) -> str:
        return " ".join(" ".join(self.texts).split())


def page(report: Report) -> Page:
    return Page(render(report, "html"))


def values(page: Page, name: str) -> list[str]:
    return [value for _, found, value in page.attributes if found == name]


@pytest.mark.rule("A50")
@pytest.mark.parametrize(
    "fact",
    [
        "Security audit of shop",
        "Required coverage not met: D9. The audit continued anyway.",
        "Findings, incomplete",
        "Exit code 1: findings at or above the threshold.",
        "2 findings at or above high",
        "C-01 Request parameter reaches a SQL query",
        "shop/orders.py:42",
        "An anonymous visitor reads and changes every order.",
        "SELECT * FROM orders WHERE customer",
        "Pass the value as a parameter: cursor.execute(sql, (name,)).",
        "6 of 8 counted dimensions covered, threshold 7: NOT met.",
        "known CVEs not checked",
        "Known CVEs not checked: no vulnerability data.",
        "Validation refuted these claims; they are not findings.",
        "the target is a constant",
        "the file does not exist",
        "static/vendor.min.js",
        "coverage met no 6 of 8, 7 needed",
        "2 (emergency) A3 6 of 8 D3, D9 deep dive the round limit is reached",
        "4 of 6 endpoints (EPR 66 %)",
        "needs manual review 3 total 9",
        "spot-checked 1",
        "C-01 gives the signing key to H-01",
        "GET /orders C-01 3 +6",
        "[PHASE] 1 completed",
        "A2 analyst T2 1 D7 TRUNCATED TRUNCATED 1",
        "7 kept − 1 rejected − 2 merged as duplicates = 4 findings in this report.",
    ],
)
def test_the_page_says_it_without_a_script(fact: str) -> None:
    assert fact in page(deep_sample()).text()


@pytest.mark.rule("A50")
def test_sections_that_do_not_apply_are_left_out() -> None:
    quick, deep = set(values(page(sample()), "id")), set(values(page(deep_sample()), "id"))
    assert deep - quick >= {"chains", "paths", "rejected", "gates", "rounds", "controls", "semgrep", "validation"}
    links = [value[1:] for tag, name, value in page(sample()).attributes if (tag, name) == ("a", "href")]
    assert set(links) <= quick


def test_every_link_leads_somewhere_inside_the_page() -> None:
    parsed = page(deep_sample())
    links = [value for tag, name, value in parsed.attributes if (tag, name) == ("a", "href")]
    assert len(links) > 10
    assert {link[1:] for link in links} <= set(values(parsed, "id"))
    assert all(link.startswith("#") for link in links)


def test_ids_are_unique() -> None:
    found = values(page(deep_sample()), "id")
    assert len(found) == len(set(found))


def test_the_policy_allows_the_own_script_and_style_and_nothing_else() -> None:
    text = render(deep_sample(), "html")
    content = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    assert content
    rules = dict(part.split(" ", 1) for part in content[1].replace("&#x27;", "'").split("; "))
    hashes = {}
    for name in ("style", "script"):
        bodies = re.findall(rf"<{name}>(.*?)</{name}>", text, re.DOTALL)
        assert len(bodies) == 1
        hashes[name] = f"'sha256-{base64.b64encode(hashlib.sha256(bodies[0].encode()).digest()).decode()}'"
    assert rules == {
        "default-src": "'none'",
        "script-src": hashes["script"],
        "style-src": hashes["style"],
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
        "require-trusted-types-for": "'script'",
        "trusted-types": "'none'",
    }
    assert text.index("Content-Security-Policy") < text.index("<style>") < text.index("<script")


def test_the_script_never_makes_html_of_a_string() -> None:
    script = render(sample(), "html").rsplit("<script>", 1)[1]
    for word in (
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "eval(",
        "Function(",
        "fetch(",
        "http:",
        "https:",
    ):
        assert word not in script.replace("http://www.w3.org/2000/svg", "")


def test_a_long_flow_keeps_both_ends_and_says_so() -> None:
    step = (sql_injection().flow or Flow(())).steps[1]
    report = sample()
    long = replace(report.findings[2], finding=replace(sql_injection(), flow=Flow((step,) * 100)))
    text = page(replace(report, findings=(long,))).text()
    assert all(f" {number}. " in text for number in (1, MAX_STEPS // 2, 100 - MAX_STEPS // 2 + 1, 100))
    assert f" {MAX_STEPS // 2 + 1}. " not in text
    assert "… 40 more steps; the JSON report lists them all" in text


@pytest.mark.rule("A68")
def test_the_map_is_a_section_of_the_page_and_in_no_other_format() -> None:
    parsed = page(compared_sample())
    assert {"map", "map-routes", "map-sinks", "map-unread"} <= set(values(parsed, "id"))
    assert "map-files" not in values(parsed, "id"), "a part without rows is omitted"
    assert '@login_required("login")' in parsed.text()
    assert "#map" in values(parsed, "href")
    assert "map" not in values(page(sample()), "id")
    assert "map" not in json.loads(render(compared_sample(), "json"))


def test_no_findings_is_said() -> None:
    parsed = page(replace(sample(), findings=()))
    assert "Findings None." in parsed.text()
    assert "filters" not in values(parsed, "id")


def test_two_thousand_findings_stay_under_eight_megabytes() -> None:
    text = render(many(2_000), "html")
    assert text.count('<li class="finding ') == 2_000
    assert len(text.encode()) < 8_000_000


def test_findings_beyond_the_limit_of_a_page_are_counted() -> None:
    text = render(replace(sample(), findings=sample().findings[1:2] * (MAX_FINDINGS + 7)), "html")
    assert text.count('<li class="finding ') == MAX_FINDINGS
    assert "and 7 more; the JSON report lists them all." in text


@cache
def harmless() -> list[str]:
    return page(poisoned("harmless")).tags


def assert_inert(payload: str) -> None:
    text = render(poisoned(payload), "html")
    text.encode()
    assert unseen(text, " \n") == []
    parsed = Page(text)
    assert parsed.tags == harmless()
    assert {name for _, name, _ in parsed.attributes} <= OWN_ATTRIBUTES
    assert all(link.startswith(("#", "data:image/svg+xml,%3Csvg ")) for link in values(parsed, "href"))


@pytest.mark.rule("X11")
@pytest.mark.parametrize("payload", [each for each in (*PAYLOADS, *HTML_PAYLOADS) if each.strip()])
def test_no_payload_changes_the_page(payload: str) -> None:
    assert_inert(payload)


@pytest.mark.rule("X11")
@settings(max_examples=examples(30), deadline=None)
@given(hostile_text.filter(lambda text: bool(text.strip(" \t\r\n"))))
def test_no_text_changes_the_page(payload: str) -> None:
    assert_inert(payload)

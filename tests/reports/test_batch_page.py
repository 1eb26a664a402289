"""The report over all targets in a real browser and as a table: sorts, filters, fits a telephone, and nothing in it acts."""

import csv
import io
import json
import re
from collections.abc import Iterator

import jsonschema
import pytest
from browser import Site, chromium, site
from payloads import HTML_PAYLOADS, PAYLOADS
from selenium import webdriver
from selenium.webdriver.common.by import By

from counterproof.model.batch import Job, Order, Outcome, Row, Spent, State, Target
from counterproof.reports import batch
from counterproof.reports.batch import BatchReport
from counterproof.reports.batch.table import text_cell
from counterproof.reports.schema import batch_schema


def row(place: int, name: str, counts: tuple[int, int, int, int], code: int = 1, state: State = State.DONE) -> Row:
    target = Target(f"/srv/{name}", "main")
    findings = tuple(f"{name}{number}" for number in range(sum(counts)))
    outcome = Outcome(
        code, f"verdict of {name}", counts, place, (8, 10), (f"limit of {name}",), Spent(1_000, 20_000), 12.5, target.folder,
        findings=findings, codes=(code,),
    )  # fmt: skip
    return Row(place, target, state, Job("key", target, "c0ffee" * 6), outcome)


def sample(*more: Row) -> BatchReport:
    rows = (
        row(0, "alpha", (0, 2, 1, 0)),
        row(1, "beta", (3, 0, 0, 0)),
        row(2, "gamma", (0, 0, 0, 0), 0),
        Row(3, Target("/srv/delta"), State.FAILED, outcome=Outcome(3, "the fetch failed")),
        Row(4, Target("/srv/omega")),
        *more,
    )
    before = (row(0, "alpha", (0, 1, 0, 0)).outcome, *(None,) * (len(rows) - 1))
    order = Order("20261116-000000-abcdef", "/srv/list.txt", tuple(each.target for each in rows))
    return BatchReport(order, "2026-11-16T00:00:00Z", "", rows, before, compared=True)


def poisoned() -> BatchReport:
    rows = tuple(
        Row(
            5 + place,
            Target(f"/srv/{text}", text, (text,)),
            State.DONE,
            outcome=Outcome(1, text, (1, 0, 0, 0), limits=(text,), folder=Target(f"/srv/{text}", text, (text,)).folder),
        )
        for place, text in enumerate((*PAYLOADS, *HTML_PAYLOADS))
    )
    return sample(*rows)


def files(report: BatchReport) -> dict[str, str]:
    return dict(batch.rendered(report))


def test_the_markdown_says_what_the_page_says_and_nothing_in_it_acts() -> None:
    text = files(sample())["index.md"]
    assert "# Security audits of 5 targets" in text
    assert "| beta | findings | 3 | 0 | 0 | 0 | 8/10 |" in text
    assert "| omega | paused | – | – | – | – | – |" in text
    poison = files(poisoned())["index.md"]
    assert "<script" not in poison
    assert "](http" not in re.sub(r"`[^`\n]*`", "", poison), "a link stands in a code span alone"


def test_the_document_fits_its_schema_and_says_what_is_new() -> None:
    document = json.loads(files(poisoned())["batch.json"])
    jsonschema.validate(document, batch_schema())
    document = json.loads(files(sample())["batch.json"])
    assert [each["name"] for each in document["targets"]] == ["delta", "omega", "beta", "alpha", "gamma"]
    assert document["exit_code"] == 6  # one is left to do
    assert document["totals"]["counts"] == {"critical": 3, "high": 2, "medium": 1, "low": 0, "posture": 3}
    alpha = next(each for each in document["targets"] if each["name"] == "alpha")
    assert (alpha["new"], alpha["gone"]) == (2, 0)
    assert (document["totals"]["tokens"], document["totals"]["cost_usd"]) == (3_000, "0.06")


@pytest.mark.rule("X11")
def test_no_cell_of_the_table_is_a_formula_or_breaks_a_line() -> None:
    text = files(poisoned())["batch.csv"]
    cells = [cell for each in csv.reader(io.StringIO(text, newline="")) for cell in each]
    assert not [cell for cell in cells if cell[:1] in "=+-@\t\r" and cell]
    assert text.count("\r\n") == len(poisoned().rows) + 1
    assert not [each for each in text if ord(each) < 32 and each not in "\r\n"]
    assert [text_cell(each) for each in ("=1+1", "-2", "@x", "\t=1", "+1", "plain")] == [
        "'=1+1",
        "'-2",
        "'@x",
        "'=1",
        "'+1",
        "plain",
    ]


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    with chromium(tmp_path_factory.mktemp("profile")) as found:
        yield found


@pytest.fixture
def server() -> Iterator[Site]:
    with site() as served:
        yield served


def opened(browser: webdriver.Chrome, server: Site, report: BatchReport) -> None:
    server.page = files(report)["index.html"].encode()
    browser.get(f"{server.origin}/report.html")


def names(browser: webdriver.Chrome) -> list[str]:
    rows = browser.find_elements(By.CSS_SELECTOR, "#findings tbody tr")
    return [each.find_element(By.TAG_NAME, "td").text.split(" ")[0] for each in rows if each.is_displayed()]


def test_targets_sort_and_filter(browser: webdriver.Chrome, server: Site) -> None:
    opened(browser, server, sample())
    assert names(browser) == ["delta", "omega", "beta", "alpha", "gamma"]
    heads = {each.text: each for each in browser.find_elements(By.CSS_SELECTOR, "th button")}
    heads["Target"].click()
    assert names(browser) == ["alpha", "beta", "delta", "gamma", "omega"]
    heads["High"].click()
    heads["High"].click()
    assert names(browser)[0] == "alpha"
    assert heads["High"].find_element(By.XPATH, "..").get_attribute("aria-sort") == "descending"
    browser.find_element(By.ID, "table-filter").send_keys("beta")
    assert names(browser) == ["beta"]
    assert browser.find_element(By.ID, "table-count").text == "1 of 5 rows"
    assert not [each for each in browser.get_log("browser") if each["level"] == "SEVERE"]


def test_a_narrow_screen_needs_no_sideways_scrolling(browser: webdriver.Chrome, server: Site) -> None:
    long = Row(
        5, Target("/srv/" + "x" * 200), State.DONE, outcome=Outcome(1, "y" * 250, (10, 0, 0, 0), limits=("z" * 250,), folder="f")
    )
    try:
        browser.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride", {"width": 375, "height": 800, "deviceScaleFactor": 1, "mobile": False}
        )
        opened(browser, server, sample(long))
        browser.execute_script("for (const each of document.querySelectorAll('details')) each.open = true;")
        assert browser.execute_script("return document.documentElement.scrollWidth") <= 375
        assert browser.find_element(By.ID, "table-filter").is_displayed()
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@pytest.mark.rule("X11")
def test_nothing_from_a_target_acts_on_the_page(browser: webdriver.Chrome, server: Site) -> None:
    opened(browser, server, poisoned())
    browser.execute_script("for (const each of document.querySelectorAll('details')) each.open = true;")
    found = browser.execute_script(
        "return [document.scripts.length, document.querySelectorAll('style').length, window.canary ?? null,"
        " document.querySelectorAll('img, iframe, object, embed, form, base').length,"
        " [...document.querySelectorAll('#findings a')].map((each) => each.getAttribute('href'))]"
    )
    assert found[:4] == [1, 1, None, 0]
    assert all(each.startswith("targets/") and each.endswith("/report.html") and ".." not in each for each in found[4])
    assert server.requests == ["/report.html"]

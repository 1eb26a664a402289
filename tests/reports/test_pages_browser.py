"""The pages of audits, reviews and verifications in a real browser: one frame, and code around the line in question."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from browser import chromium
from sample_report import sample
from selenium import webdriver
from selenium.webdriver.common.by import By
from test_html_browser import CONTRAST, OPEN_ALL
from test_review_page import report as review_sample

from counterproof.model.excerpt import Excerpt
from counterproof.model.plan.challenge import Challenge, Confidence, Raiser, Weight
from counterproof.model.plan.contract import Grounds
from counterproof.model.plan.iteration import Quality, Team, Verdict
from counterproof.model.plan.report import PlanReport
from counterproof.reports import plan, render, review

LONG = "x" * 400
CODE = Excerpt(2, ("def charge(order):", "    for item in order:", f"\t\tpay(item, {LONG!r})  # twice", "    return None"))


def audit_page() -> str:
    told = sample()
    return render(replace(told, findings=tuple(_with_code(each) for each in told.findings)), "html")


def _with_code(each: Any) -> Any:
    place = replace(each.finding.location, start=4, end=4)
    return replace(each, finding=replace(each.finding, location=place, excerpt=CODE))


def review_page() -> str:
    told = review_sample()
    (voted,) = told.resolved
    finding = replace(voted.finding, excerpt=CODE, location=replace(voted.finding.location, start=4, end=4))
    return review.render(replace(told, resolved=(replace(voted, finding=finding),)), "html")


def plan_page() -> str:
    about = ("pay is called once", "pay is called twice", "the customer pays twice", "call it once")
    challenge = Challenge("C1", Raiser.CHALLENGER, *about, Weight.BLOCKING, Confidence.HIGH, 1)
    grounds = Grounds("C1", plan_lines=(2,), places=("shop/charge.py:4",))
    told = PlanReport(
        *("plan.md", "0" * 64, "Charge once", Verdict.REVISE, "One challenge stands.", "Revise the plan."),
        quality=Quality.RICH,
        complexity=(),
        team=Team.BASE,
        iterations=(),
        challenges=(challenge,),
        grounds=(grounds,),
        lines=(("plan:2", "- call pay"), ("shop/charge.py:4", "pay(item)")),
        excerpts=(("plan:2", Excerpt(1, ("# Charge once", "- call pay"))), ("shop/charge.py:4", CODE)),
    )
    return plan.render(told, "html")


PAGES = {"audit": audit_page, "review": review_page, "plan": plan_page}


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    with chromium(tmp_path_factory.mktemp("profile")) as browser:
        yield browser


@pytest.fixture(params=PAGES)
def page(driver: webdriver.Chrome, tmp_path: Path, request: pytest.FixtureRequest) -> webdriver.Chrome:
    """One of the pages, with everything opened."""
    path = tmp_path / "report.html"
    path.write_text(PAGES[request.param](), encoding="utf-8", newline="\n")
    driver.get_log("browser")
    driver.get(path.as_uri())
    driver.execute_script(OPEN_ALL)
    return driver


def test_the_code_around_the_line_has_numbers_and_indentation(page: webdriver.Chrome) -> None:
    block = page.find_elements(By.CSS_SELECTOR, "li.finding ol.code")[-1]
    rows = block.find_elements(By.CSS_SELECTOR, "li")
    assert block.get_attribute("start") == "2"
    texts = [str(row.get_property("textContent")) for row in rows]
    assert texts[:2] == ["def charge(order):", "    for item in order:"]
    assert texts[2].startswith("        pay(item")  # a tab is four columns here
    assert [bool(row.find_elements(By.TAG_NAME, "mark")) for row in rows] == [False, False, True, False]
    assert rows[0].find_element(By.CSS_SELECTOR, ".k").text == "def"
    style = "const style = getComputedStyle(arguments[0]); return [style.whiteSpace, style.listStyleType]"
    assert page.execute_script(style, block) == ["pre-wrap", "decimal"]
    assert page.get_log("browser") == []


@pytest.mark.parametrize("width", [375, 1280])
def test_nothing_sticks_out_and_every_text_has_contrast(page: webdriver.Chrome, width: int) -> None:
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        assert page.execute_script("return document.documentElement.scrollWidth") <= width
        seen: list[tuple[float, str, str]] = page.execute_script(CONTRAST)
        assert [each for each in seen if each[0] < 4.5] == []
    finally:
        page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_the_frame_is_the_same(page: webdriver.Chrome) -> None:
    found = page.find_elements(By.CSS_SELECTOR, "body > header .brand, nav, main, #theme, .verdict .headline, #filters, #count")
    assert [each.tag_name for each in found] == ["span", "button", "nav", "main", "p", "p", "div"]
    page.find_element(By.ID, "filter-text").send_keys("nothing like it")
    assert page.find_element(By.ID, "nothing").is_displayed()

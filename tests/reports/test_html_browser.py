"""The HTML report in a real browser: it works, it can be used without a mouse, and nothing from the reviewed code acts (X11)."""

import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from browser import Site, chromium, site
from payload_grid import MARKDOWN, PAGES
from payloads import HTML_PAYLOADS, PAYLOADS
from sample_report import compared_sample, deep_sample, gallery, many, poisoned, sample
from selenium import webdriver
from selenium.common.exceptions import NoAlertPresentException
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.select import Select

from counterproof.model.report import Report
from counterproof.reports import inert, render

ALLOWED = {
    *("A", "BODY", "BUTTON", "CODE", "DATALIST", "DD", "DETAILS", "DIV", "DL", "DT", "FIELDSET", "H1", "H2", "H3", "H4", "HEAD"),
    *(
        "HEADER",
        "HTML",
        "INPUT",
        "LABEL",
        "LEGEND",
        "LI",
        "LINK",
        "MAIN",
        "MARK",
        "META",
        "NAV",
        "NOSCRIPT",
        "OL",
        "OPTION",
        "P",
        "PRE",
    ),
    *("SCRIPT", "SECTION", "SELECT", "SPAN", "STRONG", "STYLE", "SUMMARY", "TABLE", "TBODY", "TD", "TFOOT", "TH", "THEAD"),
    *("TITLE", "TR", "UL", "path", "rect", "svg"),
}

BY_HAND = [each for each in (*HTML_PAYLOADS, *PAYLOADS) if each.strip()]
PAGE_GRID = (*PAGES, *MARKDOWN, *BY_HAND)

OPEN_ALL = "for (const each of document.querySelectorAll('details')) each.open = true;"

INSPECT = """
const every = [...document.querySelectorAll('*')];
const attributes = every.flatMap((each) => [...each.attributes].map((one) => [each.tagName, one.name, one.value]));
return {
  tags: [...new Set(every.map((each) => each.tagName))],
  scripts: document.scripts.length,
  styles: document.querySelectorAll('style').length,
  metas: document.querySelectorAll('meta').length,
  handlers: attributes.filter(([, name]) => name.startsWith('on') || name === 'style'),
  links: attributes.filter(([tag, name]) => ['href', 'src', 'action', 'xlink:href'].includes(name) && tag !== 'LINK')
    .map(([, , value]) => value).filter((value) => !value.startsWith('#')),
  canary: window.canary ?? null,
  coloured: document.querySelectorAll('[data-coloured]').length,
  rows: document.querySelectorAll('li.finding').length,
  impact: document.querySelector('li.finding .impact + p').textContent,
};
"""

CONTRAST = """
const channel = (value) => { value /= 255; return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4; };
const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
const pixel = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
const numbers = (colour) => {
  pixel.clearRect(0, 0, 1, 1);
  pixel.fillStyle = colour;
  pixel.fillRect(0, 0, 1, 1);
  return [...pixel.getImageData(0, 0, 1, 1).data];
};
function behind(node) {
  for (let each = node; each; each = each.parentElement) {
    const found = numbers(getComputedStyle(each).backgroundColor);
    if (found[3] === 255) return found;
  }
  return numbers(getComputedStyle(document.body).backgroundColor);
}
const seen = [];
for (const node of document.querySelectorAll('body *')) {
  const words = [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim());
  if (!words || !node.checkVisibility() || node.closest('svg, script, noscript, .unseen')) continue;
  const [a, b] = [light(numbers(getComputedStyle(node).color)), light(behind(node))];
  seen.push([(Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), node.className, node.textContent.slice(0, 30)]);
}
return seen;
"""


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    with chromium(tmp_path_factory.mktemp("profile")) as browser:
        yield browser


@pytest.fixture
def served() -> Iterator[Site]:
    with site() as one:
        yield one


def show(driver: webdriver.Chrome, folder: Path, report: Report, fragment: str = "") -> None:
    path = folder / "report.html"
    path.write_text(render(report, "html"), encoding="utf-8", newline="\n")
    console(driver)
    driver.get("about:blank")
    driver.get(path.as_uri() + fragment)


def console(driver: webdriver.Chrome) -> list[str]:
    entries: list[dict[str, Any]] = driver.get_log("browser")
    return [entry["message"] for entry in entries]


def requested(driver: webdriver.Chrome) -> list[str]:
    entries: list[dict[str, Any]] = driver.get_log("performance")
    messages = [json.loads(entry["message"])["message"] for entry in entries]
    urls = [each["params"]["request"]["url"] for each in messages if each["method"] == "Network.requestWillBeSent"]
    return [url for url in urls if not url.startswith(("about:", "chrome:", "chrome-untrusted:", "data:"))]


def shown_rows(driver: webdriver.Chrome) -> list[str]:
    return driver.execute_script(
        "return [...document.querySelectorAll('li.finding:not([hidden]) details')].map((each) => each.id)"
    )


def by_id(driver: webdriver.Chrome, name: str) -> WebElement:
    return driver.find_element(By.ID, name)


def run(driver: webdriver.Chrome, script: str) -> Any:
    return driver.execute_script(script)


def assert_no_dialog(driver: webdriver.Chrome) -> None:
    with pytest.raises(NoAlertPresentException):
        _ = driver.switch_to.alert.text


def reachable(payload: str, origin: str) -> str:
    """A payload that asks a server which would notice."""
    here = payload.replace("ORIGIN", origin).replace("https://evil.example", f"{origin}/evil")
    return here.replace("//evil.example", f"{origin[5:]}/evil")


@pytest.mark.nightly
@pytest.mark.rule("X11")
@pytest.mark.parametrize("payload", BY_HAND)
def test_a_payload_written_by_hand_does_not_act_in_any_part_of_the_page(
    driver: webdriver.Chrome, served: Site, payload: str
) -> None:
    payload = reachable(payload, served.origin)
    served.page = render(poisoned(payload), "html").encode()
    requested(driver)
    driver.get(f"{served.origin}/report.html")
    run(driver, OPEN_ALL)
    driver.execute_async_script("requestAnimationFrame(() => setTimeout(arguments[0]))")  # after the events of opening
    by_id(driver, "filter-text").send_keys("x")
    assert_no_dialog(driver)
    found = run(driver, INSPECT)
    assert found["canary"] is None
    assert set(found["tags"]) <= ALLOWED
    assert (found["scripts"], found["styles"], found["metas"]) == (1, 1, 5)
    assert found["handlers"] == []
    assert found["links"] == []
    assert found["coloured"] == found["rows"] == 4
    assert " ".join(found["impact"].split()) == inert.line(payload)
    assert driver.current_url.split("#")[0] == f"{served.origin}/report.html"
    assert console(driver) == []
    assert served.requests == ["/report.html"]
    assert set(requested(driver)) == {f"{served.origin}/report.html"}


@pytest.mark.rule("X11")
@pytest.mark.parametrize("part", range(3))
def test_no_payload_acts(driver: webdriver.Chrome, served: Site, part: int) -> None:
    """Hundreds of findings in one page, each poisoned all through, all opened, filtered and printed."""
    shown = tuple(reachable(each, served.origin) for each in PAGE_GRID[part::3])
    served.page = render(gallery(shown), "html").encode()
    requested(driver)
    driver.get(f"{served.origin}/report.html")
    run(driver, OPEN_ALL)
    by_id(driver, "filter-text").send_keys("x")
    run(driver, "dispatchEvent(new Event('beforeprint')); dispatchEvent(new Event('afterprint'));")
    assert_no_dialog(driver)
    found = run(driver, INSPECT)
    assert found["canary"] is None
    assert set(found["tags"]) <= ALLOWED
    assert (found["scripts"], found["styles"], found["metas"], found["rows"]) == (1, 1, 5, len(shown))
    assert found["handlers"] == found["links"] == []
    impacts = run(driver, "return [...document.querySelectorAll('.impact + p')].map((each) => each.textContent)")
    assert [" ".join(each.split()) for each in impacts] == [inert.line(each) for each in shown]
    assert driver.current_url.split("#")[0] == f"{served.origin}/report.html"
    assert console(driver) == []
    assert served.requests == ["/report.html"]
    assert set(requested(driver)) == {f"{served.origin}/report.html"}


@pytest.mark.rule("X11")
def test_the_policy_stops_what_an_escape_might_miss(driver: webdriver.Chrome, served: Site) -> None:
    """The second wall, tried without the first: hostile elements are put into the page as they are."""
    hostile = (
        f"<script>window.canary=1</script><img src='{served.origin}/leak.png' onerror='window.canary=2'>"
        f"<iframe src='{served.origin}/leak'></iframe><link rel=stylesheet href='{served.origin}/leak.css'>"
        "<svg onload='window.canary=3'></svg><style>body{display:none}</style>"
    )
    served.page = render(sample(), "html").replace('<main id="main">', f'<main id="main">{hostile}').encode()
    driver.get(f"{served.origin}/report.html")
    assert run(driver, "return [window.canary ?? null, getComputedStyle(document.body).display]") == [None, "block"]
    assert served.requests == ["/report.html"]
    assert len(console(driver)) >= 5
    with pytest.raises(Exception, match="TrustedHTML"):
        run(driver, "document.body.innerHTML = '<p>x</p>'")


def test_opening_a_finding_shows_its_flow(driver: webdriver.Chrome, tmp_path: Path) -> None:
    show(driver, tmp_path, deep_sample())
    finding = by_id(driver, "C-01")
    flow = finding.find_element(By.CSS_SELECTOR, "h4.flow + pre")
    assert not flow.is_displayed()
    finding.find_element(By.TAG_NAME, "summary").click()
    steps = [line for line in flow.text.split("\n") if line[:1].isdigit()]
    assert [step.partition(":")[0] for step in steps] == [
        "1. source at shop/orders.py",
        "2. call at shop/orders.py",
        "3. sink at shop/orders.py",
    ]
    assert "name = request.args['name']" in flow.text
    text = finding.text
    for fact in (
        "login_required is not applied to search()",
        "curl 'http://localhost:5000/orders?name=%27%20OR%201=1--'",
        "three resolved steps",
        "5  in sum: critical",
        "shown as critical; the finder said high",
        "shop/orders.py:77",
    ):
        assert fact in text
    assert len(finding.find_elements(By.CSS_SELECTOR, "h4.validation + ul li")) == 4
    assert console(driver) == []


def test_filters_narrow_the_list(driver: webdriver.Chrome, tmp_path: Path) -> None:
    show(driver, tmp_path, deep_sample())
    count, search, file = by_id(driver, "count"), by_id(driver, "filter-text"), by_id(driver, "filter-file")
    assert count.get_attribute("aria-live") == "polite"
    assert count.text == "4 findings"
    driver.find_element(By.CSS_SELECTOR, "input[value=critical]").click()
    assert shown_rows(driver) == ["H-01", "M-01", "L-01"]
    search.send_keys("CWE-328")
    assert (shown_rows(driver), count.text) == (["M-01"], "1 of 4 findings")
    by_id(driver, "filter-reset").click()
    assert len(shown_rows(driver)) == 4
    file.send_keys("shop/SESSION")
    assert shown_rows(driver) == ["H-01"]
    file.clear()
    file.send_keys(Keys.BACKSPACE)
    by_id(driver, "filter-dimension").send_keys("D8")
    assert shown_rows(driver) == ["L-01"]
    search.send_keys("no such thing")
    assert shown_rows(driver) == []
    assert by_id(driver, "nothing").is_displayed()


def test_a_comparison_can_be_filtered_by_what_is_new(driver: webdriver.Chrome, tmp_path: Path) -> None:
    show(driver, tmp_path, compared_sample())
    fate = by_id(driver, "filter-fate")
    assert fate.accessible_name == "Since the earlier run"
    Select(fate).select_by_value("new")
    assert shown_rows(driver) == ["C-01", "H-01"]
    Select(fate).select_by_value("accepted")
    assert shown_rows(driver) == ["L-01"]
    assert "accepted by ops@example.org until 2027-01-31: internal host" in by_id(driver, "accepted").text
    assert "Open redirect after login" in by_id(driver, "fixed").text
    show(driver, tmp_path, sample())
    for absent in ("filter-fate", "accepted", "fixed", "roots"):
        assert driver.find_elements(By.ID, absent) == []


def test_the_keyboard_is_enough(driver: webdriver.Chrome, tmp_path: Path) -> None:
    show(driver, tmp_path, deep_sample())
    body = driver.find_element(By.TAG_NAME, "body")
    body.send_keys(Keys.TAB)
    first = driver.switch_to.active_element
    assert first.text == "Skip to the content"
    assert run(driver, "return getComputedStyle(document.activeElement).outlineStyle") == "solid"
    body.send_keys("/")
    assert driver.switch_to.active_element.get_attribute("id") == "filter-text"
    driver.switch_to.active_element.send_keys("pickle/")
    assert shown_rows(driver) == []
    driver.switch_to.active_element.send_keys(Keys.BACKSPACE)
    assert shown_rows(driver) == ["H-01"]
    driver.switch_to.active_element.send_keys(Keys.ESCAPE)
    assert len(shown_rows(driver)) == 4
    for _ in range(4):
        driver.switch_to.active_element.send_keys(Keys.TAB)
    assert driver.switch_to.active_element.tag_name == "summary"
    driver.switch_to.active_element.send_keys(Keys.ENTER)
    assert by_id(driver, "C-01").get_attribute("open") == "true"
    assert by_id(driver, "C-01").find_element(By.CSS_SELECTOR, ".flow + pre").is_displayed()


def test_controls_have_names_and_headings_do_not_jump(driver: webdriver.Chrome, tmp_path: Path) -> None:
    show(driver, tmp_path, compared_sample())
    run(driver, OPEN_ALL)
    controls = driver.find_elements(By.CSS_SELECTOR, "input, select, button, summary, nav a")
    assert len(controls) > 20
    assert [each.get_attribute("outerHTML") for each in controls if not each.accessible_name.strip()] == []
    levels: list[int] = run(
        driver, "return [...document.querySelectorAll('h1, h2, h3, h4')].map((each) => Number(each.tagName[1]))"
    )
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(later <= earlier + 1 for earlier, later in pairwise(levels))
    assert [each.aria_role for each in driver.find_elements(By.CSS_SELECTOR, "body > header, nav, main, #filters")] == [
        "banner",
        "navigation",
        "main",
        "search",
    ]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_text_has_contrast(driver: webdriver.Chrome, tmp_path: Path, theme: str) -> None:
    features = [{"name": "prefers-color-scheme", "value": theme}]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    show(driver, tmp_path, compared_sample())
    run(driver, OPEN_ALL)
    seen: list[tuple[float, str, str]] = run(driver, CONTRAST)
    assert len(seen) > 300
    assert [each for each in seen if each[0] < 4.5] == []
    assert by_id(driver, "theme").get_attribute("aria-pressed") == str(theme == "dark").lower()
    before = run(driver, "return getComputedStyle(document.body).backgroundColor")
    by_id(driver, "theme").click()
    assert run(driver, "return getComputedStyle(document.body).backgroundColor") != before
    assert min(ratio for ratio, _, _ in run(driver, CONTRAST)) >= 4.5


@pytest.mark.parametrize("width", [375, *(pytest.param(each, marks=pytest.mark.nightly) for each in (768, 1280))])
def test_nothing_sticks_out_of_the_page(driver: webdriver.Chrome, tmp_path: Path, width: int) -> None:
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        for report in (compared_sample(), poisoned("x" * 5_000)):
            show(driver, tmp_path, report)
            run(driver, OPEN_ALL)
            assert run(driver, "return document.documentElement.scrollWidth") <= width
    finally:
        driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_a_link_to_a_finding_opens_it(driver: webdriver.Chrome, tmp_path: Path) -> None:
    show(driver, tmp_path, deep_sample(), "#H-01")
    assert by_id(driver, "H-01").get_attribute("open") == "true"
    by_id(driver, "filter-text").send_keys("nothing like it")
    run(driver, "location.hash = '#M-01'; dispatchEvent(new Event('hashchange'))")
    assert "M-01" in shown_rows(driver)
    assert by_id(driver, "M-01").find_element(By.CSS_SELECTOR, ".flow + pre").is_displayed()


def test_paper_gets_what_matters(driver: webdriver.Chrome, tmp_path: Path) -> None:
    show(driver, tmp_path, deep_sample())
    opened = "[...document.querySelectorAll('li.finding details[open]')].map((each) => each.id)"
    run(driver, f"addEventListener('beforeprint', () => {{ window.printed = {opened}; }})")
    printed = driver.execute_cdp_cmd("Page.printToPDF", {})
    assert printed["data"].startswith("JVBERi0")
    assert run(driver, "return window.printed") == ["C-01", "H-01"]
    assert run(driver, "return document.querySelectorAll('li.finding details[open]').length") == 0


def test_two_thousand_findings_do_not_lag(driver: webdriver.Chrome, tmp_path: Path) -> None:
    show(driver, tmp_path, many(2_000))
    # What makes it quick, not how quick this machine is: only rows near the screen are laid out and coloured.
    assert run(driver, "return document.querySelectorAll('*').length") < 120_000
    styles = "return [...document.querySelectorAll('li.finding')].map((each) => getComputedStyle(each).contentVisibility)"
    assert set(run(driver, styles)) == {"auto"}
    assert run(driver, "return document.querySelectorAll('[data-coloured]').length") == 0
    search = by_id(driver, "filter-text")
    search.send_keys("value_77_7")
    assert by_id(driver, "count").text == "1 of 2,000 findings"
    search.send_keys(Keys.ESCAPE)
    assert by_id(driver, "count").text == "2,000 findings"
    last = driver.find_elements(By.CSS_SELECTOR, "li.finding")[-1]
    assert last.accessible_name == "low L-908 Request parameter reaches statement 1999 of the billing service"

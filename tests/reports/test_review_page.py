"""The HTML report of a review: votes at a glance, and nothing of the reviewed text that could act."""

from dataclasses import replace
from html.parser import HTMLParser

from counterproof.model.location import at
from counterproof.model.review.finding import ReviewFinding, Trust
from counterproof.model.review.position import Agreement, Position, Resolution, Resolved, Stance
from counterproof.model.review.profile import Profile, Specialist
from counterproof.model.review.report import ReviewReport, Spending
from counterproof.model.review.scope import Scope, ScopeFile, ScopeKind
from counterproof.model.severity import Confidence, Severity
from counterproof.reports.review import document, render
from counterproof.reports.screen import fitted

HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(1)>]]>\u202e"
TEAM = Profile("code", (Specialist("SEC", "security", ("injection",)), Specialist("CORR", "logic", ("logic",))), ("SEC",))


class Page(HTMLParser):
    """The elements and the visible cells of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[str] = []
        self.cells: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        assert not any(name.startswith("on") for name, _ in attrs)

    def handle_data(self, data: str) -> None:
        self.cells.append(data)


def report() -> ReviewReport:
    finding = ReviewFinding(
        "SEC-001", "SEC", "injection", HOSTILE, "injection", Severity.HIGH, Confidence.HIGH, Trust.NONE, at("a.py", 3),
        HOSTILE * 3, HOSTILE, HOSTILE, HOSTILE,
    )  # fmt: skip
    against = Position("CORR", "SEC-001", Stance.CHALLENGE, None, HOSTILE, at("a.py", 2))
    voted = Resolved(finding, Resolution.ESCALATED, Severity.HIGH, ("SEC", "CORR"), 2, (against,), notes=(HOSTILE,))
    scope = Scope(ScopeKind.DIFF, (ScopeFile("a.py", 10, ((3, 3),)),), ((HOSTILE, HOSTILE),))
    return ReviewReport(TEAM, "default", scope, (voted,), Agreement.NONE, "", notes=(HOSTILE,), limitations=(HOSTILE,))


def test_text_of_the_reviewed_code_stays_text() -> None:
    page = Page(render(report(), "html"))
    assert page.elements.count("script") == 1  # the page's own script, which the policy names by its hash
    assert "img" not in page.elements
    assert "\u202e" not in render(report(), "html")


def test_a_finding_leads_to_its_line_on_the_web() -> None:
    linked = replace(report(), source_url="https://git.example.org/team/app/blob/main/{path}#L{line}")
    assert 'href="https://git.example.org/team/app/blob/main/a.py#L3"' in render(linked, "html")
    assert "Open the source" not in render(report(), "html")


def test_every_specialists_position_is_in_one_row() -> None:
    cells = Page(render(report(), "html")).cells
    start = len(cells) - cells[::-1].index("SEC-001") - 1  # the table of votes comes after the finding
    number, severity, title, *rest = cells[start : start + 6]
    assert (number, severity, rest) == ("SEC-001", "Important", ["found it", "challenges", "Escalated"])
    assert title.startswith("<script>")  # as text
    row = next(line for line in render(report(), "markdown").split("\n") if line.startswith("| SEC-001 | Important | "))
    assert row.endswith(" | found it | challenges | Escalated |")


def test_without_a_model_the_report_lists_unread_source() -> None:
    documents = replace(report(), profile=replace(TEAM, verdicts=True))
    paid = replace(report(), spending=(Spending("SEC", "1", 10),), readers=("SEC",))
    for each, words in ((report(), "No model read the code."), (documents, "No model read the text")):
        told = "\n".join(row.text for row in fitted(document(each).summary))
        assert all(words in text for text in (render(each, "html"), render(each, "markdown"), told))
    assert "No model" not in render(paid, "html") + render(paid, "markdown")


def test_findings_can_be_filtered_by_severity_specialist_and_file() -> None:
    text = render(report(), "html")
    page = Page(text)
    assert page.elements.count("input") == 3  # the one severity that there is, a search, a file
    assert '<option value="CORR">CORR logic</option>' in text
    assert 'data-level="high" data-area="SEC" data-path="a.py"' in text


def test_the_page_says_which_repository_and_range_were_looked_at() -> None:
    told = replace(report(), target="shop")
    scope = replace(told.scope, base="fedcba9876543210", commit="0123456789abcdef")
    ended = render(replace(told, scope=replace(scope, committed=True)), "html")
    assert "Review of </span>shop" in ended
    assert "fedcba987654..0123456789ab" in ended
    assert "fedcba987654..work tree" in render(replace(told, scope=scope), "html")


def test_code_keeps_its_indentation() -> None:
    told = report()
    finding = replace(told.resolved[0].finding, quote="if a:\n    b()\n        c()")
    text = render(replace(told, resolved=(replace(told.resolved[0], finding=finding),)), "html")
    assert "if a:\n    b()\n        c()" in text


def test_summary_note_keeps_the_case_of_a_path_at_its_start() -> None:
    noted = replace(report(), notes=("src/login/Login.js is reviewed as at the commit.", "its own names are missing"))
    shown = [row.text for part in document(noted).summary for row in part.head if row.text.startswith("NOTE")]
    assert shown == ["NOTE      src/login/Login.js is reviewed as at the commit.", "NOTE      its own names are missing."]

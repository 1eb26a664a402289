"""A document as one HTML file, in the frame shared by all pages: target, result, cards that can be filtered and opened.

Invariant: the page is readable without a script. Text is inserted only through `markup`, which escapes it; the policy allows
only the pages' own style and script.
"""

from counterproof.reports.html.frame import contents, heading, page, tiles
from counterproof.reports.html.markup import Markup, tag
from counterproof.reports.html.sections import sections
from counterproof.reports.sections.blocks import Document


def write_page(document: Document) -> str:
    """The whole file, with a newline at its end."""
    links = [("overview", "Overview"), *((each.key, each.title) for each in document.sections if not each.folded)]
    main = (overview(document), *sections(document.sections))
    return page(f"{document.about}{document.target}: {document.result}", document.version, contents(links), main)


def overview(document: Document) -> Markup:
    """The target and the result."""
    outcome = tag(
        "div",
        tag("p", "Result", class_="eyebrow"),
        tag("p", document.result, class_="headline"),
        *(tag("p", each, class_="quiet") for each in document.said if each),
        class_=f"outcome {document.tone}",
    )
    counts = (tag("div", tiles(document.counts), class_="counts"),) if document.counts else ()
    return tag(
        "section",
        heading(document.kind, document.about, document.target, document.facts),
        tag("h2", "Overview", id="overview-title", class_="unseen"),
        tag("div", outcome, *counts, class_="verdict"),
        *(_notice(each) for each in document.notices if each),
        id="overview",
        aria_labelledby="overview-title",
    )


def _notice(text: str) -> Markup:
    return tag("p", tag("span", "!", class_="sign", aria_hidden="true"), tag("span", text), class_="banner")

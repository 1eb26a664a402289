"""A document as one HTML file, in the frame shared by all pages: target, result, cards that can be filtered and opened.

Invariant: the page is readable without a script. Text is inserted only through `markup` and the island, which escape it; the
policy allows only the pages' own style and script.
"""

from collections.abc import Iterator

from counterproof.reports import inert
from counterproof.reports.html.frame import contents, heading, page, tiles
from counterproof.reports.html.island import Node, Texts
from counterproof.reports.html.markup import Markup, tag
from counterproof.reports.html.sections import section
from counterproof.reports.sections.blocks import Cards, Document


def write_page(document: Document) -> str:
    """The whole file, with a newline at its end."""
    links = [("overview", "Overview", ""), *((each.key, each.title, "") for each in document.sections)]
    main = (overview(document), *map(section, document.sections))
    return page(f"{document.about}{document.target}: {document.result}", "", contents(links), main, _island(document))


def overview(document: Document) -> Markup:
    """The target and the result."""
    outcome = tag(
        "div",
        tag("p", "Result", class_="eyebrow"),
        tag("p", document.result, class_="headline"),
        *(tag("p", each, class_="quiet") for each in document.said if each),
        class_=f"outcome {document.tone}",
    )
    return tag(
        "section",
        heading(document.kind, document.about, document.target, document.facts),
        tag("h2", "Overview", id="overview-title", class_="unseen"),
        tag("div", outcome, tag("div", tiles(document.counts), class_="counts"), class_="verdict"),
        *(_notice(each) for each in document.notices if each),
        id="overview",
        aria_labelledby="overview-title",
    )


def _notice(text: str) -> Markup:
    return tag("p", tag("span", "!", class_="sign", aria_hidden="true"), tag("span", text), class_="banner")


def _island(document: Document) -> dict[str, object]:
    """The data for the filters; the cards' contents are already in the page."""
    texts = Texts()
    rows = list(_nodes(document, texts))
    return {"findings": rows, "text": list(texts.known), "chains": []}


def _nodes(document: Document, texts: Texts) -> Iterator[Node]:
    for each in document.sections:
        for block in each.blocks:
            if isinstance(block, Cards):
                for card in block.rows:
                    yield [card.level, card.area, texts.add(card.path, inert.MAX_CODE), texts.add(""), [], [], []]

"""The frame shared by the pages of audits, reviews, verifications and batches: head, policy, bar, sections, island, script."""

from collections.abc import Iterable, Mapping

from counterproof.reports import inert
from counterproof.reports.html import policy
from counterproof.reports.html.markup import Child, Markup, tag, together

EMPTY: Mapping[str, object] = {"text": [], "findings": [], "chains": []}
"""The island of a page whose findings are complete in the page."""


def page(
    title: str,
    version: str,
    navigation: Markup,
    main: Iterable[Markup],
    island: Mapping[str, object] = EMPTY,
    kind: policy.Page = policy.REPORT,
) -> str:
    """The whole file, ending with a newline. `main` has a section `findings`; `kind` selects style and script."""
    body = (
        tag("a", "Skip to the findings", href="#findings", class_="jump"),
        _brand(version),
        tag("div", navigation, tag("main", together(main), id="main"), class_="frame"),
        tag("script", Markup(inert.island(dict(island))), type="application/json", id="island"),
        tag("script", Markup(policy.script(kind))),
    )
    parts = (
        Markup("<!doctype html>"),
        Markup('<html lang="en">'),
        _head(title, kind),
        tag("body", together(body)),
        Markup("</html>"),
    )
    return together(parts).html + "\n"


def _head(title: str, kind: policy.Page) -> Markup:
    parts = (
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=policy.policy(kind)),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="referrer", content="no-referrer"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("title", title),
        tag("link", rel="icon", href=policy.ICON),
        tag("style", Markup(policy.style(kind))),
    )
    return tag("head", together(parts))


def _brand(version: str) -> Markup:
    """The bar at the top."""
    mark = tag(
        "svg", tag("rect", width="16", height="16", rx="4"), tag("path", d="M4 6h8v4"), viewBox="0 0 16 16", aria_hidden="true"
    )
    name = tag("span", mark, "Counterproof", class_="brand")
    toggle = tag("button", "Dark theme", type="button", id="theme", aria_pressed="false", hidden=True)
    return tag("header", tag("div", name, tag("span", version, class_="version"), toggle, class_="bar"))


def contents(links: Iterable[tuple[str, str, str]]) -> Markup:
    """The list of sections: anchor, title and a figure, '' for none."""
    return tag("nav", tag("ul", *(_link(*each) for each in links)), aria_label="Sections")


def _link(key: str, title: str, figure: str) -> Markup:
    note = (" ", tag("span", figure, class_="figure")) if figure else ()
    return tag("li", tag("a", title, *note, href=f"#{key}"))


def heading(kind: str, quiet: str, target: str, facts: Iterable[str]) -> Markup:
    """The heading: what was audited or reviewed."""
    return tag(
        "div",
        tag("p", kind, class_="eyebrow"),
        tag("h1", tag("span", quiet, class_="quiet"), target),
        tag("p", *(tag("span", each) for each in facts if each), class_="facts"),
        class_="title",
    )


def part(key: str, title: str, *children: Markup) -> Markup:
    """A section of the page with an anchor for the contents."""
    return tag("section", tag("h2", title, id=f"{key}-title"), *children, id=key, aria_labelledby=f"{key}-title")


def bullets(items: Iterable[Child]) -> Markup:
    return tag("ul", *(tag("li", each) for each in items))


def tiles(counts: Iterable[tuple[str, str, int]]) -> Markup:
    """The number of findings of each severity: (style name, word, count)."""
    cells = (
        tag(
            "li",
            tag("span", f"{number:,}", class_="count"),
            tag("span", word, class_="name"),
            class_=level if number else f"{level} zero",
        )
        for level, word, number in counts
    )
    return tag("ul", *cells, class_="tiles", aria_label="Findings by severity")


def row(anchor: str, number: str, level: str, word: str, title: str, about: Iterable[Markup], body: Iterable[Markup]) -> Markup:
    """A finding that opens, with its number. `level` is the style name of its severity, `word` the displayed one."""
    summary = tag(
        "summary",
        tag("span", word, class_=f"level {level}"),
        tag("h3", tag("span", number, class_="number"), " ", tag("span", title, class_="title")),
        tag("span", *about, class_="about"),
    )
    return tag("li", tag("details", summary, tag("div", *body, class_="body"), id=anchor), class_=f"finding {level}")

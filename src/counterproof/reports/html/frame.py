"""The frame shared by all pages: head, policy, bar, sections, script."""

from collections.abc import Iterable

from counterproof.reports.html import policy
from counterproof.reports.html.markup import Markup, tag, together


def page(title: str, version: str, navigation: Markup, main: Iterable[Markup]) -> str:
    """The whole file, ending with a newline."""
    body = (
        tag("a", "Skip to the content", href="#main", class_="jump"),
        _brand(version),
        tag("div", navigation, tag("main", together(main), id="main"), class_="frame"),
        tag("script", Markup(policy.script())),
    )
    parts = (
        Markup("<!doctype html>"),
        Markup('<html lang="en">'),
        _head(title),
        tag("body", together(body)),
        Markup("</html>"),
    )
    return together(parts).html + "\n"


def _head(title: str) -> Markup:
    parts = (
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=policy.policy()),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="referrer", content="no-referrer"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("title", title),
        tag("link", rel="icon", href=policy.ICON),
        tag("style", Markup(policy.style())),
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


def contents(links: Iterable[tuple[str, str]]) -> Markup:
    """The list of sections: anchor and title."""
    return tag("nav", tag("ul", *(tag("li", tag("a", title, href=f"#{key}")) for key, title in links)), aria_label="Sections")


def heading(kind: str, quiet: str, target: str, facts: Iterable[str]) -> Markup:
    """The heading: what was audited or reviewed."""
    return tag(
        "div",
        tag("p", kind, class_="eyebrow"),
        tag("h1", tag("span", quiet, class_="quiet"), target),
        tag("p", *(tag("span", each) for each in facts if each), class_="facts"),
        class_="title",
    )


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

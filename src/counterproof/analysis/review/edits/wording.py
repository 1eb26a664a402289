"""Code as it is shown in a sentence."""

import re

from counterproof.analysis.review.edits.parts import Part

MAX_SHOWN = 90
BRIEF = 50
"""The same in a title that names something else too."""
_SPACED = (
    (" . ", "."),
    (" ?. ", "?."),
    (" ()", "()"),
    ("( ", "("),
    (" )", ")"),
    ("[ ", "["),
    (" ]", "]"),
    (" ,", ","),
    ("! ", "!"),
)

_OPENS = re.compile(r"(?<=[\w\])]) (?=[(\[])")
_WORDS = re.compile(r"(?:^|\W)(?:return|in|of|await|not|and|or|if|is|else|yield|typeof|new|case|throw|raise|assert|while|for)$")
"""After these a bracket opens a value, not a call."""


def shown(part: Part | str, most: int = MAX_SHOWN) -> str:
    """The text of a part without the blanks that comparing put in, cut where it is long."""
    text = part if isinstance(part, str) else part.text
    for spaced, plain in _SPACED:
        text = text.replace(spaced, plain)
    text = _OPENS.sub(lambda found: " " if _WORDS.search(text, max(0, found.start() - 10), found.start()) else "", text)
    return text if len(text) <= most else text[: most - 1] + "…"


def called(callee: Part) -> str:
    """A function by its name: what a method is called on is left out."""
    return f".{shown(callee.parts[-1])}()" if callee.kind == "attribute" else f"{shown(callee)}()"

"""Code as it is shown in a sentence."""

from counterproof.analysis.review.edits.parts import Part

MAX_SHOWN = 90
_SPACED = (
    (" . ", "."),
    (" ?. ", "?."),
    (" ()", "()"),
    (" (", "("),
    ("( ", "("),
    (" )", ")"),
    (" [", "["),
    ("[ ", "["),
    (" ]", "]"),
    (" ,", ","),
    ("! ", "!"),
)


def shown(part: Part | str) -> str:
    """The text of a part without the blanks that comparing put in, cut where it is long."""
    text = part if isinstance(part, str) else part.text
    for spaced, plain in _SPACED:
        text = text.replace(spaced, plain)
    return text if len(text) <= MAX_SHOWN else text[: MAX_SHOWN - 1] + "…"

"""Texts with HTML tags in them, and the values that are put in as they are.

Invariant: values are judged by what made them and what they are called, never by where they come from in the end. Not handled
here: whether anybody sees the text.
"""

import re
from typing import Any

from counterproof.analysis.program.interpolation import Interpolation
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.raw_values import PLAIN, RawValues
from counterproof.analysis.program.words import vocabulary

MARKUP_WORDS = PLAIN | vocabulary(
    """html markup tag tags attrs attributes body content css style rendered widget url href src link icon footer header head
    color colour class cls classes indent page pages media static script template id ids language lang locale"""
)
"""Words of names that hold markup already, or that only the program sets."""
TAG = re.compile(
    r"</?(?:a|b|i|p|div|span|td|tr|th|table|ul|ol|li|h[1-6]|pre|code|title|html|body|head|script|img|form|input|option|select|label|button"
    r"|strong|em|font|small|br|hr|meta|link|style|textarea|iframe|svg)\b[^<]{0,200}[>\x00]",
    re.IGNORECASE,
)
TEXT_WORDS = vocabulary("title name username label description subject comment email message")
"""Words of methods that give plain text: `page.get_title()`."""


def raw_in(outline: Outline, site: Site[Any], built: Interpolation) -> str:
    """The first value that is put in as it is, by its name; '' where all are harmless."""
    escaping = RawValues(outline, site, MARKUP_WORDS, TEXT_WORDS)
    return next((name for name in map(escaping.raw, built.values) if name), "")

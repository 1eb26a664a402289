"""Strings with HTML tags, and the values inserted unescaped.

Invariant: values are judged by their constructing expression and name, never by their ultimate origin. Not handled here: whether
the text is displayed.
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
"""Name words of values that are already markup, or that only the program sets."""
TAG = re.compile(
    r"</?(?:a|b|i|p|div|span|td|tr|th|table|ul|ol|li|h[1-6]|pre|code|title|html|body|head|script|img|form|input|option|select|label|button"
    r"|strong|em|font|small|br|hr|meta|link|style|textarea|iframe|svg)\b[^<]{0,200}[>\x00]",
    re.IGNORECASE,
)
TEXT_WORDS = vocabulary("title name username label description subject comment email message")
"""Name words of methods that return plain text: `page.get_title()`."""


def raw_in(outline: Outline, site: Site[Any], built: Interpolation) -> str:
    """The name of the first value inserted unescaped; '' if all are harmless."""
    escaping = RawValues(outline, site, MARKUP_WORDS, TEXT_WORDS)
    return next((name for name in map(escaping.raw, built.values) if name), "")

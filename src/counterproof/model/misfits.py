"""Rewords validation errors for the author of the value.

Invariant: phrases of the validation library ("Value error", "Input should be …") are removed or turned into plain words; unknown
messages are passed on unchanged. Not handled here: validation itself.
"""

import re

_PLAIN = (
    (re.compile(r"\A(?:Value|Assertion) error, "), ""),
    (re.compile(r"\AInput should be greater than or equal to "), "must be at least "),
    (re.compile(r"\AInput should be less than or equal to "), "must be at most "),
    (re.compile(r"\AInput should be greater than "), "must be more than "),
    (re.compile(r"\AInput should be less than "), "must be less than "),
    (re.compile(r"\AInput should be a valid (?:integer|int)\b.*", re.DOTALL), "must be a whole number"),
    (re.compile(r"\AInput should be a valid (?:number|decimal|float)\b.*", re.DOTALL), "must be a number"),
    (re.compile(r"\AInput should be a valid string\b.*", re.DOTALL), "must be a text"),
    (re.compile(r"\AInput should (?:be )?"), "must be "),
    (re.compile(r"\AField required\Z"), "is missing"),
    (re.compile(r"\AExtra inputs are not permitted\Z"), "is not known here"),
)


def in_plain_words(message: str) -> str:
    """The first pattern that matches the message decides its wording."""
    for pattern, words in _PLAIN:
        said, count = pattern.subn(words, message, count=1)
        if count:
            return said
    return message

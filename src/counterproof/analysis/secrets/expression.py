"""The literals of one expression that follows a secret's name, read from text alone, in whatever language.

Always holds: reading ends with the expression (a comma, a bracket, a line that nothing continues), after a bounded number of
tokens, or at a mark; a literal right behind `=` or `:` is a value, one deeper inside only if it is no name, label or place.
"""

import re
from collections.abc import Callable, Iterator

from counterproof.analysis.secrets.values import is_plain, is_template, is_thought_up

Span = tuple[int, int]

_TOKEN = re.compile(
    r"(?P<blank>[ \t\r]+)|(?P<newline>\\?\n)|[brfuBRFU]{0,2}(?P<text>\"\"\"|'''|\"|'|`)|(?P<word>[A-Za-z_$][\w$.-]*|[0-9][\w.]*)"
    r"|(?P<sign>=>|:=|===?|!==?|[:=])|(?P<open>[(\[{<])|(?P<close>[)\]}>])|(?P<comma>,)|(?P<end>;|‹|#|//)|(?P<other>.)"
)
_JOINING = "+.|?&\\*@%!-"
_GOES_ON = re.compile(r"[ \t]{0,40}[+.]?[ \t]{0,4}[\"'`]")
_TEXT_NEXT = re.compile(r"\s{0,60}[brfu]{0,2}[\"'`]")
_TYPED = re.compile(r"[ \t]{0,4}=[^=]")
_KEY = re.compile(r"[ \t]{0,4}(?:=>|:(?!=)|=(?!=))")
_SCHEME = re.compile(r"(?:[A-Za-z]{3,10}[ \t]{1,3})?")
_PASSING = ("await", "new", "String", "str", "bytes")
_DEFAULTS = ("default", "value", "fallback")
_MAX_AHEAD = 600
_MAX_TOKENS = 24
_MAX_TEXT = 4_000


class Expression:
    """`quoted`: the name is a text itself, as in `"password": …` or `get("PASSWORD", …)`."""

    def __init__(self, text: str, position: int, quoted: bool, name: str) -> None:
        self._text, self._position, self._quoted, self._name = text, position, quoted, name
        self._depth = 0
        self._signed = self._direct = self._hidden = self._open_ended = False
        self._called = self._foreign = self._parted = self._labelled = False
        self._spans: list[Span] = []

    def spans(self, bare: Callable[[str, int], Span | None]) -> Iterator[Span]:
        """Where the values stand; `bare` finds one that stands without quotes behind a sign."""
        limit = min(len(self._text), self._position + _MAX_AHEAD)
        for _ in range(_MAX_TOKENS):
            token = _TOKEN.match(self._text, self._position, limit)
            if not token:
                break
            start, self._position = self._position, token.end()
            if (
                token.lastgroup == "sign"
                and not self._signed
                and token.group() in ":="
                and (found := bare(self._text, token.end()))
            ):
                self._spans.append(found)
                break
            if not self._goes_on(token, start):
                break
        yield from self._spans

    def _goes_on(self, token: re.Match[str], start: int) -> bool:
        match token.lastgroup:
            case "blank":
                return True
            case "newline":
                return self._new_line(token.group())
            case "text":
                return self._literal(token["text"], start)
            case "word":
                return self._word(token.group())
            case "sign":
                self._signed = self._direct = True
                self._labelled = token.group() == ":" and not self._quoted
                return True
            case "open" | "close":
                return self._bracket(token.group(), token.lastgroup == "open")
            case "comma":
                return self._comma()
            case _:
                self._open_ended = token.lastgroup == "other" and token.group() in _JOINING
                return self._open_ended

    def _new_line(self, written: str) -> bool:
        awaited = self._direct and not (self._labelled and self._depth == 0)  # after `def f(token):` comes a body
        continued = self._depth > 0 or written != "\n" or awaited or self._open_ended
        return continued or (self._hidden and _GOES_ON.match(self._text, self._position) is not None)

    def _word(self, word: str) -> bool:
        if self._hidden or not (self._signed or self._depth or _TYPED.match(self._text, self._position)):
            return False
        self._open_ended = False
        self._direct = self._direct and word in _PASSING
        if self._depth and _KEY.match(self._text, self._position):
            self._foreign = word not in _DEFAULTS  # `Field(description="…")`, `{id: "…"}`: another name's value
        return True

    def _bracket(self, bracket: str, opens: bool) -> bool:
        self._open_ended = False
        if not opens:
            self._depth -= 1
            return self._depth >= 0
        self._depth += 1
        if not self._signed and bracket == "(":
            self._signed = self._direct = self._called = True  # a call of `setPassword`
        return True

    def _comma(self) -> bool:
        if self._depth == 0 and (self._signed or not _TEXT_NEXT.match(self._text, self._position)):
            return False
        self._hidden = self._direct = self._foreign = False
        self._parted = True
        self._open_ended = self._depth == 0
        return True

    def _literal(self, quote: str, start: int) -> bool:
        inside = _inside(self._text, self._position, quote)
        if inside is None:
            return False
        first, last = inside
        self._position = last + len(quote)
        self._open_ended = False
        value = self._text[first:last]
        is_name = not self._direct and _KEY.match(self._text, self._position) is not None
        if not value.strip():
            self._direct = False
            return True
        if "‹" in value or is_name or (not self._hidden and is_template(value)):
            return False
        if not self._hides(value, start):
            self._direct = False
            return not self._hidden and bool(self._signed or self._quoted or self._depth)
        scheme = _SCHEME.match(value) if self._name.lower() == "authorization" else None
        self._spans += _lines(self._text, first + (scheme.end() if scheme else 0), last)
        self._hidden, self._direct = True, False
        return True

    def _hides(self, value: str, start: int) -> bool:
        if self._foreign or ("\n" in value and " " in value.strip()):
            return False
        if self._signed and (self._direct or self._hidden):
            return not (self._called and is_plain(value))
        if (
            not self._signed
            and self._depth == 0
            and self._text[start - 1 : start] in (" ", "\t")
            and not (self._quoted or self._parted)
        ):
            return not is_plain(value)  # `PASSWORD 'x'`, `#define PASSWORD "x"`
        return is_thought_up(value) and value.lower() != self._name.lower()


def _inside(text: str, start: int, quote: str) -> Span | None:
    """The inside of a text that opens before `start`; a line's end closes one that is not meant for several lines."""
    position = start
    while (end := text.find(quote, position, start + _MAX_TEXT)) >= 0:
        if text[end - 1] != "\\" or text[end - 2 : end] == "\\\\":
            return None if len(quote) == 1 and quote != "`" and "\n" in text[start:end] else (start, end)
        position = end + 1
    return None


def _lines(text: str, first: int, last: int) -> Iterator[Span]:
    start = first
    for part in text[first:last].split("\n"):
        if part.strip():
            yield start, start + len(part)
        start += len(part) + 1

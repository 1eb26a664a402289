"""Where in a page the text stands: between tags, in an attribute, in a script.

Invariant: one pass over the text, no matter how broken the page is; in doubt the place is plain text, where escaping is
enough. Not handled here: values.
"""

import re

from counterproof.analysis.templates.nodes import Spot

_ADDRESSES = frozenset({"href", "action", "formaction", "xlink:href"})
_LOADED = frozenset({"iframe", "embed", "script", "frame", "object"})
_NO_LINKS = frozenset({"link", "image", "use", "base"})
_STYLE_END = re.compile("</style", re.IGNORECASE)
_BLANK = " \t\r\n"


class Page:
    """Follows a page through its literal pieces. `spot` tells where the next value would stand."""

    def __init__(self) -> None:
        self._state = "text"
        self._tag = ""
        self._attribute = ""
        self._quote = ""
        self._value = ""
        self._script = ""

    def feed(self, text: str) -> None:
        position = 0
        while position < len(text):
            position = _STEPS[self._state](self, text, position)

    def printed(self) -> None:
        """Something was printed at the current place."""
        if self._state == "value start":
            self._state, self._quote = "value", ""
        if self._state == "value":
            self._value += "\0"

    @property
    def spot(self) -> Spot:
        if self._state == "script":
            return Spot.SCRIPT_TEXT if self._script in ("'", '"') else Spot.SCRIPT
        if self._state in ("comment", "style"):
            return Spot.OTHER
        if self._state in ("text", "tag name"):
            return Spot.TEXT
        if self._state == "tag":
            return Spot.QUOTED
        return self._in_value()

    def _in_value(self) -> Spot:
        if self._state not in ("value start", "value"):
            return Spot.QUOTED
        if self._attribute.startswith("on") and len(self._attribute) > 3:
            return Spot.HANDLER
        if self._state == "value start" or not self._quote:
            return Spot.UNQUOTED
        if not self._value.strip() and self._is_address():
            return Spot.ADDRESS
        return Spot.QUOTED

    def _is_address(self) -> bool:
        if self._attribute in _ADDRESSES:
            return self._tag not in _NO_LINKS
        return self._attribute in ("src", "data") and self._tag in _LOADED

    # --- one step per state: returns the position after what was read ----------------------------------------------

    def _text(self, text: str, position: int) -> int:
        start = text.find("<", position)
        if start < 0:
            return len(text)
        if text.startswith("<!--", start):
            self._state = "comment"
            return start + 4
        following = text[start + 1 : start + 2]
        if following.isalpha() or following in ("/", "!", "?"):
            self._state, self._tag = "tag name", ""
        return start + 1

    def _comment(self, text: str, position: int) -> int:
        end = text.find("-->", position)
        if end < 0:
            return len(text)
        self._state = "text"
        return end + 3

    def _tag_name(self, text: str, position: int) -> int:
        character = text[position]
        if character in _BLANK or (character == "/" and self._tag):
            self._state, self._attribute = "tag", ""
        elif character == ">":
            self._close()
        elif len(self._tag) < 40:
            self._tag += character.lower()
        return position + 1

    def _close(self) -> None:
        self._state = self._tag if self._tag in ("script", "style") else "text"
        self._script = ""

    def _in_tag(self, text: str, position: int) -> int:
        character = text[position]
        if character == ">":
            self._close()
        elif character == "=":
            self._state, self._value, self._quote = "value start", "", ""
        elif character in _BLANK or character in "/\"'":
            if text[position + 1 : position + 2] not in ("=", *_BLANK):
                self._attribute = ""
        elif len(self._attribute) < 40:
            self._attribute += character.lower()
        return position + 1

    def _value_start(self, text: str, position: int) -> int:
        character = text[position]
        if character in _BLANK:
            return position + 1
        if character == ">":
            self._close()
            return position + 1
        self._state = "value"
        self._quote = character if character in "'\"" else ""
        self._value = ""
        return position + 1 if self._quote else position

    def _in_quotes(self, text: str, position: int) -> int:
        if self._quote:
            end = text.find(self._quote, position)
            if end < 0:
                self._value += text[position : position + 200]
                return len(text)
            self._state, self._attribute = "tag", ""
            return end + 1
        character = text[position]
        if character in _BLANK:
            self._state, self._attribute = "tag", ""
        elif character == ">":
            self._close()
        else:
            self._value = (self._value + character)[:200]
        return position + 1

    def _in_script(self, text: str, position: int) -> int:
        """Quotes inside a script, and its end."""
        character = text[position]
        if character == "<" and text[position : position + 8].lower() == "</script":
            self._state, self._script = "text", ""
            return position + 8
        if self._script:
            if character == "\\":
                return position + 2
            if character == self._script or (character == "\n" and self._script in "'\"/"):
                self._script = ""
        elif character in "'\"`":
            self._script = character
        elif text.startswith("//", position):
            end = text.find("\n", position)
            return len(text) if end < 0 else end
        return position + 1

    def _in_style(self, text: str, position: int) -> int:
        end = _STYLE_END.search(text, position)
        if end is None:
            return len(text)
        self._state = "text"
        return end.end()


_STEPS = {
    "text": Page._text,  # pyright: ignore[reportPrivateUsage]
    "comment": Page._comment,  # pyright: ignore[reportPrivateUsage]
    "tag name": Page._tag_name,  # pyright: ignore[reportPrivateUsage]
    "tag": Page._in_tag,  # pyright: ignore[reportPrivateUsage]
    "value start": Page._value_start,  # pyright: ignore[reportPrivateUsage]
    "value": Page._in_quotes,  # pyright: ignore[reportPrivateUsage]
    "script": Page._in_script,  # pyright: ignore[reportPrivateUsage]
    "style": Page._in_style,  # pyright: ignore[reportPrivateUsage]
}

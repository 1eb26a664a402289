"""Whether a regular expression that a whole text must match excludes everything harmful.

Invariant: the pattern is only read, never run. In doubt it is not safe. Not handled here: finding the pattern.
"""

_SAFE_ESCAPES = frozenset("dwbAZz-_.@")
_SAFE_LITERALS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-@ ")
_SHELL_LITERALS = (_SAFE_LITERALS - {" "}) | frozenset("%+=:,./")
"""Characters that are never special to a shell."""
_IN_NAMES = _SAFE_LITERALS | frozenset("()+,=~!&'#%")
_STRUCTURE = frozenset("+*?|()")


def leaves_only_words(pattern: str, *, anchored: bool, signs: frozenset[str] = _SAFE_LITERALS) -> bool:
    """Return True if every matching text consists of letters, digits and a few harmless characters.

    `anchored` says that the call itself requires a full match; otherwise the pattern must."""
    if not anchored:
        if not pattern.startswith(("^", r"\A")) or not pattern.endswith(("$", r"\Z", r"\z")):
            return False
        if "|" in pattern and not (pattern[1:2] == "(" and pattern[-2:-1] == ")"):
            return False
    body = pattern.removeprefix("^").removeprefix(r"\A")
    body = body.removesuffix("$").removesuffix(r"\Z").removesuffix(r"\z")
    return len(body) <= 500 and _only_words(body, signs)


def leaves_no_shell_signs(pattern: str, *, anchored: bool) -> bool:
    """Return True if no matching text contains a character special to a shell: URLs, image names, paths."""
    return leaves_only_words(pattern, anchored=anchored, signs=_SHELL_LITERALS)


def strips_to_words(pattern: str, replacement: str) -> bool:
    """Return True if replacing the matches leaves letters, digits and a few harmless characters: `[^a-z0-9_-]+` by nothing."""
    body = pattern[:-1] if pattern.endswith(("+", "*")) else pattern
    if body == r"\W":
        inside = r"\w"
    elif body.startswith("[^") and body.endswith("]") and body.count("]") == 1:
        inside = body[2:-1]
    else:
        return False
    return "." not in inside and _safe_class(inside) and all(each in _SAFE_LITERALS for each in replacement)


def strips_separators(pattern: str, replacement: str) -> bool:
    """The same for path separators: `[^a-zA-Z0-9._-]+` by an underscore."""
    body = pattern.rstrip("+*")
    whole = body.startswith("[^") and body.endswith("]") and body.count("]") == 1
    return whole and _safe_class(body[2:-1], _IN_NAMES) and replacement != ".." and "/" not in replacement


def strips_shell_signs(pattern: str, replacement: str) -> bool:
    """The same for characters special to a shell."""
    inside = pattern.rstrip("+*").removeprefix("[^")
    whole = pattern.startswith("[^") and inside.endswith("]") and inside.count("]") == 1
    return whole and _safe_class(inside[:-1], _SHELL_LITERALS) and all(each in _SHELL_LITERALS for each in replacement)


_SHELL_SIGNS = frozenset(";&|`$<>")


def refuses_shell_signs(pattern: str) -> bool:
    """Return True if a text without a match contains no character that ends or joins commands: one character class with all of
    them."""
    inside = pattern[1:-1].replace("\\]", "")
    listed = pattern[:1] == "[" and pattern[-1:] == "]" and inside[:1] != "^" and "]" not in inside
    lines = "\n" in inside or "\\n" in inside or "\\s" in inside
    return listed and lines and set(inside) >= _SHELL_SIGNS


def strips_dots(pattern: str, replacement: str) -> bool:
    """`..` replaced by nothing, or by a text without a dot: none is left, because dots around a match would have matched too."""
    return pattern in (r"\.\.", r"\.{2,}", r"\.\.+", r"\.+", "[.]{2,}") and "." not in replacement


def strips_root(pattern: object, replacement: object) -> bool:
    """`^/+` replaced by nothing: no leading slash is left."""
    return pattern in ("^/+", r"^\/+", r"^[\/]+", r"^[\\/]+", r"^[/\\]+", r"\A/+") and replacement == ""


def stays_on_site(pattern: str, *, from_start: bool) -> bool:
    """Return True if every matching text is a path on the same site: a slash, then no second slash that would start a host.

    `from_start` says that the call itself matches at the start; otherwise the pattern must."""
    body = pattern.removeprefix(r"\A").removeprefix("^")
    if "|" in pattern or not (from_start or body != pattern):
        return False
    lead = "/" if body.startswith("/") else r"\/" if body.startswith(r"\/") else ""
    rest = body.removeprefix(lead)
    if not lead or not rest:
        return False
    end = rest.find("]", 1) if rest[0] == "[" else 2 if rest[0] == "\\" else 1
    needed = rest[end + 1 : end + 2] if rest[0] == "[" else rest[end : end + 1]
    return end > 0 and needed not in ("*", "?", "{") and _cannot_be_a_slash(rest, end)


def _cannot_be_a_slash(rest: str, end: int) -> bool:
    if rest[0] == "[":
        inside = rest[1:end]
        return ("/" in inside and "\\\\" in inside) if inside.startswith("^") else _safe_class(inside)
    return rest[:2] in (r"\w", r"\d") or rest[0] in _SAFE_LITERALS


def _only_words(body: str, signs: frozenset[str]) -> bool:
    position = 0
    while position < len(body):
        position = _after_piece(body, position, signs)
        if position < 0:
            return False
    return True


def _after_piece(body: str, start: int, signs: frozenset[str]) -> int:
    """The end of the pattern piece that starts here; -1 if it may match something harmful."""
    character = body[start]
    if character == "\\":
        return start + 2 if body[start + 1 : start + 2] in _SAFE_ESCAPES | signs - _SAFE_LITERALS else -1
    if character == "[":
        end = body.find("]", start + 1)
        return end + 1 if end > 0 and _safe_class(body[start + 1 : end], signs) else -1
    if character == "{":
        end = body.find("}", start)
        return end + 1 if end > 0 and all(each.isdigit() or each == "," for each in body[start + 1 : end]) else -1
    if body.startswith("(?", start):
        return start + 3 if body.startswith("(?:", start) else -1
    return start + 1 if character in signs - {"."} or character in _STRUCTURE else -1


def _safe_class(inside: str, signs: frozenset[str] = _SAFE_LITERALS) -> bool:
    if inside.startswith("^"):
        return False
    for escape in (r"\d", r"\w", r"\-", r"\.", r"\_", *((r"\/", r"\:") if "/" in signs else ())):
        inside = inside.replace(escape, "")
    for ordered in ("a-z", "A-Z", "0-9", "a-f", "A-F"):
        inside = inside.replace(ordered, "")
    return all(each in signs or each == "." for each in inside) and "-" not in inside[1:-1]

"""Links that come from outside."""

from urllib.parse import urlsplit


def is_local(target):
    """Whether a link stays on this site: a path, with no scheme, host or backslash."""
    if not target or "\\" in target or any(ord(character) < 33 for character in target):
        return False
    parts = urlsplit(target)
    return not parts.scheme and not parts.netloc and target.startswith("/") and not target.startswith("//")

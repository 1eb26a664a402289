"""Python versions in PEP 440's order: epoch, release, then development, pre-, final and post-releases, local labels."""

import re

_VERSION = re.compile(
    r"v?(?:(?P<epoch>[0-9]+)!)?(?P<release>[0-9]+(?:\.[0-9]+)*)"
    r"(?:[-_.]?(?P<pre>alpha|beta|preview|pre|rc|a|b|c)[-_.]?(?P<pre_number>[0-9]*))?"
    r"(?:-(?P<implicit>[0-9]+)|[-_.]?(?P<post>post|rev|r)[-_.]?(?P<post_number>[0-9]*))?"
    r"(?:[-_.]?(?P<dev>dev)[-_.]?(?P<dev_number>[0-9]*))?"
    r"(?:\+(?P<local>[a-z0-9]+(?:[-_.][a-z0-9]+)*))?",
    re.IGNORECASE | re.ASCII,
)
_PRE = {"alpha": "a", "a": "a", "beta": "b", "b": "b", "preview": "rc", "pre": "rc", "c": "rc", "rc": "rc"}


def key(text: str) -> tuple[object, ...] | None:
    """A sort key for the version; None if the text is not a version."""
    found = _VERSION.fullmatch(text)
    if not found:
        return None
    release = [int(part) for part in found["release"].split(".")]
    while len(release) > 1 and release[-1] == 0:
        release.pop()
    posted = found["post"] is not None or found["implicit"] is not None
    post = int(found["implicit"] or found["post_number"] or 0) if posted else -1
    dev = (0, int(found["dev_number"] or 0)) if found["dev"] else (1, 0)
    return (int(found["epoch"] or 0), tuple(release), _pre(found, posted), post, dev, _local(found["local"] or ""))


def _pre(found: re.Match[str], posted: bool) -> tuple[int, str, int]:
    """Below zero for a bare development release, above it for a final one; pre-releases are between them."""
    if found["pre"]:
        return (0, _PRE[found["pre"].lower()], int(found["pre_number"] or 0))
    return (-1, "", 0) if found["dev"] and not posted else (1, "", 0)


def _local(text: str) -> tuple[tuple[int, int, str], ...]:
    parts = re.split(r"[-_.]", text.lower()) if text else []
    return tuple((1, int(part), "") if part.isdigit() else (0, 0, part) for part in parts)

"""Containers that may do what only the host may.

## What it finds
In compose files and Kubernetes manifests `privileged: true`, the socket of Docker mounted into a container, the capabilities
`ALL` and `SYS_ADMIN` added, and the host's processes shared; in Dockerfiles `sudo` without a password.

## Why it matters
Whoever breaks into such a container has the host, and every other container on it. With `sudo` for everybody, a user that was
made to have few rights has all of them.

## What is safe
Only the capabilities that are needed, a proxy in front of the socket that lets single requests through, no `sudo` in the image.

## Limits
Values that are put together from variables are not judged, nor what the command line of `docker run` adds. That an image runs as
root inside its container is not told: nearly all do.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Confidence, Impact, Match, Severity

_DESCRIBES_CONTAINERS = re.compile(r"^(?:services|apiVersion):", re.M)
_GRANTS = (
    ("privileged", re.compile(r"^[\s-]*privileged\s*:\s*[\"']?(?:true|yes|on)\b", re.I), "the container is the host's equal"),
    ("socket", re.compile(r"^[\s-]*(?:(?:source|path)\s*:\s*)?[\"']?/(?:var/)?run/docker\.sock\b"), "it may start any container"),
    ("processes", re.compile(r"^[\s-]*(?:pid\s*:\s*[\"']?host|hostPID\s*:\s*true)\b"), "it sees the host's processes"),
)
_ADDS = re.compile(r"^(\s*)(?:-\s*)?(?:cap_add|add)\s*:\s*(\[[^\]]*\])?\s*$")
_LISTED = re.compile(r"^(\s*)-\s*[\"']?([A-Z_]+)[\"']?\s*$")
_TOO_MUCH = frozenset({"ALL", "SYS_ADMIN", "CAP_SYS_ADMIN"})
_SUDO = "sudo"
_UNASKED = re.compile(r"\bNOPASSWD\b")
_CAPABILITY = "it may do nearly all that the host may"
MAX_PLACES = 20
"""Lines told of one file."""


def _check(project: Project, path: str) -> Iterator[Match]:
    lines = [_without_comment(line) for line in project.text(path).split("\n")]
    found = _in_dockerfile(lines) if _is_dockerfile(path) else _in_description(lines)
    for number, item, verdict in sorted(found)[:MAX_PLACES]:
        severity = Severity.LOW if item == _SUDO else None
        yield Match(number, number, item, verdict, True, Confidence.HIGH, severity=severity)


def _in_dockerfile(lines: list[str]) -> list[tuple[int, str, str]]:
    return [(number, _SUDO, "without a password") for number, line in enumerate(lines, 1) if _UNASKED.search(line)]


def _in_description(lines: list[str]) -> list[tuple[int, str, str]]:
    if not _DESCRIBES_CONTAINERS.search("\n".join(lines)):
        return []
    granted = [
        (number, item, verdict)
        for number, line in enumerate(lines, 1)
        for item, pattern, verdict in _GRANTS
        if pattern.search(line)
    ]
    return granted + [(number, "capability", _CAPABILITY) for number in _capabilities(lines)]


def _capabilities(lines: list[str]) -> Iterator[int]:
    """Lines that add a capability which is too much, in brackets or in the list below."""
    listing = False
    for number, line in enumerate(lines, 1):
        adding = _ADDS.match(line)
        if adding:
            listing = adding[2] is None
            if set(re.findall(r"[A-Z_]+", adding[2] or "")) & _TOO_MUCH:
                yield number
            continue
        item = _LISTED.match(line) if listing else None
        if item and item[2] in _TOO_MUCH:
            yield number
        listing = listing and (item is not None or not line.strip())


def _without_comment(line: str) -> str:
    return re.split(r"(?:^|\s)#", line, maxsplit=1)[0].rstrip()


def _is_dockerfile(path: str) -> bool:
    name = path.rpartition("/")[2].lower()
    return name.startswith(("dockerfile", "containerfile")) or name.endswith(".dockerfile")


def _applies(path: str) -> bool:
    return path.endswith((".yml", ".yaml")) or _is_dockerfile(path)


RULE = CheckRule(
    title="Container runs with host privileges",
    kind="container",
    cwe=250,
    severity=Severity.MEDIUM,
    posture=True,
    impact=Impact.FULL,
    consequence="Whoever breaks into the container has the machine that it runs on.",
    remedy="Drop the privilege, or grant only the capability that is needed.",
    check=_check,
    applies=_applies,
    query="rights of containers",
)

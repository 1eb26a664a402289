"""REST framework views are open unless they say otherwise.

## What it finds
`DEFAULT_PERMISSION_CLASSES` of Django REST framework with `AllowAny` and nothing else.

## Why it matters
A view that forgets to name its permissions is open to everyone, and nothing tells.

## What is safe
`IsAuthenticated` or stricter as the default, and `AllowAny` on the few views that are meant to be open.

## Limits
Settings that leave the default out are not reported, although the framework then allows everyone too.
"""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, opened
from counterproof.analysis.config.settings import for_development, settings_of
from counterproof.analysis.program.traversal import text_of
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Confidence, Impact, Match, Severity
from counterproof.analysis.syntax.ir import Sequence

_SETTINGS = frozenset({"DEFAULT_PERMISSION_CLASSES"})


def _check(project: Project, path: str) -> Iterator[Match]:
    _, outline = opened(project, path)
    for setting in settings_of(outline, _SETTINGS):
        parts = setting.value.items if isinstance(setting.value, Sequence) else (setting.value,)
        names = [(text_of(each) or outline.dotted(each)).rpartition(".")[2] for each in parts]
        if names == ["AllowAny"] and not for_development(outline, setting.owner):
            yield bad(setting.site, setting.name, "everyone may call what names no permission", Confidence.MEDIUM)
        else:
            yield good(setting.site, setting.name, "something is asked for")


RULE = CheckRule(
    title="Views public by default",
    kind="permissions",
    cwe=862,
    severity=Severity.LOW,
    posture=True,
    impact=Impact.LOCAL,
    consequence="A view that names no permission can be called by anyone.",
    remedy="Make IsAuthenticated the default, and open single views on purpose.",
    check=_check,
    query="default permissions of REST framework",
)

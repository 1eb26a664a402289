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

from counterproof.analysis.config.patterns import Bad, Matching, Settings
from counterproof.analysis.config.places import Place
from counterproof.analysis.program.traversal import text_of
from counterproof.analysis.ruleset import CheckRule, Confidence, Impact, Severity


def _is_open(at: Place) -> bool:
    named = [(text_of(each) or at.dotted(each)).rpartition(".")[2] for each in at.items()]
    return named == ["AllowAny"] and not at.development


RULE = CheckRule(
    title="Views public by default",
    kind="permissions",
    cwe=862,
    severity=Severity.LOW,
    posture=True,
    impact=Impact.LOCAL,
    consequence="A view that names no permission can be called by anyone.",
    remedy="Make IsAuthenticated the default, and open single views on purpose.",
    check=Matching(
        Settings(("DEFAULT_PERMISSION_CLASSES",)),
        bad=Bad(_is_open, "everyone may call what names no permission", Confidence.MEDIUM),
        good="something is asked for",
    ),
    query="default permissions of REST framework",
)

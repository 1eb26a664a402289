"""REST framework views public by default.

## What it finds
`DEFAULT_PERMISSION_CLASSES` of Django REST framework that contains only `AllowAny`.

## Why it matters
A view without permission classes is open to everyone, without any warning.

## What is safe
`IsAuthenticated` or stricter as the default, and `AllowAny` on the few views that are meant to be open.

## Limits
Settings that omit the default are not reported, although the framework then allows everyone too.
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
    consequence="Anyone can call a view that sets no permission classes.",
    remedy="Make IsAuthenticated the default, and open individual views explicitly.",
    check=Matching(
        Settings(("DEFAULT_PERMISSION_CLASSES",)),
        bad=Bad(_is_open, "views without permission classes are open to everyone", Confidence.MEDIUM),
        good="something is asked for",
    ),
    query="default permissions of REST framework",
)

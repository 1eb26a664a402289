"""Sessions, caches and queues set to rebuild objects from what they receive.

## What it finds
Settings that choose pickle: Django's `SESSION_SERIALIZER`, Celery's `task_serializer` and `accept_content`, Flask-Caching and
Kombu options of the same kind.

## Why it matters
Whoever can write to the store, the broker or the cookie runs code in the process that reads it.

## What is safe
JSON, MessagePack, and the defaults of current versions.

## Limits
A broker or cache that nobody else can write to lowers the risk; the settings do not tell.
"""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, opened, python_file
from counterproof.analysis.config.settings import settings_of
from counterproof.analysis.outline.traversal import text_of
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Match, RuleInfo
from counterproof.analysis.syntax.walk import walk
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Confidence, Impact, Severity

_SETTINGS = frozenset(
    [
        "SESSION_SERIALIZER",
        "CELERY_TASK_SERIALIZER",
        "CELERY_RESULT_SERIALIZER",
        "CELERY_ACCEPT_CONTENT",
        "CELERY_EVENT_SERIALIZER",
        "task_serializer",
        "result_serializer",
        "accept_content",
        "event_serializer",
        "result_accept_content",
    ]
)
_PICKLE = ("pickle", "application/x-python-serialize", "PickleSerializer")


def _check(project: Project, path: str) -> Iterator[Match]:
    _, outline = opened(project, path)
    found: set[str] = set()
    for setting in settings_of(outline, _SETTINGS):
        texts = [text for node in walk(setting.value) if (text := text_of(node)) is not None]
        chosen = any(text in _PICKLE or text.endswith("PickleSerializer") for text in texts)
        kind = "session" if "SESSION" in setting.name else "queue"
        if chosen and kind not in found:
            found.add(kind)
            yield bad(setting.site, setting.name, "rebuilds objects", Confidence.MEDIUM)
        else:
            yield good(setting.site, setting.name, "reported once" if chosen else "data only")


RULE = CheckRule(
    RuleInfo(
        id="pickle-serialiser",
        title="Insecure deserialization: pickle serializer",
        dimension=Dimension.D4,
        kind="objects",
        cwe=502,
        severity=Severity.MEDIUM,
        impact=Impact.FULL,
        consequence="Whoever can write to the store or broker runs code in the application.",
        remedy="Use JSON, and accept nothing else.",
    ),
    _check,
    python_file,
    query="serialisers of sessions and queues",
)

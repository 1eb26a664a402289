"""Secrets written to the log, in JavaScript and TypeScript.

## What it finds
A variable or field whose name says password, secret, token or card number, as an argument of `console` or of a logger.

## Why it matters
Logs are read by more people, and kept longer, than what they tell about.

## What is safe
Names of users, ids, and facts about a secret such as its length.

## Limits
Whole objects that contain a secret are not looked into.
"""

from counterproof.analysis.flow.seen_calls import SeenCall
from counterproof.analysis.outline.words import vocabulary, words
from counterproof.analysis.ruleset import CallRule, Match, RuleInfo
from counterproof.analysis.syntax import ir
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Impact, Severity

_LOGGERS = vocabulary("console logger log winston pino bunyan debug")
_SECRET = vocabulary("password passwd pwd passphrase secret apikey privatekey creditcard cvv cvc ssn")
_TOKEN = vocabulary("token")
_ABOUT = vocabulary("length type valid invalid hash hashed reset count expiry expires name id is has error policy field input")
_METHODS = ("log", "info", "debug", "warn", "error", "trace")


def _check(seen: SeenCall) -> Match | None:
    if not _is_logger(seen):
        return None
    for position in range(len(seen.node.arguments)):
        written = seen.expression(position)
        parts = written.parts if isinstance(written, ir.Concat | ir.Format) else (written,)
        for each in parts:
            name = each.name if isinstance(each, ir.Attribute) else each.id if isinstance(each, ir.Name) else ""
            spoken = frozenset((*words(name), "".join(words(name))))
            if (spoken & _SECRET or (spoken & _TOKEN and len(spoken) > 1)) and not spoken & _ABOUT:
                return seen.bad(name, "written to the log")
    return None


def _is_logger(seen: SeenCall) -> bool:
    owner = seen.node.callee.value if isinstance(seen.node.callee, ir.Attribute) else None
    name = owner.name if isinstance(owner, ir.Attribute) else owner.id if isinstance(owner, ir.Name) else ""
    return bool(set(words(name)) & _LOGGERS)


RULE = CallRule(
    RuleInfo(
        id="javascript-sensitive-log",
        title="Sensitive data in a log",
        dimension=Dimension.D8,
        kind="logs",
        cwe=532,
        severity=Severity.LOW,
        posture=True,
        impact=Impact.PARTIAL,
        consequence="Whoever reads the log learns the secret.",
        remedy="Leave secrets out of the log.",
    ),
    calls=(*(f"console.{name}" for name in _METHODS), *(f"*.{name}" for name in _METHODS)),
    check=_check,
    query="what is written to logs",
)

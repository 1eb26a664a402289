"""Secrets and personal data written to logs.

## What it finds
Passwords, tokens, card numbers and the like given to `print` or a logger; all headers or cookies of a request, which hold what
the sender logs in with; whole request bodies printed where a password is among them; database connections whose every statement,
values included, is printed (`set_trace_callback`). In scripts: a variable or field whose name says password, secret, token or
card number, given to `console` or a logger.

## Why it matters
Logs are kept longer, copied further and read by more people than the database. Whoever reads them has the password.

## What is safe
Logging who did what, hashes and masked values, lengths, and names of settings.

## Limits
Values are judged by their names. One finding per function: the first. What a program without web handlers prints is its answer to
whoever runs it. In scripts whole objects that contain a secret are not looked into.
"""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, opened
from counterproof.analysis.config.log_calls import is_log_call, is_print, logged_secret, logged_statements
from counterproof.analysis.config.web import is_web_code, is_web_module, serves_web
from counterproof.analysis.flow.seen_calls import SeenCall
from counterproof.analysis.program.codebase import Codebase
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.words import vocabulary, words
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CallRule, CheckRule, Confidence, Match, Severity
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.ir import Call
from counterproof.analysis.syntax.walk import last_name

_FACTORIES = ("create_app", "make_app", "build_app", "init_app", "create_application")
"""What functions are called that set a server up."""


def _check(project: Project, path: str) -> Iterator[Match]:
    codebase, outline = opened(project, path)
    seen: set[str] = set()
    traced: Site[Call] | None = None
    for site in outline.of(Call):
        if logged_statements(site.node):
            if traced is None:
                yield bad(site, "database trace", "every statement is printed with its values", Confidence.MEDIUM)
            traced = site
        elif is_log_call(outline, site.node) or (is_print(site.node) and _serves(codebase, outline, site)):
            secret = logged_secret(site.node, site.function, outline)
            if not secret:
                continue
            if site.scope in seen:
                yield good(site, secret, "reported once for this function")
            else:
                yield bad(site, secret, "written to a log", Confidence.MEDIUM)
            seen.add(site.scope)


def _serves(codebase: Codebase, outline: Outline, site: Site[Call]) -> bool:
    """What a command-line tool prints is its answer; what a server prints is its log."""
    if site.function is None:
        return False
    if is_web_module(outline) and site.function.name in _FACTORIES:
        return True
    return is_web_code(outline, site.function) or (not is_web_module(outline) and serves_web(codebase, outline))


RULE = CheckRule(
    title="Sensitive data in a log",
    kind="logs",
    cwe=532,
    severity=Severity.LOW,
    posture=True,
    consequence="Whoever reads the log learns passwords, tokens or personal data.",
    remedy="Log the event without the value, or a masked form of it.",
    check=_check,
    query="secrets in log output",
)


_LOGGERS = vocabulary("console logger log winston pino bunyan debug")
_SECRET = vocabulary("password passwd pwd passphrase secret apikey privatekey creditcard cvv cvc ssn")
_TOKEN = vocabulary("token")
_ABOUT = vocabulary("length type valid invalid hash hashed reset count expiry expires name id is has error policy field input")
_METHODS = ("log", "info", "debug", "warn", "error", "trace")


def _check_script(seen: SeenCall) -> Match | None:
    if not _is_logger(seen):
        return None
    for position in range(len(seen.node.arguments)):
        written = seen.expression(position)
        parts = written.parts if isinstance(written, ir.Concat | ir.Format) else (written,)
        for each in parts:
            name = last_name(each)
            spoken = frozenset((*words(name), "".join(words(name))))
            if (spoken & _SECRET or (spoken & _TOKEN and len(spoken) > 1)) and not spoken & _ABOUT:
                return seen.bad(name, "written to the log")
    return None


def _is_logger(seen: SeenCall) -> bool:
    owner = seen.node.callee.value if isinstance(seen.node.callee, ir.Attribute) else None
    name = last_name(owner)
    return bool(set(words(name)) & _LOGGERS)


SCRIPTS = RULE.in_scripts(
    CallRule,
    remedy="Leave secrets out of the log.",
    calls=(*(f"console.{name}" for name in _METHODS), *(f"*.{name}" for name in _METHODS)),
    check=_check_script,
    query="what is written to logs",
)

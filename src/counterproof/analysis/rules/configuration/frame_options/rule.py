"""Pages that any other site may put into a frame.

## What it finds
Django settings with sessions but without `XFrameOptionsMiddleware`, `X_FRAME_OPTIONS` set to allow everyone, and views marked
`xframe_options_exempt`. In scripts: an Express application that renders pages, knows its visitors by a session or cookie, and
sets neither X-Frame-Options nor Content-Security-Policy.

## Why it matters
A page in an invisible frame can be made to receive clicks that the user meant for something else.

## What is safe
The middleware with its default, or a `frame-ancestors` policy set somewhere in the project. In scripts `helmet` and its like, or
the headers set by hand.

## Limits
Headers that a proxy adds are not seen. Other frameworks have no switch for this and are not judged.
"""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, opened
from counterproof.analysis.config.middleware import missing_middleware
from counterproof.analysis.config.settings import settings_of
from counterproof.analysis.flow.seen_calls import SeenCall
from counterproof.analysis.libraries import names
from counterproof.analysis.program.outline import Site
from counterproof.analysis.program.traversal import text_of
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CallRule, CheckRule, Confidence, Impact, Language, Match, Severity
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.ir import Call
from counterproof.analysis.syntax.walk import last_name, walk

_MIDDLEWARE = ("django.middleware.clickjacking.XFrameOptionsMiddleware", "csp.middleware.CSPMiddleware")


def _check(project: Project, path: str) -> Iterator[Match]:
    codebase, outline = opened(project, path)
    yield from missing_middleware(project, codebase, outline, _MIDDLEWARE, "XFrameOptionsMiddleware", Confidence.MEDIUM)
    for setting in settings_of(outline, frozenset({"X_FRAME_OPTIONS"})):
        open_to_all = (text_of(setting.value) or "").upper() in ("ALLOWALL", "ALLOW", "*")
        verdict = "every site may frame the pages" if open_to_all else "framing is limited"
        yield bad(setting.site, setting.name, verdict) if open_to_all else good(setting.site, setting.name, verdict)
    for function in outline.module.functions:
        for decorator in function.decorators:
            value = decorator.value
            name = outline.dotted(value.callee if isinstance(value, Call) else value)
            if name.endswith("xframe_options_exempt"):
                yield bad(Site(decorator, function, None), name, "the view may be framed by any site", Confidence.MEDIUM)


RULE = CheckRule(
    title="Clickjacking: any site may frame the pages",
    kind="headers",
    cwe=1021,
    severity=Severity.LOW,
    posture=True,
    impact=Impact.LOCAL,
    consequence="A hidden frame can make users click on things in this site without knowing.",
    remedy="Keep XFrameOptionsMiddleware, or send a frame-ancestors policy.",
    check=_check,
    query="frame protection of pages",
    in_tests=True,
)


_PROTECTING = frozenset(names("guard", "headers", Language.JAVASCRIPT))
_HEADERS = ("x-frame-options", "content-security-policy")
_KNOWING = frozenset({"session", "cookie", "cookies", "signedCookies", "isAuthenticated"})


def _check_script(seen: SeenCall) -> Match | None:
    folder = seen.frame.path.rpartition("/")[0]
    above = seen.watch.remembered("folders of applications", lambda: _folders(seen)) - {folder}
    if any(f"{folder}/".startswith(f"{each}/" if each else "") for each in above):
        return seen.good("headers", "an application in a folder above mounts it")
    renders, protects, knows = seen.watch.remembered(f"pages and headers in {folder}", lambda: _looked(seen))
    if protects or not renders or not knows:
        return seen.good("headers", "set" if protects else "no page is rendered for anybody who is known")
    return seen.bad("headers", "nothing protects the pages", Confidence.MEDIUM)


def _folders(seen: SeenCall) -> set[str]:
    """Where applications are made."""
    makers = (each for each in seen.watch.modules_near("") if seen.name in each.imports.values())
    made = (
        each
        for each in makers
        if any(isinstance(node, ir.Call) and last_name(node.callee) == seen.name for node in walk(*each.body))
    )
    return {each.path.rpartition("/")[0] for each in made}


def _looked(seen: SeenCall) -> tuple[bool, bool, bool]:
    """Whether a file beside the application or below it renders pages, whether one protects them, and whether one knows visitors:
    without that, a click that somebody did not mean does nothing in his name."""
    renders = protects = knows = False
    for module in seen.watch.modules_near(seen.frame.path):
        protects = protects or bool(_PROTECTING & {each.partition(".")[0] for each in module.imports.values()})
        for node in walk(*module.body):
            callee = node.callee if isinstance(node, ir.Call) else None
            renders = renders or (isinstance(callee, ir.Attribute) and callee.name == "render")
            protects = protects or (text_of(node) or "").lower() in _HEADERS
            knows = knows or (isinstance(node, ir.Attribute) and node.name in _KNOWING)
    return renders, protects, knows


SCRIPTS = RULE.in_scripts(
    CallRule,
    id="javascript-security-headers",
    title="Security headers missing",
    remedy="Use helmet, or set Content-Security-Policy and X-Frame-Options.",
    calls=("express",),
    check=_check_script,
    query="Express applications and their headers",
)

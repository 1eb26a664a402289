"""Helpers shared by check rules: which files they open, and how a verdict becomes a match."""

from typing import Any

from counterproof.analysis.program.callees import script_outline as script_outline
from counterproof.analysis.program.codebase import Codebase, codebase_of
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import Match
from counterproof.model.severity import Confidence, Severity

TYPED = (".ts", ".tsx", ".mts", ".cts")
SCRIPTED = (".js", ".jsx", ".mjs", ".cjs", *TYPED)


def script_file(path: str) -> bool:
    """Return True for JavaScript and TypeScript, except declaration files without code."""
    return path.endswith(SCRIPTED) and not path.endswith(".d.ts")


def python_file(path: str) -> bool:
    return path.endswith(".py")


def either_file(path: str) -> bool:
    return python_file(path) or script_file(path)


def opened(project: Project, path: str) -> tuple[Codebase, Outline]:
    codebase = codebase_of(project)
    return codebase, codebase.outline(path)


def good(site: Site[Any], item: str, verdict: str) -> Match:
    """A match for a safe value."""
    return Match(site.line, site.end, item, verdict, finding=False, function=site.scope)


def bad(
    site: Site[Any],
    item: str,
    verdict: str,
    confidence: Confidence = Confidence.HIGH,
    detail: str = "",
    severity: Severity | None = None,
) -> Match:
    """A match for an unsafe value."""
    return Match(site.line, site.end, item, verdict, True, confidence, site.scope, detail, severity=severity)

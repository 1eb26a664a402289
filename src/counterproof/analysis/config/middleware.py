"""Django middleware that protects by being there, and what it means when it is not."""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good
from counterproof.analysis.program.codebase import Codebase
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.settings import is_django_settings, listed
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import Match
from counterproof.analysis.syntax.ir import Assign, Name
from counterproof.model.severity import Confidence

_LISTS = ("MIDDLEWARE", "MIDDLEWARE_CLASSES")
_SESSIONS = "django.contrib.sessions.middleware.SessionMiddleware"


def missing_middleware(
    project: Project, codebase: Codebase, outline: Outline, wanted: tuple[str, ...], label: str, confidence: Confidence
) -> Iterator[Match]:
    """One match per settings module that lists middleware with sessions: whether one of the wanted ones is among it."""
    if not is_django_settings(codebase, outline.path):
        return
    present = [each.text for name in _LISTS for each in listed(outline, name)]
    site = _site(outline)
    if site is None or _SESSIONS not in present:
        return
    if any(name in present for name in wanted):
        yield good(site, label, "installed")
        return
    line = _commented_out(project, outline, site, label)
    verdict = "commented out" if line else "not installed"
    yield (
        Match(line or site.line, line or site.line, label, verdict, True, confidence)
        if line
        else bad(site, label, verdict, confidence)
    )


def _site(outline: Outline) -> Site[Assign] | None:
    for site in outline.of(Assign):
        if site.owner is None and any(isinstance(target, Name) and target.id in _LISTS for target in site.node.targets):
            return site
    return None


def _commented_out(project: Project, outline: Outline, site: Site[Assign], label: str) -> int:
    """The line of a comment inside the list that names the middleware; 0 where there is none."""
    lines = project.text(outline.path).split("\n")[site.line - 1 : site.end]
    for offset, line in enumerate(lines):
        if line.strip().startswith("#") and label in line:
            return site.line + offset
    return 0

"""Code that comes along with a model or a data set is run.

## What it finds
`trust_remote_code=True`, by which `transformers`, `datasets`, `sentence_transformers` and others run Python files of the
repository that a model is loaded from, and `torch.hub.load`, unless the revision is a commit.

## Why it matters
Whoever can write to that repository, now or later, runs code in this program.

## What is safe
Models that need no code of their own, a revision that names a commit (`revision="9c1f…"`), or a switch that the user turns.

## Limits
A value that is not written at the call or in a constant beside it counts as the user's choice.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, opened, python_file
from counterproof.analysis.config.values import literal, switch
from counterproof.analysis.outline.codebase import Codebase
from counterproof.analysis.outline.outline import Outline, Site
from counterproof.analysis.outline.traversal import keyword, text_of
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Match, RuleInfo
from counterproof.analysis.syntax.ir import Call
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Confidence, Impact, Severity

_COMMIT = re.compile(r"[0-9a-f]{7,64}")


def _check(project: Project, path: str) -> Iterator[Match]:
    codebase, outline = opened(project, path)
    for site in outline.of(Call):
        trusted = keyword(site.node, "trust_remote_code")
        hub = outline.dotted(site.node.callee) == "torch.hub.load"
        if trusted is None and not hub:
            continue
        chosen = switch(codebase, outline, trusted, site.function) if trusted is not None else None
        runs = hub and text_of(keyword(site.node, "source")) != "local" if chosen is None else bool(chosen.on and chosen.certain)
        if runs and not _pinned(codebase, outline, site):
            yield bad(site, "code of a model", "run in whatever version it has", Confidence.MEDIUM if hub else Confidence.HIGH)
        else:
            yield good(site, "code of a model", "not run, pinned to a commit, or for the user to decide")


def _pinned(codebase: Codebase, outline: Outline, site: Site[Call]) -> bool:
    for name in ("revision", "code_revision"):
        given = keyword(site.node, name)
        value = literal(codebase, outline, given, site.function) if given is not None else None
        if isinstance(value, str) and _COMMIT.fullmatch(value):
            return True
    return False


RULE = CheckRule(
    RuleInfo(
        id="remote-code",
        title="Loading a model runs its remote code",
        dimension=Dimension.D10,
        kind="source",
        cwe=829,
        severity=Severity.MEDIUM,
        impact=Impact.FULL,
        consequence="Whoever can write to the repository of the model runs code in this program.",
        remedy="Leave trust_remote_code off, or pin the revision to a commit that somebody read.",
    ),
    _check,
    python_file,
    query="code that models bring along",
)

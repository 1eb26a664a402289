"""Archive unpacked without a look at its members.

## What it finds
`extractall` and `extract` of a tar archive that the function opened, without `filter`, without a list of members, and without
anything in the function that looks where members would go.

## Why it matters
Names like `../../etc/cron.d/x` and links inside the archive lead out of the folder, so whoever made the archive writes files
anywhere the program may.

## What is safe
`filter="data"`, members that were checked first, and ZIP files, from whose names `zipfile` removes what leads out.

## Limits
Where the archive comes from is not judged. Any test of names or paths in the function counts as a check.
"""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, opened, python_file
from counterproof.analysis.outline.outline import Outline, Site
from counterproof.analysis.outline.traversal import argument, calls_in, keyword, spreads
from counterproof.analysis.outline.words import names_in, vocabulary
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Match, RuleInfo
from counterproof.analysis.syntax.ir import Attribute, Call, Name
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Confidence, Impact, Severity

_CHECKING = vocabulary(
    """startswith abspath realpath normpath commonpath commonprefix is_relative_to relative_to isabs is_absolute resolve safe_join
    filter extraction_filter data_filter tar_filter safe_extract is_within_directory islnk issym"""
)


def _check(project: Project, path: str) -> Iterator[Match]:
    _, outline = opened(project, path)
    for site in outline.of(Call):
        callee = site.node.callee
        if (
            not isinstance(callee, Attribute)
            or callee.name not in ("extractall", "extract")
            or not _is_tar(outline, site, callee)
        ):
            continue
        if _looked_at(site):
            yield good(site, "archive", "members are filtered or looked at")
        else:
            yield bad(site, "archive", "members may lead out of the folder", Confidence.MEDIUM)


def _is_tar(outline: Outline, site: Site[Call], callee: Attribute) -> bool:
    """Opened in this function by `tarfile`, and not the archive of somebody else's kind."""
    if site.function is None:
        return False
    made = {outline.dotted(call.callee) for call in calls_in(*site.function.body)}
    opens = made & {"tarfile.open", "tarfile.TarFile", "tarfile.TarFile.open"}
    others = any(name.startswith("zipfile.") for name in made)
    return bool(opens) and isinstance(callee.value, Name) and not (others and "zip" in callee.value.id.lower())


def _looked_at(site: Site[Call]) -> bool:
    call = site.node
    if keyword(call, "filter") is not None or spreads(call) or site.function is None:
        return True
    if isinstance(call.callee, Attribute) and call.callee.name == "extractall" and argument(call, 1, "members") is not None:
        return True
    return bool(set(names_in(*site.function.body)) & _CHECKING)


RULE = CheckRule(
    RuleInfo(
        id="unchecked-unpacking",
        title="Archive unpacked without a look at its members",
        dimension=Dimension.D5,
        kind="archive",
        cwe=22,
        severity=Severity.MEDIUM,
        impact=Impact.PARTIAL,
        consequence="Whoever made the archive can write files outside the intended folder.",
        remedy='Pass filter="data", or check that every member stays in the folder before it is written.',
    ),
    _check,
    python_file,
    query="calls that unpack archives",
)

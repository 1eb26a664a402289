"""Temporary file whose name is chosen before the file is made.

## What it finds
`tempfile.mktemp`, `os.tempnam` and `os.tmpnam`, which only give a name.

## Why it matters
Between the choice of the name and the making of the file another user of the machine can put a file or a link there, and so
read what is written or have other files overwritten.

## What is safe
`tempfile.NamedTemporaryFile`, `mkstemp`, `TemporaryDirectory`, which make the file themselves.

## Limits
Names put together by hand below a shared folder are not judged.
"""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, opened, python_file
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Match, RuleInfo
from counterproof.analysis.syntax.ir import Call
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Impact, Severity

_NAMING = ("tempfile.mktemp", "os.tempnam", "os.tmpnam")
_MAKING = (
    "tempfile.NamedTemporaryFile",
    "tempfile.mkstemp",
    "tempfile.mkdtemp",
    "tempfile.TemporaryDirectory",
    "tempfile.TemporaryFile",
    "tempfile.SpooledTemporaryFile",
)


def _check(project: Project, path: str) -> Iterator[Match]:
    _, outline = opened(project, path)
    for site in outline.of(Call):
        name = outline.dotted(site.node.callee)
        if name in _NAMING:
            yield bad(site, "temporary file", f"{name} gives a name and makes no file")
        elif name in _MAKING:
            yield good(site, "temporary file", "made together with its name")


RULE = CheckRule(
    RuleInfo(
        id="temporary-file",
        title="Temporary file named before it is made",
        dimension=Dimension.D5,
        kind="temporary",
        cwe=377,
        severity=Severity.LOW,
        impact=Impact.LOCAL,
        consequence="Another user of the machine can slip a file or a link under the chosen name.",
        remedy="Use tempfile.NamedTemporaryFile or mkstemp, which make the file themselves.",
    ),
    _check,
    python_file,
    query="calls that name or make temporary files",
)

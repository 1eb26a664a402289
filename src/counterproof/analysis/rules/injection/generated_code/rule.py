"""Program text put together from values that may end what they stand in.

## What it finds
In code that others install: a text that is a piece of a program (`import … from '…'`, `const … = …`, `def …(`, `class …`) into
which a function puts what it was given, or what a field or an entry holds, as it is.

## Why it matters
Names, addresses and descriptions come from schemas, documents and settings. With a quote or a line break in them they become
part of the program, which runs with the rights of whoever builds or loads it.

## What is safe
`JSON.stringify`, `repr`, a name that has to match a pattern or is made into an identifier, any check of the value.

## Limits
Told as posture: where the value comes from, and whether the text is run, is not followed. Texts that are made in several pieces
are read piece by piece.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, python_file, script_file
from counterproof.analysis.config.open_sinks import installed_outline
from counterproof.analysis.outline.interpolation import interpolated
from counterproof.analysis.outline.open_values import OpenValues, is_asked_about
from counterproof.analysis.outline.outline import Outline, Site
from counterproof.analysis.outline.raw_values import PLAIN
from counterproof.analysis.outline.words import vocabulary
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Confidence, Match, Severity, Shape
from counterproof.analysis.syntax.ir import Assign, Augment, Bind, Call, Expr, Return

_Place = Site[Call] | Site[Assign] | Site[Augment] | Site[Bind] | Site[Return]
_CODE = re.compile(
    r"(?:^|\n)\s{0,40}(?:export (?:default|const|function|type|interface|class|async|enum) "
    r"|import [\w{*\x00][^\n]{0,120} from ['\"]"
    r"|(?:const|let|var) [\w\x00{\[$][^\n=]{0,80}= ?[^\n]"
    r"|(?:async )?function [\w\x00$]{0,60}\("
    r"|from [\w.\x00]{1,80} import [\w\x00(*]"
    r"|(?:async )?def [\w\x00]{1,60}\("
    r"|class [\w\x00]{1,60}(?:\([\w\x00., ]{0,80}\))?[:{]"
    r"|class [\w\x00]{1,60} extends )"
)
"""The beginning of a line of a program."""
_MADE = PLAIN | vocabulary(
    """imports code body indent indentation type types args params fields props lines statements block source generated
    identifier camel pascal snake json stringified literal literals definition definitions content css style html markup"""
)
"""Words of names that hold pieces of programs already, or identifiers."""
MAX_ARGUMENTS = 3


def _check(project: Project, path: str) -> Iterator[Match]:
    outline = installed_outline(project, path)
    if outline is None:
        return
    told: set[str] = set()
    for site, value in _texts(outline):
        built = interpolated(value) if site.function is not None and site.scope not in told else None
        if built is None or not _CODE.search(built.text):
            continue
        values = OpenValues(outline, site, _MADE)
        named = ((each, name) for each in built.values if (name := values.raw(each)))
        found = next((name for each, name in named if not is_asked_about(outline, site, each)), "")
        if found:
            told.add(site.scope)
            yield bad(site, "program text", f"made with {found} in it as it is", Confidence.MEDIUM)


def _texts(outline: Outline) -> Iterator[tuple[_Place, Expr]]:
    for assigned in outline.of(Assign):
        if assigned.node.value is not None:
            yield assigned, assigned.node.value
    for returned in outline.of(Return):
        if returned.node.value is not None:
            yield returned, returned.node.value
    yield from ((added, added.node.value) for added in outline.of(Augment))
    yield from ((bound, bound.node.value) for bound in outline.of(Bind))
    for call in outline.of(Call):
        yield from ((call, each.value) for each in call.node.arguments[:MAX_ARGUMENTS])


RULE = CheckRule(
    title="Code injection into generated code",
    kind="code",
    cwe=94,
    severity=Severity.LOW,
    shape=Shape.FLOW,
    posture=True,
    consequence="Whoever chooses the value adds statements to the program that is made.",
    remedy="Write values as literals (JSON.stringify, repr), and check that names are identifiers.",
    check=_check,
    applies=lambda path: python_file(path) or script_file(path),
    query="texts of programs that values are put into",
)

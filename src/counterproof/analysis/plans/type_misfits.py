"""Doubts about TypeScript that a plan writes out: members that a type does not declare, objects and elements that do not fit it.

Always: only blocks that parse, and only types that are known in full, in the plan or in the code. A member that the plan speaks
of as one to be added, or shows as a part, is taken to be added, and so is any member of a type that it speaks of in a file that
it works on.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from tree_sitter import Node

from counterproof.analysis.plans.blocks import Code
from counterproof.analysis.plans.calling import GIVES
from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.doubts import Doubt, Kind
from counterproof.analysis.plans.evidence import Evidence
from counterproof.analysis.plans.type_literals import Given, classes_in, elements_in, literals_in, texts_in
from counterproof.analysis.plans.type_meanings import Meanings, Typed, home_of
from counterproof.analysis.plans.type_values import Values

_OF_ALL = frozenset(["toString", "valueOf", "hasOwnProperty", "constructor", "toLocaleString", "isPrototypeOf"])
MAX_FOUND = 100
"""Misfits of one block that are looked into."""
NEAR = 600
"""Letters between a type and a member that another plan gives it."""


@dataclass(frozen=True)
class _Misfit:
    """What a line of the plan asks of a type that does not have it (`lacking`), or does not give it though it is needed."""

    owner: str
    places: tuple[str, ...]
    has: tuple[str, ...]
    name: str
    line: int
    lacking: bool
    evidence: Evidence
    test: bool


def type_misfits(case: Case) -> Iterator[Doubt]:
    """What the plan's TypeScript asks of types that do not have it, and gives to what does not take it."""
    meanings = Meanings(case)
    found: dict[tuple[str, Evidence], list[_Misfit]] = {}
    for code in case.new_codes:
        source = meanings.source(code)
        if source is None:
            continue
        values = Values(meanings, source, home_of(code), f"plan:{code.block.first}")
        for each in islice((*_reads(code, values), *_given(code, values), *_texts(code, values)), MAX_FOUND):
            if not _is_added(case, meanings, each):
                found.setdefault((each.places[0], each.evidence), []).append(each)
    yield from (_doubt(each) for each in found.values())


def _reads(code: Code, values: Values) -> Iterator[_Misfit]:
    """Members that are read of objects whose type is known."""
    source = values.source
    for node in source.nodes("member_expression", "object_pattern"):
        typed = values.of(node.child_by_field_name("object")) if node.type == "member_expression" else _taken_apart(values, node)
        members = values.meanings.members(typed) if typed else None
        if members is None or source.of(node.child_by_field_name("object")) == "this":  # helpers are left out of sketches
            continue
        asked = [node.child_by_field_name("property")] if node.type == "member_expression" else _keys(node)
        for each in filter(None, asked):
            name = source.of(each)
            told = re.search(rf"['\"]{re.escape(name)}['\"] in\b", code.text) is not None
            if name not in members.members and name not in _OF_ALL and not told and not name.startswith("#"):
                line = code.block.first + each.start_point[0]
                yield _Misfit(*members.told, name, line, True, Evidence.UNDECLARED_MEMBER, code.is_test)


def _taken_apart(values: Values, node: Node) -> Typed | None:
    """The type of what a pattern takes apart."""
    around = node.parent
    if around is None or around.type not in ("variable_declarator", "required_parameter", "optional_parameter"):
        return None
    told = around.child_by_field_name("type")
    return values.written(told) if told else values.of(around.child_by_field_name("value"))


def _keys(node: Node) -> list[Node | None]:
    found: list[Node | None] = []
    for each in node.named_children:
        if each.type == "shorthand_property_identifier_pattern":
            found.append(each)
        elif each.type == "pair_pattern":
            found.append(each.child_by_field_name("key"))
        elif each.type == "object_assignment_pattern":
            found.append(each.child_by_field_name("left"))
    return [each for each in found if each is not None and each.type != "computed_property_name"]


def _given(code: Code, values: Values) -> Iterator[_Misfit]:
    """Objects, classes and elements that are written out, against the types that they are for."""
    written: tuple[tuple[Iterator[Given], Evidence], ...] = (
        (literals_in(values), Evidence.MISSHAPEN),
        (classes_in(values), Evidence.MISSHAPEN),
        (elements_in(values), Evidence.MISFIT_PROPS),
    )
    for givens, evidence in written:
        for each in givens:
            line = code.block.first + each.node.start_point[0]
            for name, at in each.names.items():
                if name not in each.members.members:
                    yield _Misfit(*each.members.told, name, code.block.first + at.start_point[0], True, evidence, code.is_test)
            for name in sorted(each.members.required - set(each.names)):
                yield _Misfit(*each.members.told, name, line, False, evidence, code.is_test)


def _texts(code: Code, values: Values) -> Iterator[_Misfit]:
    """Texts that are none of those which a type consists of."""
    for node, typed in texts_in(values):
        options, places = values.meanings.options(typed)
        text = values.source.of(node)[1:-1]
        if options and text not in options and "\\" not in text:
            line = code.block.first + node.start_point[0]
            owner = typed.type.name or typed.name
            yield _Misfit(owner, places, tuple(sorted(options)), text, line, True, Evidence.NO_OPTION, code.is_test)


def _is_added(case: Case, meanings: Meanings, each: _Misfit) -> bool:
    """Whether the plan may give the type what it lacks: in prose, in a part of a declaration, or in a file that it works on."""
    shown = meanings.shows_part(each.name) or _is_written(case, each.name)
    if each.lacking and (shown or _is_spoken_of(case, each) or _is_sisters(case, each)):
        return True
    worked_on = any(place.rpartition(":")[0] in case.touched for place in each.places)
    return worked_on and (not each.lacking or any(each.owner in line for line in case.prose_lines))


def _is_written(case: Case, name: str) -> bool:
    """Whether a block shows the head of a method of that name, of whatever class."""
    taken = r"\([^;{}]{0,400}\)[^;{}]{0,120}\{"
    head = re.compile(rf"(?m)^[ \t]*(?:(?:async|static|public|get|set)[ \t]+){{0,3}}{re.escape(name)}[ \t]*{taken}")
    return any(name in code.text and head.search(code.text) for code in case.codes)


def _is_sisters(case: Case, each: _Misfit) -> bool:
    """Whether another plan may give the member to a type of the code."""
    owner = rf"(?<![\w$]){re.escape(each.owner)}(?![\w$])"
    given = re.compile(rf"{owner}[^#]{{0,{NEAR}}}?(?<![\w.$]){re.escape(each.name)}\??[ \t]*[:(`]")
    there = not each.places[0].startswith("plan:")
    return there and any(each.owner in text and given.search(text) for _, text in case.sisters)


def _is_spoken_of(case: Case, each: _Misfit) -> bool:
    """Whether a line of prose names the member in code marks, as one that is new, or beside its type."""
    word, owner = (re.compile(rf"(?<!\w){re.escape(name)}(?!\w)") for name in (each.name, each.owner))
    marked = re.compile(rf"`[^`\n]{{0,200}}(?<![\w$]){re.escape(each.name)}(?![\w$])[^`\n]{{0,200}}`")
    spoken = [line for line in case.prose_lines if word.search(line)]
    return any((marked.search(line) and GIVES.search(line)) or owner.search(line) for line in spoken)


def _doubt(misfits: list[_Misfit]) -> Doubt:
    """One doubt for all that one type does not have, and all that it needs."""
    misfits = sorted(misfits, key=lambda each: (not each.lacking, each.test, each.line))
    first = misfits[0]
    unknown, needed = (_listed(each for each in misfits if each.lacking is lacking) for lacking in (True, False))
    has = ", ".join(first.has[:12]) or "nothing"
    said = [f"has no {unknown}; it has {has}"] if unknown else []
    said += [f"{'it ' if unknown else ''}also needs {needed}"] if needed else []
    change = f"Use what `{first.owner}` has, or add {unknown} to its declaration"
    return Doubt(
        Kind.MEMBER if first.evidence is Evidence.UNDECLARED_MEMBER else Kind.MISSHAPEN,
        f"{first.owner}.{first.name}",
        "",
        f"`{first.owner}`, declared at {first.places[0]}, {'; '.join(said)}",
        f"Line {first.line} does not compile",
        change if unknown else f"Give {needed} there, or declare what is not needed as optional",
        lines=tuple(dict.fromkeys(each.line for each in misfits))[:5],
        places=first.places[:1],
        evidence=first.evidence,
    )


def _listed(misfits: Iterable[_Misfit]) -> str:
    names = dict.fromkeys(each.name for each in misfits)
    return ", ".join(f"`{name}`" for name in list(names)[:6])

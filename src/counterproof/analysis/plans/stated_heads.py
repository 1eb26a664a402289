"""Doubts about interfaces that a plan states in words: a function with other parameters than the plan's own block gives it.

Always: only under labels of what a task produces or takes over, with parameters that are plain names, and only for a function
that the plan's blocks define on the top level. Where any of its definitions takes as many as the words say, nothing is doubted.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.doubts import Doubt, Kind
from counterproof.analysis.plans.evidence import Evidence
from counterproof.analysis.plans.heads import CHECKED, heads_in, split
from counterproof.analysis.plans.signatures import functions_in
from counterproof.analysis.plans.stated_order import CONSUMES

_LABEL = re.compile(
    r"[\W\d_]{0,14}(?:produces?|exposes?|provides?|exports?|consumes?|interfaces?|signatures?|api)\b[^:`\n]{0,40}[:：]",
    re.IGNORECASE,
)
_STATED = re.compile(
    r"`(?:(?:export|pub|async|def|function|fn|func)[ \t]+){0,4}(?P<name>[A-Za-z_]\w{2,80})"
    r"\((?P<inner>[^`\n]{1,400})\)(?:[ \t]*(?:->|=>|:)[^`\n]{0,200}|[ \t]+[\w.*\[\]]{1,80})?`"
)
_PLAIN = re.compile(r"(?:mut[ \t]+)?[A-Za-z_]\w{0,80}\??(?:[ \t]*[:=].{1,200}|[ \t]+[\w.*&\[\]<>]{1,80})?")
_OWN = re.compile(r"(?:&?(?:mut[ \t]+)?self|cls)\b")

MAX_LINE = 2_000


@dataclass(frozen=True, slots=True)
class _Head:
    """A function of the plan's blocks: its line, its parameters, and how many of them a call must give."""

    line: int
    names: tuple[str, ...]
    least: int


def stated_otherwise(case: Case) -> Iterator[Doubt]:
    """Functions that a label states with more or fewer parameters than the plan's blocks give them, each once."""
    labels = [at for at, text in enumerate(case.lines, 1) if at not in case.code_lines and _LABEL.match(text)]
    heads = _heads(case) if labels else {}
    seen: set[str] = set()
    for line in labels:
        for match in _STATED.finditer(case.line(line)[:MAX_LINE]):
            parts = [part for part in map(str.strip, split(match["inner"])) if not _OWN.match(part)]
            head = _other_head(heads.get(match["name"], []), parts)
            if head and match["name"] not in seen and not _is_as_before(case, line, match["name"]):
                seen.add(match["name"])
                yield _otherwise(match["name"], line, parts, head)


def _is_as_before(case: Case, line: int, name: str) -> bool:
    """Whether a label speaks of what the repository has before the plan changes it: a step takes it over as it is."""
    return CONSUMES.match(case.line(line)) is not None and bool(case.ground.occurrences(name).definitions)


def _other_head(known: list[_Head | None], stated: list[str]) -> _Head | None:
    """The first of the definitions where none of them takes as many as are stated, and all are certain."""
    certain = [head for head in known if head is not None]
    plain = len(certain) == len(known) and all(_PLAIN.fullmatch(part) for part in stated)
    fits = any(head.least <= len(stated) <= len(head.names) for head in certain)
    return certain[0] if certain and plain and not fits else None


def _heads(case: Case) -> dict[str, list[_Head | None]]:
    """The functions of the plan's blocks by their names; None for one that may take any number."""
    found: dict[str, list[_Head | None]] = {}
    for code in case.new_codes:
        if code.tree is not None:
            for each in functions_in(code.tree, "plan", code.block.first):
                line = int(each.place.rpartition(":")[2])
                known = None if each.most is None or each.any_keyword else _Head(line, each.names, len(each.required))
                found.setdefault(each.name, []).append(known)
        elif code.block.language in CHECKED:
            for name, head in heads_in(code.text):
                first = code.block.first - 1
                found.setdefault(name, []).append(_Head(first + head.line, head.names, head.least) if head else None)
    return found


def _otherwise(name: str, line: int, stated: list[str], head: _Head) -> Doubt:
    taken = ", ".join(head.names) or "nothing"
    return Doubt(
        Kind.INTERFACE,
        f"{name}({', '.join(stated)})",
        "",
        f"The plan's own code, at plan:{head.line}, has it take {taken}",
        "What relies on the stated interface does not fit the code",
        f"State it as `{name}({', '.join(head.names)})`, or change the code",
        lines=(line,),
        places=(f"plan:{head.line}",),
        evidence=Evidence.STATED,
    )

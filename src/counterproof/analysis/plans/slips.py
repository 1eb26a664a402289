"""Doubts about names that neither the code nor the plan has, while the code has one that was meant.

Always: a name is a slip only of one that the plan never names itself. It stands where the plan leaves no doubt that it counts on
it: its words say so, its code calls it as a function of the project, or takes it from a module of the project.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.plans.block_files import endings_of
from counterproof.analysis.plans.blocks import RUST, Called, Code
from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.code_uses import is_own, module_of
from counterproof.analysis.plans.doubts import Doubt
from counterproof.analysis.plans.evidence import Evidence
from counterproof.analysis.plans.existence import ADDS, MIN_NAME, TAKEN, is_spoken, mentions_of, missing_name, taken_at
from counterproof.analysis.plans.ground import Occurrences
from counterproof.analysis.plans.hearing import said_of
from counterproof.analysis.plans.likeness import is_slip
from counterproof.analysis.plans.packages import is_foreign
from counterproof.analysis.plans.python_trees import Imported
from counterproof.model.plan.outline import Intent, Mention

MAX_TAKERS = 20
"""Files that are asked from where they take a name."""
_WORD = re.compile(r"(?<![\w$/-])[A-Za-z_$][\w$]*(?![\w$/-]|\.\w{1,4}(?![\w.]))")
"""A word that is no part of a path or of a file's name."""
_MEMBER = re.compile(r"\b(?:this|self)\.([A-Za-z_]\w*)\b(?![ \t]*(?:\(|=(?!=)|:))")


def slipped_names(case: Case) -> Iterator[Doubt]:
    """Names in code marks, and names that blocks call, which neither the code nor the plan has, while the code has one that was
    meant."""
    seen = {each.text.rpartition(".")[2] for each in case.of(Mention.SYMBOL) if each.intent is Intent.CREATES and each.firm}
    relied = dict(_relied(case))
    seen |= {each.name for code in case.codes for each in code.imports if each.name} - set(relied)
    called = dict(reversed(list(_called(case))))
    uses = ((name, each.line) for name, (each, _) in called.items())
    for name, line in (*_marked(case), *uses, *_members(case), *relied.items()):
        if name in seen or len(name) < MIN_NAME or not re.search(r"[a-z0-9]_|[a-z0-9][A-Z]", name):
            continue
        seen.add(name)
        shown = name not in relied and (case.defines(name) or (case.makes_name(name) and name not in case.prose_made))
        if case.ground.holds(name) or shown or ((name in relied or name in called) and case.binds(name)):
            continue
        near = case.slip_for(name)
        if near and is_slip(name, near) and not is_spoken(case.line(line), name):
            call = called.get(name)
            member = _MEMBER.search(case.line(line)) is not None  # what is not shown may give it a value
            inner = call is None and not any(mentions_of(case, name))  # a part of a longer piece of code in code marks
            certain = not member and not inner and _is_counted_on(case, name, near, call)
            evidence = Evidence.SLIPPED_NAME if certain or name in relied else Evidence.NEAR_NAME
            yield missing_name(case, name, call[0].line if call else line, near, evidence)


def _relied(case: Case) -> Iterator[tuple[str, int]]:
    """Names that blocks take from modules of the project which the plan does not make, with the lines. A module that is missed
    itself says enough."""
    made = {path.rpartition("/")[2].partition(".")[0] for path in case.made_files}
    for code in case.new_codes:
        for each in code.imports:
            there = re.split(r"[./]", each.module)[-1] not in made and module_of(case, code, each) != ""
            own = is_own(case, code, each.module) or _is_had_there(case, code, each)
            if each.name and not each.optional and there and own:
                yield each.name, each.line
        yield from code.taken if code.tree is not None or code.language in RUST else ()


def _is_had_there(case: Case, code: Code, each: Imported) -> bool:
    """Whether a script names a module of the project by an alias or by its package, and the code takes from this very module the
    name that was meant."""
    if code.tree is not None or not each.name or case.ground.holds(each.name) or is_foreign(case, code, each.module):
        return False
    near = case.slip_for(each.name)
    held = case.ground.occurrences(near) if near else Occurrences()
    takes = re.compile(
        rf"\bimport\b[^;'\"]{{0,800}}(?<![\w$]){re.escape(near)}(?![\w$])[^;'\"]{{0,800}}from[ \t]{{0,4}}"
        rf"['\"]{re.escape(each.module)}['\"]"
    )
    paths = dict.fromkeys(path for path, _ in (*held.uses, *held.test_uses))
    return any(takes.search(case.ground.text(path)) for path in [*paths][:MAX_TAKERS])


def _is_counted_on(case: Case, name: str, near: str, call: tuple[Called, Code] | None) -> bool:
    """Whether the plan takes a name to be there: words about it say so and none that it comes to be; code calls it by its plain
    name, and the other is a function of that language; or the plan names the one file that has the other and no line may bring
    this."""
    if taken_at(case, re.escape(name)) or (said_of(case, TAKEN, name) and not said_of(case, ADDS, name)):
        return True
    if case.makes_name(name):
        return False
    held = case.ground.occurrences(near)
    if call and "." not in call[0].name:
        homes = held.definitions + (held.test_uses if call[1].is_test else [])
        if any(path.endswith(endings_of(call[1].language)) and _is_function(case, near, path, line) for path, line in homes):
            return True
    homes = held.definitions
    if len(homes) != 1 or case.is_local(*homes[0]):
        return False
    word = re.compile(rf"(?<![\w$]){re.escape(name)}(?![\w$])")
    return homes[0][0] in case.touched and not any(word.search(each) and ADDS.search(each) for each in case.prose_lines)


def _is_function(case: Case, name: str, path: str, line: int) -> bool:
    """Whether a line defines a function that stands inside of nothing else."""
    text = case.ground.project.line(path, line)
    return re.match(rf"(?:\w{{2,12}}[ \t]{{1,4}}){{1,5}}{re.escape(name)}[ \t]{{0,4}}(?:[(<:]|=(?!=))", text) is not None


def _marked(case: Case) -> Iterator[tuple[str, int]]:
    """Words in code marks, with their lines; those of paths are no names."""
    yield from ((each.text.rpartition(".")[2], each.line) for each in case.of(Mention.SYMBOL))
    for number, line in enumerate(case.lines, 1):
        if number not in case.code_lines:
            for text in re.findall(r"`([^`\n]{1,200})`", line):
                yield from ((name, number) for name in _WORD.findall(text))


def _members(case: Case) -> Iterator[tuple[str, int]]:
    """What blocks read of the object that they are part of, with the lines."""
    for code in case.new_codes:
        yield from ((match[1], code.line_of(match.start(1))) for match in _MEMBER.finditer(code.plain))


def _called(case: Case) -> Iterator[tuple[str, tuple[Called, Code]]]:
    """What blocks of code call, by its last name."""
    for code in case.new_codes:
        if not any(each.name == "*" for each in code.imports):
            yield from ((each.name.rpartition(".")[2], (each, code)) for each in code.calls)

"""Doubts about imports that a plan takes out of a script, while lines of it that the plan leaves alone still use the name.

Always: the removed import stands in the file as the plan shows it. A line that any block of the plan for the file shows, or that
stands inside of a function which words change, counts as dealt with.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.plans.blocks import SCRIPTS, Code
from counterproof.analysis.plans.case import MIN_LINE, Case
from counterproof.analysis.plans.doubts import Doubt, Kind
from counterproof.analysis.plans.evidence import Evidence
from counterproof.analysis.plans.script_names import ENDINGS, file_of
from counterproof.analysis.plans.script_trees import script_of

_REMOVES = re.compile(
    r"(?:\b(?:remove|delete|drop)\w{0,3}\b|移除|删除)(?:[ \t]+(?:the|unused|old|type|import|imports|of|now)){0,5}[ \t]*"
    r"(?:`(?:type[ \t]+)?(?P<name>[A-Za-z_$][\w$]{0,80})`)?",
    re.IGNORECASE,
)
"""Words that take something out, with its name where they give it."""
MAX_LEAD = 2_000
_REMOVED = re.compile(r"\W{0,4}(?:remove|delete) (?:it|that|this)\b", re.IGNORECASE)
_CHANGES = re.compile(
    r"\b(?:remov|delet|drop|replac|rewrit|updat|chang|migrat|refactor|modif|convert|switch|simplif)\w{0,4}"
    r"|移除|删除|替换|修改|改",
    re.IGNORECASE,
)
_HEAD = re.compile(
    r"[ \t]*(?:export[ \t]+)?(?:default[ \t]+)?(?:async[ \t]+)?(?:const|let|function\*?|class)[ \t]+([A-Za-z_$][\w$]*)"
)
_IMPORTING = re.compile(r"[ \t]*(?:import\b|\*|/\*)|[^'\"]{0,200}\bfrom[ \t]+['\"]")
_LINES = re.compile(r"\b(?:lines?|L)[ \t]*~?(\d{1,6})[ \t]*[-–—][ \t]*~?(\d{1,6})\b", re.IGNORECASE)
_USES = r"\b(?:usages?|uses|references|calls?)\b"


def dropped_imports(case: Case) -> Iterator[Doubt]:
    """Names whose import goes while the file still uses them."""
    for code in case.codes:
        path = file_of(case, code.path) if code.path.endswith(ENDINGS) and code.block.language in SCRIPTS else ""
        held = path != "" and case.ground.resolve(path) == path
        script = script_of(code.text, path) if held and _is_removed(case, code, path) else None
        taken = script.imported.items() if script and script.is_import else ()
        left = {name: line for name, module in taken if (line := _use_left(case, path, name, module))}
        if left:
            yield _doubt(path, left, code.block.first)


def _is_removed(case: Case, code: Code, path: str) -> bool:
    """Whether the line before a block, or the one behind it, says to take it out. A block without the names that the line takes
    out, or with imports that the file does not have, shows what is left."""
    after = code.block.first + code.block.text.count("\n") + 1
    behind = next((line for line in case.lines[after : after + 3] if line.strip()), "")
    named = [match["name"] for match in _REMOVES.finditer(code.block.lead[-MAX_LEAD:])]
    if not named:
        return code.is_old and _REMOVED.match(behind) is not None
    own, shown = script_of(case.ground.text(path), path), script_of(code.text, path)
    left = own is not None and shown is not None and not shown.imported.items() <= own.imported.items()
    return not left and any(not name or re.search(rf"(?<![\w$]){re.escape(name)}(?![\w$])", code.text) for name in named)


def _use_left(case: Case, path: str, name: str, module: str) -> int:
    """The first line of a file that uses a name and that nothing in the plan deals with; 0 if there is none."""
    text = case.ground.text(path)
    own = script_of(text, path)
    blocks = [each for each in case.codes if each.path and file_of(case, each.path) == path]
    if own is None or own.imported.get(name) != module or _is_kept(case, blocks, path, name):
        return 0
    shown = {line.strip() for each in blocks for line in each.text.split("\n")}
    word = re.compile(rf"(?<![\w$.'\"`/]){re.escape(name)}(?![\w$])")
    ranges = list(_ranges(case, {each.step for each in blocks}))
    head = ""
    for number, line in enumerate(text.split("\n"), 1):
        opened = _HEAD.match(line[:300])
        head = opened[1] if opened else head
        used = word.search(line.partition("//")[0]) and not _IMPORTING.match(line) and len(line.strip()) > MIN_LINE
        dealt = line.strip() in shown or any(first <= number <= last for first, last in ranges)
        if used and number != own.bound[name] and not dealt and not _is_changed(case, name, head):
            return number
    return 0


def _ranges(case: Case, steps: set[int]) -> Iterator[tuple[int, int]]:
    """Lines from one number to another that words of the steps take out or change."""
    for at, line in case.lines_with(_CHANGES):
        if at not in case.code_lines and case.step_of(at) in steps:
            yield from ((int(first), int(last)) for first, last in _LINES.findall(line))


def _is_kept(case: Case, blocks: list[Code], path: str, name: str) -> bool:
    """Whether another block for the file imports or defines a name, or is all of the file anew."""
    others = [each for each in blocks if each in case.new_codes and not _is_removed(case, each, path)]
    scripts = [script_of(each.text, path) for each in others]
    return any(script and (name in script.bound or (script.imported and script.exported)) for script in scripts)


def _is_changed(case: Case, name: str, head: str) -> bool:
    """Whether words change the function that a line stands in, or every use of the name."""
    inside = re.compile(rf"(?<![\w$/.-]){re.escape(head)}(?![\w$/-]|\.\w)" if head else r"(?!)")
    uses = re.compile(rf"{re.escape(name)}.{{0,40}}{_USES}|{_USES}.{{0,40}}{re.escape(name)}")
    told = (line for at, line in case.lines_with(_CHANGES) if at not in case.code_lines)
    return any(inside.search(line) or uses.search(line) for line in told)


def _doubt(path: str, names: dict[str, int], line: int) -> Doubt:
    (name, left), *others = names.items()
    more = f", nor that of {', '.join(f'`{other}` (line {at})' for other, at in others[:6])}" if others else ""
    return Doubt(
        Kind.REMOVAL,
        name,
        f"from the imports of {path}",
        f"Line {left} of `{path}` uses `{name}`, and no step changes that line{more}",
        f"Without the import, {path}:{left} stops with a ReferenceError, or does not compile",
        f"Keep the import of `{name}`, or say what becomes of line {left}",
        lines=(line,),
        places=(f"{path}:{left}",),
        evidence=Evidence.SCRIPT_DROPPED,
    )

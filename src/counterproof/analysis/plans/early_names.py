"""Names that the code of a step uses and only a block of a later step makes: functions, types, constants, members.

Always: tests are written first, late imports wait for their step, and what any earlier block or line makes in whatever form is
not early. A use is certain where it can be nothing else: a name of several words that no file holds, which is read or called
inside of an expression, and made at the top of a later block or as a member of a type there.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from counterproof.analysis.plans.blocks import DATA, Code, without_texts
from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.evidence import Evidence
from counterproof.analysis.plans.likeness import words_of
from counterproof.analysis.plans.needed_imports import OUTCOME, names_waiting, needed_by
from counterproof.analysis.plans.packages import is_foreign
from counterproof.analysis.plans.python_trees import Imported, is_method
from counterproof.model.plan.outline import Intent, Mention

Early = tuple[str, int, int, Evidence]
"""What is used early, the line of the use, the line that makes it, and what shows it."""
_SETTLED = re.compile(r"\bgit commit\b|\b(?:step \d+: |\*\*)commit\b|^[-*\d. \[\]]{0,12}\**commit\b", re.IGNORECASE)
"""A line that closes a step: what stands above it is done."""
_CONSTANT = re.compile(r"(?m)^([A-Z][A-Z0-9]*_[A-Z0-9_]{2,80})[ \t]*(?::[^=\n]{1,80})?=(?!=)")
_TYPE = re.compile(r"\b(?:interface|struct|class|type|record|enum|trait|protocol|impl)[ \t]|\((?:&[ \t]*)?(?:mut[ \t]+)?self\b")
_MEMBER = re.compile(
    r"(?m)^[ \t]+(?:(?:async|pub(?:\([a-z]+\))?|public|private|readonly|static|fn|func|get)[ \t]+){0,4}"
    r"([a-z][\w$]{4,80})(?:\??:[ \t]*[\w&<(\[{'\"]|[ \t]*(?:<[^<>\n]{0,60}>)?\([^;\n]{0,200}\)[^;\n]{0,80}\{[ \t]*$)"
)
_TYPE_HEAD = re.compile(
    r"(?m)^[ \t)]{0,40}(?:(?:export|default|declare|abstract|pub(?:\([a-z]{1,9}\))?|public|private|internal|sealed|partial|final"
    r"|data|open|static|unsafe)[ \t]+){0,5}(?:interface|struct|class|type|record|enum|trait|protocol|impl)[ \t<][^;\n]{0,300}"
    r"(?:\n[ \t]*(?:where|extends|implements|with)\b[^\n]{0,200}(?:\n[ \t][^\n]{0,200}){0,3})?\s{0,80}\}\Z"
)
_PART_HEAD = re.compile(r"(?:\A|[\n,;])[ \t]{0,80}(?:readonly[ \t]+)?[\w$]{1,80}(?:\??:)?[ \t]*(?:[\w$]{1,40}<)?\}\Z")
"""What opens the fields of a type, and those of a part of it: a variant, or a member that is an object itself."""
_BRACKET = re.compile(r"[(){};\[\]]")
_PAIRS = {"(": ")", "{": "}", "[": "]"}
MAX_HEAD = 400
MAX_DEEP = 12
"""Letters before a bracket, and brackets around a place, that are looked at."""
_HEADLIKE = re.compile(r"[\w$<>\[\],?.*& \t]{0,200}")
_INSIDE = re.compile(
    r"[ \t]*(?:return|await|throw|yield|new|else|go|defer|do|in|of|case|not|and|or|let|const|var)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class _Made:
    """What makes a name: the line, the names of the files that it may be taken from, whether it stands at the top."""

    line: int
    homes: frozenset[str]
    top: bool


def early_names(case: Case) -> Iterator[Early]:
    """Everything that code other than tests uses before the block that makes it."""
    made, members = _made(case), _members(case)
    for code in case.codes:
        if code.is_test or not code.step or code.block.language in DATA:
            continue
        needed, waiting = needed_by(case, code), names_waiting(case, code)
        late = {each.name for each in code.imports if each not in needed or is_foreign(case, code, each.module)}
        from_home = {each.name for each in needed if re.split(r"[/.]", each.module)[-1] in _homes(made, each.name)}
        called = set(_uses(code, needed, made, waiting))
        for name, line in sorted(called | set(_read(code, made)), key=lambda pair: pair[1]):
            if len(name) > 4 and name not in late and _is_early(case, name, line, made.get(name)):
                certain = made[name].top and _is_certain(case, code, name, line) and _is_settled(case, line, made[name].line)
                shown = Evidence.EARLY_CODE if certain else Evidence.EARLY_NAME
                if certain or (name, line) in called:
                    yield name, line, made[name].line, Evidence.EARLY_LOAD if name in from_home else shown
        for name, line in _reads(code, members):
            made_at = members[name].line
            settled = _is_settled(case, line, made_at) and _is_unsaid(case, name, code.step)
            if settled and _is_early(case, name, line, members[name]):
                yield name, line, made_at, Evidence.EARLY_CODE if _is_told(case, code, name) else Evidence.EARLY_NAME


def _is_told(case: Case, code: Code, name: str) -> bool:
    """Whether the language of a block says what its objects have, so that a member comes from the type that declares it; data
    has what it is given. Where code is not parsed, a word of that name in a block up to the step may declare it as well."""
    if code.tree is not None:
        return True
    word = re.compile(rf"(?<![\w$.]){re.escape(name)}(?![\w$])")
    shown = (each for each in case.codes if 0 < each.step <= code.step and name in each.text)
    return code.block.language not in ("js", "jsx", "javascript", "mjs") and not any(word.search(each.text) for each in shown)


def is_before(case: Case, use: int, made: int) -> bool:
    """Whether a line stands in an earlier step than another; both must stand in steps."""
    return 0 < case.step_of(use) < case.step_of(made) if made else False


def defined_in(code: Code) -> dict[str, int]:
    """Functions, types and constants that a block defines, by their line in the plan."""
    constants = {match[1]: code.line_of(match.start(1)) for match in _CONSTANT.finditer(code.text)}
    return {**constants, **code.defined}


def _made(case: Case) -> dict[str, _Made]:
    found: dict[str, _Made] = {}
    for code in case.codes:
        for name, line in defined_in(code).items() if code.step and not code.is_test else ():
            if name not in found or line < found[name].line:
                text = code.text.split("\n")[line - code.block.first]
                top = not text[:1].isspace() and code.block.language not in DATA
                found[name] = _Made(line, _modules(case, code), top)
    return found


def _members(case: Case) -> dict[str, _Made]:
    """Fields and methods of several words that the types of blocks have, where one step alone shows them."""
    found: dict[str, _Made] = {}
    steps: dict[str, set[int]] = {}
    for code in case.codes:
        for name, line, declared in _members_of(code) if code.step and not code.is_test else ():
            steps.setdefault(name, set()).add(code.step)
            if declared:
                found.setdefault(name, _Made(line, frozenset(), top=True))
    return {name: each for name, each in found.items() if len(steps[name]) == 1}


def _members_of(code: Code) -> Iterator[tuple[str, int, bool]]:
    """What may be members of a block's types, each with its line, and whether a type declares it there: what is given to an
    object, or taken by a function, stands in the same form and makes nothing."""
    if code.tree is not None:
        shown = [node for kind in ast.walk(code.tree) if isinstance(kind, ast.ClassDef) for node in kind.body]
        for node in (*shown, *(node for node in code.tree.body if is_method(node))):
            field = node.target if isinstance(node, ast.AnnAssign) else None
            named = node.name if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else getattr(field, "id", "")
            if _is_compound(named):
                yield named, code.block.first + node.lineno - 1, True
    elif code.block.language not in DATA and _TYPE.search(code.plain):
        matches = [match for match in _MEMBER.finditer(code.plain) if _is_compound(match[1])]
        heads = _heads_around(without_texts(code.text), [match.start(1) for match in matches])
        for match, around in zip(matches, heads, strict=True):
            yield match[1], code.line_of(match.start(1)), _is_declared(around)


def _heads_around(text: str, places: list[int]) -> Iterator[list[str]]:
    """What stands before each brace that is open at a place, the innermost last, and brackets alone; places come in order."""
    opened: list[tuple[str, str]] = []
    start, at = 0, 0
    for place in places:
        for match in _BRACKET.finditer(text, at, place):
            if match[0] in _PAIRS:
                head = text[max(start, match.start() - MAX_HEAD) : match.start()] if match[0] == "{" else ""
                opened.append((_PAIRS[match[0]], head))
            elif opened and opened[-1][0] == match[0]:
                opened.pop()
            start = match.end() if match[0] in "{};" else start
        at = max(at, place)
        yield [f"{head}{closing}" for closing, head in opened[-MAX_DEEP:]]


def _is_declared(around: list[str]) -> bool:
    """Whether brackets are those of a type, or of a part of one; without any, a block shows a part of a type itself."""
    for head in reversed(around):
        if _TYPE_HEAD.search(head):
            return True
        if not _PART_HEAD.search(head):
            return False
    return not around


def _is_compound(name: str) -> bool:
    return len(words_of(name)) > 1


def _homes(made: dict[str, _Made], name: str) -> frozenset[str]:
    return made[name].homes if name in made else frozenset()


def _uses(code: Code, needed: tuple[Imported, ...], made: dict[str, _Made], waiting: frozenset[str]) -> Iterator[tuple[str, int]]:
    """The names that a block takes, calls or reads, each with its line; what is taken out of a module waits with it."""
    calls = (call for call in code.calls if call.name.partition(".")[0] not in waiting)
    called = {(_called(call.name, made), call.line) for call in calls} | set(code.elements)
    yield from ((name, line) for name, line in called if name and not _is_own(code, name))
    yield from code.taken
    yield from ((each.name, each.line) for each in needed if each.name)


def _read(code: Code, made: dict[str, _Made]) -> Iterator[tuple[str, int]]:
    """Types and constants that a block names without calling them."""
    if code.tree is not None:
        nodes = (node for node in ast.walk(code.tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load))
        yield from (
            (node.id, code.block.first + node.lineno - 1) for node in nodes if node.id in made and node.id not in code.bound
        )
        return
    for match in re.finditer(r"(?<![\w$.])([A-Z][\w$]{4,80})(?![\w$]|[ \t]*[:(])", without_texts(code.plain)):
        if match[1] in made and not _is_own(code, match[1]):
            yield match[1], code.line_of(match.start(1))


def _is_own(code: Code, name: str) -> bool:
    return name in code.defined or code.binds(name)


def _reads(code: Code, members: dict[str, _Made]) -> Iterator[tuple[str, int]]:
    """Members that a block reads of any object."""
    if code.tree is not None:
        nodes = (node for node in ast.walk(code.tree) if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load))
        yield from (
            (node.attr, code.block.first + node.end_lineno - 1) for node in nodes if node.attr in members and node.end_lineno
        )
        return
    for match in re.finditer(r"[\w$)\]!?]\.([a-z][\w$]{4,80})(?![\w$]|[ \t]*=(?![=>]))", without_texts(code.text)):
        if match[1] in members:
            yield match[1], code.line_of(match.start(1))


def _is_early(case: Case, name: str, line: int, made: _Made | None) -> bool:
    return (
        made is not None
        and is_before(case, line, made.line)
        and not case.ground.holds(name)
        and not _is_bound_by(case, name, case.step_of(line))
        and not _is_file_by(case, name, case.step_of(line))
    )


def _is_file_by(case: Case, name: str, step: int) -> bool:
    """Whether a line up to a step makes a file of that name, in whatever form its first version has."""
    made = (each for each in case.of(Mention.FILE) if each.intent is Intent.CREATES and 0 < each.step <= step)
    return any(each.text.rpartition("/")[2].partition(".")[0] == name for each in made)


def _is_certain(case: Case, code: Code, name: str, line: int) -> bool:
    """Whether a use can be nothing else: no head of a method, and no word of an earlier line makes the name."""
    if not _is_compound(name) or not _is_unsaid(case, name, code.step):
        return False
    if code.tree is not None:
        return True
    text = without_texts(code.text).split("\n")[line - code.block.first]
    before = text.partition(name)[0]
    return not _HEADLIKE.fullmatch(before) or _INSIDE.match(before) is not None


def _is_unsaid(case: Case, name: str, step: int) -> bool:
    """Whether no line up to a step says that the name is made there."""
    spoken = (each for each in case.of(Mention.SYMBOL) if each.intent is Intent.CREATES and each.text.rpartition(".")[2] == name)
    return not any(each.step <= step and each.line not in case.code_lines for each in spoken if each.step)


def _is_settled(case: Case, use: int, made: int) -> bool:
    """Whether a commit, or a run that is to succeed, stands between the two: the step with the use is meant to work by itself."""
    between = case.lines[use : made - 1]
    return any(_SETTLED.search(line) or ((told := OUTCOME.search(line)) and told["good"]) for line in between)


def _modules(case: Case, code: Code) -> frozenset[str]:
    """What the file of a block may be called by other code, or the files that its step creates where the block names none."""
    created = (each for each in case.of(Mention.FILE) if each.intent is Intent.CREATES and each.firm and each.step == code.step)
    paths = [code.path] if code.path else [each.text for each in created]
    return frozenset(part for path in paths for part in path.rpartition(".")[0].split("/")[-2:])


def _called(dotted: str, made: dict[str, _Made]) -> str:
    """What a call needs: its first word, or what it takes out of the module that a step writes it into."""
    owner, _, name = dotted.rpartition(".")
    return name if owner and owner.rpartition(".")[2] in _homes(made, name) else dotted.partition(".")[0]


def _is_bound_by(case: Case, name: str, step: int) -> bool:
    """Whether a block up to a step, in whatever language, gives the name a meaning in any form: a definition, a method, a field,
    a value, a part of what is taken apart. What a test makes up serves the test alone."""
    before = (code for code in case.codes if 0 < code.step <= step and not code.is_test)
    return any(
        name in code.text
        and code.binds(name)
        and (code.tree is None or name not in {*(each.name for each in code.imports), *(taken for taken, _ in code.taken)})
        for code in before
    )

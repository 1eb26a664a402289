"""Doubts about numbers, names and signatures that a plan states of the repository and that a line of it contradicts (P21).

Always: only an explicit form states something: `file.py:120`, `file.py::name`, a name that is changed in a file, a value with the
word `currently`, a call written out. What the plan makes or changes itself is not held against it.
"""

import ast
import re
from collections.abc import Iterator

from counterproof.analysis.plans.case import WORKING, Case
from counterproof.analysis.plans.doubts import Doubt, Evidence
from counterproof.analysis.plans.imports import modules_of
from counterproof.analysis.plans.python_trees import parsed
from counterproof.analysis.plans.signatures import Signature, functions_in, misfit
from counterproof.model.counting import counted
from counterproof.model.plan.outline import Intent, Mention

MIN_NAME = 5
_LINE = re.compile(r"[:#]L?(?P<first>\d{1,6})(?:[-–]L?(?P<last>\d{1,6}))?")
_MEMBER = re.compile(r"::?(?P<name>[A-Za-z_]\w{1,100}(?:[.:]{1,2}\w{1,100})*)")
_VALUE = re.compile(
    r"`(?P<name>[A-Za-z_]\w{3,60})`[ \t]*(?:\(|is[ \t]+)?(?:currently|now|today)[ \t]+(?:is[ \t]+|set[ \t]to[ \t]+|=[ \t]*)?"
    r"`?(?P<value>\d[\d_]{0,12}(?:\.\d{1,6})?|\"[^\"\n`]{1,60}\"|'[^'\n`]{1,60}')"
    r"|`(?P<from>[A-Za-z_]\w{3,60})`[ \t]+from[ \t]+`?(?P<old>\d[\d_]{0,12}(?:\.\d{1,6})?|\"[^\"\n`]{1,60}\""
    r"|'[^'\n`]{1,60}')`?[ \t]+to\b"
)
_CALLED = re.compile(r"\w+\((?P<given>[^()]*)\)\Z")
_ARGUMENT = re.compile(r"[ \t]*(?:[A-Za-z_]\w*|\d+|\"[^\"]*\"|'[^']*')[ \t]*\Z")


def false_statements(case: Case) -> Iterator[Doubt]:
    """Everything that the plan states of the code as it is and that the code contradicts."""
    yield from _wrong_lines(case)
    yield from _wrong_homes(case)
    yield from _wrong_values(case)
    yield from _wrong_calls(case)
    yield from _wrong_signatures(case)


def _wrong_lines(case: Case) -> Iterator[Doubt]:
    """Lines of a file that it does not have."""
    for each in case.of(Mention.FILE):
        cited = _LINE.match(each.detail)
        path = case.ground.resolve(each.text)
        if not cited or not path or case.ground.count(each.text) > 1 or each.intent is Intent.CREATES:
            continue
        last, lines = int(cited["last"] or cited["first"]), case.ground.project.files[path].lines
        if last > lines + 1:
            yield _stated(
                case,
                each.line,
                f"{each.text}{each.detail}",
                "cites",
                f"`{path}` has {counted(lines, 'line')}",
                f"{path}:{lines}",
                "Cite the lines that are meant",
            )


def _wrong_homes(case: Case) -> Iterator[Doubt]:
    """Names that are cited in a file, or changed or removed in it, and that it does not have."""
    for each in case.of(Mention.FILE):
        member = _MEMBER.match(each.detail)
        if member:
            yield from _wrong_home(case, each.line, re.split(r"[.:]+", member["name"])[-1], each.text, "looks for")
    for each in case.intents(Mention.SYMBOL, Mention.COLUMN):
        if each.home and each.intent in (Intent.CHANGES, Intent.REMOVES, Intent.RENAMES):
            yield from _wrong_home(case, each.line, each.short, each.home, each.intent.value)
        elif not each.home and each.intent in WORKING and each.intent is not Intent.CREATES and each.kind is Mention.SYMBOL:
            yield from _nowhere(case, each.line, each.short, each.intent.value)


def _wrong_home(case: Case, line: int, name: str, home: str, verb: str) -> Iterator[Doubt]:
    """A name that its file does not have, while another place defines it; one that no file has is asked about."""
    path = case.ground.resolve(home)
    text = case.ground.text(path) if path else ""
    if not text or case.ground.count(home) > 1 or case.makes_name(name) or case.makes_file(home):
        return
    if re.search(rf"(?<![\w$]){re.escape(name)}(?![\w$])", text):
        return
    found = case.ground.occurrences(name).definitions[:1]
    if not found:
        yield from _nowhere(case, line, name, verb)
        return
    place = f"{found[0][0]}:{found[0][1]}"
    concern = f"`{path}` does not have it; it is defined"
    yield _stated(case, line, name, f"{verb} in `{home}`", concern, place, "Name the file that has it")


def _nowhere(case: Case, line: int, name: str, verb: str) -> Iterator[Doubt]:
    """A name that the plan works on and that no file has."""
    if len(name) < MIN_NAME or case.makes_name(name) or case.ground.holds(name) or case.other_plan:
        return
    near = case.ground.nearest_name(name)
    at = case.ground.occurrences(near).definitions[:1] if near else []
    hint = f"; `{near}` comes closest" if near else ""
    yield Doubt(
        Evidence.ABSENT_NAME,
        name,
        f"{case.where(line)} {verb} `{name}`",
        f"No file of code has this name, and no step makes it{hint}. Which name is meant?",
        "The step has nothing to work on",
        f"Name `{near}` if it was meant, or the step that creates `{name}`" if near else f"Say where `{name}` is",
        lines=(line,),
        places=tuple(f"{path}:{number}" for path, number in at),
        search=(name,),
    )


def _wrong_values(case: Case) -> Iterator[Doubt]:
    """Constants that are set once, to another number or text than the plan says they are now."""
    for number, line in enumerate(case.lines, 1):
        for match in _VALUE.finditer(line[:2_000]) if number not in case.code_lines else ():
            name, told = match["name"] or match["from"], match["value"] or match["old"]
            found = case.ground.occurrences(name).definitions
            written = case.ground.project.line(*found[0]).rstrip() if len(found) == 1 else ""
            given = re.search(
                rf"{re.escape(name)}\b[^=\n]{{0,60}}=[ \t]*(\d[\d_]*(?:\.\d+)?|\"[^\"]*\"|'[^']*')[ \t]*(?:[;,#/]|\Z)", written
            )
            if given and given[1][0].isdigit() == told[0].isdigit() and _plain(given[1]) != _plain(told):
                place = f"{found[0][0]}:{found[0][1]}"
                yield _stated(case, number, name, f"says {told} of", f"It is {given[1]} there", place, f"Write {given[1]}")


def _plain(value: str) -> float | str:
    return float(value.replace("_", "")) if value[0].isdigit() else value[1:-1]


def _wrong_calls(case: Case) -> Iterator[Doubt]:
    """Calls in the plan's Python that do not fit the function that the block imports, in a file that the plan leaves alone."""
    for code in case.new_codes:
        if code.tree is None:
            continue
        raising = _expected_to_fail(code.tree)
        taken = {each.name: each.module for each in code.imports if each.name}
        for call in code.calls:
            signature = (
                _function(case, taken[call.name], call.name) if call.name in taken and call.name not in code.defined else None
            )
            why = misfit(call.node, signature) if signature and id(call.node) not in raising else ""
            if signature and why:
                yield _stated(
                    case,
                    call.line,
                    call.name,
                    "calls",
                    f"`{call.name}` {why}",
                    signature.place,
                    f"Call it with {_taken(signature)}",
                )


def _expected_to_fail(tree: ast.Module) -> set[int]:
    """The calls inside of what a test says raises."""
    blocks = [node for node in ast.walk(tree) if isinstance(node, ast.With) and "raises" in ast.dump(node.items[0]).lower()]
    return {id(inner) for node in blocks for each in node.body for inner in ast.walk(each) if isinstance(inner, ast.Call)}


def _function(case: Case, module: str, name: str) -> Signature | None:
    """The function of a module of the project that the plan leaves alone."""
    path = modules_of(case).find(module, "") or ""
    if not path or not case.is_left(path) or case.binds(name):
        return None
    return _defined(case, path, name)


def _defined(case: Case, path: str, name: str) -> Signature | None:
    tree = parsed(case.ground.text(path))
    found = [each for each in functions_in(tree, path, 1) if each.name == name] if tree else []
    return found[0] if len(found) == 1 and len(case.ground.occurrences(name).definitions) == 1 else None


def _taken(signature: Signature) -> str:
    return ", ".join(signature.names) or "no arguments"


def _wrong_signatures(case: Case) -> Iterator[Doubt]:
    """Calls in the plan's prose with more arguments than the one function of that name takes, in a file that is left alone."""
    for each in case.of(Mention.SYMBOL):
        written = _CALLED.search(each.detail)
        given = [part for part in written["given"].split(",") if part.strip()] if written else []
        if (
            each.intent is not Intent.USES
            or not given
            or not all(_ARGUMENT.match(part) for part in given)
            or case.binds(each.short)
        ):
            continue
        homes = {path for path, _ in case.ground.occurrences(each.short).definitions}
        path = homes.pop() if len(homes) == 1 else ""
        signature = _defined(case, path, each.short) if path.endswith(".py") and case.is_left(path) else None
        if signature and signature.most is not None and len(given) > signature.most:
            yield _stated(
                case,
                each.line,
                each.detail,
                "calls",
                f"`{each.short}` takes {_taken(signature)}",
                signature.place,
                f"Call it with {_taken(signature)}, or add the step that changes it",
            )


def _stated(case: Case, line: int, what: str, verb: str, concern: str, place: str, fix: str) -> Doubt:
    return Doubt(
        Evidence.STATED,
        what,
        f"{case.where(line)} {verb} `{what}`",
        f"{concern} at {place}" if concern.endswith("defined") else f"{concern} ({place})",
        "The step rests on something that is not so",
        fix,
        lines=(line,),
        places=(place,),
    )

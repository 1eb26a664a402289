"""Doubts about what a plan's code asks of functions and objects: arguments that they do not take, members that they do not have.

Always: only Python, and only where the callee or the class is certain: defined by a block of the plan, imported from a module of
the project, known in the file that the block is for, or the only one of its name. A parameter or a member that the plan speaks of
anywhere else is taken to be added; what several blocks define accuses nobody.
"""

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from counterproof.analysis.plans.blocks import Code
from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.doubts import Doubt, Kind
from counterproof.analysis.plans.evidence import Evidence
from counterproof.analysis.plans.python_trees import is_method
from counterproof.analysis.plans.signatures import ClassShape, Signature
from counterproof.analysis.plans.symbols import Symbols, takes
from counterproof.model.counting import counted
from counterproof.model.plan.outline import Mention

GIVES = re.compile(
    r"\b(?:add|extend|new|introduce|accept|gain|take|pass|thread|param\w{0,8}|arguments?|kwargs?|fields?|keywords?|attributes?|propert\w{1,3}"
    r"|columns?|options?)\w{0,3}\b|参数|字段|属性|新增|增加|添加",
    re.IGNORECASE,
)
"""Words by which a line speaks of what a function or class is to take."""
_STAYS = re.compile(
    r"[ \t`*_]{0,4}(?:(?:is|are|stays?|remains?)[ \t])?(?:unchanged|the same|as (?:is|before)|identical|kept)\b", re.IGNORECASE
)
_LEFT_OUT = re.compile(r"#[^\n]{0,80}(?:\.\.\.|…)")
NEAR = 60
"""Letters between a function and the words about what it takes."""


def wrong_calls(case: Case) -> Iterator[Doubt]:
    """Calls in the plan's code that do not fit what they call."""
    symbols = Symbols(case)
    seen: set[tuple[str, str]] = set()
    found: dict[tuple[int, str], list[Doubt]] = {}  # what a block gives to all of them alike is one mistake
    for code in case.new_codes:
        if code.tree is None:
            continue
        types = _types(code.tree, code, symbols)
        failing = _meant_to_fail(code.tree)
        for call in code.calls:
            owner, _, method = call.name.rpartition(".")
            if call.node and id(call.node) in failing:
                continue
            shape = types.get(owner) if owner else None
            if shape and _is_worked_on(case, shape):
                continue
            signature = shape.methods.get(method) if shape else None if owner else symbols.callee(code, call.name)
            why = misfit(call.node, signature, partial(_is_added, case)) if signature and call.node else ""
            if why.startswith("also needs") and call.node and _LEFT_OUT.search(_written(code, call.node)):
                continue  # a comment stands for the rest
            if signature and why and (call.name, why) not in seen and not is_reworked(case, signature.name, signature.place):
                seen.add((call.name, why))
                doubt = _wrong(call.name, call.line, why, signature, _worth(case, code, signature, shape))
                found.setdefault((code.block.first, why.partition(";")[0]), []).append(doubt)
    for first, *others in found.values():
        along = ", ".join(f"`{each.subject}` (line {each.lines[0]})" for each in others[:6])
        yield replace(first, concern=f"{first.concern}, and so it is with {along}") if others else first


def _meant_to_fail(tree: ast.Module) -> set[int]:
    """The calls inside of what a test says raises."""
    blocks = [node for node in ast.walk(tree) if isinstance(node, ast.With | ast.AsyncWith)]
    raising = [node for node in blocks if any("raises" in ast.dump(item.context_expr).lower() for item in node.items)]
    return {id(inner) for node in raising for each in node.body for inner in ast.walk(each) if isinstance(inner, ast.Call)}


def _written(code: Code, call: ast.Call) -> str:
    """The lines of a call."""
    return "\n".join(code.text.split("\n")[call.lineno - 1 : call.end_lineno])


def missing_members(case: Case) -> Iterator[Doubt]:
    """Members of an object that its class, known in full, does not have and that no step adds."""
    symbols = Symbols(case)
    seen: set[tuple[str, str]] = set()
    for code in case.new_codes:
        for node, shape in _uses(code, symbols):
            key = (shape.name, node.attr)
            known = node.attr in shape.members or node.attr.startswith(("__", "model_")) or _is_added(case, node.attr, shape.name)
            if key in seen or known or _is_worked_on(case, shape):
                continue
            seen.add(key)
            yield _no_member(shape, node.attr, code.block.first + node.lineno - 1)


def _uses(code: Code, symbols: Symbols) -> Iterator[tuple[ast.Attribute, ClassShape]]:
    """Members that a block reads of objects whose class is known in full."""
    if code.tree is None:
        return
    types = {name: shape for name, shape in _types(code.tree, code, symbols).items() if shape.closed}
    for node in ast.walk(code.tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and isinstance(node.ctx, ast.Load):
            shape = types.get(node.value.id)
            if shape:
                yield node, shape


def _types(tree: ast.Module, code: Code, symbols: Symbols) -> dict[str, ClassShape]:
    """Variables of a block whose class is known: made by its name once, or declared, and never given anything else."""
    found: dict[str, ClassShape | None] = {
        each.name: symbols.instance(each.module, each.name) for each in code.imports if each.name
    }
    for name, value in _bindings(tree):
        shape = symbols.made_by(code, value) if value else None
        found[name] = shape if name not in found or found[name] == shape else None
    return {name: shape for name, shape in found.items() if shape}


def _bindings(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """(variable, the class that it is made of or declared as); '' for anything else that binds it."""
    plain: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            plain.add(id(node.targets[0]))
            value = node.value.value if isinstance(node.value, ast.Await) else node.value
            made = value.func if isinstance(value, ast.Call) else None
            yield node.targets[0].id, made.id if isinstance(made, ast.Name) else ""
        elif isinstance(node, ast.arg):
            yield node.arg, node.annotation.id if isinstance(node.annotation, ast.Name) else ""
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and id(node) not in plain:
            yield node.id, ""


def _no_member(shape: ClassShape, member: str, line: int) -> Doubt:
    public = sorted(each for each in shape.members if not each.startswith("_"))
    return Doubt(
        Kind.MEMBER,
        f"{shape.name}.{member}",
        "",
        f"`{shape.name}`, defined at {shape.place}, has no `{member}`; it has {', '.join(public[:12]) or 'nothing'}",
        f"Line {line} raises AttributeError",
        f"Use what `{shape.name}` has, or add the step that gives it `{member}`",
        lines=(line,),
        places=(shape.place,),
        evidence=Evidence.LACKING,
    )


def _is_worked_on(case: Case, shape: ClassShape) -> bool:
    """Whether the plan names the file of a class: it may give it what it lacks, in code that is not shown."""
    return shape.place.rpartition(":")[0] in case.touched


def _worth(case: Case, code: Code, signature: Signature, shape: ClassShape | None) -> Evidence:
    if shape:
        return Evidence.LACKING
    if not signature.place.startswith("plan:"):
        return Evidence.MISFIT
    home = next((each for each in case.codes if each.holds_line(int(signature.place.rpartition(":")[2]))), code)
    whole = signature.most is not None  # not put together of what is there and what the plan shows
    beside = whole and (home is code or takes(code, signature.name, home))
    return Evidence.MISFIT_ALONE if beside or case.is_alone(signature.name, signature.place, code) else Evidence.MISFIT_BY_NAME


def _wrong(name: str, line: int, why: str, signature: Signature, evidence: Evidence) -> Doubt:
    return Doubt(
        Kind.CALL,
        name,
        "",
        f"`{name}`, defined at {signature.place}, {why}",
        f"The call of line {line} drops the argument or fails" if signature.lax else f"The call of line {line} raises TypeError",
        f"Call it with {', '.join(signature.names) or 'no arguments'}, or add the step that changes what it takes",
        lines=(line,),
        places=(signature.place,),
        evidence=evidence,
    )


def misfit(call: ast.Call, signature: Signature, is_given: Callable[[str, str], bool] = lambda word, owner: False) -> str:
    """Why a call does not fit a function; '' if it does. A keyword that the function `is_given` elsewhere fits."""
    if any(
        isinstance(each, ast.Constant) and each.value is Ellipsis
        for each in (*call.args, *(word.value for word in call.keywords))
    ):
        return ""  # left open by the plan
    given = [word.arg for word in call.keywords if word.arg]
    spread = len(given) < len(call.keywords) or any(isinstance(each, ast.Starred) for each in call.args)
    taken = ", ".join(signature.names) or "none"
    unknown = [word for word in given if word not in signature.names and not is_given(word, signature.name)]
    if unknown and not signature.any_keyword:
        return f"takes no argument `{unknown[0]}`; it takes {taken}"
    if signature.most is not None and not spread and len(call.args) > signature.most:
        return f"takes at most {counted(signature.most, 'positional argument')}, not {len(call.args)}; it takes {taken}"
    left = [each for each in signature.required if each not in given and each not in signature.names[: len(call.args)]]
    if left and not spread:
        return f"also needs `{left[0]}`; it takes {taken}"
    return ""


def _is_added(case: Case, name: str, owner: str) -> bool:
    """Whether the plan gives a parameter or a member to what a call means: a line of prose names both, or the name alone as one
    that is new; a block shows it in that class or function, or in a part of one; or another plan of the repository may do so."""
    word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    spoken = [line for line in case.prose_lines if word.search(line) and word.search(_without_others(line, owner))]
    meant = re.compile(rf"(?<!\w){re.escape(owner)}(?!\w)")
    if any(meant.search(line) or GIVES.search(line) for line in spoken):
        return True
    head = re.compile(rf"(?m)^[ \t+]*{re.escape(name)}[ \t]*[:=]|\bdef[^\n]{{0,300}}[(, ]{re.escape(name)}\b")
    if any(name in _declared(code.tree, owner) if code.tree else head.search(code.text) is not None for code in case.codes):
        return True
    return any(owner in text and name in text and _gives(text, name, owner) for _, text in case.sisters)


def _gives(text: str, name: str, owner: str) -> bool:
    """Whether a plan speaks of a parameter or a member beside its owner, below it, or in its head or body."""
    meant, word = rf"(?<!\w){re.escape(owner)}(?!\w)", rf"(?<!\w){re.escape(name)}[ \t]*[:=`]"
    given = rf"{word}[^\n]{{0,200}}{meant}|{meant}[\s\S]{{0,400}}?{word}|\b(?:class|def)[ \t]+{meant}[\s\S]{{0,2000}}?{word}"
    return re.search(given, text) is not None


def _without_others(line: str, owner: str) -> str:
    """A line without what it writes out as taken by something other than the one that is meant."""
    return re.sub(r"(?<![\w.])(\w{1,80})\([^()\n]{1,300}\)", lambda match: match[0] if match[1] == owner else match[1], line)


def _declared(tree: ast.Module, owner: str) -> set[str]:
    """Parameters, fields, functions and what is set on objects: of the one class or function, or where a block shows a part. What
    another method takes, neither the class nor the function is given."""
    found: set[str] = set()
    for node in tree.body:
        named = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        if not named or node.name == owner or is_method(node):
            own = not named or isinstance(node, ast.ClassDef) or node.name in (owner, "__init__", "__new__")
            taken = {each.arg for each in ast.walk(node) if isinstance(each, ast.arg) and not own}
            found.update(name for name in _declared_in(node) if name not in taken)
    return found


def _declared_in(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr


def is_reworked(case: Case, name: str, place: str = "") -> bool:
    """Whether the plan changes what the function takes: then its head in the code is not what the call meets."""
    if place.startswith("plan:"):
        return False
    if place and _has_new_constructor(case, place):
        return True
    word = rf"(?<!\w){re.escape(name)}(?!\w)"
    taken = r"(?:\b(?:signature|param\w{0,8}|arguments?|kwargs?|optional)\b|签名|参数|接受|改为|扩展)"
    changed = re.compile(
        rf"{word}[^|\n]{{0,{NEAR}}}{taken}|{taken}[^|\n]{{0,{NEAR}}}{word}"
        rf"|\b(?:extend|change|update|modify|adapt|refactor|rewrite|replace|generali[sz]e|widen)\w{{0,4}}[^`\n]{{0,40}}`?{word}"
        rf"|\badd\w{{0,4}}\b[^\n]{{0,120}}\bto[^`\n]{{0,30}}`?{word}|{word}(?:\([^()`\n]{{0,80}}\))?`?[^`\n]{{0,60}}\b(?:accept|take|gain|get|receive)s?\b",
        re.IGNORECASE,
    )
    found = (match for line in case.prose_lines if re.search(word, line) for match in changed.finditer(line))
    return any(not _STAYS.match(match.string[match.end() :]) for match in found)


def _has_new_constructor(case: Case, place: str) -> bool:
    """Whether a block for the file of a class shows a constructor without its class: it may be that of any class there."""
    path, _, number = place.rpartition(":")
    if not case.ground.project.line(path, int(number)).lstrip().startswith("class"):
        return False
    steps = {each.step for each in case.of(Mention.FILE) if case.ground.resolve(each.text) == path}
    codes = (code for code in case.codes if (case.ground.resolve(code.path) == path if code.path else code.step in steps))
    shown = (code.tree.body for code in codes if code.tree)
    return any(isinstance(node, ast.FunctionDef) and node.name == "__init__" for body in shown for node in body)

"""What JavaScript and TypeScript let pass and a reader should not: promises that nobody keeps, wrappers taken for their contents.

Always: read from the lowered form; where that does not tell `a.b` from `a?.b`, the line itself is read too.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.review.claims import Claim, View
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import last_name, walk
from counterproof.model.location import at
from counterproof.model.severity import Severity

_FOR_EACH = re.compile(r"\.forEach\(\s{0,4}async\b")
_COMMENT = re.compile(r"\s*(?://|\*|/\*)")
_TWICE = re.compile(r"(?<![\w.?])([A-Za-z_$][\w$]{0,80})\s{0,4}\?\s{1,4}\1\?\.")
_SCHEMAS = ("zod", "yup", "joi", "valibot", "superstruct")


def async_for_each(view: View) -> Iterator[Claim]:
    """`forEach(async …)`: it returns before the callbacks are done, and their errors go nowhere."""
    for path, number, _ in _lines(view, _FOR_EACH):
        yield Claim(
            kind="async callback in forEach",
            title="forEach does not wait for its async callback",
            severity=Severity.HIGH,
            at=at(path, number),
            why="forEach throws the promises of its callback away: what follows runs before the work is done, and an "
            "error in the callback becomes an unhandled rejection.",
            fix="Use `for (const each of list) { await … }` or `await Promise.all(list.map(async …))`",
        )


def needless_chaining(view: View) -> Iterator[Claim]:
    """`x ? x?.y : z`: the test has already answered."""
    for path, number, found in _lines(view, _TWICE, 2):
        yield Claim(
            kind="needless optional chaining",
            title=f"{found[1]} is known to be there",
            severity=Severity.LOW,
            at=at(path, number),
            why=f"The condition tests {found[1]}, so behind it `{found[1]}?.` asks again for what is known. A reader takes it "
            "for a second case that does not exist.",
            fix=f"Write `{found[1]}.`",
        )


def _lines(view: View, pattern: re.Pattern[str], span: int = 1) -> Iterator[tuple[str, int, re.Match[str]]]:
    """Changed lines of scripts that match, read together with those behind them; comments are left out."""
    for module in view.scripts():
        lines = view.project.text(module.path).split("\n")
        last = 0
        for number, line in enumerate(lines, 1):
            text = " ".join(each.strip()[:2_000] for each in lines[number - 1 : number - 1 + span])
            found = None if _COMMENT.match(line) or number <= last else pattern.search(text)
            if found and view.touches(module.path, number, number + span - 1):
                last = number + span - 1
                yield module.path, number, found


def misread(view: View) -> Iterator[Claim]:
    """Everything else, function by function."""
    for module, function in view.functions(tests=False, scripts=True):
        if module.path.endswith((".py", ".pyi")):
            continue
        for claim in (*_first(view, module, function), *_wrapper(module, function), *_raw_response(module, function)):
            if view.touches(claim.at.path, claim.at.start, claim.at.end):
                yield claim
    for module in view.scripts():
        for node in walk(*module.body):
            if view.touches(module.path, node.line, node.line):
                yield from _own_search(module, node)
                yield from _object_key(module, node)


def _first(view: View, module: ir.Module, function: ir.Function) -> Iterator[Claim]:
    """`const [x] = list ?? []`, then `x.y` without a look at x."""
    lines = view.project.text(module.path).split("\n")
    maybe = {_name(node): node for node in walk(*function.body) if isinstance(node, ir.Assign) and _or_nothing(node.value)}
    for node in walk(*function.body):
        if not isinstance(node, ir.Assign) or not isinstance(node.value, ir.Index) or not isinstance(node.value.value, ir.Name):
            continue
        key, name = node.value.key, _name(node)
        if node.value.value.id not in maybe or not isinstance(key, ir.Const) or key.value != 0 or not name:
            continue
        plain = re.compile(rf"(?<![\w.$]){re.escape(name)}\.\w")
        tested = re.compile(rf"(?<![\w.$]){re.escape(name)}(?:\?\.\w+)*\s*(?:\?(?!\.)|&&|\)|\|\||===|!==)|!{re.escape(name)}\b")
        for number in range(node.end + 1, function.end + 1):
            line = lines[number - 1][:2_000] if number <= len(lines) else ""
            found = plain.search(line)
            if found and not tested.search(line[: found.start()]):
                yield _first_claim(module.path, number, name, node.line)
                break
            if tested.search(line) or re.search(rf"(?<![\w.$]){re.escape(name)}\?\.\w+$", line.rstrip()):
                break


def _first_claim(path: str, number: int, name: str, made: int) -> Claim:
    return Claim(
        kind="first element may be missing",
        domain="edge-cases",
        title=f"{name} may be undefined here",
        severity=Severity.HIGH,
        at=at(path, number),
        why=f"Line {made} takes the first element of a list that may be empty, and says so itself with its fallback `[]`. Then "
        f"{name} is undefined, and this line throws a TypeError.",
        fix=f"Use `{name}?.`, or deal with the empty list first",
    )


def _or_nothing(value: ir.Expr | None) -> bool:
    last = value.operands[-1] if isinstance(value, ir.Boolean) and value.operator == "or" else None
    return isinstance(last, ir.Sequence) and not last.items


def _name(node: ir.Assign) -> str:
    target = node.targets[0] if len(node.targets) == 1 else None
    return target.id if isinstance(target, ir.Name) else ""


def _wrapper(module: ir.Module, function: ir.Function) -> Iterator[Claim]:
    """`r = schema.safeParse(…)`, `if (!r.success) throw`, and then `return r` as if it were the data."""
    parsed = {_name(node) for node in walk(*function.body) if isinstance(node, ir.Assign) and _called(node.value) == "safeParse"}
    looked = {
        test.operand.value.id
        for node in walk(*function.body)
        if isinstance(node, ir.Branch) and isinstance(test := node.test, ir.Not) and isinstance(test.operand, ir.Attribute)
        and test.operand.name == "success" and isinstance(test.operand.value, ir.Name) and _throws(node.body)
    }  # fmt: skip
    for node in function.body:
        if isinstance(node, ir.Return) and isinstance(node.value, ir.Name) and node.value.id in (parsed & looked) - {""}:
            yield Claim(
                kind="wrapper is handed on",
                title=f"{node.value.id} is the parser's result, not the data",
                severity=Severity.HIGH,
                at=at(module.path, node.line),
                why=f"safeParse gives an object with `success` and `data`. Its success was checked, and then the whole of "
                f"{node.value.id} is returned as if it were the data: what callers look for stands one level deeper.",
                fix=f"Return `{node.value.id}.data`",
            )


def _called(value: ir.Expr | None) -> str:
    value = value.value if isinstance(value, ir.Await) else value
    callee = value.callee if isinstance(value, ir.Call) else None
    return last_name(callee)


def _throws(body: tuple[ir.Statement, ...]) -> bool:
    return bool(body) and isinstance(body[-1], ir.Raise)


def _raw_response(module: ir.Module, function: ir.Function) -> Iterator[Claim]:
    """One way returns what `fetch` gave, another what a function that was passed in gives."""
    given = {each.name for each in function.parameters}
    returns: list[tuple[int, str]] = []
    values: dict[str, list[tuple[int, str]]] = {}
    for node in walk(*function.body):
        if isinstance(node, ir.Assign) and _name(node):
            values.setdefault(_name(node), []).append((node.line, _called(node.value)))
        elif isinstance(node, ir.Return) and isinstance(node.value, ir.Name):
            made = [called for line, called in values.get(node.value.id, ()) if line <= node.line]
            returns.append((node.line, made[-1] if made else ""))
    raw = next((line for line, called in returns if called == "fetch"), 0)
    other = next((called for _, called in returns if called in given), "")
    if raw and other:
        yield Claim(
            kind="raw response on one path",
            title=f"one path returns a fetch Response, the other what {other}() gives",
            severity=Severity.HIGH,
            at=at(module.path, raw),
            why=f"Callers get a Response with an unread body on this path, and the result of {other} on the other. Code that "
            "fits one of them finds undefined in the other, and nothing looks at the status either.",
            fix="Read and check the response here, and return the same shape on both paths",
        )


def _own_search(module: ir.Module, node: ir.Node) -> Iterator[Claim]:
    """`list.find((x) => x.id === wanted)?.id` is `wanted` or nothing."""
    if not isinstance(node, ir.Attribute) or not isinstance(node.value, ir.Call) or _called(node.value) != "find":
        return
    passed = node.value.arguments[0].value if node.value.arguments else None
    inner = next((each for each in module.functions if isinstance(passed, ir.Name) and each.name == passed.id), None)
    test = inner.body[-1] if inner and inner.body else None
    if inner is None or not isinstance(test, ir.Return) or not isinstance(test.value, ir.Compare) or not inner.parameters:
        return
    own = inner.parameters[0].name
    equal = test.value.operators in (("==",), ("===",))
    sides = [each for each in test.value.operands if isinstance(each, ir.Attribute) and each.name == node.name]
    if equal and any(isinstance(each.value, ir.Name) and each.value.id == own for each in sides):
        yield Claim(
            kind="looks up what it already has",
            title=f"this search can only give the {node.name} that it looks for",
            severity=Severity.MEDIUM,
            at=at(module.path, node.line),
            why=f"The element is searched by its {node.name}, and then its {node.name} is taken: the outcome is the value that "
            "was there before, or undefined. Either another field was meant to be searched, or another one to be taken.",
            fix="Search by the field that identifies the element, or use the value directly",
        )


def _object_key(module: ir.Module, node: ir.Node) -> Iterator[Claim]:
    """`{ [z.string().toString()]: … }`: the text of an object is no key that anybody sends."""
    if not isinstance(node, ir.Mapping):
        return
    for key, _ in node.entries:
        inner = key.callee.value if isinstance(key, ir.Call) and isinstance(key.callee, ir.Attribute) else None
        if _called(key) != "toString" or not isinstance(inner, ir.Call):
            continue
        root = inner
        while isinstance(root, ir.Call | ir.Attribute):
            root = root.callee if isinstance(root, ir.Call) else root.value
        origin = module.imports.get(root.id, "") if isinstance(root, ir.Name) else ""
        if origin.partition(".")[0] in _SCHEMAS and key is not None:
            yield Claim(
                kind="key made of an object",
                title="a schema is used as the name of a key",
                severity=Severity.HIGH,
                at=at(module.path, key.line),
                why="toString() of a schema gives the text `[object Object]`, so the object gets one key of that name. It does "
                "not describe keys of any name: such keys are neither required nor checked.",
                fix="Use the library's record or catch-all type",
            )

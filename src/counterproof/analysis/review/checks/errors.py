"""What a failure leaves behind: errors that are caught and forgotten, files that nobody closes, variables that only a `try` block
sets, which whoever reads them after a failure that is survived, or in `finally`, does not find.

Always: in `finally` only where the first statement of the block, a call that may fail, is what sets the name.
"""

from collections.abc import Iterator

from counterproof.analysis.review.claims import Claim, View
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import dotted, walk
from counterproof.model.location import at
from counterproof.model.severity import Severity

Block = tuple[ir.Statement, ...]

_EVERYTHING = ("Exception", "BaseException")


def swallowed(view: View) -> Iterator[Claim]:
    """`except Exception: pass` and its like: nothing is said, returned or raised."""
    for module in view.modules(tests=False):
        for node in walk(*module.body):
            if not isinstance(node, ir.Handler) or not view.touches(module.path, node.line, node.end):
                continue
            broad = node.kind is None or dotted(node.kind, module) in _EVERYTHING
            if broad and all(_silent(each) for each in node.body):
                line = node.line if view.touches(module.path, node.line, node.line) else node.end
                caught = "every error" if node.kind is None else f"every {dotted(node.kind, module)}"
                yield Claim(
                    kind="error is swallowed",
                    title=f"{caught} is caught and forgotten",
                    severity=Severity.MEDIUM,
                    at=at(module.path, line),
                    why=f"The handler takes {caught}, programming mistakes included, and leaves no trace: no log, no value, no "
                    "new error. When this part breaks, nobody learns of it.",
                    fix="Catch the error that is expected here, or log it",
                )


def _silent(statement: ir.Statement) -> bool:
    """`pass`, `...`, `continue`."""
    if isinstance(statement, ir.Jump):
        return statement.kind == "continue"
    return isinstance(statement, ir.ExprStatement) and isinstance(statement.value, ir.Const)


def left_open(view: View) -> Iterator[Claim]:
    """`f = open(…)` in a function that neither closes `f`, nor hands it to anybody."""
    for module, function in view.functions(tests=False):
        for node in walk(*function.body):
            if not isinstance(node, ir.Assign) or len(node.targets) != 1 or not _opens(node.value):
                continue
            target = node.targets[0]
            if isinstance(target, ir.Name) and view.touches(module.path, node.line, node.end) and _forgotten(function, target.id):
                yield Claim(
                    kind="file is not closed",
                    title=f"{function.name}() opens a file and never closes it",
                    severity=Severity.LOW,
                    at=at(module.path, node.line),
                    why=f"{target.id} is never closed and never leaves the function. What was written may stay in a buffer, and "
                    "under load the process runs out of file handles.",
                    fix="Use `with open(…) as …:`",
                )


def _opens(value: ir.Expr | None) -> bool:
    return isinstance(value, ir.Call) and isinstance(value.callee, ir.Name) and value.callee.id == "open"


def _forgotten(function: ir.Function, name: str) -> bool:
    """Used only through its own methods, none of which closes it."""
    through = {id(node.value) for node in walk(*function.body) if isinstance(node, ir.Attribute) and node.name != "close"}
    mentions = [node for node in walk(*function.body) if isinstance(node, ir.Name) and node.id == name]
    stored = {id(each) for node in walk(*function.body) if isinstance(node, ir.Assign) for each in node.targets}
    return all(id(node) in through or id(node) in stored for node in mentions)


def unset(view: View) -> Iterator[Claim]:
    """Reads behind a `try` whose handlers neither leave nor set the name; nothing before it does either."""
    for module, function in view.functions(tests=False):
        given = {each.name for each in function.parameters}
        outer = {name for node in walk(*function.body) if isinstance(node, ir.Scope) for name in node.names}
        for name, line, used in _risky(function.body, given | outer):
            touched = (each for each in (used, *range(line, used)) if view.touches(module.path, each, each))
            shown = next(touched, 0)
            if shown:
                yield _claim(module.path, name, line, used, shown)


def _risky(block: Block, before: set[str]) -> Iterator[tuple[str, int, int]]:
    """(name, line of the `try`, line of the read) in one block and those inside it."""
    known = set(before)
    for index, statement in enumerate(block):
        for inner in _inner(statement):
            yield from _risky(inner, known)
        if isinstance(statement, ir.Try) and not statement.final:
            yield from _after(statement, block[index + 1 :], known)
        elif isinstance(statement, ir.Try):
            yield from _in_the_end(statement, known)
        known |= _set_in(statement)


def _after(tried: ir.Try, rest: Block, known: set[str]) -> Iterator[tuple[str, int, int]]:
    staying = [each for each in tried.handlers if not _leaves(each.body)]
    certain = set[str]().union(*(_assigned(each) for each in tried.body if isinstance(each, ir.Assign)))
    for name in sorted(certain - known):
        forgetting = [each for each in staying if name not in set[str]().union(*(_set_in(one) for one in each.body))]
        used = _first_read(rest, name) if forgetting else 0
        if used:
            yield name, tried.line, used


def _in_the_end(tried: ir.Try, known: set[str]) -> Iterator[tuple[str, int, int]]:
    first = tried.body[0] if tried.body else None
    if isinstance(first, ir.Assign) and isinstance(first.value, ir.Call):
        for name in sorted(_assigned(first) - known):
            used = _first_read(tried.final, name)
            if used:
                yield name, tried.line, used


def _inner(statement: ir.Statement) -> list[Block]:
    match statement:
        case ir.If():
            return [*(each.body for each in statement.branches), statement.otherwise]
        case ir.Loop():
            return [statement.body]
        case ir.With():
            return [statement.body]
        case _:
            return []


def _leaves(body: Block) -> bool:
    """Whether the handler may end the way: it returns, raises or jumps, or calls anything but a log, which may raise itself."""
    for node in walk(*body):
        if isinstance(node, ir.Return | ir.Raise | ir.Jump | ir.Yield | ir.Await):
            return True
        if isinstance(node, ir.Call) and not _logs(node):
            return True
    return False


def _logs(call: ir.Call) -> bool:
    words = [
        each.id if isinstance(each, ir.Name) else each.name
        for each in walk(call.callee)
        if isinstance(each, ir.Name | ir.Attribute)
    ]
    return any(
        word.lower().strip("_").startswith(("log", "print", "warn", "debug", "traceback", "str", "repr")) for word in words
    )


def _assigned(statement: ir.Assign) -> set[str]:
    return {node.id for target in statement.targets for node in walk(target) if isinstance(node, ir.Name)}


def _set_in(statement: ir.Statement) -> set[str]:
    """Every name that a statement may bind, whatever the way."""
    found: set[str] = set()
    for node in walk(statement):
        match node:
            case ir.Assign():
                found |= _assigned(node)
            case ir.Loop() if node.target is not None:
                found |= {each.id for each in walk(node.target) if isinstance(each, ir.Name)}
            case ir.WithItem() if node.target is not None:
                found |= {each.id for each in walk(node.target) if isinstance(each, ir.Name)}
            case ir.Import():
                found |= {alias for alias, _ in node.names}
            case ir.Function() | ir.Class():
                found.add(node.name)
            case ir.Bind() if isinstance(node.target, ir.Name):
                found.add(node.target.id)
            case ir.Augment() if isinstance(node.target, ir.Name):
                found.add(node.target.id)
            case _:
                pass
    return found


def _first_read(rest: Block, name: str) -> int:
    """The line of a certain read: in a plain statement of the same block, before anything may have set the name."""
    for statement in rest:
        plain = isinstance(statement, ir.Assign | ir.ExprStatement | ir.Return | ir.Augment)
        if plain:
            values = [statement.value] if not isinstance(statement, ir.Augment) else [statement.value, statement.target]
            reads = [each for value in values if value for each in walk(value) if isinstance(each, ir.Name) and each.id == name]
            if reads:
                return reads[0].line
        if name in _set_in(statement) or (not plain and _mentions(statement, name)) or isinstance(statement, ir.Return):
            return 0
    return 0


def _mentions(statement: ir.Statement, name: str) -> bool:
    return any(isinstance(node, ir.Name) and node.id == name for node in walk(statement))


def _claim(path: str, name: str, line: int, used: int, shown: int) -> Claim:
    return Claim(
        kind="may be unset after a failed try",
        title=f"{name} is not set when the try block fails",
        severity=Severity.MEDIUM,
        at=at(path, shown),
        why=f"Only the try block at line {line} sets {name}. Where that fails, line {used} is still reached and reads a "
        "variable that does not exist: an UnboundLocalError hides the error that came first.",
        fix=f"Set {name} before the try block",
    )

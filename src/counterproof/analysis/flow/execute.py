"""Statements on abstract values, one small function per node type, collected in `EXECUTORS`.

Invariant: after a statement `frame.ended` says whether the path has ended; paths are joined where they meet; a branch with a
constant false test is skipped. Loops run at most twice. Not handled here: expressions.
"""

from functools import reduce

from counterproof.analysis.flow.access import Place, iterated
from counterproof.analysis.flow.assignments import assign, is_place, put
from counterproof.analysis.flow.call_labels import insist
from counterproof.analysis.flow.context_managers import entered
from counterproof.analysis.flow.frame import Env, Executor, Frame, joined_env
from counterproof.analysis.flow.guards import keep_test, narrow
from counterproof.analysis.flow.index import ClassInfo
from counterproof.analysis.flow.sinks import check_return
from counterproof.analysis.flow.values import INTERNAL, NOTHING, UNSET, StepKind, Value, joined
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import last_name

_BUILDS = (ir.Concat, ir.Format, ir.Binary)
_TWICE_UP_TO = 2
"""Loops nested deeper than this run once."""


def run(frame: Frame, body: tuple[ir.Statement, ...]) -> None:
    """Run statements until the path ends."""
    executors = frame.engine.executors
    for statement in body:
        if frame.ended:
            return
        executors[type(statement)](frame, statement)


def _assign(frame: Frame, node: ir.Assign) -> None:
    if node.value is None:
        return
    value = frame.value(node.value)
    if value.taints and not isinstance(node.value, ir.Name):  # an alias keeps the same value
        kind = StepKind.BUILD if isinstance(node.value, _BUILDS) else StepKind.ASSIGN
        symbol = _target_name(node.targets) if kind is StepKind.ASSIGN else ""
        value = frame.stepped(value, kind, node.line, "", node.end, symbol)
    value = keep_test(frame, node, value)
    if (call := _awaited(node.value)) is not None:
        insist(frame, call, asked=True)
    for target in node.targets:
        assign(frame, target, value)


def _target_name(targets: tuple[ir.Expr, ...]) -> str:
    """The name that a statement assigns, the first of several."""
    for target in targets:
        for each in target.items if isinstance(target, ir.Sequence) else (target,):
            if name := last_name(each):
                return name
    return ""


def _augment(frame: Frame, node: ir.Augment) -> None:
    parts = (node.target, node.value)
    made = ir.Concat(node.line, node.end, parts) if node.operator == "+" else ir.Binary(node.line, node.end, node.operator, parts)
    assign(frame, node.target, frame.value(made))


def _expression(frame: Frame, node: ir.ExprStatement) -> None:
    frame.value(node.value)
    if (call := _awaited(node.value)) is not None:
        insist(frame, call)


def _awaited(value: ir.Expr | None) -> ir.Call | None:
    """The call itself, or the awaited call."""
    inner = value.value if isinstance(value, ir.Await) else value
    return inner if isinstance(inner, ir.Call) else None


def _return(frame: Frame, node: ir.Return) -> None:
    value = frame.value(node.value) if node.value else NOTHING
    check_return(frame, node, value)
    if value.entries is not None:
        frame.engine.returned_page(frame, node, value)
    value = frame.stepped(value, StepKind.RETURN, node.line, "returned", node.end)
    if frame.exits is not None:
        frame.exits.append((node.value, value, dict(frame.env)))
    frame.returns(value)
    frame.ended = True


def _raise(frame: Frame, node: ir.Raise) -> None:
    if node.value:
        frame.value(node.value)
    frame.ended = True


def _assert(frame: Frame, node: ir.Assert) -> None:
    frame.value(node.test)
    narrow(frame, node.test, True)


def _jump(frame: Frame, node: ir.Jump) -> None:
    frame.jumps.append((node.kind, frame.env))
    frame.ended = True


def _meet(frame: Frame, paths: list[Env]) -> None:
    """Continue with all paths that did not end."""
    if not paths:
        frame.ended = True
        return
    if len(paths) > 1 and frame.closure is not None:
        _complete(frame.closure, paths)
    env = paths[0]
    for other in paths[1:]:
        env = joined_env(env, other)
    frame.env = env
    frame.ended = False


def _complete(around: Frame, paths: list[Env]) -> None:
    """A variable of an enclosing function that only some paths set or narrowed keeps its outer value on the others."""
    every = {name: None for path in paths for name in path}
    for name in every:
        if not all(name in path for path in paths):
            outer: Frame | None = around
            while outer is not None and name not in outer.env:
                outer = outer.closure
            if outer is not None:
                for path in paths:
                    path.setdefault(name, outer.env[name])


def _if(frame: Frame, node: ir.If) -> None:
    paths: list[Env] = []
    decided = False
    for branch in node.branches:
        test = frame.value(branch.test)
        if test.known and not test.const:
            continue
        before = frame.env
        frame.env = dict(before)
        narrow(frame, branch.test, True)
        run(frame, branch.body)
        if not frame.ended:
            paths.append(frame.env)
        frame.ended = False
        frame.env = before
        if test.known:
            decided = True
            break
        frame.env = dict(before)
        narrow(frame, branch.test, False)
    if not decided:
        run(frame, node.otherwise)
        if not frame.ended:
            paths.append(frame.env)
    _meet(frame, paths)


def _switch(frame: Frame, node: ir.Switch) -> None:
    subject = frame.value(node.subject)
    before = frame.env
    paths: list[Env] = []
    complete = False
    for case in node.cases:
        frame.env = dict(before)
        answer = _matches(frame, subject, case)
        if answer is False:
            continue
        for name in case.binds:
            frame.env[name.id] = Value(taints=subject.taints, origin=subject.origin) if case.open else subject
        _narrow_subject(frame, node, case)
        if case.values and not case.open and is_place(node.subject):
            put(frame, node.subject, reduce(joined, (frame.value(each) for each in case.values)))
        if case.guard:
            frame.value(case.guard)
            narrow(frame, case.guard, True)
        run(frame, case.body)
        if not frame.ended:
            paths.append(frame.env)
        frame.ended = False
        if answer is True and case.guard is None:
            complete = True
            break
    if not complete:
        paths.append(before)
    _meet(frame, paths)


def _narrow_subject(frame: Frame, node: ir.Switch, case: ir.Case) -> None:
    """`match is_allowed(x): case True: …`, and the default case after it."""
    if case.open or len(case.values) > 1:
        return
    first = node.cases[0].values
    asked = case.values or first if len(first) == 1 else ()
    told = asked[0].value if asked and isinstance(asked[0], ir.Const) else None
    if isinstance(told, bool):
        narrow(frame, node.subject, told if case.values else not told)


def _matches(frame: Frame, subject: Value, case: ir.Case) -> bool | None:
    """Whether a case is taken; None if unknown."""
    if case.open:
        return None
    if not case.values:
        return True
    values = [frame.value(each) for each in case.values]
    if not subject.known or not all(each.known for each in values):
        return None
    return any(each.const == subject.const for each in values)


def _loop(frame: Frame, node: ir.Loop) -> None:
    outer_jumps = frame.jumps
    frame.jumps = []
    frame.loops += 1
    start = frame.env
    current = start
    breaks: list[Env] = []
    for _ in range(2 if frame.loops <= _TWICE_UP_TO else 1):
        frame.env = dict(current)
        frame.ended = False
        _enter(frame, node)
        run(frame, node.body)
        ends = [] if frame.ended else [frame.env]
        ends += [env for kind, env in frame.jumps if kind == "continue"]
        breaks += [env for kind, env in frame.jumps if kind == "break"]
        frame.jumps = []
        for env in ends:
            current = joined_env(current, env)
    frame.loops -= 1
    frame.jumps = outer_jumps
    frame.ended = False
    _leave(frame, node, current, breaks)


def _enter(frame: Frame, node: ir.Loop) -> None:
    if node.target is not None and node.iterable is not None:
        value = iterated(frame.value(node.iterable), Place(frame.path, node.line))
        step = frame.stepped(value, StepKind.ASSIGN, node.line, "one element at a time", symbol=_target_name((node.target,)))
        assign(frame, node.target, step)
    elif node.test is not None:
        frame.value(node.test)
        narrow(frame, node.test, True)


def _leave(frame: Frame, node: ir.Loop, current: Env, breaks: list[Env]) -> None:
    frame.env = current
    endless = isinstance(node.test, ir.Const) and bool(node.test.value)
    paths = list(breaks)
    if not endless:
        if node.test is not None:
            frame.env = dict(current)
            narrow(frame, node.test, False)
        run(frame, node.otherwise)
        if not frame.ended:
            paths.append(frame.env)
    _meet(frame, paths)


def _try(frame: Frame, node: ir.Try) -> None:
    before = dict(frame.env)
    run(frame, node.body)
    paths: list[Env] = []
    failing = joined_env(before, frame.env)
    if not frame.ended:
        run(frame, node.otherwise)
        if not frame.ended:
            paths.append(frame.env)
    for handler in node.handlers:
        frame.ended = False
        frame.env = dict(failing)
        if handler.name:
            frame.env[handler.name] = INTERNAL
        run(frame, handler.body)
        if not frame.ended:
            paths.append(frame.env)
    if node.final:
        ended = not paths
        frame.ended = False
        if paths:
            _meet(frame, paths)
        else:
            frame.env = failing
        run(frame, node.final)
        frame.ended = frame.ended or ended
        return
    _meet(frame, paths)


def _with(frame: Frame, node: ir.With) -> None:
    for item in node.items:
        value = entered(frame, item.value, frame.value(item.value))
        if item.target is not None:
            symbol = _target_name((item.target,))
            assign(frame, item.target, frame.stepped(value, StepKind.ASSIGN, item.line, "", symbol=symbol))
    run(frame, node.body)


def _delete(frame: Frame, node: ir.Delete) -> None:
    for target in node.targets:
        if isinstance(target, ir.Name):
            frame.env.pop(target.id, None)


def _scope(frame: Frame, node: ir.Scope) -> None:
    return


def _import(frame: Frame, node: ir.Import) -> None:
    for alias, name in node.names:
        if not frame.engine.names.is_late(name, frame.module):  # looked up again on use
            frame.env[alias] = frame.engine.names.imported(name, frame.module)


def _function(frame: Frame, node: ir.Function) -> None:
    for decorator in node.decorators:
        frame.value(decorator.value)
    for parameter in node.parameters:
        if parameter.default is not None:
            frame.value(parameter.default)
    info = frame.engine.index.function_of(node)
    frame.engine.define(info, frame if frame.function else None)
    frame.env[node.name] = Value(of=info, origin=INTERNAL.origin)


def _class(frame: Frame, node: ir.Class) -> None:
    info = frame.engine.index.classes.get((frame.path, node.qualified))
    if info is not None:
        if frame.engine.scripts and not info.bases:
            _inherit(frame, info)
        frame.env[node.name] = Value(of=info, path="class", origin=INTERNAL.origin)


def _inherit(frame: Frame, info: ClassInfo) -> None:
    """Resolve base classes from values: classes inside functions, or exports of other files."""
    values = [frame.value(each) for each in info.node.bases]
    found = [each.of for each in values if each.path == "class" and isinstance(each.of, ClassInfo) and each.of is not info]
    if found:
        info.inherit(tuple(found))


def answers(frame: Frame, truth: bool) -> Env | None:
    """The variables where a check function returns `truth`, joined over all its exits."""
    kept: Env | None = None
    end = frame.env
    for expr, value, env in frame.exits or ():
        frame.env = dict(env)
        if value.const is not UNSET:
            if bool(value.const) is not truth:
                continue
        elif isinstance(expr, (ir.Compare, ir.Boolean, ir.Not, ir.Call)):
            narrow(frame, expr, truth)
        kept = frame.env if kept is None else joined_env(kept, frame.env)
    frame.env = end
    if not frame.ended and not truth:
        kept = end if kept is None else joined_env(kept, end)
    return kept


EXECUTORS: dict[type, Executor] = {
    ir.Assign: _assign,
    ir.Augment: _augment,
    ir.ExprStatement: _expression,
    ir.Return: _return,
    ir.Raise: _raise,
    ir.Assert: _assert,
    ir.Jump: _jump,
    ir.If: _if,
    ir.Switch: _switch,
    ir.Loop: _loop,
    ir.Try: _try,
    ir.With: _with,
    ir.Delete: _delete,
    ir.Scope: _scope,
    ir.Import: _import,
    ir.Function: _function,
    ir.Class: _class,
}

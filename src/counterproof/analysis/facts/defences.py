"""Checking a defence named against a finding (A54).

It is confirmed if the syntax contains it, if it is on every path to the sink inside its function, if it acts on a value of the
flow, and if it is known to stop this kind of attack. Anything less changes only a label. The result is '' in most cases, on
purpose: a refutation must be proved.

Not handled here: searching for unnamed defences.
"""

import re

from tree_sitter import Node

from counterproof.analysis.facts.syntax_index import holds, index_of, matches
from counterproof.analysis.facts.trees import (
    dotted,
    enclosing_function,
    first_line,
    last_line,
    smallest_on,
    text_of,
    tree_of,
    walk,
)
from counterproof.analysis.project import Project
from counterproof.model.fact import Fact, Operation
from counterproof.model.finding import Finding
from counterproof.model.location import Location
from counterproof.model.recon import EntryPoint

CONVERSIONS = frozenset(
    ("int", "float", "UUID", "Decimal", "bool", "parseInt", "parseFloat", "Number", "Boolean", "BigInt", "isoparse")
)
"""Conversions whose result cannot contain a text of the sender's choice."""

_COMMAND, _MARKUP, _PATH, _ADDRESS = "command", "markup", "path", "address"
_KINDS = {
    77: _COMMAND, 78: _COMMAND, 88: _COMMAND, 79: _MARKUP, 80: _MARKUP, 22: _PATH, 23: _PATH, 36: _PATH, 73: _PATH, 434: _PATH,
    601: _ADDRESS, 918: _ADDRESS,
}  # fmt: skip
_BY_CWE = {
    89: "statement",
    564: "statement",
    943: "statement",
    94: "code",
    95: "code",
    1336: "code",
    502: "object",
    611: "document",
}
SANITISERS: dict[str, frozenset[str]] = {
    _COMMAND: frozenset(("shlex.quote", "pipes.quote", "quote", "escapeshellarg", "escapeshellcmd")),
    _MARKUP: frozenset((
        "escape", "html.escape", "markupsafe.escape", "bleach.clean", "DOMPurify.sanitize", "sanitizeHtml", "escapeHtml",
        "htmlspecialchars", "htmlentities", "encodeURIComponent", "nh3.clean",
    )),
    _PATH: frozenset(("secure_filename", "os.path.basename", "path.basename", "basename", "safe_join")),
    _ADDRESS: frozenset(("url_has_allowed_host_and_scheme", "is_safe_url")),
}  # fmt: skip
"""Calls whose result is safe for one kind of sink, whatever their arguments."""

HOMES = frozenset((
    "shlex", "pipes", "html", "markupsafe", "bleach", "nh3", "dompurify", "isomorphic-dompurify", "sanitize-html", "escape-html",
    "werkzeug.utils", "werkzeug.security", "flask", "os", "os.path", "path", "node:path", "django.utils.html",
    "django.utils.http",
))  # fmt: skip
"""Modules of these sanitisers. A function of the same name from another module is unknown."""

_FROM = re.compile(r"""^\s*from\s+(?P<py>[\w.]+)\s+import\b|(?:\bfrom\s*|\brequire\s*\(\s*)["'](?P<js>[^"']+)["']""")
_CLASS = re.compile(r"\[(?!\^)(?:\\[^SDW]|[^\]\\])*\]")
_ANYTHING = re.compile(r"(?<!\\)\.|\[|\\[SDW]")
"""A dot, or a negated character class after its negation is removed."""
_EXITS = frozenset((
    "return_statement", "raise_statement", "throw_statement", "continue_statement", "break_statement", "return",
    "throw_expression",
))  # fmt: skip
_ABORTS = frozenset(("abort", "exit", "sys.exit", "process.exit", "die"))
_LOOPS = frozenset(("while_statement", "for_statement", "for_in_statement", "do_statement"))
_SHARED = frozenset(("global_statement", "nonlocal_statement"))
_BINDS = {
    "assignment": ("left",), "augmented_assignment": ("left",), "named_expression": ("name",), "for_statement": ("left",),
    "as_pattern": ("alias",), "assignment_expression": ("left",), "augmented_assignment_expression": ("left",),
    "variable_declarator": ("name",), "for_in_statement": ("left",), "update_expression": ("argument",),
}  # fmt: skip
"""Nodes that rebind a name, with the field that contains the name."""
_BRANCHES = frozenset((
    "if_statement", "elif_clause", "else_clause", "while_statement", "for_statement", "for_in_statement", "except_clause",
    "catch_clause", "case_clause", "switch_case", "switch_default", "conditional_expression", "ternary_expression",
    "try_statement", "match_statement", "finally_clause",
))  # fmt: skip


def refutes(project: Project, entry_points: tuple[EntryPoint, ...], finding: Finding, defence: Fact) -> str:
    """The reason why the named defence stops the finding, built from checked facts; '' if not proved."""
    del entry_points  # entry-point guards are checked elsewhere; this reads one function
    tree = tree_of(project, defence.at.path)
    if tree is None or not holds(project, defence):
        return ""
    guard = _node_of(smallest_on(tree, defence.at.start), defence)
    place = _carried_after(project, finding, defence.at, guard)
    if guard is None or place is None or not _dominates(guard, smallest_on(tree, place.start)):
        return ""
    values = _values_of(project, finding, defence.at)
    sink = smallest_on(tree, place.start)
    if defence.operation is Operation.CALL:
        return _sanitises(project, guard, finding, defence, values, place, sink)
    return _rejects(project, guard, defence, values, sink)


def _node_of(line: Node, defence: Fact) -> Node | None:
    """The call or condition that the defence refers to."""
    found: Node | None = line
    wanted = _is_call if defence.operation is Operation.CALL else _is_test
    inside = [each for each in walk(line, 2_000) if first_line(each) <= defence.at.end and wanted(each, defence.symbol)]
    if inside:
        return inside[0]
    while found is not None and not wanted(found, defence.symbol):
        found = found.parent
    return found


def _is_call(node: Node, symbol: str) -> bool:
    called = node.child_by_field_name("function")
    return called is not None and matches(symbol, dotted(called))


def _is_test(node: Node, symbol: str) -> bool:
    condition = node.child_by_field_name("condition") if node.type == "if_statement" else None
    return condition is not None and symbol in _names(condition)


def _names(node: Node) -> set[str]:
    return {dotted(each).rpartition(".")[2] for each in walk(node, 400) if dotted(each)}


def _carried_after(project: Project, finding: Finding, at: Location, guard: Node | None) -> Location | None:
    """The first location of the flow, or the sink, after the defence in the same function."""
    tree = tree_of(project, at.path)
    if tree is None or guard is None:
        return None
    here = enclosing_function(guard)
    places = [step.location for step in finding.flow.steps] if finding.flow else []
    for place in (*places, finding.location):
        if place.path != at.path or place.start < at.start or (place.start == at.start and place != finding.location):
            continue
        there = enclosing_function(smallest_on(tree, place.start))
        if (here is None and there is None) or (here is not None and there is not None and here.start_byte == there.start_byte):
            return place
    return None


def _dominates(guard: Node, place: Node) -> bool:
    """Return True if every path to `place` passes the defence: no branch contains the defence without the place."""
    around = {(each.start_byte, each.end_byte) for each in _ancestors(place)}
    return all(
        (each.start_byte, each.end_byte) in around
        for each in _ancestors(guard)
        if each.type in _BRANCHES and not (each.type == "if_statement" and _is_in_condition(each, guard))
    )


def _is_in_condition(branch: Node, node: Node) -> bool:
    condition = branch.child_by_field_name("condition")
    return node == branch or (condition is not None and condition.start_byte <= node.start_byte < condition.end_byte)


def _ancestors(node: Node) -> list[Node]:
    found: list[Node] = [node]
    while found[-1].parent is not None:
        found.append(found[-1].parent)
    return found


def _values_of(project: Project, finding: Finding, at: Location) -> set[str]:
    """Names that carry the data in this file: those that the flow's lines bind and read, and those that the sink's line reads."""
    places = [step.location for step in finding.flow.steps] if finding.flow else []
    said = index_of(project, at.path)
    kinds = (Operation.ASSIGN, Operation.READ, Operation.PARAMETER)
    return {
        name.rpartition(".")[2]
        for place in (*places, finding.location)
        if place.path == at.path
        for operation, name in said.get(place.start, ())
        if operation in kinds and name
    }


def _bound_again(guard: Node, names: set[str], sink: Node) -> bool:
    """Return True if the function rebinds one of these names between the defence and the sink, or lets other code do so: then the
    checked value is not the one that arrives."""
    function = enclosing_function(guard)
    if function is None:
        return True
    loops = [each for each in _ancestors(sink) if each.type in _LOOPS and not each.start_byte <= guard.start_byte < each.end_byte]
    until = max((each.end_byte for each in loops), default=sink.start_byte)
    for each in walk(function):
        if each.type in _SHARED and names & _names(each):
            return True
        if guard.end_byte <= each.start_byte < until and each.type in _BINDS:
            target = next((found for name in _BINDS[each.type] if (found := each.child_by_field_name(name))), None)
            if target is not None and names & _names(target):
                return True
    return False


def _sanitises(
    project: Project, call: Node, finding: Finding, defence: Fact, values: set[str], place: Location, sink: Node
) -> str:
    """The reason for a call that converts the value into a harmless one, whose result reaches the sink."""
    kind = _KINDS.get(finding.cwe, _BY_CWE.get(finding.cwe, ""))
    called = dotted(call.child_by_field_name("function"))
    if not _is_genuine(project, defence.at.path, called, SANITISERS.get(kind, frozenset())):
        return ""
    arguments = call.child_by_field_name("arguments")
    if arguments is None or not (_names(arguments) & values):
        return ""
    bound = _bound_by(call)
    used = {name.rpartition(".")[2] for _, name in index_of(project, place.path).get(place.start, ()) if name}
    inside_sink = place.start <= first_line(call) and last_line(call) <= place.end
    if not inside_sink and (not (bound & used) or _bound_again(call, bound & used, sink)):
        return ""
    return f"{defence.symbol} at {defence.at} makes the value harmless before {place}"


def _is_genuine(project: Project, path: str, called: str, sanitisers: frozenset[str]) -> bool:
    """Return True if the name is the library's own: a conversion that is not redefined, or a sanitiser imported from its
    module."""
    root, last = called.partition(".")[0], called.rpartition(".")[2]
    said = {each for line in index_of(project, path).values() for each in line}
    if any((operation, root) in said for operation in (Operation.DEFINE, Operation.ASSIGN, Operation.PARAMETER)):
        return False
    if called in CONVERSIONS:
        return (Operation.IMPORT, root) not in said or called in ("UUID", "Decimal")
    if not any(matches(name, called) or matches(last, name) for name in sanitisers):
        return False
    index = index_of(project, path)
    homes = [_home(project.line(path, line), root) for line in index if (Operation.IMPORT, root) in index[line]]
    return bool(homes) and all(home in HOMES and not _is_local(project, home) for home in homes)


def _home(line: str, root: str) -> str:
    """The module that an import takes a name from."""
    named = _FROM.search(line)
    return (named.group("py") or named.group("js")) if named else root


def _is_local(project: Project, module: str) -> bool:
    """Return True if the audited code itself has a module of this name, so that the import may refer to it."""
    return any(path.rpartition("/")[2] in (f"{module}.py", f"{module}.js", f"{module}.ts") for path in project.files)


def _bound_by(call: Node) -> set[str]:
    """The name that the call's result is assigned to, if nothing else is part of the value."""
    parent = call.parent
    while parent is not None and parent.type in ("parenthesized_expression", "await", "await_expression", "as_expression"):
        parent = parent.parent
    if parent is None or parent.type not in ("assignment", "variable_declarator", "named_expression", "assignment_expression"):
        return set()
    target = parent.child_by_field_name("left") or parent.child_by_field_name("name")
    return {dotted(target).rpartition(".")[2]} if target is not None and dotted(target) else set()


def _tested(condition: Node) -> str:
    """The name on the tested side of a condition, if it stands alone: not a part of it, nor a call's result."""
    for each in walk(condition, 200):
        operand: Node | None = None
        if each.type == "comparison_operator" and each.named_children:
            operand = each.named_children[0]
        elif each.type in ("call", "call_expression") and (given := each.child_by_field_name("arguments")) is not None:
            operand = given.named_children[-1] if given.named_children else None
        if operand is not None and operand.type in ("identifier", "attribute", "member_expression"):
            return dotted(operand).rpartition(".")[2]
    return ""


def _rejects(project: Project, test: Node, defence: Fact, values: set[str], sink: Node) -> str:
    """`if value not in ALLOWED: return`: membership in a fixed list, or a full pattern match, that ends the function."""
    condition = test.child_by_field_name("condition")
    body = test.child_by_field_name("consequence")
    if condition is None or body is None or _tested(condition) not in values or _bound_again(test, {_tested(condition)}, sink):
        return ""
    written = text_of(condition)
    negated = bool(re.search(r"\bnot\b|!", written))
    fixed = any(_is_literal(each) for each in walk(condition, 200)) or any(
        _is_fixed_list(project, defence.at.path, name) for name in _names(condition) - values
    )
    whole = (
        bool(re.search(r"\bfullmatch\s*\(", written)) and "|" not in written and _is_narrow(project, defence.at.path, condition)
    )
    membership = bool(re.search(r"\bin\b|\.includes\(|\.has\(", written))
    if not negated or not ((membership and fixed) or whole) or " or " in written or "&&" in written or " and " in written:
        return ""
    return f"the test at {defence.at} ends the function unless the value is allowed" if _ends(body) else ""


def _is_narrow(project: Project, path: str, condition: Node) -> bool:
    """Return True if the pattern is a literal, inline or assigned once in the file, and does not match arbitrary characters."""
    call = next((each for each in walk(condition, 200) if _is_call(each, "fullmatch")), None)
    given = call.child_by_field_name("arguments") if call else None
    pattern = given.named_children[0] if given is not None and len(given.named_children) == 2 else None
    called = call.child_by_field_name("function") if call else None
    name = dotted(pattern) if pattern is not None else dotted(called).rpartition(".")[0]
    if pattern is None or pattern.type == "identifier":
        pattern = _constant(project, path, name)
    if pattern is not None and pattern.type == "call" and dotted(pattern.child_by_field_name("function")) == "re.compile":
        made = pattern.child_by_field_name("arguments")
        pattern = made.named_children[0] if made is not None and made.named_children else None
    return pattern is not None and pattern.type == "string" and not _ANYTHING.search(_CLASS.sub("", text_of(pattern)))


def _constant(project: Project, path: str, name: str) -> Node | None:
    """The value of a name that the file assigns once, outside every function."""
    tree = tree_of(project, path)
    bound = [each for each in walk(tree.root_node) if _binds(each, name)] if tree else []
    if len(bound) != 1 or enclosing_function(bound[0]) is not None:
        return None
    return bound[0].child_by_field_name("right") or bound[0].child_by_field_name("value")


def _is_fixed_list(project: Project, path: str, name: str) -> bool:
    """Return True if the file assigns the name once, outside every function, to a collection of literals."""
    value = _constant(project, path, name)
    while value is not None and value.type in ("call", "new_expression", "argument_list", "arguments") and value.named_children:
        value = value.named_children[-1]  # frozenset((…)), new Set([…])
    return value is not None and _is_literal(value)


def _binds(node: Node, name: str) -> bool:
    if node.type not in ("assignment", "augmented_assignment", "variable_declarator", "assignment_expression"):
        return False
    target = node.child_by_field_name("left") or node.child_by_field_name("name")
    return target is not None and dotted(target) == name


def _is_literal(node: Node) -> bool:
    """A literal collection of constants only."""
    if node.type not in ("list", "tuple", "set", "array"):
        return False
    return bool(node.named_children) and all(each.type in ("string", "integer", "number") for each in node.named_children)


def _ends(body: Node) -> bool:
    """Return True if the block never continues to the code after it."""
    block = body if body.type in ("block", "statement_block") else None
    statements = block.named_children if block is not None else [body]
    if not statements:
        return False
    last = statements[-1]
    if last.type in _EXITS:
        return True
    return any(each.type == "call" and dotted(each.child_by_field_name("function")) in _ABORTS for each in walk(last, 20))

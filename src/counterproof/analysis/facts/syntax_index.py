"""The operations of each line with their names, for looking up facts (A53, A55).

Invariant: an entry stands for a grammar node that touches the line; nothing is guessed from text, except that in a file without a
grammar the words of a line count as mentioned.
"""

from collections.abc import Callable, Container, Iterable, Iterator
from functools import cache
from itertools import chain

from tree_sitter import Node

from counterproof.analysis.facts import node_types as types
from counterproof.analysis.facts.trees import MAX_NODES, dotted, first_line, last_line, text_of, tree_of, walk
from counterproof.analysis.project import Project
from counterproof.model.fact import Fact, Operation

MAX_SPAN = 30
"""Lines of a node that are indexed completely; of a longer node only the first lines are."""
MAX_NAMES = 300

Said = dict[int, set[tuple[Operation, str]]]


def holds(project: Project, fact: Fact) -> bool:
    """Return True if the syntax at the fact's lines has its operation with its symbol."""
    if fact.at.path not in project.files or fact.at.end > project.files[fact.at.path].lines:
        return False
    lines = range(fact.at.start, min(fact.at.end, fact.at.start + MAX_SPAN) + 1)
    tree = tree_of(project, fact.at.path)
    if tree is None:
        return fact.operation is Operation.MENTION and _mentioned(project, fact, lines)
    wanted = ".".join(each.lstrip("$:@#") for each in fact.symbol.strip().split("."))  # normalised like the names there
    return any(
        operation is fact.operation and (not wanted or any(matches(wanted, name) for name in names))
        for node in _touching(tree.root_node, lines)
        for operation, names, first, last in _operations(node)
        if first < lines.stop and min(last, first + MAX_SPAN) >= lines.start
    )


def _touching(root: Node, lines: range) -> Iterator[Node]:
    """The nodes that touch these lines, and those in insertions inside them, which count for the whole string."""
    pending = [root]
    for _ in range(MAX_NODES):
        if not pending:
            return
        current = pending.pop()
        near = first_line(current) < lines.stop and last_line(current) >= lines.start
        if near or current.type in types.HOLES:
            yield current
        if near:
            pending.extend(reversed(current.named_children))


def matches(wanted: str, written: str) -> bool:
    """Return True if a bare name is the last part of the written name, or a name with its receiver is its end."""
    return written == wanted or written.endswith("." + wanted)


def index_of(project: Project, path: str) -> Said:
    """The operations of each line with their names, and '' for the operation alone."""

    def made() -> Said:
        said: Said = {}
        tree = tree_of(project, path)
        for node in walk(tree.root_node) if tree else ():
            for operation, names, first, last in _operations(node):
                entries = {(operation, name) for name in names} | {(operation, "")}
                for line in range(first, min(last, first + MAX_SPAN) + 1):
                    said.setdefault(line, set()).update(entries)
        return said

    return project.once(f"facts index {path}", made)


def _mentioned(project: Project, fact: Fact, lines: Iterable[int]) -> bool:
    return any(fact.symbol.strip() in project.line(fact.at.path, line) for line in lines)


Entry = tuple[Operation, Iterable[str], int, int]


def _operations(node: Node) -> Iterator[Entry]:
    for read in _readers(node.type):
        yield from read(node)


@cache
def _readers(kind: str) -> tuple[Callable[[Node], Iterator[Entry]], ...]:
    return tuple(read for read, kinds in _READERS if kind in kinds)


def _plain(node: Node) -> Iterator[Entry]:
    operation = types.PLAIN[node.type]
    if node.type == "export_statement" and node.child_by_field_name("source") is None:
        return  # `export class …` imports nothing
    whole = node.parent if node.type in types.HOLES and node.parent is not None else node
    names = chain(_names(node), _strings(node)) if operation is Operation.IMPORT else _names(node)
    yield operation, names, first_line(whole), last_line(whole)


def _condition(node: Node) -> Iterator[Entry]:
    field = types.CONDITIONS[node.type]
    decided = node.child_by_field_name(field) if field else node
    yield Operation.BRANCH, _names(decided), first_line(node), last_line(decided or node)


def _definition(node: Node) -> Iterator[Entry]:
    name = node.child_by_field_name("name")
    if name:
        yield Operation.DEFINE, (text_of(name),), first_line(node), last_line(name)


def _reading(node: Node) -> Iterator[Entry]:
    names = _keys(node) if node.type in types.SUBSCRIPTS else (dotted(node),)
    yield Operation.READ, names, first_line(node), last_line(node)


def _call(node: Node) -> Iterator[Entry]:
    called = node.child_by_field_name(types.CALLS[node.type]) or node.child_by_field_name("method")
    name = dotted(called) if called else ""
    receiver = node.child_by_field_name("object") or node.child_by_field_name("receiver") or node.child_by_field_name("scope")
    if receiver is not None and name:
        name = f"{dotted(receiver)}.{name}".strip(".")
    if not name and called:
        name = text_of(called).rpartition("\\")[2]
    yield Operation.CALL, (name,), first_line(node), last_line(node)
    if name == "require":
        yield Operation.IMPORT, _strings(node), first_line(node), last_line(node)


def _binding(node: Node) -> Iterator[Entry]:
    target = node.child_by_field_name(types.TARGETS[node.type])
    if target is None:
        return
    yield Operation.ASSIGN, _targets(target), first_line(node), last_line(node)
    value = node.child_by_field_name("value") or node.child_by_field_name("right")
    if value is not None and value.type in types.FUNCTIONS:  # `save: async (given) => …` names a function
        yield Operation.DEFINE, _targets(target), first_line(node), last_line(target)


def _targets(node: Node) -> Iterator[str]:
    return filter(None, chain((dotted(node),), _names(node), _strings(node)))


def _attribute(node: Node) -> Iterator[Entry]:
    """`<p title={x}>` sets an attribute."""
    yield Operation.ASSIGN, tuple(text_of(each) for each in node.named_children[:1]), first_line(node), last_line(node)


def _default(node: Node) -> Iterator[Entry]:
    if node.child_by_field_name("value") is not None:
        yield Operation.ASSIGN, _names(node.child_by_field_name("pattern")), first_line(node), last_line(node)


def _operator(node: Node) -> Iterator[Entry]:
    sign = node.child_by_field_name("operator")
    word = text_of(sign) if sign else ""
    if word in types.COMPARISONS or node.type in ("boolean_operator", "not_operator") or word == "!":
        yield Operation.COMPARE, _names(node), first_line(node), last_line(node)
    if word in types.JOINS:
        yield Operation.BUILD, _names(node), first_line(node), last_line(node)


def _function(node: Node) -> Iterator[Entry]:
    """Its parameters, and the value of an arrow function without braces."""
    body = node.child_by_field_name("body")
    for child in node.named_children:
        if child.type in types.PARAMETERS or (child.type == "identifier" and child != body and node.type == "arrow_function"):
            yield Operation.PARAMETER, _names(child), first_line(child), last_line(child)
    if node.type == "arrow_function" and body is not None and body.type != "statement_block":
        yield Operation.RETURN, _names(body), first_line(body), last_line(body)


def _names(node: Node | None) -> Iterator[str]:
    """Every name inside a node, written with its receivers; read lazily."""
    found: set[str] = set()
    for each in walk(node, MAX_NAMES * 4) if node is not None else ():
        name = dotted(each) if each.type in types.IDENTIFIERS or each.type in types.MEMBERS else ""
        if name and name not in found and len(found) < MAX_NAMES:
            found.add(name)
            yield name


def _strings(node: Node) -> Iterator[str]:
    return (text_of(each) for each in walk(node, 200) if each.type in types.STRINGS)


def _keys(node: Node) -> tuple[str, ...]:
    """The key of a subscript, if it is a literal."""
    return tuple(text for child in node.named_children[1:] for text in _strings(child))


_READERS: tuple[tuple[Callable[[Node], Iterator[Entry]], Container[str]], ...] = (
    (_call, types.CALLS),
    (_binding, types.TARGETS),
    (_default, types.DEFAULTED),
    (_attribute, {"jsx_attribute"}),
    (_plain, types.PLAIN),
    (_condition, types.CONDITIONS),
    (_operator, {*types.BINARY, "unary_expression", "not_operator"}),
    (_definition, types.DEFINITIONS),
    (_function, types.FUNCTIONS),
    (_reading, {*types.IDENTIFIERS, *types.MEMBERS, *types.SUBSCRIPTS}),
)
"""Each reader with the node types that it handles."""

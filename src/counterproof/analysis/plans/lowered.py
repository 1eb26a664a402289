"""Python and scripts of a plan and its repository in the intermediate form: their imports, and the names they bind and read.

Invariant: a text that does not parse has no module (None). Scopes are not distinguished: a name bound anywhere in a text counts
as bound in all of it. Nothing is run.
"""

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.javascript import lower as lower_script
from counterproof.analysis.syntax.page_scripts import script_of
from counterproof.analysis.syntax.parsing import Unparsable
from counterproof.analysis.syntax.python import lower as lower_python
from counterproof.analysis.syntax.walk import walk

_BARE = re.compile(r"(?m)^[ \t]*import[ \t]+(?:['\"](?P<file>[^'\"\n]{1,200})['\"]|(?P<module>\w+(?:\.\w+)+))")
"""Imports that bind no name of their own: `import "./polyfill"`, `import a.b`."""
_FRAMES = (("", ""), ("class _ {", "\n}"), ("({", "\n})"))
"""Code added around a part of a script so that it can be parsed."""
_WHOLE = re.compile(r"(?m)^(?:import|export)\b")
_END = "|"
"""The end of a script's module name; the imported name follows."""


@dataclass(frozen=True, slots=True)
class Imported:
    """One import: a module and a name in it. In Python `module` is the whole dotted name, and `name` is ''. `local` is the bound
    name; for others, such as a re-export, it is in angle brackets."""

    module: str
    name: str
    line: int
    local: str


@dataclass(slots=True)
class Names:
    """`bound` and `read` give the first line of each name, from 1; `imported` the module of each import at the top level; `hints`
    are the names read only in annotations."""

    bound: dict[str, int] = field(default_factory=dict[str, int])
    read: dict[str, int] = field(default_factory=dict[str, int])
    imported: dict[str, str] = field(default_factory=dict[str, str])
    hints: set[str] = field(default_factory=set[str])

    @property
    def free(self) -> list[str]:
        """The names that are read and bound nowhere, in the order of their lines."""
        return sorted((name for name in self.read if name not in self.bound), key=lambda name: (self.read[name], name))


def module_of(text: str, path: str) -> ir.Module | None:
    """A text in the language of a path. For a page, its scripts."""
    return _lowered(text, path if path.endswith(".py") else f"a.{path.rpartition('.')[2] or 'tsx'}")


@lru_cache(maxsize=2_048)
def _lowered(text: str, path: str) -> ir.Module | None:
    try:
        if path.endswith(".py"):
            module = lower_python(path, text)
            return None if module.problems else module
        if path.endswith((".vue", ".svelte", ".astro")) and "<script" in text:
            text = script_of(text)
        frames = _FRAMES[:1] if _WHOLE.search(text) else _FRAMES
        framed = (lower_script(path, f"{start}{text}{end}", lambda name: name + _END) for start, end in frames)
        return next((module for module in framed if not module.problems), None)
    except Unparsable:
        return None


def imports_in(text: str, path: str) -> Iterator[Imported]:
    """The imports, re-exports and requires of a text."""
    module = module_of(text, path)
    for node in walk(*module.body) if module else ():
        names = node.names if isinstance(node, ir.Import) else ()
        if module and isinstance(node, ir.Name) and node.id.startswith("<") and node.id in module.imports:
            names = ((node.id, module.imports[node.id]),)
        for local, dotted in names:
            home, _, name = dotted.partition(_END)
            yield Imported(home, name.lstrip("."), node.line, local)
    for match in _BARE.finditer(text) if module else ():
        home = match["file"] or match["module"]
        yield Imported(home, "", text.count("\n", 0, match.end()) + 1, home)


@lru_cache(maxsize=2_048)
def names_in(text: str, path: str, whole: bool = False) -> Names | None:
    """`whole`: the text is a whole file, so that nothing was left out around it."""
    module = module_of(text, path)
    if module is None:
        return None
    names = Names()
    nodes = list(walk(*module.body))
    for node in nodes:
        for name in _bound_by(node):
            names.bound.setdefault(name, node.line)
    hints, never = _annotations(nodes, module)
    shown = _read(nodes, module, text[:1].isspace()) if not whole else (each for each in nodes if isinstance(each, ir.Name))
    read = [node for node in shown if id(node) not in never and node.id[:1] != "<"]
    for node in read:
        names.read.setdefault(node.id, node.line)
    names.hints = {node.id for node in read} - {node.id for node in read if id(node) not in hints}
    names.imported = {name: dotted for node in module.body if isinstance(node, ir.Import) for name, dotted in node.names}
    return names


def _bound_by(node: ir.Node) -> Iterator[str]:
    """The names that a node itself binds."""
    targets: tuple[ir.Expr | None, ...] = ()
    if isinstance(node, ir.Assign):
        targets = node.targets
    elif isinstance(node, ir.Case):
        targets = node.binds
    elif isinstance(node, ir.Loop | ir.WithItem | ir.Bind | ir.Generator):
        targets = (node.target,)
    elif isinstance(node, ir.Function | ir.Class | ir.Handler | ir.Parameter):
        yield node.name
    elif isinstance(node, ir.Import):
        yield from (name for name, _ in node.names)
        yield from ("*",) if node.everything else ()
    for each in targets:
        if isinstance(each, ir.Name | ir.Sequence | ir.Spread):
            yield from (part.id for part in walk(each) if isinstance(part, ir.Name))


def _read(nodes: list[ir.Node], module: ir.Module, inner: bool) -> Iterator[ir.Name]:
    """Names that the code reads. Plain variables in a part of a function may be bound in omitted code."""
    shown = [each for each in module.body if isinstance(each, ir.Function | ir.Class) and (not inner or is_method(each))]
    whole = {id(node) for node in walk(*shown)}
    called = {id(node.callee) for node in nodes if isinstance(node, ir.Call)}
    for node in nodes:
        if isinstance(node, ir.Name) and (
            id(node) in whole or id(node) in called or node.id[:1].isupper() or node.id in sys.stdlib_module_names
        ):
            yield node


def is_method(node: ir.Node) -> bool:
    """Return True if a function takes `self` or `cls`, so that its class is not in the text."""
    return isinstance(node, ir.Function) and [each.name for each in node.parameters[:1]] in (["self"], ["cls"])


def _annotations(nodes: list[ir.Node], module: ir.Module) -> tuple[set[int], set[int]]:
    """The nodes in annotations, and those that are never evaluated: in scripts, and of local variables."""
    local = [each.annotation for f in module.functions for each in walk(*f.body) if isinstance(each, ir.Assign)]
    every = [each.annotation for each in nodes if isinstance(each, ir.Parameter | ir.Assign)]
    every += [each.returns for each in module.functions]
    hints, never = ({id(node) for each in some if each for node in walk(each)} for some in (every, local))
    return hints, never if module.path.endswith(".py") else hints

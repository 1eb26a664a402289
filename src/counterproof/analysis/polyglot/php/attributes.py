"""Routes that Symfony controllers declare with attributes or doc comments, and their guards.

Invariant: class and method paths are joined with the prefix from the routing file; access rules of the security file apply in
order. Not handled here: routes registered by calls.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from counterproof.analysis.endpoints.verdict import OPEN, Verdict, as_written, strongest
from counterproof.analysis.polyglot.entered import entered, runs
from counterproof.analysis.polyglot.literals import known_text, texts
from counterproof.analysis.polyglot.nodes import line_of, unwrapped
from counterproof.analysis.polyglot.php.classes import Classes
from counterproof.analysis.polyglot.routers import joined
from counterproof.analysis.polyglot.source import Class, Function, Source
from counterproof.analysis.project import Project
from counterproof.model.recon import EntryKind, EntryPoint
from counterproof.model.survey import Language

_GRANTED = ("IsGranted", "Security")
_ANNOTATED = re.compile(r"@(Route|Get|Post|Put|Patch|Delete|IsGranted|Security)\(([^)]{0,400})\)")
_FIRST = re.compile(r"^\s{0,20}(?:path\s{0,5}=\s{0,5})?[\"']([^\"']{0,200})[\"']")
_METHODS = re.compile(r"methods\s{0,5}=\s{0,5}\{?([^}]{0,100})\}?")
_ACCESS = re.compile(
    r"-[ \t]{0,5}\{[ \t]{0,5}path:[ \t]{0,5}['\"]?\^?([^,'\"}]{1,200})['\"]?[ \t]{0,5},"
    r"[^}]{0,200}?roles?:[ \t]{0,5}([^}]{1,200})\}"
)
_BLOCK = re.compile(r"(?m)^[A-Za-z_][\w.@-]{0,100}:[ \t]{0,5}$")
_PREFIX = re.compile(r"(?m)^[ \t]{1,20}prefix:[ \t]{0,5}['\"]?([^'\"\s]{1,100})")
MAX_MEMBERS = 5_000


@dataclass(frozen=True, slots=True)
class _Declared:
    """The paths with their methods, and the guards, of one declaration."""

    routes: tuple[tuple[str, tuple[str, ...]], ...]
    verdict: Verdict


def attribute_routes(classes: Classes) -> Iterator[EntryPoint]:
    reader = _Reader(classes.corpus.project)
    for source in classes.corpus.sources(Language.PHP):
        for each in source.classes if b"Route" in source.data else ():
            yield from reader.of_class(source, each)


class _Reader:
    def __init__(self, project: Project) -> None:
        self.prefix = ""
        self.access: list[tuple[str, Verdict]] = []
        for path, file in sorted(project.files.items()):
            if path.endswith((".yaml", ".yml")) and "config/" in f"/{path}" and not file.test and file.size <= 200_000:
                name = path.rpartition("/")[2].rpartition(".")[0]
                if name in ("routes", "annotations", "attributes"):
                    self.prefix = _controllers_prefix(project.text(path)) or self.prefix
                elif name == "security":
                    self.access += _access(path, project.text(path))

    def of_class(self, source: Source, each: Class) -> Iterator[EntryPoint]:
        outer = _declared(source, each.node, each.node.prev_named_sibling)
        base = outer.routes[0][0] if outer.routes else ""
        comment: Node | None = None
        seen = False
        for child in each.body.named_children[:MAX_MEMBERS] if each.body is not None else ():
            function = source.function_at(child) if child.type == "method_declaration" else None
            if function is not None:
                inner = _declared(source, child, comment)
                seen = seen or bool(inner.routes)
                yield from self._routes(source, function, inner, base, outer.verdict)
            comment = child if child.type == "comment" else None
        invoked = next((function for function in source.by_name.get("__invoke", ()) if function.owner == each.name), None)
        if invoked is not None and not seen:
            yield from self._routes(source, invoked, outer, "", OPEN)

    def _routes(
        self, source: Source, function: Function, declared: _Declared, base: str, around: Verdict
    ) -> Iterator[EntryPoint]:
        for own, methods in declared.routes:
            path = joined(self.prefix, joined(base, own))
            ruled = next((rule for start, rule in self.access if path.startswith(start or "/")), OPEN)
            verdict = strongest((declared.verdict, around, ruled))
            for method in methods or ("ANY",):
                yield entered(EntryKind.HTTP, method, path, runs(source, function), verdict, "Symfony")


def _declared(source: Source, node: Node, comment: Node | None) -> _Declared:
    routes: list[tuple[str, tuple[str, ...]]] = []
    verdict = OPEN
    for name, parameters, line in _attributes(source, node):
        named = dict(reversed(parameters))
        first = named.get("")
        if name == "Route":
            methods = tuple(text.upper() for text in texts(source, named.get("methods")))
            routes.append((known_text(source, named.get("path") or first) or "", methods))
        elif name in _GRANTED:
            verdict = as_written(source.path, line, f"{name} {source.text(first, 60)}")
    if comment is not None and comment.type == "comment":
        for name, written in _ANNOTATED.findall(source.text(comment, 4_000)):
            if name in _GRANTED:
                verdict = as_written(source.path, line_of(comment), f"{name} {written}")
                continue
            path, listed = _FIRST.search(written), _METHODS.search(written)
            methods = tuple(re.findall(r"[A-Z]{3,7}", listed[1])) if listed else (() if name == "Route" else (name.upper(),))
            routes.append((path[1] if path else "", methods))
    return _Declared(tuple(routes), verdict)


def _attributes(source: Source, node: Node) -> Iterator[tuple[str, list[tuple[str, Node]], int]]:
    """Name, arguments with their keywords, and line of every attribute."""
    listed = node.child_by_field_name("attributes")
    for each in (
        (part for group in listed.named_children[:50] for part in group.named_children[:50]) if listed is not None else ()
    ):
        passed = each.child_by_field_name("parameters")
        given = (
            [(source.text(one.child_by_field_name("name")), unwrapped(one)) for one in passed.named_children[:50]]
            if passed
            else []
        )
        name = source.text(next(iter(each.named_children), None)).rpartition("\\")[2]
        yield name, [(key, value) for key, value in given if value is not None], line_of(each)


def _controllers_prefix(text: str) -> str:
    """The prefix of the block that loads the controllers."""
    block = next((each for each in _BLOCK.split(text[:100_000]) if re.search(r"resource:.{0,200}[Cc]ontroller", each)), "")
    found = _PREFIX.search(block)
    return found[1] if found else ""


def _access(path: str, text: str) -> Iterator[tuple[str, Verdict]]:
    """The rules of `access_control`: the start of their paths, and the rule as written."""
    for number, line in enumerate(text.split("\n"), start=1):
        found = _ACCESS.search(line[:500]) if not line.strip().startswith("#") else None
        if found:
            yield found[1].strip().rstrip("$").rstrip("/"), as_written(path, number, f"access_control {found[2].strip()}")

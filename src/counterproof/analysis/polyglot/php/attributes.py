"""Routes that Symfony controllers declare with attributes or doc comments, and what stands before them.

Invariant: class and method paths are joined with the prefix that the routing file gives controllers; access rules of the
security file count in order. Not handled here: routes that are registered by calls.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from counterproof.analysis.endpoints.verdict import OPEN, Verdict, as_written, strongest
from counterproof.analysis.polyglot.literals import known_text, texts
from counterproof.analysis.polyglot.nodes import line_of, unwrapped
from counterproof.analysis.polyglot.php.classes import Classes
from counterproof.analysis.polyglot.routers import joined
from counterproof.analysis.polyglot.source import Class, Source
from counterproof.model.location import at
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


@dataclass(frozen=True, slots=True)
class _Route:
    path: str
    methods: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Access:
    """One rule of `access_control`, as it is written."""

    prefix: str
    written: Verdict


def attribute_routes(classes: Classes) -> Iterator[EntryPoint]:
    corpus = classes.corpus
    prefix, access = _settings(classes)
    for source in corpus.sources(Language.PHP):
        if b"Route" not in source.data:
            continue
        for each in source.classes:
            yield from _class(source, each, prefix, access)


def _class(source: Source, each: Class, prefix: str, access: tuple[_Access, ...]) -> Iterator[EntryPoint]:
    before = each.node.prev_named_sibling
    routes, verdict = _declared(source, each.node, before)
    base = routes[0].path if routes else ""
    body = each.body
    comment: Node | None = None
    seen = 0
    for child in body.named_children[:5_000] if body is not None else ():
        if child.type == "comment":
            comment = child
            continue
        function = source.function_at(child) if child.type == "method_declaration" else None
        if function is not None:
            inner, own = _declared(source, child, comment)
            for route in inner:
                seen += 1
                path = joined(prefix, joined(base, route.path))
                said = strongest((own, verdict, _controlled(access, path)))
                for method in route.methods or ("ANY",):
                    yield EntryPoint(
                        EntryKind.HTTP, method, path, at(source.path, function.line), function.qualified, "Symfony", *said.parts,
                    )  # fmt: skip
        comment = None
    invoked = [function for function in source.by_name.get("__invoke", ()) if function.owner == each.name]
    if routes and not seen and invoked:
        for route in routes:
            path = joined(prefix, route.path)
            said = strongest((verdict, _controlled(access, path)))
            for method in route.methods or ("ANY",):
                yield EntryPoint(
                    EntryKind.HTTP, method, path, at(source.path, invoked[0].line), invoked[0].qualified, "Symfony", *said.parts,
                )  # fmt: skip


def _declared(source: Source, node: Node, comment: Node | None) -> tuple[list[_Route], Verdict]:
    """Routes and demands on one declaration."""
    routes: list[_Route] = []
    verdict = OPEN
    for name, parameters, line in _attributes(source, node):
        positional = [value for key, value in parameters if not key]
        named = {key: value for key, value in parameters if key}
        if name == "Route":
            path = known_text(source, named.get("path") or (positional[0] if positional else None)) or ""
            methods = tuple(text.upper() for text in texts(source, named.get("methods")))
            routes.append(_Route(path, methods))
        elif name in _GRANTED:
            role = source.text(positional[0], 60) if positional else ""
            verdict = as_written(source.path, line, f"{name} {role}")
    if comment is not None and comment.type == "comment":
        for name, written in _ANNOTATED.findall(source.text(comment, 4_000)):
            if name in _GRANTED:
                verdict = as_written(source.path, line_of(comment), f"{name} {written}")
                continue
            path = _FIRST.search(written)
            listed = _METHODS.search(written)
            methods = tuple(re.findall(r"[A-Z]{3,7}", listed[1])) if listed else (() if name == "Route" else (name.upper(),))
            routes.append(_Route(path[1] if path else "", methods))
    return routes, verdict


def _attributes(source: Source, node: Node) -> Iterator[tuple[str, list[tuple[str, Node]], int]]:
    listed = node.child_by_field_name("attributes")
    for group in listed.named_children[:50] if listed is not None else ():
        for each in group.named_children[:50]:
            name = source.text(next(iter(each.named_children), None)).rpartition("\\")[2]
            passed = each.child_by_field_name("parameters")
            parameters: list[tuple[str, Node]] = []
            for argument in passed.named_children[:50] if passed is not None else ():
                value = unwrapped(argument)
                if value is not None:
                    parameters.append((source.text(argument.child_by_field_name("name")), value))
            yield name, parameters, line_of(each)


def _settings(classes: Classes) -> tuple[str, tuple[_Access, ...]]:
    project = classes.corpus.project
    prefix = ""
    access: list[_Access] = []
    for path, file in sorted(project.files.items()):
        if file.test or file.size > 200_000 or not path.endswith((".yaml", ".yml")) or "config/" not in f"/{path}":
            continue
        name = path.rpartition("/")[2].rpartition(".")[0]
        if name in ("routes", "annotations", "attributes"):
            prefix = _controllers_prefix(project.text(path)) or prefix
        elif name == "security":
            access += _access(path, project.text(path))
    return prefix, tuple(access)


def _controllers_prefix(text: str) -> str:
    """The prefix of the block that loads the controllers."""
    for block in _BLOCK.split(text[:100_000]):
        if re.search(r"resource:.{0,200}[Cc]ontroller", block):
            found = re.search(r"(?m)^[ \t]{1,20}prefix:[ \t]{0,5}['\"]?([^'\"\s]{1,100})", block)
            return found[1] if found else ""
    return ""


def _access(path: str, text: str) -> Iterator[_Access]:
    for number, line in enumerate(text.split("\n"), start=1):
        found = _ACCESS.search(line[:500]) if not line.strip().startswith("#") else None
        if found:
            pattern = found[1].strip().rstrip("$").rstrip("/")
            yield _Access(pattern, as_written(path, number, f"access_control {found[2].strip()}"))


def _controlled(access: tuple[_Access, ...], path: str) -> Verdict:
    """The first rule whose pattern, taken as a prefix, the path begins with."""
    return next((rule.written for rule in access if path.startswith(rule.prefix or "/")), OPEN)

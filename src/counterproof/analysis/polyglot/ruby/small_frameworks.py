"""Sinatra and Grape: routes that are blocks in a class or file, with namespaces around them and filters before them.

Always holds: a `before` block counts for everything in its class or namespace. Does not belong here: Rails.
"""

from collections.abc import Iterator

from tree_sitter import Node

from counterproof.analysis.endpoints.verdict import OPEN, Verdict, present, strongest, unknown
from counterproof.analysis.polyglot.chains import chain_at
from counterproof.analysis.polyglot.guards import refusal_in
from counterproof.analysis.polyglot.literals import known_text
from counterproof.analysis.polyglot.routers import joined
from counterproof.analysis.polyglot.ruby.classes import Classes
from counterproof.analysis.polyglot.source import Source
from counterproof.model.location import at
from counterproof.model.recon import EntryKind, EntryPoint, Guard, GuardKind
from counterproof.model.survey import Language

MAX_STATEMENTS = 50_000
_VERBS = ("get", "post", "put", "patch", "delete", "options", "head")
_SPACES = ("namespace", "resource", "resources", "group", "route_param", "segment")
_CONTAINERS = ("class", "module", "body_statement", "if", "begin", "then", "block_body")


def block_routes(classes: Classes) -> Iterator[EntryPoint]:
    for source in classes.corpus.sources(Language.RUBY):
        grape = b"Grape::API" in source.data
        if grape or b"Sinatra" in source.data or b"'sinatra'" in source.data or b'"sinatra"' in source.data:
            yield from _file(source, "Grape" if grape else "Sinatra")


def _file(source: Source, framework: str) -> Iterator[EntryPoint]:
    pending: list[tuple[Node, str, Verdict]] = [(source.root, "", OPEN)]
    for _ in range(MAX_STATEMENTS):
        if not pending:
            return
        node, prefix, verdict = pending.pop()
        children = list(node.named_children)
        verdict = strongest((verdict, *(_before(source, child) for child in children)))
        prefix = joined(prefix, _settings(source, children, framework)) if prefix or framework == "Grape" else prefix
        for child in reversed(children):
            chain = chain_at(source, child)
            if chain is None:
                if child.type in _CONTAINERS:
                    pending.append((child, prefix, verdict))
                continue
            link = chain.links[-1]
            block = link.block
            path = known_text(source, link.arguments[0]) if link.arguments else None
            if block is None or chain.base is not None:
                continue
            body = block.child_by_field_name("body") or block
            if link.name in _SPACES:
                shown = f":{path}" if link.name == "route_param" else path or ""
                pending.append((body, joined(prefix, shown), verdict))
            elif link.name in _VERBS and (path is not None or framework == "Grape"):
                own = (
                    present(source.path, link.line, "", "the handler refuses callers", GuardKind.CHECK)
                    if _refuses(source, body)
                    else OPEN
                )
                said = strongest((verdict, own))
                where = at(source.path, link.line)
                yield EntryPoint(
                    EntryKind.HTTP, link.name.upper(), joined(prefix, path or ""), where, f"{link.name} {path or '/'}", framework,
                    *said.parts,
                )  # fmt: skip


def _settings(source: Source, children: list[Node], framework: str) -> str:
    """`prefix :api` and `version "v1"` of Grape."""
    found: dict[str, str] = {}
    for child in children if framework == "Grape" else ():
        chain = chain_at(source, child)
        if chain and chain.base is None and chain.links[0].name in ("prefix", "version") and chain.links[0].arguments:
            link = chain.links[0]
            header = known_text(source, link.keyword("using")) in ("header", "param", "accept_version_header")
            found[link.name] = "" if header else known_text(source, link.arguments[0]) or ""
    return joined(found.get("prefix", ""), found.get("version", "")) if found else ""


def _before(source: Source, node: Node) -> Verdict:
    chain = chain_at(source, node)
    if chain is None or chain.base is not None or chain.links[0].name not in ("before", "before_validation", "after_validation"):
        if chain is not None and chain.base is None and chain.links[0].name in ("http_basic", "auth"):
            return present(source.path, chain.links[0].line, chain.links[0].name)
        return OPEN
    link = chain.links[0]
    if link.block is None:
        return OPEN
    guard = refusal_in(source, link.block.child_by_field_name("body") or link.block)
    named = source.text(link.block, 400)
    if guard is Guard.PRESENT or "authenticate!" in named or "protected!" in named:
        if link.arguments:
            return unknown(source.path, link.line, "a filter before some paths")
        return present(source.path, link.line, "", "a filter before every route")
    return OPEN


def _refuses(source: Source, body: Node) -> bool:
    written = source.text(body, 400)
    return any(mark in written for mark in ("authenticate!", "protected!", "require_login", "authorize!"))

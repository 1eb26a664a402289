"""web.py: the table of paths and class names passed to the application, and the verb methods of those classes."""

from collections.abc import Iterator

from counterproof.analysis.endpoints.convention import VERBS, Convention, entry
from counterproof.analysis.endpoints.routed import by_name
from counterproof.analysis.endpoints.verdict import OPEN, Verdict, strongest, unknown
from counterproof.analysis.program.codebase import Codebase, Definition
from counterproof.analysis.program.mentioned import mentioning
from counterproof.analysis.program.outline import Outline
from counterproof.analysis.program.traversal import positional, text_of
from counterproof.analysis.syntax.ir import Attribute, Call, Class, Expr, Sequence
from counterproof.model.recon import EntryKind, EntryPoint


def _find(codebase: Codebase) -> Iterator[EntryPoint]:
    for outline in mentioning(codebase, ("application",)):
        for site in outline.of(Call):
            if codebase.name(outline, site.node.callee) == "web.application" and (given := positional(site.node, 0)) is not None:
                found = codebase.meaning(outline, given, site.function)
                table = found.node if found else given
                if isinstance(table, Sequence):
                    yield from _table(codebase, found.outline if found else outline, table, _processors(outline))


def _processors(outline: Outline) -> Verdict:
    """`application.add_processor(…)` may reject any request; which requests it rejects is not analysed."""
    for site in outline.of(Call):
        if isinstance(site.node.callee, Attribute) and site.node.callee.name == "add_processor":
            return unknown(outline.path, site.line, "a processor could refuse callers")
    return OPEN


def _table(codebase: Codebase, outline: Outline, table: Sequence, around: Verdict) -> Iterator[EntryPoint]:
    for address, named in zip(table.items[::2], table.items[1::2], strict=False):
        path, owner = text_of(address), _class_of(codebase, outline, named)
        if path is None or owner is None:
            continue
        for handler, verb, own in by_name(codebase, owner, {verb.upper(): verb.upper() for verb in VERBS}):
            yield entry(EntryKind.HTTP, verb, path, handler, "web.py", strongest((own, around)))


def _class_of(codebase: Codebase, outline: Outline, named: Expr) -> Definition | None:
    """`"Index"`, `"pages.Index"`, or the class itself."""
    name = text_of(named)
    if name is None:
        found = codebase.meaning(outline, named)
    else:
        own = outline.classes.get(name)
        found = Definition(outline, own) if own is not None else codebase.define(name, outline.path)
    return found if found is not None and isinstance(found.node, Class) else None


CONVENTION = Convention("web.py", ("web-py",), ("web.application", "web.input"), _find)

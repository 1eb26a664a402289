"""YAML read with a loader that builds any object.

## What it finds
`yaml.load` without a safe loader, `yaml.unsafe_load` and their like, on files, answers and what callers pass.

## Why it matters
A file, a message or an answer of a server that is read this way runs the code that it names. Whoever can write it runs programs.

## What is safe
`yaml.safe_load`, a loader derived from `SafeLoader`, and literals.

## Limits
Where the text comes from is not judged; a loader that is chosen at run time counts as safe. Outside of functions it is Low.
"""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, opened
from counterproof.analysis.libraries import names
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.traversal import argument, calls_in
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Confidence, Impact, Match, Severity
from counterproof.analysis.syntax.ir import Attribute, Call, Expr, Name
from counterproof.analysis.syntax.walk import walk

_LOADING = ("yaml.load", "yaml.load_all")
_ALWAYS = names("code", "yaml-objects")
_BUILDING = ("Loader", "CLoader", "UnsafeLoader", "CUnsafeLoader", "FullLoader", "CFullLoader")


def _check(project: Project, path: str) -> Iterator[Match]:
    _, outline = opened(project, path)
    for site in outline.of(Call):
        dotted = outline.dotted(site.node.callee)
        text = argument(site.node, 0, "stream")
        if dotted not in (*_LOADING, *_ALWAYS) or text is None or not _brought(outline, site, text):
            continue
        if not _is_module(outline, site):
            continue
        loader = argument(site.node, 1, "Loader")
        name = outline.dotted(loader).rpartition(".")[2] if loader is not None else ""  # as imports resolve it
        if dotted in _ALWAYS or loader is None or name in _BUILDING:
            weight = Severity.LOW if site.function is None else None  # a program's own start, which reads its own files
            yield bad(site, "yaml loader", "builds any object that the text names", Confidence.MEDIUM, severity=weight)
        else:
            yield good(site, "yaml loader", "builds plain values, or is chosen elsewhere")


def _is_module(outline: Outline, site: Site[Call]) -> bool:
    """Not an object that happens to be called `yaml`, such as a reader of another library."""
    root: Expr = site.node.callee
    while isinstance(root, Attribute):
        root = root.value
    name = root.id if isinstance(root, Name) else ""
    set_here = outline.local(site.function, name) is not None or name in outline.top_level
    return name in outline.module.imports and not set_here


def _brought(outline: Outline, site: Site[Call], text: Expr) -> bool:
    """Whether the text comes from a file, an answer or a caller, and is not worked out on the spot."""
    if isinstance(text, Name):
        assigned = outline.local(site.function, text.id)
        if assigned is None or assigned.value is None:
            return site.function is not None or text.id not in outline.top_level
        text = assigned.value
    named = {each.name for each in walk(text) if isinstance(each, Attribute)}
    opened_here = any(outline.dotted(call.callee) in ("open", "io.open", "codecs.open") for call in calls_in(text))
    return opened_here or bool(named & {"read", "read_text", "read_bytes", "text", "content", "body", "data", "stdout"})


RULE = CheckRule(
    title="Insecure deserialization: YAML loader",
    kind="objects",
    cwe=502,
    severity=Severity.MEDIUM,
    impact=Impact.FULL,
    consequence="Whoever can write the text that is read can run code.",
    remedy="Use yaml.safe_load.",
    check=_check,
    query="calls that read YAML",
)

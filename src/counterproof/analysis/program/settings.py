"""Framework settings: upper-case names assigned in a settings module."""

from dataclasses import dataclass

from counterproof.analysis.program.codebase import Codebase
from counterproof.analysis.program.outline import Outline
from counterproof.analysis.program.traits import having, told, trait
from counterproof.analysis.program.traversal import text_of
from counterproof.analysis.syntax.ir import Assign, Augment, Const, Expr, Mapping, Name, Node
from counterproof.analysis.syntax.walk import walk

_MARKS = ("INSTALLED_APPS", "ROOT_URLCONF", "MIDDLEWARE", "MIDDLEWARE_CLASSES")


@dataclass(frozen=True, slots=True)
class Listed:
    """One string of a list setting, with its line."""

    outline: Outline
    text: str
    line: int


@trait("settings of Django")
def _of_django(outline: Outline) -> bool:
    """Return True if a module assigns at least two settings that only Django has."""
    return sum(mark in outline.top_level for mark in _MARKS) >= 2 or _extends(outline)


def django_settings(codebase: Codebase) -> tuple[Outline, ...]:
    """Modules that are Django settings."""
    return tuple(having(codebase, _of_django))


def is_django_settings(codebase: Codebase, path: str) -> bool:
    """Return True for Django settings, without reading other modules."""
    return path in told(codebase, _of_django)


def _extends(outline: Outline) -> bool:
    """`settings/production.py` that starts with a star import of a base module."""
    return "settings" in outline.path and any("settings" in each or each.endswith("base") for each in outline.module.wildcards)


def listed(outline: Outline, name: str) -> tuple[Listed, ...]:
    """All strings in a list setting, including `+=`."""
    nodes: list[Node] = [
        site.node.value
        for kind in (Assign, Augment)
        for site in outline.of(kind)
        if site.owner is None and site.node.value is not None and _assigns(site.node, name)
    ]
    return tuple(
        Listed(outline, node.value, node.line) for node in walk(*nodes) if isinstance(node, Const) and isinstance(node.value, str)
    )


def _assigns(node: Assign | Augment, name: str) -> bool:
    targets = node.targets if isinstance(node, Assign) else (node.target,)
    return any(isinstance(target, Name) and target.id == name for target in targets)


def setting(outline: Outline, name: str) -> Expr | None:
    """The value of a top-level setting."""
    assigned = outline.top_level.get(name)
    return assigned.value if assigned else None


def entry_of(mapping: Expr | None, key: str) -> Expr | None:
    """The value under a text key of a mapping literal."""
    if not isinstance(mapping, Mapping):
        return None
    return next((value for name, value in mapping.entries if text_of(name) == key), None)

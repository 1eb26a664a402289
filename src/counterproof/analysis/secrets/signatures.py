"""Functions of the project that take a password, so that a literal in its place is recognised where they are called."""

from dataclasses import dataclass

from counterproof.analysis.program.codebase import Codebase, codebase_of
from counterproof.analysis.program.outline import Outline
from counterproof.analysis.program.traits import told, trait
from counterproof.analysis.project import Project
from counterproof.analysis.secrets.secret_names import Kind, secret_kind
from counterproof.analysis.syntax.walk import module_name

_EVERYDAY = frozenset(name for kind in (str, bytes, dict, list, set) for name in dir(kind))
"""Methods that every text and container has: a call of that name says nothing about the project's own."""


@dataclass(frozen=True, slots=True)
class Signatures:
    """Functions of the project that take a password: their parameters by bare name, where that name is unambiguous."""

    parameters: dict[str, tuple[str, ...]]
    packages: frozenset[str]
    """Top-level names that the project's own modules are imported by."""


def signatures_in(project: Project) -> Signatures:
    """Those of all files that are no tests."""
    codebase = codebase_of(project)
    return codebase.remembered(("functions that take passwords",), lambda: _gathered(codebase))


def _gathered(codebase: Codebase) -> Signatures:
    found: dict[str, tuple[str, ...]] = {}
    twice: set[str] = set()
    for functions in told(codebase, _taking_passwords).values():
        for name, *parameters in functions:
            if found.setdefault(name, tuple(parameters)) != tuple(parameters):
                twice.add(name)
    packages = frozenset(module_name(path)[0].partition(".")[0] for path in codebase.paths)
    return Signatures({name: names for name, names in found.items() if name not in twice}, packages)


_NAMED = r"[pP](?i:ass(?:w|phrase|code)|wd|sw[0-9_]*\b|w[0-9_]*\b|(?<=[a-z0-9_]p)ass[0-9_]*\b)"
"""A name of a password. Begins with a letter for itself, which takes a tenth of the time to look for."""


@trait("functions that take passwords", _NAMED)
def _taking_passwords(outline: Outline) -> list[list[str]]:
    """Each such function with the names of its parameters."""
    functions: list[list[str]] = []
    for function in outline.module.functions:
        names = [each.name for each in function.parameters if each.kind == "positional"]
        names = names[1:] if names[:1] in (["self"], ["cls"]) else names
        takes_password = any(secret_kind(each) is Kind.PASSWORD for each in names)
        # `super().__init__` may be any class's, and `name.encode("utf-8")` has nothing to do with a hasher's `encode`
        if takes_password and not function.name.startswith("__") and function.name not in _EVERYDAY:
            functions.append([function.name, *names])
    return functions

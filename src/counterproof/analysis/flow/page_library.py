"""The project's templates for the engine: found by name, with their escaping setting.

Invariant: the number of pages run is bounded; in doubt an environment escapes. Not handled here: running pages, and settings
inside a template.
"""

from collections.abc import Iterable, Iterator
from functools import cached_property

from counterproof.analysis.flow.values import UNSET, Value
from counterproof.analysis.libraries import names
from counterproof.analysis.program.modules import nearness
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import dotted, walk
from counterproof.analysis.templates.dialects import Dialect
from counterproof.analysis.templates.files import TemplateFiles
from counterproof.analysis.templates.nodes import Template

_PAGES = (".html", ".htm", ".xml", ".xhtml", ".svg")
_UNESCAPED = (".jinja", ".jinja2", ".j2", ".tpl", ".tmpl", ".tmp", ".template", ".phtml", ".inc")
_SWITCH = "autoescape"
_OWN = (*names("template", "environment"), "jinja2.Template")


_SETTINGS = "django.conf.settings"


class Escaping:
    """Escaping settings anywhere in the code, by file."""

    def __init__(self, files: TemplateFiles, modules: Iterable[ir.Module]) -> None:
        self._files = files
        self._modules = tuple(modules)

    def of_framework(self, framework: str, template: Template, asker: str) -> bool:
        """Whether a web framework's own environment escapes: its default, unless the code sets it."""
        found = [(path, on) for path, on, callee in self._found if _concerns(framework, callee)]
        if found:
            near = max(nearness(path, asker) for path, _ in found)
            return all(on for path, on in found if nearness(path, asker) == near)
        if framework == "flask" and not template.path.endswith(_PAGES):
            return not (template.path.endswith(_UNESCAPED) and template.markup)
        return True

    @cached_property
    def _found(self) -> list[tuple[str, bool, str]]:
        """File, setting, and the call that receives it, if any."""
        return [
            (module.path, on, callee or (_SETTINGS if _is_settings(module) else ""))
            for module in self._modules
            if self._files.mentions(module.path, _SWITCH)
            for on, callee in _switches(module)
        ]


def of_environment(environment: Value | None, template: Template) -> bool:
    """Whether an environment that the code creates escapes: off, unless it says otherwise."""
    given = (environment.fields or {}).get(_SWITCH) if environment else None
    if environment is None or given is None:
        return environment is None or not template.markup
    if given.const is not UNSET:
        return bool(given.const)
    return True


def _concerns(framework: str, callee: str) -> bool:
    """Django's own engine is configured by its settings and its own calls; all others create separate environments."""
    return framework != "django" or callee.startswith("django.")


def _is_settings(module: ir.Module) -> bool:
    targets = [target for each in module.body if isinstance(each, ir.Assign) for target in each.targets]
    return any(isinstance(target, ir.Name) and target.id == "TEMPLATES" for target in targets)


def _switches(module: ir.Module) -> Iterator[tuple[bool, str]]:
    """Only True or False is a setting: `None` appears in option tables and signatures."""
    callees: dict[int, str] = {}
    for node in walk(*module.body):
        if isinstance(node, ir.Call):
            name = dotted(node.callee, module) or "?"
            callees.update((id(each), name) for each in node.arguments)
        callee = callees.get(id(node), "")
        value = _switched(node) if callee not in _OWN else None
        if isinstance(value, ir.Const) and isinstance(value.value, bool):
            yield value.value, callee


def _switched(node: ir.Node) -> ir.Expr | None:
    """The value assigned to `autoescape`, in any notation."""
    if isinstance(node, ir.Argument):
        return node.value if node.keyword == _SWITCH else None
    if isinstance(node, ir.Mapping):
        return next((value for key, value in node.entries if isinstance(key, ir.Const) and key.value == _SWITCH), None)
    if isinstance(node, ir.Assign) and len(node.targets) == 1:
        target = node.targets[0]
        if isinstance(target, ir.Attribute) and target.name == _SWITCH:
            return node.value
        if isinstance(target, ir.Index) and isinstance(target.key, ir.Const) and target.key.value == _SWITCH:
            return node.value
    return None


MAX_PAGES = 20_000
"""Limit on the pages run in one examination."""


class Library:
    """All templates, with their escaping settings from the code."""

    def __init__(self, files: TemplateFiles, modules: Iterable[ir.Module]) -> None:
        self.files = files
        self._escaping = Escaping(files, modules)
        self._left = MAX_PAGES

    def more(self) -> bool:
        self._left -= 1
        return self._left > 0

    def find(self, name: str, asker: str, dialect: Dialect) -> Template | None:
        return self.files.find(name, asker, dialect)

    def escapes(self, framework: str, template: Template, asker: str, *, text: bool) -> bool:
        """Return True if a framework escapes this template's output; template strings in the code count as pages."""
        if text:
            return True
        return self._escaping.of_framework(framework, template, asker)

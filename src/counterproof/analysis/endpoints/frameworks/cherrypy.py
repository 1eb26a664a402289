"""CherryPy: exposed methods and functions, and the verb methods of exposed classes.

Tools that require a login are guards; a configuration that enables such a tool elsewhere leaves the guard unknown.
"""

from collections.abc import Iterator

from counterproof.analysis.endpoints.convention import VERBS, Convention, entry
from counterproof.analysis.endpoints.decorators import sounds_like_guard, wrapper_verdict
from counterproof.analysis.endpoints.denial import checks_in
from counterproof.analysis.endpoints.routed import handled
from counterproof.analysis.endpoints.verdict import OPEN, Verdict, present, strongest, unknown
from counterproof.analysis.program.codebase import Codebase
from counterproof.analysis.program.mentioned import importing
from counterproof.analysis.program.outline import Outline
from counterproof.analysis.program.traits import having, trait
from counterproof.analysis.program.traversal import keyword, text_of
from counterproof.analysis.program.words import words
from counterproof.analysis.syntax.ir import Assign, Attribute, Call, Class, Const, Decorator, Function, Mapping, Name
from counterproof.model.recon import EntryKind, EntryPoint

_EXPOSE = "cherrypy.expose"
_TOOLS = "cherrypy.tools."


class _Application:
    def __init__(self, codebase: Codebase) -> None:
        self.codebase = codebase
        self.elsewhere = self._configured()

    def entries(self) -> Iterator[EntryPoint]:
        for outline in importing(self.codebase, "cherrypy"):
            marked = _marked(outline)
            whole = {each.qualified for each in outline.module.classes if _is_exposed(outline, each) or each.qualified in marked}
            for function in outline.module.functions:
                verb = function.name.lower() if function.owner in whole and function.name.isupper() else ""
                if verb in VERBS or _is_exposed(outline, function) or function.qualified in marked:
                    yield self._entry(outline, function, verb.upper() if verb in VERBS else "ANY")

    def _entry(self, outline: Outline, function: Function, method: str) -> EntryPoint:
        path = {"index": "/", "default": "/*"}.get(function.name, f"/{function.name}")
        owner = outline.classes.get(function.owner)
        decorators = (*function.decorators, *(owner.decorators if owner else ()))
        verdicts = [self._decorator(outline, each) for each in decorators]
        verdict = strongest((*verdicts, checks_in(self.codebase, outline, function), self.elsewhere))
        return entry(EntryKind.HTTP, method, path, handled(outline, function), "CherryPy", verdict)

    def _decorator(self, outline: Outline, decorator: Decorator) -> Verdict:
        value = decorator.value
        dotted = self.codebase.name(outline, value.callee if isinstance(value, Call) else value)
        if dotted.startswith(_TOOLS):
            off = isinstance(value, Call) and isinstance(on := keyword(value, "on"), Const) and on.value is False
            asks = sounds_like_guard(dotted.removeprefix(_TOOLS)) and not off
            return present(outline.path, decorator.line, dotted, f"@{dotted}") if asks else OPEN
        return OPEN if dotted.startswith("cherrypy.") else wrapper_verdict(self.codebase, outline, value, decorator.line)

    def _configured(self) -> Verdict:
        """The verdict of a setting such as `"tools.auth_basic.on": True`, which guards handlers that it does not name."""
        for outline in having(self.codebase, _switches_tools):
            for site in outline.of(Mapping):
                for key, value in site.node.entries:
                    name = text_of(key) or ""
                    on = isinstance(value, Const) and value.value is True
                    if on and _is_switch(name) and "auth" in " ".join(words(name)):
                        return unknown(outline.path, value.line, f"{name} is switched on for some handlers")
        return OPEN


@trait("tools of CherryPy", r"tools\.")
def _switches_tools(outline: Outline) -> bool:
    return any(_is_switch(text_of(key) or "") for site in outline.of(Mapping) for key, _ in site.node.entries)


def _is_switch(name: str) -> bool:
    return name.startswith("tools.") and name.endswith(".on")


def _is_exposed(outline: Outline, node: Function | Class) -> bool:
    values = [each.value.callee if isinstance(each.value, Call) else each.value for each in node.decorators]
    return any(outline.dotted(each) == _EXPOSE for each in values)


def _marked(outline: Outline) -> frozenset[str]:
    """`name.exposed = True` after a method, `exposed = True` in a class."""
    found: set[str] = set()
    for site in outline.of(Assign):
        if site.owner is None or site.function is not None or not (isinstance(site.node.value, Const) and site.node.value.value):
            continue
        for target in site.node.targets:
            if isinstance(target, Attribute) and target.name == "exposed" and isinstance(target.value, Name):
                found.add(f"{site.owner.qualified}.{target.value.id}")
            elif isinstance(target, Name) and target.id == "exposed":
                found.add(site.owner.qualified)
    return frozenset(found)


def _find(codebase: Codebase) -> Iterator[EntryPoint]:
    return _Application(codebase).entries()


CONVENTION = Convention("CherryPy", ("cherrypy",), ("cherrypy",), _find)

"""Where the outside comes in: parameters that entry points fill, and the callers of functions that nobody outside calls.

Always holds: a parameter whose route or annotation allows only numbers is marked so; a function that nothing calls leaves the
way open. Does not belong here: request objects, which names tell.
"""

import re
from dataclasses import replace

from counterproof.analysis.backward.calls import Calls
from counterproof.analysis.backward.derivation import Defence, OriginKind
from counterproof.analysis.backward.items import Item, Walk
from counterproof.analysis.endpoints.entered_program import EnteredProgram
from counterproof.analysis.flow.sources import is_request_name
from counterproof.analysis.libraries import names
from counterproof.analysis.program.aliases import spelled_out
from counterproof.analysis.program.file import File
from counterproof.analysis.program.words import vocabulary
from counterproof.analysis.syntax.ir import Attribute, Call, Expr, Function, Name, Node, Parameter
from counterproof.analysis.syntax.walk import walk
from counterproof.model.flow import Break
from counterproof.model.location import at
from counterproof.model.recon import EntryKind, EntryPoint

_NUMBERS = vocabulary("int float bool UUID UUID4 Decimal date datetime time PositiveInt NonNegativeInt")
_SERVICES = vocabulary(
    "Request Response Session AsyncSession BackgroundTasks WebSocket HTTPConnection Connection Cursor Logger HttpRequest "
    "Settings Config Depends Security Provide inject"
)
_BY_ROUTE = names("framework", "converts-by-route")
_TYPED = re.compile(
    r"<(?:int|float|\w{0,20}uuid\w{0,20}|number):\s{0,4}(\w{1,80})|\{(\w{1,80}):(?:int|float|uuid)\}"
    r"|\?P<(\w{1,80})>(?-i:\\d|\[0-9\])[+*?{}\d,]{0,9}\)",
    re.IGNORECASE,
)
_QUIET = (EntryKind.SCHEDULED, EntryKind.MAIN, EntryKind.LOADER)


class Parameters:
    """Answers for one program."""

    def __init__(self, program: EnteredProgram) -> None:
        self._program = program

    def upwards(self, slicer: Walk, calls: Calls, item: Item, function: Function, parameter: Parameter, limit: int) -> None:
        """From a parameter to whoever fills it: the outside, or every caller."""
        entries = [each for each in self._program.entries(item.ground, function) if each.kind not in _QUIET]
        if entries and self._filled(item.ground, function, parameter):
            self._from_outside(slicer, item, entries[0], parameter, entries)
            return
        callers = self._program.callers(function)
        if item.upward >= limit:
            slicer.end(item, OriginKind.UNKNOWN, f"callers of {function.name} were not followed further", Break.DEPTH_LIMIT)
            return
        for site, callee in reversed(callers):
            calls.argument(slicer, replace(item, frame=None), site, callee, parameter, None, 1)
        if callers:
            return
        if function.owner and function.parameters and function.parameters[0] is parameter:
            slicer.end(item, OriginKind.INTERNAL, "the object itself")
        elif entries or self._injected(parameter):
            slicer.end(item, OriginKind.INTERNAL, f"{parameter.name}, which the framework supplies")
        elif is_request_name(parameter.name):
            slicer.end(item, OriginKind.INTERNAL, "a request object")
        elif parameter.default is not None and not function.decorators:
            slicer.push(replace(item, expr=parameter.default, anchor=parameter.default))
        else:
            slicer.end(item, OriginKind.UNKNOWN, f"nothing in the project calls {function.name}", Break.CALLBACK)

    def _filled(self, ground: File, function: Function, parameter: Parameter) -> bool:
        """Whether a sender fills in this parameter of a handler."""
        own = bool(function.owner) and bool(function.parameters) and function.parameters[0] is parameter
        if own or is_request_name(parameter.name) or parameter.name in ("self", "cls"):
            return False
        if isinstance(parameter.default, Call) and _types(parameter.default.callee) & _SERVICES:
            return False
        return not _types(spelled_out(self._program.codebase, ground, parameter.annotation)[1]) & _SERVICES

    def _injected(self, parameter: Parameter) -> bool:
        return bool(_types(parameter.annotation) & _SERVICES) or (
            isinstance(parameter.default, Call) and bool(_types(parameter.default.callee) & _SERVICES)
        )

    def _from_outside(self, slicer: Walk, item: Item, entry: EntryPoint, parameter: Parameter, entries: list[EntryPoint]) -> None:
        name = parameter.name
        typed = {found for each in entries for groups in _TYPED.findall(each.path) for found in groups if found}
        place = at(item.ground.path, parameter.line)
        as_written = any(each.framework in _BY_ROUTE and f"<{name}>" in each.path for each in entries)
        if name in typed or (_types(parameter.annotation) & _NUMBERS and not as_written):
            item = replace(item, defences=(*item.defences, Defence("numeric", place, f"the route takes {name} as a number")))
        route = f"{entry.method} {entry.path}".strip() or entry.name
        item = replace(item, expr=Name(parameter.line, parameter.line, name))
        if entry.kind is EntryKind.CLI:
            slicer.end(item, OriginKind.LOCAL, f"the command line fills in {name}", channel="argv", parameter=name)
        else:
            channel = "path" if entry.kind is EntryKind.HTTP else "message"
            slicer.end(item, OriginKind.ENTRY, f"the sender of {route} chooses {name}", channel=channel, parameter=name)

    def fixed_path(self, ground: File, node: Node) -> bool:
        """Whether all routes of the handler around a node are plain text, so that nobody chooses the path."""
        function = ground.function(node)
        entries = self._program.entries(ground, function) if function else ()
        paths = [each.path for each in entries if each.kind is EntryKind.HTTP]
        return bool(paths) and not any(set(path) & set("<{*(:^$\\") for path in paths)


def _types(annotation: Expr | None) -> frozenset[str]:
    if annotation is None:
        return frozenset()
    names = [each.id if isinstance(each, Name) else each.name for each in walk(annotation) if isinstance(each, Name | Attribute)]
    return frozenset(names[:24])

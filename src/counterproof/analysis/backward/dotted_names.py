"""What an expression is, as a dotted name: `connection()` may be "sqlite3.connect()", `r.args` "web request.args".

Calls get "()" after their name; request objects of all frameworks are "web request". Always holds: bounded depth, and ''
where the code does not tell. Does not belong here: where values come from.
"""

from counterproof.analysis.endpoints.entered_program import EnteredProgram
from counterproof.analysis.flow.sources import REQUEST, canonical, field_channel, is_request_name, is_view_class, serves_web
from counterproof.analysis.libraries import public_name
from counterproof.analysis.program.file import File
from counterproof.analysis.program.outline import Outline
from counterproof.analysis.program.program import passed
from counterproof.analysis.program.reaching_definitions import reaching
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import walk

MAX_DEPTH = 12
"""Names, calls and returns looked through for one answer."""

MAX_CALLERS = 6


class Naming:
    """Answers are kept, so that a module's connection is looked up once."""

    def __init__(self, program: EnteredProgram) -> None:
        self._program = program
        self._known: dict[int, str] = {}

    def of(self, ground: File, expr: ir.Expr, depth: int = 0) -> str:
        """The dotted name, '' where the code does not tell."""
        if depth > MAX_DEPTH:
            return ""
        if id(expr) not in self._known:
            self._known[id(expr)] = ""  # what refers to itself stays unknown
            self._known[id(expr)] = canonical(self._find(ground, expr, depth + 1))
        return self._known[id(expr)]

    def _find(self, ground: File, expr: ir.Expr, depth: int) -> str:
        match expr:
            case ir.Name():
                return self._name(ground, expr, depth)
            case ir.Attribute(value=value, name=name):
                return self._attribute(ground, value, name, depth)
            case ir.Call():
                return self._call(ground, expr, depth)
            case ir.Await(value=value) | ir.Index(value=value):
                return self.of(ground, value, depth)
            case ir.Binary(operator="/", operands=(first, *_)):
                return self.of(ground, first, depth)
            case _:
                return ""

    def _name(self, ground: File, expr: ir.Name, depth: int) -> str:
        found = reaching(ground, expr, expr.id)
        if len(found) > 1:
            made = [
                each for each in found if each.stored is None and each.kind == "value" and not isinstance(each.value, ir.Const)
            ]
            found = tuple(made[:1]) if made else found[-1:]
        if not found:
            return ""
        last = found[0]
        if last.kind == "value":
            return self.of(ground, last.value, depth) if last.value is not None and not last.access else ""
        if last.kind == "parameter" and isinstance(last.at, ir.Parameter):
            return self._parameter(ground, last.at, depth)
        return self._outer(ground, expr.id, depth) if last.kind == "outer" else ""

    def _outer(self, outline: Outline, name: str, depth: int) -> str:
        imported = outline.module.imports.get(name)
        if imported is not None:
            found = self._program.codebase.define(imported, outline.path)
            if found is None:
                return public_name(imported)
            if isinstance(found.node, ir.Function | ir.Class):
                return imported
            return self.of(self._program.file(found.path), found.node, depth) or imported
        assigned = outline.top_level.get(name)
        if assigned is not None and assigned.value is not None:
            return self.of(self._program.file(outline.path), assigned.value, depth)
        return name

    def _parameter(self, ground: File, parameter: ir.Parameter, depth: int) -> str:
        function = ground.parent(parameter)
        if isinstance(function, ir.Function) and function.owner and function.parameters and function.parameters[0] is parameter:
            return self._self(ground, function)
        if parameter.annotation is not None:
            dotted = ground.dotted(parameter.annotation)
            own = self._program.codebase.meaning(ground, parameter.annotation)
            if own and any(canonical(f"{base}()") == REQUEST for base in self._program.codebase.ancestry(own).foreign):
                return REQUEST
            if "." in dotted:
                return f"{dotted}()"
            if dotted and not dotted.endswith("Request"):
                return ""
        if is_request_name(parameter.name) and self._handles_requests(ground, function):
            return REQUEST
        return self._as_passed(ground, parameter, function, depth)

    def _as_passed(self, ground: File, parameter: ir.Parameter, function: object, depth: int) -> str:
        """What every caller passes, where they agree."""
        if not isinstance(function, ir.Function) or self._program.entries(ground, function):
            return ""
        names: set[str] = set()
        for site, callee in self._program.callers(function)[:MAX_CALLERS]:
            for argument in passed(site.call, callee, parameter):
                names.add("" if argument.spread else self.of(site.ground, argument.value, depth))
        return names.pop() if len(names) == 1 else ""

    def _handles_requests(self, ground: File, function: object) -> bool:
        entries = self._program.entries(ground, function) if isinstance(function, ir.Function) else ()
        return bool(entries) or serves_web(ground.module)

    def _self(self, ground: File, function: ir.Function) -> str:
        """`self`: an object of the first base outside the project."""
        owner = ground.owner(function)
        foreign = self._foreign(ground, owner) if owner else ()
        return f"{foreign[0]}()" if foreign else ""

    def _foreign(self, ground: File, owner: ir.Class) -> tuple[str, ...]:
        found = self._program.codebase.member(ground, owner.qualified.split("."))
        return self._program.codebase.ancestry(found).foreign if found else ()

    def _attribute(self, ground: File, value: ir.Expr, name: str, depth: int) -> str:
        base = self.of(ground, value, depth)
        if name == "request" and isinstance(value, ir.Name) and value.id == "self":
            function = ground.function(value)
            owner = ground.owner(function) if function else None
            if owner and (is_view_class((*self._foreign(ground, owner), owner.name)) or self._is_given(ground, owner)):
                return REQUEST
        return self._form_field(ground, value, name) or (f"{base}.{name}" if base else "")

    def _form_field(self, ground: File, value: ir.Expr, name: str) -> str:
        """A field of a form that a class of the project declares: `wtforms.StringField()`; '' for everything else."""
        made = _maker(ground, value)
        found = self._program.codebase.meaning(ground, made.callee) if isinstance(made, ir.Call) else None
        if found is None or not isinstance(found.node, ir.Class):
            return ""
        foreign = self._program.codebase.ancestry(found).foreign
        form = next((each for each in foreign if field_channel(f"{each}().data")), "")
        declared = found.outline.attributes(found.node).get(name) if form else None
        if isinstance(declared, ir.Call):
            return f"{found.outline.dotted(declared.callee)}()"
        return f"{form}().{name}" if form else ""

    def _is_given(self, ground: File, owner: ir.Class) -> bool:
        """Whether a class is made with a request by a framework, as Pyramid's views are."""
        constructor = ground.methods(owner).get("__init__")
        given = constructor is not None and any(is_request_name(each.name) for each in constructor.parameters)
        return given and serves_web(ground.module)

    def _call(self, ground: File, call: ir.Call, depth: int) -> str:
        callees = self._program.callees(ground, call)
        if callees and not isinstance(self._made(ground, call), ir.Class):
            return self._returned(callees[0].ground, callees[0].function, depth)
        if isinstance(call.callee, ir.Name) and call.callee.id == "getattr" and len(call.arguments) >= 2:
            base = self.of(ground, call.arguments[0].value, depth)
            key = call.arguments[1].value
            return f"{base}.{key.value}" if base and isinstance(key, ir.Const) else base
        base = self.of(ground, call.callee, depth)
        return f"{base}()" if base else ""

    def _made(self, ground: File, call: ir.Call) -> object:
        found = self._program.codebase.meaning(ground, call.callee)
        return found.node if found else None

    def _returned(self, ground: File, function: ir.Function, depth: int) -> str:
        values = [each.value for each in walk(*function.body) if isinstance(each, ir.Return) and each.value is not None]
        for value in values[:4]:
            if ground.function(value) is function:
                name = self.of(ground, value, depth)
                if name:
                    return name
        return ""


def _maker(ground: File, value: ir.Expr) -> ir.Expr | None:
    """The expression that made what a name stands for, or an entry of a mapping that a name stands for."""
    if isinstance(value, ir.Index) and isinstance(value.value, ir.Name) and isinstance(value.key, ir.Const):
        held = _maker(ground, value.value)
        entries = held.entries if isinstance(held, ir.Mapping) else ()
        return next((each for key, each in entries if isinstance(key, ir.Const) and key.value == value.key.value), value)
    defined = [each for each in reaching(ground, value, value.id) if each.stored is None] if isinstance(value, ir.Name) else []
    return defined[-1].value if defined and defined[-1].kind == "value" else value

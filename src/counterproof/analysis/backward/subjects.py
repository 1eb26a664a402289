"""Whether an expression speaks of a variable, and as what: itself, its resolved path, its host, its file extension.

Always holds: one look at the expression and the assignments right before it; in doubt it does not speak of the variable. Does
not belong here: tests.
"""

from counterproof.analysis.backward.dotted_names import Naming
from counterproof.analysis.endpoints.entered_program import EnteredProgram
from counterproof.analysis.libraries import names
from counterproof.analysis.program.file import File
from counterproof.analysis.program.reaching_definitions import reaching
from counterproof.analysis.program.traversal import text_of
from counterproof.analysis.syntax.ir import Attribute, Call, Const, Expr, Index, Name, Sequence
from counterproof.analysis.syntax.walk import walk

SAME = "same"
RESOLVED = "resolved"
HOST = "host"
EXTENSION = "extension"
INSIDE = "inside"
"""A common path of the variable and a folder."""

MAX_DEPTH = 5
_TRIMMING = ("lower", "upper", "strip", "casefold", "lstrip", "rstrip", "encode", "decode")
_RESOLVING = names("code", "path-normalisation")
_SPLITTING = names("code", "url-parsing")
_HOSTS = ("netloc", "hostname", "host")


class Subjects:
    """Answers for one program."""

    def __init__(self, program: EnteredProgram) -> None:
        self._program = program
        self.naming = Naming(program)

    def relation(self, ground: File, expr: Expr, name: str, depth: int = 0) -> str:
        """How `expr` speaks of the variable `name`; '' if it does not."""
        if depth > MAX_DEPTH:
            return ""
        match expr:
            case Name(id=found):
                return self._name(ground, expr, found, name, depth)
            case Attribute(value=value, name=attribute):
                return self._attribute(ground, value, attribute, name, depth)
            case Index(value=value):
                return self._part(ground, value, name, depth)
            case Call():
                return self._call(ground, expr, name, depth)
            case _:
                return ""

    def _name(self, ground: File, expr: Name, found: str, name: str, depth: int) -> str:
        definitions = [each for each in reaching(ground, expr, found) if each.stored is None]
        value = definitions[0].value if len(definitions) == 1 and definitions[0].kind == "value" else None
        if found == name:
            return RESOLVED if value is not None and self._resolves(ground, value) else SAME
        if value is None or len(definitions) != 1:
            return ""
        if definitions[0].access:
            return self._part(ground, value, name, depth) if isinstance(value, Call) else ""
        return self.relation(ground, value, name, depth + 1)

    def _resolves(self, ground: File, value: Expr) -> bool:
        if not isinstance(value, Call):
            return False
        if ground.dotted(value.callee) in _RESOLVING:
            return True
        if isinstance(value.callee, Attribute) and value.callee.name in ("resolve", "absolute"):
            return True
        return (
            isinstance(value.callee, Name)
            and value.callee.id in ("str", "Path")
            and bool(value.arguments)
            and (self._resolves(ground, value.arguments[0].value))
        )

    def _attribute(self, ground: File, value: Expr, attribute: str, name: str, depth: int) -> str:
        if attribute in _HOSTS:
            made = self._made_by(ground, value)
            if made is not None and ground.dotted(made.callee) in _SPLITTING and made.arguments:
                inner = self.relation(ground, made.arguments[0].value, name, depth + 1)
                return HOST if inner == SAME else ""
        if attribute in ("suffix", "suffixes"):
            return EXTENSION if self.relation(ground, value, name, depth + 1) else ""
        if attribute in ("parents", "parent"):
            return self.relation(ground, value, name, depth + 1)
        return ""

    def _made_by(self, ground: File, expr: Expr) -> Call | None:
        if isinstance(expr, Name):
            found = reaching(ground, expr, expr.id)
            value = found[0].value if len(found) == 1 else None
            return value if isinstance(value, Call) else None
        return expr if isinstance(expr, Call) else None

    def _part(self, ground: File, value: Expr, name: str, depth: int) -> str:
        """`os.path.splitext(x)[1]`, `x.rsplit(".", 1)[1]`."""
        if not isinstance(value, Call):
            return ""
        if ground.dotted(value.callee) == "os.path.splitext" and value.arguments:
            return EXTENSION if self.relation(ground, value.arguments[0].value, name, depth + 1) else ""
        if isinstance(value.callee, Attribute) and value.callee.name in ("rsplit", "rpartition", "split", "partition"):
            dotted = any(text_of(each.value) == "." for each in value.arguments)
            return EXTENSION if dotted and self.relation(ground, value.callee.value, name, depth + 1) else ""
        return ""

    def _call(self, ground: File, call: Call, name: str, depth: int) -> str:
        callee = call.callee
        dotted = ground.dotted(callee)
        if isinstance(callee, Attribute) and callee.name in _TRIMMING:
            return self.relation(ground, callee.value, name, depth + 1)
        if isinstance(callee, Attribute) and callee.name in ("resolve", "absolute"):
            return RESOLVED if self.relation(ground, callee.value, name, depth + 1) else ""
        if dotted in ("str", "pathlib.Path") and len(call.arguments) == 1:
            return self.relation(ground, call.arguments[0].value, name, depth + 1)
        if dotted in _RESOLVING and call.arguments:
            return RESOLVED if self.relation(ground, call.arguments[0].value, name, depth + 1) else ""
        if dotted in ("os.path.commonpath", "os.path.commonprefix") and call.arguments:
            return self._common(ground, call.arguments[0].value, name, depth)
        return ""

    def _common(self, ground: File, given: Expr, name: str, depth: int) -> str:
        items = given.items if isinstance(given, Sequence) else ()
        resolved = any(self.relation(ground, each, name, depth + 1) == RESOLVED for each in items)
        return INSIDE if resolved else ""

    def is_constant(self, ground: File, expr: Expr) -> bool:
        """A name in capitals, or a setting."""
        names = [each for each in walk(expr) if isinstance(each, Name)]
        return bool(names) and all(each.id.isupper() or "config" in self.naming.of(ground, each).lower() for each in names)

    def text(self, ground: File, expr: Expr) -> str | None:
        """The text of a literal or of a constant of the module."""
        direct = text_of(expr)
        if direct is not None or not isinstance(expr, Name | Attribute):
            return direct
        found = self._program.codebase.meaning(ground, expr, ground.function(expr))
        return text_of(found.node) if found and isinstance(found.node, Const) else None

    def compiled(self, ground: File, expr: Expr) -> str | None:
        """The pattern of `re.compile("…")`, looked up through a name."""
        made: Expr | None = expr
        home = ground
        if isinstance(expr, Name | Attribute):
            found = self._program.codebase.meaning(ground, expr, ground.function(expr))
            made = found.node if found and isinstance(found.node, Call) else None
            home = self._program.file(found.path) if found else ground
        if isinstance(made, Call) and home.dotted(made.callee) == "re.compile" and made.arguments:
            return self.text(home, made.arguments[0].value)
        return None

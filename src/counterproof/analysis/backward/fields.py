"""What a class keeps in its fields, as far as its constructor says: `self.orders = Orders()`, or a parameter with a default.

Always holds: one class per field, and only where the constructor assigns it once. Does not belong here: values of fields.
"""

from counterproof.analysis.outline.codebase import Codebase, Definition
from counterproof.analysis.outline.outline import Outline
from counterproof.analysis.syntax.ir import Assign, Attribute, Call, Class, Expr, Function, Name
from counterproof.analysis.syntax.walk import walk


def kept_class(codebase: Codebase, owner: Definition, field: str) -> Definition | None:
    """The project's class of which a field holds an object."""
    found = codebase.method(owner, "__init__")
    if found is None:
        return None
    outline, constructor = found
    values = [each.value for each in walk(*constructor.body) if isinstance(each, Assign) and _sets(each, constructor, field)]
    value = values[0] if len(values) == 1 else None
    return _made_of(codebase, outline, constructor, value) if value is not None else None


def _sets(node: Assign, constructor: Function, field: str) -> bool:
    own = constructor.parameters[0].name if constructor.parameters else ""
    target = node.targets[0]
    return isinstance(target, Attribute) and target.name == field and isinstance(target.value, Name) and target.value.id == own


def _made_of(codebase: Codebase, outline: Outline, constructor: Function, value: Expr) -> Definition | None:
    parameter = next((each for each in constructor.parameters if isinstance(value, Name) and each.name == value.id), None)
    if parameter is not None:
        if parameter.annotation is not None and (found := _class(codebase, outline, parameter.annotation)):
            return found
        if parameter.default is None:
            return None
        value = parameter.default
    made = Definition(outline, value) if isinstance(value, Call) else codebase.meaning(outline, value)
    return _class(codebase, made.outline, made.node.callee) if made and isinstance(made.node, Call) else None


def _class(codebase: Codebase, outline: Outline, expr: Expr) -> Definition | None:
    found = codebase.meaning(outline, expr) if isinstance(expr, Name | Attribute) else None
    return found if found and isinstance(found.node, Class) else None

"""Amounts from the request used without checking their sign or size.

## What it finds
A quantity, price or sum from the request that is added to a cart, a stock or a balance without any bound. In FastAPI also one
that the model of the body declares as a bare number and that is calculated with.

## Why it matters
A negative or huge number turns a price or a balance to the sender's favour.

## What is safe
A comparison with the smallest and largest sensible value, a clamp, or a schema with bounds; prices from the shop's own data.

## Limits
Bounds that the database enforces are not seen.
"""

from collections.abc import Iterator
from itertools import chain

from counterproof.analysis.control.amounts import AMOUNTS, unchecked_amounts
from counterproof.analysis.control.effects import closure
from counterproof.analysis.control.matrix import role_of
from counterproof.analysis.control.messages import UNCHECKED_AMOUNT, finding
from counterproof.analysis.control.operations import Operation
from counterproof.analysis.endpoints.entered_program import EnteredProgram
from counterproof.analysis.program.codebase import Definition
from counterproof.analysis.program.file import File
from counterproof.analysis.program.traversal import text_of
from counterproof.analysis.program.words import vocabulary, words, words_in
from counterproof.analysis.project import Quotes
from counterproof.analysis.ruleset import Confidence, ControlRule, Severity
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import last_name, walk
from counterproof.model.finding import Finding
from counterproof.model.location import at
from counterproof.model.recon import Guard

_BARE = vocabulary("int float decimal optional none union")
_MODELS = ("BaseModel",)
_BOUNDING = vocabulary("min max abs clamp validate check range bounded")
MAX_FUNCTIONS = 6


def unchecked_fields(quotes: Quotes, program: EnteredProgram, operations: tuple[Operation, ...]) -> Iterator[Finding]:
    """`price * body.quantity` in a handler, or in what it hands the body to; the first of each function.

    Always holds: the field is a bare number of a pydantic model, without bounds in its type, its `Field` or a validator; the
    function calculates with it and compares it with nothing.
    """
    seen: set[int] = set()
    for operation in operations:
        if operation.entry.framework != "FastAPI" or role_of(program, operation.entry) is Guard.PRESENT:
            continue
        functions = closure(program, operation.ground, operation.function)[0][:MAX_FUNCTIONS]
        checked = [function for _, function in functions]
        for ground, function in functions:
            if id(function) in seen:
                continue
            seen.add(id(function))
            found = next(_calculated(program, ground, function, checked), None)
            if found is not None:
                why = f"The request's body decides about {found.name}, and neither its model nor a comparison bounds it."
                place = at(ground.path, found.line)
                yield finding(quotes, UNCHECKED_AMOUNT, place, operation.entry, why, function.qualified, Confidence.MEDIUM)


def _calculated(
    program: EnteredProgram, ground: File, function: ir.Function, around: list[ir.Function]
) -> Iterator[ir.Attribute]:
    """Bare amounts of a body that a function calculates with, and that no function around it compares."""
    bodies = {each.name: each.annotation for each in function.parameters if each.annotation is not None}
    for node in walk(*function.body):
        for each in _operands(node):
            holder = each.value if isinstance(each, ir.Attribute) else None
            if not isinstance(each, ir.Attribute) or not isinstance(holder, ir.Name) or not set(words(each.name)) & AMOUNTS:
                continue
            kind = bodies.get(holder.id)
            if kind is not None and _is_bare(program, ground, kind, each.name) and not _is_compared(around, each.name):
                yield each


def _operands(node: ir.Node) -> tuple[ir.Expr, ...]:
    if isinstance(node, ir.Concat):
        return node.parts
    if isinstance(node, ir.Binary):
        return node.operands if node.operator != "%" else ()
    return (node.value,) if isinstance(node, ir.Augment) and node.operator in ("+", "-", "*") else ()


def _is_bare(program: EnteredProgram, ground: File, kind: ir.Expr, name: str) -> bool:
    """Whether a model of the project declares a field as a number and says nothing more about it."""
    found = program.codebase.meaning(ground, kind) if isinstance(kind, ir.Name | ir.Attribute) else None
    if found is None or not isinstance(found.node, ir.Class):
        return False
    ancestry = program.codebase.ancestry(found)
    if not any(each.rpartition(".")[2] in _MODELS for each in ancestry.foreign):
        return False
    if any(_is_validated(each, name) for each in ancestry.own):
        return False
    field = next((part for each in ancestry.own if (part := _field(each, name)) is not None), None)
    if field is None or field.annotation is None or isinstance(field.value, ir.Call):
        return False
    return bool(words_in(field.annotation) & {"int", "float", "decimal"}) and words_in(field.annotation) <= _BARE


def _field(found: Definition, name: str) -> ir.Assign | None:
    parts = found.node.body if isinstance(found.node, ir.Class) else ()
    for part in parts:
        if isinstance(part, ir.Assign) and any(isinstance(target, ir.Name) and target.id == name for target in part.targets):
            return part
    return None


def _is_validated(found: Definition, name: str) -> bool:
    """`@field_validator("quantity")`, `@model_validator`, or a root validator, which sees every field."""
    if not isinstance(found.node, ir.Class):
        return False
    for method in found.outline.methods(found.node).values():
        for decorator in method.decorators:
            spoken = words_in(decorator)
            texts = {text_of(node) for node in walk(decorator.value)}
            if "validator" in spoken and (name in texts or spoken & {"root", "model"} or "*" in texts):
                return True
    return False


def _is_compared(functions: list[ir.Function], name: str) -> bool:
    """Whether any comparison, or any call that speaks of bounds, mentions a value of this name."""
    for node in walk(*(part for each in functions for part in each.body)):
        bounds = isinstance(node, ir.Compare) or (isinstance(node, ir.Call) and bool(words_in(node.callee) & _BOUNDING))
        if bounds and any(last_name(each) == name for each in walk(node)):
            return True
    return False


RULE = ControlRule(
    title="Amount not validated",
    kind="amount",
    cwe=840,
    severity=Severity.HIGH,
    consequence="A negative or huge amount shifts a price, stock or balance in the sender's favour.",
    remedy="Reject amounts outside a sensible range, and take prices from your own data.",
    check=lambda site: chain(
        unchecked_amounts(site.quotes, site.program, site.operations),
        unchecked_fields(site.quotes, site.program, site.operations),
    ),
)

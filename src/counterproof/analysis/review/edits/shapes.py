"""The declared interfaces of a file: its functions' parameters, and the members of its classes and interfaces.

Invariant: as written; inherited members are not looked up here. A destructured parameter has no name.
"""

from dataclasses import dataclass, field

from counterproof.analysis.review.edits.parts import Part, walk


@dataclass(frozen=True, slots=True)
class Parameter:
    """`kind` is 'plain', 'rest' (any number of values), 'named' (keyword only) or 'named rest'."""

    name: str
    required: bool
    kind: str = "plain"


@dataclass(frozen=True, slots=True)
class Member:
    """A field, a method or a value. `required`: it must be present or passed; `abstract`: subclasses implement it."""

    name: str
    line: int
    required: bool = True
    abstract: bool = False


@dataclass(slots=True)
class Shape:
    """`kind` is 'interface' or 'class'; `bases` are named as written, without implemented interfaces."""

    name: str
    kind: str
    line: int
    members: dict[str, Member] = field(default_factory=dict[str, Member])
    bases: tuple[str, ...] = ()
    abstract: bool = False


def parameters_of(function: Part, method: bool) -> tuple[Parameter, ...]:
    """The parameters of a function, without the instance."""
    given = function.role("parameters", "parameter")
    if given is None:
        return ()
    rows = given.parts if given.kind == "parameters" else (given,)
    found: list[Parameter] = []
    named = False
    for each in rows:
        if each.kind == "keyword_separator":
            named = True
        elif each.kind != "positional_separator":
            made = _parameter(each, named)
            named = named or made.kind == "rest"
            found.append(made)
    return tuple(found[1:] if method and found and found[0].name in ("self", "cls") else found)


def _parameter(part: Part, named: bool) -> Parameter:
    inner = part.role("pattern", "name", "left") or (part.parts[0] if part.parts and part.kind == "parameter" else part)
    if part.kind == "dictionary_splat_pattern":
        return Parameter("", False, "named rest")
    if "splat" in inner.kind or inner.kind == "rest_pattern" or part.kind == "list_splat_pattern":
        return Parameter("", False, "rest")
    optional = part.optional or part.role("value", "right") is not None
    return Parameter(inner.text if inner.kind == "name" else "", not optional, "named" if named else "plain")


def shapes(root: Part) -> dict[str, Shape]:
    """Every type of a file by name."""
    found: dict[str, Shape] = {}
    for part in walk(root):
        made = _class(part) if part.kind == "class" else _interface(part) if part.kind == "interface_declaration" else None
        if made is not None:
            found.setdefault(made.name, made)
    return found


def _interface(part: Part) -> Shape | None:
    name, body = part.role("name"), part.role("body")
    if name is None or body is None:
        return None
    made = Shape(name.text, "interface", part.line, bases=("?",) if " extends " in part.text else ())
    for each in body.parts:
        named = each.role("name") or (each if each.kind == "name" else None)
        if named is not None:
            optional = each.text.startswith(f"{named.text} ?")
            made.members[named.text.strip('"')] = Member(named.text.strip('"'), each.line, not optional)
    return made


def _class(part: Part) -> Shape | None:
    name, body = part.role("name"), part.role("body")
    if name is None or body is None:
        return None
    bases = _bases(part)
    made = Shape(name.text, "class", part.line, bases=bases, abstract="abstract class" in part.text)
    for each in body.parts:
        for member in _members(each):
            made.members.setdefault(member.name, member)
    made.abstract = made.abstract or any(each.abstract for each in made.members.values())
    return made


def _bases(part: Part) -> tuple[str, ...]:
    above = part.role("superclasses")
    if above is not None:
        return tuple(each.text for each in above.parts if each.kind != "keyword")
    clauses = [each for each in walk(part)[:12] if each.kind == "extends_clause"]
    return tuple(value.text for each in clauses if (value := each.role("value")) is not None)


def _members(part: Part) -> list[Member]:
    if part.kind == "decorated_definition":
        inner = part.role("definition")
        abstract = any("abstractmethod" in each.text for each in part.parts if each.kind == "decorator")
        named = inner.role("name") if inner is not None else None
        return [Member(named.text, part.line, abstract=abstract)] if named is not None else []
    if part.kind == "expr" and part.parts and part.parts[0].kind == "assign":
        target, value = part.parts[0].role("left"), part.parts[0].role("right")
        return [Member(target.text, part.line, value is None)] if target is not None and target.kind == "name" else []
    named = part.role("name", "property")
    if named is None:
        return []
    found = [Member(named.text, part.line, abstract=part.kind == "abstract_method_signature")]
    if part.kind == "function" and named.text == "constructor":
        found += [Member(each.name, part.line) for each in parameters_of(part, True) if each.name]
    return found

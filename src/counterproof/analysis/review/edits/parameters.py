"""The parameters of a function, in Python, JavaScript and TypeScript. A destructured parameter has no name."""

from dataclasses import dataclass

from counterproof.analysis.review.edits.parts import Part


@dataclass(frozen=True, slots=True)
class Parameter:
    """`kind` is 'plain', 'rest' (any number of values), 'named' (keyword only) or 'named rest'."""

    name: str
    required: bool
    kind: str = "plain"


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

"""The check of `javascript-unsafe-merge`."""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, script_outline
from counterproof.analysis.config.deep_keys import Scripted, Unit, is_careful
from counterproof.analysis.config.offered import is_loaded, is_packed
from counterproof.analysis.config.open_sinks import installed_outline
from counterproof.analysis.libraries import sinks
from counterproof.analysis.program.open_values import OpenValues
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.raw_values import PLAIN, RawValues
from counterproof.analysis.program.traversal import positional
from counterproof.analysis.program.words import vocabulary
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import Confidence, Language, Match, Severity
from counterproof.analysis.syntax.ir import Assign, Boolean, Call, Expr, Index, Name, Unary

_COUNTING = vocabulary("i j k n x y z row col column index idx position offset pos start end level depth count hash number num")
"""Name words of numeric keys."""
_SETTERS = frozenset(each.call for each in sinks("prototype", Language.JAVASCRIPT) if each.arguments == (1,))


def check(project: Project, path: str) -> Iterator[Match]:
    text = project.text(path)
    if is_packed(text) or not is_loaded(project, path):
        return
    scripted = Scripted(project.module(path), text)
    told: set[str] = set()
    for unit, write in scripted.deep_writes():
        name = unit.function.qualified
        told.add(name)
        yield Match(write.line, write.line, name, "follows __proto__", True, Confidence.MEDIUM, name)
    outline = script_outline(project, path)
    yield from _set_by_path(outline)
    if installed_outline(project, path) is not None:
        yield from _two_steps(outline, scripted, told)
        yield from _copies(scripted, told)


def _copies(scripted: Scripted, told: set[str]) -> Iterator[Match]:
    """`target[key] = source[key]` for an object parameter: a key `__proto__` changes the properties that the target inherits."""
    for unit in scripted.units:
        given = {each.name for each in unit.function.parameters}
        for node in unit.nodes if unit.function.qualified not in told else ():
            if isinstance(node, Assign) and _copied_into(unit, node) & given and not is_careful(unit):
                told.add(unit.function.qualified)
                verdict = "__proto__ is copied like any other key"
                yield Match(node.line, node.line, "keys", verdict, True, Confidence.MEDIUM, severity=Severity.LOW)
                break


def _copied_into(unit: Unit, node: Assign) -> set[str]:
    """The object into which an assignment copies an entry of another object under the same key."""
    match node:
        case Assign(
            targets=(Index(value=Name(id=target), key=Name(id=key) as name),),
            value=Index(value=Name(id=source), key=Name(id=same)),
        ) if key == same and source != target and unit.is_name(name):
            return {target}
        case _:
            return set()


def _two_steps(outline: Outline, scripted: Scripted, told: set[str]) -> Iterator[Match]:
    """`sections[name][key] = value`, also with the section in a variable, where both keys are parameters."""
    for site in (*outline.of(Assign), *(each for each in outline.of(Unary) if each.node.operator == "delete")):
        written = site.node.targets if isinstance(site.node, Assign) else (site.node.operand,)
        target = next((each for each in written if isinstance(each, Index)), None)
        first = _first_step(outline, site, target) if target is not None else None
        unit = _unit(outline, scripted, site) if first is not None else None
        if target is None or first is None or unit is None or unit.function.qualified in told:
            continue
        values = OpenValues(outline, site, _COUNTING)
        if all(unit.is_name(each) and values.raw(each) for each in (first, target.key)) and not is_careful(unit):
            told.add(unit.function.qualified)
            yield bad(site, "keys", "the first key may lead to a prototype", Confidence.MEDIUM, severity=Severity.LOW)


def _unit(outline: Outline, scripted: Scripted, site: Site[Assign] | Site[Unary]) -> Unit | None:
    """The named function around an assignment."""
    function = site.function
    while function is not None and function.qualified not in scripted.by_qualified:
        function = outline.functions.get(function.within)
    return scripted.by_qualified[function.qualified] if function is not None else None


def _first_step(outline: Outline, site: Site[Assign] | Site[Unary], target: Index) -> Expr | None:
    """The key that selects the object being modified."""
    holder: Expr | None = target.value
    if isinstance(holder, Name):
        assigned = outline.local(site.function, holder.id)
        holder = assigned.value if assigned is not None and assigned is not site.node else None
        holder = holder.operands[0] if isinstance(holder, Boolean) else holder
    return holder.key if isinstance(holder, Index) else None


def _set_by_path(outline: Outline) -> Iterator[Match]:
    """`set(object, path, value)` of a package, with the path from a parameter."""
    for site in outline.of(Call):
        path = positional(site.node, 1) if outline.dotted(site.node.callee) in _SETTERS else None
        if path is not None and RawValues(outline, site, PLAIN).raw(path):
            yield bad(site, "keys", "a path from a parameter is followed", Confidence.MEDIUM, severity=Severity.LOW)

"""Values that a page template prints without escaping, as the calls that render the page hand them over.

Always holds: a call counts only if it names the page. Does not belong here: where the values come from.
"""

from collections.abc import Iterator

from counterproof.analysis.backward.scripts.scopes import Scopes, Spot
from counterproof.analysis.project import Project
from counterproof.analysis.syntax import ir
from counterproof.analysis.templates.scripted import is_template, raw_outputs
from counterproof.model.location import Location, at

_RENDERS = frozenset({"render", "renderFile", "view"})


def printed_at(project: Project, scopes: Scopes, place: Location) -> Iterator[tuple[Location, Spot]]:
    """Lines of a page that print a value as it is, with what is handed over for it."""
    if not is_template(place.path) or place.path not in project.files:
        return
    calls = [each for each in scopes.calls(_RENDERS) if _names(each.node, place.path)]
    for raw in raw_outputs(place.path, project.text(place.path)):
        if place.start <= raw.line <= place.end and raw.chain:
            for each in calls:
                for value in _handed(each.node, raw.chain[0]):
                    yield at(place.path, raw.line), Spot(each.module, each.function, value)


def _names(node: ir.Node, path: str) -> bool:
    first = node.arguments[0].value if isinstance(node, ir.Call) and node.arguments else None
    if not isinstance(first, ir.Const) or not isinstance(first.value, str) or not first.value:
        return False
    name = first.value.removeprefix("./")
    return any(f"/{each}".endswith(f"/{name}") for each in (path, path.rpartition(".")[0]))


def _handed(node: ir.Node, name: str) -> list[ir.Expr]:
    given = node.arguments[1:] if isinstance(node, ir.Call) else ()
    entries = [entry for each in given if isinstance(each.value, ir.Mapping) for entry in each.value.entries]
    return [value for key, value in entries if isinstance(key, ir.Const) and key.value == name]

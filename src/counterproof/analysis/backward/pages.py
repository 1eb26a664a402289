"""What a page prints as it is, with what the calls that render the page hand over for it.

Always holds: the page's text is read here by itself, and a call counts only if it names the page. Does not belong here: where the
values come from.
"""

import re
from collections.abc import Iterator
from itertools import product

from counterproof.analysis.backward.sinks import SinkAt
from counterproof.analysis.endpoints.entered_program import EnteredProgram
from counterproof.analysis.flow.sources import is_request_name
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import FlowRule
from counterproof.analysis.syntax.ir import Argument, Attribute, Call, Const, Expr, Mapping, Name
from counterproof.analysis.syntax.page_scripts import has_pages
from counterproof.model.errors import CounterproofError
from counterproof.model.location import Location

MARKUP = 79
_OUTPUT = re.compile(r"\{\{-?\s{0,20}([A-Za-z_]\w{0,60})([^{}]{0,200})\}\}")
_AS_IT_IS = re.compile(r"\|\s{0,9}safe\b")
_BARE = re.compile(r"=\s{0,9}$|\b(?:href|src|action|formaction)\s{0,9}=\s{0,9}[\"']\s{0,9}$", re.IGNORECASE)
"""What stands before a value whose escaping does not help: an attribute without quotes, or one that takes an address."""
_LOOP = re.compile(r"\{%-?\s{0,9}for\s{1,9}([\w\s,]{1,100}?)\s{1,9}in\s{1,9}([A-Za-z_]\w{0,60})")
_CONTEXTS = ("", "context", "extra_context", "values", "data")
"""How the mapping of a page's values is passed; '' by position."""
_REGION = re.compile(r"\{%-?\s{0,9}(?:autoescape\s{1,9}(\w{1,9})|endautoescape)")


def handed_to_page(program: EnteredProgram, rule: FlowRule, place: Location) -> Iterator[SinkAt]:
    """For each value that these lines of a page print as it is, the calls that fill it in."""
    printed = _printed(program.project, place) if rule.cwe == MARKUP and has_pages(place.path) else frozenset[str]()
    page = place.path.rpartition("/")[2]
    for path in program.codebase.paths if printed else ():
        program.project.checkpoint()
        if page in program.project.text(path):
            ground = program.file(path)
            calls = (site.node for site in ground.of(Call) if _names_page(site.node, place.path))
            for call, name in product(calls, sorted(printed)):
                for given, access in _handed(call, name):
                    yield SinkAt(ground, call, rule, None, (given.value,), True, access=access)


def unescaped_since(text: str) -> int:
    """The line whose `{% autoescape off %}` is still open at the end of a text; 0 where none is."""
    opened: list[int] = []
    for tag in _REGION.finditer(text):
        if tag[1] is None:
            del opened[-1:]
        else:
            opened.append(0 if tag[1] in ("on", "true") else text.count("\n", 0, tag.start()) + 1)
    return opened[-1] if opened else 0


def _printed(project: Project, place: Location) -> frozenset[str]:
    """The variables behind what is printed without (enough) escaping; of an element that its list has."""
    try:
        lines = project.text(place.path).split("\n")
    except CounterproofError:
        return frozenset()
    before, here = "\n".join((*lines[: place.start - 1], "")), "\n".join(lines[place.start - 1 : place.end])
    lists = {name.strip(): found[2] for found in _LOOP.finditer(before + here) for name in found[1].split(",")}
    return frozenset(
        lists.get(found[1], found[1])
        for found in _OUTPUT.finditer(here)
        if _AS_IT_IS.search(found[2])
        or _BARE.search(here[: found.start()][-40:])
        or unescaped_since(before + here[: found.start()])
    )


def _names_page(call: Call, path: str) -> bool:
    """`render(request, "page.html")`, or `get_template("page.html").render(…)`."""
    if isinstance(call.callee, Attribute) and isinstance(call.callee.value, Call) and call.callee.name == "render":
        call = call.callee.value
    texts = (each.value.value for each in call.arguments if isinstance(each.value, Const))
    return any(isinstance(each, str) and each and f"/{path}".endswith(f"/{each.removeprefix('./')}") for each in texts)


def _handed(call: Call, name: str) -> Iterator[tuple[Argument, tuple[str, ...]]]:
    for each in call.arguments:
        if each.keyword == name:
            yield each, ()
        elif each.spread == "**" or (not each.spread and each.keyword in _CONTEXTS and _is_context(each.value)):
            yield each, (name,)


def _is_context(value: Expr) -> bool:
    return isinstance(value, Mapping) or (isinstance(value, Name) and not is_request_name(value.id))

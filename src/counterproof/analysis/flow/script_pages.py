"""Pages that JavaScript programs render: which request data a template prints without escaping.

Always holds: a template is found by the name that the code gives; what it prints escaped is no sink. Does not belong here:
reading templates.
"""

from counterproof.analysis.flow.access import Place, attribute, element
from counterproof.analysis.flow.arguments import Arguments
from counterproof.analysis.flow.frame import Frame
from counterproof.analysis.flow.hits import Hit
from counterproof.analysis.flow.sinks import add
from counterproof.analysis.flow.values import UNSET, Value, gathered, origins
from counterproof.analysis.syntax import ir
from counterproof.analysis.templates.files import TemplateFiles
from counterproof.analysis.templates.scripted import SUFFIXES

_RENDERING = (
    "http.ServerResponse().render",
    "http.ServerResponse().view",
    "koa.Context().render",
    "fastify.FastifyReply().view",
    "express().render",
)
MARK = "<template>"
"""The sink that stands for whatever a template prints."""


def render_script_page(frame: Frame, files: TemplateFiles, node: ir.Call, target: Value, arguments: Arguments) -> None:
    """`res.render("page", {name: value})`: record what the page prints raw."""
    name = arguments.at(0)
    if target.path not in _RENDERING or name is None or not isinstance(name.const, str):
        return
    variables = arguments.at(1)
    rules = frame.engine.sinks.exact(MARK)
    if variables is None or not rules:
        return
    path, prints = files.scripted(name.const, frame.path, SUFFIXES)
    for raw in prints:
        value = _reached(frame, variables, raw.chain, Place(frame.path, node.line))
        origin, broken = origins(value)
        for rule, sink in rules:
            hit = Hit(
                rule, sink, path, raw.line, raw.line, frame.qualified, MARK, gathered(value), origin, broken, True,
                path, raw.line, raw.line,
            )  # fmt: skip
            add(frame, hit)


def _reached(frame: Frame, value: Value, chain: tuple[str, ...], at: Place) -> Value:
    for name in chain:
        value = element(value, UNSET, at) if name == "[]" else attribute(frame.engine, value, name, at)
    return value

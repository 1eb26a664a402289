"""Calls that render a page, and handlers that return the variables of one: decorated ones, and Django views that name a template.

Invariant: None means that no page was found, and the call gets no special treatment; only a returned mapping with known entries
counts as a page. Not handled here: running the page.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from counterproof.analysis.flow.frame import Frame
from counterproof.analysis.flow.hits import Arguments
from counterproof.analysis.flow.index import FunctionInfo
from counterproof.analysis.flow.page_library import of_environment
from counterproof.analysis.flow.pages.page_execution import PageFrame, run_page
from counterproof.analysis.flow.sinks import add
from counterproof.analysis.flow.sources import REQUEST
from counterproof.analysis.flow.values import Trusted, Value, literal
from counterproof.analysis.libraries import names
from counterproof.analysis.program.words import vocabulary
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import dotted
from counterproof.analysis.templates.dialects import BOTTLE, DJANGO, JINJA, TORNADO, Dialect
from counterproof.analysis.templates.nodes import Template
from counterproof.analysis.templates.parser import read

RENDERING = vocabulary("""render_template stream_template render_template_string render TemplateResponse render_to_string
    render_string render_to_response SimpleTemplateResponse render_async template render_template_async""")
"""Names of calls that render a page."""

_EVERYWHERE = {
    "request": Value(path=REQUEST, origin=Trusted.INTERNAL),
    "url_for": Value(path="flask.url_for", origin=Trusted.INTERNAL),
}
"""Variables available in every page."""

_TEXTS = (".txt", ".text", ".eml", ".md", ".rst", ".csv", ".tex")
"""Extensions of templates that are not markup: e-mail text, a downloaded file."""


@dataclass(slots=True, eq=False)
class Asked:
    """A page to render. `text` is set for a template string in the code; `own` is an environment created by the code."""

    framework: str
    dialect: Dialect
    name: Value | None
    context: dict[str, Value] = field(default_factory=dict[str, Value])
    text: bool = False
    own: Value | None = None


def render_call(frame: Frame, node: ir.Call, target: Value, arguments: Arguments) -> Value | None:
    """Run the page that this call renders; the result is a page, whatever its variables."""
    if target.of is not None:
        return None
    asked = _asked(target.path, arguments)
    if asked is None or asked.name is None or not (run_asked(frame, node, asked) or _escapes_anyway(asked)):
        return None
    return Value(origin=Trusted.INTERNAL, path=f"{target.path}()" if target.path else "")


def run_asked(frame: Frame, node: ir.Node, asked: Asked) -> bool:
    """Run the page; return True if it was found."""
    engine = frame.engine
    name = asked.name.const if asked.name is not None else None
    if not isinstance(name, str) or not engine.pages.more():
        return False
    found = engine.pages.find
    template = read(frame.path, name, asked.dialect) if asked.text else found(name, frame.path, asked.dialect)
    if template is None:
        return False
    if asked.own is not None:
        escapes = of_environment(asked.own, template)
    else:
        escapes = engine.pages.escapes(asked.framework, template, frame.path, text=asked.text)
    page = PageFrame(engine, template, asked.dialect, escapes, frame.path)
    page.fixed_line = node.line if asked.text else 0
    page.env = {**_EVERYWHERE, **asked.context}
    run_page(page, template)
    for hit in page.hits.values() if asked.text or not _is_plain(template) else ():
        add(frame, hit)
    return True


def _is_plain(template: Template) -> bool:
    """Text that is not interpreted as markup: by file name, or an e-mail without a single tag."""
    name = template.path.lower()
    letter = not template.markup and template.parent is None and ("mail" in name or "subject" in name)
    return name.endswith(_TEXTS) or letter


def _escapes_anyway(asked: Asked) -> bool:
    """A page chosen by the function's caller: its environment escapes, whichever page it is."""
    if asked.text or asked.name is None or isinstance(asked.name.const, str):
        return False
    if asked.own is None:
        return asked.framework in ("django", "flask")
    switch = (asked.own.fields or {}).get("autoescape")
    return switch is not None and (switch.const is True or switch.path.endswith("select_autoescape()"))


def context_of(value: Value | None) -> dict[str, Value]:
    """The variables in a mapping."""
    if value is None:
        return {}
    return {key: each for key, each in (value.entries or {}).items() if isinstance(key, str)}


def _asked(path: str, arguments: Arguments) -> Asked | None:
    exact = _EXACT.get(path)
    if exact is not None:
        return exact(arguments)
    if path.endswith("Jinja2Templates().TemplateResponse"):
        return _starlette(arguments)
    if path.startswith("tornado.web.") and path.endswith((").render", ").render_string")):
        return Asked("tornado", TORNADO, arguments.at(0, "template_name"), dict(arguments.keywords))
    receiver = arguments.receiver
    if receiver is not None and path.endswith((".render", ".render_async")):
        return _template_object(receiver, arguments)
    return None


def _flask(arguments: Arguments) -> Asked:
    return Asked("flask", JINJA, arguments.at(0, "template_name_or_list"), dict(arguments.keywords))


def _flask_text(arguments: Arguments) -> Asked:
    return Asked("flask", JINJA, arguments.at(0, "source"), dict(arguments.keywords), text=True)


def _django(name: int, context: int) -> Callable[[Arguments], Asked]:
    def asked(arguments: Arguments) -> Asked:
        return Asked("django", DJANGO, arguments.at(name, "template_name"), context_of(arguments.at(context, "context")))

    return asked


def _aiohttp(arguments: Arguments) -> Asked:
    return Asked("aiohttp", JINJA, arguments.at(0, "template_name"), context_of(arguments.at(2, "context")))


def _bottle(arguments: Arguments) -> Asked:
    name = arguments.at(0)
    text = name is not None and isinstance(name.const, str) and any(sign in name.const for sign in ("{{", "\n", "%"))
    context = {**context_of(arguments.at(1)), **arguments.keywords}
    return Asked("bottle", BOTTLE, name, context, text=text)


def _starlette(arguments: Arguments) -> Asked:
    first = arguments.at(0, "name")
    if first is not None and isinstance(first.const, str):
        return Asked("starlette", JINJA, first, context_of(arguments.at(1, "context")))
    return Asked("starlette", JINJA, arguments.at(1, "name"), context_of(arguments.at(2, "context")))


def _template_object(receiver: Value, arguments: Arguments) -> Asked | None:
    """`environment.get_template(name).render(…)`, `Template(text).render(…)`."""
    fields = receiver.fields or {}
    context = {**context_of(arguments.at(0, "context")), **arguments.keywords}
    if receiver.path == "django.template.loader.get_template()":
        return Asked("django", DJANGO, fields.get("<name>"), context)
    if receiver.path in ("jinja2.Template()", "jinja2.environment.Template()"):
        return Asked("jinja", JINJA, fields.get("<name>"), context, text=True, own=receiver)
    if receiver.path.endswith((".get_template()", ".select_template()", ".from_string()")):
        environment = fields.get("<environment>")
        if environment is None:
            return None
        text = receiver.path.endswith(".from_string()")
        if environment.path.endswith((".jinja_env", ".env")):
            return Asked("flask", JINJA, fields.get("<name>"), context, text=text)
        if "jinja2" in environment.path:
            return Asked("jinja", JINJA, fields.get("<name>"), context, text=text, own=environment)
    return None


_KINDS: dict[str, Callable[[Arguments], Asked]] = {
    "jinja-page": _flask,
    "jinja-text": _flask_text,
    "jinja-page-of-request": _aiohttp,
    "django-page": _django(0, 1),
    "django-page-of-request": _django(1, 2),
    "bottle-page": _bottle,
}
_EXACT = {name: asked for kind, asked in _KINDS.items() for name in names("template", kind)}

_DECORATORS = dict.fromkeys(names("template", "jinja-view"), JINJA) | dict.fromkeys(names("template", "bottle-view"), BOTTLE)


def render_return(frame: Frame, node: ir.Node, value: Value) -> None:
    """Run the page for the variables that a handler returns."""
    info = frame.function
    if info is None or value.entries is None:
        return
    asked = _decorated(info) or _context_data(frame, info)
    if asked is not None:
        asked.context = context_of(value)
        run_asked(frame, node, asked)


def _decorated(info: FunctionInfo) -> Asked | None:
    for decorator in info.node.decorators:
        call = decorator.value
        if not isinstance(call, ir.Call) or not call.arguments:
            continue
        known = _DECORATORS.get(dotted(call.callee, info.module) or "")
        first = call.arguments[0].value
        if known and isinstance(first, ir.Const) and isinstance(first.value, str):
            return Asked("jinja", known, literal(first.value))
    return None


def _context_data(frame: Frame, info: FunctionInfo) -> Asked | None:
    """`get_context_data` of a view whose class names its template."""
    if info.node.name != "get_context_data" or info.owner is None:
        return None
    name = frame.engine.stored(info.owner, "template_name")
    return Asked("django", DJANGO, name) if name is not None and isinstance(name.const, str) else None

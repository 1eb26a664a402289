"""Kinds of content that the code takes in or gives out, by the calls, attributes and imports that handle them."""

from counterproof.analysis.outline.codebase import Codebase
from counterproof.analysis.outline.outline import Outline
from counterproof.analysis.outline.traits import told, trait
from counterproof.analysis.syntax.ir import Attribute, Call

_ATTRIBUTES = {
    "json": ("get_json", "json", "is_json"),
    "form": ("form", "POST", "get_argument", "get_arguments", "cleaned_data"),
    "multipart": ("files", "FILES", "multipart"),
}
_CALLS = {
    "json": ("jsonify", "JsonResponse", "JSONResponse", "json_response", "dumps", "loads"),
    "form": ("Form", "parse_qs", "FieldStorage"),
    "multipart": ("UploadFile", "File", "multipart"),
    "html": (
        "render_template",
        "render_template_string",
        "render",
        "HTMLResponse",
        "HttpResponse",
        "TemplateResponse",
        "as_view",
    ),
    "event stream": ("EventSourceResponse", "StreamingHttpResponse"),
    "binary": ("send_file", "FileResponse", "send_from_directory"),
}
_IMPORTS = {
    "xml": ("xml", "lxml", "defusedxml", "xmltodict", "xmlrpc"),
    "yaml": ("yaml", "ruamel"),
    "csv": ("csv", "openpyxl", "pandas"),
    "pickle": ("pickle", "dill", "marshal", "shelve", "joblib"),
    "protobuf": ("grpc", "google.protobuf"),
    "graphql": ("graphene", "strawberry", "ariadne"),
    "websocket": ("websockets", "flask_socketio", "socketio", "channels"),
    "json": ("json", "orjson", "ujson", "pydantic", "fastapi"),
    "html": ("jinja2", "fastapi.responses.HTMLResponse", "starlette.responses.HTMLResponse", "django.shortcuts.render"),
    "toml": ("toml", "tomllib", "tomli"),
    "image": ("PIL",),
    "archive": ("zipfile", "tarfile"),
}
_REQUEST = ("request", "req", "self.request", "flask.request")

NONE_SEEN = "none seen"


def content_types_of(codebase: Codebase) -> tuple[str, ...]:
    """Sorted names. A project that handles none of them says so, which is a finished inventory too."""
    found: set[str] = set()
    for kinds in told(codebase, _handled).values():
        found |= set(kinds)
    return tuple(sorted(found)) or (NONE_SEEN,)


@trait("kinds of content")
def _handled(outline: Outline) -> list[str]:
    return sorted(_by_import(outline) | _by_use(outline))


def _by_import(outline: Outline) -> set[str]:
    names = outline.module.imports.values()
    return {
        kind
        for kind, modules in _IMPORTS.items()
        if any(name == module or name.startswith(module + ".") for name in names for module in modules)
    }


def _by_use(outline: Outline) -> set[str]:
    found: set[str] = set()
    for site in outline.of(Attribute):
        owner = outline.dotted(site.node.value)
        if owner in _REQUEST or owner.endswith(".request"):
            found |= {kind for kind, names in _ATTRIBUTES.items() if site.node.name in names}
    for call in outline.of(Call):
        last = outline.dotted(call.node.callee).rpartition(".")[2]
        if last:
            found |= {kind for kind, names in _CALLS.items() if last in names}
    return found

"""Content types that the code reads or writes, by the calls, attributes and imports that handle them."""

from functools import cache

from counterproof.analysis.inventory.domains import containing, normal, packages
from counterproof.analysis.libraries import names
from counterproof.analysis.libraries.concepts import KINDS
from counterproof.analysis.program.codebase import Codebase
from counterproof.analysis.program.outline import Outline
from counterproof.analysis.program.traits import told, trait
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
_DOMAINS = {"xml": "xxe", "graphql": "graphql", "websocket": "websocket", "html": "template-injection"}
"""The review topic for each content type."""
_STANDARD = {"xml": ("xmlrpc",), "csv": ("csv",), "json": ("json",), "toml": ("tomllib",), "archive": ("zipfile", "tarfile")}
_REQUEST = ("request", "req", "self.request", "flask.request")

NONE_SEEN = "none seen"


def content_types_of(codebase: Codebase) -> tuple[str, ...]:
    """Sorted names; a project without any returns an empty inventory, which is complete too."""
    found: set[str] = set()
    for kinds in told(codebase, _handled).values():
        found |= set(kinds)
    return tuple(sorted(found)) or (NONE_SEEN,)


@trait("kinds of content")
def _handled(outline: Outline) -> list[str]:
    return sorted(_by_import(outline) | _by_use(outline))


def _by_import(outline: Outline) -> set[str]:
    there = containing(outline.module.imports.values())
    return {kind for kind, known in _packages().items() if there & known}


@cache
def _packages() -> dict[str, frozenset[str]]:
    said = {kind: frozenset(map(normal, names("content", kind))) for kind in KINDS["content"] if names("content", kind)}
    found = {kind: packages("python", domain) for kind, domain in _DOMAINS.items()}
    found["pickle"] = packages("python", "deserialisation") - said["yaml"]
    return {
        kind: said.get(kind, frozenset()) | found.get(kind, frozenset()) | frozenset(_STANDARD.get(kind, ()))
        for kind in {**said, **found, **_STANDARD}
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

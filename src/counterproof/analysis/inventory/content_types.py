"""Content types that the code reads or writes, by the calls, texts and imports that handle them."""

from functools import cache

from counterproof.analysis.inventory.domains import containing, normal, packages
from counterproof.analysis.libraries import names
from counterproof.analysis.libraries.concepts import KINDS
from counterproof.analysis.polyglot.corpus import OTHERS, Corpus
from counterproof.analysis.program.codebase import Codebase
from counterproof.analysis.program.mentioned import called_names, imported
from counterproof.analysis.program.traits import told
from counterproof.model.survey import Language

_TEXTS = {
    "json": ("request.json",),
    "form": ("request.form", "request.POST", "cleaned_data"),
    "multipart": ("request.files", "request.FILES"),
}
_CALLS = {
    "json": ("jsonify", "JsonResponse", "JSONResponse", "json_response", "dumps", "loads", "get_json"),
    "form": ("Form", "parse_qs", "FieldStorage", "get_argument", "get_arguments"),
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

_CONTENT: dict[str, tuple[bytes, ...]] = {
    "multipart": (b"multipart/form-data",),
    "html": (b"<!DOCTYPE html", b"<html"),
    "event stream": (b"text/event-stream",),
    "websocket": (b"WebSocket",),
    "graphql": (b"graphql",),
    "protobuf": (b"protobuf",),
}
"""Text that means the same in every language; library names are in the library files."""
NONE_SEEN = "none seen"


def content_types_of(codebase: Codebase, corpus: Corpus) -> tuple[str, ...]:
    """Sorted names; a project without any returns an empty inventory, which is complete too."""
    there = containing(name for listed in told(codebase, imported).values() for name in listed)
    called = {name for listed in told(codebase, called_names).values() for name in listed}
    found = {kind for kind, known in _packages().items() if there & known}
    found |= {kind for kind, known in _CALLS.items() if called.intersection(known)}
    for path in codebase.paths:
        text = codebase.project.text(path)
        found |= {kind for kind, marks in _TEXTS.items() if kind not in found and any(mark in text for mark in marks)}
    for source in corpus.sources(*OTHERS):
        found |= {kind for kind, marks in _marks(source.language) if any(mark in source.data for mark in marks)}
    return tuple(sorted(found)) or (NONE_SEEN,)


@cache
def _marks(language: Language) -> tuple[tuple[str, tuple[bytes, ...]], ...]:
    """Text by content type: for a language's libraries, and for all languages."""
    known = {kind.replace("-", " "): names("content", kind, language) for kind in KINDS["content"]}
    return tuple((kind, (*_CONTENT.get(kind, ()), *(each.encode() for each in known.get(kind, ())))) for kind in known | _CONTENT)


@cache
def _packages() -> dict[str, frozenset[str]]:
    said = {kind: frozenset(map(normal, names("content", kind))) for kind in KINDS["content"] if names("content", kind)}
    found = {kind: packages("python", domain) for kind, domain in _DOMAINS.items()}
    found["pickle"] = packages("python", "deserialisation") - said["yaml"]
    return {
        kind: said.get(kind, frozenset()) | found.get(kind, frozenset()) | frozenset(_STANDARD.get(kind, ()))
        for kind in {**said, **found, **_STANDARD}
    }

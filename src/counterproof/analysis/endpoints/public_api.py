"""The public API of a library: functions that other code can call, and requests that it sends for its callers (A10)."""

from collections.abc import Iterator

from counterproof.analysis.endpoints.convention import entry
from counterproof.analysis.endpoints.routed import handled
from counterproof.analysis.endpoints.verdict import left_open
from counterproof.analysis.libraries import names
from counterproof.analysis.program.codebase import Codebase, codebase_of
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.traits import having, told, trait
from counterproof.analysis.program.traversal import argument
from counterproof.analysis.project import Project
from counterproof.analysis.syntax.ir import Call, Function, Name
from counterproof.analysis.syntax.walk import last_name, walk
from counterproof.model.recon import EntryKind, EntryPoint

MIN_LIBRARY_FUNCTIONS = 5
CALLERS = left_open("whatever code calls the library")
ASIDE = frozenset({"examples", "example", "docs", "doc", "scripts", "benchmarks", "samples", "migrations", "ci", "demo"})
"""Folders of a package that its users do not import."""
_WORKSHOP = "tools"
"""Next to the package, a folder for developers only; inside the package, one with tools for agents and programs."""
OWN_PROGRAMS = frozenset({"setup.py", "conftest.py", "manage.py", "noxfile.py", "tasks.py", "fabfile.py"})
_STARTED = frozenset({"bin"})
_MANIFESTS = ("setup.py", "pyproject.toml", "setup.cfg")
_OUTBOUND = names("receiver", "http-module")
_SENDING = (
    "get", "post", "put", "patch", "delete", "head", "request", "urlopen", "Request", "HTTPConnection", "HTTPSConnection",
    "send",
)  # fmt: skip


def is_aside(path: str, more: frozenset[str] = frozenset()) -> bool:
    """Return True if a file is in a folder that users do not import."""
    folders = path.split("/")[:-1]
    return folders[:1] == [_WORKSHOP] or not (ASIDE | more).isdisjoint(folders)


def packaged_folders(project: Project) -> tuple[str, ...]:
    """Folders with a packaging manifest."""
    return project.once("folders of Python packages", lambda: _folders(project))


def _folders(project: Project) -> tuple[str, ...]:
    places = (each for each, file in project.files.items() if each.rpartition("/")[2] in _MANIFESTS and not file.test)
    return tuple(sorted({folder + "/" if folder else "" for each in places for folder in (each.rpartition("/")[0],)}))


def public_functions(project: Project) -> Iterator[str]:
    """The file of each function and method that the project exports, once per function."""
    counts = told(codebase_of(project), _offers)
    return (path for path, count in counts.items() for _ in range(count))


def public_api(project: Project) -> tuple[EntryPoint, ...]:
    """The exported functions as entry points, in path order."""
    return tuple(
        entry(
            EntryKind.PUBLIC_API,
            "call",
            f"{outline.module.name}.{function.qualified}",
            handled(outline, function),
            "",
            CALLERS,
        )
        for outline, function in _exported(codebase_of(project))
    )


def _exported(codebase: Codebase) -> Iterator[tuple[Outline, Function]]:
    for outline in having(codebase, _offers):
        yield from ((outline, function) for function in _offered(outline))


@trait("exported functions")
def _offers(outline: Outline) -> int:
    """The number of exported functions."""
    return sum(1 for _ in _offered(outline))


def _offered(outline: Outline) -> Iterator[Function]:
    parts = outline.path.split("/")
    private = any(part.startswith("_") and part != "__init__.py" for part in parts)
    if private or parts[-1] in OWN_PROGRAMS or is_aside(outline.path, _STARTED):
        return
    for function in outline.module.functions:
        if not function.within and not any(part.startswith("_") for part in function.qualified.split(".")):
            yield function


def outbound_files(project: Project) -> Iterator[str]:
    """Files in which some function sends a request to a URL that its caller passes."""
    yield from told(codebase_of(project), _sends)


@trait("sends requests")
def _sends(outline: Outline) -> bool:
    return any(_is_steered(outline, site) for site in outline.of(Call))


def _is_steered(outline: Outline, site: Site[Call]) -> bool:
    callee = site.node.callee
    name = last_name(callee)
    if name not in _SENDING or site.function is None:
        return False
    root = outline.dotted(callee).partition(".")[0]
    networked = (
        root in {module.partition(".")[0] for module in _OUTBOUND}
        or name == "urlopen"
        or "session" in outline.dotted(callee).lower()
    )
    url = argument(site.node, 1 if name == "request" else 0, "url")
    given = {parameter.name for parameter in site.function.parameters} - {"self", "cls"}
    return networked and url is not None and any(isinstance(node, Name) and node.id in given for node in walk(url))

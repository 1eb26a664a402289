"""Address that the operating system is told to open, whatever its scheme is.

## What it finds
In what is installed or served: an address that a function was given, or that a field or an entry holds, handed to what opens it
with the program that its scheme belongs to (`webbrowser.open`, the npm package `open`, `shell.openExternal` of Electron), where
the function asks nothing about it.

## Why it matters
Not every address is a page. `file:`, `smb:` and the schemes of installed programs start those programs with what the address
says, and on some systems the address passes through a shell. Such addresses come from servers that a client logs in to, from
documents and from requests to a server for developers.

## What is safe
An address that begins with text of the program's own; a comparison of its scheme, or any check of it.

## Limits
Low by nature: where the address comes from is not followed, and any question about it counts as one that helps. A function that
says by its name that it opens what it is given is judged where it is called.
"""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, python_file, script_file
from counterproof.analysis.config.open_sinks import own_outline
from counterproof.analysis.config.requests_made import written_address
from counterproof.analysis.config.wrapped_sinks import sinks_and_wrappers
from counterproof.analysis.outline.interpolation import HOLE, interpolated
from counterproof.analysis.outline.open_values import OpenValues, is_asked_about
from counterproof.analysis.outline.outline import Site
from counterproof.analysis.outline.raw_values import PLAIN
from counterproof.analysis.outline.words import vocabulary, words
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Confidence, Language, Match, Severity, Shape
from counterproof.analysis.syntax.ir import Call, Expr, Name

_OWN = PLAIN | vocabulary(
    "base docs documentation homepage help dashboard localhost local host port file filename path output report"
)
"""Words of names of what the program opens of its own."""
_OPENING = vocabulary("open launch browse browser start show view")


def _check(project: Project, path: str) -> Iterator[Match]:
    outline = own_outline(project, path)
    if outline is None:
        return
    language = Language.JAVASCRIPT if script_file(path) else Language.PYTHON
    for site, given in sinks_and_wrappers(project, outline, "address-opening", language):
        address = _beginning(written_address(outline, site, given))
        found = OpenValues(outline, site, _OWN).raw(address) if address is not None and not _says_so(site, address) else ""
        if found and is_asked_about(outline, site, given):
            yield good(site, "address", "something is asked about it")
        elif found:
            yield bad(site, "address", f"{found} is opened whatever its scheme is", Confidence.MEDIUM)


def _beginning(address: Expr) -> Expr | None:
    """What an address begins with, where that is no text of the program's own."""
    built = interpolated(address)
    if built is None:
        return address
    return built.values[0] if built.text.startswith(HOLE) else None


def _says_so(site: Site[Call], address: Expr) -> bool:
    """`open_browser(url)`: a function that opens what it is given, as its name says."""
    function = site.function
    given = function is not None and isinstance(address, Name) and any(each.name == address.id for each in function.parameters)
    return given and function is not None and bool(set(words(function.name)) & _OPENING)


RULE = CheckRule(
    title="Address of any scheme handed to the operating system",
    kind="command",
    cwe=78,
    severity=Severity.LOW,
    shape=Shape.FLOW,
    consequence="Whoever chooses the address starts programs of the machine with an argument of their choice.",
    remedy="Open only addresses whose scheme is http or https.",
    check=_check,
    applies=lambda path: python_file(path) or script_file(path),
    query="addresses that other programs open",
)

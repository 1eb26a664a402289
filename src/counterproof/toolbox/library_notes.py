"""What the analysers know of the libraries that a project uses, in words for a model: one knowledge for both (A3).

Made from `analysis.libraries`: dangerous calls with their dangerous arguments by kind of harm, where outsiders' data comes in,
what makes data harmless. Always holds: bounded; names of calls only, nothing of the target but which libraries it declares.
"""

from collections.abc import Iterator

from counterproof.analysis.libraries import libraries
from counterproof.analysis.libraries.concepts import KINDS, Library, Sink
from counterproof.model.recon import Recon
from counterproof.model.survey import Language

MAX_CALLS = 14
_FOLDERS = {Language.PYTHON: "python", Language.JAVASCRIPT: "javascript", Language.TYPESCRIPT: "javascript"}
_TOLD = ("source", "request", "sanitiser")


def notes(recon: Recon | None, languages: tuple[Language, ...]) -> Iterator[str]:
    """One text for each library that the project declares and that is known. What comes with a language is in its module."""
    declared = {_plain(each.name) for each in recon.dependencies} if recon else set[str]()
    declared |= {_plain(each.name) for each in recon.frameworks} if recon else set()
    for folder in dict.fromkeys(_FOLDERS[language] for language in languages if language in _FOLDERS):
        for each in libraries(folder):
            if {_plain(each.name), _plain(each.title)} & declared and (text := _told(each)):
                yield text


def _plain(name: str) -> str:
    return name.lower().replace("_", "-").replace(" ", "-").rpartition("/")[2]


def _told(library: Library) -> str:
    rows = [
        f"dangerous, {KINDS['sink'][kind]}: {_listed(list(map(_call, sinks)))}" for kind, sinks in sorted(library.sinks.items())
    ]
    for (concept, kind), names in sorted(library.names.items()):
        if concept in _TOLD:
            rows.append(f"{concept}, {KINDS[concept][kind]}: {_listed(list(names))}")
    return "\n".join([library.title, *(f"- {row}" for row in rows)]) if rows else ""


def _call(sink: Sink) -> str:
    """The call with the arguments that are dangerous, where these are not simply the first."""
    given = ", ".join(str(each) for each in sink.arguments)
    when = " and ".join(f"{name} {demand}" for name, demand in sink.when if demand and not name.startswith("<"))
    return sink.call + (f"({given})" if sink.arguments != (0,) else "") + (f" where {when}" if when else "")


def _listed(calls: list[str]) -> str:
    shown = list(dict.fromkeys(calls))
    more = f", … ({len(shown) - MAX_CALLS} more)" if len(shown) > MAX_CALLS else ""
    return ", ".join(shown[:MAX_CALLS]) + more

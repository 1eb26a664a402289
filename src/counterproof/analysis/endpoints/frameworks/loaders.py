"""Files read at program start: configuration and serialized data, an entry point for anyone who can write them."""

from collections.abc import Iterator

from counterproof.analysis.endpoints.convention import Convention, Handler, entry
from counterproof.analysis.endpoints.verdict import left_open
from counterproof.analysis.libraries import names
from counterproof.analysis.program.codebase import Codebase
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.traits import having, trait
from counterproof.analysis.program.traversal import positional, text_of
from counterproof.analysis.program.words import vocabulary, words
from counterproof.analysis.syntax.ir import Call
from counterproof.model.recon import EntryKind, EntryPoint

FILES = left_open("whoever can write the file")
_LOADERS = frozenset(names("setting", "file"))
_METHODS = ("from_pyfile", "from_envvar", "from_file", "from_json", "read_file")
_STARTERS = vocabulary("config configuration setup init main bootstrap startup")


def _find(codebase: Codebase) -> Iterator[EntryPoint]:
    for outline in having(codebase, _may_load):
        for site in outline.of(Call):
            dotted = outline.dotted(site.node.callee)
            if (dotted in _LOADERS or _is_config_method(codebase, outline, site, dotted)) and _at_start(site):
                yield _loader(outline, site, dotted)


@trait("files read at the start")
def _may_load(outline: Outline) -> bool:
    return any(_at_start(site) and _sounds_like_loading(outline.dotted(site.node.callee)) for site in outline.of(Call))


def _sounds_like_loading(dotted: str) -> bool:
    return dotted in _LOADERS or dotted.rpartition(".")[2] in (*_METHODS, "read")


def _loader(outline: Outline, site: Site[Call], dotted: str) -> EntryPoint:
    source = text_of(positional(site.node, 0)) or ""
    if site.function:
        handler = Handler(outline, site.function, site.function.qualified)
    else:
        handler = Handler(outline, site.node, "<module>")
    return entry(EntryKind.LOADER, dotted, source, handler, "", FILES)


def _at_start(site: Site[Call]) -> bool:
    return site.function is None or site.function.name == "create_app" or bool(set(words(site.function.name)) & _STARTERS)


def _is_config_method(codebase: Codebase, outline: Outline, site: Site[Call], dotted: str) -> bool:
    name = dotted.rpartition(".")[2]
    if name in _METHODS and ".config." in f".{dotted}":
        return True
    receiver = getattr(site.node.callee, "value", None)
    return (
        name == "read"
        and receiver is not None
        and codebase.constructor(outline, receiver, site.function).endswith("ConfigParser")
    )


CONVENTION = Convention("start-up files", (), (), _find, listed=False)

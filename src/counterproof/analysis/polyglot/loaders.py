"""Functions that turn stored or received bytes into objects, as ways in (A9): what they are fed decides what is built."""

from collections.abc import Iterator

from counterproof.analysis.endpoints.verdict import left_open
from counterproof.analysis.libraries import names
from counterproof.analysis.polyglot.corpus import OTHERS, SCRIPTS, Corpus
from counterproof.model.location import at
from counterproof.model.recon import EntryKind, EntryPoint

FED = left_open("whoever can write what is loaded")


def loaders(corpus: Corpus) -> Iterator[EntryPoint]:
    for source in corpus.sources(*OTHERS):
        wanted = frozenset(names("code", "loader", source.language))
        if source.language in SCRIPTS and not any(name.encode() in source.data for name in wanted):
            continue
        for chain in corpus.chains(source):
            link = chain.links[-1]
            written = ".".join(part for part in (chain.root, link.name) if part) if len(chain.links) == 1 else link.name
            if not {written, link.name} & wanted:
                continue
            function = next(source.around(link.node.start_byte), None)
            place = at(source.path, function.line if function is not None else link.line)
            name = function.qualified if function is not None else "<module>"
            yield EntryPoint(EntryKind.LOADER, written, f"{source.path}:{link.line}", place, name, "", *FED.parts)

"""Functions that turn stored or received bytes into objects, as ways in (A9): what they are fed decides what is built."""

from collections.abc import Iterator

from counterproof.analysis.endpoints.verdict import left_open
from counterproof.analysis.polyglot.corpus import OTHERS, SCRIPTS, Corpus
from counterproof.model.location import at
from counterproof.model.recon import EntryKind, EntryPoint
from counterproof.model.survey import Language

FED = left_open("whoever can write what is loaded")
_SCRIPT = {"yaml.load", "jsyaml.load", "serialize.unserialize", "YAML.parse", "v8.deserialize", "dotenv.config", "toml.parse"}
_CALLS: dict[Language, frozenset[str]] = {
    Language.JAVASCRIPT: frozenset(_SCRIPT),
    Language.TYPESCRIPT: frozenset(_SCRIPT),
    Language.JAVA: frozenset({"readObject", "fromXML", "readUnshared", "loadAs", "decodeObject"}),
    Language.GO: frozenset({"gob.NewDecoder", "yaml.Unmarshal", "toml.Decode", "toml.DecodeFile", "viper.ReadInConfig"}),
    Language.PHP: frozenset({"unserialize", "yaml_parse_file", "simplexml_load_string", "simplexml_load_file"}),
    Language.RUBY: frozenset({"Marshal.load", "YAML.load", "YAML.load_file", "YAML.unsafe_load", "Oj.load", "Psych.load"}),
}  # fmt: skip


def loaders(corpus: Corpus) -> Iterator[EntryPoint]:
    for source in corpus.sources(*OTHERS):
        wanted = _CALLS[source.language]
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

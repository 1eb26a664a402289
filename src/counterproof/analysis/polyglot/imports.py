"""The packages that a file of any language imports, as evidence for frameworks, review topics and file weights."""

from counterproof.analysis.polyglot.corpus import SCRIPTS, Corpus
from counterproof.analysis.polyglot.literals import literal
from counterproof.analysis.polyglot.source import Source
from counterproof.model.survey import Language

MAX_NAMES = 500


def imported(corpus: Corpus, source: Source) -> tuple[str, ...]:
    """Names as the language writes them: `express`, `java.sql.Connection`, `database/sql`, `Illuminate\\Http`, `json`."""
    return corpus.remembered(("imported", source.path), lambda: _imported(corpus, source))


def _imported(corpus: Corpus, source: Source) -> tuple[str, ...]:
    if source.language in SCRIPTS:
        from counterproof.analysis.polyglot.javascript import modules_of

        return modules_of(corpus).packages(source)[:MAX_NAMES]
    if source.language is Language.GO:
        found = [literal(source, node.child_by_field_name("path")) or "" for node in source.imports[:MAX_NAMES]]
    elif source.language is Language.JAVA:
        found = [source.text(node).removeprefix("import").removesuffix(";").strip() for node in source.imports[:MAX_NAMES]]
        found = [name.removeprefix("static").strip() for name in found]
    elif source.language is Language.PHP:
        found = [source.text(next(iter(node.named_children), None)).lstrip("\\") for node in source.imports[:MAX_NAMES]]
    else:
        found = [
            text
            for chain in corpus.chains(source)
            if chain.base is None and chain.links[0].name == "require" and chain.links[0].arguments
            if (text := literal(source, chain.links[0].arguments[0])) is not None
        ]
    return tuple(dict.fromkeys(name for name in found if name))

"""No code outside `analysis/libraries` lists libraries: no literal there names three or more.

Invariant: names of standard libraries, of languages and plain words are no libraries; what is let through stands in `LEFT`
with a reason, and goes from there as soon as it is gone.
"""

import ast
import builtins
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from counterproof.analysis import libraries
from counterproof.analysis.libraries.concepts import KINDS

ANALYSIS = Path(libraries.__file__).parents[1]
LEFT = {
    "endpoints/caller_words.py": "words that identifiers of tests are made of, among them how a request is called",
    "facts/defences.py": "the checker of a refutation shares no table with the engine that it checks",
    "plans/naming.py": "words that stand for things in the text of a plan",
    "plans/topics.py": "words by which a plan speaks of a topic",
    "source/other_languages.py": "endings of files that are not read; files are told apart before libraries are known",
    "source/origin.py": "names of files that sites copy; files are told apart before libraries are known",
}
_NODE = """assert async_hooks buffer child_process cluster console crypto dgram dns events fs http http2 https module net os path
    perf_hooks process punycode querystring readline repl stream string_decoder timers tls tty url util v8 vm
    worker_threads zlib"""
_PLAIN = """archive attr bean browser buffer channels code common connect context cookie crypto csv data databases database date
    dir document element env event event error file files forms form global got header headers html index json key knex location
    logger mail map math method methods mime model models name next node number object open path peer pool promise query reader
    records redis regex request response retry router rows server session setting sh socket soup sql storage store string sum
    table tar tenacity test text time token toml tree type url user validator value vm window word xml yaml csrf
    limiter ratelimit websocket fetch graphql ldap jwt mysql git swift invoke web ai eta slim liquid go sails hapi
    electron com org dev io github google oauth spring echo
    cron decorator deprecated docker stripe setuptools javax psych shellwords _"""
_TOKEN = re.compile(r"@?[A-Za-z_][\w./@:\\-]*")


def known() -> frozenset[str]:
    """The names of libraries, by which they are declared or imported."""
    found: set[str] = set()
    for library in (each for language in libraries.LANGUAGES for each in libraries.libraries(language)):
        dotted = [
            name
            for (concept, kind), listed in library.names.items()
            for name in listed
            if "." in name or is_package(concept, kind)
        ]
        dotted += [sink.call for listed in library.sinks.values() for sink in listed if "." in sink.call]
        found |= {root(name) for name in (library.name, *dotted) if not name.startswith("*")}
    plain = {*sys.stdlib_module_names, *_NODE.split(), *_PLAIN.split(), *dir(builtins)}
    return frozenset(each for each in found if each.replace("-", "_") not in plain and len(each) > 1)


def is_package(concept: str, kind: str) -> bool:
    """True if the names of a kind are packages, although they have no dot."""
    said = KINDS[concept].get(kind, "")
    return concept in ("domain", "project") or kind in ("module", "package", "unread") or said.endswith("(a package)")


def root(name: str) -> str:
    """`flask` of `flask.request`, `@koa/router` of itself."""
    return re.split(r"[.(:]", name)[0].removesuffix("/").replace("_", "-").lower()


def texts(node: ast.AST) -> Iterator[str]:
    """The words of the literals in an expression; a sentence has none."""
    for each in ast.walk(node):
        value = each.value if isinstance(each, ast.Constant) else ""
        text = value.decode("latin-1") if isinstance(value, bytes) else value if isinstance(value, str) else ""
        parts = re.split(r"[|()?:\\]+", text) if "|" in text else text.split()
        if len(parts) < 4 or not re.search(r"[.,;] [A-Za-z]|[A-Z]\w+ [a-z]+ ", text):
            yield from (part for part in parts if _TOKEN.fullmatch(part.rstrip("(")))


def tables(path: Path, names: frozenset[str]) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Line and libraries of each literal that names three or more."""
    tree = ast.parse(path.read_text("utf-8"))
    literals = (ast.Tuple, ast.List, ast.Set, ast.Dict, ast.DictComp, ast.SetComp, ast.ListComp, ast.GeneratorExp, ast.Constant)
    seen: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, literals) and id(node) not in seen:
            seen |= {id(each) for each in ast.walk(node)}
            found = {root(text) for text in texts(node)} & names
            if len(found) > 2:
                yield node.lineno, tuple(sorted(found))


def everywhere() -> Iterator[tuple[str, int, tuple[str, ...]]]:
    names = known()
    for path in sorted(ANALYSIS.rglob("*.py")):
        place = path.relative_to(ANALYSIS).as_posix()
        if not place.startswith("libraries/"):
            yield from ((place, *each) for each in tables(path, names))


def test_no_code_lists_libraries() -> None:
    assert {place for place, _, _ in everywhere()} == set(LEFT)

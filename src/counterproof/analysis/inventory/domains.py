"""Review topics (A3): those for which the project's libraries have sinks, ciphers or tokens.

Invariant: a library belongs to a topic by its type (a database, a token signer) or because most of its sinks are of that kind; an
entry under `[domain]` in its file overrides both. Names are compared as in registries, ignoring case and treating `_` and `-` as
equal. Not handled here: names of libraries.
"""

import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache

from counterproof.analysis.dependencies.inventory import LOCKS
from counterproof.analysis.libraries import FOLDERS, libraries, names
from counterproof.analysis.libraries.concepts import KINDS, Library
from counterproof.analysis.polyglot import imports
from counterproof.analysis.polyglot.corpus import OTHERS, Corpus
from counterproof.analysis.program.codebase import Codebase
from counterproof.analysis.program.mentioned import imported
from counterproof.analysis.program.traits import told
from counterproof.analysis.program.words import vocabulary
from counterproof.model.recon import Dependency
from counterproof.model.survey import Language

ECOSYSTEMS = {
    "pypi": Language.PYTHON,
    "npm": Language.JAVASCRIPT,
    "maven": Language.JAVA,
    "go": Language.GO,
    "packagist": Language.PHP,
    "rubygems": Language.RUBY,
}
_SINKS = {
    "sql-injection": "sql",
    "nosql-injection": "nosql",
    "ldap-injection": "ldap",
    "llm-security": "model-instructions",
    "xxe": "xml",
    "template-injection": "template-construction",
    "ssrf": "http-request",
    "deserialisation": "deserialisation",
    "command-injection": "command-execution",
}
_KINDS = {
    "sql-injection": (("receiver", "sql"),),
    "nosql-injection": (("receiver", "nosql"),),
    "ldap-injection": (("receiver", "directory"),),
    "llm-security": (("agent", "package"), ("source", "model")),
    "xxe": (("receiver", "xml"), ("code", "xml-parser")),
    "template-injection": (("template", "environment"),),
    "jwt": tuple(("token", kind) for kind in KINDS["token"] if kind != "basic-credentials"),
    "ssrf": (("receiver", "http-client"), ("receiver", "http-module"), ("receiver", "http-client-class")),
    "deserialisation": (("code", "yaml-objects"),),
    "crypto": tuple(("cryptography", kind) for kind in KINDS["cryptography"] if kind != "any-host-key"),
    "graphql": tuple(("graphql", kind) for kind in KINDS["graphql"]),
}
"""The types of libraries per topic, independent of their sinks."""
_STANDARD = {
    "sql-injection": vocabulary("sqlite3 java.sql database/sql"),
    "ldap-injection": vocabulary("javax.naming"),
    "xxe": vocabulary("xml javax.xml.parsers encoding/xml"),
    "template-injection": vocabulary("text/template"),
    "ssrf": vocabulary("urllib.request http.client"),
    "deserialisation": vocabulary("pickle shelve marshal java.io.objectinputstream encoding/gob psych yaml"),
    "crypto": vocabulary("hashlib hmac ssl secrets random crypto java.security javax.crypto openssl digest"),
    "command-injection": vocabulary(
        "subprocess os.popen os.system child-process os/exec java.lang.processbuilder open3 shellwords"
    ),
}
"""Standard-library modules per topic."""
_SENSITIVE = ("crypto", "jwt", "oauth", "sql-injection", "nosql-injection", "ldap-injection")
_SHARED = ("google", "azure")
_PART = re.compile(r"[./:]")
_LOCKS = frozenset(name for listed in LOCKS.values() for name in listed) | {"gradle.lockfile"}


def triggers_of(
    codebase: Codebase, corpus: Corpus, dependencies: Iterable[Dependency], content_types: tuple[str, ...]
) -> tuple[str, ...]:
    """Sorted names of topics: for packages declared in manifests, not only locked, and for imports in code."""
    seen: dict[str, set[str]] = {}
    for each in dependencies:
        language = ECOSYSTEMS.get(each.ecosystem)
        if language and (language is Language.PYTHON or each.declared.path.rpartition("/")[2] not in _LOCKS):
            seen.setdefault(FOLDERS[language], set()).add(each.name)
    seen.setdefault("python", set()).update(name for listed in told(codebase, imported).values() for name in listed)
    for source in corpus.sources(*OTHERS):
        seen.setdefault(FOLDERS[source.language], set()).update(imports.imported(corpus, source))
    found = {
        domain for folder, there in seen.items() for domain in KINDS["domain"] if containing(there) & packages(folder, domain)
    }
    if "multipart" in content_types:
        found.add("file-upload")
    return tuple(sorted(found))


def is_sensitive(language: Language, imported_names: Iterable[str]) -> bool:
    """Return True if a file with these imports stores data, secrets or sessions."""
    return bool(containing(imported_names) & _sensitive(FOLDERS[language]))


@cache
def _sensitive(folder: str) -> frozenset[str]:
    """The sensitive packages of a language; random generators are too common to count here."""
    language = next(each for each, known in FOLDERS.items() if known == folder)
    every = frozenset[str]().union(*(packages(folder, domain) for domain in _SENSITIVE))
    return (every | frozenset(map(normal, names("session", "middleware", language)))) - {"random"}


@cache
def packages(folder: str, domain: str) -> frozenset[str]:
    """The packages of a topic in a language, in the form that `containing` returns."""
    every = (name for each in libraries(folder) for name in _packages(each, domain))
    return frozenset(map(normal, every)) | _STANDARD.get(domain, frozenset())


def _packages(library: Library, domain: str) -> Iterator[str]:
    """The packages of a library that belong to a topic."""
    said = library.names.get(("domain", domain))
    if said:
        yield from said
        return
    meant = [name for kind in _KINDS.get(domain, ()) for name in library.names.get(kind, ())]
    sinks = library.sinks.get(_SINKS.get(domain, ""), ())
    if sinks and 2 * len(sinks) >= sum(len(each) for each in library.sinks.values()):
        meant += [each.call for each in sinks] + [name for each in sinks for name in each.receiver_from]
    if meant:
        yield library.name
        roots = {name[:-1] if name.endswith(".") else _root(name) for name in meant}
        yield from roots - sys.stdlib_module_names - {"*"}


def _root(name: str) -> str:
    """The package that a dotted name starts with, with two parts if many packages share the first."""
    first, *rest = re.split(r"[.(]", name)
    return f"{first}.{rest[0]}" if first in _SHARED and rest else first


def containing(given: Iterable[str]) -> frozenset[str]:
    """Names and their parent packages: `java.sql` for `java.sql.Connection`, `@koa/router` for itself."""
    lowered = [normal(name) for name in given]
    return frozenset(name[: part.start()] for name in lowered for part in _PART.finditer(name)) | frozenset(lowered)


def normal(name: str) -> str:
    """A name normalised as in registries."""
    return name.lower().replace("_", "-")

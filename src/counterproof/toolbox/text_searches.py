"""The searches that the engine runs over what an agent was shown whole (A63): what it read needs no search of its own.

Invariant: a language counts only where every line of its files outside of tests was shown; each known sink is looked for by
its name, so that an empty search would have found it (A16).
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache

from counterproof.analysis.families import FOLLOWED
from counterproof.analysis.project import Project
from counterproof.model.dimension import Dimension
from counterproof.model.ledger import Search
from counterproof.model.survey import Language
from counterproof.toolbox.probes import all_probes

_CALLED = re.compile(r"((?:[A-Za-z_]\w*(?:\.|::|->))*[A-Za-z_]\w*)\W{0,2}\(|([A-Za-z_]\w{3,})\s*[:=]\s*true", re.IGNORECASE)
_WORD = re.compile(r"[A-Za-z_]\w{3,}")
_ATTRIBUTE = re.compile(r"\.([A-Za-z_]\w{3,})")
_PARTS = re.compile(r"\.|::|->")
_EXAMPLES = frozenset({
    "client", "config", "connection", "cookie", "cursor", "db", "document", "em", "engine", "gin", "mysqli", "object",
    "objectInputStream", "params", "parser", "passwordEncoder", "pdo", "r", "receiver", "request", "response", "restTemplate",
    "session", "statement", "text", "user", "value", "w",
})  # fmt: skip
"""Receivers that stand in the known sinks for any object of that kind: only what is called on them tells."""
Span = tuple[str, int, int]


def searches(project: Project, spans: tuple[Span, ...]) -> tuple[Search, ...]:
    """Every sub-category of every dimension, in the languages of which nothing was left out."""
    shown = _shown(spans)
    return tuple(each for language, paths in _whole(project, shown) for each in _in_language(project, language, paths))


def _shown(spans: tuple[Span, ...]) -> dict[str, set[int]]:
    found: dict[str, set[int]] = {}
    for path, first, last in spans:
        found.setdefault(path, set()).update(range(first, last + 1))
    return found


def _whole(project: Project, shown: Mapping[str, set[int]]) -> Iterator[tuple[Language, tuple[str, ...]]]:
    files: dict[Language, list[str]] = {}
    missing: set[Language] = set()
    for file in project.survey.files:
        if file.language is None or file.test:
            continue
        files.setdefault(file.language, []).append(file.path)
        lines = project.text(file.path).split("\n")
        own = shown.get(file.path, set())
        if any(line.strip() and number not in own for number, line in enumerate(lines, 1)):
            missing.add(file.language)
    yield from ((language, tuple(paths)) for language, paths in files.items() if language not in missing)


def _in_language(project: Project, language: Language, paths: tuple[str, ...]) -> Iterator[Search]:
    texts = {path: project.text(path) for path in paths}
    for (dimension, kind), names in _names(language).items():
        for name in names:
            wanted = re.compile(rf"\b{re.escape(name)}\b" if name[0].isalpha() or name[0] == "_" else re.escape(name))
            hits = {path: count for path, text in texts.items() if (count := len(wanted.findall(text)))}
            yield Search(dimension, kind, name, sum(hits.values()), tuple(hits), "" if hits else language.value)


def _telling(called: str) -> str:
    """The name as any code would write it: with its package or class, without an example's variable."""
    parts = _PARTS.split(called)
    return parts[-1] if len(parts) > 1 and parts[0] in _EXAMPLES else called


@cache
def _names(language: Language) -> dict[tuple[Dimension, str], tuple[str, ...]]:
    """The names by which known sinks of a language are called."""
    found: dict[tuple[Dimension, str], dict[str, None]] = {}
    for dimension, probe in all_probes():
        if probe.language is language:
            names = _names_in(probe.line)
            if language in FOLLOWED:  # their sinks are known by what is imported, which code may write in another way
                names = tuple(_PARTS.split(name)[-1] for name in names)
            found.setdefault((dimension, probe.kind), {}).update(dict.fromkeys(names))
    return {key: tuple(names) for key, names in found.items()}


def _names_in(line: str) -> tuple[str, ...]:
    """What tells a sink in any code: what it calls or sets; a word, or a quote that runs a command, where nothing is called."""
    called = tuple(_telling(name) or setting for name, setting in _CALLED.findall(line))
    if called:
        return called
    if "`" in line:
        return ("`",)
    attributes, words = _ATTRIBUTE.findall(line), _WORD.findall(line)
    return (attributes[-1] if attributes else words[-1] if words[0] == "import" else words[0],)

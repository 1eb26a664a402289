"""Packages that a plan's words take to be there: `the existing globset dependency`, `jspdf (already a dependency)`.

Always: a sentence counts only where it speaks of what is there now, of packages, and of one package alone. One that leaves it
open, denies it, or has it added says nothing. Whether the package is there is told in `packages`.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.plans.naming import FILE

MANIFEST = re.compile(
    r"(?:\A|/)(?:package\.json|pyproject\.toml|requirements[\w.-]{0,30}\.txt|setup\.(?:py|cfg)|Pipfile|environment\.ya?ml|Cargo\.toml|go\.mod"
    r"|Gemfile|composer\.json|pubspec\.yaml|mix\.exs|pom\.xml|build\.gradle(?:\.kts)?|Package\.swift|[\w.-]+\.(?:csproj|gemspec))\Z"
)
"""Files that declare packages."""
_PRESENT = re.compile(r"\b(?:already|existing|currently|today)\b", re.IGNORECASE)
_OF_PACKAGES = re.compile(
    r"\b(?:dev-?|peer-?)?(?:dependenc(?:y|ies)|deps?|crates?|librar(?:y|ies)|gems?|packages?"
    r"|depends? on|installed|declared|shipp?(?:ed|s)?|bundled|requirements|lock ?file)\b",
    re.IGNORECASE,
)
_NO_NEED = re.compile(
    r"\b(?:no|without(?: any| a)?) (?:new|further|extra|additional) [\w-]{1,20}(?: [\w-]{1,20}){0,2}|\bso nothing\b[^.]{0,40}"
    r"|\bnot new\b",
    re.IGNORECASE,
)
"""Words that say the same as `already`."""
_OPEN = re.compile(
    r"\b(?:if|unless|whether|not|never|cannot|no longer|should|will|would|must|may|might|add|adds|install|verify|check|confirm"
    r"|ensure|remove|drop|replace|instead|except|only|new|after|once|task|step|phase|bump|upgrade|like|similar|e\.g)\b|n't\b|\?",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?:[^.;!?]|[.;!?](?![*_)\]]{0,3}(?:\s|\Z)))+")
_MARKED = re.compile(r"`([^`\n]{1,100})`")
_NAME = re.compile(r"(?!\w*[a-z][A-Z]\w*\Z)@?[A-Za-z0-9][\w-]*(?:[./][\w-]+){0,4}\Z")
"""A name that a package may have; one of several words that begin with capitals is a class."""


def relied_on(line: str) -> Iterator[str]:
    """The packages that the sentences of a line take to be there."""
    if "`" not in line or not _PRESENT.search(line):
        return
    for sentence in _SENTENCE.finditer(line):
        marked = _MARKED.findall(sentence[0])
        names = [each for each in marked if not MANIFEST.search(each)]
        if any(FILE.fullmatch(each) for each in names):
            continue
        plain = _MARKED.sub(" ", sentence[0])
        said = _NO_NEED.sub(" ", plain)
        packages = len(marked) > 1 or _OF_PACKAGES.search(_NO_NEED.sub(" dependency ", plain))
        if len(names) == 1 and packages and _NAME.match(names[0]) and _PRESENT.search(said) and not _OPEN.search(said):
            yield names[0]


def is_relied_on(line: str, name: str) -> bool:
    """Whether a line takes a package to be there, and so does not add it."""
    return name in line and name in relied_on(line)

"""The kind of project, by few clear signs; without them it is a general web project, and a library by A10's own test.

A dependency that only one kind of project has counts three; words in routes, file and class names count one each, three at
most. A kind must reach four and lead alone, so that a shop with one "payment" page is not called a bank.
"""

from functools import cache

from counterproof.analysis.endpoints.public_api import MIN_LIBRARY_FUNCTIONS
from counterproof.analysis.inventory.domains import ECOSYSTEMS, normal
from counterproof.analysis.libraries import FOLDERS, libraries
from counterproof.analysis.outline.codebase import Codebase
from counterproof.analysis.outline.outline import Outline
from counterproof.analysis.outline.traits import told, trait
from counterproof.analysis.outline.words import vocabulary, words
from counterproof.model.recon import NETWORK_KINDS, Dependency, EntryPoint, ProjectType

_WORDS: dict[ProjectType, frozenset[str]] = {
    ProjectType.CMS: vocabulary("cms article articles page pages post posts comment comments editor publish"),
    ProjectType.FINANCE: vocabulary("ledger iban transfer portfolio trade trading loan interest settlement payout balance"),
    ProjectType.IDENTITY: vocabulary("oauth oidc saml sso idp realm authorize introspect userinfo"),
    ProjectType.DATA_PLATFORM: vocabulary("pipeline dag dataset warehouse etl ingestion lineage spark"),
    ProjectType.IOT: vocabulary("device devices sensor sensors firmware telemetry mqtt gpio"),
    ProjectType.SAAS: vocabulary("tenant tenants subscription subscriptions workspace plan seats billing"),
}
MIN_SCORE = 4


def project_type_of(
    codebase: Codebase,
    entry_points: tuple[EntryPoint, ...],
    dependencies: tuple[Dependency, ...],
    public_functions: int,
    class_words: frozenset[str] = frozenset(),
) -> ProjectType:
    """`class_words` are words in class names of other languages."""
    if not any(each.kind in NETWORK_KINDS for each in entry_points) and public_functions >= MIN_LIBRARY_FUNCTIONS:
        return ProjectType.LIBRARY
    declared = {(FOLDERS[language], each.name) for each in dependencies if (language := ECOSYSTEMS.get(each.ecosystem))}
    named = {word for each in entry_points for word in words(each.path)} | class_words
    named |= {word for found in told(codebase, _words_of_classes).values() for word in found}
    scores = {kind: 3 * len(_known(kind, declared)) + min(3, len(named & spoken)) for kind, spoken in _WORDS.items()}
    best = max(scores.values())
    leaders = [kind for kind, score in scores.items() if score == best]
    return leaders[0] if best >= MIN_SCORE and len(leaders) == 1 else ProjectType.GENERAL_WEB


def _known(kind: ProjectType, declared: set[tuple[str, str]]) -> set[str]:
    return {name for folder, name in declared if normal(name) in _packages(folder, kind)}


@cache
def _packages(folder: str, kind: ProjectType) -> frozenset[str]:
    key = ("project", kind.value.lower().replace(" ", "-"))
    return frozenset(normal(name) for each in libraries(folder) for name in each.names.get(key, ()))


@trait("words of classes")
def _words_of_classes(outline: Outline) -> list[str]:
    return sorted({word for each in outline.module.classes for word in words(each.name)})

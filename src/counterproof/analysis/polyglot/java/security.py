"""What stands before Java handlers as it is written: annotations, and the rules of Spring Security's filter chain.

Invariant: nothing is judged; which rule of a chain covers which route is not decided. Not handled here: routes.
"""

from counterproof.analysis.endpoints.verdict import OPEN, Verdict, as_written, strongest
from counterproof.analysis.polyglot.corpus import Corpus
from counterproof.analysis.polyglot.java.annotations import Annotation
from counterproof.model.survey import Language

_GUARDS = ("PreAuthorize", "Secured", "RolesAllowed", "PostAuthorize", "Authenticated", "DenyAll", "RequiresPermissions",
           "RequiresRoles", "RequiresAuthentication", "SaCheckLogin", "SaCheckRole", "SaCheckPermission",
           "PermitAll", "AnonymousAllowed", "SaIgnore", "Anonymous")  # fmt: skip
_MATCHERS = ("requestMatchers", "antMatchers", "mvcMatchers", "pathMatchers", "regexMatchers", "securityMatcher", "anyRequest",
             "anyExchange")  # fmt: skip


def filter_chains(corpus: Corpus) -> Verdict:
    """The first rule of every file that configures Spring Security: it stands before all routes."""
    return strongest(
        as_written(source.path, found.line, "Spring Security's filter chain")
        for source in corpus.sources(Language.JAVA)
        if b"HttpSecurity" in source.data
        for found in [next((link for chain in corpus.chains(source) for link in chain.links if link.name in _MATCHERS), None)]
        if found is not None
    )


def annotated(annotations: tuple[Annotation, ...]) -> Verdict:
    """The annotations on a method or class that speak of callers."""
    return strongest(
        as_written(each.source.path, each.line, f"{each.name}{f'({each.written()})' if each.values else ''}")
        for each in annotations
        if each.name in _GUARDS
    )


def before(chains: Verdict, inner: tuple[Annotation, ...], outer: tuple[Annotation, ...]) -> Verdict:
    """An annotation on the method replaces those of the class."""
    own = annotated(inner)
    return strongest((own if own is not OPEN else annotated(outer), chains))

"""What stands before Java handlers: annotations, the rules of Spring Security's filter chain, filters and interceptors.

Rules of one filter chain are applied in order; the first whose pattern covers the route decides. Several chains, or patterns
that are not literal, leave the answer open. Does not belong here: routes.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from counterproof.analysis.endpoints.verdict import OPEN, Verdict, left_open, present, unknown
from counterproof.analysis.polyglot.chains import Chain, Link
from counterproof.analysis.polyglot.corpus import Corpus, Place
from counterproof.analysis.polyglot.guards import refusal
from counterproof.analysis.polyglot.java.annotations import Annotation
from counterproof.analysis.polyglot.literals import known_text
from counterproof.analysis.polyglot.source import Source
from counterproof.model.recon import Guard
from counterproof.model.survey import Language

_DEMANDS = ("PreAuthorize", "Secured", "RolesAllowed", "PostAuthorize", "Authenticated", "DenyAll", "RequiresPermissions",
            "RequiresRoles", "RequiresAuthentication", "SaCheckLogin", "SaCheckRole", "SaCheckPermission")  # fmt: skip
_ALLOWS = ("PermitAll", "AnonymousAllowed", "SaIgnore", "Anonymous")
_MATCHERS = ("requestMatchers", "antMatchers", "mvcMatchers", "pathMatchers", "regexMatchers", "securityMatcher")
_OPEN_RULES = ("permitAll", "anonymous")
_CLOSED_RULES = ("authenticated", "hasRole", "hasAnyRole", "hasAuthority", "hasAnyAuthority", "fullyAuthenticated", "denyAll",
                 "access", "hasScope", "rememberMe")  # fmt: skip
_FILTERS = (
    "OncePerRequestFilter", "HandlerInterceptor", "HandlerInterceptorAdapter", "ContainerRequestFilter", "GenericFilterBean",
    "AbstractAuthenticationProcessingFilter", "WebFilter", "Filter",
)  # fmt: skip
_CHECKING = ("doFilter", "doFilterInternal", "preHandle", "filter")


@dataclass(frozen=True, slots=True)
class Rule:
    """`patterns` empty means every path; `method` '' every method; `known` False where a pattern could not be read."""

    patterns: tuple[str, ...]
    method: str
    allows: bool
    known: bool
    source: Source
    line: int


class Security:
    """What stands before all routes of a project."""

    def __init__(self, corpus: Corpus) -> None:
        self.rules: list[Rule] = []
        self.chains = 0
        self.filter = OPEN
        self.uses_spring_security = False
        for source in corpus.sources(Language.JAVA):
            if b"springframework.security" in source.data:
                self.uses_spring_security = True
            if b"HttpSecurity" in source.data:
                self._configured(corpus, source)
            if self.filter is OPEN:
                self.filter = _filter(source)

    def _configured(self, corpus: Corpus, source: Source) -> None:
        before = len(self.rules)
        for chain in corpus.chains(source):
            self.rules += _rules(source, chain)
        if len(self.rules) > before:
            self.chains += source.data.count(b"SecurityFilterChain ") or 1

    def before(self, method: str, path: str) -> Verdict:
        """What stands before one route."""
        if self.rules:
            return self._by_rules(method, path)
        if self.uses_spring_security:
            return left_open("Spring Security is used, but its rules could not be read")
        return self.filter

    def _by_rules(self, method: str, path: str) -> Verdict:
        if self.chains > 1:
            first = self.rules[0]
            return unknown(first.source.path, first.line, "several filter chains; which one applies was not decided")
        for rule in self.rules:
            if rule.method and rule.method != method and method != "ANY":
                continue
            if not rule.known:
                return unknown(rule.source.path, rule.line, "a rule before this route could not be read")
            if not rule.patterns or any(covers(pattern, path) for pattern in rule.patterns):
                return OPEN if rule.allows else present(rule.source.path, rule.line, "", "the filter chain demands it")
        last = self.rules[-1]
        return unknown(last.source.path, last.line, "no rule of the filter chain names this route")


def annotated(annotations: tuple[Annotation, ...]) -> Verdict | None:
    """What the annotations on a method or class say; None where they say nothing."""
    for each in annotations:
        if each.name in _ALLOWS or (each.name == "PreAuthorize" and "permitAll" in each.written()):
            return OPEN
        if each.name in _DEMANDS:
            return present(each.source.path, each.line, f"{each.name}{('(' + each.written() + ')') if each.values else ''}")
    return None


def _rules(source: Source, chain: Chain) -> Iterator[Rule]:
    pending: Link | None = None
    for link in chain.links:
        if link.name in (*_MATCHERS, "anyRequest", "anyExchange"):
            pending = link
        elif pending is not None and link.name in (*_OPEN_RULES, *_CLOSED_RULES):
            yield _rule(source, pending, link.name in _OPEN_RULES)
            pending = None


def _rule(source: Source, matcher: Link, allows: bool) -> Rule:
    patterns: list[str] = []
    method = ""
    known = matcher.name != "regexMatchers"
    for each in matcher.arguments:
        written = source.text(each, 200)
        found = known_text(source, each)
        if written.startswith("HttpMethod."):
            method = written.removeprefix("HttpMethod.")
        elif found is not None:
            patterns.append(found)
        elif (inner := re.search(r"Matcher\w{0,40}\(\"([^\"]{1,200})\"", written)) is not None:
            patterns.append(inner[1])
        else:
            known = False
    return Rule(tuple(patterns), method, allows, known, source, matcher.line)


def covers(pattern: str, path: str) -> bool:
    """Whether an Ant pattern covers all of a route; a literal part covers only some values of a parameter, so not all."""
    wanted = [part for part in pattern.split("/") if part]
    parts = [part for part in path.split("/") if part]
    for index, each in enumerate(wanted):
        if each == "**":
            rest = wanted[index + 1 :]
            return not rest or rest == parts[-len(rest) :]
        if index >= len(parts):
            return False
        part = parts[index]
        if each == "*" or each.startswith("{"):
            continue
        if "*" in each:
            front, _, back = each.partition("*")
            if not (part.startswith(front) and part.endswith(back.rpartition("*")[2])):
                return False
        elif each != part:
            return False
    return len(parts) == len(wanted)


def _filter(source: Source) -> Verdict:
    """A filter or interceptor that refuses somebody may stand before any route; its mapping is not evaluated."""
    for each in source.classes:
        heritage = source.heritage(each)
        if not any(re.search(rf"\b{name}\b", heritage) for name in _FILTERS):
            continue
        for function in source.functions:
            checks = function.owner == each.name and function.name in _CHECKING
            if checks and refusal(Place(source, function), around=True) is not Guard.ABSENT:
                return unknown(
                    source.path, each.line, f"{each.name} refuses callers; which routes it covers was not decided", each.name
                )
    return OPEN

"""The rule index: each rule's dimension, kind and engine, without loading the rule.

A run that reuses earlier results needs only this, and loading the rules would import everything they use. So the index is stored
like any result, under the digest of the program, which covers every rule.

Invariant: the index equals the result of loading the rules. Not handled here: running rules.
"""

from dataclasses import dataclass

from counterproof.analysis.cache import digest_of
from counterproof.analysis.project import SCRIPTS, Project
from counterproof.analysis.ruleset import CallRule, FlowRule, LoadedRule, load_rules
from counterproof.model.dimension import Dimension
from counterproof.model.survey import Language


@dataclass(frozen=True, slots=True)
class IndexedRule:
    """One rule. `family` is its folder; `followed` are the languages that the flow engine runs it on."""

    id: str
    dimension: Dimension
    kind: str
    family: str
    followed: tuple[Language, ...]


@dataclass(frozen=True, slots=True)
class RuleIndex:
    """Every rule of the package, by id."""

    rules: tuple[IndexedRule, ...]

    def kinds(self) -> dict[str, str]:
        return {each.id: each.kind for each in self.rules}

    def families(self, dimensions: tuple[Dimension, ...]) -> tuple[str, ...]:
        """The rule packages with a rule of one of these dimensions."""
        return tuple(sorted({f"rules/{each.family}" for each in self.rules if each.dimension in dimensions}))

    def follows(self, dimensions: tuple[Dimension, ...], language: Language) -> bool:
        """Return True if the flow engine has a rule of one of these dimensions for this language."""
        return any(language in each.followed and each.dimension in dimensions for each in self.rules)


def index_of_rules(project: Project) -> RuleIndex:
    """The index from an earlier run, or built from the rules."""

    def made() -> RuleIndex:
        results, key = project.results, digest_of("index of rules", ())
        found = results.find(RuleIndex, key) if results else None
        if found is None:
            found = RuleIndex(tuple(map(_indexed, load_rules())))
            if results:
                results.keep(key, found)
        return found

    return project.once("index of rules", made)


def _indexed(loaded: LoadedRule) -> IndexedRule:
    rule = loaded.rule
    return IndexedRule(rule.id, rule.dimension, rule.kind, loaded.module.split(".rules.")[1].split(".")[0], _followed(loaded))


def _followed(loaded: LoadedRule) -> tuple[Language, ...]:
    if isinstance(loaded.rule, FlowRule):
        return tuple(loaded.rule.languages)
    return SCRIPTS if isinstance(loaded.rule, CallRule) else ()

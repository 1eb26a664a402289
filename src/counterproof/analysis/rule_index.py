"""What there is to know about every rule without loading it: which dimension and kind it is of, and which engine runs it.

A run that finds the results of an earlier one has to know that much, and loading the rules would bring in everything that they
are written with. So the index is kept like any result, under the digest of the program, which covers every rule.

Invariant: an index says what loading the rules would say. Not handled here: anything that runs a rule.
"""

from dataclasses import dataclass

from counterproof.analysis.cache import digest_of
from counterproof.analysis.project import SCRIPTS, Project
from counterproof.analysis.ruleset import CallRule, FlowRule, LoadedRule, load_rules
from counterproof.model.dimension import Dimension
from counterproof.model.survey import Language


@dataclass(frozen=True, slots=True)
class IndexedRule:
    """One rule. `family` is the folder that it is in; `followed` are the languages that the flow engine runs it on."""

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
        """The rule packages that hold a rule of one of these dimensions."""
        return tuple(sorted({f"rules/{each.family}" for each in self.rules if each.dimension in dimensions}))

    def follows(self, dimensions: tuple[Dimension, ...], language: Language) -> bool:
        """Whether the flow engine has a rule of one of these dimensions for code in this language."""
        return any(language in each.followed and each.dimension in dimensions for each in self.rules)


def index_of_rules(project: Project) -> RuleIndex:
    """Found as an earlier run kept it, or made from the rules themselves."""

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

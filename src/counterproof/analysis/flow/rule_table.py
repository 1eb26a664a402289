"""The sinks and sanitisers of all rules of one examination, by name.

Always holds: nothing but what the rules say. Does not belong here: what a call does.
"""

from collections.abc import Iterable

from counterproof.analysis.libraries.matcher import Sanitisers, SinkTable
from counterproof.analysis.ruleset import FlowRule


class RuleTable(SinkTable[FlowRule]):
    """All rules' sinks and sanitisers, by name."""

    def __init__(self, rules: Iterable[FlowRule]) -> None:
        rules = tuple(rules)
        super().__init__((rule, sink) for rule in rules for sink in rule.sinks)
        self.returns = [rule for rule in rules if rule.handler_returns]
        self.sanitisers = Sanitisers(name for rule in rules for name in rule.sanitisers)

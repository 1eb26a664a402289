"""Which rule speaks for a claim: by its id, or by its CWE where another finder names rules of its own."""

from functools import cache

from counterproof.analysis.project import SCRIPTS
from counterproof.analysis.ruleset import CheckRule, FlowRule, load_rules
from counterproof.model.survey import Language

_KIN = (
    (89, 564, 943),
    (78, 77, 88),
    (79, 80, 83, 87, 116),
    (94, 95, 96),
    (1336, 94),
    (22, 23, 35, 36, 73, 98),
    (434, 73),
    (502,),
    (611, 827, 776),
    (918, 441),
    (601,),
    (90,),
    (643, 91),
)


@cache
def flow_rules() -> tuple[FlowRule, ...]:
    """Those for Python, the one language whose sinks are all followed backwards."""
    rules = (each.rule for each in load_rules())
    return tuple(each for each in rules if isinstance(each, FlowRule) and Language.PYTHON in each.languages)


def script_rule(rule: str) -> FlowRule | None:
    """The flow rule of that id for JavaScript and TypeScript."""
    named = (each.rule for each in load_rules() if each.rule.id == rule)
    return next((each for each in named if isinstance(each, FlowRule) and SCRIPTS[0] in each.languages), None)


@cache
def check_rules() -> tuple[CheckRule, ...]:
    return tuple(each.rule for each in load_rules() if isinstance(each.rule, CheckRule))


def flow_rule(rule: str, cwe: int | None) -> tuple[FlowRule, ...]:
    """Flow rules that a claim may mean: the one it names, else those of its weakness or of a close relative."""
    named = tuple(each for each in flow_rules() if each.id == rule)
    if named or cwe is None:
        return named
    same = tuple(each for each in flow_rules() if each.cwe == cwe)
    kin = {number for group in _KIN if cwe in group for number in group}
    return same or tuple(each for each in flow_rules() if each.cwe in kin)


def check_rule(rule: str, cwe: int | None) -> tuple[CheckRule, ...]:
    named = tuple(each for each in check_rules() if each.id == rule)
    if named or cwe is None:
        return named
    return tuple(each for each in check_rules() if each.cwe == cwe)

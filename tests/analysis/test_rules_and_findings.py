"""No finding without a rule: whatever makes a finding takes its id from a rule that is documented and has cases."""

import ast
from pathlib import Path

import counterproof.analysis
from counterproof.analysis.control import messages
from counterproof.analysis.ruleset import SecretRule, load_rules
from counterproof.analysis.secrets.secret_names import Kind

ROOT = Path(counterproof.analysis.__file__).parent
IDS = {loaded.rule.id for loaded in load_rules()}


def findings_made() -> list[tuple[str, ast.Call]]:
    """Every place in the analysis that makes a finding."""
    found: list[tuple[str, ast.Call]] = []
    for path in sorted(ROOT.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Finding":
                found.append((str(path.relative_to(ROOT)), node))
    return found


def test_every_finding_takes_its_rule_id_from_a_rule() -> None:
    made = findings_made()
    assert len(made) >= 5
    for path, call in made:
        rule = next((each.value for each in call.keywords if each.arg == "rule"), None)
        assert isinstance(rule, ast.Attribute), f"{path}:{call.lineno} writes a rule's id by hand"
        assert rule.attr == "id", f"{path}:{call.lineno} writes a rule's id by hand"
        assert not any(isinstance(each.value, ast.Constant) for each in call.keywords if each.arg in ("cwe", "dimension"))


def test_every_id_that_control_checks_use_is_a_rule() -> None:
    used = {value for name, value in vars(messages).items() if isinstance(value, str) and name.isupper() and name != "NO_POC"}
    assert used <= IDS
    assert used


def test_every_kind_of_secret_has_its_rule() -> None:
    assert {rule.secret for loaded in load_rules() if isinstance(rule := loaded.rule, SecretRule)} == set(Kind)

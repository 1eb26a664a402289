"""What providers take of a contract's schema (F20): each contract, rendered for each provider, keeps within the row's limits."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from anthropic import transform_schema

from agents.specialists.test_model_specialists import task as a_review_task
from counterproof.agents.models import contract_text, schemas
from counterproof.agents.models.providers import PROVIDERS, Provider
from counterproof.agents.models.schemas import SchemaLimits, native_schema, optional_fields, schema_text, union_fields
from counterproof.agents.planning import contract_text as plan_contracts
from counterproof.agents.specialists.model.wire import schema_of as review_schema
from counterproof.knowledge.profiles import load_profile
from counterproof.model.contract import Role
from counterproof.model.review.contract import Work

CONTRACTS = {
    **{role.value: contract_text.schema_of(role) for role in Role},
    **{f"review {work.value}": review_schema(a_review_task(work), load_profile("code")) for work in Work},
    **{
        f"plan {shape.__name__}": schema_text(shape.model_json_schema())
        for shape in (
            plan_contracts.ChallengeResult, plan_contracts.SynthesisResult, plan_contracts.ScoreResult,
            *plan_contracts._RESEARCH.values(),
        )
    },
}  # fmt: skip


def parts(node: Any) -> Iterator[dict[str, Any]]:
    if isinstance(node, dict):
        yield node
        for each in node.values():
            yield from parts(each)
    elif isinstance(node, list):
        for each in node:
            yield from parts(each)


@pytest.mark.rule("F20")
@pytest.mark.parametrize("provider", PROVIDERS, ids=lambda each: each.name)
@pytest.mark.parametrize("contract", CONTRACTS)
def test_native_schema_of_a_contract_keeps_within_the_limits_of_a_provider(contract: str, provider: Provider) -> None:
    limits = provider.schema
    schema = native_schema(CONTRACTS[contract], limits)
    assert limits.optional is None or optional_fields(schema) <= limits.optional
    assert limits.unions is None or union_fields(schema) <= limits.unions
    assert limits.text is None or all(part.get("maxLength", 0) <= limits.text for part in parts(schema))


@pytest.mark.rule("F20")
@pytest.mark.parametrize("contract", CONTRACTS)
def test_native_schema_for_anthropic_is_taken_by_its_sdk(contract: str) -> None:
    [limits] = [each.schema for each in PROVIDERS if each.name == "anthropic"]
    assert limits.strict
    sent = transform_schema(native_schema(CONTRACTS[contract], limits))
    assert not any({"maxLength", "minLength", "maximum", "minimum", "maxItems"} & part.keys() for part in parts(sent))
    assert all(part["additionalProperties"] is False for part in parts(sent) if part.get("type") == "object")


def test_native_schema_requires_the_fields_at_most_places_first() -> None:
    schema = native_schema(contract_text.schema_of(Role.HUNTER), SchemaLimits(optional=24))
    assert set(schema["$defs"]["WireCheck"]["required"]) == {"result", "reason", "file", "line", "operation", "symbol"}
    assert "remedy" not in schema["$defs"]["WireFinding"]["required"]


@pytest.mark.rule("F20")
def test_empty_values_of_required_fields_say_what_their_absence_said() -> None:
    check = {"result": "skip", "reason": "", "file": "", "line": 0, "operation": None, "symbol": ""}
    assert contract_text.WireCheck.model_validate(check) == contract_text.WireCheck(result="skip")


def test_declaration_names_every_field_and_marks_the_optional_ones() -> None:
    said = schemas.declaration(contract_text.schema_of(Role.VALIDATOR))
    assert 'verdict: "confirmed" | "downgraded" | "rejected"' in said
    assert "checks: Checks" in said
    assert "reason?: string" in said
    assert len(said) < len(json.dumps(json.loads(contract_text.schema_of(Role.VALIDATOR)))) * 2 / 3

"""What providers take of a question (F20): each contract, as each provider's library sends it, fits that library's own types and
the limits of the provider's row."""

import asyncio
import json
import warnings
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from typing import Any

import botocore.session
import pytest
from botocore.validate import ParamValidator
from pydantic_ai.models import Model

from agents.models.sdk_types import SDK_TYPES, misfits
from agents.specialists.test_model_specialists import task as a_review_task
from counterproof.agents import tool_table
from counterproof.agents.models import contract_text, schemas
from counterproof.agents.models.bridge import exchanging
from counterproof.agents.models.channel import Message, Question, ToolCall
from counterproof.agents.models.dialect import converse
from counterproof.agents.models.faults import FaultKind, WireFault
from counterproof.agents.models.keys import Key
from counterproof.agents.models.providers import PROVIDERS, Caching, Provider
from counterproof.agents.models.schemas import SchemaLimits, native_schema, optional_fields, schema_text
from counterproof.agents.models.sdk import MAKERS
from counterproof.agents.models.traffic import Incoming, Outgoing
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


MODELS = {
    "anthropic": "claude-sonnet-4-6",
    "openai": "gpt-5",
    "openai-responses": "gpt-5",
    "google": "gemini-3-pro-preview",
    "bedrock": "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
    "mistral": "mistral-large-latest",
    "groq": "openai/gpt-oss-120b",
    "openrouter": "anthropic/claude-sonnet-4.5",
}
TALK = (
    Message("user", "What all tasks are shown."),
    Message("user", "The task."),
    Message("assistant", "", (ToolCall("call-1", "read", '{"path":"a.py"}'),)),
    Message("tool", "text", call_id="call-1", tool="read"),
)


def parts(node: Any) -> Iterator[dict[str, Any]]:
    if isinstance(node, dict):
        yield node
        for each in node.values():
            yield from parts(each)
    elif isinstance(node, list):
        for each in node:
            yield from parts(each)


@cache
def library(provider: Provider) -> Model:
    url = (provider.url or "http://127.0.0.1:9/v1").format(region="us-east-1")
    key = Key("k" * 20, "test", ("s" * 20, "") if provider.name == "bedrock" else ())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # as `opening` does
        return MAKERS[provider.name](MODELS.get(provider.name, "mine"), url, key)


def sent(provider: Provider, contract: str, hand_in: bool = False, **more: Any) -> dict[str, Any]:
    """The request that a provider's library makes of a question with this contract."""
    return json.loads(request_of(provider, contract, hand_in, tuple(more.items())))


@cache
def request_of(provider: Provider, contract: str, hand_in: bool, more: tuple[tuple[str, Any], ...]) -> bytes:
    requests: list[Outgoing] = []

    async def kept(outgoing: Outgoing) -> Incoming:
        requests.append(outgoing)
        raise WireFault(FaultKind.UNREACHABLE, "kept")

    async def run() -> None:
        asked = Question(
            "task", 1, 2, "You check.", TALK, tool_table.audit_specs(), contract, stable=1, hand_in=hand_in, **dict(more)
        )
        async with exchanging(kept):
            with suppress(Exception):  # each library wraps it in its own words
                await converse(library(provider), asked, provider.schema)

    asyncio.run(run())
    [request] = requests
    return request.body


def schema_in(body: dict[str, Any]) -> dict[str, Any] | None:
    """The schema of the answer, wherever a provider has it."""
    for part in parts(body):
        for name, path in SCHEMAS.items():
            if isinstance(part.get(name), dict):
                found: Any = part[name]
                for step in path:
                    found = found[step]
                return json.loads(found) if isinstance(found, str) else found
    return None


SCHEMAS = {
    "output_config": ("format", "schema"),
    "response_format": ("json_schema", "schema"),
    "text": ("format", "schema"),
    "responseJsonSchema": (),
    "outputConfig": ("textFormat", "structure", "jsonSchema", "schema"),
}


def depth(schema: dict[str, Any], node: Any) -> int:
    """Levels of objects in objects."""
    if not isinstance(node, dict):
        return max((depth(schema, each) for each in node), default=0) if isinstance(node, list) else 0
    if "$ref" in node:
        return depth(schema, schema["$defs"][node["$ref"].rpartition("/")[2]])
    inner = max((depth(schema, each) for name, each in node.items() if name != "$defs"), default=0)
    return inner + (node.get("type") == "object")


def union_fields(schema: dict[str, Any]) -> int:
    """The number of fields with one of several types, counted at every occurrence of their object."""
    return sum("anyOf" in each for each in schemas._expanded(schema, schema))


def sdk_misfits(provider: Provider, body: dict[str, Any]) -> Any:
    if provider.name == "bedrock":
        shape = botocore.session.get_session().get_service_model("bedrock-runtime").operation_model("Converse").input_shape
        return ParamValidator().validate({**body, "modelId": "mine"}, shape).generate_report()
    if provider.name == "openrouter":  # two fields of its own beside those of OpenAI
        body.pop("reasoning", None)
        for part in parts(body):
            part.pop("cache_control", None)
    return misfits(body, SDK_TYPES[provider.name])


@pytest.mark.rule("F20")
@pytest.mark.parametrize("provider", PROVIDERS, ids=lambda each: each.name)
@pytest.mark.parametrize("contract", CONTRACTS)
def test_request_of_a_contract_fits_the_types_of_a_providers_sdk(contract: str, provider: Provider) -> None:
    for hand_in in (False, True):
        assert not sdk_misfits(provider, sent(provider, CONTRACTS[contract], hand_in))


@pytest.mark.rule("F20")
@pytest.mark.parametrize("provider", PROVIDERS, ids=lambda each: each.name)
@pytest.mark.parametrize("contract", CONTRACTS)
def test_schema_of_a_contract_keeps_within_the_limits_of_a_provider(contract: str, provider: Provider) -> None:
    limits = provider.schema
    offering, handing_in = (sent(provider, CONTRACTS[contract], hand_in) for hand_in in (False, True))
    assert offering["tools" if provider.name != "bedrock" else "toolConfig"]
    assert bool(schema_in(offering)) is (limits.native and limits.beside_tools)
    schema = schema_in(handing_in)
    assert bool(schema) is limits.native
    if schema is None:
        return
    assert bool(handing_in.get("tools") or handing_in.get("toolConfig")) is limits.beside_listed
    assert limits.optional is None or optional_fields(schema) <= limits.optional
    assert limits.unions is None or union_fields(schema) <= limits.unions
    assert limits.depth is None or depth(schema, schema) <= limits.depth
    bounds = [part[name] for part in parts(schema) for name in BOUNDS if isinstance(part.get(name), int)]
    assert limits.bound is None or max(bounds, default=0) <= limits.bound
    assert limits.bound != 0 or not bounds


BOUNDS = ("minLength", "maxLength", "minItems", "maxItems", "minimum", "maximum")


@pytest.mark.rule("F20")
@pytest.mark.parametrize("provider", PROVIDERS, ids=lambda each: each.name)
def test_the_end_of_the_shared_part_is_marked_for_providers_that_need_it(provider: Provider) -> None:
    marks = [part for part in parts(sent(provider, CONTRACTS["hunter"])) if {"cache_control", "cachePoint"} & part.keys()]
    assert bool(marks) is (provider.caching is Caching.MARKED)
    assert len(marks) <= 4


@pytest.mark.rule("F20")
@pytest.mark.parametrize("provider", PROVIDERS, ids=lambda each: each.name)
@pytest.mark.parametrize("effort", ["low", "high", "xhigh"])
def test_a_budget_for_thinking_leaves_room_for_the_answer(provider: Provider, effort: str) -> None:
    body = sent(provider, CONTRACTS["hunter"], max_output=4_000, effort=effort)
    budgets = [part["budget_tokens"] for part in parts(body) if "budget_tokens" in part]
    assert all(each < 4_000 for each in budgets)
    assert not sdk_misfits(provider, body)


def test_native_schema_requires_the_fields_at_most_places_first() -> None:
    schema = native_schema(contract_text.schema_of(Role.HUNTER), SchemaLimits(optional=24))
    assert set(schema["$defs"]["WireCheck"]["required"]) == {"result", "reason", "file", "line", "operation", "symbol"}
    assert "remedy" not in schema["$defs"]["WireFinding"]["required"]


@pytest.mark.rule("F20")
def test_empty_values_of_required_fields_mean_the_same_as_absence() -> None:
    check = {"result": "skip", "reason": "", "file": "", "line": 0, "operation": None, "symbol": ""}
    assert contract_text.WireCheck.model_validate(check) == contract_text.WireCheck(result="skip")


def test_declaration_names_every_field_and_marks_the_optional_ones() -> None:
    said = schemas.declaration(contract_text.schema_of(Role.VALIDATOR))
    assert 'verdict: "confirmed" | "downgraded" | "rejected"' in said
    assert "checks: Checks" in said
    assert "reason?: string" in said
    assert len(said) < len(json.dumps(json.loads(contract_text.schema_of(Role.VALIDATOR)))) * 2 / 3

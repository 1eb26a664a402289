"""The JSON report: exact, strict against its published schema, without a clock."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given, settings
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from payloads import hostile_text, unseen
from sample_report import deep_sample, poisoned, sample

from counterproof.reports import render
from counterproof.reports.schema import schema, schema_text
from effort import examples

PUBLISHED = Path(__file__).parents[2] / "docs" / "reference" / "report-schema.json"
VALIDATOR = cast("Any", Draft202012Validator(schema()))


def document() -> dict[str, Any]:
    return json.loads(render(sample(), "json"))


def test_the_published_schema_is_the_generated_one() -> None:
    assert PUBLISHED.read_text(encoding="utf-8") == schema_text(schema())


def test_the_schema_is_valid_and_the_report_meets_it() -> None:
    Draft202012Validator.check_schema(schema())
    VALIDATOR.validate(document())
    VALIDATOR.validate(json.loads(render(deep_sample(), "json")))


def objects(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        if "properties" in value:
            yield value
        for each in cast("dict[str, Any]", value).values():
            yield from objects(each)


def test_every_object_is_closed_and_every_field_required() -> None:
    every = list(objects(schema()))
    assert len(every) > 15
    for each in every:
        assert each["additionalProperties"] is False
        assert each["required"] == list(each["properties"])


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("extra",), 1),
        (("findings", 0, "extra"), 1),
        (("findings", 0, "number"), "X-1"),
        (("findings", 0, "severity"), "none"),
        (("coverage", 0, "status"), "maybe"),
        (("schema_version",), "0"),
        (("exit_code",), 9),
        (("scale", "loc"), "many"),
        (("scale", "languages", 0), ["python"]),
    ],
)
def test_the_schema_refuses_what_does_not_belong(path: tuple[str | int, ...], value: object) -> None:
    changed: Any = document()
    node = changed
    for part in path[:-1]:
        node = node[part]
    node[path[-1]] = value
    with pytest.raises(ValidationError):
        VALIDATOR.validate(changed)


@pytest.mark.rule("A50")
def test_the_evidence_of_a_deep_audit_is_exact() -> None:
    value = json.loads(render(deep_sample(), "json"))
    assert value["control"] == {"endpoints": 6, "verified": 4, "resources": 3, "compared": 2, "inconsistent": ["order"]}
    assert value["chains"][0] == {
        "numbers": ["C-01", "H-01"],
        "capabilities": ["the signing key"],
        "severity": "critical",
        "confidence": "validated",
        "points": 7,
    }
    assert value["baseline"]["file_hotspots"] == [["shop/orders.py", 5]]
    assert json.loads(render(sample(), "json"))["control"] is None


def test_no_field_is_lost() -> None:
    changed = document()
    del changed["limitations"]
    with pytest.raises(ValidationError):
        VALIDATOR.validate(changed)


def test_the_report_holds_no_clock() -> None:
    assert "2026-01-01" not in render(sample(), "json")
    assert all("started_at" not in agent for agent in document()["agents"])
    later = replace(sample().agents[0], started_at="2030-01-01T00:00:00Z")
    assert render(replace(sample(), agents=(later, *sample().agents[1:])), "json") == render(sample(), "json")


@pytest.mark.rule("X11")
@settings(max_examples=examples(40), deadline=None)
@given(hostile_text)
def test_values_are_exact_and_bytes_are_inert(payload: str) -> None:
    text = render(poisoned(payload), "json")
    text.encode()
    assert unseen(text, " \n") == []
    value = json.loads(text)
    assert value["target"] == payload
    assert value["findings"][0]["finding"]["impact"] == payload
    assert value["refused"][0]["place"] == payload

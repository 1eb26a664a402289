"""Runs of earlier versions are compared by the identity that this version gives their findings (A62)."""

import json
from typing import Any

import pytest

from counterproof.app.old_reports import fingerprints
from counterproof.model.root_cause import fingerprint
from counterproof.reports import render
from reports.sample_report import deep_sample


def rows_of_an_old_report() -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads(render(deep_sample(), "json"))["findings"]
    for row in rows:
        del row["confidence"]
        row["fingerprint"] = "0" * 32
    return rows


@pytest.mark.rule("A62")
def test_findings_of_an_old_report_get_the_identity_of_this_version() -> None:
    expected = tuple(fingerprint(row.finding, 0) for row in deep_sample().findings)
    assert fingerprints(rows_of_an_old_report()) == expected


@pytest.mark.rule("A62")
def test_equal_lines_of_one_function_are_distinguished_in_file_order() -> None:
    first, *_ = rows_of_an_old_report()
    later = json.loads(json.dumps(first))
    later["finding"]["location"] = {**first["finding"]["location"], "start": 900, "end": 900}
    names = fingerprints([later, first])
    assert names == (fingerprint(deep_sample().findings[0].finding, 1), fingerprint(deep_sample().findings[0].finding, 0))


def test_a_report_of_this_version_keeps_its_fingerprints() -> None:
    rows = json.loads(render(deep_sample(), "json"))["findings"]
    assert fingerprints(rows) == tuple(row["fingerprint"] for row in rows)

"""What an OSV record means: ranges, lists, aliases, withdrawal, severity."""

import json
from typing import Any

import pytest
from osv_samples import CRITICAL, Record, record

from counterproof.analysis.dependencies.osv import matches
from counterproof.analysis.dependencies.osv.record import Advisory, advisories_in, base_score, severity_of
from counterproof.model.severity import Severity


def read(*records: Record) -> list[Advisory]:
    return [each for row in records for each in advisories_in(json.dumps(row).encode()) or ()]


def ids(version: str, *records: Record, package: tuple[str, str] = ("pypi", "lib")) -> list[str]:
    return [each.id for each in matches(package, version, read(*records))[0]]


def spanned(*events: dict[str, str], ecosystem: str = "PyPI") -> Record:
    return record("X-1", "lib", ecosystem, *events)


@pytest.mark.parametrize(
    ("version", "hit"), [("0.1", False), ("1.0rc1", False), ("1.0", True), ("1.9.9", True), ("2.0rc1", True), ("2.0", False)]
)
def test_a_range_begins_with_its_introduction_and_ends_before_its_fix(version: str, hit: bool) -> None:
    assert bool(ids(version, spanned({"introduced": "1.0"}, {"fixed": "2.0"}))) is hit


def test_the_last_affected_version_is_affected_and_the_next_is_not() -> None:
    rows = spanned({"introduced": "0"}, {"last_affected": "1.5"})
    assert [bool(ids(version, rows)) for version in ("1.5", "1.5.post1", "1.6")] == [True, False, False]


def test_events_in_any_order_and_several_spans() -> None:
    rows = spanned({"fixed": "3.1"}, {"introduced": "3.0"}, {"fixed": "1.2"}, {"introduced": "0"})
    assert [bool(ids(version, rows)) for version in ("1.1", "1.2", "2.9", "3.0", "3.1")] == [True, False, False, True, False]


def test_a_single_version_as_a_range() -> None:
    rows = spanned({"introduced": "1.0"}, {"last_affected": "1.0"})
    assert [bool(ids(version, rows)) for version in ("0.9", "1.0", "1.1")] == [False, True, False]


def test_listed_versions_count_without_a_range_and_in_any_spelling() -> None:
    rows = record("X-1", affected=[{"package": {"ecosystem": "PyPI", "name": "lib"}, "versions": ["1.10", "latest"]}])
    assert [bool(ids(version, rows)) for version in ("1.10", "1.10.0", "1.1")] == [True, True, False]


def test_ranges_of_commits_say_nothing() -> None:
    rows = record("X-1")
    rows["affected"][0]["ranges"][0]["type"] = "GIT"
    assert ids("1.0", rows) == []


@pytest.mark.parametrize(
    ("ecosystem", "ours", "name", "inside", "outside"),
    [
        ("npm", "npm", "@scope/lib", "1.9.9-beta.1", "2.0.0"),
        ("Go", "go", "example.org/lib", "v0.0.0-20200101000000-aaaaaaaaaaaa", "v2.0.0"),
        ("Maven", "maven", "org.example:lib", "2.0-rc1", "2.0.RELEASE"),
        ("Packagist", "packagist", "vendor/lib", "2.0.0-beta1", "v2.0.0"),
        ("RubyGems", "rubygems", "lib", "2.0.pre", "2.0.0"),
    ],
)
def test_each_ecosystem_orders_by_its_own_rules(ecosystem: str, ours: str, name: str, inside: str, outside: str) -> None:
    rows = record("X-1", name, ecosystem)
    assert ids(inside, rows, package=(ours, name)) == ["X-1"]
    assert ids(outside, rows, package=(ours, name)) == []


def test_names_are_compared_in_their_normal_form() -> None:
    assert ids("1.0", record("X-1", "Lib_A.b"), package=("pypi", "lib-a-b")) == ["X-1"]
    assert ids("1.0", record("X-1", "Vendor/Lib", "Packagist"), package=("packagist", "vendor/lib")) == ["X-1"]


def test_a_version_without_an_order_is_unclear_and_not_clean() -> None:
    found, unclear = matches(("pypi", "lib"), "trunk", read(record("X-1")))
    assert (found, unclear) == ((), True)


def test_aliases_are_one_vulnerability_named_by_its_cve() -> None:
    rows = [
        record("PYSEC-1", aliases=["CVE-1"]),
        record("GHSA-1", aliases=["CVE-1"], summary="Told here", severity=[{"type": "CVSS_V3", "score": CRITICAL}]),
        record("CVE-1"),
        record("OTHER-1"),
    ]
    found, _ = matches(("pypi", "lib"), "1.0", read(*rows))
    assert [(each.id, each.severity, each.summary, each.fixed) for each in found] == [
        ("CVE-1", Severity.CRITICAL, "Told here", "2.0"),
        ("OTHER-1", None, "", "2.0"),
    ]
    assert found[0].aliases == ("GHSA-1", "PYSEC-1")
    assert matches(("pypi", "lib"), "1.0", read(*reversed(rows)))[0] == found


def test_aliases_join_groups_that_met_only_later() -> None:
    rows = [record("A-1", aliases=["M-1"]), record("B-1", aliases=["N-1"]), record("C-1", aliases=["M-1", "N-1"])]
    assert len(matches(("pypi", "lib"), "1.0", read(*rows))[0]) == 1


def test_withdrawn_records_do_not_count() -> None:
    assert ids("1.0", record("X-1", withdrawn="2026-01-01T00:00:00Z")) == []


def test_records_of_other_packages_and_ecosystems_do_not_count() -> None:
    assert ids("1.0", record("X-1", "other"), record("X-2", "lib", "npm"), record("X-3", "lib", "Debian:12")) == []
    assert ids("1.0", record("X-1", "lib", "Maven:https://repository.example.org"), package=("maven", "lib")) == ["X-1"]


@pytest.mark.parametrize(
    ("vector", "score"),
    [
        ("CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H", 9.8),
        ("CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H", 10.0),
        ("CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N", 6.1),
        ("CVSS:3.0/AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:N/A:N", 5.9),
        ("CVSS:3.1/AV:L/AC:L/PR:H/UI:N/S:U/C:L/I:N/A:N", 2.3),
        ("CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:C/C:H/I:N/A:N", 7.7),
        ("CVSS:3.1/AV:P/AC:H/PR:H/UI:R/S:U/C:N/I:N/A:N", 0.0),
        ("CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H/E:P/RL:O", 9.8),
    ],
)
def test_base_scores_of_version_three(vector: str, score: float) -> None:
    assert base_score(vector) == score


@pytest.mark.parametrize("vector", ["", "CVSS:3.1/", "CVSS:3.1/AV:X", "CVSS:2.0/AV:N", "9.8", "CVSS:3.1/" + "AV:N/" * 1_000])
def test_what_is_no_vector_has_no_score(vector: str) -> None:
    assert base_score(vector) is None


@pytest.mark.parametrize(
    ("fields", "severity"),
    [
        ({"severity": [{"type": "CVSS_V3", "score": CRITICAL}], "database_specific": {"severity": "LOW"}}, Severity.CRITICAL),
        ({"database_specific": {"severity": "MODERATE"}}, Severity.MEDIUM),
        (
            {
                "severity": [{"type": "CVSS_V4", "score": "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N"}],
                "database_specific": {"severity": "HIGH"},
            },
            Severity.HIGH,
        ),
        (
            {"severity": [{"type": "CVSS_V4", "score": "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N"}]},
            None,
        ),
        ({"affected": [{"severity": [{"type": "CVSS_V3", "score": CRITICAL}]}]}, Severity.CRITICAL),
        ({"severity": "high"}, None),
        ({}, None),
    ],
)
def test_severity_comes_from_vectors_then_from_the_database(fields: dict[str, Any], severity: Severity | None) -> None:
    assert severity_of(fields) is severity


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[" * 100_000,
        b"{",
        b"\xff\xfe",
    ],
)
def test_invalid_json_returns_none(content: bytes) -> None:
    assert advisories_in(content) is None


@pytest.mark.parametrize(
    "row",
    [
        {},
        {"id": 5},
        {"id": "x" * 1_000},
        {"id": "X", "affected": "all"},
        {"id": "X", "affected": [None, 5, {"package": "lib"}, {"package": {"name": 1, "ecosystem": "PyPI"}}]},
        {
            "id": "X",
            "affected": [{"package": {"name": "lib", "ecosystem": "PyPI"}, "ranges": [{"type": "SEMVER", "events": [1]}]}],
        },
        {"id": "X", "affected": [{"package": {"name": "lib", "ecosystem": "PyPI"}, "versions": {"1.0": True}}]},
        [[{"id": "X"}]],
        "text",
        None,
    ],
)
def test_fields_of_the_wrong_shape_are_absent(row: Any) -> None:
    assert matches(("pypi", "lib"), "1.0", read(row)) == ((), False)

"""Semgrep's JSON is read with suspicion: whatever it holds, the result is bounded, about our files, and in order."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.semgrep.targets import printed, result
from counterproof.analysis.semgrep import output as reading
from counterproof.analysis.semgrep.output import NotSemgrep, read_output
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Confidence, Severity
from counterproof.model.survey import FileRole, Language, SourceFile

FILES = {
    "a.py": SourceFile("a.py", Language.PYTHON, 9, 9, 100, "0" * 64),
    "b.mts.ts": SourceFile("b.mts", Language.TYPESCRIPT, 9, 9, 100, "0" * 64),
    "tests/t.py": SourceFile("tests/t.py", Language.PYTHON, 9, 9, 100, "0" * 64, FileRole.TEST),
}

anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(max_size=20)
    | st.sampled_from(sorted(FILES)),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(("path", "start", "end", "line", "extra", "metadata", "cwe", "check_id", "type")), inner, max_size=6
        )
    ),
    max_leaves=20,
)


@given(results=st.lists(anything, max_size=5), errors=st.lists(anything, max_size=5), paths=anything, time=anything)
def test_any_shape_is_taken_without_raising(results: object, errors: object, paths: object, time: object) -> None:
    data = json.dumps({"results": results, "errors": errors, "paths": paths, "time": time, "version": paths}).encode()
    found = read_output(data, FILES)
    known = {file.path for file in FILES.values()}
    assert all(hit.path in known and hit.end <= 9 for hit in found.hits)
    assert all(row.path in known or not row.path for row in found.unparsed)


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    with pytest.raises(NotSemgrep):
        read_output(data, FILES)


def test_hits_are_numbered_in_order_without_repeats_under_the_names_of_the_originals() -> None:
    found = read_output(printed([result("b.mts.ts"), result("a.py", 5), result("a.py", 3), result("./a.py", 3)]), FILES)
    assert [(hit.id, hit.path, hit.start) for hit in found.hits] == [
        ("S001", "a.py", 3),
        ("S002", "a.py", 5),
        ("S003", "b.mts", 2),
    ]


@pytest.mark.rule("X12")
def test_hits_on_files_or_lines_that_were_not_given_are_counted_and_dropped() -> None:
    lying = [result("/etc/passwd"), result("../a.py"), result("a.py", 10), result("a.py", 0), result("a.py", rule="")]
    found = read_output(printed(lying), FILES)
    assert found.hits == ()
    assert [row.reason for row in found.unparsed] == ["5 results of Semgrep could not be read"]


@pytest.mark.rule("X17")
def test_a_secret_in_a_message_is_hidden_and_control_characters_are_gone() -> None:
    message = "password = 'correct-horse-battery' \x1b[31m\nsecond line " + "x" * 5000
    (hit,) = read_output(printed([result("a.py", message=message)]), FILES).hits
    assert "correct-horse-battery" not in hit.message
    assert "‹secret:" in hit.message
    assert hit.message.isprintable()
    assert len(hit.message) <= 500


@pytest.mark.parametrize(
    ("severity", "wanted"),
    [
        ("ERROR", Severity.HIGH),
        ("WARNING", Severity.MEDIUM),
        ("INFO", Severity.LOW),
        ("critical", Severity.CRITICAL),
        (7, Severity.LOW),
    ],
)
def test_severities_of_both_generations_are_understood(severity: object, wanted: Severity) -> None:
    (hit,) = read_output(printed([result("a.py", severity=severity)]), FILES).hits
    assert hit.severity is wanted


@pytest.mark.parametrize(
    ("cwe", "number", "dimension"),
    [
        ("CWE-89: SQL", 89, Dimension.D1),
        (["CWE-0502", "CWE-22"], 502, Dimension.D4),
        (918, 918, Dimension.D6),
        ("none", None, None),
        (True, None, None),
        ("CWE-4242", 4242, None),
    ],
)
def test_weaknesses_are_found_however_a_rule_writes_them(cwe: object, number: int | None, dimension: Dimension | None) -> None:
    (hit,) = read_output(printed([result("a.py", metadata={"cwe": cwe, "confidence": "HIGH"})]), FILES).hits
    assert (hit.cwe, hit.dimension, hit.confidence) == (number, dimension, Confidence.HIGH)


@pytest.mark.rule("A29")
def test_test_files_count_only_for_certain_hits_of_cryptography_and_configuration() -> None:
    def inside(dimension: str, confidence: str) -> dict[str, object]:
        return result("tests/t.py", rule=f"{dimension}-{confidence}", metadata={"dimension": dimension, "confidence": confidence})

    found = read_output(printed([inside("D1", "HIGH"), inside("D7", "HIGH"), inside("D8", "LOW"), inside("D8", "HIGH")]), FILES)
    assert [hit.rule for hit in found.hits] == ["D7-HIGH", "D8-HIGH"]
    assert found.in_tests == 2


def test_hits_beyond_the_bound_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MAX_HITS", 2)
    found = read_output(printed([result("a.py", line) for line in (1, 2, 3)]), FILES)
    assert [hit.start for hit in found.hits] == [1, 2]
    assert [row.reason for row in found.unparsed] == ["1 hits beyond the first 2 were left out"]


def test_errors_are_reported_once_per_file() -> None:
    errors: list[object] = [
        {"type": ["PartialParsing", []], "path": "a.py", "message": "x"},
        {"type": "Timeout", "path": "a.py", "message": "y"},
        {"type": "Timeout", "path": "b.mts.ts", "message": "y"},
        {"type": "Rule parse error", "message": "rule one is broken"},
    ]
    found = read_output(printed([], errors), FILES)
    assert [(row.path, row.reason) for row in found.unparsed] == [
        ("a.py", "a part of it could not be parsed"),
        ("b.mts", "a rule took too long"),
    ]
    assert found.fault == "rule one is broken"

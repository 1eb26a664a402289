"""A baseline that contradicts itself cannot exist."""

import pytest

from counterproof.model.baseline import Baseline, BaselineStatus, Hit, Unparsed, skipped
from counterproof.model.dimension import Dimension
from counterproof.model.errors import InvalidValue
from counterproof.model.severity import Severity

HIT = Hit("S001", "rule", "a.py", 1, 2, "message", 89, Severity.HIGH, Dimension.D1)


def test_each_status_has_its_sentence() -> None:
    assert skipped("it is gone").reason == "it is gone"
    assert Baseline(BaselineStatus.PARTIAL, "1 file", (HIT,), (Unparsed("b.py", "why"),)).reason == "1 file"


@pytest.mark.parametrize(
    "values",
    [
        {"status": BaselineStatus.SKIPPED},
        {"status": BaselineStatus.PARTIAL},
        {"status": BaselineStatus.COMPLETED, "reason": "why"},
        {"status": BaselineStatus.SKIPPED, "reason": "why", "hits": (HIT,)},
        {"status": BaselineStatus.COMPLETED, "unparsed": (Unparsed("b.py", "why"),)},
        {"status": BaselineStatus.COMPLETED, "hits": (HIT, HIT)},
    ],
)
def test_contradictions_are_refused(values: dict[str, object]) -> None:
    with pytest.raises(InvalidValue):
        Baseline(**values)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "changed", [{"path": "../a.py"}, {"start": 0}, {"end": 0}, {"id": ""}, {"rule": ""}, {"cwe": 0}, {"message": "x" * 501}]
)
def test_a_hit_is_about_a_place_in_the_target(changed: dict[str, object]) -> None:
    values = {name: getattr(HIT, name) for name in HIT.__slots__}
    with pytest.raises(InvalidValue):
        Hit(**{**values, **changed})  # type: ignore[arg-type]


def test_an_unparsed_file_has_a_reason_and_is_inside_the_target() -> None:
    for path, reason in (("/etc/passwd", "why"), ("a.py", "")):
        with pytest.raises(InvalidValue):
            Unparsed(path, reason)

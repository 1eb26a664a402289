"""Fingerprints of findings in JSON reports of any version, computed from the report itself, so that runs can be compared.

Invariant: a report of this version keeps its stated fingerprints. Not handled here: reading files, comparing.
"""

from typing import Any, Final

from counterproof.model.fact import Fact, Operation
from counterproof.model.kinship import kin
from counterproof.model.location import at
from counterproof.model.proof import ConsideredGuard, Link, Part, Proof, Shape, Verdict
from counterproof.model.root_cause import RootCause, mark_of, named, normal_code

MAX_FINGERPRINT: Final = 64

Row = dict[str, Any]


def fingerprints(rows: list[Row]) -> tuple[str, ...]:
    """One fingerprint for each finding of a report, in order."""
    if all("confidence" in row for row in rows):
        return tuple(str(row["fingerprint"])[:MAX_FINGERPRINT] for row in rows)
    causes = [_cause(row["finding"]) for row in rows]
    order = sorted(range(len(rows)), key=lambda index: (_line(rows[index]), index))
    counts: dict[RootCause, int] = {}
    found: dict[int, str] = {}
    for index in order:
        cause = causes[index]
        found[index] = named(cause, counts.get(cause, 0))
        counts[cause] = counts.get(cause, 0) + 1
    return tuple(found[index] for index in range(len(rows)))


def _line(row: Row) -> int:
    return int(row["finding"]["location"]["start"])


def _cause(finding: Row) -> RootCause:
    place = finding["location"]
    proof = finding.get("proof")
    return RootCause(
        str(place["path"]),
        str(finding.get("function") or ""),
        kin(int(finding["cwe"])),
        mark_of(_proof(proof)) if proof else "",
        normal_code(_code(finding)),
    )


def _code(finding: Row) -> str:
    shown = finding.get("excerpt")
    number = int(finding["location"]["start"]) - int(shown["first"]) if shown else -1
    return str(shown["lines"][number]) if shown and 0 <= number < len(shown["lines"]) else str(finding["evidence"])


def _proof(stated: Row) -> Proof:
    """The part of a proof that identifies the weakness."""
    links = tuple(
        Link(Part(each["part"]), Fact(at("x", 1), Operation(each["fact"]["operation"]), str(each["fact"]["symbol"])))
        for each in stated["links"]
    )
    names = (str(each["name"]) for each in stated["guards"] if Verdict(each["verdict"]) is Verdict.ABSENT)
    missing = tuple(ConsideredGuard(name, Verdict.ABSENT) for name in names)
    return Proof(Shape(stated["shape"]), links or (_NOTHING,), missing)


_NOTHING: Final = Link(Part.HANDLER, Fact(at("x", 1), Operation.LITERAL))

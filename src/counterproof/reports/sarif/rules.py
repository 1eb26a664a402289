"""The rules and the weakness taxonomy of a SARIF run, derived from the findings that cite them.

Code scanning shows a rule's text for all its alerts, so it describes the class of problem; details of one finding are in its
result.
"""

import re
from typing import Final

from counterproof.model.confidence import Confidence
from counterproof.model.finding import Finding
from counterproof.model.report import ReportedFinding
from counterproof.model.severity import Severity
from counterproof.reports.inert import code, line, message, prose
from counterproof.reports.sarif.log import TAXONOMY, Node, filled, text
from counterproof.reports.weaknesses import name_of, weakness

MAX_REMEDIES: Final = 3
MAX_WEAKNESS_TAGS: Final = 8
"""Code scanning shows 10 tags of a rule; two of them are our own."""

LEVELS: Final = {Severity.CRITICAL: "error", Severity.HIGH: "error", Severity.MEDIUM: "warning", Severity.LOW: "note"}
SCORES: Final = {Severity.CRITICAL: "9.5", Severity.HIGH: "8.0", Severity.MEDIUM: "5.5", Severity.LOW: "2.0"}
"""Within code scanning's bands of the same names: over 9.0, from 7.0, from 4.0, below."""
PRECISION: Final = {
    Confidence.DEMONSTRATED: "very-high",
    Confidence.PROVED: "very-high",
    Confidence.VALIDATED: "high",
    Confidence.CLAIMED: "medium",
    Confidence.SUSPECTED: "low",
}

RANKS: Final = {
    Confidence.DEMONSTRATED: 100.0,
    Confidence.PROVED: 90.0,
    Confidence.VALIDATED: 75.0,
    Confidence.CLAIMED: 40.0,
    Confidence.SUSPECTED: 10.0,
}
"""SARIF's rank, 0 to 100: the confidence of the finding. Its severity is the level."""

_WORD = re.compile(r"[A-Za-z0-9]+")


def rule_id(finding: Finding) -> str:
    """The rule's id; the weakness for an agent's finding without a rule."""
    return line(finding.rule, 200) or f"CWE-{finding.cwe}"


def cwe_tag(cwe: int) -> str:
    """The tag from which code scanning reads a weakness."""
    return f"external/cwe/cwe-{cwe:03d}"


def taxon_index(findings: tuple[ReportedFinding, ...]) -> dict[int, int]:
    """The index of each cited weakness in the taxonomy."""
    return {cwe: index for index, cwe in enumerate(sorted({each.finding.cwe for each in findings}))}


def taxon_reference(cwe: int, taxa: dict[int, int]) -> Node:
    return {"id": str(cwe), "index": taxa[cwe], "toolComponent": TAXONOMY}


def taxonomy(taxa: dict[int, int]) -> Node:
    """The weaknesses that this run cites."""
    return filled(
        {
            "name": "CWE",
            "organization": "MITRE",
            "informationUri": "https://cwe.mitre.org/",
            "shortDescription": text("Common Weakness Enumeration"),
            "isComprehensive": False,
            "taxa": [{"id": str(cwe), "shortDescription": text(name_of(cwe)), "helpUri": _page_of(cwe)} for cwe in taxa],
        }
    )


def _page_of(cwe: int) -> str:
    return f"https://cwe.mitre.org/data/definitions/{cwe}.html"


def rules(findings: tuple[ReportedFinding, ...]) -> tuple[Node, ...]:
    """One rule per id, sorted by id."""
    groups: dict[str, list[ReportedFinding]] = {}
    for each in findings:
        groups.setdefault(rule_id(each.finding), []).append(each)
    taxa = taxon_index(findings)
    return tuple(_rule(name, groups[name], taxa) for name in sorted(groups))


def _rule(name: str, group: list[ReportedFinding], taxa: dict[int, int]) -> Node:
    worst = max((each.severity for each in group), key=lambda severity: severity.rank)
    unsurest = min((each.confidence for each in group), key=lambda confidence: confidence.rank)
    weaknesses = sorted({each.finding.cwe for each in group})
    first, level = group[0].finding, LEVELS[worst]
    words = _WORD.findall(name)
    return {
        "id": name,
        "name": "".join(word[0].upper() + word[1:] for word in words) or f"CWE{first.cwe}",
        "shortDescription": text(name_of(first.cwe)),
        "fullDescription": text(message(_class_text(name, first))),
        "help": _help(name, group),
        "helpUri": _page_of(first.cwe),
        "defaultConfiguration": {"level": level},
        "relationships": [{"target": taxon_reference(cwe, taxa), "kinds": ["superset"]} for cwe in weaknesses],
        "properties": {
            "tags": ["security", first.dimension.value, *(cwe_tag(cwe) for cwe in weaknesses[:MAX_WEAKNESS_TAGS])],
            "security-severity": SCORES[worst],
            "precision": PRECISION[unsurest],
            "problem.severity": "recommendation" if level == "note" else level,
        },
    }


def _class_text(name: str, finding: Finding) -> str:
    dimension = finding.dimension
    return f"{weakness(finding.cwe)}, dimension {dimension.value} {dimension.label}, reported by rule {name}."


def _help(name: str, group: list[ReportedFinding]) -> Node:
    first = group[0].finding
    remedies = list(dict.fromkeys(each.finding.remedy for each in group if each.finding.remedy.strip()))[:MAX_REMEDIES]
    heading = "How to fix it"
    said = " ".join([_class_text(name, first), *([f"{heading}:", *remedies] if remedies else [])])
    blocks = [
        f"## {name_of(first.cwe)}",
        f"{weakness(first.cwe)}, dimension {first.dimension.value} {first.dimension.label}, reported by rule {code(name)}.",
        "Severity is calibrated for every finding; a rule carries the highest of its findings.",
        *([f"### {heading}", "\n".join(f"- {prose(remedy)}" for remedy in remedies)] if remedies else []),
    ]
    return {"text": message(said), "markdown": "\n\n".join(blocks)}

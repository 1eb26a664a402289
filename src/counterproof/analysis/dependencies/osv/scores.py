"""How severe a vulnerability is, from the CVSS vectors of its record or, failing those, the word that its database gives.

Version 3 base scores are computed as the standard says. Version 4 has no formula but a table of expert judgements; its vectors
are read as the nearest version 3 vector, which is an estimate, and only where the database gives no word of its own.
"""

from math import ceil

from counterproof.analysis.dependencies.plain_data import Table, as_list, as_table
from counterproof.model.severity import Severity

_WORDS = {
    "critical": Severity.CRITICAL,
    "high": Severity.HIGH,
    "important": Severity.HIGH,
    "moderate": Severity.MEDIUM,
    "medium": Severity.MEDIUM,
    "low": Severity.LOW,
}
_VECTOR = {"N": 0.85, "A": 0.62, "L": 0.55, "P": 0.2}
_COMPLEXITY = {"L": 0.77, "H": 0.44}
_PRIVILEGES = {"N": 0.85, "L": 0.62, "H": 0.27}
_PRIVILEGES_CHANGED = {"N": 0.85, "L": 0.68, "H": 0.5}
_INTERACTION = {"N": 0.85, "R": 0.62}
_IMPACT = {"H": 0.56, "L": 0.22, "N": 0.0}
MAX_VECTOR = 300


def severity_of(record: Table) -> Severity | None:
    """The highest that the record's vectors give; else the database's own word; else None."""
    given = [as_table(each) for each in as_list(record.get("severity"))[:20]]
    for affected in as_list(record.get("affected"))[:200]:
        given += [as_table(each) for each in as_list(as_table(affected).get("severity"))[:20]]
    exact = [score for each in given if (score := base_score(str(each.get("score", "")))) is not None]
    if exact:
        return level_of(max(exact))
    word = as_table(record.get("database_specific")).get("severity")
    if isinstance(word, str) and word.lower() in _WORDS:
        return _WORDS[word.lower()]
    estimates = [score for each in given if (score := estimated_score(str(each.get("score", "")))) is not None]
    return level_of(max(estimates)) if estimates else None


def level_of(score: float) -> Severity:
    """The qualitative scale of the standard."""
    if score >= 9.0:
        return Severity.CRITICAL
    if score >= 7.0:
        return Severity.HIGH
    return Severity.MEDIUM if score >= 4.0 else Severity.LOW


def base_score(vector: str) -> float | None:
    """The base score of a version 3.0 or 3.1 vector; None for anything else."""
    if not vector.startswith(("CVSS:3.0/", "CVSS:3.1/")):
        return None
    return _score(_metrics(vector))


def estimated_score(vector: str) -> float | None:
    """A version 4 vector read as the nearest version 3 one."""
    if not vector.startswith("CVSS:4.0/"):
        return None
    four = _metrics(vector)
    beyond = any(four.get(metric, "N") != "N" for metric in ("SC", "SI", "SA"))
    three = {
        "AV": four.get("AV", ""),
        "AC": "H" if four.get("AC") == "H" or four.get("AT") == "P" else "L",
        "PR": four.get("PR", ""),
        "UI": "N" if four.get("UI") == "N" else "R",
        "S": "C" if beyond else "U",
        "C": four.get("VC", ""),
        "I": four.get("VI", ""),
        "A": four.get("VA", ""),
    }
    return _score(three)


def _metrics(vector: str) -> dict[str, str]:
    parts = (part.partition(":") for part in vector[:MAX_VECTOR].split("/")[1:])
    return {name: value for name, _, value in parts}


def _score(metrics: dict[str, str]) -> float | None:
    changed = metrics.get("S") == "C"
    try:
        reach = _VECTOR[metrics["AV"]] * _COMPLEXITY[metrics["AC"]] * _INTERACTION[metrics["UI"]]
        reach *= (_PRIVILEGES_CHANGED if changed else _PRIVILEGES)[metrics["PR"]]
        kept = (1 - _IMPACT[metrics["C"]]) * (1 - _IMPACT[metrics["I"]]) * (1 - _IMPACT[metrics["A"]])
    except KeyError:
        return None
    lost = 1 - kept
    impact = 7.52 * (lost - 0.029) - 3.25 * (lost - 0.02) ** 15 if changed else 6.42 * lost
    if impact <= 0:
        return 0.0
    total = impact + 8.22 * reach
    return _rounded_up(min(1.08 * total if changed else total, 10.0))


def _rounded_up(value: float) -> float:
    """To one decimal, upwards, without the noise of binary fractions, as version 3.1 prescribes."""
    whole = round(value * 100_000)
    return whole / 100_000 if whole % 10_000 == 0 else (ceil(whole / 10_000)) / 10

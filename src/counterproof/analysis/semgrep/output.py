"""Reading Semgrep's JSON defensively: it was produced from untrusted files and, possibly, by unreviewed rules.

Invariant: only files that we passed in can have hits, on existing lines; texts are bounded and secrets in them redacted; an entry
of an unexpected shape is counted, never guessed and never raised. Not handled here: running the program.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import cast

from counterproof.analysis.secrets.redaction import redact
from counterproof.analysis.syntax.structured import parsed_json
from counterproof.model.baseline import MAX_MESSAGE, Hit, Unparsed
from counterproof.model.dimension import Dimension
from counterproof.model.errors import InvalidValue
from counterproof.model.severity import Confidence, Severity
from counterproof.model.survey import SourceFile
from counterproof.model.weaknesses import dimension_of

MAX_HITS = 10_000

_CWE = re.compile(r"CWE-0*([1-9][0-9]{0,3})\b", re.IGNORECASE)
_VERSION = re.compile(r"[0-9]+(?:\.[0-9A-Za-z]+){1,4}")
_SEVERITIES = {
    "CRITICAL": Severity.CRITICAL,
    "HIGH": Severity.HIGH,
    "ERROR": Severity.HIGH,
    "MEDIUM": Severity.MEDIUM,
    "WARNING": Severity.MEDIUM,
    "LOW": Severity.LOW,
    "INFO": Severity.LOW,
}
_CONFIDENCES = {"HIGH": Confidence.HIGH, "MEDIUM": Confidence.MEDIUM}

Json = Mapping[str, object]


class NotSemgrep(Exception):
    """Raised if the output is not Semgrep's."""


@dataclass(frozen=True, slots=True)
class Output:
    """The output of one run. `scanned` are names of copies; `fault` is the first error without a file."""

    hits: tuple[Hit, ...]
    unparsed: tuple[Unparsed, ...]
    scanned: frozenset[str]
    version: str
    rules: int
    in_tests: int
    fault: str


def read_output(data: bytes, originals: Mapping[str, SourceFile]) -> Output:
    """Parse the output; raise `NotSemgrep` if it is unusable."""
    try:
        document: object = parsed_json(data)
    except ValueError as error:
        raise NotSemgrep("its output is not JSON") from error
    top = _mapping(document)
    if not isinstance(top.get("results"), list) or not isinstance(top.get("errors"), list):
        raise NotSemgrep("its output lacks results or errors")
    hits, in_tests, odd = _hits(top, originals)
    unparsed, fault = _errors(top, originals)
    version = top.get("version")
    return Output(
        hits=hits,
        unparsed=(*unparsed, *odd),
        scanned=frozenset(_name(each) for each in _items(_mapping(top.get("paths")).get("scanned"))),
        version=version if isinstance(version, str) and _VERSION.fullmatch(version) else "",
        rules=len(_items(_mapping(top.get("time")).get("rules"))),
        in_tests=in_tests,
        fault=fault,
    )


def plain(text: object, limit: int = MAX_MESSAGE) -> str:
    """One bounded line without control characters or secrets."""
    if not isinstance(text, str):
        return ""
    words = " ".join("".join(each if each.isprintable() else " " for each in text[: limit * 4]).split())
    shown = redact(words)
    return shown if len(shown) <= limit else shown[: limit - 1] + "…"


def _hits(top: Json, originals: Mapping[str, SourceFile]) -> tuple[tuple[Hit, ...], int, tuple[Unparsed, ...]]:
    found: dict[tuple[str, int, int, str], Hit] = {}
    in_tests = malformed = 0
    for entry in _items(top["results"]):
        result = _mapping(entry)
        file = originals.get(_name(result.get("path")))
        hit = _hit(result, file) if file else None
        if file is None or hit is None:
            malformed += 1
        elif file.test and not _worth_it_in_tests(hit):
            in_tests += 1
        else:
            found.setdefault((hit.path, hit.start, hit.end, hit.rule), hit)
    ordered = [found[key] for key in sorted(found)]
    odd: list[Unparsed] = []
    if malformed:
        odd.append(Unparsed("", f"{malformed} results of Semgrep could not be read"))
    if len(ordered) > MAX_HITS:
        odd.append(Unparsed("", f"{len(ordered) - MAX_HITS} hits beyond the first {MAX_HITS:,} were left out"))
    width = max(3, len(str(min(len(ordered), MAX_HITS))))
    numbered = (replace(hit, id=f"S{number:0{width}}") for number, hit in enumerate(ordered[:MAX_HITS], 1))
    return tuple(numbered), in_tests, tuple(odd)


def _worth_it_in_tests(hit: Hit) -> bool:
    """Tests are skipped except for cryptography and configuration (A29), and of those only hits that are certain without
    context."""
    return hit.dimension in (Dimension.D7, Dimension.D8) and hit.confidence is Confidence.HIGH


def _hit(result: Json, file: SourceFile) -> Hit | None:
    extra = _mapping(result.get("extra"))
    metadata = _mapping(extra.get("metadata"))
    start, end = _line(result.get("start")), _line(result.get("end"))
    if start is None or end is None or end > max(file.lines, 1):
        return None
    cwe = _cwe(metadata.get("cwe"))
    try:
        return Hit(
            id="S",
            rule=plain(result.get("check_id"), 200),
            path=file.path,
            start=start,
            end=end,
            message=plain(extra.get("message")),
            cwe=cwe,
            severity=_SEVERITIES.get(_word(extra.get("severity")), Severity.LOW),
            dimension=_dimension(metadata.get("dimension")) or dimension_of(cwe),
            confidence=_CONFIDENCES.get(_word(metadata.get("confidence")), Confidence.PATTERN),
        )
    except InvalidValue:
        return None


def _errors(top: Json, originals: Mapping[str, SourceFile]) -> tuple[tuple[Unparsed, ...], str]:
    """One row per file, with the first reason; and the first error without a file."""
    rows: dict[str, str] = {}
    fault = ""
    for entry in _items(top["errors"]):
        error = _mapping(entry)
        file = originals.get(_name(error.get("path")))
        if file:
            rows.setdefault(file.path, _why(error))
        else:
            fault = fault or plain(error.get("message"), 300) or "an error without a message"
    return tuple(Unparsed(path, rows[path]) for path in sorted(rows)), fault


def _why(error: Json) -> str:
    kind = error.get("type")
    if isinstance(kind, list):
        kind = next(iter(_items(cast("object", kind))), "")
    known = {
        "PartialParsing": "a part of it could not be parsed",
        "Syntax error": "it could not be parsed",
        "Lexical error": "it could not be parsed",
        "Other syntax error": "it could not be parsed",
        "Timeout": "a rule took too long",
        "Fixpoint timeout": "following data took too long",
        "Out of memory": "it took too much memory",
        "Stack overflow": "it is nested too deeply",
    }
    return known.get(kind if isinstance(kind, str) else "", plain(kind, 80) or "an error without a name")


def _cwe(value: object) -> int | None:
    """Rules write it as a string, a number or a list of either."""
    for each in (value, *_items(value)):
        if isinstance(each, int) and not isinstance(each, bool) and 1 <= each <= 9999:
            return each
        found = _CWE.search(each[:100]) if isinstance(each, str) else None
        if found:
            return int(found[1])
    return None


def _dimension(value: object) -> Dimension | None:
    return next((each for each in Dimension if each.value == value), None)


def _line(value: object) -> int | None:
    line = _mapping(value).get("line")
    return line if isinstance(line, int) and not isinstance(line, bool) and line > 0 else None


def _word(value: object) -> str:
    return value.upper() if isinstance(value, str) else ""


def _name(value: object) -> str:
    return value.removeprefix("./") if isinstance(value, str) else ""


def _mapping(value: object) -> Json:
    return cast("Json", value) if isinstance(value, dict) else {}


def _items(value: object) -> list[object]:
    return cast("list[object]", value) if isinstance(value, list) else []

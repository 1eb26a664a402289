"""Bad behaviours of a model as data, for every role of the three protocols, over the wire.

A behaviour reads what it was asked from the request itself: marker, name, iteration, the JSON schema of the result, the ids that
it may speak of and the code that it is shown. It then fills the schema by its preferences, so that the same behaviour plays a
hunter, a validator, a specialist, a challenger or a researcher without knowing which.

    with threaded(FaultServer(brain=BEHAVIOURS["contrarian"].brain)) as server: ...
    with playing("contrarian") as model: ...                      # the model's name for --agents

Invariant: deterministic, a function of the request. Nothing in a run uses it.
"""

import json
import re
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest

from faults.server import Asked, FaultServer, threaded
from faults.speech import Says

MANY = 30
"""Entries that a list is filled with at most."""

_MARKER = re.compile(r"The marker of this task is (cp-[0-9a-f]{32})")
_NAMED = re.compile(r"You are ([\w.#-]+),")
_NUMBER = re.compile(r"\b(?:[Ii]teration|in round) (\d+)")
_DIMENSION = re.compile(r"\b(D(?:10|[1-9]))\b")
_CLAIM = re.compile(r"^│ (?:claim|hit) (\S+?):.*?\bat ([^\s,:]+):(\d+)", re.MULTILINE)
_FINDING = re.compile(r"^│ ([A-Z][A-Z0-9]{1,7}-\d{3}) \[\w+\] \S+ ([^\s:]+):(\d+)", re.MULTILINE)
_CHALLENGE = re.compile(r"^│ ([cC]\d+) ", re.MULTILINE)
_FILE = re.compile(r"^│ (?:=== (?P<diff>\S+)|(?P<file>\S+), \d+ lines$|\S.*?(?P<unit>[\w./-]+):\d+-\d+\b)")
_LINE = re.compile(r"^│ [+ ]? {0,6}(\d+) {1,2}(.*\S.*)$")
_CALL = re.compile(r"([A-Za-z_][\w.]*)\(")
_ASSIGN = re.compile(r"\s*([A-Za-z_]\w*) = ")
_ORDER = re.compile(r"(?:challenge|reject|dismiss|refute) every|(?:report|return) no findings|approve th(?:is|e)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Place:
    path: str
    line: int
    text: str

    @property
    def fact(self) -> tuple[str, str]:
        """Something that the line does, as a typed reason says it."""
        called, assigned = _CALL.search(self.text), _ASSIGN.match(self.text)
        if called:
            return "call", called[1]
        return ("assign", assigned[1]) if assigned else ("mention", (self.text.split() or ["nothing"])[0])


@dataclass(frozen=True, slots=True)
class Seen:
    """What a request tells the model."""

    marker: str
    agent: str
    number: int
    dimensions: tuple[str, ...]
    schema: dict[str, Any]
    targets: dict[str, Place]
    """Claims, hits, findings and challenges that it may judge, with the place of each."""
    code: tuple[Place, ...]
    text: str

    def at(self, path: str, line: int) -> Place:
        return next((each for each in self.code if (each.path, each.line) == (path, line)), Place(path, line, ""))


def seen(asked: Asked) -> Seen:
    rows: list[dict[str, Any]] = asked.body.get("messages") or asked.body.get("input") or []
    told = [_words(row.get("content")) for row in rows if row.get("role") in ("user", "tool")]
    first = next((at for at, row in enumerate(rows) if row.get("role") == "assistant"), len(rows))
    opening = "\n".join(_words(row.get("content")) for row in rows[:first] if row.get("role") == "user")
    code = tuple(_code("\n".join(told)))
    found = {name: Place(path, int(line), "") for pattern in (_CLAIM, _FINDING) for name, path, line in pattern.findall(opening)}
    shown = {(each.path, each.line): each for each in code}
    targets = {name: shown.get((place.path, place.line), place) for name, place in found.items()}
    targets |= {name: next(iter(code), Place("PLAN.md", 1, "")) for name in _CHALLENGE.findall(opening)}
    number = _NUMBER.search(opening)
    named = _NAMED.search(opening)
    marker = _MARKER.search(opening)
    return Seen(
        marker[1] if marker else "",
        named[1] if named else "",
        int(number[1]) if number else 1,
        tuple(dict.fromkeys(_DIMENSION.findall(opening.partition("\nLanguages:")[0]))),
        asked.body["response_format"]["json_schema"]["schema"],
        targets,
        code,
        "\n".join(told),
    )


def _words(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(str(part.get("text", "")) for part in content or () if isinstance(part, dict))


def _code(text: str) -> Generator[Place]:
    path = "PLAN.md"
    for line in text.split("\n"):
        if found := _FILE.match(line):
            path = found["diff"] or found["file"] or found["unit"]
        elif found := _LINE.match(line):
            yield Place(path, int(found[1]), found[2])


@dataclass(frozen=True, slots=True)
class Preferences:
    """How a schema is filled. `words` are taken where an enumeration has them, the first first; `texts` by field; `lists` says
    which lists are filled; `cites`: places, quotes and reasons are true of the code, otherwise they are left out."""

    words: tuple[str, ...] = ()
    lists: tuple[str, ...] = ()
    texts: dict[str, Any] = field(default_factory=dict[str, Any])
    cites: bool = False


AGAINST = Preferences(
    words=(
        "challenge",
        "rejected",
        "REFUTED",
        "WITHDRAWN",
        "DEFERRED",
        "Approve",
        "confirms_approach",
        "fail",
        "low",
        "LOW",
        "MINOR",
    ),
    lists=("positions", "defences", "judgements", "hits", "unknowns", "proposals", "verdicts", "marks"),
    texts={"evidence": "No. It is fine.", "stands": False, "points": 10, "checked_twice": True},
)
FOR = Preferences(
    words=("agree", "confirmed", "CONFIRMED", "RESOLVED", "Approve", "covered", "pass", "critical", "confirms_approach", "high"),
    lists=("positions", "judgements", "hits", "proposals", "verdicts", "marks", "coverage", "unknowns"),
    texts={"evidence": "Quite right.", "stands": True, "points": 10},
)
_LONG = (
    "The value that a stranger sends reaches this line without any check on its way, so that the stranger decides what is run"
    " here; nothing in the callers or around the line stands in between, as the lines above show quite clearly."
)
INVENTING = Preferences(
    words=("critical", "agree", "confirmed", "External", "high", "anonymous", "full", "BLOCKING", "HIGH", "pass", "Approve"),
    lists=("findings", "positions", "judgements", "hits", "challenges", "verdicts", "marks", "defences"),
    texts={"evidence": _LONG, "impact": _LONG, "title": "Remote code execution", "stands": True, "cwe": 94, "points": 1},
    cites=True,
)


def filled(told: Seen, wanted: Preferences) -> dict[str, Any]:
    """The whole result."""
    names = told.schema.get("properties", {})
    asked = [name for name in names if name in (*told.schema.get("required", ()), *wanted.lists, *wanted.texts)]
    result = {name: _value(told, wanted, name, names[name], None) for name in asked}
    result |= {"marker": told.marker, "agent_id": told.agent}
    result |= {name: told.number for name in ("iteration", "round") if name in names}
    if "dimensions" in names:
        result["dimensions"] = list(told.dimensions)
    for name in ("no_findings", "nothing_found"):
        if name in names:
            result[name] = not result.get("findings")
    return result


def _value(told: Seen, wanted: Preferences, name: str, schema: dict[str, Any], target: tuple[str, Place] | None) -> Any:
    schema = _resolved(told, schema)
    if name in wanted.texts and schema.get("type") in ("string", "boolean", "integer"):
        return wanted.texts[name]
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return _chosen(wanted, name, schema["enum"], target)
    kind = schema.get("type")
    if kind == "array":
        return _entries(told, wanted, name, schema)
    if kind == "object":
        return _object(told, wanted, schema, target)
    if kind == "boolean":
        return False
    return _cited(wanted, name, kind, target)


def _resolved(told: Seen, schema: dict[str, Any]) -> dict[str, Any]:
    """Without references and without the null of an optional field."""
    for _ in range(5):
        if "$ref" in schema:
            schema = told.schema["$defs"][schema["$ref"].rpartition("/")[2]]
        elif "anyOf" in schema:
            schema = next(each for each in schema["anyOf"] if each.get("type") != "null")
        elif "allOf" in schema:
            schema = schema["allOf"][0]
    return schema


def _chosen(wanted: Preferences, name: str, values: list[Any], target: tuple[str, Place] | None) -> Any:
    if target and target[0] in values:
        return target[0]
    if name == "operation" and target and wanted.cites and target[1].fact[0] in values:
        return target[1].fact[0]
    return next((word for word in wanted.words if word in values), values[0])


def _entries(told: Seen, wanted: Preferences, name: str, schema: dict[str, Any]) -> list[Any]:
    if name not in wanted.lists:
        return []
    item = _resolved(told, schema.get("items", {}))
    if name == "marks":
        aspects = _resolved(told, item["properties"]["aspect"])["enum"]
        return [_object(told, wanted, item, (aspect, Place("PLAN.md", 1, ""))) for aspect in aspects]
    if name == "verdicts":
        documents = _resolved(told, item["properties"]["document"]).get("enum", [])
        return [_object(told, wanted, item, (each, Place(each, 1, ""))) for each in documents]
    if name in ("findings", "challenges"):
        places = [each for each in told.code if len(each.text.strip()) > 8][:3]
        return [_object(told, wanted, item, ("", each)) for each in places]
    return [_object(told, wanted, item, each) for each in list(told.targets.items())[:MANY]]


def _object(told: Seen, wanted: Preferences, schema: dict[str, Any], target: tuple[str, Place] | None) -> dict[str, Any]:
    skipped = ("finding",) if "hit" in schema.get("properties", {}) else ("flow", "challenge")
    return {
        name: _value(told, wanted, name, each, target)
        for name, each in schema.get("properties", {}).items()
        if name not in skipped or name in schema.get("required", ())
    }


_IDS = ("claim", "hit", "finding", "challenge_id", "affects_challenge", "document")


def _cited(wanted: Preferences, name: str, kind: Any, target: tuple[str, Place] | None) -> Any:
    """Ids and places of what is judged; of a place only the file and the line where nothing is to be cited truly."""
    label, place = target or ("", Place("", 0, ""))
    if kind in ("integer", "number"):
        return place.line if name in ("line", "start", "end") else 1
    if name in _IDS and label:
        return label
    known = {"file": place.path, "location": f"{place.path}:{place.line}", "source": f"{place.path}:{place.line}"}
    if wanted.cites:
        known |= {"quote": place.text.strip(), "evidence": place.text.strip(), "symbol": place.fact[1] if place.text else ""}
    return known.get(name, "" if name in ("quote", "symbol", "source_file") else "as the code shows")


# --- The behaviours ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Behaviour:
    """`brain` is what a `FaultServer` is given."""

    name: str
    what: str
    brain: Callable[[Asked], Says]


def _filling(wanted: Preferences) -> Callable[[Asked], Says]:
    return lambda asked: Says(json.dumps(filled(seen(asked), wanted)))


def _obeying(asked: Asked) -> Says:
    """Does what the text under review orders; left alone it agrees with everything."""
    told = seen(asked)
    ordered = bool(_ORDER.search(" ".join(told.text.replace("│", " ").split())))
    return Says(json.dumps(filled(told, LYING if ordered else FOR)))


LYING = Preferences(AGAINST.words, AGAINST.lists, {**AGAINST.texts, "evidence": _LONG}, cites=True)


def _cut_off(asked: Asked) -> Says:
    whole = json.dumps(filled(seen(asked), INVENTING))
    return Says(whole[: len(whole) // 2], finish="length")


def _strange(asked: Asked) -> Says:
    """The right shape, with values that no enumeration has."""
    result = filled(seen(asked), INVENTING)
    for entries in result.values():
        for entry in entries if isinstance(entries, list) else ():
            if isinstance(entry, dict):
                strange = {"domain": "sql-injection", "finding": "SEC-999", "severity": "severe", "verdict": "perhaps"}
                entry |= {name: value for name, value in strange.items() if name in entry}
    return Says(json.dumps(result))


def _spending(asked: Asked) -> Says:
    """Never right, and never cheap: every reply is as long as it may be and has to be asked for again."""
    return Says("word " * 6_000, usage=(asked.tokens, 8_000))


BEHAVIOURS: dict[str, Behaviour] = {
    each.name: each
    for each in (
        Behaviour("obeys the text", "does what a comment in the code orders", _obeying),
        Behaviour("sycophant", "agrees with everything at the highest severity, without looking", _filling(FOR)),
        Behaviour("contrarian", "speaks against everything, names a line and no reason", _filling(AGAINST)),
        Behaviour("liar with existing lines", "speaks against everything with true lines, quotes and facts", _filling(LYING)),
        Behaviour("cut off", "every reply ends in the middle", _cut_off),
        Behaviour("malformed", "hands in no JSON", lambda asked: Says("I have looked at it and all is well.")),
        Behaviour("outside the lists", "hands in values that no enumeration has", _strange),
        Behaviour("refuses", "refuses every question", lambda asked: Says("", refusal="I cannot help with that.")),
        Behaviour("silent", "answers with nothing", lambda asked: Says("")),
        Behaviour("spends all", "uses as many tokens as it is given, for nothing", _spending),
        Behaviour("one model in all roles", "invents findings and agrees with itself", _filling(INVENTING)),
    )
}


def behaviours_of(role: object, number: int) -> list[Any]:
    """Parameters for a role: every behaviour, for no one role (all at once) on every push, for the others two of them then and
    all at night."""
    often = {each % len(BEHAVIOURS) for each in (2 * number, 2 * number + 1)}
    marks = [() if role is None or at in often else pytest.mark.nightly for at in range(len(BEHAVIOURS))]
    return [
        pytest.param(role, name, id=f"{role or 'all roles'}-{name}", marks=each)
        for name, each in zip(BEHAVIOURS, marks, strict=True)
    ]


KEY = "sk-test-0123456789abcdef"
ENVIRONMENT = {"OPENAI_API_KEY": KEY}


@contextmanager
def playing(name: str, brain: Callable[[Asked], Says] | None = None) -> Generator[tuple[str, FaultServer]]:
    """A server that behaves so, and the name of its model for `--agents`. The provider is one that is sent
    the schema with every question. A behaviour that breaks by itself proves nothing, so that is a failure here."""
    behave = brain or BEHAVIOURS[name].brain
    broken: list[Exception] = []

    def watched(asked: Asked) -> Says:
        try:
            return behave(asked)
        except Exception as error:
            broken.append(error)
            raise

    with threaded(FaultServer(brain=watched)) as server:
        yield f"openai:behaving@{server.url}/v1", server
    if broken:
        raise broken[0]

"""Rules: `<family>/<rule>/rule.toml`, with the documentation, the description and, for check rules, the places that decide.

    summary = "Keys that are too short."
    finds = "RSA and DSA keys under 2048 bits …"
    …
    title = "Key too short"
    …
    [match]
    calls = [{ names = ["rsa.generate_private_key"], argument = [1, "key_size"] }]
    when = { below = 2048 }
    verdict = "{value} bits"
    good = "long enough, or configurable"

`[match]` lists places of the kinds in `_PLACES` and gives defaults for them; `[scripts]` gives the differences of the rule for
JavaScript and TypeScript. `only` and `when` take a test, or a list of tests that must all be true: the name of a function, with
"not " in front to negate it, or a table of the tests in `config/terms.py`. What data alone cannot express is in a `check.py`
beside the file: functions that tests name, or the whole check.

Invariant: an unknown key, test or function is an error when the rule is loaded. Not handled here: the meaning of the tests.
"""

import importlib
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from functools import cache, partial
from pathlib import Path
from typing import Any, cast

from counterproof.analysis.config import cookies, places
from counterproof.analysis.config.checks import either_file, script_file
from counterproof.analysis.config.patterns import Bad, Calls, Fields, Hashes, Headers, Matching, Pattern, Settings, Uses
from counterproof.analysis.config.places import Take, Test, argument, keyword
from counterproof.analysis.config.terms import TERMS, all_of, any_of, argument_of_sink, negated
from counterproof.analysis.libraries import names, sinks
from counterproof.analysis.libraries.files import expanded
from counterproof.analysis.ruleset import (
    SECTIONS,
    CallRule,
    CheckRule,
    ControlRule,
    FlowRule,
    Rule,
    RuleInfo,
    SecretRule,
    SupplyRule,
)
from counterproof.analysis.secrets.secret_names import Kind
from counterproof.model.dimension import Dimension
from counterproof.model.errors import InvalidValue
from counterproof.model.proof import Guess, Shape
from counterproof.model.severity import Complexity, Confidence, Impact, Severity
from counterproof.model.survey import Language

_Table = dict[str, Any]
_Functions = Mapping[str, Callable[..., Any]]
_PLACES: dict[str, type[Pattern]] = {
    "calls": Calls, "settings": Settings, "headers": Headers, "uses": Uses, "fields": Fields, "hashes": Hashes,
}  # fmt: skip
_TYPED: dict[str, type[Any]] = {
    "severity": Severity, "impact": Impact, "complexity": Complexity, "dimension": Dimension, "shape": Shape, "guesses": Guess,
    "secret": Kind,
}  # fmt: skip
"""Keys whose value names members of an enumeration."""
_OPENED: dict[str, Callable[[str], bool]] = {"scripts": script_file, "both": either_file}
_ENGINES: dict[str, type[RuleInfo]] = {"control": ControlRule, "supply": SupplyRule}
_SECTIONS = dict(zip(("finds", "matters", "harmless", "limits"), SECTIONS, strict=True))


def written(file: Path, package: str) -> tuple[str, tuple[Rule, ...]]:
    """The documentation of a file, and its rules: the second, if any, is for JavaScript and TypeScript."""
    table = tomllib.loads(file.read_text(encoding="utf-8"))
    own = vars(importlib.import_module(f"{package}.check")) if file.with_name("check.py").exists() else {}
    try:
        pages = (table.pop("summary"), *(f"## {title}\n{table.pop(key)}" for key, title in _SECTIONS.items()))
        scripts = table.pop("scripts", None)
        form, more = _parts(table, own, own.get("check"), Language.PYTHON)
        rule = form(**more)
        if scripts is None:
            return "\n\n".join(pages), (rule,)
        form, more = _parts(scripts, own, own.get("check_script"), Language.JAVASCRIPT)
        return "\n\n".join(pages), (rule, rule.in_scripts(form, **more))
    except (InvalidValue, TypeError, KeyError, ValueError) as error:
        raise InvalidValue(f"the rule in {file} cannot be read: {error}") from error


@cache
def _shared_tests() -> _Functions:
    return {name: each for place in (places, cookies) for name, each in _defined(place.__name__, vars(place))}


def _defined(module: str, names: _Table) -> Iterator[tuple[str, Callable[..., Any]]]:
    yield from ((name, each) for name, each in names.items() if getattr(each, "__module__", "") == module)


def _parts(table: _Table, own: _Table, check: Any, language: Language) -> tuple[type[Any], _Table]:
    """The kind of rule that a table describes, and its fields. A `check.py` has the check as `check`, that for scripts as
    `check_script`."""
    found: _Table = {"check": check} if check is not None else {}
    form = _form(table, check)
    for key, value in table.items():
        if key == "match":
            found["check"] = _matching(dict(value), {**_shared_tests(), **dict(_defined(own.get("__name__", ""), own))})
        elif key == "applies":
            found["applies"] = _OPENED.get(value) or own[value]
        elif key == "calls":
            found["calls"] = own[value] if isinstance(value, str) else _calls(value, language)
        elif key != "engine":
            made = partial(_member, _TYPED[key]) if key in _TYPED else _same
            found[key.replace("-", "_")] = tuple(map(made, cast("list[Any]", value))) if isinstance(value, list) else made(value)
    unknown = set(found) - {each.name for each in fields(form)}
    if unknown:
        raise InvalidValue(f"a rule has no {sorted(unknown)[0]!r}")
    return form, found


def _form(table: _Table, check: Any) -> type[Any]:
    if "engine" in table:
        return _ENGINES[table["engine"]]
    if "calls" in table:
        return CallRule
    return CheckRule if "match" in table or check is not None else SecretRule if "secret" in table else FlowRule


def _calls(given: Any, language: Language) -> tuple[str, ...]:
    return _names({"names": given} if isinstance(given, list) else dict(given), language)


def _member(kind: Any, name: str) -> Any:
    return kind[name.upper()]


def _same(value: Any) -> Any:
    return value


def _matching(table: _Table, functions: _Functions) -> Matching:
    """The check that a `[match]` table describes."""
    listed = [(_PLACES[kind], row) for kind in _PLACES for row in table.pop(kind, ())]
    verdict = {key: table[key] for key in ("verdict", "confidence") if key in table}
    shared = _shared(table, functions, verdict)
    also = functions[table.pop("also")] if "also" in table else None
    once = table.pop("once", False)
    _no_more(table)
    return Matching(*(_pattern(kind, dict(row), functions, verdict) for kind, row in listed), **shared, once=once, also=also)


def _pattern(kind: type[Pattern], row: _Table, functions: _Functions, verdict: _Table) -> Pattern:
    more: _Table = _shared(row, functions, verdict)
    more["names"] = _names(row, Language.PYTHON)
    more["only"] = _test(row.pop("only", "always"), functions)
    value = _value(row, functions)
    if value is not None:
        more["value"] = value
    if row.pop("optional", False):
        more["optional"] = True
    _no_more(row)
    return kind(**more)


def _shared(row: _Table, functions: _Functions, verdict: _Table) -> _Table:
    """The conditions and the item of a place, or the defaults of all places. A single condition needs no table of its own; one
    without a verdict has the default."""
    item = row.pop("item", "")
    own = {key: row.pop(key) for key in ("when", "verdict", "confidence", "severity") if key in row}
    bad = tuple(_bad(verdict | each, functions) for each in row.pop("bad", (own,) if own else ()))
    return {"bad": bad, "good": row.pop("good", ""), "item": functions.get(item, item)}


def _bad(row: _Table, functions: _Functions) -> Bad:
    test, confidence = _test(row.pop("when", "always"), functions), Confidence(row.pop("confidence", "high"))
    severity = Severity(row.pop("severity")) if "severity" in row else None
    found = Bad(test, row.pop("verdict"), confidence, severity)
    _no_more(row)
    return found


def _names(row: _Table, language: Language) -> tuple[str, ...]:
    """`names`, whose parts in braces are alternatives, and the names that libraries give `concept.kind`."""
    found = [name for each in row.pop("names", ()) for name in expanded(each)]
    prefix, suffix = row.pop("before", ""), row.pop("after", "")
    for each in row.pop("library", ()):
        concept, _, kind = each.partition(".")
        known = (sink.call for sink in sinks(kind, language)) if concept == "sink" else names(concept, kind, language)
        found += [f"{prefix}{name.removesuffix('.')}{suffix}" for name in known]
    return tuple(found)


def _value(row: _Table, functions: _Functions) -> Take | None:
    """The deciding value of a place: an argument by position or keyword, or what a function returns."""
    if "argument" in row:
        position, *named = row.pop("argument")
        taken: Take | None = argument(position, *named)
    elif "keyword" in row:
        taken = keyword(*row.pop("keyword"))
    elif "sink" in row:
        taken = argument_of_sink(row.pop("sink"))
    else:
        taken = functions[row.pop("value")] if "value" in row else None
    if taken is not None and row.pop("resolved", False):
        found = taken
        return lambda at: at.meant(found(at))
    return taken


def _test(given: Any, functions: _Functions) -> Test:
    if isinstance(given, list):
        return all_of(*(_test(each, functions) for each in cast("list[Any]", given)))
    if isinstance(given, str):
        name = given.removeprefix("not ")
        return negated(functions[name]) if name != given else functions[name]
    return all_of(*(_term(key, value, functions) for key, value in given.items()))


def _term(key: str, value: Any, functions: _Functions) -> Test:
    if key == "not":
        return negated(_test(value, functions))
    if key == "any":
        return any_of(*(_test(each, functions) for each in value))
    return TERMS[key](value)


def _no_more(row: _Table) -> None:
    if row:
        raise InvalidValue(f"{sorted(row)[0]!r} is not known here")

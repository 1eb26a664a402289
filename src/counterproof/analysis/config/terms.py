"""Tests with parameters for rules written as data: `when = { below = 2048 }`.

Invariant: an unknown value makes every test False. Not handled here: tests without parameters, which are in `places.py`.
"""

import re
from collections.abc import Callable
from typing import Any

from counterproof.analysis.config.places import Place, Take, Test
from counterproof.analysis.config.purpose import Purpose
from counterproof.analysis.libraries import sinks
from counterproof.analysis.libraries.matcher import dangerous_arguments
from counterproof.analysis.program.outline import Site
from counterproof.analysis.program.traversal import called, keyword, positional, text_of
from counterproof.analysis.program.words import mentions, words, words_in
from counterproof.analysis.program.written_calls import WrittenCall
from counterproof.analysis.syntax.ir import Call, Concat, Conditional, Const, Expr, Format, Name
from counterproof.analysis.syntax.walk import walk


def all_of(*tests: Test) -> Test:
    return tests[0] if len(tests) == 1 else lambda at: all(each(at) for each in tests)


def any_of(*tests: Test) -> Test:
    return lambda at: any(each(at) for each in tests)


def negated(test: Test) -> Test:
    return lambda at: not test(at)


def below(least: int) -> Test:
    """A number under a limit."""

    def small(at: Place) -> bool:
        number = at.literal()
        return isinstance(number, int) and number < least

    return small


def one_of(texts: list[str]) -> Test:
    return lambda at: at.text().lower() in texts


def _matches(pattern: str) -> Test:
    compiled = re.compile(pattern)
    return lambda at: compiled.search(at.text()) is not None


def _contains(texts: list[str]) -> Test:
    """One of the strings anywhere inside the value, also as a default."""
    return lambda at: (
        at.value is not None and any(text_of(each) in texts for each in walk(at.value) if not isinstance(at.value, Conditional))
    )


def _first(texts: list[str]) -> Test:
    """The first entry of a list contains one of the strings."""
    return lambda at: any(each in (text_of(at.items()[0]) or "") for each in texts) if at.items() else False


def _only(named: list[str]) -> Test:
    """The elements of a list, as strings or names, are exactly these."""
    return lambda at: [(text_of(each) or at.dotted(each)).rpartition(".")[2] for each in at.items()] == named


def _value(named: list[str]) -> Test:
    """The value is a name that the imports resolve to one of these, or a string with its last part."""
    return lambda at: at.dotted() in named or at.text() in {each.rpartition(".")[2] for each in named}


def _is(constants: list[Any]) -> Test:
    """The value is one of these literals; "none" is None."""
    wanted = [None if each == "none" else each for each in constants]
    return lambda at: (
        isinstance(at.value, Const) and any(at.value.value == each and type(at.value.value) is type(each) for each in wanted)
    )


def _name(starts: list[str]) -> Test:
    return lambda at: at.name.startswith(tuple(starts))


def _ends(ends: list[str]) -> Test:
    return lambda at: at.name.endswith(tuple(ends))


def _part(parts: list[str]) -> Test:
    """A part of the resolved name, after the package."""
    return lambda at: not {each.lower() for each in (*at.name.split(".")[2:], at.name.rpartition(".")[2])}.isdisjoint(parts)


def _keyword(named: list[str]) -> Test:
    return lambda at: any(keyword(at.call, each) is not None for each in named)


def _positional(count: int) -> Test:
    """At least so many arguments by position."""
    return lambda at: positional(at.call, count - 1) is not None


def _receives(named: list[str]) -> Test:
    """The first argument is one of these, by the last part of its name."""
    return lambda at: at.dotted(positional(at.call, 0)).rpartition(".")[2] in named


def _imports(packages: list[str]) -> Test:
    """The file imports one of these packages."""
    return lambda at: not {name.partition(".")[0] for name in at.outline.module.imports.values()}.isdisjoint(packages)


def _beside(named: list[str]) -> Test:
    """A call of one of these names in the same class or, outside classes, the same function."""
    return lambda at: any(called(each.node) in named for each in at.outline.of(Call) if _around(each) == _around(at.site))


def _around(site: Site[Any]) -> str:
    return site.function.owner if site.function and site.function.owner else site.scope


def _others(spoken: list[str]) -> Test:
    """Another argument of the call names one of these words."""

    def named(at: Place) -> bool:
        values = (each.value for each in at.call.arguments if each.value is not at.value and not isinstance(each.value, Const))
        return bool(words_in(*values) & set(spoken))

    return named


def _purpose(spoken: list[str]) -> Test:
    """The names of what the result becomes, of the arguments and of the function mention one of these words."""
    return lambda at: mentions(_purposes(at), frozenset(spoken))


def _purposes(at: Place) -> frozenset[str]:
    purpose = Purpose(at.outline, at.site)
    scope = frozenset(words(at.function.name)) if at.function else frozenset[str]()
    return purpose.given() | purpose.fed() | purpose.around() | scope


def _callers(spoken: list[str]) -> Test:
    return lambda at: mentions(Purpose(at.outline, at.site).of_callers(at.codebase), frozenset(spoken))


def argument_of_sink(kind: str) -> Take:
    """The dangerous argument of a call, by the library files, or the keyword named like the kind."""
    known = {each.call: each for each in sinks(kind)}

    def taken(at: Place) -> Expr | None:
        named = keyword(at.call, kind)
        given = dangerous_arguments(known[at.name], WrittenCall(at.call)) if at.name in known else ()
        return named if named is not None else next(iter(given), None)

    return taken


def _last(named: list[str]) -> Test:
    """The last part of the value's name."""
    return lambda at: at.dotted().rpartition(".")[2] in named


def _fed(spoken: list[str]) -> Test:
    """An argument, or what it was built from one assignment back, names one of these words."""

    def named(at: Place) -> bool:
        made = (at.outline.behind(at.function, node) for node in walk(*at.call.arguments) if isinstance(node, Name))
        built = (
            each for each in made if isinstance(each, Format | Concat) or (isinstance(each, Call) and called(each) == "format")
        )
        return mentions(words_in(*at.call.arguments, *built), frozenset(spoken))

    return named


def _words(term: Callable[[list[str]], Test]) -> Callable[[Any], Test]:
    """The words of such a term may be one space-separated string."""
    return lambda given: term(given.split() if isinstance(given, str) else given)


TERMS: dict[str, Callable[[Any], Test]] = {
    "below": below,
    "beside": _words(_beside),
    "callers": _words(_callers),
    "contains": _words(_contains),
    "ends": _words(_ends),
    "fed": _words(_fed),
    "first": _words(_first),
    "imports": _words(_imports),
    "is": _is,
    "keyword": _words(_keyword),
    "last": _words(_last),
    "matches": _matches,
    "name": _words(_name),
    "only": _words(_only),
    "others": _words(_others),
    "part": _words(_part),
    "positional": _positional,
    "purpose": _words(_purpose),
    "receives": _words(_receives),
    "text": _words(one_of),
    "value": _words(_value),
}
"""The parametrised tests by the key that a rule file writes."""

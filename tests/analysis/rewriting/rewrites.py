"""All rewrites by name: each is another way to write the same program."""

from collections.abc import Callable

from . import moving as move
from . import steering as steer
from . import wording as word
from .drafts import Draft

Rewrite = Callable[[Draft], None]


def _nothing(draft: Draft) -> None:
    """The text as Python prints it."""


REWRITES: dict[str, Rewrite] = {
    "printed": _nothing,
    "renamed": steer.renamed,
    "imports aliased": steer.aliased,
    "imports by module": steer.by_module,
    "imports by name": steer.by_name,
    "imports in functions": steer.late_imports,
    **{f"text by {way}": word.text_by(way) for way in word.TEXTS},
    "text in constants": word.global_text,
    "argument in a variable": move.argument_first,
    "variable inlined": move.inlined,
    "call in a function": move.call_in(move.FUNCTION),
    "call in another module": move.call_elsewhere,
    "call in a method": move.call_in(move.METHOD),
    "call in a static method": move.call_in(move.STATIC),
    "call in a class method": move.call_in(move.CLASS_METHOD),
    "call in a method of a global": move.call_in(move.OBJECT),
    "call in a generator": move.call_in(move.GENERATOR),
    "call by partial": word.by_partial,
    "call by keyword": word.by_keyword,
    "call by mapping": word.by_mapping,
    "call by lambda": move.call_in("NAME = lambda PARAMETERS: BODY\n---NAME(ARGUMENTS)"),
    "read in a function": move.read_in(move.FUNCTION),
    "read in a method": move.read_in(move.METHOD),
    "read in a generator": move.read_in(move.GENERATOR),
    "read in a property": move.read_property,
    "read by get": word.read_by("FROM.get(KEY)"),
    "read by index": word.read_by("FROM[KEY]"),
    "read with a default": word.read_by("FROM.get(KEY, '')"),
    "read by a constant": word.read_by_constant,
    "read or nothing": word.read_by("FROM.get(KEY) or ''"),
    "through a list": word.carried("[VALUE][0]"),
    "through a mapping": word.carried("{'k': VALUE}['k']"),
    "through a lambda": word.carried("(lambda given: given)(VALUE)"),
    "through a comprehension": word.carried("[each for each in [VALUE]][0]"),
    "through next": word.carried("next(each for each in (VALUE,))"),
    "through a walrus": word.carried("(walrus := VALUE)"),
    "through a cast": word.carried("typing.cast(object, VALUE)", "import typing"),
    "through a generator": word.carried("next(handed(VALUE))", "def handed(value):\n    yield value"),
    "through identity": word.carried("handed(VALUE)", "def handed(value):\n    return value"),
    "through arguments": word.carried("handed(VALUE)", "def handed(*values, **options):\n    return values[0]"),
    "through a coroutine": word.carried(
        "asyncio.run(handed(VALUE))", "import asyncio\nasync def handed(value):\n    return value"
    ),
    "through or": word.carried("VALUE or None"),
    "kept in a mapping": word.kept("name = {'k': value}", "name['k']"),
    "kept in a mapping, later": word.kept("name = {}\nname['k'] = value", "name['k']"),
    "kept in a mapping, by get": word.kept("name = dict(k=value)", "name.get('k')"),
    "kept in a list": word.kept("name = []\nname.append(value)", "name[0]"),
    "kept in an object": word.kept("name = Kept()\nname.k = value", "name.k", "class Kept:\n    pass"),
    "kept by a constructor": word.kept(
        "name = Kept(value)", "name.k", "class Kept:\n    def __init__(self, k):\n        self.k = k"
    ),
    "kept in a dataclass": word.kept(
        "name = Kept(value)", "name.k", "from dataclasses import dataclass\n@dataclass\nclass Kept:\n    k: object"
    ),
    "kept in a namedtuple": word.kept(
        "name = Kept(value)", "name.k", "from collections import namedtuple\nKept = namedtuple('Kept', ['k'])"
    ),
    "kept in a typed tuple": word.kept(
        "name = Kept(k=value)", "name.k", "from typing import NamedTuple\nclass Kept(NamedTuple):\n    k: object"
    ),
    "kept in a namespace": word.kept("name = SimpleNamespace(k=value)", "name.k", "from types import SimpleNamespace"),
    "kept for a method": word.kept(
        "name = Kept(value)",
        "name.get_k()",
        "class Kept:\n    def __init__(self, k):\n        self._k = k\n    def get_k(self):\n        return self._k",
    ),
    "kept for a property": word.kept(
        "name = Kept(value)",
        "name.k",
        "class Kept:\n    def __init__(self, k):\n        self._k = k\n    @property\n    def k(self):\n        return self._k",
    ),
    "assigned in a tuple": steer.assigned_by("TARGET, _ = (VALUE, None)"),
    "assigned with a star": steer.assigned_by("TARGET, *_ = [VALUE, None]"),
    "assigned in a loop": steer.assigned_by("for TARGET in [VALUE]:\n    pass"),
    "assigned by a match": steer.assigned_by("match VALUE:\n    case TARGET:\n        pass"),
    "assigned by with": steer.assigned_by(
        "with handed(VALUE) as TARGET:\n    pass",
        "from contextlib import contextmanager\n@contextmanager\ndef handed(value):\n    yield value",
    ),
    "assigned with a type": steer.assigned_by("TARGET: object = VALUE"),
    "assigned in try": steer.assigned_by("try:\n    TARGET = VALUE\nexcept KeyError:\n    raise"),
    "try and finally": steer.around("try:\n    BODY\nfinally:\n    pass"),
    "try and raise": steer.around("try:\n    BODY\nexcept Exception:\n    raise"),
    "with around it": steer.around("with contextlib.nullcontext():\n    BODY", "import contextlib"),
    "loop around it": steer.around("for once in [0]:\n    BODY"),
    "endless loop around it": steer.around("while True:\n    BODY\n    return None"),
    "nested else": steer.nested_else,
    "inverted": steer.inverted,
    "conditional expression": steer.conditional,
    "match on the test": steer.match_values,
    "continue in loops": steer.continued,
    "guard that raises": steer.raising,
    "test in a function": move.test_in,
    "test in branches": move.test_answers,
    "decorated": steer.decorated,
    "awaited": steer.awaited,
}

"""Settings in any notation: `NAME = v`, `config["NAME"] = v`, `config.update(NAME=v)`, `{"NAME": v}`, `x.name = v`."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.traversal import text_of
from counterproof.analysis.program.words import vocabulary, words
from counterproof.analysis.syntax.ir import Assign, Attribute, Call, Class, Expr, Function, Index, Mapping, Name, Sequence

_BULK = ("update", "from_mapping", "from_dict", "setdefault", "Application", "dict")
_DEVELOPMENT = vocabulary("dev development develop local debug test tests testing ci sandbox staging example examples sample")


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting. `form` is 'name', 'index', 'attribute', 'keyword' or 'entry'."""

    name: str
    value: Expr
    line: int
    end: int
    form: str
    function: Function | None
    owner: Class | None
    tests: tuple[Expr, ...] = ()
    """The conditions under which it is set."""

    @property
    def site(self) -> Site[Expr]:
        return Site(self.value, self.function, self.owner, self.tests)


def settings_of(outline: Outline, names: frozenset[str]) -> Iterator[Setting]:
    """Every assignment to one of these settings, in source order per notation."""
    by_name = _every_setting(outline)
    found = [pair for name in names for pair in by_name.get(name, ())]
    return (setting for _, setting in sorted(found, key=_order))


def _order(numbered: tuple[int, Setting]) -> int:
    return numbered[0]


@lru_cache(maxsize=4)
def _every_setting(outline: Outline) -> dict[str, list[tuple[int, Setting]]]:
    """All settings of a file by name, numbered in order: many rules query the same file for different names."""
    found: dict[str, list[tuple[int, Setting]]] = {}
    for number, setting in enumerate(_settings(outline)):
        found.setdefault(setting.name, []).append((number, setting))
    return found


def _settings(outline: Outline) -> Iterator[Setting]:
    for site in outline.of(Assign):
        if site.node.value is not None:
            for target in site.node.targets:
                yield from _assigned(site, target, site.node.value)
    for call in outline.of(Call):
        yield from _passed(outline, call)
    for mapping in outline.of(Mapping):
        for key, value in mapping.node.entries:
            name = text_of(key)
            if name is not None:
                yield Setting(name, value, value.line, value.end, "entry", mapping.function, mapping.owner, mapping.tests)


def _assigned(site: Site[Assign], target: Expr, value: Expr) -> Iterator[Setting]:
    match target:
        case Sequence(items=items):
            parts = value.items if isinstance(value, Sequence) and len(value.items) == len(items) else ()
            for inner, part in zip(items, parts, strict=False):
                yield from _assigned(site, inner, part)
            return
        case Name(id=name):
            form = "name"
        case Attribute(name=name):
            form = "attribute"
        case Index(key=key):
            name, form = text_of(key) or "", "index"
        case _:
            return
    yield Setting(name, value, site.line, site.end, form, site.function, site.owner, site.tests)


def _passed(outline: Outline, call: Site[Call]) -> Iterator[Setting]:
    last = outline.dotted(call.node.callee).rpartition(".")[2]
    if last == "setdefault" and len(call.node.arguments) == 2:
        name = text_of(call.node.arguments[0].value)
        if name is not None:
            yield Setting(
                name, call.node.arguments[1].value, call.line, call.end, "keyword", call.function, call.owner, call.tests
            )
    if last in _BULK:
        for each in call.node.arguments:
            if each.keyword:
                yield Setting(each.keyword, each.value, each.line, each.end, "keyword", call.function, call.owner, call.tests)


def for_development(outline: Outline, owner: Class | None) -> bool:
    """Return True if a settings module or class is for development or tests, by its name."""
    file = outline.path.rpartition("/")[2].removesuffix(".py")
    return bool(set(words(file)) & _DEVELOPMENT) or bool(owner and set(words(owner.name)) & _DEVELOPMENT)

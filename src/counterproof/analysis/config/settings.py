"""Settings in any notation: `NAME = v`, `config["NAME"] = v`, `config.update(NAME=v)`, `{"NAME": v}`, `x.name = v`."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.traversal import text_of
from counterproof.analysis.program.words import vocabulary, words
from counterproof.analysis.syntax.ir import Assign, Attribute, Call, Class, Expr, Index, Mapping, Name, Sequence

_BULK = ("update", "from_mapping", "from_dict", "setdefault", "Application", "dict")
_DEVELOPMENT = vocabulary("dev development develop local debug test tests testing ci sandbox staging example examples sample")


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting, at its value. `form` is 'name', 'index', 'attribute', 'keyword' or 'entry'."""

    name: str
    site: Site[Expr]
    form: str

    @property
    def value(self) -> Expr:
        return self.site.node

    @property
    def owner(self) -> Class | None:
        return self.site.owner


def settings_of(outline: Outline, *names: str) -> list[Setting]:
    """Every assignment to one of these settings."""
    by_name = _every_setting(outline)
    return [each for name in names for each in by_name.get(name, ())]


@lru_cache(maxsize=4)
def _every_setting(outline: Outline) -> dict[str, list[Setting]]:
    """All settings of a file by name: many rules query the same file for different names."""
    found: dict[str, list[Setting]] = {}
    for setting in _settings(outline):
        found.setdefault(setting.name, []).append(setting)
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
                yield Setting(name, _at(mapping, value), "entry")


def _at(site: Site[Any], value: Expr) -> Site[Expr]:
    return site._replace(node=value)


def _assigned(site: Site[Assign], target: Expr, value: Expr) -> Iterator[Setting]:
    match target:
        case Sequence(items=items):
            parts = value.items if isinstance(value, Sequence) and len(value.items) == len(items) else ()
            for inner, part in zip(items, parts, strict=False):
                yield from _assigned(site, inner, part)
        case Name(id=name):
            yield Setting(name, _at(site, value), "name")
        case Attribute(name=name):
            yield Setting(name, _at(site, value), "attribute")
        case Index(key=key):
            yield Setting(text_of(key) or "", _at(site, value), "index")
        case _:
            pass


def _passed(outline: Outline, call: Site[Call]) -> Iterator[Setting]:
    last, given = outline.dotted(call.node.callee).rpartition(".")[2], call.node.arguments
    name = text_of(given[0].value) if last == "setdefault" and len(given) == 2 else None
    if name is not None:
        yield Setting(name, _at(call, given[1].value), "keyword")
    for each in given if last in _BULK else ():
        if each.keyword:
            yield Setting(each.keyword, _at(call, each.value), "keyword")


def for_development(outline: Outline, owner: Class | None) -> bool:
    """Return True if a settings module or class is for development or tests, by its name."""
    file = outline.path.rpartition("/")[2].removesuffix(".py")
    return bool(set(words(file)) & _DEVELOPMENT) or bool(owner and set(words(owner.name)) & _DEVELOPMENT)

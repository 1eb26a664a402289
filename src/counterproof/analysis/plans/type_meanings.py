"""The types, functions and components that a name of a plan's TypeScript can mean, and what their objects have.

Always: one answer or none. What several blocks declare, or a block and the code, has what any of them gives it and needs what all
of them need; where one of them, or a base, is not known in full, nothing is known.
"""

import re
from dataclasses import dataclass, replace
from functools import cached_property

from counterproof.analysis.plans.blocks import DIFFS, OWN, SCRIPTS, Code
from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.code_uses import module_file
from counterproof.analysis.plans.heads import TYPESCRIPT
from counterproof.analysis.plans.script_globals import is_global
from counterproof.analysis.plans.script_trees import script_of
from counterproof.analysis.plans.type_shapes import Declared, Function, Member, Shape, declared_in, inline_shape
from counterproof.analysis.plans.type_trees import NOTHING, Source, Type, imports_of, source_of
from counterproof.analysis.plans.visibility import is_seen
from counterproof.model.plan.outline import Intent, Mention

MIN_UNIQUE = 6
"""Letters from which on a name alone tells what is meant."""
MAX_BASES = 6
"""Types that are followed from one to what it extends."""
MAX_HOPS = 3
_ENDINGS = (".ts", ".tsx", ".mts", ".cts")
MAX_MANIFESTS = 200
_PACKAGE = re.compile(r'(?m)^(?:\{[ \t]*|[ \t]{1,8})"name"[ \t]*:[ \t]*"([^"\n]{1,200})"')


@dataclass(frozen=True)
class Home:
    """Where a type is written: the file that it is for, with the modules that its names are imported from."""

    path: str
    imports: dict[str, str]


@dataclass(frozen=True)
class Typed:
    """A type, with the source that writes it, its place, and the block or the file whose names it uses. `name` is how one that
    has no name of its own is called."""

    type: Type
    source: Source
    place: str
    home: Home
    name: str


@dataclass(frozen=True)
class Members:
    """All that objects of a type have. Each member comes with the shape that declares it."""

    name: str
    places: tuple[str, ...]
    members: dict[str, tuple[Member, Shape]]
    required: frozenset[str]
    is_class: bool

    @property
    def told(self) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
        """Name, places, and the names of the members."""
        return self.name, self.places, tuple(self.members)


class Meanings:
    """What names of types stand for, for one plan."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self._files: dict[str, tuple[Home, dict[str, list[Declared]]]] = {}
        self._sources: dict[int, Source | None] = {}

    def source(self, code: Code) -> Source | None:
        """The tree of a block of TypeScript."""
        if code.block.first not in self._sources:
            self._sources[code.block.first] = source_of(code.text) if code.block.language in TYPESCRIPT else None
        return self._sources[code.block.first]

    def function(self, home: Home, name: str) -> Function | None:
        """The one function of a name."""
        found = self._meant(home, name)
        return found[0] if found and len(found) == 1 and isinstance(found[0], Function) else None

    def members(self, typed: Typed) -> Members | None:
        """All that objects of a type have; None where that is not known in full."""
        if typed.type.many or typed.type.later:
            return None
        if typed.type.node is not None:
            shape = inline_shape(typed.source, typed.type, typed.place)
            found = self._whole(typed.home, shape) if shape else None
            required = found.required if found and not typed.type.partial else frozenset[str]()
            return found and replace(found, name=typed.name, required=required)
        shapes = self._meant(typed.home, typed.type.name) or []
        wholes = [self._whole(typed.home, each) if isinstance(each, Shape) else None for each in shapes]
        known = [each for each in wholes if each]
        if not known or len(known) < len(wholes):
            return None
        members = {name: each for one in known for name, each in one.members.items()}
        needed = (
            [] if typed.type.partial else [name for name in known[0].required if all(name in each.required for each in known)]
        )
        places = tuple(place for each in known for place in each.places)
        return Members(typed.type.name, places, members, frozenset(needed), any(each.is_class for each in known))

    def only_class(self, path: str) -> str:
        """The class that a part of one is for: the only one of its file."""
        real = self.case.ground.resolve(path) if path else ""
        found = [name for name, each in self._file(real)[1].items() if isinstance(each[0], Shape) and each[0].is_class]
        return found[0] if len(found) == 1 else ""

    def options(self, typed: Typed) -> tuple[frozenset[str], tuple[str, ...]]:
        """The texts that a type consists of, and the places that declare it; none where it is another type, or not known."""
        if typed.type.many or typed.type.later:
            return frozenset(), ()
        if typed.type.options:
            return typed.type.options, (typed.place,)
        shapes = (self._meant(typed.home, typed.type.name) if typed.type.name else None) or []
        told = [each for each in shapes if isinstance(each, Shape) and each.options]
        options = frozenset(text for each in told for text in each.options)
        return (options, tuple(each.place for each in told)) if len(told) == len(shapes) else (frozenset(), ())

    def member(self, typed: Typed, name: str, called: bool = False) -> Typed | None:
        """The type of a member, where it is told; of a method that is `called`, what it returns."""
        members = self.members(typed)
        if members is None or name not in members.members:
            return None
        member, shape = members.members[name]
        return self.written(member.returns if called else member.type, shape, typed.home, f"{members.name}.{name}")

    def written(self, type_: Type | None, declared: Declared, home: Home, name: str) -> Typed | None:
        """A type as a declaration writes it."""
        if type_ is None:
            return None
        return Typed(type_, declared.source, declared.place, self._home_of(home, declared.place), name)

    def _home_of(self, home: Home, place: str) -> Home:
        path, _, number = place.rpartition(":")
        if path != "plan":
            return self._file(path)[0]
        return next((home_of(each) for each in self.case.codes if each.block.first <= int(number) <= _last(each)), home)

    def _whole(self, home: Home, shape: Shape) -> Members | None:
        """A shape with what its bases add."""
        members: dict[str, tuple[Member, Shape]] = {}
        required: set[str] = set()
        pending = [shape]
        for _ in range(MAX_BASES):
            if not pending:
                return Members(shape.name, (shape.place,), members, frozenset(required), shape.is_class)
            each = pending.pop()
            if not each.closed:
                return None
            members = {name: (member, each) for name, member in each.members.items()} | members
            required |= {name for name, member in each.members.items() if not member.optional}
            for base in each.bases:
                found = (
                    self._meant(self._home_of(home, each.place), base.name)
                    if base.name and not (base.many or base.later)
                    else None
                )
                if not found or len(found) != 1 or not isinstance(found[0], Shape) or base.partial:
                    return None
                pending.append(found[0])
        return None

    def _meant(self, home: Home, name: str) -> list[Declared] | None:
        shown = self._shown.get(name, [])
        there = self._there(home, name, bool(shown))
        return None if there is None else [*shown, *there] or None

    @cached_property
    def _shown(self) -> dict[str, list[Declared]]:
        """What the plan's blocks declare, of old code too; of a diff, or a block that does not parse, a part is seen."""
        found: dict[str, list[Declared]] = {}
        for code in self.case.codes:
            if code.block.language not in (*SCRIPTS, *DIFFS):
                continue
            source = self.source(code)
            whole = source is not None and not source.part
            declared = list(declared_in(source, "plan", code.block.first)) if source and whole else []
            for name, line in code.defined.items() if not whole else ():
                declared.append(Shape(name, f"plan:{line}", {}, (), False, NOTHING))
            for each in declared:
                found.setdefault(each.name, []).append(each)
        return found

    def shows_part(self, member: str) -> bool:
        """Whether a block shows a member without what it belongs to: a part of some declaration, or code that is not read."""
        for code in self.case.codes:
            source = self.source(code) if code.block.language in (*SCRIPTS, *DIFFS) and member in code.text else NOTHING
            if (source is None or source.part) and (
                code.binds(member) or re.search(rf"['\"]{re.escape(member)}['\"]", code.text)
            ):
                return True
            labels = source.root.named_children if source else []
            if source and any(member == source.of(each.child_by_field_name("label")) for each in labels):
                return True
        return False

    def _there(self, home: Home, name: str, shown: bool) -> list[Declared] | None:
        """What the code has under a name, where the block would find it; None where that is not certain."""
        path = home.path
        if path and not self._is_known(path) and name not in home.imports:
            return [] if shown else None  # the file may have a type of its own by this name
        for _ in range(MAX_HOPS):
            module = home.imports.get(name, "")
            if module and not module.startswith(OWN):
                return [] if shown else self._only_one(name, shown, path) if self._is_ours(module) else None
            path = (module_file(self.case, path, module) or "") if module else self.case.ground.resolve(path) if path else ""
            home, declared = self._file(path)
            if name in declared or not path or name not in home.imports:
                break
        found = self._file(path)[1].get(name, []) if path else []
        return found or self._only_one(name, shown, path)

    def _is_known(self, path: str) -> bool:
        """Whether a file is there, or the plan writes it."""
        return bool(self.case.ground.resolve(path)) or path in self._made

    @cached_property
    def _made(self) -> frozenset[str]:
        return frozenset(each.text for each in self.case.of(Mention.FILE) if each.intent is Intent.CREATES)

    def _is_ours(self, module: str) -> bool:
        """Whether a module is one of a package that the repository holds."""
        return "/".join(module.split("/")[: 1 + module.startswith("@")]) in self._packages

    @cached_property
    def _packages(self) -> frozenset[str]:
        manifests = [path for path in self.case.ground.project.files if path.rpartition("/")[2] == "package.json"]
        named = (_PACKAGE.search(self.case.ground.text(path)) for path in manifests[:MAX_MANIFESTS])
        return frozenset(match[1] for match in named if match)

    def _only_one(self, name: str, shown: bool, user: str) -> list[Declared] | None:
        """The one declaration of the code that has this name and is seen from a file; None where there are several."""
        places = [each for each in self.case.ground.occurrences(name).definitions if not self.case.is_local(*each)]
        paths = {each[0] for each in places if each[0].endswith(_ENDINGS) and is_seen(self.case, name, each, user)}
        if not paths or shown:
            return [] if shown or not places else None
        telling = len(name) >= MIN_UNIQUE and not is_global(name)
        found = self._file(paths.pop())[1].get(name, []) if len(paths) == 1 and telling else []
        return found if len(found) == 1 else None

    def _file(self, path: str) -> tuple[Home, dict[str, list[Declared]]]:
        if path not in self._files:
            source = source_of(self.case.ground.text(path)) if path.endswith(_ENDINGS) else None
            found: dict[str, list[Declared]] = {}
            for each in declared_in(source, path, 1) if source else ():
                found.setdefault(each.name, []).append(each)
            self._files[path] = (Home(path, imports_of(source) if source else {}), found)
        return self._files[path]


def home_of(code: Code) -> Home:
    """A block as the home of what it writes."""
    script = script_of(code.text, code.path)
    return Home(code.path, script.imported if script else {each.name: each.module for each in code.imports if each.name})


def _last(code: Code) -> int:
    return code.block.first + code.text.count("\n")

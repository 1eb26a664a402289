"""Doubts about Rust that a plan writes out: fields that a struct does not have, and literals that leave some out.

Always: only structs that are known in full by one declaration, in the plan or in the code, and only where brackets close. A field
that the plan speaks of, or shows as a part, is taken to be added, and so is any field of a struct that it says to extend.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from counterproof.analysis.plans.blocks import DIFFS, RUST, Code, blanked, without_texts
from counterproof.analysis.plans.calling import GIVES
from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.doubts import Doubt, Kind
from counterproof.analysis.plans.evidence import Evidence
from counterproof.analysis.plans.heads import closing, split

MAX_BODY = 40_000
MAX_FIELDS = 100
"""Fields that are looked for in the plan's words."""
_COMMENTS = r"//[^\n]{0,400}|/\*.{0,4000}?\*/"
_ATTRIBUTES = r"(?:#\[[^\n]{0,300}\]\s{0,20}){0,8}"
_STRUCT = re.compile(
    r"(?m)^[ \t]*(?:pub(?:\([^()\n]{1,40}\))?[ \t]+)?struct[ \t]+(\w{2,80})[ \t]*(?:<[^{};]{0,200}?>)?[^{};()]{0,200}?\{"
)
_IMPL = re.compile(
    r"(?m)^[ \t]*(?:unsafe[ \t]+)?impl\b[^{};]{0,300}?(?<![\w:])([A-Z]\w{1,80})(?:<[^{};]{0,200}?>)?\s{0,4}"
    r"(?:where[^{};]{0,300})?\{"
)
_ENUM = re.compile(r"(?m)^[ \t]*(?:pub(?:\([^()\n]{1,40}\))?[ \t]+)?enum[ \t]+\w{1,80}[^{};]{0,200}\{")
_READ = re.compile(r"(?<![\w.])self\.([a-z_]\w{0,80})(?![\w!])(?!\s{0,40}(?:\(|::))")
_LITERAL = re.compile(r"(?<![\w:])([A-Z]\w{1,80})\s{0,4}\{")
_NO_LITERAL = re.compile(r"(?:->|\b(?:struct|impl|for|enum|trait|union|mod|dyn|where)|[>&+!])\s{0,4}\Z")
_FIELD = re.compile(rf"{_ATTRIBUTES}(?:pub(?:\([^()\n]{{1,40}}\))?\s{{1,8}})?(?:r#)?([a-z_]\w{{0,80}})\s{{0,4}}:(?!:)")
_SET = re.compile(r"(?:r#)?([a-z_]\w{0,80})\s{0,4}(?::(?!:)|\Z)")
_LEFT_OUT = re.compile(
    r"(?://|/\*)[^\n]{0,60}?(?:\.\.\.|…|\b(?:existing|other|rest|unchanged|more|fields|as before)\b|现有|其他|其余|原有|已有)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Struct:
    """A struct: its fields, in order; `closed` where all are written out."""

    name: str
    place: str
    fields: tuple[str, ...]
    closed: bool


@dataclass(frozen=True)
class _Misfit:
    struct: Struct
    unknown: tuple[str, ...]
    missing: tuple[str, ...]
    line: int
    read: bool


def structs_in(text: str, path: str, first: int) -> Iterator[Struct]:
    """The structs with named fields that a text of Rust declares."""
    plain = blanked(text, _COMMENTS)
    for match in _STRUCT.finditer(plain):
        end = closing(plain, match.end(), MAX_BODY)
        parts = split(plain[match.end() : end]) if end >= 0 else ["…"]
        fields = [_FIELD.match(each) for each in parts]
        said = path == "plan" and _LEFT_OUT.search(text[match.end() : end]) is not None
        names = tuple(each[1] for each in fields if each)
        yield Struct(
            match[1], f"{path}:{first + plain.count(chr(10), 0, match.start(1))}", names, None not in fields and not said
        )


def wrong_fields(case: Case) -> Iterator[Doubt]:
    """Fields that the plan's Rust asks of structs, or gives them, which do not have them."""
    known = _Structs(case)
    found: dict[str, list[_Misfit]] = {}
    for code in case.new_codes:
        if code.block.language not in RUST:
            continue
        plain = without_texts(code.text)
        for each in (*_reads(code, plain, known), *_literals(code, plain, known)):
            found.setdefault(each.struct.place, []).append(each)
    yield from (_doubt(each) for each in found.values())


def _impls(plain: str) -> Iterator[tuple[str, int, int]]:
    """The bodies that implement a type: its name, where they begin and end."""
    for match in _IMPL.finditer(plain):
        end = closing(plain, match.end(), MAX_BODY)
        if end >= 0:
            yield match[1], match.end(), end


def _reads(code: Code, plain: str, known: "_Structs") -> Iterator[_Misfit]:
    for name, start, end in _impls(plain):
        struct = known.get(name)
        for match in _READ.finditer(plain, start, end) if struct else ():
            if struct and match[1] not in struct.fields and not known.adds(struct, match[1]):
                yield _Misfit(struct, (match[1],), (), code.line_of(match.start()), True)


def _literals(code: Code, plain: str, known: "_Structs") -> Iterator[_Misfit]:
    variants = [(each.end(), closing(plain, each.end(), MAX_BODY)) for each in _ENUM.finditer(plain)]
    for match in _LITERAL.finditer(plain):
        if any(start <= match.start() < end for start, end in variants):
            continue
        around = (
            [name for name, start, end in _impls(plain) if start <= match.start() < end] if match[1] == "Self" else [match[1]]
        )
        struct = (
            known.get(around[0]) if around and not _NO_LITERAL.search(plain[max(0, match.start() - 12) : match.start()]) else None
        )
        end = closing(plain, match.end(), MAX_BODY) if struct else -1
        if struct is None or end < 0 or _LEFT_OUT.search(code.text[match.end() : end]):
            continue
        parts = split(plain[match.end() : end])
        given = [_SET.match(re.sub(rf"\A{_ATTRIBUTES}", "", each)) for each in parts]
        if None in given or not parts:
            continue
        names = [each[1] for each in given if each]
        unknown = tuple(each for each in names if each not in struct.fields and not known.adds(struct, each))
        missing = tuple(each for each in struct.fields if each not in names) if known.is_sure(struct) else ()
        if unknown or missing:
            yield _Misfit(struct, unknown, missing, code.line_of(match.start()), False)


class _Structs:
    """The structs that the names of a plan mean."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self._found: dict[str, Struct | None] = {}
        self._added: dict[tuple[str, str], bool] = {}

    def get(self, name: str) -> Struct | None:
        """The one struct of a name, known in full."""
        if name not in self._found:
            shown = self._shown.get(name, [])
            all_ = [*shown, *self._there(name)]
            self._found[name] = all_[0] if len(all_) == 1 and all_[0].closed and not self._is_opened(all_[0]) else None
        return self._found[name]

    def is_sure(self, struct: Struct) -> bool:
        """Whether no part of the plan can have changed what the struct needs."""
        return struct.place.startswith("plan:") or struct.place.rpartition(":")[0] not in self.case.touched

    def adds(self, struct: Struct, field: str) -> bool:
        """Whether the plan gives the struct a field; of very many, nobody asks."""
        key = (struct.name, field)
        if key not in self._added:
            self._added[key] = len(self._added) >= MAX_FIELDS or self._is_added(struct, field)
        return self._added[key]

    def _is_added(self, struct: Struct, field: str) -> bool:
        """Whether a line of prose or a part of a declaration gives the struct a field."""
        word = re.compile(rf"`[^`\n]{{0,200}}(?<!\w){re.escape(field)}(?!\w)[^`\n]{{0,200}}`")
        spoken = [line for line in self.case.prose_lines if word.search(line)]
        if any(struct.name in line or GIVES.search(line) for line in spoken):
            return True
        part = re.compile(
            rf"(?m)^[ \t+]*(?:pub(?:\([^()\n]{{1,40}}\))?[ \t]+)?{re.escape(field)}[ \t]*:[ \t]*[\w&(\[][^\n]{{0,200}},?[ \t]*$"
        )
        own = any(part.search(code.text) and not re.search(r"\bfn\b", code.text) for code in self.case.codes)
        given = re.compile(rf"(?<!\w){re.escape(field)}(?!\w)")
        return own or any(struct.name in text and given.search(text) for _, text in self.case.sisters)

    def _is_opened(self, struct: Struct) -> bool:
        """Whether the plan says to extend a struct of the code, or another type answers for it."""
        if struct.place.startswith("plan:"):
            return False
        word = re.compile(rf"(?<!\w){re.escape(struct.name)}(?!\w)")
        extended = any(GIVES.search(line) for line in self.case.prose_lines if word.search(line))
        path = struct.place.rpartition(":")[0]
        return (
            extended
            or re.search(rf"\bDeref(?:Mut)?[ \t]+for[ \t]+{re.escape(struct.name)}\b", self.case.ground.text(path)) is not None
        )

    @cached_property
    def _shown(self) -> dict[str, list[Struct]]:
        found: dict[str, list[Struct]] = {}
        for code in self.case.codes:
            own = list(structs_in(code.text, "plan", code.block.first)) if code.block.language in (*RUST, *DIFFS) else []
            for name in set(code.defined) - {each.name for each in own} if code.block.language in (*RUST, *DIFFS) else ():
                own.append(Struct(name, f"plan:{code.defined[name]}", (), False))
            for each in own:
                found.setdefault(each.name, []).append(each)
        return found

    def _there(self, name: str) -> list[Struct]:
        declared = re.compile(rf"\b(?:struct|enum|union|type|trait)[ \t]+{re.escape(name)}\b")
        held = [place for place in self.case.ground.occurrences(name).definitions if place[0].endswith(".rs")]
        places = [place for place in held if declared.search(self.case.ground.project.line(*place))]
        paths = sorted({path for path, _ in places})[:3]
        found = [each for path in paths for each in structs_in(self.case.ground.text(path), path, 1) if each.name == name]
        return found if len(found) == len(places) else [Struct(name, f"{path}:1", (), False) for path in paths]


def _doubt(misfits: list[_Misfit]) -> Doubt:
    """One doubt for one struct."""
    misfits = sorted(misfits, key=lambda each: (not each.unknown, each.line))
    first, struct = misfits[0], misfits[0].struct
    unknown, needed = (
        ", ".join(f"`{name}`" for name in list(dict.fromkeys(names))[:6])
        for names in ([name for each in misfits for name in each.unknown], [name for each in misfits for name in each.missing])
    )
    said = [f"has no {unknown}; it has {', '.join(struct.fields[:12]) or 'nothing'}"] if unknown else []
    said += [f"{'it ' if unknown else ''}also needs {needed}"] if needed else []
    return Doubt(
        Kind.MEMBER if first.read else Kind.MISSHAPEN,
        f"{struct.name}.{(*first.unknown, *first.missing)[0]}",
        "",
        f"`{struct.name}`, declared at {struct.place}, {'; '.join(said)}",
        f"Line {first.line} does not compile",
        f"Use what `{struct.name}` has, or add {unknown} to it" if unknown else f"Give {needed} there",
        lines=tuple(dict.fromkeys(each.line for each in misfits))[:5],
        places=(struct.place,),
        evidence=Evidence.WRONG_FIELD,
    )

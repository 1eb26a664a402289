"""Doubts about calls in TypeScript, Go and Rust: more or fewer arguments than the function takes.

Always: only where the callee is certain: the plan's own blocks define it, the block, or else its file, imports it from a module
of the project, the file that the block is for defines it, or one place of the code alone does that the file can see. What the
plan shows and the code has too may be called in either way; what the plan speaks of changing, and what a block or its file binds
anew, accuses nobody.
"""

import re
from collections.abc import Iterator
from functools import cached_property

from counterproof.analysis.plans.blocks import OWN, RUST, Code, is_test_path
from counterproof.analysis.plans.calling import is_reworked
from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.code_uses import script_module
from counterproof.analysis.plans.doubts import Doubt, Kind
from counterproof.analysis.plans.evidence import Evidence
from counterproof.analysis.plans.heads import CHECKED, TYPESCRIPT, Given, Head, calls_in, heads_in
from counterproof.analysis.plans.left_files import read
from counterproof.analysis.plans.packages import own_modules
from counterproof.analysis.plans.visibility import folder_of, is_seen, module_of
from counterproof.model.counting import counted
from counterproof.model.plan.outline import Mention

MIN_UNIQUE = 6
_TAKEN = re.compile(
    r"\{(?P<names>[\w$\s,:]{1,300})\}[ \t]*=[ \t]*(?:await[ \t]+import|require)\([ \t]*['\"](?P<from>[^'\"\n]{1,200})['\"]"
)
_ENDINGS = {"go": (".go",), "rust": (".rs",), "rs": (".rs",), **dict.fromkeys(TYPESCRIPT, (".ts", ".tsx", ".mts", ".cts"))}

Placed = tuple[str, Head]
"""A head and the place that defines it."""


def wrong_counts(case: Case) -> Iterator[Doubt]:
    """Calls that give another number of arguments than any definition takes."""
    known = _Heads(case)
    seen: set[str] = set()
    for code in case.new_codes:
        if code.block.language not in CHECKED:
            continue
        for call in calls_in(code.text):
            spoken = code.plain[call.start] == " "  # in a comment
            variant = code.block.language in RUST and call.name[:1].isupper()  # of an enum, or a struct by its fields
            passed = spoken or variant or _is_meant_to_fail(code, call)
            heads = known.met(code, call.name) if call.name not in seen and not passed else []
            line = code.block.first + call.line - 1
            if heads and not any(head.least <= call.count <= head.most for _, head in heads):
                seen.add(call.name)
                imported = _module(code, call.name) != "" and not heads[0][0].startswith("plan:")
                meant = code.path != "" or _is_at_work(case, code, heads[0])  # a sketch for no file may be of another program
                alone = (
                    len(heads) == 1
                    and meant
                    and (case.is_alone(call.name, heads[0][0], code) or _is_beside(case, code, heads[0]))
                )
                evidence = Evidence.MISFIT if imported else Evidence.MISFIT_ALONE if alone else Evidence.MISFIT_BY_NAME
                yield _misfit(call, line, heads[0], evidence)


def _is_meant_to_fail(code: Code, call: Given) -> bool:
    """Whether a test says that the call throws, or that its types do not fit."""
    lines = code.text.split("\n")[max(0, call.line - 2) : call.line]
    return ".toThrow" in lines[-1] or ".rejects" in lines[-1] or "@ts-expect-error" in "\n".join(lines)


def _is_at_work(case: Case, code: Code, met: Placed) -> bool:
    """Whether the plan has the function, or the step of the block names its file."""
    path = met[0].rpartition(":")[0]
    named = (each for each in case.of(Mention.FILE) if each.step == code.step > 0)
    return path == "plan" or any(case.ground.resolve(each.text) == path for each in named)


def _is_beside(case: Case, code: Code, met: Placed) -> bool:
    """Whether the block itself, or the file that it is for, has the function, be it inside of another one; or the block imports
    it from the file that the plan writes it into."""
    path, _, line = met[0].rpartition(":")
    if path != "plan":
        return path == case.ground.resolve(code.path) if code.path else False
    home = next(each for each in case.codes if each.block.first <= int(line) <= each.block.first + each.text.count("\n"))
    return home is code or _takes(code, met[1].name, home)


def _takes(code: Code, name: str, home: Code) -> bool:
    """Whether a block takes a name from a module that is called like the file which another block is for."""
    stem = home.path.rpartition("/")[2].partition(".")[0]
    return stem != "" and stem == _module(code, name).rpartition("/")[2].partition(".")[0]


class _Heads:
    """The heads that a call of the plan can meet."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self._files: dict[str, dict[str, list[Head | None]]] = {}
        self._modules: dict[tuple[str, str], str | None] = {}

    def met(self, code: Code, name: str) -> list[Placed]:
        """Every head that the name may stand for there; none where any of them is not known."""
        if _is_bound(code, name):
            return []
        seen = (each for each in self._shown.get(name, []) if _shares(code, each[2]) and _is_served(code, name, each[2]))
        shown = [(place, head) for place, head, _ in seen]
        there = self._there(code, name)
        if there is None or any(head is None for _, head in shown):
            return []
        found = [(place, head) for place, head in [*shown, *there] if head is not None]
        reworked = not shown and any(is_reworked(self.case, name) for _ in there)
        return [] if reworked else found

    @cached_property
    def _shown(self) -> dict[str, list[tuple[str, Head | None, Code]]]:
        """What the plan's own blocks define, of old code too."""
        found: dict[str, list[tuple[str, Head | None, Code]]] = {}
        for code in self.case.codes:
            if code.block.language in CHECKED:
                own = list(heads_in(code.text))
                for name, head in own:
                    line = code.block.first + head.line - 1 if head else code.block.first
                    found.setdefault(name, []).append((f"plan:{line}", head, code))
                for name in set(code.defined) - {name for name, _ in own}:
                    found.setdefault(name, []).append((f"plan:{code.defined[name]}", None, code))
        return found

    def _there(self, code: Code, name: str) -> list[Placed] | None:
        """What the code has under the name, where the block would find it; None where that is not certain."""
        endings = _ENDINGS[code.block.language]
        own = self.case.ground.resolve(code.path) if code.path else ""
        module = _module(code, name) or module_of(self.case, code, name)
        if module == "" and own and name not in self._in(own):
            module = self._module_in(own, name)
        if module is None:
            return None
        places = self._places(name, own or code.path, endings)
        if module and (module.startswith(OWN) or not self._is_ours(module)):
            path = script_module(self.case, code, module)
            if not path:
                return [] if path == "" or module.startswith(OWN) else None
            path = self._passed_on(path, places)
        else:
            seen = (place for place in places if is_seen(self.case, name, place, own or code.path))
            homes = {each for each, line in seen if each == own or not self.case.is_local(each, line)}
            only = next(iter(homes), "") if len(homes) == 1 and len(name) >= MIN_UNIQUE else ""
            path = own if own in homes or name in self._in(own) else only
            if not path:
                return [] if not places else None
        if not path.endswith(endings):
            return None
        heads = self._in(path).get(name, [])
        if not heads:
            return None if any(each == path for each, _ in places) else []
        return [(f"{path}:{head.line}", head) for head in heads if head] if None not in heads else None

    def _is_ours(self, module: str) -> bool:
        """Whether a module belongs to the project, wherever it lies: what it passes on may come from any file."""
        return any(module == each or module.startswith(f"{each}/") for each in self._own_modules)

    @cached_property
    def _own_modules(self) -> frozenset[str]:
        return own_modules(self.case)

    def _places(self, name: str, user: str, endings: tuple[str, ...]) -> list[tuple[str, int]]:
        """Where the code defines a name; of Go the folder of the file alone, for its tests that of tests too."""
        held = self.case.ground.occurrences(name)
        places = [place for place in held.definitions if place[0].endswith(endings)]
        if endings != _ENDINGS["go"] or not user:
            return places
        tests = held.test_uses if is_test_path(user) else []
        beside = [place for place in (*places, *tests) if folder_of(place[0]) == folder_of(user)]
        return [place for place in beside if place in places or name in self._in(place[0])]

    def _module_in(self, path: str, name: str) -> str | None:
        """The module that the file of a block has a name from, '' if it does not have it; None where it has it in another way."""
        if (path, name) not in self._modules:
            home = read(self.case, path)
            module = module_of(self.case, home, name) if name in home.text else ""
            bound = module == "" and name in home.text and home.binds(name)
            self._modules[path, name] = None if bound else module
        return self._modules[path, name]

    def _passed_on(self, path: str, places: list[tuple[str, int]]) -> str:
        """The one file of a folder that defines what the folder's index only passes on; else the index itself."""
        folder, _, name = path.rpartition("/")
        homes = {each for each, line in places if each.startswith(f"{folder}/") and not self.case.is_local(each, line)}
        return next(iter(homes)) if name.startswith("index.") and len(homes) == 1 else path

    def _in(self, path: str) -> dict[str, list[Head | None]]:
        if path not in self._files:
            found: dict[str, list[Head | None]] = {}
            for name, head in heads_in(self.case.ground.text(path)) if path else ():
                found.setdefault(name, []).append(head)
            self._files[path] = found
        return self._files[path]


def _is_served(code: Code, name: str, home: Code) -> bool:
    """Whether a block can mean what another one defines: what a test has, a stand-in above all, serves its own file and those
    that take it from there."""
    own = home is code or "" in (home.path, code.path) or home.path == code.path
    return own or not home.is_test or _takes(code, name, home)


def _is_bound(code: Code, name: str) -> bool:
    """Whether the block gives the name another meaning: a variable, a parameter, a part of an object, what a hook returns."""
    renamed = rf"(?:\bas[ \t]+{re.escape(name)}\b|[\w$]:[ \t]*{re.escape(name)}\b[^{{}}]{{0,200}}\}}[ \t]*=(?!=))"
    given = code.binds(name) or re.search(renamed, code.plain) is not None
    return name not in code.defined and not _module(code, name) and given


def _module(code: Code, name: str) -> str:
    """The module that a block takes a name from, at its head or where it runs: `const { total } = await import("./price")`."""
    named = next((each.module for each in code.imports if each.name == name), "")
    taken = (match for match in _TAKEN.finditer(code.plain) if name in map(str.strip, match["names"].split(",")))
    return named or next((match["from"] for match in taken), "")


def _shares(code: Code, home: Code) -> bool:
    """Whether a block can mean what another one defines: in Go, one for the same folder."""
    return code.block.language != "go" or not (code.path and home.path) or folder_of(code.path) == folder_of(home.path)


def _misfit(call: Given, line: int, met: Placed, evidence: Evidence) -> Doubt:
    place, head = met
    taken = ", ".join(head.names) or "none"
    count = f"at most {head.most}" if call.count > head.most else f"at least {head.least}"
    return Doubt(
        Kind.CALL,
        call.name,
        "",
        f"`{call.name}`, defined at {place}, takes {count}, not {counted(call.count, 'argument')}; it takes {taken}",
        f"The call of line {line} does not compile",
        f"Call it with {taken}, or add the step that changes what it takes",
        lines=(line,),
        places=(place,),
        evidence=evidence,
    )

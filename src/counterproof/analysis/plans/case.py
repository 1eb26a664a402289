"""A plan carried out in the mind: the repository as it is, and what each step makes of it (P17).

Always: what the plan makes counts, from whatever place of the text it can be read: labels, lists, tables, headings, prose, and
the code blocks of any language. Whether something is missing is asked of the repository and of the plan together.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cached_property

from counterproof.analysis.plans.block_files import PART, placed
from counterproof.analysis.plans.blocks import SHELLS, Code, code_of, parts_of
from counterproof.analysis.plans.ground import Ground
from counterproof.analysis.plans.layout import STEP_TITLE, Block, blocks_of, lines_of
from counterproof.analysis.plans.likeness import is_snake
from counterproof.analysis.plans.naming import FILE
from counterproof.model.plan.outline import Intent, Mention, Named, PlanOutline

_WRITES = re.compile(
    r"(?:>{1,2}|\btee(?: -a)?|\btouch|\bmkdir(?: -p)?|\bcp(?: -\w+)? \S+|\bmv \S+|\bgit mv \S+"
    r"|\binit)[ \t]+[\"']?(?P<path>[\w./@-]{2,200})"
)
_LOCAL = re.compile(r"[ \t]+(?:const|let|var)[ \t]")
_HIDDEN = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_REPLACE = re.compile(r"\breplace\b[^:\n]{0,60}[:：*_\s)]{0,6}\Z", re.IGNORECASE)
MIN_LINE = 5
"""Letters from which on a line of code is more than brackets."""
_MODULES = (".py", "/__init__.py", ".ts", ".tsx", ".js", ".jsx", ".mjs", "/index.ts", "/index.tsx", "/index.js")
MAX_HEARD = 2_000
"""Letters of a line that are heard."""
MAX_AROUND = 14
"""Lines of prose before a block, and behind it, that are about it."""
OPENING = 60
"""Lines in which a plan says what it builds on."""
_BEFORE = re.compile(
    r"\b(?:dependenc(?:y|ies)|depends on|prerequisites?|requires|builds on|assumes|blocked by|follows|continues"
    r"|only (?:be (?:\w{1,20} ){1,3})?(?:after|once))\b|前置|前提(?:条件)?[*_]{0,3}[:：]|依赖|先决|基于|只能在|必须在|须在|需在",
    re.IGNORECASE,
)
_OTHER = re.compile(
    r"\b(?:phase|plan|milestone|part|stage|sprint|wave|batch|epic|story|PR|pull request|branch)"
    r"(?:[ \t]*[#:`'\"-]{0,2}[A-Z]?\d[\w.-]{0,20}|\b[ \t]*[#:`'\"-]{0,2}[\w-]+/[\w-]+)",
    re.IGNORECASE,
)


_PLANS = re.compile(
    r"(?:^|/)(?:\.?plans?|\.?planning|specs?|rfcs?|proposals|superpowers|roadmaps?|phases)/(?:.{0,200}/)?[^/]{1,150}\.md\Z"
    r"|(?:^|[/_-])plan\.md\Z",
    re.IGNORECASE,
)


class Case:
    """A plan beside its repository."""

    def __init__(self, outline: PlanOutline, text: str, ground: Ground) -> None:
        self.outline = outline
        self.text = text
        self.lines = text.split("\n")
        self.ground = ground
        self._spoken: dict[re.Pattern[str], tuple[tuple[int, str], ...]] = {}

    def line(self, number: int) -> str:
        return self.lines[number - 1] if 0 < number <= len(self.lines) else ""

    def of(self, *kinds: Mention) -> tuple[Named, ...]:
        return tuple(each for each in self.outline.named if each.kind in kinds)

    def step_of(self, line: int) -> int:
        return next((step.number for step in self.outline.steps if step.start <= line <= step.end), 0)

    def heading_of(self, line: int) -> str:
        """The nearest heading above a line of prose; '' if there is none."""
        above = (self.line(at) for at in range(line, 0, -1) if at not in self.code_lines)
        return next((text for text in above if text.startswith("#")), "")

    @cached_property
    def prose_lines(self) -> tuple[str, ...]:
        """The lines outside of code blocks."""
        return tuple(line.text for line in lines_of(self.text) if not line.code)

    def lines_with(self, words: re.Pattern[str]) -> tuple[tuple[int, str], ...]:
        """The lines that a pattern is found in, with their numbers; what a reader does not get to see is left out."""
        if words not in self._spoken:
            shown = _HIDDEN.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), self.text).split("\n")
            self._spoken[words] = tuple(
                (at, line[:MAX_HEARD]) for at, line in enumerate(shown, 1) if words.search(line[:MAX_HEARD])
            )
        return self._spoken[words]

    @cached_property
    def code_lines(self) -> dict[int, str]:
        """The lines inside of code blocks, by number, with their languages."""
        return {line.number: line.code for line in lines_of(self.text) if line.code}

    def around(self, block: Block) -> str:
        """The prose right before and behind a block, up to the next block, heading or part of a step. What ends in a colon leads
        to the next block."""
        above, below = block.first - 1, block.first + block.text.count("\n") + 1
        while above in self.code_lines:
            above -= 1
        while below in self.code_lines:
            below += 1
        before = list(self._prose(range(above, max(0, above - MAX_AROUND), -1)))
        opening = self.line(above - len(before))
        after = [line for line in self._prose(range(below, below + MAX_AROUND)) if not line.rstrip(" *_").endswith((":", "："))]
        return "\n".join([opening if PART.match(opening) else "", *reversed(before), *after])

    def _prose(self, numbers: Iterable[int]) -> Iterator[str]:
        """Lines of prose, one after the other, up to where another part begins."""
        for number in numbers:
            line = self.line(number)
            if number in self.code_lines or PART.match(line):
                return
            yield line[:MAX_HEARD]

    @cached_property
    def codes(self) -> tuple[Code, ...]:
        """The plan's code blocks, each with the file that it is for."""
        blocks = (part for block in blocks_of(lines_of(self.text)) for part in parts_of(block))
        read = tuple(code_of(block, self.step_of(block.first)) for block in blocks)
        return tuple(placed(read, self.outline, self.lines, self.ground))

    @cached_property
    def new_codes(self) -> tuple[Code, ...]:
        """The blocks that say how the code is to be; what a plan quotes of the past accuses nobody."""
        return tuple(code for code in self.codes if not code.is_old or self._is_rewritten(code))

    def _is_rewritten(self, code: Code) -> bool:
        """Whether a block after `Replace …:` shows what comes instead: its file does not have these lines."""
        lines = [line.strip() for line in code.text.split("\n") if len(line.strip()) > MIN_LINE]
        held = self.ground.text(self.ground.resolve(code.path)) if code.path and self.ground.resolve(code.path) else ""
        told = _REPLACE.search(code.block.lead) is not None and held != ""
        return told and len(lines) > 1 and sum(line in held for line in lines) * 4 < len(lines) * 3

    @cached_property
    def made_files(self) -> dict[str, int]:
        """Paths that the plan makes, with the first step that does; 0 outside of steps."""
        found: dict[str, int] = {}
        for each in self.of(Mention.FILE, Mention.FOLDER):
            if each.intent is Intent.CREATES:
                _first(found, each.text.strip("/"), each.step)
        changed = {each.text for each in self.of(Mention.FILE) if each.intent is not Intent.CREATES and each.firm} - set(found)
        for code in self.codes:
            if code.path and code.path not in changed:  # code for a file that the plan says to change does not make it
                _first(found, code.path, code.step)
            for match in _WRITES.finditer(code.block.text) if code.block.language in (*SHELLS, "text") else ():
                _first(found, match["path"].removeprefix("./"), code.step)
            if code.block.language == "text" or re.search("[├└│]", code.block.text):
                for match in FILE.finditer(code.block.text):
                    _first(found, match[0], 0)
        return found

    def makes_file(self, path: str) -> bool:
        """Whether the plan makes a file: by this path, by a part of it, or inside of a folder that it makes."""
        path = path.removeprefix("./").strip("/")
        ends = (each for each in self.made_files if each == path or path.endswith(f"/{each}") or each.endswith(f"/{path}"))
        inside = (each for each in self.made_files if "." not in each.rpartition("/")[2] and path.startswith(f"{each}/"))
        return next(ends, "") != "" or next(inside, "") != ""

    @cached_property
    def made_names(self) -> frozenset[str]:
        """Names that the plan brings, and the parts of dotted ones."""
        names = [each.text for each in self.of(Mention.SYMBOL) if each.intent is Intent.CREATES]
        found = {part for name in names for part in (name, name.rpartition(".")[2])}
        for code in self.codes:
            found |= code.words
        return frozenset(found)

    def makes_name(self, name: str) -> bool:
        return name in self.made_names or name.rpartition(".")[2] in self.made_names

    def defines(self, name: str) -> bool:
        """Whether a block of the plan defines a name or gives it a value."""
        given = re.compile(
            rf"(?<![\w$.]){re.escape(name)}[ \t]*(?::[^=\n]{{1,80}})?=(?!=)|\b(?:function|class|fn|func)[ \t]+{re.escape(name)}\b"
        )
        return any(name in code.defined or given.search(code.text) for code in self.codes)

    def binds(self, name: str) -> bool:
        """Whether a block gives a name a meaning in any form: a definition, a method, a field, a value, a parameter, a part of
        what is taken apart. To import a name, to call it or to hand it on gives it none."""
        return any(name in code.text and _is_bound(code, name) for code in self.codes)

    @cached_property
    def prose_made(self) -> frozenset[str]:
        """Names that only the words around them make new: they may as well be misspelt ones."""
        named = [each for each in self.of(Mention.SYMBOL) if each.intent is Intent.CREATES]
        return frozenset(each.text for each in named) - frozenset(each.text for each in named if each.firm)

    def slip_for(self, name: str) -> str:
        """The name of the code that was meant by one which no file holds: it differs by little, the plan never names it, and it
        is more than a variable inside of a function: something is read under it, or a file that the plan works on has it."""
        near = self.ground.nearest_name(name)
        same = near.strip("_").lower() == name.strip("_").lower()  # a public name beside a private one is another thing
        if not near or same or is_snake(near) != is_snake(name) or self.ground.holds(name):
            return ""
        if re.search(rf"(?<![\w$]){re.escape(near)}(?![\w$])", self.text):
            return ""
        held = self.ground.occurrences(near)
        local = held.definitions and all(self.is_local(*place) for place in held.definitions[:20])
        local = local and not self.touched & {path for path, _ in held.definitions}
        members = (f".{near}" in self.ground.project.line(*place) for place in held.uses[:100])
        return "" if local and not any(members) else near

    def sibling_of(self, name: str, spoken_of: bool = False) -> str:
        """The only name of the code that differs from this one by one word, where a file that the plan names or imports defines
        it and the plan itself never names it, unless it may be `spoken_of`; '' if there is none, or a family of them, to which
        one more may come."""
        siblings = self.ground.siblings(name)
        if len(siblings) != 1 or not (spoken_of or not re.search(rf"(?<![\w$]){re.escape(siblings[0])}(?![\w$])", self.text)):
            return ""
        homes = {path for path, _ in self.ground.occurrences(siblings[0]).definitions}
        return siblings[0] if homes & (self.touched | self.imported) else ""

    def is_local(self, path: str, number: int) -> bool:
        """Whether a line of a script gives a variable inside of a function its value."""
        return _LOCAL.match(self.ground.text(path).split("\n")[number - 1]) is not None

    def is_alone(self, name: str, place: str, user: Code | None = None) -> bool:
        """Whether nothing but the definition at a place can be meant by a name: it stands inside of nothing else; one of the plan
        is for the same file as its user, or no helper of a test or of a file, and the code does not hold the name."""
        path, _, number = place.rpartition(":")
        if path != "plan":
            return not self.ground.project.line(path, int(number))[:1].isspace()
        home = next((code for code in self.codes if name in code.defined and code.defined[name] == int(number)), None)
        if home is None or self.line(int(number))[:1].isspace() or self.ground.holds(name):
            return False
        own = home is user or (user is not None and user.path == home.path != "")
        return own or not (home.is_test or name.startswith("_"))

    @cached_property
    def prose_words(self) -> frozenset[str]:
        """Words in code marks anywhere in the prose."""
        marked = re.findall(r"`([^`\n]{1,200})`", self.text)
        return frozenset(word for text in marked for word in re.findall(r"[A-Za-z_$][\w$]*", text))

    @cached_property
    def touched(self) -> frozenset[str]:
        """Real paths of the files that the plan names: its author looked at them."""
        paths = {self.ground.resolve(each.text) for each in self.of(Mention.FILE)} | {
            self.ground.resolve(code.path) for code in self.codes
        }
        return frozenset(path for path in paths if path)

    @cached_property
    def worked_on(self) -> frozenset[str]:
        """Paths of the files that the plan makes or changes, by its words or by its blocks."""
        named = {each.text for each in self.of(Mention.FILE) if each.intent in (Intent.CREATES, Intent.CHANGES)}
        paths = {self.ground.resolve(each) or each for each in named | {code.path for code in self.codes if code.path}}
        return frozenset({*paths, *self.made_files})

    @cached_property
    def imported(self) -> frozenset[str]:
        """Real paths of the modules that the plan's code imports, as far as their names tell."""
        stems = {re.sub(r"\.(?:js|jsx|mjs)\Z", "", each.module).lstrip("@~$./") for code in self.codes for each in code.imports}
        parts = {stem if "/" in stem else stem.replace(".", "/") for stem in stems}
        found = {self.ground.resolve(f"{part}{ending}") for part in parts if part for ending in _MODULES}
        return frozenset(path for path in found if path)

    @cached_property
    def builds_on(self) -> str:
        """Other work that is done before the plan: its opening names it, as in `Dependencies: Phase 3a complete`, or its steps
        begin to count in the middle; '' if none."""
        first = self.outline.steps[0] if self.outline.steps else None
        opening = self.lines[: min(first.start if first else OPENING, OPENING)]
        for number, line in enumerate(opening):
            if _BEFORE.search(line):
                other = _OTHER.search(" ".join([_BEFORE.split(line)[-1], *opening[number + 1 : number + 6]]))
                if other and other[0].strip().lower() not in self.outline.title.lower():
                    return other[0].strip()
        needs = re.search(r"(?m)^depends_on:[ \t]*(?:\[[ \t\"']*|\n[ \t]*-[ \t\"']*)([\w./-]{1,60})", "\n".join(opening))
        if needs:
            return f"plan {needs[1]}"
        counted = re.search(r"\d{1,3}", first.title) if first and STEP_TITLE.match(first.title) else None
        return f'what comes before "{first.title[:60]}"' if first and counted and int(counted[0]) > 1 else ""

    @cached_property
    def sisters(self) -> tuple[tuple[str, str], ...]:
        """Other plans that lie in the repository, with their texts: a plan may be one part of several. One under the same heading
        is this plan in another form."""
        return tuple((path, text) for path, text in self._plans if text and not self._is_this(text))

    @cached_property
    def folder(self) -> str:
        """The folder that the plan itself lies in; '' if it lies outside of the repository."""
        own = next((path for path, text in self._plans if text == self.text), self.ground.plan)
        return own.rpartition("/")[0]

    @cached_property
    def _plans(self) -> tuple[tuple[str, str], ...]:
        return tuple((path, self.ground.text(path)) for path in self.ground.project.files if _PLANS.search(path))

    def _is_this(self, text: str) -> bool:
        mine, theirs = ({line for line in each.split("\n") if line.strip()} for each in (self.text, text))
        alike = len(mine & theirs) * 2 >= min(len(mine), len(theirs))
        return text == self.text or (alike and _heading(text) == _heading(self.text))


def _is_bound(code: Code, name: str) -> bool:
    imported = {*(each.name for each in code.imports), *(taken for taken, _ in code.taken)}
    quoted = re.search(rf"[\"']{re.escape(name)}[\"']", code.text) is not None  # a column, a key, an event
    return name not in imported and (quoted or code.binds(name))


def _heading(text: str) -> str:
    """The first heading of a text, or all of it where it has none."""
    found = re.search(r"(?m)^#[ \t]+(.{1,300})$", text)
    return found[1].strip() if found else text


def _first(found: dict[str, int], name: str, step: int) -> None:
    """Keep the earliest step; outside of steps a thing is made at no known time."""
    before = found.get(name)
    found[name] = step if before is None or (0 < step < before) or (before == 0) else before

"""A plan with its repository: the things that the plan creates and changes, its code blocks, and their files (P17).

Invariant: anything that the plan creates counts, in any explicit form. Whether something is missing is decided by the repository
and the plan together.
"""

import re
from collections.abc import Callable
from functools import cached_property
from typing import TypeVar, cast

from counterproof.analysis.plans.block_files import placed
from counterproof.analysis.plans.blocks import SHELLS, Code, code_of, parts_of
from counterproof.analysis.plans.ground import Ground
from counterproof.analysis.plans.layout import blocks_of, lines_of, without_comments
from counterproof.analysis.plans.understanding import step_at
from counterproof.model.plan.outline import Intent, Mention, Named, PlanOutline, PlanStep

T = TypeVar("T")

_OTHER_PLAN = re.compile(
    r"\b(?P<kind>plan|part|phase|milestone|sprint|PR)s?[ \t]*[#:-]?[ \t]*[A-Z]?\d|(?m:^depends_on:)"
    r"|(?<![\w/.-])(?:[\w.-]{1,80}/){0,8}(?:[\w.-]{1,80}[-_])?plan[\w-]{0,80}\.md\b",
    re.IGNORECASE,
)
"""References to another plan: by number, in the front matter, or by file."""
NEW_PLACE = (Intent.RENAMES, Intent.MOVES)


class Case:
    """A plan with its repository."""

    def __init__(self, outline: PlanOutline, text: str, ground: Ground) -> None:
        self.outline = outline
        self.text = without_comments(text)
        self.lines = self.text.split("\n")
        self.ground = ground
        self._made: dict[str, object] = {}

    def once(self, name: str, make: Callable[[], T]) -> T:
        """The result of `make`, computed once for this plan."""
        if name not in self._made:
            self._made[name] = make()
        return cast("T", self._made[name])

    def line(self, number: int) -> str:
        return self.lines[number - 1] if 0 < number <= len(self.lines) else ""

    def of(self, *kinds: Mention) -> tuple[Named, ...]:
        return tuple(each for each in self.outline.named if each.kind in kinds)

    def intents(self, *kinds: Mention) -> tuple[Named, ...]:
        return tuple(each for each in self.outline.intents if each.kind in kinds)

    def step(self, line: int) -> PlanStep | None:
        number = step_at(line, self.outline.steps)
        return self.outline.steps[number - 1] if number else None

    def where(self, line: int) -> str:
        """A line's location for the start of a sentence: its step if it has one."""
        number = step_at(line, self.outline.steps)
        return f"Step {number} (line {line})" if number else f"Line {line}"

    @cached_property
    def code_lines(self) -> dict[int, str]:
        """The lines inside code blocks, by number, with their languages."""
        return {line.number: line.code for line in lines_of(self.text) if line.code}

    @cached_property
    def codes(self) -> tuple[Code, ...]:
        """The plan's code blocks, each with its file."""
        blocks = (part for block in blocks_of(lines_of(self.text)) for part in parts_of(block))
        read = tuple(code_of(block, step_at(block.first, self.outline.steps)) for block in blocks)
        return tuple(placed(read, self.outline, self.lines, self.ground))

    @cached_property
    def new_codes(self) -> tuple[Code, ...]:
        """The blocks with new code, without those under `Before:`."""
        return tuple(code for code in self.codes if not code.is_old)

    @cached_property
    def blocks_by_file(self) -> dict[str, list[Code]]:
        """The blocks with new code of each file, by its real path or, for a new one, the plan's."""
        found: dict[str, list[Code]] = {}
        for code in self.new_codes:
            if code.path and code.block.language not in SHELLS:
                found.setdefault(self.ground.resolve(code.path) or code.path, []).append(code)
        return found

    @cached_property
    def made_files(self) -> dict[str, int]:
        """Paths that the plan creates, with the first line that does."""
        found: dict[str, int] = {}
        for each in self.intents(Mention.FILE, Mention.FOLDER):
            if each.intent is Intent.CREATES:
                found.setdefault(each.text.strip("/"), each.line)
            elif each.intent in NEW_PLACE and each.to:
                found.setdefault(each.to.strip("/"), each.line)
        changed = {each.text for each in self.intents(Mention.FILE) if each.intent is Intent.CHANGES} - set(found)
        for code in self.codes:
            if code.path and code.path not in changed:
                found.setdefault(code.path, code.block.first)
        return found

    def makes_file(self, path: str) -> bool:
        """Return True if the plan creates a file: by this path, by a part of it, or inside a folder that it creates."""
        path = path.removeprefix("./").strip("/")
        ends = any(each == path or path.endswith(f"/{each}") or each.endswith(f"/{path}") for each in self.made_files)
        return ends or any("." not in each.rpartition("/")[2] and path.startswith(f"{each}/") for each in self.made_files)

    @cached_property
    def made_names(self) -> frozenset[str]:
        """Names that the plan introduces: by an intent, or in a defining position of a block."""
        found = {each.short for each in self.intents(Mention.SYMBOL) if each.intent is Intent.CREATES}
        found |= {each.to.rpartition(".")[2] for each in self.outline.intents if each.to}
        for code in self.codes:
            found |= code.words
        return frozenset(found)

    def makes_name(self, name: str) -> bool:
        return name.rpartition(".")[2] in self.made_names

    def binds(self, name: str) -> bool:
        """Return True if a block binds a name: a definition, method, field, value or parameter. An import does not."""
        return any(name in code.text and code.binds(name) for code in self.codes)

    def names(self, name: str) -> bool:
        """Return True if any line of the plan mentions a name."""
        return re.search(rf"(?<![\w$]){re.escape(name)}(?![\w$])", self.text) is not None

    @cached_property
    def touched(self) -> frozenset[str]:
        """Real paths of the files that the plan mentions, so its author considered them."""
        named = {each.text for each in self.of(Mention.FILE)} | {each.home for each in self.outline.intents}
        named |= {each.to for each in self.outline.intents}
        paths = {self.ground.resolve(each) for each in named | {code.path for code in self.codes} if each}
        return frozenset(path for path in paths if path)

    @cached_property
    def folders(self) -> tuple[str, ...]:
        """Folders that the plan changes as a whole."""
        return tuple(each.text.strip("/") + "/" for each in self.intents(Mention.FOLDER) if each.intent is not Intent.KEEPS)

    def is_left(self, path: str) -> bool:
        """Return True if the plan does not touch a file: it neither mentions it nor changes a folder around it."""
        return path not in self.touched and not path.startswith(self.folders)

    @cached_property
    def other_plan(self) -> str:
        """Another plan that this one refers to outside its headings; '' if there is none. A step's own number is not a plan."""
        own = {
            match["kind"].lower() for each in self.outline.steps if (match := _OTHER_PLAN.search(each.title)) and match["kind"]
        }
        for number, line in enumerate(self.lines, 1):
            match = _OTHER_PLAN.search(line[:2_000]) if number not in self.code_lines else None
            told = match[0].strip() if match else ""
            is_own = told.lower() in self.outline.title.lower() or self.outline.path.endswith(told) or told in self.made_files
            if match and (match["kind"] or "").lower() not in own and not is_own:
                return told
        return ""

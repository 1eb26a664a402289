"""The plan's code: the definitions, imports and calls in its blocks, and the file of each.

Invariant: blocks are parsed and never run; one that does not parse contributes only words in defining positions. A diff counts by
its added lines.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from counterproof.analysis.plans.layout import Block
from counterproof.analysis.plans.lowered import Imported, Names, imports_in, module_of, names_in
from counterproof.analysis.plans.naming import FILE
from counterproof.analysis.source.languages import is_test
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import walk

PYTHON = ("python", "py", "python3")
SCRIPTS = ("ts", "tsx", "js", "jsx", "typescript", "javascript", "mjs", "vue", "svelte")
RUST = ("rust", "rs")
DIFFS = ("diff", "patch")
SHELLS = ("bash", "sh", "shell", "console", "zsh", "powershell")
DATA = frozenset(
    """bash sh shell console zsh powershell text json jsonc yaml yml toml ini md markdown html css scss sql diff mermaid env xml
    http dockerfile makefile""".split()  # noqa: SIM905 - one word a language
)
"""Languages of blocks that are not programs."""
MAX_COMMENT = 400

_NAME = r"([A-Za-z_$][\w$]{0,80})"
_DEFINED = re.compile(
    rf"(?m)^[ \t]*(?:(?:export|default|pub(?:\([a-z]+\))?|async|abstract|public|internal|private|protected|static|sealed"
    rf"|final|partial|readonly|data|open|declare)[ \t]+){{0,5}}(?:def|class|function|func|fun|fn|const|let|var|val"
    rf"|interface|type|struct|enum|trait|record|protocol)[ \t]+(?:\([^()\n]{{0,80}}\)[ \t]*)?{_NAME}"
)
_DEFINING = (
    _DEFINED,
    re.compile(rf"{_NAME}[ \t]*(?:<[^<>\n]{{0,60}}>)?[ \t]*(?:\??:[^=\n]{{0,80}})?=(?!=)|[\"']?{_NAME}[\"']?\??[ \t]*:(?!:)"),
    re.compile(
        rf"(?m)^[ \t]*(?:\w+[ \t]+){{0,4}}{_NAME}[ \t]*(?:<[^<>\n]{{0,60}}>)?\([^;\n]{{0,200}}\)?[^;\n]{{0,80}}\{{[ \t]*$"
    ),
    re.compile(rf"(?i:\b(?:TABLE|COLUMN|INDEX|EXISTS)[ \t]+)[\"`\[]?{_NAME}"),
)
_COMMENT_PATH = re.compile(
    r"[ \t]*(?:#|//|/\*|--|<!--)[ \t]*(?:file:?[ \t]*)?(?P<path>\S{1,200}?)(?:[ \t]*\(.{0,60}\)|[ \t]+[—–-].{0,80})?[ \t]*"
    r"(?:\*/|-->)?[ \t]*\Z",
    re.IGNORECASE,
)
_OLD = re.compile(
    r"\b(?:before|old|current(?:ly)?|existing|find|replace|examples?|sketch)\b[^:\n]{0,40}(?:[:：]|[*_])[*_\s)]{0,6}\Z",
    re.IGNORECASE,
)
"""A label over a block with existing code, or a sketch: `Before:`, `Current code:`, `**Old**`."""
_NEW = re.compile(r"\b(?:with|by|to|add|append|insert)\b[^\n]{0,60}[:：*_\s)]{0,6}\Z", re.IGNORECASE)
_OLD_COMMENT = re.compile(r"(?:#|//|--|/\*)[ \t]*(?:before|old|current|existing)\b", re.IGNORECASE)
_OMITTED = re.compile(
    r"(?:#|//|/\*|<!--)[ \t]*(?:\.\.\.|…|(?:existing|unchanged|rest|as before|imports?)\b)"
    r"|(?:^|[:,(\[])[ \t]*(?:\.\.\.|…)[ \t]*(?:[,)\]]|\*/|$)",
    re.IGNORECASE | re.MULTILINE,
)
_TESTS = re.compile(
    r"(?m)^[ \t]*(?:(?:async[ \t]+)?def[ \t]+test_|(?:describe|it|test|Deno\.test)\(|@pytest|#\[(?:tokio::)?test|@Test\b"
    r"|(?:\w+[ \t]+){0,2}func(?:tion)?[ \t]+test[A-Z_]\w{0,120}\()"
)


@dataclass(frozen=True)
class Code:
    """The content of one block. `path` is its file, as far as the plan shows; `step` the step that contains it."""

    block: Block
    step: int
    path: str
    language: str

    @cached_property
    def lowered_as(self) -> str:
        """The path under which the block is parsed; '' for a language that is not."""
        if self.language == PYTHON[0]:
            return self.path if self.path.endswith(".py") else "a.py"
        return (self.path or "a.tsx") if self.language in (*SCRIPTS, *DIFFS) else ""

    @cached_property
    def module(self) -> ir.Module | None:
        """The parsed Python or script of the block."""
        return module_of(self.text, self.lowered_as) if self.lowered_as else None

    @property
    def is_test(self) -> bool:
        """Return True if a block is a test; Rust code with inline tests is not."""
        return _writes_tests(self.block) or is_test(self.path)

    @property
    def is_placed(self) -> bool:
        """Return True if the first lines of a block, or the words before it, name its file."""
        name = self.path.rpartition("/")[2]
        return name != "" and (name in self.block.lead or name in self.block.text[:MAX_COMMENT])

    @property
    def is_old(self) -> bool:
        """Return True if a label or a first comment says that the block shows existing code, or only a sketch."""
        lead = self.block.lead[-80:]
        led = _OLD.search(lead) is not None and _NEW.search(lead) is None
        return led or _OLD_COMMENT.match(self.block.text.strip()) is not None

    @cached_property
    def text(self) -> str:
        """The resulting code: for a diff, the kept and added lines."""
        return added(self.block)

    @cached_property
    def words(self) -> frozenset[str]:
        """Names in defining positions: for parsed code the bound names, for other languages by pattern."""
        if self.block.language in SHELLS:
            return frozenset()
        if self.module and self.names and self.language == PYTHON[0]:
            targets = (each for node in walk(*self.module.body) if isinstance(node, ir.Assign) for each in node.targets)
            return frozenset({*self.names.bound, *(each.name for each in targets if isinstance(each, ir.Attribute))})
        found = (name for pattern in _DEFINING for match in pattern.finditer(self.text) for name in match.groups())
        return frozenset(name for name in found if name)

    @cached_property
    def names(self) -> Names | None:
        """The names of a program that parses."""
        return names_in(self.text, self.lowered_as) if self.lowered_as else None

    @property
    def omits(self) -> bool:
        """Return True if a block leaves out code: by a comment, or by dots in place of a statement, an argument or an entry."""
        return self.block.language in DIFFS or _OMITTED.search(self.text) is not None

    def binds(self, name: str) -> bool:
        """Return True if the block defines a name; an import does not."""
        return name in self.words and name not in {each.local for each in self.imports}

    @cached_property
    def imports(self) -> tuple[Imported, ...]:
        found = imports_in(self.text, self.lowered_as) if self.lowered_as else ()
        return tuple(replace(each, line=self.block.first + each.line - 1) for each in found)


def _writes_tests(block: Block) -> bool:
    code, _, inside = block.text.partition("#[cfg(test)]")
    return _TESTS.search(code if code.strip() else inside) is not None


def code_of(block: Block, step: int) -> Code:
    """A block parsed as code."""
    python = block.language in PYTHON or (
        block.language in ("text", "diff") and re.search(r"(?m)^[+ ]?[ \t]*(?:def|class|from|import)[ \t]\w", block.text)
    )
    python = python and module_of(added(block), "a.py") is not None
    return Code(block, step, _path_of(block), PYTHON[0] if python else block.language)


def parts_of(block: Block) -> Iterator[Block]:
    """A block split by file: each comment with only a path, and each file of a diff, starts one."""
    lines = block.text.split("\n")
    opens = [at for at in range(1, len(lines)) if _opens_file(block, lines, at) and any(line.strip() for line in lines[:at])]
    for start, end in pairwise([0, *opens, len(lines)]):
        yield replace(block, first=block.first + start, text="\n".join(lines[start:end]))


def _opens_file(block: Block, lines: list[str], at: int) -> bool:
    if block.language in DIFFS:
        return lines[at].startswith("--- ") and lines[at + 1 : at + 2] != [] and lines[at + 1].startswith("+++ ")
    return block.language not in DATA and not lines[at][:1].isspace() and _commented_path(lines[at]) != ""


def added(block: Block) -> str:
    """A block's text; removed lines of a diff are blanked, so that lines keep their numbers."""
    if block.language not in DIFFS:
        return block.text
    return "\n".join("" if line[:1] == "-" or line.startswith(("@@", "+++")) else line[1:] for line in block.text.split("\n"))


def _commented_path(line: str) -> str:
    """The path in a comment that contains nothing else; '' otherwise."""
    comment = _COMMENT_PATH.match(line[:MAX_COMMENT])
    return comment["path"].removeprefix("./") if comment and FILE.fullmatch(comment["path"]) else ""


def _path_of(block: Block) -> str:
    own = _commented_path(block.text.strip("\n").split("\n", 1)[0])
    header = re.search(r"(?m)^\+\+\+ (?:b/)?(\S{1,300})", block.text) if block.language in DIFFS else None
    if own or header:
        return own or (header[1] if header else "")
    named = {match[0] for match in FILE.finditer(block.lead)}
    if block.language in SHELLS or len(named) != 1:
        return ""  # commands about a file, not its content
    path = named.pop().removeprefix("./")
    tested = block.language not in RUST and not is_test(path) and _writes_tests(block)  # the file under test
    return "" if tested else path

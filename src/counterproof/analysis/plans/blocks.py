"""The plan's code: the definitions, imports and calls in its blocks, and the file of each.

Invariant: blocks are parsed and never run; one that does not parse contributes only words in defining positions. A diff counts by
its added lines.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise

from counterproof.analysis.plans.layout import Block
from counterproof.analysis.plans.naming import FILE
from counterproof.analysis.plans.python_trees import Imported, bound_names, imports_of, parsed
from counterproof.analysis.plans.script_trees import taken_by

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
    tree: ast.Module | None = field(default=None, compare=False)

    @property
    def language(self) -> str:
        return "python" if self.tree is not None else self.block.language

    @property
    def is_test(self) -> bool:
        """Return True if a block is a test; Rust code with inline tests is not."""
        return _writes_tests(self.block) or is_test_path(self.path)

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
        if self.tree is not None:
            fields = {
                node.attr for node in ast.walk(self.tree) if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
            }
            return frozenset({*bound_names(self.tree), *fields})
        found = (name for pattern in _DEFINING for match in pattern.finditer(self.text) for name in match.groups())
        return frozenset(name for name in found if name)

    def binds(self, name: str) -> bool:
        """Return True if the block defines a name; an import does not."""
        return name in self.words and name not in {each.name for each in self.imports}

    @cached_property
    def defined(self) -> dict[str, int]:
        """Functions and classes that the block defines, by their line in the plan."""
        return {match[1]: self.line_of(match.start(1)) for match in reversed(list(_DEFINED.finditer(self.text)))}

    def line_of(self, offset: int) -> int:
        return self.block.first + self.text.count("\n", 0, offset)

    @cached_property
    def imports(self) -> tuple[Imported, ...]:
        if self.tree is not None:
            return tuple(imports_of(self.tree, self.block.first))
        taken = taken_by(self.text, self.path) if self.block.language in SCRIPTS else None
        return tuple(Imported(module, name, self.block.first + line - 1) for module, name, line in taken or ())


def is_test_path(path: str) -> bool:
    """Return True if a file is a test, by its name or by a parent folder."""
    return re.search(r"(?:^|[/_.])(?:tests?|spec|__tests__)(?:[/_.]|$)", path) is not None


def _writes_tests(block: Block) -> bool:
    code, _, inside = block.text.partition("#[cfg(test)]")
    return _TESTS.search(code if code.strip() else inside) is not None


def code_of(block: Block, step: int) -> Code:
    """A block parsed as code."""
    python = block.language in PYTHON or (
        block.language in ("text", "diff") and re.search(r"(?m)^[+ ]?[ \t]*(?:def|class|from|import)[ \t]\w", block.text)
    )
    return Code(block, step, _path_of(block), parsed(added(block)) if python else None)


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
    tested = block.language not in RUST and not is_test_path(path) and _writes_tests(block)  # the file under test
    return "" if tested else path

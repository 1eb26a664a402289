"""Code that a plan writes out: what its blocks define, import and call, and which file each of them is for.

Always: blocks are parsed and never run; one that does not parse says nothing beyond the words in defining places. A diff counts
by the lines that it adds.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise

from counterproof.analysis.plans.layout import Block
from counterproof.analysis.plans.naming import FILE
from counterproof.analysis.plans.python_trees import Imported, bound_names, dotted, imports_of, parsed, words_of

PYTHON = ("python", "py", "python3")
SCRIPTS = ("ts", "tsx", "js", "jsx", "typescript", "javascript", "mjs", "vue", "svelte")
RUST = ("rust", "rs")
DIFFS = ("diff", "patch")
SHELLS = ("bash", "sh", "shell", "console", "zsh", "powershell")
OWN = (".", "@/", "~/", "$")
"""How modules of a script's own project begin."""

_NAME = r"([A-Za-z_$][\w$]{0,80})"
_KEYWORDS = (
    "def|class|function|func|fn|const|let|var|type|interface|enum|struct|trait|module|record|object|val|mod|namespace|message|service"
    "|rpc|model|table|view|column|index|import|as|export|static|async|get|set|public|private|protected|readonly|pub|TABLE|COLUMN|INDEX|EXISTS"
)
_DEFINING = (
    re.compile(rf"\b(?:{_KEYWORDS})[ \t]+(?=\*?(?:\([^()\n]{{0,80}}\)[ \t]*)?[\"`\[]?{_NAME})"),
    re.compile(rf"{_NAME}[ \t]*(?:<[^<>\n]{{0,60}}>)?[ \t]*(?::[^=\n]{{0,80}})?=(?!=)"),
    re.compile(rf"[\"']?{_NAME}[\"']?\??[ \t]*:"),
    re.compile(r"[\"'`]([A-Za-z_$][\w$-]{0,80})[\"'`]"),
    re.compile(
        rf"^[ \t]*(?:(?:async|static|public|private|protected|override|get"
        rf"|set)[ \t]+){{0,4}}{_NAME}[ \t]*(?:<[^<>\n]{{0,60}}>)?\([^;\n]{{0,200}}\)?[^;\n]{{0,80}}\{{[ \t]*$",
        re.MULTILINE,
    ),
    re.compile(rf"[{{,(|\[][ \t]*(?:\.\.\.|&|mut[ \t]+|\*{{1,2}})?{_NAME}[ \t]*(?=[,}})|=:?\]])"),
    re.compile(rf"^[ \t]*{_NAME},?[ \t]*$", re.MULTILINE),
)
_COMMENT_PATH = re.compile(
    r"[ \t]*(?:#|//|/\*|--|<!--)[ \t]*(?:file:?[ \t]*)?(?P<path>\S{1,200}?)(?:[ \t]*\(.{0,60}\)|[ \t]+[—–-].{0,80})?[ \t]*(?:\*/"
    r"|-->)?[ \t]*\Z",
    re.IGNORECASE,
)
MAX_COMMENT = 400
_OLD = re.compile(
    r"\b(?:before|old|current(?:ly)?|existing|wrong|bad|was|find|replace|remove|delete|instead of"
    r"|today)\b[^:\n]{0,40}[:：*_\s)]{0,6}\Z",
    re.IGNORECASE,
)
"""A label over a block that shows code as it is: `Before:`, `Current code:`."""
_NEW = re.compile(r"\b(?:with|by|to|add|append|insert)\b[^\n]{0,60}[:：*_\s)]{0,6}\Z", re.IGNORECASE)
_OLD_COMMENT = re.compile(r"(?:#|//|--|/\*)[ \t]*(?:before|old|current|bad|wrong|existing)\b", re.IGNORECASE)
_SCRIPT_IMPORT = re.compile(
    r"\bimport[ \t]+(?:type[ \t]+)?(?P<names>[\w$\s,{}*/]{0,400}?)[ \t\n]*from[ \t]*['\"](?P<from>[^'\"\n]{1,200})['\"]",
    re.DOTALL,
)
_REQUIRE = re.compile(r"\brequire\([ \t]*['\"](?P<from>[^'\"\n]{1,200})['\"][ \t]*\)")
_HASHES = (*PYTHON, "ruby", "rb", "elixir", "ex", "perl", "r")
"""Languages whose comments begin with this mark."""
_BARE_IMPORT = re.compile(r"^[ \t]*import[ \t]+['\"](?P<from>[^'\"\n]{1,200})['\"]", re.MULTILINE)
_QUOTED = r"'[^'\n]{0,300}'|\"[^\"\n]{0,300}\"|`[^`]{0,2000}`"
DATA = (
    *SHELLS,
    *(
        "text",
        "json",
        "jsonc",
        "yaml",
        "yml",
        "toml",
        "ini",
        "md",
        "markdown",
        "html",
        "css",
        "scss",
        "sql",
        "diff",
        "mermaid",
        "env",
    ),
    *("xml", "http", "dockerfile", "makefile"),
)
"""Languages of blocks in which a name before a parenthesis need not be a call."""


@dataclass(frozen=True, slots=True)
class Called:
    """One call of a block: the dotted name as written, its line, the call itself."""

    name: str
    line: int
    node: ast.Call


@dataclass(frozen=True)
class Code:
    """What one block says. `path` is the file that it is for, as far as the plan tells; `step` the step that it stands in."""

    block: Block
    step: int
    path: str
    tree: ast.Module | None = field(default=None, compare=False)

    @property
    def language(self) -> str:
        return "python" if self.tree is not None else self.block.language

    @property
    def is_test(self) -> bool:
        """Whether a block is a test; code of Rust that brings its tests along is none."""
        return _writes_tests(self.block) or is_test_path(self.path)

    @property
    def is_placed(self) -> bool:
        """Whether its own first lines, or the words right before it, name the file of a block."""
        name = self.path.rpartition("/")[2]
        return name != "" and (name in self.block.lead or name in self.block.text[:MAX_COMMENT])

    @property
    def is_old(self) -> bool:
        """Whether the block shows code as it was, or as it must not be."""
        opening = self.block.text.strip().partition("\n")[0][:80]
        lead = self.block.lead[-80:]
        led = _OLD.search(lead) is not None and _NEW.search(lead) is None
        return led or _OLD_COMMENT.match(opening) is not None

    @cached_property
    def text(self) -> str:
        """The code that will stand there: of a diff, the lines that stay and the lines that it adds."""
        return added(self.block)

    @cached_property
    def words(self) -> frozenset[str]:
        """Every word in a defining place, of whatever language."""
        if self.block.language in SHELLS:
            return frozenset()
        found: set[str] = set()
        for pattern in _DEFINING:
            found.update(pattern.findall(self.text))
        found.update(words_of(self.tree) if self.tree else ())
        return frozenset(found)

    @cached_property
    def bound(self) -> frozenset[str]:
        """Names that parsed code gives a meaning; of other languages, every word in a defining place."""
        return frozenset(bound_names(self.tree)) if self.tree else self.words

    def binds(self, name: str) -> bool:
        """Whether the block gives a name a meaning of its own: a definition, a method, a value, a parameter, a field, or a part
        of what is taken apart. Of parsed code an import counts too."""
        if self.tree is not None:
            return name in self.bound
        word = rf"(?<![\w$.]){re.escape(name)}(?![\w$])"
        given = r"=(?![=>]|[ \t]*require\()"
        pattern = re.compile(
            rf"(?<!: ){word}[ \t]*(?::=|{given}|\??:(?!:))|^[ \t]*{word},?[ \t]*$"
            rf"|^(?![ \t}}]*(?:if|for|while|switch|else|return|match)\b)[^\n=!|&?,\"']{{0,100}}{word}[ \t]*(?:<[^<>\n]{{0,80}}>)?"
            r"\([^()\n]{0,200}\)[^\n;=]{0,80}\{[ \t]*$"
            rf"|\b(?:def|function|class|const|let|var|fn|func|type|interface|struct|enum|trait|mod)[ \t]+{word}"
            rf"|[(,][ \t]*{word}[ \t]+(?!(?:as|in|of|is|and|or|if|else|instanceof|satisfies)\b)[*\[\w.]"
            rf"|[{{\[(,|][ \t]*(?:\.\.\.|&|mut[ \t]+)?{word}[ \t]*(?=[,}}\])|])[^\n]{{0,160}}"
            rf"(?:=>|[}}\]][ \t]*{given}|\)[^()\n]{{0,60}}\{{|\|)",
            re.MULTILINE,
        )
        return pattern.search(without_texts(self._own)) is not None

    @cached_property
    def _own(self) -> str:
        """The code without the imports of a script, which make nothing that others could take from it."""
        if self.block.language not in SCRIPTS:
            return self.text
        return _SCRIPT_IMPORT.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), self.plain)

    @cached_property
    def defined(self) -> dict[str, int]:
        """Functions and classes that the block defines, by their line in the plan."""
        pattern = re.compile(
            rf"(?m)^[ \t]*(?:(?:export|default|pub(?:\([a-z]+\))?|async|abstract|public|internal|private|protected|static|sealed"
            rf"|final|partial|readonly|data|open|declare)[ \t]+){{0,5}}(?:def|class|function|func|fun|fn|const|let|var|val"
            rf"|interface|type|struct|enum|trait|record|protocol)[ \t]+(?:\([^()\n]{{0,80}}\)[ \t]*)?{_NAME}"
        )
        return {match[1]: self.line_of(match.start(1)) for match in reversed(list(pattern.finditer(self._own)))}

    def holds_line(self, number: int) -> bool:
        """Whether a line of the plan stands in this block."""
        return self.block.first <= number <= self.block.first + self.text.count("\n")

    def line_of(self, offset: int) -> int:
        return self.block.first + self.text.count("\n", 0, offset)

    @cached_property
    def imports(self) -> tuple[Imported, ...]:
        if self.tree is not None:
            return tuple(imports_of(self.tree, self.block.first))
        return tuple(self._script_imports()) if self.block.language in SCRIPTS else ()

    @cached_property
    def plain(self) -> str:
        """The code without its comments: what they name, nobody runs. Every character keeps its place."""
        hashes = r"|(?m:^)[ \t]{0,80}#[^\n]{0,400}" if self.block.language in _HASHES else ""
        return self.text if self.tree else blanked(self.text, rf"//[^\n]{{0,400}}|/\*.{{0,4000}}?\*/{hashes}")

    def _script_imports(self) -> Iterator[Imported]:
        for match in _SCRIPT_IMPORT.finditer(self.plain):
            line = self.line_of(match.start())
            braces = re.search(r"\{([^{}]{0,400})\}", match["names"])
            for part in (braces[1] if braces else "").split(","):
                name = part.strip().removeprefix("type ").split(" as ")[0].strip()
                if name:
                    yield Imported(match["from"], name, line)
            yield Imported(match["from"], "", line)
        for pattern in (_REQUIRE, _BARE_IMPORT):
            for match in pattern.finditer(self.plain):
                yield Imported(match["from"], "", self.line_of(match.start()))

    @cached_property
    def calls(self) -> tuple[Called, ...]:
        """The calls of parsed code."""
        if self.tree is not None:
            nodes = [node for node in ast.walk(self.tree) if isinstance(node, ast.Call)]
            named = [(dotted(node.func), node) for node in nodes]
            return tuple(Called(name, self.block.first + node.lineno - 1, node) for name, node in named if name)
        return ()


def is_test_path(path: str) -> bool:
    """Whether a file is one of tests, by its name or by a folder above it."""
    return re.search(r"(?:^|[/_.])(?:tests?|spec|__tests__)(?:[/_.]|$)", path) is not None


def _writes_tests(block: Block) -> bool:
    code, _, inside = block.text.partition("#[cfg(test)]")
    written = re.search(
        r"(?m)^[ \t]*(?:(?:async[ \t]+)?def[ \t]+test_|(?:describe|it|test|Deno\.test)\(|@pytest|#\[(?:tokio::)?test|@Test\b"
        r"|(?:\w+[ \t]+){0,2}func(?:tion)?[ \t]+test[A-Z_]\w{0,120}\()",
        code if code.strip() else inside,
    )
    return written is not None


def code_of(block: Block, step: int) -> Code:
    """A block read as code."""
    python = block.language in PYTHON or (
        block.language in ("text", "diff") and re.search(r"(?m)^[+ ]?[ \t]*(?:def|class|from|import)[ \t]\w", block.text)
    )
    return Code(block, step, _path_of(block), parsed(added(block)) if python else None)


def parts_of(block: Block) -> Iterator[Block]:
    """A block by the files that it writes: each comment that is nothing but a path, and each file of a diff, opens one."""
    lines = block.text.split("\n")
    opens = [at for at in range(1, len(lines)) if _opens_file(block, lines, at) and any(line.strip() for line in lines[:at])]
    for start, end in pairwise([0, *opens, len(lines)]):
        yield replace(block, first=block.first + start, text="\n".join(lines[start:end]))


def _opens_file(block: Block, lines: list[str], at: int) -> bool:
    if block.language in DIFFS:
        return lines[at].startswith("--- ") and lines[at + 1 : at + 2] != [] and lines[at + 1].startswith("+++ ")
    return block.language not in DATA and not lines[at][:1].isspace() and _commented_path(lines[at]) != ""


def added(block: Block) -> str:
    """A block's text; a removed line of a diff is left blank, so that lines keep their numbers."""
    if block.language not in DIFFS:
        return block.text
    return "\n".join("" if line[:1] == "-" or line.startswith(("@@", "+++")) else line[1:] for line in block.text.split("\n"))


def _commented_path(line: str) -> str:
    """The path that a comment consists of; '' if it is none."""
    comment = _COMMENT_PATH.match(line[:MAX_COMMENT])
    return comment["path"].removeprefix("./") if comment and FILE.fullmatch(comment["path"]) else ""


def _path_of(block: Block) -> str:
    own = _commented_path(block.text.strip("\n").split("\n", 1)[0])
    if own:
        return own
    header = re.search(r"(?m)^\+\+\+ (?:b/)?(\S{1,300})", block.text) if block.language in DIFFS else None
    if header:
        return header[1]
    named = [match[0] for match in FILE.finditer(block.lead)]
    if block.language in SHELLS and not re.search(r"\.(?:sh|bash|zsh|ps1)\Z", named[0] if named else ""):
        return ""  # commands about a file, not what it holds
    path = named[0].removeprefix("./") if len(set(named)) == 1 else ""
    tested = block.language not in RUST and not is_test_path(path) and _writes_tests(block)  # the file that tests are about
    return "" if tested else path


def without_texts(text: str) -> str:
    """The code without what stands in quotes and comments; every character keeps its place."""
    return blanked(text, rf"{_QUOTED}|//[^\n]{{0,400}}|/\*.{{0,2000}}?\*/")


def blanked(text: str, unwanted: str) -> str:
    """A text with spaces in place of what a pattern finds outside of quotes."""
    pattern = re.compile(rf"(?P<out>{unwanted})|{_QUOTED}", re.DOTALL)
    return pattern.sub(lambda match: re.sub(r"[^\n]", " ", match[0]) if match["out"] else match[0], text)

"""Doubts about a linter that is to find nothing, though a file that the plan writes itself imports what it never uses.

Always: only Python files that a label of the plan creates and whose blocks are all read, only a plain `ruff check` over them with
a clean outcome that the plan tells, and only where its configuration, of the tree and of the plan, looks for unused imports.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from counterproof.analysis.plans.blocks import Code
from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.doubts import Doubt, Evidence
from counterproof.model.plan.outline import Intent, Mention

MAX_LINE = 1_000
REACH = 5
"""Lines after a command in which its outcome is told."""
MAX_TOLD = 6
_CHECK = re.compile(r"\bruff[ \t]+check(?P<rest>[^\n`|;&]{0,300})")
_FOLDER = re.compile(r"\bcd[ \t]+[\"']?(?P<path>[\w./-]{1,200})")
_MENDS = re.compile(r"\bruff[ \t]+check[^\n`]{0,200}--(?:unsafe-)?fix|\bautoflake\b|--fix\b[^\n`]{0,60}\bruff\b")
_NARROW = re.compile(r"--(?:select|ignore|extend-select|per-file-ignores|exit-zero|diff|statistics|config)\b")
_CLEAN = re.compile(
    r"\b(?:no|zero|0|without)[ \t]+(?:\w{1,20}[ \t]+){0,2}(?:errors?|issues?|violations?|warnings?|findings?)\b"
    r"|\bclean\b|\ball checks pass"
    r"|\bexpected[^\n]{0,20}\bpass|\bexit(?:s|[ \t]+code)?[ \t]+0\b",
    re.IGNORECASE,
)
_OPEN = re.compile(r"\b(?:if|fix|or|fail|pre-existing|new)\b", re.IGNORECASE)
_CONFIGURED = re.compile(r"(?:^|/)(?:pyproject|\.?ruff)\.toml\Z")
_SELECT = re.compile(r"(?m)^[ \t]*(?:lint\.)?select[ \t]*=[ \t]*\[(?P<codes>[^\]]{0,2000})\]")
_UNUSED = re.compile(r"[\"']F(?:4(?:01?)?)?[\"']")
_ALL = re.compile(r"(?m)^(?![^\n=]{0,200}\.(?:md|ipynb)\b)[^\n]{0,400}[\"']ALL[\"']")
_PART = re.compile(r"(?m)^[ \t]*(?:#[ \t]*)?(?:\.\.\.|…)|#[^\n]{0,80}\b(?:existing|rest of|unchanged)\b|# noqa")


@dataclass(frozen=True, slots=True)
class _Run:
    """A run of the linter that is to find nothing: the line of its outcome, and the folders and files that it looks at."""

    line: int
    paths: tuple[str, ...]

    def covers(self, path: str) -> bool:
        return not self.paths or any(path == each or path.startswith(f"{each}/") for each in self.paths)


@dataclass(frozen=True, slots=True)
class _Unused:
    """A name that a file of the plan imports and never uses."""

    path: str
    name: str
    line: int


def unused_imports(case: Case) -> Iterator[Doubt]:
    """The outcome that the plan's own imports forbid, with all of them: one challenge."""
    runs = list(_clean_runs(case))
    if not runs or not _is_looked_for(case):
        return
    unused = [each for path, codes in _written(case) for each in _unused(path, codes)]
    for run in runs:
        met = [each for each in unused if each.line < run.line and run.covers(each.path)]
        if met:
            yield _forbidden(case, run.line, met)
            return


def _clean_runs(case: Case) -> Iterator[_Run]:
    """The runs of the linter that the plan expects to find nothing; none where the tool itself takes out what is unused."""
    for number, line in enumerate(case.lines, 1) if not _MENDS.search(case.text) else ():
        found = _looked_at(line[:MAX_LINE])
        told = next((at for at in range(number, number + REACH + 1) if _CLEAN.search(case.line(at)[:MAX_LINE])), 0)
        if found is not None and told and not _OPEN.search(case.line(told)[:MAX_LINE]):
            yield _Run(told, found)


def _looked_at(line: str) -> tuple[str, ...] | None:
    """The folders and files that a command has the linter look at, () for all; None where it does not run it."""
    match = _CHECK.search(line)
    if match is None or _NARROW.search(match["rest"]):
        return None
    words = [word.strip("\"'").removeprefix("./").rstrip("/") for word in match["rest"].split()]
    paths = [word for word in words if re.fullmatch(r"[\w./-]*\w", word) and not word.startswith("-")]
    folder = _FOLDER.search(line[: match.start()])
    within = folder["path"].strip("./") if folder else ""
    return tuple(f"{within}/{each}".strip("/") for each in paths) or ((within,) if within else ())


def _is_looked_for(case: Case) -> bool:
    """Whether the linter looks for unused imports: it does unless a configuration chooses otherwise."""
    texts = [case.ground.text(path) for path in case.ground.project.files if _CONFIGURED.search(path)]
    texts += [code.text for code in case.codes if code.block.language == "toml"]
    chosen = [match["codes"] for text in texts for match in _SELECT.finditer(text)]
    others = [_SELECT.sub("", text) for text in texts]
    ignored = any(_UNUSED.search(text) or _ALL.search(text) for text in others)
    return not ignored and all(_UNUSED.search(codes) or _ALL.search(codes) for codes in chosen)


def _written(case: Case) -> Iterator[tuple[str, list[Code]]]:
    """Files that the plan creates and writes out, with their blocks."""
    made = {each.text for each in case.of(Mention.FILE) if each.intent is Intent.CREATES}
    for path in sorted(each for each in made if each.endswith(".py") and not each.endswith("__init__.py")):
        codes = [code for code in case.codes if code.path and f"/{path}".endswith(f"/{code.path}")]
        whole = all(code.tree is not None and not _PART.search(code.text) for code in codes)
        if codes and whole and not case.ground.resolve(path):
            yield path, codes


def _unused(path: str, codes: list[Code]) -> Iterator[_Unused]:
    text = "\n".join(code.text for code in codes)
    for code in codes:
        for node in code.tree.body if code.tree else ():
            if isinstance(node, ast.Import | ast.ImportFrom) and getattr(node, "module", "") != "__future__":
                for each in node.names:
                    name = (each.asname or each.name).partition(".")[0]
                    if each.asname != each.name and len(re.findall(rf"(?<!\w){re.escape(name)}(?!\w)", text)) == 1:
                        yield _Unused(path, name, code.block.first + node.lineno - 1)


def _forbidden(case: Case, line: int, unused: list[_Unused]) -> Doubt:
    told = ", ".join(f"`{each.name}` at plan:{each.line}" for each in unused[:MAX_TOLD])
    more = f" and {len(unused) - MAX_TOLD} more" if len(unused) > MAX_TOLD else ""
    return Doubt(
        Evidence.UNLINTED,
        "ruff check",
        f"{case.where(line)} expects `ruff check` to find nothing",
        f"It reports unused imports (F401) in what the plan writes: {told}{more}",
        "The expected outcome cannot come about",
        "Take these imports out of the blocks",
        lines=(line,),
        places=tuple(dict.fromkeys(f"plan:{each.line}" for each in unused)),
    )

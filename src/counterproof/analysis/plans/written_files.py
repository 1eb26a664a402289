"""The files of Python that a plan's code is for, each with all blocks for it and the code that stands there now.

Always: a file counts only where it is known as a whole: it is there and parses, or a label makes it and its blocks leave nothing
out. What the plan only reads or shows is none. Which names a file lacks does not belong here.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from counterproof.analysis.plans.blocks import DIFFS, Code, is_test_path
from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.python_trees import bound_names, parsed
from counterproof.model.plan.outline import Intent, Mention, Named

OMITTED = re.compile(
    r"(?m)(?:^|:)[ \t]*(?:\.\.\.|…)|#[ \t]*(?:\.\.\.|…|(?:existing|unchanged|rest of|as before)\b)", re.IGNORECASE
)


@dataclass(frozen=True)
class Written:
    """A file as the plan's blocks leave it. `sure` are those blocks that can be for no other file, say how the code is to be, and
    leave nothing out; `there` is its code before the plan, None for one that is made."""

    path: str
    codes: tuple[Code, ...]
    sure: tuple[tuple[Code, ast.Module], ...]
    there: ast.Module | None

    @property
    def trees(self) -> list[ast.Module]:
        return [code.tree for code in self.codes if code.tree] + ([self.there] if self.there else [])

    @cached_property
    def bound(self) -> frozenset[str]:
        unread = {name for code in self.codes if code.tree is None for name in code.words}
        return frozenset(name for tree in self.trees for name in bound_names(tree)) | unread

    @property
    def has_imports(self) -> bool:
        """Whether the plan says itself what the file imports: a block for it opens with imports."""
        return any(_opens(code) for code in self.codes)

    @cached_property
    def late(self) -> bool:
        """Whether its annotations are never evaluated."""
        nodes = (node for tree in self.trees for node in tree.body)
        return any(isinstance(node, ast.ImportFrom) and node.module == "__future__" for node in nodes)

    def may_hold(self, code: Code) -> bool:
        """Whether a block that is not known to be for another file may be for this one; imports alone may be for any."""
        same = is_test_path(self.path) == code.is_test or _imports_only(code)
        beside = same and code.step in {own.step for own in self.codes}
        named = re.search(rf"(?<![\w-]){re.escape(self.path.rpartition('/')[2])}", code.block.lead) is not None
        return not code.path.endswith(".py") or named or (beside and not code.is_placed)


def written_files(case: Case) -> Iterator[Written]:
    """The files of Python that the plan's code is for, and that are known as a whole."""
    made = [each.text for each in case.of(Mention.FILE) if each.intent is Intent.CREATES]
    used = {each.text for each in case.of(Mention.FILE)} - {each.text for each in case.of(Mention.FILE) if _is_worked_on(each)}
    new_codes = {id(code) for code in case.new_codes}
    by_path: dict[str, list[Code]] = {}
    for code in case.codes:
        if code.path.endswith(".py") and (is_test_path(code.path) or not _asserts(code)):
            longer = (path for path in made if path.endswith(f"/{code.path}"))
            by_path.setdefault(case.ground.resolve(code.path) or next(longer, code.path), []).append(code)
    for path, codes in by_path.items():
        if used.issuperset(code.path for code in codes):
            continue  # read or shown, but not worked on
        there = parsed(case.ground.text(path)) if case.ground.count(path) == 1 else None
        sure = [(code, code.tree) for code in codes if code.tree and id(code) in new_codes and _is_sure(case, code)]
        file = Written(path, tuple(codes), tuple((code, tree) for code, tree in sure if not is_partial(code)), there)
        new = path in made and not case.ground.exists(path) and _is_whole(file)
        if (there or new) and "*" not in file.bound:
            yield file


def _is_sure(case: Case, code: Code) -> bool:
    """Whether a block can be for no other file: it says so, or its step names no other one of its kind."""
    kind = is_test_path(code.path)
    files = [each.text for each in case.of(Mention.FILE) if each.step == code.step and is_test_path(each.text) == kind]
    others = [path for path in files if path.endswith(".py") and not f"/{code.path}".endswith(f"/{path}")]
    return code.is_placed or (code.path not in code.block.lead and not others)


def _asserts(code: Code) -> bool:
    """Whether a block is a piece of a test without its head, whatever file its step names."""
    return code.tree is not None and any(isinstance(node, ast.Assert) for node in code.tree.body)


def _is_worked_on(each: Named) -> bool:
    return each.intent in (Intent.CREATES, Intent.CHANGES)


def _is_whole(file: Written) -> bool:
    """Whether the blocks for a new file are all of it: the first one opens with imports, and nothing is left out."""
    return _opens(file.codes[0]) and not any(code.tree is None or is_partial(code) for code in file.codes)


def _imports_only(code: Code) -> bool:
    return code.tree is not None and all(isinstance(node, ast.Import | ast.ImportFrom) for node in code.tree.body)


def _opens(code: Code) -> bool:
    return code.tree is not None and any(isinstance(node, ast.Import | ast.ImportFrom) for node in code.tree.body[:4])


def is_partial(code: Code) -> bool:
    """Whether a block leaves something out: by words, or by dots among the arguments of a call."""
    calls = [node.args[1:] for node in ast.walk(code.tree) if isinstance(node, ast.Call)] if code.tree else []
    dots = any(isinstance(each, ast.Constant) and each.value is Ellipsis for args in calls for each in args)
    return dots or OMITTED.search(code.text) is not None or code.block.language in DIFFS

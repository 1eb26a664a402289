"""Reads commits and trees for the plan benchmark: what a commit changed, and what is true about the tree before it.

Always: facts come from git and from Python's own parser, not from the product's code, so that a label does not depend on what is
measured. Writing plans does not belong here.
"""

import ast
import random
import re
import subprocess
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

MAX_FILE = 300_000
_ASIDE = re.compile(r"(?:^|/)(?:tests?|docs|examples?|migrations|alembic)[/_]|(?:^|/)(?:conftest|setup)\.py\Z|_test\.py\Z")
_TEST = re.compile(r"(?:^|/)tests?[/_]|_test\.py\Z|(?:^|/)conftest\.py\Z")


@dataclass
class Change:
    """What a commit did, file by file."""

    subject: str
    changed: list[str] = field(default_factory=list)
    added: list[str] = field(default_factory=list)
    deleted: list[str] = field(default_factory=list)
    touched: dict[str, list[str]] = field(default_factory=dict)
    created: dict[str, list[str]] = field(default_factory=dict)


def git(repository: Path, *arguments: str) -> str:
    command = ["git", "--git-dir", str(repository), *arguments]
    return subprocess.run(command, capture_output=True, text=True, errors="replace", check=True).stdout


def commits(repository: Path, count: int, seed: int) -> list[str]:
    """Commits with a few changed Python files, spread over the newest part of the history."""
    listed = git(repository, "log", "--no-merges", "--min-parents=1", "--max-count=1500", "--format=%H", "--", "*.py").split()
    random.Random(seed).shuffle(listed)
    found: list[str] = []
    for commit in listed:
        if len(found) == count:
            break
        if read_change(repository, commit):
            found.append(commit)
    return found


def read_change(repository: Path, commit: str) -> Change | None:
    """The commit as data; None if it is no good ground for a plan."""
    change = Change(git(repository, "log", "-1", "--format=%s", commit).strip()[:80])
    for line in git(repository, "diff-tree", "-r", "--no-renames", "--name-status", f"{commit}^", commit).splitlines():
        status, _, path = line.partition("\t")
        {"M": change.changed, "A": change.added, "D": change.deleted}.get(status, []).append(path)
    code = [path for path in change.changed if path.endswith(".py") and "test" not in path]
    if not 1 <= len(code) <= 5 or len(change.changed) + len(change.added) > 12 or change.deleted:
        return None
    for path in code:
        diff = git(repository, "diff", "-U0", f"{commit}^", commit, "--", path)
        change.touched[path] = list(dict.fromkeys(re.findall(r"@@.*@@ *(?:async )?def (\w+)", diff)))[:2]
        change.created[path] = [
            name for name in re.findall(r"(?m)^\+ *(?:async )?def (\w+)", diff) if f"def {name}" not in _old(diff)
        ][:2]
    return change if any(change.touched.values()) else None


def _old(diff: str) -> str:
    return "\n".join(line for line in diff.splitlines() if not line.startswith("+"))


def checkout(repository: Path, commit: str, folder: Path) -> None:
    """The parent's tree, without its history."""
    folder.mkdir(parents=True)
    archive = subprocess.run(["git", "--git-dir", str(repository), "archive", f"{commit}^"], capture_output=True, check=True)
    subprocess.run(["tar", "-x", "-C", str(folder)], input=archive.stdout, check=True)


@dataclass(frozen=True)
class Target:
    """A function of the top level that is defined once, with the files that call it."""

    name: str
    path: str
    users: tuple[str, ...]
    keywords: bool
    simple: bool


class Tree:
    """One tree of files, parsed once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.texts: dict[str, str] = {}
        self.parsed: dict[str, ast.Module] = {}
        for path in sorted(folder.rglob("*.py")):
            if path.is_symlink() or path.stat().st_size > MAX_FILE:
                continue
            name = path.relative_to(folder).as_posix()
            self.texts[name] = path.read_text(encoding="utf-8", errors="replace")
            try:
                self.parsed[name] = ast.parse(self.texts[name])
            except (SyntaxError, ValueError):
                continue

    @cached_property
    def code(self) -> list[str]:
        return [name for name in self.parsed if not _ASIDE.search(name)]

    @cached_property
    def tests(self) -> list[str]:
        return [name for name in self.parsed if _TEST.search(name) and "test_" in name.rpartition("/")[2]]

    @cached_property
    def words(self) -> Counter[str]:
        """In how many files each word stands, tests and all."""
        counted: Counter[str] = Counter()
        for text in self.texts.values():
            counted.update(set(re.findall(r"\w+", text)))
        return counted

    @cached_property
    def written(self) -> Counter[str]:
        """How often each name is defined or assigned."""
        counted: Counter[str] = Counter()
        for text in self.texts.values():
            pairs = re.findall(r"(?m)^[ \t]*(?:(?:async )?(?:def|class) (\w+)|(?:self\.)?(\w+)(?::[^=\n]{1,60})? ?=(?!=))", text)
            counted.update(one or other for one, other in pairs)
        return counted

    @cached_property
    def functions(self) -> list[Target]:
        """Functions of the top level whose name is written once in the whole tree, outside tests."""
        used: dict[str, set[str]] = {}
        for name in self.code:
            for called in _called(self.parsed[name]):
                used.setdefault(called, set()).add(name)
        found: list[Target] = []
        for path in self.code:
            for node in self.parsed[path].body:
                if isinstance(node, ast.FunctionDef) and self.written[node.name] == 1 and len(node.name) > 5:
                    users = tuple(sorted(used.get(node.name, set()) - {path}))
                    keywords = node.args.kwarg is None and not node.decorator_list
                    found.append(Target(node.name, path, users, keywords, _simple(node)))
        return sorted(found, key=lambda each: (each.name, each.path))

    @cached_property
    def targets(self) -> list[Target]:
        """Those that other files call."""
        return [each for each in self.functions if each.users]

    @cached_property
    def unused(self) -> list[Target]:
        """Those whose name stands in one file and there only once."""
        alone = [each for each in self.functions if self.words[each.name] == 1]
        return [each for each in alone if len(re.findall(rf"\b{each.name}\b", self.texts[each.path])) == 1]

    @cached_property
    def imports(self) -> dict[str, set[str]]:
        """Which files of the tree each file imports, relative imports resolved."""
        return {name: set(self._imported(name)) for name in self.parsed}

    def _imported(self, name: str) -> list[str]:
        found: list[str] = []
        for node in ast.walk(self.parsed[name]):
            if isinstance(node, ast.Import):
                found += [each for alias in node.names for each in self._files(alias.name, "")]
            elif isinstance(node, ast.ImportFrom):
                folder = "/".join(name.split("/")[: -node.level]) if node.level else ""
                base = node.module or ""
                for alias in node.names:
                    dotted = f"{base}.{alias.name}" if base else alias.name
                    found += self._files(dotted, folder, node.level) + self._files(base, folder, node.level)
        return found

    def _files(self, dotted: str, folder: str, level: int = 0) -> list[str]:
        path = dotted.replace(".", "/")
        starts = [f"{folder}/{path}".strip("/")] if level else [path, f"src/{path}"]
        return [each for start in starts for each in (f"{start}.py", f"{start}/__init__.py") if each in self.texts]

    def importers(self, path: str) -> list[str]:
        """Files of code that import this one."""
        return [name for name in self.code if path in self.imports[name] and name != path]

    def reached(self, test: str) -> set[str]:
        """Every file that a test reaches by imports, its conftest files along."""
        parts = test.split("/")[:-1]
        folders = ["/".join(parts[:size]) for size in range(len(parts) + 1)]
        start = [test, *(f"{folder}/conftest.py".lstrip("/") for folder in folders)]
        seen: set[str] = set()
        pending = [each for each in start if each in self.parsed]
        while pending:
            name = pending.pop()
            if name not in seen:
                seen.add(name)
                pending += [each for each in self.imports.get(name, ()) if each in self.parsed]
        return seen

    def pinned(self) -> list[tuple[str, str]]:
        """Packages that a requirements file at the top, or in its folder, fixes to a version above 1."""
        found: list[tuple[str, str]] = []
        for path in (*sorted(self.folder.glob("requirements*.txt")), *sorted(self.folder.glob("requirements/*.txt"))):
            found += re.findall(r"(?m)^([A-Za-z][\w-]{3,30})==((?:[2-9]|[1-9]\d)[\d.]*)\s*$", path.read_text(errors="replace"))
        counted = Counter(name.lower() for name, _ in set(found))
        return sorted({(name, version) for name, version in found if counted[name.lower()] == 1})


def _called(tree: ast.Module) -> list[str]:
    callees = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    names = [each.id for each in callees if isinstance(each, ast.Name)]
    return names + [each.attr for each in callees if isinstance(each, ast.Attribute)]


def _simple(node: ast.FunctionDef) -> bool:
    """Whether a function checks nothing: no condition, no error, no call, no decorator."""
    checking = (ast.If, ast.IfExp, ast.Raise, ast.Assert, ast.Try, ast.Call, ast.Compare, ast.While, ast.With, ast.BoolOp)
    return not node.decorator_list and not any(isinstance(each, checking) for each in ast.walk(node))

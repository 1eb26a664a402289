"""Real plans in a repository's history: which documents are plans, and which of them somebody still had to carry out.

Always: told by the history and by plain text, not by the product's code. A plan is left out when it came with code, when there
was next to no code to work on, or when its work was done before: most of its boxes are ticked, its opening says so, or most of
the files that it says to create or to remove had been created or removed by its own commit or by those before it.
"""

import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass

_PLAN = re.compile(
    r"(?:^|/)(?:plans?|superpowers/plans|implementation[-_]plans?|rfcs?|proposals|exec-plans|\.plans)/[^/]{1,150}\.md\Z"
    r"|(?:^|/)specs/[^/]{1,100}/(?:plan|tasks)\.md\Z|(?:^|/)[\w.-]{0,80}(?:implementation[-_]?plan|[-_]plan|PLAN)\.md\Z",
)
_NO_PLAN = re.compile(r"(?:^|/)(?:README|INDEX|TEMPLATE|_template|template)[^/]*\Z|node_modules|/templates?/", re.IGNORECASE)
_CODE = (".py", ".ts", ".tsx", ".js", ".jsx", ".go", ".rs", ".java", ".rb", ".php", ".cs")
_PATH = re.compile(r"`((?:[\w.@()\[\]-]+/)+[\w.@()\[\]-]+\.\w{1,6})`")
_CREATES = re.compile(r"\b(?:create|new file)\b|\(new\)|新建|创建|新增", re.IGNORECASE)
_REMOVES = re.compile(r"\b(?:delete|remove)\b|删除|移除", re.IGNORECASE)
_CHANGES = re.compile(r"\b(?:modify|update|edit|extend)\b|修改|更新", re.IGNORECASE)
_BOX = re.compile(r"(?m)^[ \t]*(?:[-*+]|\d+\.)[ \t]+\[([ xX])\]")
_STATUS = re.compile(
    r"(?im)^[\W_]{0,12}status[\W_]{1,8}(?:fully[ \t]+)?(?:done|completed?|implemented|shipped|merged|finished)\b"
    r"|^[\W_]{0,12}状态[\W_]{1,8}(?:已)?(?:完成|实现|上线)"
)
_TASK = re.compile(
    r"(?im)^#{2,5}[ \t]+[\W_]{0,6}(?:task|step|phase|chunk|part|任务|步骤|阶段|작업|タスク"
    r"|tarea|paso|aufgabe|schritt|tarefa|t[âa]che|[ée]tape)[ \t]*\d"
)
_FENCE = re.compile(r"(?m)^[ \t]{0,8}```\w")
MIN_TASKS = 3
MIN_BLOCKS = 5
MIN_LINES = 25
MIN_FILES = 8
MIN_BOXES = 4
OPENING = 15
"""Lines in which a document speaks of itself."""


@dataclass(frozen=True)
class Drawn:
    """One plan: the git directory, the commit that brought it, its path."""

    repository: str
    commit: str
    path: str


def git(repository: str, *arguments: str) -> str:
    command = ["git", "--git-dir", repository, "-c", "core.quotePath=off", *arguments]
    return subprocess.run(command, capture_output=True, text=True, errors="replace", check=True).stdout


def plans_in(repository: str) -> list[Drawn]:
    """Plans that came alone and found code to work on."""
    found: list[Drawn] = []
    log = git(
        repository, "log", "--no-merges", "--diff-filter=A", "--name-only", "--format=%x00%H", "--max-count=4000", "--", "*.md"
    )
    for part in log.split("\0")[1:]:
        commit, *paths = [line for line in part.split("\n") if line]
        named = [path for path in paths if _PLAN.search(path) and not _NO_PLAN.search(path)]
        if named and _is_alone(repository, commit) and _has_code(repository, f"{commit}^"):
            found += [Drawn(repository, commit, path) for path in named if text_of(Drawn(repository, commit, path))]
    return list({each.path: each for each in found}.values())


def text_of(drawn: Drawn) -> str:
    """The plan's text; '' where it is too short to be one."""
    text = git(drawn.repository, "show", f"{drawn.commit}:{drawn.path}")
    return text if text.count("\n") >= MIN_LINES else ""


def _is_alone(repository: str, commit: str) -> bool:
    """Whether a commit brought documents only: a plan that came with its own implementation tells nothing of the tree before."""
    changed = git(repository, "show", "--name-only", "--format=", "--no-renames", commit).splitlines()
    return all(path.endswith((".md", ".txt", ".png", ".svg", ".gitkeep")) or path.startswith("docs/") for path in changed if path)


def _has_code(repository: str, commit: str) -> bool:
    try:
        return sum(path.endswith(_CODE) for path in _tree(repository, commit)) >= MIN_FILES
    except subprocess.CalledProcessError:
        return False  # the first commit has none before it


def _tree(repository: str, commit: str) -> set[str]:
    return set(git(repository, "ls-tree", "-r", "--name-only", commit).splitlines())


def is_done(drawn: Drawn) -> bool:
    """Whether the plan's work was done when the plan was committed, so that nobody would carry it out any more."""
    text = text_of(drawn)
    boxes = _BOX.findall(text)
    opening = "\n".join(text.split("\n")[:OPENING])
    if _STATUS.search(opening) or (len(boxes) >= MIN_BOXES and boxes.count(" ") * 2 < len(boxes)):
        return True
    created, removed = set(_named(text, _CREATES)) - {drawn.path}, set(_named(text, _REMOVES))
    there = _tree(drawn.repository, drawn.commit)
    made = {path for path in created if path in there or _was_there(drawn, path)}
    gone = {path for path in removed if path not in there and _was_there(drawn, path)}
    return len(made | gone) * 2 > len(created | removed)


def is_detailed(drawn: Drawn) -> bool:
    """Whether a plan has numbered tasks and shows code for them, and so is no design in words."""
    text = text_of(drawn)
    return len(_TASK.findall(text)) >= MIN_TASKS and len(_FENCE.findall(text)) >= MIN_BLOCKS


def _named(text: str, deed: re.Pattern[str]) -> Iterator[str]:
    """Paths on lines that say one deed only."""
    for line in text.split("\n"):
        if [each for each in (_CREATES, _REMOVES, _CHANGES) if each.search(_PATH.sub("", line))] == [deed]:
            yield from (path for path in _PATH.findall(line) if ".." not in path.split("/"))  # git answers only for its own tree


def _was_there(drawn: Drawn, path: str) -> bool:
    """Whether the plan's commit, or one before it, added a file."""
    added = git(drawn.repository, "log", "-1", "--format=%H", "--diff-filter=A", drawn.commit, "--", path)
    return bool(added.strip())

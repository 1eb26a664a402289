"""The twins of a fix: the commits before and after it, the lines and functions that it touches, and the files laid out."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from fresh import SUFFIXES, in_git

from counterproof.analysis.config.offered import is_packed
from counterproof.analysis.syntax.javascript import lower as script
from counterproof.analysis.syntax.python import lower as python

RELEASE = 25
"""Files of source that a release may touch, to be taken for a fix."""
PAGES = (".html", ".htm", ".jinja", ".jinja2", ".j2", ".ejs", ".pug", ".hbs")
"""Templates, in which a fix may stand besides code."""
LARGEST = 5_000_000
_ASIDE = re.compile(
    r"(?:^|/)(?:tests?|__tests__|testing|docs?|examples?|e2e|benchmarks?|node_modules|dist)/|(?:^|/)(?:test_|conftest)"
    r"|[._-](?:test|spec|stories)\.|\.d\.ts$|\.min\.js$"
)


class Touched(NamedTuple):
    """Lines of one file that a fix touches in one twin, and the functions around them."""

    lines: frozenset[int]
    functions: tuple[tuple[int, int], ...]

    def around(self, line: int) -> bool:
        return line in self.lines or any(start <= line <= end for start, end in self.functions)


def sides_of(git: Path, fix: str) -> tuple[str, str] | None:
    """The commits before and after a fix; of several the first that touches source."""
    found = [sides for each in fix.split(";") if (sides := _release(git, each[1:]) if each[0] == "@" else _commit(git, each))]
    return next((sides for sides in found if source_files(git, *sides)), found[0] if found else None)


def _commit(git: Path, fix: str) -> tuple[str, str] | None:
    named = [fix]
    if fix.startswith("#"):
        named = ["--all", "--extended-regexp", "--grep", rf"\({fix}\)|^Merge pull request {fix} |^Merge {fix} "]
    try:
        after, *parents = in_git(git, "rev-list", "--parents", "-1", *named).split() or [""]
    except subprocess.CalledProcessError:
        return None
    return (parents[0], after) if parents else None


def _release(git: Path, version: str) -> tuple[str, str] | None:
    """The release with the fix, and the highest number below it; nothing if the tags do not say, or if much changed between them.

    What is only a candidate for a release is passed over: it may have the fix already.
    """
    parts = [found for tag in in_git(git, "tag").split() if (found := re.fullmatch(r"(.*[^\d.])?(\d+(?:\.\d+)*)", tag))]
    after = [found for found in parts if found[2] == version]
    if len(after) != 1:
        return None
    kin = [found for found in parts if _line(found) == _line(after[0]) and _number(found) < _number(after[0])]
    if not kin:
        return None
    before = max(kin, key=_number)[0]
    return (before, after[0][0]) if len(source_files(git, before, after[0][0])) <= RELEASE else None


def _line(tag: re.Match[str]) -> str:
    """What stands before the number: the package, in repositories of several."""
    return (tag[1] or "").removesuffix("v")


def _number(tag: re.Match[str]) -> tuple[int, ...]:
    return tuple(map(int, tag[2].split(".")))


def source_files(git: Path, before: str, after: str) -> list[str]:
    listed = in_git(git, "diff", "--name-only", "--no-renames", "--diff-filter=MD", "-z", before, after).split("\0")
    files = [path for path in listed if path.endswith((*SUFFIXES, *PAGES)) and not _ASIDE.search(path)]
    return files if any(path.endswith(SUFFIXES) for path in files) else []


def touched_by(git: Path, before: str, after: str, files: list[str], side: int) -> dict[str, Touched]:
    found: dict[str, Touched] = {}
    for path in files:
        diff = in_git(git, "diff", "--no-renames", "-U0", before, after, "--", path)
        lines: set[int] = set()
        for spans in re.findall(r"^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@", diff, re.MULTILINE):
            start, count = int(spans[2 * side]), int(spans[2 * side + 1] or 1)
            lines.update(range(start, start + max(count, 1)))
        if (text := text_at(git, (before, after)[side], path)) is not None:
            found[path] = Touched(frozenset(lines), tuple(_functions(path, text, lines)))
    return found


def text_at(git: Path, commit: str, path: str) -> bytes | None:
    made = subprocess.run(["git", "--git-dir", str(git), "show", f"{commit}:{path}"], capture_output=True, check=False)
    return None if made.returncode else made.stdout


def _functions(path: str, text: bytes, lines: set[int]) -> Iterator[tuple[int, int]]:
    """The innermost functions around touched lines."""
    if path.endswith(PAGES):
        return  # the lines alone count
    source = text.decode("utf-8", "replace")
    if is_packed(source):
        return
    module = python(path, source) if path.endswith(".py") else script(path, source, lambda name: name)
    spans = [(each.line, each.end) for each in module.functions]
    for line in sorted(lines):
        around = [span for span in spans if span[0] <= line <= span[1]]
        if around:
            yield min(around, key=lambda span: span[1] - span[0])


def lay_out(git: Path, commit: str, to: Path) -> int:
    """Lay out the plain files of a commit; how many there are. What is too large, or absent from the snapshot, is left out."""
    listed = [entry.partition("\t") for entry in in_git(git, "ls-tree", "-rz", commit).split("\0") if entry.startswith("100")]
    asked = "\n".join(about.split()[2] for about, _, _ in listed)
    made = subprocess.run(
        ["git", "--git-dir", str(git), "cat-file", "--batch"], input=asked.encode(), capture_output=True, check=True
    ).stdout
    at = count = 0
    for _, _, path in listed:
        end = made.index(b"\n", at)
        head = made[at:end].split()
        size = int(head[2]) if len(head) == 3 else -1
        if 0 <= size <= LARGEST:
            (to / path).parent.mkdir(parents=True, exist_ok=True)
            (to / path).write_bytes(made[end + 1 : end + 1 + size])
            count += 1
        at = end + 1 + (size + 1 if size >= 0 else 0)
    return count

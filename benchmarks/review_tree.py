"""Lays a commit of a stored repository out as a work tree with its history, so that it can be reviewed against its parent.

Always: the stored repository is only read; objects are linked, not copied, where the disk allows it. Files that the store lacks
or that are too large to be code are left out, which a review of a range of commits does not notice.
"""

import subprocess
from pathlib import Path, PurePosixPath

MAX_FILE = 1_000_000


def lay_out(repository: Path, commit: str, tree: Path, near: bool = False) -> None:
    """The commit's files beneath `tree`, with HEAD on the commit; `near`: only those in folders that the commit touches."""
    _git(repository, "clone", "-q", "--no-checkout", "--local", str(repository.resolve()), str(tree.resolve()))
    _git(tree, "update-ref", "--no-deref", "HEAD", commit)
    _git(tree, "read-tree", commit)
    rows = [line.split(b"\t", 1) for line in _git(tree, "ls-tree", "-r", "-z", commit).split(b"\0") if line]
    files = [(facts.split()[2], name.decode()) for facts, name in rows if facts.split()[0] in (b"100644", b"100755")]
    if near:
        touched = _git(tree, "diff-tree", "-r", "-z", "--no-commit-id", "--name-only", commit).decode().split("\0")
        folders = {str(PurePosixPath(path).parent) for path in touched if path}
        files = [each for each in files if str(PurePosixPath(each[1]).parent) in folders]
    stored = _git(tree, "cat-file", "--batch", "--buffer", given=b"".join(name + b"\n" for name, _ in files))
    at = 0
    for _, path in files:
        end = stored.index(b"\n", at)
        facts = stored[at:end].split()
        if facts[1] == b"missing":
            at = end + 1
            continue
        size = int(facts[2])
        if size <= MAX_FILE:
            place = tree / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(stored[end + 1 : end + 1 + size])
        at = end + 2 + size


def commits(repository: Path, most: int) -> list[str]:
    """The newest commits with one parent that touch code."""
    listed = _git(repository, "log", "HEAD", "--no-merges", f"--max-count={most}", "--format=%H", "--", "*.py", "*.ts", "*.js")
    return listed.decode().split()


def _git(folder: Path, *arguments: str, given: bytes = b"") -> bytes:
    done = subprocess.run(["git", "-C", str(folder), *arguments], capture_output=True, check=True, timeout=600, input=given)
    return done.stdout

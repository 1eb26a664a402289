"""The clean bare repository that git uses: configured by us, borrowing the target's objects.

Created file by file, so that not even `git init` runs with a template. Invariant: git's arguments are built here from validated
hashes, numbers and paths; options end before them; configuration of the system, the user and the target is disabled.
"""

import os
import shutil
import tempfile
import weakref
from collections.abc import Iterable
from pathlib import Path

from counterproof.analysis.confinement import Bounds, Command, Cut, find_program, run
from counterproof.analysis.git.layout import HASH, Layout, NotUsable, small_file
from counterproof.model.errors import CounterproofError

_EMPTY_TREES = {
    40: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    64: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
}
_CONFIG = """[core]
\tbare = true
\trepositoryformatversion = {version}
\thooksPath = /dev/null
\tattributesFile = /dev/null
\texcludesFile = /dev/null
\tfsmonitor = false
\tcommitGraph = false
\tmultiPackIndex = false
\tpager = cat
\tquotePath = false
\tsymlinks = false
\tpackedGitWindowSize = 16m
\tpackedGitLimit = 128m
[attr]
\ttree = {empty_tree}
[protocol]
\tallow = never
[submodule]
\trecurse = false
[diff]
\tsubmodule = short
\tignoreSubmodules = all
[log]
\tshowSignature = false
\tmailmap = false
[gc]
\tauto = 0
[maintenance]
\tauto = false
{extensions}"""

_ENVIRONMENT = (
    ("GIT_ALLOW_PROTOCOL", ""),
    ("GIT_ASKPASS", "/dev/null"),
    ("GIT_ATTR_NOSYSTEM", "1"),
    ("GIT_CONFIG_GLOBAL", "/dev/null"),
    ("GIT_CONFIG_NOSYSTEM", "1"),
    ("GIT_CONFIG_SYSTEM", "/dev/null"),
    ("GIT_LITERAL_PATHSPECS", "1"),
    ("GIT_NO_LAZY_FETCH", "1"),
    ("GIT_NO_REPLACE_OBJECTS", "1"),
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_PAGER", "cat"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("LC_ALL", "C"),
)


class HistoryError(CounterproofError):
    """Raised if git could not answer, with the reason: damaged or missing objects, or a limit was reached."""


class NoSuchFile(HistoryError):
    """Raised if the commit contains no regular file of that name."""


class Mirror:
    """One clean repository in a temporary folder, removed when closed or garbage-collected."""

    def __init__(self, root: Path, layout: Layout, some_hash: str) -> None:
        git = find_program("git", root)
        if git is None:
            raise NotUsable("git is not installed")
        self._git = git
        self._layout = layout
        self.path = Path(tempfile.mkdtemp(prefix="counterproof-history-"))
        self._removal = weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)
        self._write(len(some_hash))

    def close(self) -> None:
        self._removal()

    def _write(self, hash_length: int) -> None:
        long = hash_length == 64
        for folder in ("objects/info", "objects/pack", "refs"):
            (self.path / folder).mkdir(parents=True)
        extensions = "[extensions]\n\tobjectFormat = sha256\n" if long else ""
        config = _CONFIG.format(version=1 if long else 0, empty_tree=_EMPTY_TREES[hash_length], extensions=extensions)
        (self.path / "config").write_text(config, encoding="ascii")
        (self.path / "HEAD").write_text("ref: refs/heads/none\n", encoding="ascii")
        (self.path / "objects" / "info" / "alternates").write_bytes(_alternate(self._layout.store))
        shallow = small_file(self._layout.common, "shallow", 8_000_000)
        hashes = [line for line in (shallow or "").split("\n") if HASH.fullmatch(line)]
        self.shallow = bool(hashes)
        if hashes:
            (self.path / "shallow").write_text("\n".join(hashes) + "\n", encoding="ascii")

    def ask(self, *arguments: str, bounds: Bounds, feed: Iterable[bytes] = ()) -> bytes:
        """The output of one git command with input `feed`; `HistoryError` if it fails or reaches a limit."""
        command = Command(
            program=self._git,
            arguments=("--no-pager", "--no-replace-objects", f"--git-dir={self.path}", *arguments),
            folder=self.path,
            readable=(self.path, self._layout.store),
            environment=_ENVIRONMENT,
        )
        ended = run(command, bounds, feed)
        if ended.cut is not Cut.NONE:
            raise HistoryError(f"git {arguments[0]} was stopped: {ended.cut}")
        if ended.code != 0:
            said = ended.errors.decode("utf-8", "replace").strip().split("\n")[0][:200]
            raise HistoryError(f"git {arguments[0]} failed: {said or f'exit code {ended.code}'}")
        return ended.output


def _alternate(objects: Path) -> bytes:
    """The line of an alternates file; a path that cannot be written there is rejected rather than quoted."""
    path = os.fsencode(objects)
    if b"\n" in path or path[:1] in (b'"', b"#"):
        raise NotUsable("the path of the object store cannot be written down for git")
    return path + b"\n"

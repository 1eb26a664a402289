"""Remote repositories: resolving a name there to a commit, and fetching that commit.

Invariant: git runs on a repository that we create, so no hook, filter, submodule or setting of the remote is ever used; only the
address's own protocol and HTTPS are allowed, also after a redirect; there are no prompts; git may write only to one folder, and
time, memory and file size are bounded. Credentials are the user's own: git uses the user's settings, agent and proxy, and an
address with a password is passed through a private file that is rewritten afterwards. No message here contains a password. Not
handled here: reading the fetched data.
"""

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from counterproof.analysis.confinement import Bounds, Command, Cut, find_program, run
from counterproof.analysis.confinement.limits import MEGABYTE
from counterproof.analysis.git.layout import HASH
from counterproof.analysis.git.mirror import HistoryError

_URL = re.compile(
    r"(?P<scheme>https?|ssh)://(?:(?P<user>[^/@\s\"\\]{1,500})@)?"
    r"(?P<host>[A-Za-z0-9[][\w.:\]-]{0,250})(?P<path>/[^\s\"\\]{1,1000})"
)
_SHORT = re.compile(r"(?P<user>[A-Za-z0-9][\w.-]{0,80})@(?P<host>[A-Za-z0-9][\w.-]{0,250}):(?P<path>(?!:)[^\s\"\\]{1,1000})")
_OTHER = re.compile(r"[A-Za-z][\w+.-]{1,30}::?[^\\]")
_SECRET = re.compile(r"(?<=://)[^/\s]{1,500}@")
_NAME = re.compile(r"(?!-)[^\s~^:?*\[\\\x00-\x1f\x7f]{1,250}")
_PLACES = ("{}", "refs/tags/{}^{{}}", "refs/tags/{}", "refs/heads/{}", "refs/{}")
"""Where a name is searched, in git's order; a tag is replaced by the commit it points to."""

_USERS_OWN: Final = (
    "HOME", "PATH", "USER", "LOGNAME", "XDG_CONFIG_HOME", "SSH_AUTH_SOCK", "GIT_SSH", "GIT_SSH_COMMAND", "GIT_ASKPASS",
    "GIT_CONFIG_GLOBAL", "GIT_SSL_CAINFO", "SSL_CERT_FILE", "SSL_CERT_DIR", "http_proxy", "https_proxy", "HTTPS_PROXY",
    "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY",
)  # fmt: skip
_OURS: Final = (
    "core.hooksPath=/dev/null", "core.fsmonitor=false", "credential.interactive=false", "fetch.recurseSubmodules=false",
    "fetch.writeCommitGraph=false", "submodule.recurse=false", "gc.auto=0", "maintenance.auto=false",
)  # fmt: skip
LOOK: Final = Bounds(seconds=60.0, processes=4_096)
FETCH_SECONDS: Final = 900.0
MAX_PACK: Final = 4_096 * MEGABYTE


@dataclass(frozen=True, slots=True)
class Address:
    """`full` may contain a password and is only for git; `shown` is for display."""

    full: str
    shown: str
    scheme: str


def address_of(text: str) -> Address | None:
    """The git address in a text; None for a path. Raises `HistoryError` for addresses that could make git run programs, or that
    are not supported."""
    found = _URL.fullmatch(text)
    if found:
        secret = found["scheme"] != "ssh" or ":" in (found["user"] or "")
        return Address(text, _SECRET.sub("", text) if secret else text, found["scheme"])
    if _SHORT.fullmatch(text):
        return Address(text, text, "ssh")
    if _OTHER.match(text) and not os.path.lexists(text):
        raise HistoryError(f"{text.rpartition('@')[2][:200]} cannot be fetched: give an https://, http:// or ssh:// address")
    return None


def without_secrets(text: str) -> str:
    """The text without the user part of an address."""
    return _SECRET.sub("", text)


def remote_commit(address: Address, revision: str, folder: Path) -> str:
    """The commit of a branch, tag or hash at the remote; HEAD by default. `folder` is an empty folder of ours."""
    if HASH.fullmatch(revision):
        return revision
    name = revision or "HEAD"
    if not _NAME.fullmatch(name):
        raise HistoryError(f"{name[:80]!r} is not the name of a revision")
    _repository(folder, f'"{address.full}"')
    try:
        said = _ask(address, folder, LOOK, "ls-remote", "--quiet", "--end-of-options", "origin", name, f"{name}^{{}}")
    finally:
        _repository(folder, address.shown)
    found = {ref: commit for commit, _, ref in (line.partition("\t") for line in said.decode("utf-8", "replace").split("\n"))}
    commit = next((found[place.format(name)] for place in _PLACES if place.format(name) in found), "")
    if not HASH.fullmatch(commit):
        raise HistoryError(f"there is no revision {name[:80]!r} at {address.shown}")
    return commit


def fetch(address: Address, revision: str, commit: str, folder: Path, whole: bool) -> None:
    """Fetch a commit into `folder`, which becomes a repository with that commit as its HEAD; `whole` with all its history."""
    _repository(folder, f'"{address.full}"')
    bounds = Bounds(seconds=FETCH_SECONDS, file_bytes=MAX_PACK, processes=4_096)
    depth = () if whole else ("--depth=1",)
    words = ("fetch", "--quiet", "--no-tags", "--no-write-fetch-head", *depth, "--end-of-options", "origin")
    try:
        try:
            _ask(address, folder, bounds, *words, f"{commit}:refs/heads/target")
        except HistoryError:
            if not revision or HASH.fullmatch(revision):
                raise
            _ask(address, folder, bounds, *words, f"{revision}:refs/heads/target")  # a server that serves no commit by its hash
        _refuse_moved(folder, commit, address)
    finally:
        _repository(folder, address.shown)
    (folder / "HEAD").write_text(f"{commit}\n", encoding="ascii")


def _refuse_moved(folder: Path, commit: str, address: Address) -> None:
    came = (folder / "refs" / "heads" / "target").read_text(encoding="ascii").strip()
    if came != commit:
        raise HistoryError(f"{address.shown} moved on while it was fetched; the next batch takes what is there then")


def _repository(folder: Path, url: str) -> None:
    """Create a repository, or change the address of an existing one."""
    for each in ("objects/info", "objects/pack", "refs/heads"):
        (folder / each).mkdir(mode=0o700, parents=True, exist_ok=True)
    config = folder / "config"
    config.unlink(missing_ok=True)
    with open(os.open(config, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600), "w", encoding="utf-8") as file:
        file.write(f'[core]\n\tbare = true\n\trepositoryformatversion = 0\n[remote "origin"]\n\turl = {url}\n')
    if not (folder / "HEAD").exists():
        (folder / "HEAD").write_text("ref: refs/heads/none\n", encoding="ascii")


def _ask(address: Address, folder: Path, bounds: Bounds, *words: str) -> bytes:
    git = find_program("git")
    if git is None:
        raise HistoryError("git is not installed")
    settings = tuple(part for each in _OURS for part in ("-c", each))
    everywhere = Path("/")
    command = Command(
        program=git,
        arguments=("--no-pager", *settings, f"--git-dir={folder}", *words),
        folder=folder,
        readable=(everywhere,),
        writable=(folder,),
        executable=(everywhere,),  # transports, ssh and the user's credential helpers
        environment=_environment(address.scheme, folder),
        online=True,
    )
    ended = run(command, bounds)
    if ended.cut is not Cut.NONE:
        raise HistoryError(f"git {words[0]} of {address.shown} was stopped: {ended.cut}")
    if ended.code != 0:
        raise HistoryError(f"git {words[0]} of {address.shown} failed: {_complaint(ended.errors) or f'exit code {ended.code}'}")
    return ended.output


def _environment(scheme: str, folder: Path) -> tuple[tuple[str, str], ...]:
    kept = {name: os.environ[name] for name in _USERS_OWN if name in os.environ}
    ours = {
        "GIT_ALLOW_PROTOCOL": f"{scheme}:https",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "SSH_ASKPASS_REQUIRE": "never",
        "TMPDIR": str(folder),
        "LC_ALL": "C",
    }
    return tuple({**kept, **ours}.items())


def _complaint(errors: bytes) -> str:
    """Git's error message, or the last line if there is none."""
    lines = [line for line in errors.decode("utf-8", "replace").strip().split("\n") if line]
    said = next((line for line in lines if line.startswith(("fatal:", "error:"))), lines[-1] if lines else "")
    return without_secrets(said)[:200]

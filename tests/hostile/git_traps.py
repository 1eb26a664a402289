"""Repositories that run a program of their author when git is used on them carelessly.

Each trap leaves a canary when it is sprung. `spring` is the careless use that does it, so that a test can show that the trap
is live before it shows that ours does not spring it.
"""

import os
import pty
import stat
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from toolbox.tooling import GIT_ENVIRONMENT, a_repository, a_tree, git

HOOKS = (
    "applypatch-msg", "commit-msg", "fsmonitor-watchman", "p4-changelist", "post-applypatch", "post-checkout", "post-commit",
    "post-index-change", "post-merge", "post-receive", "post-rewrite", "post-update", "pre-applypatch", "pre-auto-gc",
    "pre-commit", "pre-merge-commit", "pre-push", "pre-rebase", "pre-receive", "prepare-commit-msg", "proc-receive",
    "push-to-checkout", "reference-transaction", "sendemail-validate", "update",
)  # fmt: skip


@dataclass(frozen=True)
class Trap:
    name: str
    set_up: Callable[[Path, str], None]
    spring: Callable[[Path], None]


def careless(root: Path, *arguments: str, stdin: bytes = b"") -> None:
    """Git as someone would use it who trusts the repository. Whether it succeeds does not matter."""
    subprocess.run(("git", *arguments), cwd=root, env=GIT_ENVIRONMENT, input=stdin, capture_output=True, check=False, timeout=60)


def on_a_terminal(root: Path, *arguments: str) -> None:
    """The same with a terminal, because pagers start only there."""
    ours, theirs = pty.openpty()
    try:
        environment = {**GIT_ENVIRONMENT, "TERM": "xterm"}
        subprocess.run(
            ("git", *arguments), cwd=root, env=environment, stdin=theirs, stdout=theirs, stderr=theirs, check=False, timeout=60
        )
    finally:
        os.close(ours)
        os.close(theirs)


def configure(root: Path, **settings: str) -> None:
    for key, value in settings.items():
        git(root, "config", key.replace("__", "."), value)


def attributes(root: Path, text: str) -> None:
    (root / ".gitattributes").write_text(text)
    (root / ".git" / "info").mkdir(exist_ok=True)
    (root / ".git" / "info" / "attributes").write_text(text)
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "Attributes")


def changed(root: Path) -> None:
    (root / "app.py").write_text("changed = 1\n")


def _filter(kind: str) -> Callable[[Path, str], None]:
    def set_up(root: Path, canary: str) -> None:
        attributes(root, "* filter=trap\n")
        configure(root, **{f"filter.trap.{kind}": canary, "filter.trap.required": "false"})
        changed(root)

    return set_up


def _hooks(root: Path, canary: str) -> None:
    for folder in (root / ".git" / "hooks", root / "hooks"):
        folder.mkdir(exist_ok=True)
        for name in HOOKS:
            (folder / name).write_text(f"#!/bin/sh\n{canary}\n")
            (folder / name).chmod(0o755)
    configure(root, core__hooksPath=str(root / "hooks"))


def _fsmonitor(root: Path, canary: str) -> None:
    configure(root, core__fsmonitor=canary)


def _textconv(root: Path, canary: str) -> None:
    attributes(root, "* diff=trap\n")
    configure(root, diff__trap__textconv=canary)
    changed(root)


def _driver(root: Path, canary: str) -> None:
    attributes(root, "* diff=trap\n")
    configure(root, diff__trap__command=canary)
    changed(root)


def _external(root: Path, canary: str) -> None:
    configure(root, diff__external=canary)
    changed(root)


def _pager(root: Path, canary: str) -> None:
    configure(root, core__pager=canary, pager__log=canary, pager__diff=canary, pager__show=canary)


def _alias(root: Path, canary: str) -> None:
    names = ("lg", "log", "ls-tree", "cat-file", "diff-tree", "rev-list", "merge-base")
    configure(root, **{f"alias.{name}": f"!{canary}" for name in names})


def _promisor(url: str) -> Callable[[Path, str], None]:
    """A partial clone whose missing objects are fetched when they are needed, through a program of the author's choice."""

    def set_up(root: Path, canary: str) -> None:
        configure(
            root,
            core__repositoryFormatVersion="1",
            extensions__partialClone="origin",
            remote__origin__promisor="true",
            remote__origin__url=url.format(canary=canary.replace(" ", "% ")),
            remote__origin__fetch="+refs/heads/*:refs/remotes/origin/*",
            core__sshCommand=canary,
            ssh__variant="ssh",
            protocol__ext__allow="always",
            core__gitProxy=canary,
        )
        blob = git(root, "rev-parse", "HEAD:app.py")
        (root / ".git" / "objects" / blob[:2] / blob[2:]).unlink()

    return set_up


def _credentials(root: Path, canary: str) -> None:
    configure(root, credential__helper=f"!{canary}", core__askPass=canary, http__proxy="http://127.0.0.1:9")


def _include(root: Path, canary: str) -> None:
    (root / "evil.config").write_text(f'[diff]\n\texternal = "{canary}"\n[core]\n\tfsmonitor = "{canary}"\n')
    git(root, "config", "include.path", str(root / "evil.config"))
    git(root, "config", "includeIf.gitdir:**.path", str(root / "evil.config"))
    git(root, "config", "includeIf.onbranch:**.path", str(root / "evil.config"))
    changed(root)


def _signature(root: Path, canary: str) -> None:
    program = root / "gpg"
    program.write_text(f"#!/bin/sh\n{canary}\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    configure(
        root,
        gpg__program=str(program),
        gpg__ssh__program=str(program),
        gpg__x509__program=str(program),
        log__showSignature="true",
    )
    body = git(root, "cat-file", "commit", "HEAD")
    head, _, message = body.partition("\n\n")
    signed = f"{head}\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\n{message}\n"
    made = subprocess.run(
        ("git", "hash-object", "-w", "-t", "commit", "--stdin"),
        cwd=root,
        env=GIT_ENVIRONMENT,
        input=signed.encode(),
        capture_output=True,
        check=True,
    )
    git(root, "update-ref", "refs/heads/main", made.stdout.decode().strip())


def _buried(root: Path, canary: str) -> None:
    """Bare repositories inside the tree, which git enters when it is started there."""
    for folder in (root / "lib", root / "docs" / "buried.git"):
        folder.mkdir(parents=True, exist_ok=True)
        git(folder, "init", "-q", "--bare", ".")
        git(folder, "--git-dir=.", "config", "core.bare", "false")
        git(folder, "--git-dir=.", "config", "core.worktree", str(folder))
        git(folder, "--git-dir=.", "config", "core.fsmonitor", canary)


def _spring_buried(root: Path) -> None:
    careless(root / "lib", "status")


def _kitchen_sink(root: Path, canary: str) -> None:
    """Every other setting that names a program."""
    shell = f"!{canary}"
    keys = (
        "core.editor", "core.alternateRefsCommand", "sequence.editor", "uploadpack.packObjectsHook", "gc.recentObjectsHook",
        "interactive.diffFilter", "trailer.x.command", "trailer.x.cmd", "tar.x.command", "man.x.cmd", "browser.x.cmd",
        "merge.x.driver", "mergetool.x.cmd", "difftool.x.cmd", "sendemail.smtpServer", "web.browser", "imap.tunnel",
        "receive.procReceiveRefs", "gpg.ssh.defaultKeyCommand", "remote.origin.uploadpack", "remote.origin.vcs",
        "fetch.bundleURI", "maintenance.strategy",
    )  # fmt: skip
    for key in keys:
        git(root, "config", key, canary)
    git(root, "config", "submodule.x.update", shell)
    git(root, "config", "submodule.recurse", "true")
    git(root, "config", "diff.submodule", "log")


TRAPS = (
    Trap("filter clean", _filter("clean"), lambda root: careless(root, "diff")),
    Trap("filter smudge", _filter("smudge"), lambda root: careless(root, "checkout", "--", "app.py")),
    Trap("filter process", _filter("process"), lambda root: careless(root, "diff")),
    Trap("hooks", _hooks, lambda root: careless(root, "checkout", "-q", "-b", "x")),
    Trap("fsmonitor", _fsmonitor, lambda root: careless(root, "status")),
    Trap("textconv", _textconv, lambda root: careless(root, "diff")),
    Trap("diff driver", _driver, lambda root: careless(root, "diff")),
    Trap("diff.external", _external, lambda root: careless(root, "diff")),
    Trap("pager", _pager, lambda root: on_a_terminal(root, "log")),
    Trap("alias", _alias, lambda root: careless(root, "lg")),
    Trap("ssh promisor", _promisor("ssh://127.0.0.1/x"), lambda root: careless(root, "cat-file", "-p", "HEAD:app.py")),
    Trap("ext promisor", _promisor("ext::{canary}"), lambda root: careless(root, "cat-file", "-p", "HEAD:app.py")),
    Trap("credentials", _credentials, lambda root: careless(root, "credential", "fill", stdin=b"protocol=https\nhost=x\n\n")),
    Trap("include", _include, lambda root: careless(root, "diff")),
    Trap("signature", _signature, lambda root: careless(root, "log")),
    Trap("buried bare", _buried, _spring_buried),
    Trap("kitchen sink", _kitchen_sink, lambda root: careless(root, "commit", "--amend")),
)


def laid(trap: Trap, folder: Path) -> tuple[Path, Path]:
    """The trap's repository, two commits deep, and its canary."""
    root = a_repository(a_tree(folder))
    (root / "lib" / "db.py").write_text("def query(connection, text):\n    return text\n")
    git(root, "commit", "-q", "-a", "-m", "Second version")
    script = folder / "canary.sh"
    canary = folder / "sprung"
    script.write_text(f"#!/bin/sh\n: > {canary}\nexit 1\n")
    script.chmod(0o755)
    trap.set_up(root, str(script))
    canary.unlink(missing_ok=True)  # laying a trap may spring it
    return root, canary

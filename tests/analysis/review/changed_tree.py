"""Small repositories with a change in them, for the tests of reviews."""

import subprocess
from pathlib import Path

from counterproof.analysis.project import Project
from counterproof.analysis.review.claims import Claim, View
from counterproof.analysis.review.kinds import claims_of
from counterproof.analysis.review.scope import Resolved, Wanted, resolve
from counterproof.analysis.source.survey import survey

ALL = (
    "injection", "auth", "crypto", "secrets", "invariants", "races", "edge-cases", "logic", "io", "error-handling", "testing",
    "duplication", "coupling", "boundaries",
)  # fmt: skip


def git(folder: Path, *arguments: str) -> str:
    identity = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    done = subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def changed(folder: Path, before: dict[str, str], after: dict[str, str]) -> Path:
    """A repository whose only commit, a fix by its message, holds `before`, with `after` written over it and staged."""
    folder.mkdir(parents=True, exist_ok=True)
    write(folder, {"README.md": "# A project\n", "setup.py": "x = 1\n", **before})
    git(folder, "init", "-q", ".")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "Fix what was there before")
    write(folder, after)
    git(folder, "add", "-A")
    return folder


def project_of(folder: Path) -> Project:
    return Project(folder, survey(folder))


def resolved(folder: Path, wanted: Wanted | None = None) -> Resolved:
    return resolve(project_of(folder), wanted or Wanted())


def claims(folder: Path, before: dict[str, str], after: dict[str, str], domains: tuple[str, ...] = ALL) -> tuple[Claim, ...]:
    """What all checks claim about a change."""
    project = project_of(changed(folder, before, after))
    done = resolve(project, Wanted())
    return claims_of(View(project, done.scope, done.before), domains, documents=False)


def told(found: tuple[Claim, ...]) -> list[tuple[str, str]]:
    return [(each.kind, str(each.at)) for each in found]


def after_commits(folder: Path, commits: list[tuple[str, str]], now: str, said: str = "", name: str = "rows.py") -> View:
    """A repository with these commits of one file, and a last edit of it that is to be reviewed."""
    folder.mkdir(parents=True)
    git(folder, "init", "-q", ".")
    for message, text in commits:
        write(folder, {name: text, "README.md": "# A project\n"})
        git(folder, "add", "-A")
        git(folder, "commit", "-qm", message)
    write(folder, {name: now})
    git(folder, "add", "-A")
    project = project_of(folder)
    done = resolve(project, Wanted())
    return View(project, done.scope, done.before, intent=(said,) if said else ())

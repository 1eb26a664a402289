"""Writes a project's first files: commented settings, and a job for its CI service.

Invariant: existing files are left unchanged, and the user is told what to add to them. The texts are files in this folder.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Final

from counterproof.app.exports import write_below
from counterproof.extras import requirement
from counterproof.model.configuration_pages import FILE_NAME, template
from counterproof.model.errors import UserError

PLACEHOLDER: Final = "git+URL@COMMIT"
_REMOTE: Final = re.compile(r"(?m)^\s*url\s*=\s*(\S{1,500})")


@dataclass(frozen=True, slots=True)
class Service:
    """A CI service or tool: our file for it, its text, and the files that indicate its use. If `main` exists, it alone
    decides: `hint` is the line that includes our file in it."""

    file: str
    text: str
    shown_by: tuple[str, ...]
    main: str = ""
    hint: str = ""


SERVICES: Final = {
    "github": Service(".github/workflows/counterproof.yml", "github.yml", (".github",)),
    "gitlab": Service(
        ".gitlab/counterproof.yml", "gitlab.yml", (".gitlab-ci.yml",), ".gitlab-ci.yml", "include: .gitlab/counterproof.yml"
    ),
    "pre-commit": Service("", "pre-commit.yaml", (".pre-commit-config.yaml",), ".pre-commit-config.yaml"),
}


@dataclass(frozen=True, slots=True)
class Begun:
    """The files written, those left unchanged because they exist, and what the user has to add by hand, by file."""

    services: tuple[str, ...]
    written: tuple[Path, ...]
    left: tuple[Path, ...]
    to_add: tuple[tuple[Path, str], ...]
    to_fill: tuple[Path, ...] = ()
    """Jobs that must be told where to install this program from."""


def begin(folder: Path, chosen: Iterable[str] = ()) -> Begun:
    """Write the first files of a project. `chosen` are services; without any, those that the project appears to use."""
    if not folder.is_dir():
        raise UserError(f"{folder} is not a folder", "name the top of your project")
    services = tuple(dict.fromkeys(chosen)) or found_services(folder)
    wanted: dict[Path, str] = {folder / FILE_NAME: template(shared=True)}
    to_add = list[tuple[Path, str]]()
    for service in (SERVICES[name] for name in services):
        text = _installing((files("counterproof.app.starting") / service.text).read_text(encoding="utf-8"))
        main = folder / service.main
        if not service.main or (service.file and main.exists()):
            wanted[folder / service.file] = text
        elif not main.exists():
            wanted[main] = text
        if service.main and main.exists():
            to_add.append((main, service.hint or text.partition("repos:\n")[2]))
    left = tuple(path for path in wanted if path.exists() or path.is_symlink())
    new = {path: text for path, text in wanted.items() if path not in left}
    write_below(folder, new)
    unknown = tuple(path for path, text in new.items() if PLACEHOLDER in text)
    return Begun(services, tuple(new), left, tuple(to_add), unknown)


def _installing(text: str) -> str:
    """The text of a job, with what it installs."""
    known = requirement()
    about = (
        "as it was installed here; the job must be able to reach it"
        if known
        else "this copy was installed from a folder: name your package"
    )
    return text.replace("{{requirement}}", known or PLACEHOLDER).replace("{{about}}", about)


def found_services(folder: Path) -> tuple[str, ...]:
    """The services whose files exist, and the one that the repository was cloned from."""
    try:
        config = (folder / ".git" / "config").read_text(encoding="utf-8", errors="replace")
    except OSError:
        config = ""
    remotes = " ".join(_REMOTE.findall(config)).lower()
    return tuple(
        name for name, each in SERVICES.items() if name in remotes or any((folder / shown).exists() for shown in each.shown_by)
    )

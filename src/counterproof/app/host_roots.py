"""Restricts where a coding agent may start audits: only below the folders that the user named at server start.

Invariant: a path is checked after resolving all links, and the resolved path is audited; runs on the user's other targets are
not visible. The host's input is bounded and never trusted.
"""

from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from counterproof.model.errors import UserError
from counterproof.runtime.home import LATEST, Home, RunFolder

MAX_PATH = 4_096


@dataclass(frozen=True, slots=True)
class Roots:
    """Resolved folders. Relative paths are relative to the first one."""

    folders: tuple[Path, ...]

    def target(self, path: str) -> Path:
        """The folder for a host's path. Raises `UserError` if it is not allowed."""
        if len(path) > MAX_PATH or any(ord(each) < 32 or ord(each) == 127 for each in path):
            raise UserError("the path is too long or holds control characters", "give the path of a folder")
        try:
            place = (self.folders[0] / path).resolve()
            folder = place.is_dir()
        except (OSError, RuntimeError, ValueError) as error:
            raise UserError(f"{path!r} cannot be followed", "give the path of a folder") from error
        if not any(place.is_relative_to(root) for root in self.folders):
            raise UserError(f"{path!r} is outside the folders that this server serves: {self.text}", "name a folder inside them")
        if not folder:
            raise UserError(f"there is no folder {path!r}", "give the path of a folder that holds source code")
        return place

    def document(self, path: str) -> Path:
        """The file for a host's path. Raises `UserError` if it is not allowed."""
        place = self.target(str(PurePosixPath(path).parent)) / PurePosixPath(path).name
        if place.is_symlink() or not place.is_file():
            raise UserError(f"there is no file {path!r}", "give the path of a plan, not of a link to one")
        return place

    def run(self, home: Home, name: str) -> RunFolder:
        """A run on a target inside these folders, by id, id prefix, or `latest`."""
        if name == LATEST:
            visible = [run for run in home.runs() if self._covers(run)]
            if not visible:
                raise UserError("this server has no run yet", "start_audit starts one")
            return visible[-1]
        found = home.find(name[:100])
        if not self._covers(found):
            raise UserError(f"run {found.id} audited a folder outside those that this server serves", f"it serves {self.text}")
        return found

    def _covers(self, run: RunFolder) -> bool:
        facts = run.facts()
        names = ("target", "repository") if facts.get("job") == "verify" else ("target",)  # a plan's results are about both
        try:
            places = [Path(facts[name]).resolve() for name in names]
        except (OSError, ValueError, KeyError, RuntimeError):
            return False
        return all(any(place.is_relative_to(root) for root in self.folders) for place in places)

    @property
    def text(self) -> str:
        return ", ".join(str(root) for root in self.folders)


def roots_of(given: tuple[Path, ...]) -> Roots:
    """The folders named on the command line, or the working directory. Raises `UserError` for one that does not exist."""
    folders = tuple(dict.fromkeys(path.resolve() for path in given or (Path(),)))
    if not given and folders[0] in (Path(folders[0].anchor), Path.home().resolve()):
        raise UserError(f"{folders[0]} is larger than one project", "name the folders that may be audited with --root")
    for folder in folders:
        if not folder.is_dir():
            raise UserError(f"--root: there is no folder {folder}", "give the path of a folder")
    return Roots(folders)

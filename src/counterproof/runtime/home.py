"""Where runs live: one folder per run under the user's data directory, readable by that user alone.

Journals hold source code, so folders are mode 0700 and files 0600. `COUNTERPROOF_HOME` moves everything elsewhere.
"""

import json
import re
import secrets
import shutil
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from counterproof.installation import data_home
from counterproof.model.errors import UserError

RUN_ID = re.compile(r"[0-9]{8}-[0-9]{6}-[0-9a-f]{6}")


@dataclass(frozen=True, slots=True)
class RunFolder:
    """The files of one run. The chain's head is kept outside the folder too, so that a replaced journal shows.

    `database` is the journal's file; only a repair works on another one until it is whole.
    """

    id: str
    path: Path
    database: str = "journal.db"

    @property
    def journal(self) -> Path:
        return self.path / self.database

    @property
    def inbox(self) -> Path:
        return self.path / "inbox"

    @property
    def receipt(self) -> Path:
        return self.path / "receipt.json"

    @property
    def signature(self) -> Path:
        return self.path / "log.sig"

    @property
    def lock(self) -> Path:
        return self.path / "lock"

    @property
    def head(self) -> Path:
        return self.path.parent.parent / "heads" / f"{self.id}.head"

    def is_about(self, folder: Path) -> bool:
        """True if the run's target is this folder, holds it, or is in it."""
        try:
            target = Path(str(json.loads((self.path / "request.json").read_bytes())["target"]))
        except (OSError, ValueError, KeyError, TypeError):
            return False
        return target.is_relative_to(folder) or folder.is_relative_to(target)

    def size(self) -> int:
        return sum(file.stat().st_size for file in self.path.iterdir() if file.is_file())


class Home:
    """All runs of this user."""

    def __init__(self, root: Path | None = None) -> None:
        self.root = root or data_home()

    def create(self, kind: str = "runs") -> RunFolder:
        """A new, empty folder, of a run or a batch, with an id that sorts by time to the microsecond: `latest` goes by it."""
        for folder in (self.root, self.root / kind, self.root / "heads"):
            self._private(folder)
        while True:
            now = datetime.now(UTC)
            run_id = f"{now:%Y%m%d-%H%M%S}-{now.microsecond:05x}{secrets.randbelow(16):x}"
            folder = RunFolder(run_id, self.root / kind / run_id)
            try:
                folder.path.mkdir(mode=0o700)
            except FileExistsError:
                continue  # another run began in the same microsecond
            return folder

    def adopt(self, run_id: str) -> RunFolder:
        """The folder of a run that was named elsewhere, made where there is none."""
        folder = RunFolder(run_id, self.root / "runs" / run_id)
        for each in (self.root, self.root / "runs", self.root / "heads", folder.path):
            self._private(each)
        return folder

    def _private(self, folder: Path) -> None:
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if folder.stat().st_mode & 0o077:
                folder.chmod(0o700)
        except OSError as error:
            raise UserError(
                f"cannot use {folder} for run data: {error.strerror}", "set COUNTERPROOF_HOME to a folder you can write to"
            ) from error

    def runs(self, kind: str = "runs") -> list[RunFolder]:
        """Oldest first."""
        folder = self.root / kind
        if not folder.is_dir():
            return []
        return [RunFolder(path.name, path) for path in sorted(folder.iterdir()) if RUN_ID.fullmatch(path.name)]

    def find(self, name: str) -> RunFolder:
        """A run by id, by the beginning of one, or `latest`: the newest about the folder that the user is in, else the newest."""
        runs = self.runs()
        if name == "latest" and runs:
            here = Path.cwd()
            return next((run for run in reversed(runs) if run.is_about(here)), runs[-1])
        matches = [run for run in runs if run.id.startswith(name) or run.id.endswith("-" + name)] if name else []
        if len(matches) == 1:
            return matches[0]
        if matches:
            raise UserError(f"{name} fits {len(matches)} runs", "give more of the id; `counterproof runs` lists them")
        raise UserError(f"there is no run {name}", "`counterproof runs` lists the runs that exist")

    def remove(self, run: RunFolder) -> None:
        shutil.rmtree(run.path)
        run.head.unlink(missing_ok=True)

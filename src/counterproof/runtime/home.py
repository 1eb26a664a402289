"""The location of runs: one folder per run in the user's data directory, readable by that user alone.

Journals contain source code, so folders have mode 0700 and files 0600. `COUNTERPROOF_HOME` moves the directory.
"""

import json
import re
import secrets
import shutil
from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

from counterproof.installation import data_home
from counterproof.model.errors import UserError

STARTED_IN = "started_in"
"""The fact that names the working folder of the command that started a run."""
LATEST = "latest"
RUN_ID = re.compile(r"[0-9]{8}-[0-9]{6}-[0-9a-f]{6}")


@dataclass(frozen=True, slots=True)
class RunFolder:
    """The files of one run. The chain's head is also stored outside the folder, so that a replaced journal is detected.

    `database` is the journal's file; only a repair uses another one until it is complete.
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

    def facts(self) -> dict[str, str]:
        """The facts stored when the run began; empty if they cannot be read."""
        try:
            stored: Any = json.loads((self.path / "request.json").read_bytes())
        except (OSError, ValueError):
            return {}
        facts = cast("dict[str, Any]", stored) if isinstance(stored, dict) else {}
        return {name: str(fact) for name, fact in facts.items()}

    @property
    def began(self) -> datetime:
        return datetime.strptime(self.id[:15], "%Y%m%d-%H%M%S").replace(tzinfo=UTC)

    def is_about(self, folder: Path) -> bool:
        """True if the run was started in this folder, or its target is this folder, or one contains the other."""
        facts = self.facts()
        places = [Path(facts[name]) for name in ("target", "repository") if facts.get(name)]
        within = any(place.is_relative_to(folder) or folder.is_relative_to(place) for place in places)
        return within or facts.get(STARTED_IN) == str(folder)

    def size(self) -> int:
        return sum(file.stat().st_size for file in self.path.iterdir() if file.is_file())


class Home:
    """All runs of this user."""

    def __init__(self, root: Path | None = None) -> None:
        self.root = root or data_home()

    def create(self, kind: str = "runs") -> RunFolder:
        """Create an empty folder for a run or a batch, with an id that sorts by time to the microsecond, which `latest` relies
        on."""
        for folder in (self.root, self.root / kind, self.root / "heads"):
            self._private(folder)
        while True:
            now = datetime.now(UTC)
            run_id = f"{now:%Y%m%d-%H%M%S}-{now.microsecond:05x}{secrets.randbelow(16):x}"
            folder = RunFolder(run_id, self.root / kind / run_id)
            try:
                folder.path.mkdir(mode=0o700)
            except FileExistsError:
                continue  # another run started in the same microsecond
            return folder

    def adopt(self, run_id: str) -> RunFolder:
        """The folder of a run named elsewhere, created if missing."""
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
        """All runs, oldest first."""
        folder = self.root / kind
        if not folder.is_dir():
            return []
        return [RunFolder(path.name, path) for path in sorted(folder.iterdir()) if RUN_ID.fullmatch(path.name)]

    def find(self, name: str, about: Path | None = None, jobs: Collection[str] = ()) -> RunFolder:
        """A run by id, id prefix, or `latest`: the newest, of these jobs if any are named, about a folder, by default the current
        one, or started in it."""
        runs = self.runs()
        if name == LATEST:
            fitting = [run for run in runs if run.facts().get("job", "audit") in jobs] if jobs else runs
            return self._latest(fitting, about or Path.cwd())
        matches = [run for run in runs if run.id.startswith(name) or run.id.endswith("-" + name)] if name else []
        if len(matches) == 1:
            return matches[0]
        if matches:
            raise UserError(f"{name} fits {len(matches)} runs", "give more of the id; `counterproof runs` lists them")
        raise UserError(f"there is no run {name}", "`counterproof runs` lists the runs that exist")

    def _latest(self, runs: list[RunFolder], folder: Path) -> RunFolder:
        found = next((run for run in reversed(runs) if run.is_about(folder)), None)
        if found:
            return found
        hint = "`counterproof audit PATH` starts one"
        if runs:
            target = runs[-1].facts().get("target", "an unknown folder")
            hint = f"the newest run is of {target}: give its id, {runs[-1].id}; `counterproof runs` lists all"
        raise UserError(f"there is no run of {folder}", hint)

    def remove(self, run: RunFolder) -> None:
        shutil.rmtree(run.path)
        run.head.unlink(missing_ok=True)

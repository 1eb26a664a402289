"""`counterproof setup`: installs Semgrep in its own virtual environment below the user's data directory.

Invariant: exactly the files in `semgrep.lock` are installed, checked by hash; an environment is valid only with a stamp of the
completed installation; a second call changes nothing. Failures are sentences with a next step.
"""

import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from counterproof.model.errors import UserError
from counterproof.runtime.home import Home

SEMGREP_VERSION = "1.182.0"
LOCK = Path(__file__).with_name("semgrep.lock")
PROGRAM_VARIABLE = "COUNTERPROOF_SEMGREP"

_STAMP = "counterproof-setup"
_TIMEOUT = 1800
_OFFLINE = (
    f"without a network: `pip download --require-hashes -r {LOCK} -d DIR` on another machine, "
    "then `counterproof setup --offline-wheels DIR`"
)

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Installation:
    """An environment ready for use."""

    folder: Path
    version: str
    size: int

    @property
    def program(self) -> Path:
        return self.folder / "bin" / "semgrep"


def semgrep_folder(home: Home) -> Path:
    """The folder of the environment."""
    return home.root / "semgrep"


def program_for(home: Home, target: Path) -> Path | None:
    """The Semgrep for an audit of `target`: the one named by the user, our own, or the one on PATH."""
    from counterproof.analysis.semgrep import find_semgrep  # most runs have no baseline scan

    named = os.environ.get(PROGRAM_VARIABLE)
    if named:
        path = Path(named).expanduser()
        if not (path.is_file() and os.access(path, os.X_OK)):
            raise UserError(f"{PROGRAM_VARIABLE} names {named}, which is not an executable program", "correct it, or unset it")
        return path.absolute()
    own = semgrep_folder(home)
    return find_semgrep(own if installed(own) else None, target)


def installed(folder: Path) -> Installation | None:
    """The finished installation of this version in `folder`, or None."""
    try:
        version = (folder / _STAMP).read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return None
    found = Installation(folder, version, 0)
    if version != SEMGREP_VERSION or not os.access(found.program, os.X_OK):
        return None
    return Installation(folder, version, _size(folder))


def install(folder: Path, say: Say, wheels: Path | None = None) -> Installation:
    """Create the environment in `folder` if it does not exist."""
    if wheels is not None and not (wheels.is_dir() and any(wheels.glob("semgrep-*.whl"))):
        raise UserError(f"{wheels} holds no Semgrep wheel", _OFFLINE)
    with _alone(folder):
        ready = installed(folder)
        if ready:
            say(f"Semgrep {ready.version} is already installed in {folder}.")
            return ready
        say(f"Creating an environment in {folder} (about 400 MB) …")
        _make_environment(folder)
        say(f"Installing Semgrep {SEMGREP_VERSION} {f'from {wheels}' if wheels else 'with pip'}; this takes about a minute …")
        _run_pip(folder, wheels)
        _try_it(folder)
        (folder / _STAMP).write_text(f"{SEMGREP_VERSION}\n", encoding="ascii")
        done = installed(folder)
    if done is None:
        raise UserError(f"the installation in {folder} is not complete", "run `counterproof setup` again")
    return done


@contextmanager
def _alone(folder: Path) -> Generator[None]:
    """Hold a lock so that one set-up runs at a time; the system releases it when the process ends."""
    try:
        folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(folder.parent / f"{folder.name}-setup.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise UserError(
            f"cannot write to {folder.parent}: {error.strerror}", "set COUNTERPROOF_HOME to a folder you can write to"
        ) from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError:
        raise UserError("another setup is running", "wait until it has finished") from None
    finally:
        os.close(descriptor)


def _make_environment(folder: Path) -> None:
    """Create an empty environment; leftovers of an earlier attempt are removed, other files are not touched."""
    if folder.exists() and not (folder / "pyvenv.cfg").is_file() and any(folder.iterdir()):
        raise UserError(f"{folder} contains files that setup did not create", "move it away, then try again")
    try:
        if folder.exists():
            shutil.rmtree(folder)
    except OSError as error:
        raise UserError(f"cannot remove the old {folder}: {error.strerror}", "remove it, then try again") from error
    _run(
        (sys.executable, "-m", "venv", str(folder)),
        "the environment could not be created",
        "your Python may lack the venv module (on Debian: the package python3-venv)",
    )


def _run_pip(folder: Path, wheels: Path | None) -> None:
    source = ("--no-index", "--find-links", str(wheels.resolve())) if wheels else ()
    command = (str(folder / "bin" / "python"), "-m", "pip", "--disable-pip-version-check", "--no-input", "install", "--quiet")
    options = ("--no-warn-script-location", "--only-binary=:all:", "--require-hashes", "-r", str(LOCK))
    _run((*command, *source, *options), "pip could not install Semgrep", _OFFLINE)


def _try_it(folder: Path) -> None:
    program = str(folder / "bin" / "semgrep")
    said = _run(
        (program, "--version", "--disable-version-check"),
        "Semgrep was installed but does not start",
        "check that Semgrep supports this system",
    )
    if SEMGREP_VERSION not in said:
        raise UserError(f"Semgrep says that it is version {said.strip()[:50]!r}", f"expected {SEMGREP_VERSION}; try again")


def _run(command: Sequence[str], failure: str, hint: str) -> str:
    try:
        result = subprocess.run(command, capture_output=True, timeout=_TIMEOUT, stdin=subprocess.DEVNULL, check=False)
    except subprocess.TimeoutExpired as error:
        raise UserError(f"{failure}: it took longer than {_TIMEOUT // 60} minutes", hint) from error
    except OSError as error:
        raise UserError(f"{failure}: {error.strerror}", hint) from error
    if result.returncode:
        raise UserError(f"{failure}: {_gist(result.stderr or result.stdout)}", hint)
    return result.stdout.decode("utf-8", "replace")


def _gist(output: bytes) -> str:
    """The most informative line: the last error, otherwise the last line."""
    lines = [line.strip() for line in output.decode("utf-8", "replace").splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("ERROR") or "Error" in line]
    return (errors or lines or ["no reason given"])[-1][:300]


def _size(folder: Path) -> int:
    return sum(
        entry.stat(follow_symlinks=False).st_size for entry in folder.rglob("*") if not entry.is_symlink() and entry.is_file()
    )

"""Locating and running Semgrep so that it sees only copies and rules.

Invariant: it comes from our own environment or from PATH, never from the reviewed code; it runs confined, offline, with its own
home folder and an environment that we define, within limits. Not handled here: the meaning of its output.
"""

import os
from pathlib import Path

from counterproof.analysis.confinement import Bounds, Command, Ended, find_program, run
from counterproof.analysis.confinement.program import interpreter_of

MAX_OUTPUT = 64 << 20

_MEMORY = 8 << 30  # address space: Semgrep's runtime reserves 3 GiB before it reads a file
_LARGEST_FILE = 64 << 20
_PROCESSES = 16_384  # the limit counts all processes of the user, so a tight one would fail on a busy desktop
_NOWHERE = "http://127.0.0.1:9"
_SYSTEM = ("/etc", "/proc", "/sys", "/usr/share", "/dev/urandom", "/dev/random")
_STARTS = ("/usr/bin/uname", "/bin/uname")  # run for the system's name if a proxy is set; fatal if missing
_MAX_HEADER = 512


def find_semgrep(own: Path | None, target: Path) -> Path | None:
    """The executable in `own`, the environment created at installation, else on PATH; None if missing."""
    if own:
        program = own / "bin" / "semgrep"
        inside = program.resolve().is_relative_to(target.resolve())
        if program.is_file() and os.access(program, os.X_OK) and not inside:
            return program
    return find_program("semgrep", target)


def run_semgrep(
    program: Path, arguments: tuple[str, ...], tree: Path, home: Path, rules: tuple[Path, ...], timeout: float
) -> Ended:
    """Run in `tree`, with `home` for writing. Raises OSError if it cannot start."""
    places = _places(program)
    command = Command(
        program=program,
        arguments=arguments,
        folder=tree,
        readable=(tree, *rules, *places, *(Path(each) for each in _SYSTEM)),
        writable=(home,),
        executable=(*places, *(Path(each) for each in _STARTS)),
        environment=_environment(program, home),
    )
    bounds = Bounds(timeout, MAX_OUTPUT, _MEMORY, _LARGEST_FILE, _PROCESSES)
    return run(command, bounds)


def _places(program: Path) -> tuple[Path, ...]:
    """The folders of the program: its own environment, and the Python that the environment was created from."""
    environment = program.resolve().parent.parent
    pythons = _pythons(program)
    loaders = tuple(loader for loader in map(interpreter_of, pythons[-1:]) if loader)
    return (environment, *(python.parent.parent for python in pythons), *loaders)


def _pythons(program: Path) -> tuple[Path, ...]:
    """The interpreter in a script's first line: as written, and the one that its environment was created from."""
    try:
        with program.open("rb") as stream:
            line = stream.read(_MAX_HEADER).split(b"\n", 1)[0]
    except OSError:
        return ()
    words = os.fsdecode(line).removeprefix("#!").split()
    if not line.startswith(b"#!") or not words or not os.path.isabs(words[0]):
        return ()
    named = Path(words[0])
    return (named, *_made_from(named), named.resolve())


def _made_from(python: Path) -> tuple[Path, ...]:
    """The base Python of an environment made of copies, from its settings, because there are no links to follow."""
    try:
        settings = (python.parent.parent / "pyvenv.cfg").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ()
    homes = (line.partition("=")[2].strip() for line in settings.splitlines() if line.partition("=")[0].strip() == "home")
    return tuple(Path(home) / python.name for home in homes if os.path.isabs(home))


def _environment(program: Path, home: Path) -> tuple[tuple[str, str], ...]:
    folder = str(home)
    proxies = ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "all_proxy")
    return (
        ("PATH", os.pathsep.join((str(program.parent), "/usr/bin", "/bin"))),
        *((name, folder) for name in ("HOME", "TMPDIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME")),
        ("LC_ALL", "C.UTF-8"),
        ("PYTHONUTF8", "1"),
        ("PYTHONDONTWRITEBYTECODE", "1"),
        ("SEMGREP_SETTINGS_FILE", str(home / "settings.yml")),
        ("SEMGREP_LOG_FILE", str(home / "semgrep.log")),
        ("SEMGREP_VERSION_CACHE_PATH", str(home / "version")),
        ("SEMGREP_SEND_METRICS", "off"),
        ("SEMGREP_ENABLE_VERSION_CHECK", "0"),
        ("GIT_CONFIG_NOSYSTEM", "1"),
        ("GIT_CONFIG_GLOBAL", os.devnull),
        ("GIT_CEILING_DIRECTORIES", str(home.parent)),
        *((name, _NOWHERE) for name in proxies),
    )

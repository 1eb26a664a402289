"""Resource limits of an external program, and setting them.

On Linux they are set on the started process; elsewhere a shell sets them on itself and then becomes the program, because our own
code between fork and exec could hang a process with threads.
"""

import resource
import sys
from dataclasses import dataclass

MEGABYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class Bounds:
    """`processes` counts all of the user's, including threads; 0 means that the program can start none. Root is exempt."""

    seconds: float = 20.0
    output_bytes: int = 16 * MEGABYTE
    memory_bytes: int = 2_048 * MEGABYTE
    file_bytes: int = 0
    processes: int = 0


def impose(pid: int, bounds: Bounds) -> None:
    """Set the limits on a running process; ignores one that has ended."""
    if not sys.platform.startswith("linux"):
        return
    try:
        for kind, wanted in _wanted(bounds):
            _, hard = resource.prlimit(pid, kind)
            value = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
            resource.prlimit(pid, kind, (value, value))
    except ProcessLookupError:
        return


def prefix(bounds: Bounds) -> tuple[str, ...]:
    """The command prefix that sets limits where they cannot be set from outside."""
    if sys.platform.startswith("linux"):
        return ()
    return shell_prefix(bounds)


def shell_prefix(bounds: Bounds) -> tuple[str, ...]:
    """The program's arguments are passed as arguments; the shell never interprets them as code."""
    blocks = -(-bounds.file_bytes // 512)
    script = f'ulimit -c 0; ulimit -t {_processor_seconds(bounds)}; ulimit -f {blocks}; exec "$@"'
    return ("/bin/sh", "-c", script, "sh")


def _wanted(bounds: Bounds) -> tuple[tuple[int, int], ...]:
    return (
        (resource.RLIMIT_CPU, _processor_seconds(bounds)),
        (resource.RLIMIT_AS, bounds.memory_bytes),
        (resource.RLIMIT_FSIZE, bounds.file_bytes),
        (resource.RLIMIT_NPROC, bounds.processes),
        (resource.RLIMIT_CORE, 0),
    )


def _processor_seconds(bounds: Bounds) -> int:
    return max(1, round(bounds.seconds * 2))  # twice the wall clock, for programs with threads

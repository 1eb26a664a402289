"""The inside of the sandbox: a separate program that reads from its control socket what to build, builds it, and starts one
program in it.

Invariant: the target runs without capabilities, in its own namespaces, and sees no host path except those bound read-only; the
engine gets the descriptors that it observes before the target starts. Otherwise nothing is started, and the reason is reported.
"""

import ctypes
import errno
import fcntl
import io
import json
import os
import resource
import shutil
import signal
import socket
import struct
import sys
import tarfile
from pathlib import Path
from typing import Any, NoReturn

from counterproof.analysis.confinement import landlock

NEW_NS, NEW_CGROUP, NEW_UTS, NEW_IPC, NEW_USER, NEW_PID, NEW_NET = (
    0x00020000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000,
)  # fmt: skip
APART = NEW_NS | NEW_CGROUP | NEW_UTS | NEW_IPC | NEW_USER | NEW_PID | NEW_NET
_RDONLY, _NOSUID, _NODEV, _NOEXEC, _REMOUNT, _BIND, _REC, _PRIVATE = 1, 2, 4, 8, 32, 4096, 16384, 1 << 18
_DETACH = 2
_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}
_KEYCTL = {"x86_64": 250, "aarch64": 219}
_MOUNT_SETATTR = 442
_AT_RECURSIVE, _AT_FDCWD = 0x8000, -100
_SET_PDEATHSIG, _SET_DUMPABLE, _CAPBSET_DROP, _SET_SECUREBITS, _SET_NO_NEW_PRIVS = 1, 4, 24, 28, 38
_NOROOT_LOCKED = 0b1111
_NOBODY = 65_534
_TARGET = 1
"""The id of the target inside, if several ids are available."""
_DEVICES = ("null", "zero", "full", "random", "urandom")
_SPACES = {"/tmp": 64, "/target": 512, "/marks": 1}  # noqa: S108 (inside)
"""The folders that the target can write to, with their size in MiB."""
_ELSEWHERE = {"/dev/shm": "/tmp", "/app": "/target/code", "/data": "/tmp", "/srv": "/tmp", "/var": "/tmp", "/home": "/tmp"}  # noqa: S108
"""Folders that programs made for a container write to; here they lead to the copy, or to the memory of the sandbox."""
_libc = ctypes.CDLL(None, use_errno=True)


class Refused(Exception):
    """A requirement of the sandbox is unavailable."""


def _checked(result: int, what: str) -> int:
    if result < 0:
        raise Refused(f"{what}: {os.strerror(ctypes.get_errno())}")
    return result


def _mount(source: str, place: str, kind: str = "", flags: int = 0, data: str = "") -> None:
    given = (source.encode(), place.encode(), kind.encode() or None, ctypes.c_ulong(flags), data.encode() or None)
    _checked(_libc.mount(*given), f"mounting {place}")


def _read_only(place: str) -> None:
    """Make a mount and everything below it read-only."""
    wanted = struct.pack("QQQQ", _RDONLY | _NOSUID | _NODEV, 0, 0, 0)
    given = (ctypes.c_int(_AT_FDCWD), place.encode(), ctypes.c_uint(_AT_RECURSIVE), wanted, ctypes.c_size_t(32))
    _checked(_libc.syscall(ctypes.c_long(_MOUNT_SETATTR), *given), f"making {place} read-only (Linux 5.12 or later)")


def main() -> int:
    """Build the sandbox, start the target, wait."""
    control = socket.socket(fileno=int(sys.argv[1]))
    plan = _received(control)
    _libc.prctl(_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != plan["engine"]:
        return 1
    many = os.geteuid() == 0
    if many:
        os.setgroups([])
    here, there = socket.socketpair()
    pid = os.fork()
    if not pid:
        here.close()
        _apart(control, there, plan | {"many": many})
    there.close()
    if here.recv(1) == b"+":
        try:
            _map(pid, many)
        except OSError as error:
            _say(control, f"mapping a user: {error.strerror}")
            os.kill(pid, signal.SIGKILL)
        here.send(b"+")
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) and 1


def _received(control: socket.socket) -> dict[str, Any]:
    size = struct.unpack("<I", _exactly(control, 4))[0]
    return json.loads(_exactly(control, size))


def _exactly(control: socket.socket, size: int) -> bytes:
    got = b""
    while len(got) < size:
        more = control.recv(size - len(got))
        if not more:
            raise Refused("the engine exited")
        got += more
    return got


def _say(control: socket.socket, why: str) -> None:
    control.send(b"-" + why.encode()[:900])


def _map(pid: int, many: bool) -> None:
    """Id 0 inside is this user; if this user is root, the target becomes nobody."""
    for name, own in (("uid", os.geteuid()), ("gid", os.getegid())):
        if name == "gid" and not many:
            with open(f"/proc/{pid}/setgroups", "w", encoding="ascii") as file:
                file.write("deny")
        with open(f"/proc/{pid}/{name}_map", "w", encoding="ascii") as file:
            file.write(f"0 {own} 1\n" + (f"{_TARGET} {_NOBODY} 1\n" if many else ""))


def _apart(control: socket.socket, line: socket.socket, plan: dict[str, Any]) -> NoReturn:
    """The child that leaves the host's namespaces. Its own child is the first process of the new ones."""
    try:
        _libc.prctl(_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if _libc.unshare(APART):
            raise Refused(_why_none(ctypes.get_errno()))
        line.send(b"+")
        if line.recv(1) != b"+":
            os._exit(1)
        line.close()
        os.setresgid(0, 0, 0)
        os.setresuid(0, 0, 0)
        pid = os.fork()
        if not pid:
            os._exit(_first(control, plan))
        control.close()
        os._exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) and 1)
    except (Refused, OSError) as error:
        _say(control, str(error))
        os._exit(1)


def _why_none(error: int) -> str:
    known = {
        errno.ENOSPC: "user namespaces are switched off here (user.max_user_namespaces)",
        errno.EPERM: "user namespaces are not allowed here (unprivileged_userns_clone, AppArmor, or the container's seccomp)",
        errno.EINVAL: "this kernel has no user namespaces",
    }
    return known.get(error, f"new namespaces: {os.strerror(error)}")


def _first(control: socket.socket, plan: dict[str, Any]) -> int:
    """The first process inside: builds the root, starts the target and reaps processes."""
    try:
        _libc.prctl(_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        _libc.prctl(_SET_DUMPABLE, 0, 0, 0, 0)
        _build(plan)
        _hand_over(control)
        pid = os.fork()
        if not pid:
            _target(control, plan)
        control.close()
        _unbound()
        _powerless()
        while True:
            ended, _ = os.wait()
            if ended == pid:
                return 0
    except (Refused, OSError, KeyError) as error:
        _say(control, f"{error}")
        return 1


def _build(plan: dict[str, Any]) -> None:
    _own_keys()
    _no_deeper()
    _mount("none", "/", flags=_REC | _PRIVATE)
    _mount("tmpfs", "/tmp", "tmpfs", _NOSUID | _NODEV, "size=1m,nr_inodes=4k,mode=755")  # noqa: S108
    os.chdir("/tmp")  # noqa: S108
    os.mkdir("old", 0o755)
    _checked(_libc.syscall(ctypes.c_long(_PIVOT_ROOT[os.uname().machine]), b".", b"old"), "a root of its own")
    os.chdir("/")
    for path, size in _SPACES.items():
        _space(path, size, plan["many"])
    for path in plan["readable"]:  # some may be below /tmp
        _bind(path)
    for path, leads in plan["links"]:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        os.symlink(leads, path)
    _devices()
    _processes()
    _canaries(plan)
    for path, leads in _ELSEWHERE.items():
        if not os.path.lexists(path):
            os.symlink(leads, path)
    _checked(_libc.umount2(b"/old", _DETACH), "leaving the host's root")
    os.rmdir("/old")
    _mount("none", "/", flags=_REMOUNT | _BIND | _RDONLY | _NOSUID | _NODEV)
    socket.sethostname("sandbox")


def _no_deeper() -> None:
    """Forbid nested user namespaces, in which the target would have rights again."""
    with open("/proc/sys/user/max_user_namespaces", "w", encoding="ascii") as file:
        file.write("0")


def _own_keys() -> None:
    """Use a separate session keyring, so that the user's cannot be read."""
    number = _KEYCTL.get(os.uname().machine)
    if number:
        _libc.syscall(ctypes.c_long(number), ctypes.c_int(1), None)


def _bind(path: str) -> None:
    source = f"/old{path}"
    if os.path.isdir(source):
        os.makedirs(path, exist_ok=True)
    else:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o644))
    _mount(source, path, flags=_BIND | _REC)
    _read_only(path)


def _devices() -> None:
    os.makedirs("/dev", exist_ok=True)
    for name in _DEVICES:
        os.close(os.open(f"/dev/{name}", os.O_CREAT | os.O_WRONLY, 0o666))
        _mount(f"/old/dev/{name}", f"/dev/{name}", flags=_BIND)


def _processes() -> None:
    """Mount a `/proc` with the sandbox's own processes only; none if the system does not allow mounting it."""
    os.makedirs("/proc", exist_ok=True)
    try:
        _mount("proc", "/proc", "proc", _NOSUID | _NODEV | _NOEXEC | _RDONLY, "subset=pid,hidepid=invisible")
    except Refused:
        return


def _space(path: str, size: int, many: bool) -> None:
    owner = f",uid={_TARGET},gid={_TARGET}" if many else ""
    os.makedirs(path, exist_ok=True)
    marks = path == "/marks"
    mode = "333" if marks else "755"  # marks can be created but not listed
    data = f"size={size}m,nr_inodes={1_000 if marks else 100_000},mode={mode}" + ("" if marks else owner)
    _mount("tmpfs", path, "tmpfs", _NOSUID | _NODEV | (_NOEXEC if marks else 0), data)


def _canaries(plan: dict[str, Any]) -> None:
    """Create files that can be read by name, but not listed or changed."""
    os.mkdir("/canaries", 0o755)
    _mount("tmpfs", "/canaries", "tmpfs", _NOSUID | _NODEV | _NOEXEC, "size=4m,nr_inodes=1k,mode=111")
    for name, content in plan["canaries"]:
        with open(f"/canaries/{name}", "x", encoding="utf-8") as file:
            file.write(content)
    _read_only("/canaries")


def _hand_over(control: socket.socket) -> None:
    """Bring up the loopback with a listener, and pass the engine the descriptors that it observes."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        flags = struct.pack("16sH14x", b"lo", 1 | 64)  # up and running
        fcntl.ioctl(any_socket, 0x8914, flags)
    listener = socket.create_server(("127.0.0.1", 0), backlog=64)
    marks = os.open("/marks", os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    socket.send_fds(control, [b"+"], [listener.fileno(), marks])
    listener.close()
    os.close(marks)


def _unbound() -> None:
    """Drop the capability bounding set: programs started from now on cannot have capabilities."""
    for each in range(64):
        _libc.prctl(_CAPBSET_DROP, each, 0, 0, 0)
    _libc.prctl(_SET_SECUREBITS, _NOROOT_LOCKED, 0, 0, 0)


def _powerless() -> None:
    """Drop all capabilities, and every way to regain them."""
    header, none = struct.pack("Ii", 0x20080522, 0), bytes(24)
    _checked(_libc.capset(header, none), "dropping all capabilities")
    _checked(_libc.prctl(_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "disabling new privileges")


def _target(control: socket.socket, plan: dict[str, Any]) -> NoReturn:
    """Unpack the copy and execute the program, unprivileged and within limits. Descriptors: 0 questions, 3 answers."""
    try:
        _end_with_parent_and_session()
        _unbound()
        if plan["many"]:
            os.setresgid(_TARGET, _TARGET, _TARGET)
            os.setresuid(_TARGET, _TARGET, _TARGET)
        _powerless()
        _unpack(plan["copy"])
        os.chdir("/target")
        _confine(plan)
        for kind, value in plan["limits"]:
            resource.setrlimit(kind, (value, value))
        nothing = os.open("/dev/null", os.O_RDWR)
        asks, answers = os.dup(plan["asks"]), os.dup(plan["answers"])
        for number, descriptor in ((0, asks), (1, nothing), (2, nothing), (3, answers)):
            os.dup2(descriptor, number)
            os.set_inheritable(number, True)
        control.close()
        os.closerange(4, 4_096)
        os.execve(plan["command"][0], plan["command"], plan["environment"])  # noqa: S606
    except BaseException as error:
        os.write(3, json.dumps({"failed": f"starting: {error}"}).encode() + b"\n")
        os._exit(1)


def _end_with_parent_and_session() -> None:
    os.setsid()
    _libc.prctl(_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def _unpack(descriptor: int) -> None:
    """Unpack the engine's archive of regular files and folders; here they cannot reach anything else."""
    with os.fdopen(descriptor, "rb") as stream, tarfile.open(fileobj=io.BufferedReader(stream), mode="r|") as packed:
        for each in packed:
            place = f"/target/{each.name}"
            content = packed.extractfile(each)
            if content is None:
                os.makedirs(place, exist_ok=True)
                continue
            os.makedirs(os.path.dirname(place), exist_ok=True)
            with open(place, "wb") as file:
                shutil.copyfileobj(content, file)
            if each.mode & 0o100:
                os.chmod(place, 0o700)


def _confine(plan: dict[str, Any]) -> None:
    """Add Landlock, if the kernel supports it."""
    if not landlock.abi():
        return
    rules = [landlock.Rule(Path(path), execute=True) for path in (*plan["readable"], "/proc", "/canaries")]
    rules += [landlock.Rule(Path(path), write=True, execute=path != "/marks") for path in _SPACES]
    rules += [landlock.Rule(Path(f"/dev/{name}"), write=True) for name in _DEVICES]
    landlock.confine_thread(rules, online=True)


if __name__ == "__main__":
    sys.exit(main())

"""Targets that fight their demonstration (X24): nothing outside the sandbox is written, started, read or reached."""

import contextlib
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import counterproof
from counterproof.demonstration.oracles import is_answered, look_for
from counterproof.demonstration.sandbox.running import Sandbox, Silent, started
from counterproof.demonstration.templates import Effect, Filling
from demonstration.here import call, needs_sandbox, plan_for

pytestmark = pytest.mark.rule("X24")


@pytest.fixture(autouse=True)
def _sandbox() -> None:
    needs_sandbox()


@contextlib.contextmanager
def running(folder: Path, code: str, **changes: int) -> Iterator[Sandbox]:
    """A target with this code in `target.py`."""
    target = folder / "code"
    target.mkdir(exist_ok=True)
    (target / "target.py").write_text(code)
    with started(plan_for(target, **changes)) as sandbox:
        yield sandbox


def answer(sandbox: Sandbox, *arguments: object) -> str:
    said, _ = sandbox.ask(call("attack", *arguments), 20)
    return str(said.get("body", said or ""))


def alive(word: str) -> list[str]:
    """Processes of this machine whose command line holds the word."""
    found: list[str] = []
    for each in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            if each.name.isdigit() and word.encode() in (each / "cmdline").read_bytes():
                found.append(each.name)
    return found


def gone(word: str) -> bool:
    until = time.monotonic() + 10
    while alive(word) and time.monotonic() < until:
        time.sleep(0.05)
    return not alive(word)


def test_a_fork_bomb_is_bounded_and_ends_with_the_sandbox(tmp_path: Path) -> None:
    code = """
import os, subprocess, sys, time
def attack(word):
    made = 0
    while True:
        try:
            subprocess.Popen(["sleep", word])
            made += 1
        except OSError:
            return str(made)
"""
    word = f"600.{os.getpid()}"
    with running(tmp_path, code) as sandbox:
        assert 0 < int(answer(sandbox, word)) <= 128
        assert alive(word)
    assert gone(word)


def test_a_child_that_leaves_its_session_does_not_outlive_the_sandbox(tmp_path: Path) -> None:
    code = """
import subprocess, sys
def attack(word):
    subprocess.Popen([sys.executable, "-c", "import os, time; os.fork() and os._exit(0); os.setsid(); time.sleep(600)", word],
                     start_new_session=True)
    return "started"
"""
    word = f"survivor-{os.getpid()}"
    with running(tmp_path, code) as sandbox:
        assert answer(sandbox, word) == "started"
        time.sleep(0.3)
        assert alive(word)
    assert gone(word)


def test_signals_reach_no_process_of_the_machine(tmp_path: Path) -> None:
    code = """
import os, signal
def attack(pid):
    said = []
    for each in (pid, -pid, -1, 1):
        try:
            os.kill(each, signal.SIGKILL if each != -1 else signal.SIGTERM)
            said.append("sent")
        except OSError as error:
            said.append(type(error).__name__)
    return " ".join(said)
"""
    with subprocess.Popen((sys.executable, "-c", "import time; time.sleep(600)")) as sleeper:
        try:
            with running(tmp_path, code) as sandbox, contextlib.suppress(Silent):
                answer(sandbox, sleeper.pid)
            time.sleep(0.2)
            assert sleeper.poll() is None
        finally:
            sleeper.kill()


def test_links_of_the_target_lead_to_nothing_of_the_machine(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("a secret of this machine")
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "link").symlink_to(secret)
    (tmp_path / "code" / "folder").symlink_to(tmp_path)
    code = """
import os
def attack(path):
    said = []
    os.symlink(path, "/tmp/made")
    for each in ("link", "folder/secret.txt", path, "/tmp/made", "/proc/self/root" + path, "/target/../" + path):
        try:
            said.append(open(each).read())
        except OSError as error:
            said.append(type(error).__name__)
    return " ".join(said)
"""
    with running(tmp_path, code) as sandbox:
        assert "a secret of this machine" not in answer(sandbox, str(secret))


def test_nothing_of_the_machine_is_written(tmp_path: Path) -> None:
    mine = tmp_path / "mine.txt"
    mine.write_text("as it was")
    code = """
import os, sys
def attack(paths):
    said = []
    for each in paths:
        try:
            with open(each, "a") as file:
                file.write("changed")
            said.append("wrote " + each)
        except OSError:
            pass
    return " ".join(said)
"""
    places = [str(mine), "/usr/bin/env", "/etc/passwd", sys.prefix + "/pyvenv.cfg", os.__file__, "/new", "/canaries/new"]
    before = Path(os.__file__).read_bytes()
    with running(tmp_path, code) as sandbox:
        assert answer(sandbox, places) == ""
    assert mine.read_text() == "as it was"
    assert Path(os.__file__).read_bytes() == before
    assert (tmp_path / "code" / "target.py").read_text() == code


def test_no_socket_of_the_machine_is_reached(tmp_path: Path) -> None:
    code = """
import socket
def attack(port, name, path):
    said = []
    for family, place in ((socket.AF_INET, ("127.0.0.1", port)), (socket.AF_UNIX, "\\0" + name), (socket.AF_UNIX, path),
                          (socket.AF_INET, ("192.0.2.1", 80))):
        with socket.socket(family) as own:
            own.settimeout(2)
            try:
                own.connect(place)
                said.append("reached")
            except OSError:
                said.append("no")
    return " ".join(said)
"""
    name = f"counterproof-test-{os.getpid()}"
    with contextlib.ExitStack() as stack:
        tcp = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        abstract, named = (stack.enter_context(socket.socket(socket.AF_UNIX)) for _ in range(2))
        abstract.bind("\0" + name)
        named.bind(str(tmp_path / "socket"))
        for each in (abstract, named):
            each.listen()
        sandbox = stack.enter_context(running(tmp_path, code))
        assert answer(sandbox, tcp.getsockname()[1], name, str(tmp_path / "socket")) == "no no no no"


def test_proc_shows_its_own_processes_alone(tmp_path: Path) -> None:
    code = """
import os
def attack():
    seen = [each for each in os.listdir("/proc") if each.isdigit()]
    said = []
    places = ("1/environ", "1/root/etc/passwd", "sys/kernel/hostname", "kcore", "sysrq-trigger")
    for place in ("/proc/" + each for each in places):
        try:
            said.append(place + open(place, "rb").read(1).decode("latin-1"))
        except OSError:
            pass
    return f"{len(seen) <= 2} {said}"
"""
    with running(tmp_path, code) as sandbox:
        assert answer(sandbox) == "True []"


def test_it_has_no_right_and_gets_none(tmp_path: Path) -> None:
    code = """
import ctypes, os, socket, time
libc = ctypes.CDLL(None, use_errno=True)
def attack():
    got = {
        "user namespace": libc.unshare(0x10000000), "mount namespace": libc.unshare(0x00020000),
        "mount": libc.mount(b"none", b"/tmp", b"tmpfs", 0, None), "umount": libc.umount2(b"/canaries", 2),
        "chroot": libc.chroot(b"/tmp"), "setuid": libc.setuid(0), "hostname": libc.sethostname(b"x", 1),
        "ptrace": libc.ptrace(16, 1, 0, 0),
    }
    try:
        time.clock_settime(time.CLOCK_REALTIME, 0)
        got["clock"] = 0
    except OSError:
        pass
    try:
        socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
        got["raw socket"] = 0
    except OSError:
        pass
    return " ".join(name for name, result in got.items() if result == 0)
"""
    with running(tmp_path, code) as sandbox:
        assert answer(sandbox) in ("", "setuid") if os.geteuid() else answer(sandbox) == ""


def test_the_clock_of_the_engine_cannot_be_held_up(tmp_path: Path) -> None:
    code = """
import time
def attack():
    time.sleep(600)
"""
    with running(tmp_path, code) as sandbox:
        begun = time.monotonic()
        with pytest.raises(Silent, match="time"):
            sandbox.ask(call("attack"), 1)
        assert time.monotonic() - begun < 30


def test_it_cannot_list_or_guess_marks_and_canaries(tmp_path: Path) -> None:
    code = """
import os
def attack():
    said = []
    for folder in ("/marks", "/canaries"):
        try:
            said += os.listdir(folder)
        except OSError:
            pass
        try:
            os.chmod(folder, 0o777)
            said += os.listdir(folder)
        except OSError:
            pass
    for number in range(500):
        try:
            open(f"/marks/{number:016x}", "w").close()
        except OSError:
            pass
    return " ".join(said)
"""
    with running(tmp_path, code) as sandbox:
        listed = answer(sandbox)
        name, content = sandbox.take_canary()
        assert name.rpartition("/")[2] not in listed
        assert content not in listed
        assert not sandbox.is_marked("f" * 16)


def test_a_link_among_the_marks_is_not_followed(tmp_path: Path) -> None:
    mine = tmp_path / "mine.txt"
    code = """
import os
def attack(name, path):
    os.symlink(path, "/marks/" + name)
    return "made"
"""
    with running(tmp_path, code) as sandbox:
        assert answer(sandbox, "abc", str(mine)) == "made"
        with pytest.raises(Silent, match="filled the disk"):
            sandbox.keep("abc")
    assert not mine.exists()


def test_it_can_fill_no_disk(tmp_path: Path) -> None:
    code = """
def attack():
    written = 0
    for folder in ("/target", "/tmp", "/marks"):
        try:
            for number in range(100):
                with open(f"{folder}/{number}.bin", "wb") as file:
                    for _ in range(16):
                        written += file.write(bytes(1 << 20))
        except OSError as error:
            pass
    return str(written >> 20)
"""
    with running(tmp_path, code) as sandbox:
        said, _ = sandbox.ask(call("attack"), 60)
        assert int(str(said["body"])) < 640
    assert sorted(each.name for each in (tmp_path / "code").iterdir()) == ["target.py"]


def test_memory_of_all_its_processes_together_is_bounded(tmp_path: Path) -> None:
    code = """
import os, time
def attack():
    for _ in range(20):
        if not os.fork():
            held = bytearray(100 << 20)
            held[::4096] = b"x" * len(held[::4096])
            time.sleep(600)
    time.sleep(600)
"""
    with running(tmp_path, code, memory=300 << 20) as sandbox, pytest.raises(Silent, match="ended"):
        sandbox.ask(call("attack"), 60)


def test_an_endless_answer_is_cut(tmp_path: Path) -> None:
    code = """
import os
def attack():
    for descriptor in range(3, 10):
        try:
            while True:
                os.write(descriptor, b"x" * 65536)
        except OSError:
            pass
"""
    with running(tmp_path, code) as sandbox, pytest.raises(Silent, match="too much"):
        sandbox.ask(call("attack"), 30)


def test_connections_that_say_nothing_hold_nobody_up(tmp_path: Path) -> None:
    code = """
import socket, time
held = []
def attack(port):
    for _ in range(60):
        held.append(socket.create_connection(("127.0.0.1", port), 5))
    time.sleep(600)
"""
    with running(tmp_path, code) as sandbox:
        begun = time.monotonic()
        with pytest.raises(Silent):
            sandbox.ask(call("attack", sandbox.port), 2)
        assert not sandbox.heard("token")
        assert time.monotonic() - begun < 60


def test_environment_and_descriptors_of_the_engine_are_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = """
import os
def attack():
    open_ones = [each for each in range(256) if _is_open(each)]
    return f"{dict(os.environ)} {open_ones}"
def _is_open(number):
    try:
        return bool(os.fstat(number))
    except OSError:
        return False
"""
    monkeypatch.setenv("A_KEY", "a-secret-key")
    with running(tmp_path, code) as sandbox:
        said = answer(sandbox)
    assert "a-secret-key" not in said
    assert len(eval(said.partition("} ")[2])) < 8


def test_where_no_namespaces_can_be_had_the_command_refuses_and_says_why(tmp_path: Path) -> None:
    """Inside a sandbox: no namespaces can be made there."""
    code = """
import subprocess, sys
def attack(program, *path):
    sys.path[:0] = path
    import counterproof.demonstration.sandbox.level as level
    try:
        return "built: " + level.level()
    except level.NoSandbox as refused:
        return f"refused: {refused}"
"""
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "target.py").write_text(code)
    packages = [each for each in sys.path if each.endswith("site-packages")]
    source = str(Path(counterproof.__file__).parents[1])
    plan = plan_for(tmp_path / "code")
    inner = Path(sys.executable), *map(Path, packages), Path(source), Path(sys.prefix), Path(sys.base_prefix)
    command = (sys.executable, *plan.command[1:])
    with started(replace(plan, command=command, readable=inner)) as sandbox:
        assert answer(sandbox, "", source, *packages).startswith("refused: user namespaces are")


def test_an_answer_that_the_target_made_up_shows_nothing_and_breaks_nothing(tmp_path: Path) -> None:
    code = """
import os
def attack():
    headers = b'[5, ["a"], {"b": 1}, ["location", 7]]'
    lie = b'{"status": "200", "headers": ' + headers + b', "body": {"near": 1}, "error": ["x"], "found": 3}\\n'
    for descriptor in range(3, 10):
        try:
            os.write(descriptor, lie)
        except OSError:
            pass
"""
    with running(tmp_path, code) as sandbox:
        lie, _ = sandbox.ask(call("attack"), 20)
        assert "near" in str(lie)
        for effect in Effect:
            if effect not in (Effect.TRUTH, Effect.SLOW, Effect.OPEN, Effect.OTHERS):
                assert not look_for(effect, sandbox, Filling.new(sandbox))(lie), effect
        assert not is_answered(lie)

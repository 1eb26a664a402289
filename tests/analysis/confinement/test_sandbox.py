"""Foreign programs run within their bounds, see nothing they were not given, and leave nothing behind."""

import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from counterproof.analysis.confinement import Bounds, Command, Cut, SandboxLevel, find_program, level, run
from counterproof.analysis.confinement.limits import shell_prefix
from counterproof.analysis.confinement.program import bundled_ripgrep
from counterproof.analysis.confinement.sandbox import Layer, can_confine

SHELL = Path("/bin/sh").resolve()
PYTHON = Path(sys.executable).resolve()
PYTHON_HOME = (Path(sys.base_prefix), Path(sys.prefix))

confined = pytest.mark.skipif(not can_confine(), reason="this kernel has no Landlock")


def sh(script: str, folder: Path, **changes: object) -> Command:
    return Command(SHELL, ("-c", script), folder, **changes)  # pyright: ignore[reportArgumentType]


def python(code: str, folder: Path, **changes: object) -> Command:
    readable = (*PYTHON_HOME, folder)
    return Command(PYTHON, ("-I", "-S", "-c", code), folder, readable=readable, **changes)  # pyright: ignore[reportArgumentType]


def test_the_environment_is_what_was_named_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("API_KEY", "do not pass on")
    command = python("import os; print(sorted(os.environ.items()))", tmp_path, environment=(("LC_ALL", "C"), ("A", "b")))
    assert run(command).output.decode().strip() == "[('A', 'b'), ('LC_ALL', 'C')]"


def test_input_is_fed_and_output_comes_back(tmp_path: Path) -> None:
    ended = run(sh("read one; read two; echo $two $one; echo oops >&2; exit 3", tmp_path), feed=[b"a\n", b"b\n"])
    assert (ended.code, ended.output, ended.errors, ended.cut) == (3, b"b a\n", b"oops\n", Cut.NONE)


def test_a_program_that_reads_nothing_holds_nobody_up(tmp_path: Path) -> None:
    ended = run(sh("exit 0", tmp_path), feed=(b"x" * 65_536 for _ in range(1_000)))
    assert (ended.code, ended.cut) == (0, Cut.NONE)


def test_time_is_bounded_and_the_whole_group_is_killed(tmp_path: Path) -> None:
    sleep = find_program("sleep")
    assert sleep
    script = f"{sleep} 31.25 & echo $!; {sleep} 31.25"
    started = time.monotonic()
    ended = run(sh(script, tmp_path, executable=(sleep,)), Bounds(seconds=0.5, processes=4_096))
    assert ended.cut is Cut.TIME
    assert time.monotonic() - started < 5
    child = int(ended.output)
    for _ in range(100):
        if not _alive(child):
            break
        time.sleep(0.02)
    assert not _alive(child)


def _alive(pid: int) -> bool:
    """True if it still runs; a zombie that init has not collected yet does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def test_output_is_bounded(tmp_path: Path) -> None:
    ended = run(sh("while :; do echo yyyyyyyyyyyyyyyyyyyy; done", tmp_path), Bounds(output_bytes=5_000))
    assert ended.cut is Cut.OUTPUT
    assert len(ended.output) == 5_000


def test_errors_are_bounded_without_stopping_the_program(tmp_path: Path) -> None:
    code = "import sys\nfor _ in range(3000): sys.stderr.write('e' * 1000)\nprint('done')"
    ended = run(python(code, tmp_path))
    assert (ended.cut, ended.output.strip()) == (Cut.NONE, b"done")
    assert len(ended.errors) < 20_000


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory is only bounded on Linux")
def test_memory_is_bounded(tmp_path: Path) -> None:
    code = "import sys\nsys.stdin.read()\nbytearray(900 << 20)"
    ended = run(python(code, tmp_path), Bounds(memory_bytes=512 << 20))
    assert ended.code != 0
    assert b"MemoryError" in ended.errors


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits are imposed from outside on Linux only")
def test_no_file_can_be_written_even_where_writing_is_allowed(tmp_path: Path) -> None:
    code = "import os, sys\nsys.stdin.read()\nos.write(os.open('made', os.O_CREAT | os.O_WRONLY), b'x' * 10)"
    assert run(python(code, tmp_path, writable=(tmp_path,))).code != 0
    assert (tmp_path / "made").read_bytes() == b""
    assert run(python(code, tmp_path, writable=(tmp_path,)), Bounds(file_bytes=100)).code == 0
    assert (tmp_path / "made").read_bytes() == b"x" * 10


@confined
def test_only_named_paths_can_be_read(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a").write_text("inside")
    (tmp_path / "secret").write_text("outside")
    (tmp_path / "in" / "link").symlink_to(tmp_path / "secret")
    names = ("a", "../secret", "link", "/etc/passwd")
    code = f"for name in {names}:\n try: print(open(name).read())\n except OSError as e: print(e.errno)"
    assert run(python(code, tmp_path / "in")).output.decode().split() == ["inside", "13", "13", "13"]


@confined
def test_nothing_else_can_be_executed(tmp_path: Path) -> None:
    hook = tmp_path / "hook"
    hook.write_text(f"#!{SHELL}\n: > canary\n")
    hook.chmod(0o755)
    ended = run(
        sh("./hook; /bin/ls", tmp_path, readable=(tmp_path,), writable=(tmp_path,)), Bounds(file_bytes=100, processes=4_096)
    )
    assert ended.code == 126
    assert not (tmp_path / "canary").exists()


@confined
def test_there_is_no_network(tmp_path: Path) -> None:
    if Layer.NETWORK not in level().active:
        pytest.skip("this kernel's Landlock does not cover the network")
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        connect = f"socket.create_connection(('127.0.0.1', {port}), 2)"
        code = f"import socket\ntry: {connect}\nexcept OSError as e: print(type(e).__name__)"
        ended = run(python(code, tmp_path))
        assert ended.output.strip() == b"PermissionError"


@confined
def test_the_program_itself_stays_free(tmp_path: Path) -> None:
    run(sh("exit 0", tmp_path))
    (tmp_path / "still").write_text("writable")
    assert Path("/etc/passwd").read_bytes()
    assert subprocess.run([str(SHELL), "-c", "/bin/ls /"], capture_output=True, check=False).returncode == 0


def test_the_level_says_what_holds_and_what_is_missing() -> None:
    found = level()
    assert set(found.active) | set(found.missing) == set(Layer)
    assert Layer.ENVIRONMENT in found.active
    assert (Layer.LANDLOCK in found.active) is can_confine()
    weaker = SandboxLevel((Layer.ENVIRONMENT,), (Layer.LANDLOCK,))
    assert str(weaker) == "empty environment; not available here: only named paths readable (Landlock)"


def test_a_missing_program_is_an_error_of_ours(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="not-there"):
        run(Command(tmp_path / "not-there", (), tmp_path))


def test_the_portable_limits_pass_arguments_untouched(tmp_path: Path) -> None:
    """What macOS uses; a shell runs it here just as well."""
    argument = '$(: > made); `: > made` "; : > made'
    ran = subprocess.run((*shell_prefix(Bounds()), "printf", "%s", argument), cwd=tmp_path, capture_output=True, check=True)
    assert ran.stdout.decode() == argument
    assert not (tmp_path / "made").exists()


def test_programs_are_never_found_in_the_target_or_relative_to_us(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target, elsewhere = tmp_path / "target", tmp_path / "bin"
    for folder in (target / "bin", elsewhere):
        folder.mkdir(parents=True)
        (folder / "tool-of-the-test").write_text("#!/bin/sh\n")
        (folder / "tool-of-the-test").chmod(0o755)
    monkeypatch.chdir(target / "bin")
    monkeypatch.setenv("PATH", os.pathsep.join((".", "", "bin", str(target / "bin"))))
    assert find_program("tool-of-the-test", target) is None
    monkeypatch.setenv("PATH", os.pathsep.join((str(target / "bin"), str(elsewhere))))
    assert find_program("tool-of-the-test", target) == elsewhere / "tool-of-the-test"


def test_the_bundled_ripgrep_is_there() -> None:
    found = bundled_ripgrep()
    assert found
    assert found.name == "rg"

"""X13: links out, swapped files, pipes, devices and /proc are never read, searched or waited for."""

import os
import stat
import threading
import time
from pathlib import Path

import pytest

from counterproof.analysis.source.confined import NotRegular, opened_directory, opened_file, opened_root
from counterproof.model.contract import Limits
from counterproof.model.survey import SkipReason
from counterproof.toolbox.bench import Bench
from counterproof.toolbox.refusal import ToolRefused
from counterproof.toolbox.tools import Tools
from toolbox.tooling import a_project, a_task, a_tree, tools_on

SECRET = "outside-the-tree-7f3a"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A tree next to a secret, with every kind of irregular file."""
    (tmp_path / "secret.py").write_text(f"{SECRET} = 1\n")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "inner.py").write_text(f"{SECRET} = 2\n")
    root = a_tree(tmp_path)
    (root / "link.py").symlink_to(tmp_path / "secret.py")
    (root / "relative.py").symlink_to("../secret.py")
    (root / "linked").symlink_to(tmp_path / "folder")
    (root / "environ.py").symlink_to("/proc/self/environ")
    (root / "zero.py").symlink_to("/dev/zero")
    (root / "loop.py").symlink_to("loop.py")
    os.mkfifo(root / "pipe.py")
    return root


STRANGERS = ("link.py", "relative.py", "linked/inner.py", "environ.py", "zero.py", "loop.py", "pipe.py")


@pytest.mark.rule("X13")
def test_the_survey_lists_them_as_left_out_and_opens_none(root: Path) -> None:
    project = a_project(root)
    left_out = {each.path: each.reason for each in project.survey.skipped}
    assert left_out["pipe.py"] is SkipReason.SPECIAL
    assert {left_out[name] for name in ("link.py", "relative.py", "linked", "environ.py", "zero.py", "loop.py")} == {
        SkipReason.SYMLINK
    }
    assert not set(STRANGERS) & set(project.files)


@pytest.mark.rule("X13")
@pytest.mark.parametrize(
    "path", [*STRANGERS, "../secret.py", "/proc/self/environ", "/dev/zero", "lib/../../secret.py", ".git/config"]
)
def test_no_tool_reaches_them(root: Path, path: str) -> None:
    tools = tools_on(root)
    started = time.monotonic()
    with pytest.raises(ToolRefused, match="not part of the reviewed code"):
        tools.read(path, 1, 10)
    with pytest.raises(ToolRefused, match="not part of the reviewed code"):
        tools.trace(path, 1)
    with pytest.raises(ToolRefused):
        tools.git_log(path)
    assert path not in tools.glob("**").paths
    assert time.monotonic() - started < 5


@pytest.mark.rule("X13")
def test_a_search_sees_only_surveyed_text(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CANARY", SECRET)
    tools = tools_on(root)
    found = tools.grep(f"{SECRET}|CANARY|def ")
    assert found.files == ("app.py", "lib/db.py", "lib/views.py")
    assert SECRET not in str(found)


@pytest.mark.rule("X13")
def test_devices_are_left_out(tmp_path: Path) -> None:
    root = a_tree(tmp_path)
    try:
        os.mknod(root / "device.py", stat.S_IFCHR | 0o666, os.makedev(1, 5))
    except PermissionError:
        pytest.skip("only root can make a device")
    survey = a_project(root).survey
    assert [each.reason for each in survey.skipped if each.path == "device.py"] == [SkipReason.SPECIAL]
    with opened_root(root) as top, pytest.raises(NotRegular), opened_file(top, "device.py"):
        pass


@pytest.mark.rule("X13")
@pytest.mark.parametrize("name", ["link.py", "environ.py", "zero.py", "loop.py"])
def test_opening_never_follows_a_link(root: Path, name: str) -> None:
    with opened_root(root) as top, pytest.raises(OSError, match="symbolic"), opened_file(top, name):
        pass


@pytest.mark.rule("X13")
def test_opening_a_folder_never_follows_a_link(root: Path) -> None:
    with opened_root(root) as top, pytest.raises(OSError, match=r"Not a directory|symbolic"), opened_directory(top, "linked"):
        pass


@pytest.mark.rule("X13")
@pytest.mark.parametrize("swap", ["link", "same size", "pipe", "folder", "gone", "parent"])
def test_what_was_swapped_after_the_survey_is_refused(root: Path, tmp_path: Path, swap: str) -> None:
    project = a_project(root)
    victim = root / "lib" / "db.py"
    if swap == "parent":
        (root / "lib").rename(tmp_path / "kept")
        (tmp_path / "folder" / "db.py").write_text(SECRET)
        (root / "lib").symlink_to(tmp_path / "folder")
    else:
        size = victim.stat().st_size
        victim.unlink()
        if swap == "link":
            victim.symlink_to(tmp_path / "secret.py")
        elif swap == "same size":
            victim.write_text((f"{SECRET}\n" * 10)[:size])
        elif swap == "pipe":
            os.mkfifo(victim)
        elif swap == "folder":
            victim.mkdir()
    tools = Tools(Bench(project), a_task())
    with pytest.raises(ToolRefused, match="changed since the survey"):
        tools.read("lib/db.py", 1, 2)
    found = tools.grep(f"{SECRET}|execute")
    assert "lib/db.py" in found.unsearched
    assert (found.hits, found.counted) == (0, False)


@pytest.mark.rule("X13")
def test_a_race_between_file_and_link_never_shows_the_other_side(root: Path, tmp_path: Path) -> None:
    tools = Tools(Bench(a_project(root)), a_task(limits=Limits(25, 2_000)))
    victim, good, bad = root / "app.py", tmp_path / "good", tmp_path / "bad"
    content = victim.read_text()
    stop = threading.Event()

    def swap() -> None:
        while not stop.is_set():
            bad.unlink(missing_ok=True)
            bad.symlink_to(tmp_path / "secret.py")
            bad.replace(victim)
            good.write_text(content)
            good.replace(victim)

    swapper = threading.Thread(target=swap)
    swapper.start()
    seen = {"shown": 0, "refused": 0}
    try:
        for _ in range(500):
            try:
                assert SECRET not in str(tools.read("app.py", 1, 10))
                seen["shown"] += 1
            except ToolRefused:
                seen["refused"] += 1
    finally:
        stop.set()
        swapper.join()
    assert seen["shown"] + seen["refused"] == 500

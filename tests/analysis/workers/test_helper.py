"""The helper process: the same results as without it, whatever happens to it, and nothing of it left behind."""

import os
import pickle
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from counterproof.analysis import families
from counterproof.analysis.project import OutOfTime, Project, never_out_of_time
from counterproof.analysis.source.survey import SurveyOptions, survey
from counterproof.analysis.workers import Helper, helper_for
from counterproof.analysis.workers.helper import idle, others_at_work
from counterproof.analysis.workers.wire import packed, received, unpacked
from counterproof.model.dimension import Dimension
from counterproof.model.survey import FileRole, Language

SHOP = Path(__file__).parents[3] / "examples" / "shop"
FAMILIES = tuple(families.APART)


def _shop() -> Project:
    return Project(SHOP, survey(SHOP, SurveyOptions()))


def _helped() -> tuple[Project, Helper]:
    project = _shop()
    helper = project.helper = Helper(project, FAMILIES)
    return project, helper


def _is_gone(pid: int, seconds: float = 30.0) -> bool:
    """Whether a process that is not our child ends within a bound."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return True
        if state == "Z":
            return True
        time.sleep(0.05)
    return False


def test_a_helper_brings_what_this_process_would_find() -> None:
    _, helper = _helped()
    brought = {name: helper.result(name, never_out_of_time) for name in FAMILIES}
    assert brought == {name: examine(_shop()) for name, examine in families.APART.items()}
    assert all(each is not None and each.items for each in brought.values())
    assert helper.result(FAMILIES[0], never_out_of_time) is None


def test_a_helper_that_was_killed_changes_nothing() -> None:
    alone = families.examine(_shop(), (), tuple(Dimension), Language.PYTHON)
    project, helper = _helped()
    os.kill(helper.pid, signal.SIGKILL)
    assert families.examine(project, (), tuple(Dimension), Language.PYTHON) == alone


def test_a_helper_hands_in_when_time_is_over() -> None:
    def over() -> None:
        raise OutOfTime("the time limit was reached")

    _, helper = _helped()
    brought = helper.result(FAMILIES[0], over)
    helper.stop()
    assert brought is None or brought.limitations or brought == families.APART[FAMILIES[0]](_shop())


def test_a_stopped_helper_is_gone() -> None:
    _, helper = _helped()
    helper.stop()
    assert not Path(f"/proc/{helper.pid}").exists()


def test_a_helper_does_not_outlive_a_killed_parent() -> None:
    script = (
        "import sys, time; from pathlib import Path\n"
        "from counterproof.analysis.project import Project\n"
        "from counterproof.analysis.source.survey import SurveyOptions, survey\n"
        "from counterproof.analysis.workers import Helper\n"
        "root = Path(sys.argv[1]); helper = Helper(Project(root, survey(root, SurveyOptions())), ('checks', 'secrets'))\n"
        "print(helper.pid, flush=True); time.sleep(60)\n"
    )
    parent = subprocess.Popen([sys.executable, "-P", "-c", script, str(SHOP)], stdout=subprocess.PIPE, text=True)
    with parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        parent.kill()
    assert _is_gone(pid)


def test_a_helper_knows_no_secret_of_the_user_and_imports_nothing_from_the_target(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("pickle.py", "select.py", "counterproof.py", "sitecustomize.py"):
        (tmp_path / name).write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SOME_API_KEY", "value-that-must-not-leave")
    _, helper = _helped()
    environment = Path(f"/proc/{helper.pid}/environ").read_bytes()
    assert helper.result(FAMILIES[0], never_out_of_time) is not None
    helper.stop()
    assert b"value-that-must-not-leave" not in environment
    assert not (tmp_path / "ran").exists()


def test_only_nouns_of_the_package_are_unpickled() -> None:
    def read_from(message: bytes):
        rest = [message]

        def read(count: int) -> bytes:
            part, rest[0] = rest[0][:count], rest[0][count:]
            return part

        return read

    found = survey(SHOP, SurveyOptions())
    assert received(read_from(packed((SHOP, found, ("checks",))))) == (SHOP, found, ("checks",))
    for hostile in (os.kill, subprocess.Popen, pickle.loads, survey, Helper, Project):
        with pytest.raises(pickle.UnpicklingError):
            received(read_from(packed(hostile)))
    with pytest.raises(pickle.UnpicklingError):
        received(read_from((1 << 60).to_bytes(8, "big")))


def test_small_trees_and_single_processors_have_no_helper(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COUNTERPROOF_WORKERS", "8")
    assert helper_for(_shop(), FAMILIES) is None
    monkeypatch.setattr("counterproof.analysis.workers.helper.MIN_LINES", 10)
    monkeypatch.setenv("COUNTERPROOF_WORKERS", "1")
    assert helper_for(_shop(), FAMILIES) is None
    assert helper_for(_shop(), ()) is None
    monkeypatch.setenv("COUNTERPROOF_WORKERS", "2")
    helper = helper_for(_shop(), FAMILIES)
    assert helper is not None
    helper.stop()


def test_a_busy_machine_has_no_processor_for_a_helper() -> None:
    assert [idle(2, others) for others in (0, 1, 2, 19)] == [2, 1, 0, 0]
    assert idle(8, 5) == 3


def test_who_is_at_work_now_counts_and_not_who_was_a_minute_ago(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = tmp_path / "loadavg"
    monkeypatch.setattr(os, "getloadavg", lambda: (7.6, 0.0, 0.0))
    table.write_text("7.60 5.00 1.00 1/312 4711\n")
    assert others_at_work(table) == 0
    table.write_text("0.01 0.00 0.00 4/312 4711\n")
    assert others_at_work(table) == 3
    for unreadable in ("", "a b c d e", "1 2 3"):
        table.write_text(unreadable)
        assert others_at_work(table) == 8
    table.unlink()
    assert others_at_work(table) == 8


def test_members_of_enumerations_travel_by_value_whatever_python_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FileRole, "__reduce_ex__", lambda self, _: (getattr, (type(self), self.name)))
    assert unpacked(packed(FileRole.TEST)[8:]) is FileRole.TEST

"""X14: a hostile repository × every git command that we ship: nothing of theirs is ever executed."""

from collections.abc import Callable
from pathlib import Path

import pytest
from git_traps import TRAPS, Trap, laid

from counterproof.analysis.confinement import sandbox
from counterproof.analysis.confinement.program import find_program
from counterproof.analysis.git import History, HistoryError, NoHistory, open_history
from counterproof.analysis.project import Project
from counterproof.analysis.source.survey import survey
from counterproof.toolbox.bench import Bench
from counterproof.toolbox.refusal import ToolRefused
from counterproof.toolbox.tools import Tools
from toolbox.tooling import a_repository, a_task, a_tree, git

COMMANDS: dict[str, Callable[[History, str, str], object]] = {
    "head": lambda history, base, head: history.head(),
    "resolve": lambda history, base, head: [history.resolve(ref) for ref in ("main", "HEAD~1", "v1", "lg", head[:8])],
    "log": lambda history, base, head: history.log(),
    "log of a file": lambda history, base, head: history.log("app.py"),
    "show file": lambda history, base, head: history.show_file(base, "app.py"),
    "diff": lambda history, base, head: history.diff(base, head),
    "diff of a file": lambda history, base, head: history.diff(base, head, ("lib/db.py", "app.py")),
    "merge base": lambda history, base, head: history.merge_base(base, head),
}

NEEDS_THE_MISSING_BLOB = ("show file",)


@pytest.fixture(scope="module", params=TRAPS, ids=lambda trap: trap.name)
def trapped(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Trap, Path, Path]:
    trap: Trap = request.param
    return (trap, *laid(trap, tmp_path_factory.mktemp("trap")))


@pytest.fixture(params=[True, False], ids=["confined", "without Landlock"])
def confinement(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The mirror alone must be enough: the kernel's sandbox is a second wall, and not every system has it."""
    if request.param:
        if not sandbox.can_confine():
            pytest.skip("this kernel has no Landlock")
    else:
        monkeypatch.setattr(sandbox, "can_confine", lambda: False)


@pytest.mark.rule("X14")
@pytest.mark.usefixtures("confinement")
@pytest.mark.parametrize("command", COMMANDS)
def test_no_command_springs_a_trap(trapped: tuple[Trap, Path, Path], command: str) -> None:
    trap, root, canary = trapped
    head = git(root, "rev-parse", "main")
    base = git(root, "rev-parse", "main~1")
    canary.unlink(missing_ok=True)
    history = open_history(root)
    assert isinstance(history, History), history
    with history:
        if "promisor" in trap.name and command in NEEDS_THE_MISSING_BLOB:
            with pytest.raises(HistoryError):
                COMMANDS[command](history, base, head)
        else:
            assert COMMANDS[command](history, base, head)
    assert not canary.exists()


@pytest.mark.rule("X14")
@pytest.mark.usefixtures("confinement")
def test_the_survey_and_the_tools_spring_none_either(trapped: tuple[Trap, Path, Path]) -> None:
    _, root, canary = trapped
    canary.unlink(missing_ok=True)
    tools = Tools(Bench(Project(root, survey(root))), a_task())
    assert tools.git_log().commits
    assert tools.git_log("app.py").commits
    tools.grep("def")
    tools.glob("**/*.py")
    assert not canary.exists()


@pytest.mark.parametrize("trap", TRAPS, ids=lambda trap: trap.name)
def test_the_trap_is_live(trap: Trap, tmp_path: Path) -> None:
    """Careless git springs it; otherwise the tests above would prove nothing."""
    root, canary = laid(trap, tmp_path)
    trap.spring(root)
    assert canary.exists()


@pytest.mark.rule("X14")
@pytest.mark.usefixtures("confinement")
def test_names_that_look_like_options_stay_names(tmp_path: Path) -> None:
    canary = tmp_path / "sprung"
    path = f"--output={canary.name}"
    root = a_repository(
        a_tree(tmp_path, {"app.py": "x = 1\n", "--upload-pack=sh": "y = 1\n", path: "z = 1\n", "-O.py": "o = 1\n"})
    )
    head = git(root, "rev-parse", "HEAD")
    refs = root / ".git" / "refs" / "heads"
    for name in ("--help", "-h", f"--output={canary.name}", "--exec=touch x"):
        (refs / name).write_text(head + "\n")
    (root / "app.py").write_text("x = 2\n")
    git(root, "commit", "-q", "-a", "-m", f"--output={canary}")
    history = open_history(root)
    assert isinstance(history, History)
    with history:
        new = history.head()
        assert history.resolve("--help") == history.resolve("-h") == history.resolve(f"--output={canary.name}") == head
        assert history.show_file(head, path) == b"z = 1\n"
        assert len(history.log("--upload-pack=sh").commits) == 1
        assert len(history.log("-O.py").commits) == 1
        assert history.diff(head, new, (path, "-O.py")).text == ""
    assert not list(tmp_path.rglob(canary.name))


@pytest.mark.rule("X14")
def test_nothing_of_the_repository_reaches_the_mirror(trapped: tuple[Trap, Path, Path]) -> None:
    _, root, _ = trapped
    history = open_history(root)
    assert isinstance(history, History)
    with history:
        mirror = history._mirror.path
        files = sorted(str(each.relative_to(mirror)) for each in mirror.rglob("*") if each.is_file())
        assert files == ["HEAD", "config", "objects/info/alternates"]
        assert str(root) not in (mirror / "config").read_text()


@pytest.mark.rule("X14")
def test_a_buried_repository_is_no_history_of_ours(tmp_path: Path) -> None:
    root = a_tree(tmp_path)
    git(root / "lib", "init", "-q", "--bare", ".")
    assert isinstance(open_history(root), NoHistory)
    assert isinstance(open_history(root / "lib"), NoHistory)
    with pytest.raises(ToolRefused, match="no history"):
        Tools(Bench(Project(root, survey(root))), a_task()).git_log()


@pytest.mark.rule("X14")
@pytest.mark.usefixtures("confinement")
def test_a_git_in_the_target_is_never_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = a_repository(a_tree(tmp_path))
    canary = tmp_path / "sprung"
    for name in ("git", "rg"):
        (root / name).write_text(f"#!/bin/sh\n: > {canary}\n")
        (root / name).chmod(0o755)
    monkeypatch.chdir(root)
    monkeypatch.setenv("PATH", f".::{root}:/usr/bin:/bin")
    found = find_program("git", root)
    assert found
    assert not found.is_relative_to(root)
    tools = Tools(Bench(Project(root, survey(root))), a_task())
    assert tools.git_log().commits
    assert tools.grep("def").hits
    assert not canary.exists()

"""History through the clean mirror: right answers about honest repositories, clear refusals about the others."""

import subprocess
from pathlib import Path

import pytest

from counterproof.analysis.git import History, HistoryError, NoHistory, open_history
from counterproof.model.errors import InvalidValue
from toolbox.tooling import a_repository, a_tree, git


def opened(root: Path, *confirmed: Path) -> History:
    found = open_history(root, confirmed)
    assert isinstance(found, History), found
    return found


def refused(root: Path) -> str:
    found = open_history(root)
    assert isinstance(found, NoHistory)
    return found.reason


def commit(root: Path, message: str, files: dict[str, str]) -> str:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", message)
    return git(root, "rev-parse", "HEAD")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return a_repository(a_tree(tmp_path, {"a.py": "one = 1\n", "sub/b.py": "two = 2\n"}))


def test_names_of_commits(root: Path) -> None:
    first = git(root, "rev-parse", "HEAD")
    second = commit(root, "Second", {"a.py": "one = 2\n"})
    git(root, "tag", "-a", "v1", "-m", "a tag", first)
    git(root, "tag", "light", first)
    git(root, "branch", "topic/x", first)
    git(root, "update-ref", "refs/remotes/origin/main", first)
    with opened(root) as history:
        assert history.head() == second
        expected = {"HEAD": second, "main": second, "v1": first, "light": first, "topic/x": first, "origin/main": first}
        expected |= {
            "refs/tags/v1": first,
            "HEAD~1": first,
            "main^": first,
            second: second,
            second[:9]: second,
            first + "~0": first,
        }
        assert {name: history.resolve(name) for name in expected} == expected
        for name in (
            "nope",
            "",
            "HEAD~5",
            "HEAD^2",
            "0" * 40,
            "-h",
            "--all",
            "HEAD:a.py",
            "main..v1",
            ":/First",
            "@{-1}",
            "../x",
            "a\0b",
        ):
            assert history.resolve(name) == ""


def test_packed_refs(root: Path) -> None:
    head = git(root, "rev-parse", "HEAD")
    git(root, "tag", "-a", "v1", "-m", "a tag")
    git(root, "pack-refs", "--all", "--prune")
    git(root, "gc", "-q")
    with opened(root) as history:
        assert (history.head(), history.resolve("v1"), history.resolve("main")) == (head, head, head)


def test_log_diff_and_files(root: Path) -> None:
    first = git(root, "rev-parse", "HEAD")
    second = commit(root, "Change one, add three", {"a.py": "one = 2\n", "c.py": "three = 3\n"})
    with opened(root) as history:
        assert [each.subject for each in history.log().commits] == ["Change one, add three", "First version"]
        assert history.log("sub/b.py").commits[0].id == first
        assert history.log("sub/b.py").commits[0].author == "A. Nyone"
        assert (len(history.log(limit=1).commits), history.log(limit=1).more) == (1, True)
        assert "-one = 1\n+one = 2\n" in history.diff(first, second).text
        assert "a.py" not in history.diff(first, second, ("c.py",)).text
        assert history.show_file(first, "a.py") == b"one = 1\n"
        assert history.merge_base(first, second) == first


def test_attributes_cannot_hide_a_change(root: Path) -> None:
    first = git(root, "rev-parse", "HEAD")
    second = commit(root, "Hide", {".gitattributes": "*.py -diff binary\n", "a.py": "one = 'seen'\n"})
    with opened(root) as history:
        assert "+one = 'seen'" in history.diff(first, second).text


def test_paths_are_literal(root: Path) -> None:
    first = git(root, "rev-parse", "HEAD")
    second = commit(root, "Odd names", {"-x.py": "dash\n", ":(top)y.py": "magic\n", "*.py": "star\n"})
    with opened(root) as history:
        assert history.show_file(second, "-x.py") == b"dash\n"
        assert history.show_file(second, ":(top)y.py") == b"magic\n"
        assert history.diff(first, second, ("*.py",)).text.count("diff --git") == 1
        assert len(history.log("-x.py").commits) == 1


def test_names_that_no_report_could_show_have_a_form_that_leads_back(root: Path) -> None:
    second = commit(root, "Newline", {"a\nb.py": "x\n", "c.py": "y\n"})
    with opened(root) as history:
        assert history.show_file(second, "a\\x0Ab.py") == b"x\n"


def test_only_full_hashes_and_plain_paths_reach_git(root: Path) -> None:
    with opened(root) as history:
        head = history.head()
        for bad in ("HEAD", "--output=/x", head[:10], head + "\n", ""):
            with pytest.raises(InvalidValue):
                history.diff(bad, head)
            with pytest.raises(InvalidValue):
                history.show_file(bad, "a.py")
        for bad in ("/etc/passwd", "../x", "a\0b", ""):
            with pytest.raises(InvalidValue):
                history.show_file(head, bad)


def test_links_folders_and_missing_files_are_not_shown(root: Path) -> None:
    (root / "link").symlink_to("/etc/passwd")
    head = commit(root, "Link", {})
    with opened(root) as history:
        for path in ("link", "sub", "missing.py"):
            with pytest.raises(HistoryError, match="is not a file in that commit"):
                history.show_file(head, path)


def test_a_shallow_clone(root: Path, tmp_path: Path) -> None:
    commit(root, "Second", {"a.py": "one = 2\n"})
    commit(root, "Third", {"a.py": "one = 3\n"})
    git(tmp_path, "clone", "-q", "--depth", "2", f"file://{root}", "shallow")
    with opened(tmp_path / "shallow") as history:
        assert [each.subject for each in history.log().commits] == ["Third", "Second"]


def test_a_sha256_repository(tmp_path: Path) -> None:
    root = a_repository(a_tree(tmp_path), "--object-format=sha256")
    with opened(root) as history:
        assert len(history.head()) == 64
        assert history.log().commits[0].id == history.head()


def test_a_linked_work_tree_is_read_because_its_repository_names_it(root: Path, tmp_path: Path) -> None:
    git(root, "worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    with opened(tmp_path / "side") as history:
        assert history.head() == git(root, "rev-parse", "side")


def test_a_git_file_needs_confirmation_where_the_repository_does_not_answer(root: Path, tmp_path: Path) -> None:
    git(root, "worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    (tmp_path / "thief").mkdir()
    (tmp_path / "thief" / ".git").write_text((tmp_path / "side" / ".git").read_text())
    assert "outside the tree" in refused(tmp_path / "thief")
    with opened(tmp_path / "thief", root / ".git") as history:
        assert history.head() == git(root, "rev-parse", "side")
    (tmp_path / "thief" / ".git").write_text(f"gitdir: {root}/.git\n")
    assert "outside the tree" in refused(tmp_path / "thief")


@pytest.mark.parametrize(
    ("file", "text"), [("gitdir", "/elsewhere/.git\n"), ("gitdir", "\0"), ("commondir", "/etc\n"), ("commondir", "..\n")]
)
def test_a_work_trees_entry_must_be_whole(root: Path, tmp_path: Path, file: str, text: str) -> None:
    git(root, "worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    (root / ".git" / "worktrees" / "side" / file).write_text(text)
    assert "outside the tree" in refused(tmp_path / "side")


def test_a_git_directory_elsewhere_in_the_tree(root: Path) -> None:
    head = git(root, "rev-parse", "HEAD")
    (root / ".git").rename(root / "data")
    (root / ".git").write_text("gitdir: data\n")
    with opened(root) as history:
        assert history.head() == head


def test_object_store_with_alternates_is_rejected(root: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--shared", str(root), "borrower")
    assert "uses objects of another repository" in refused(tmp_path / "borrower")


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        ("rm -rf .git", "there is no git repository"),
        ("mv .git ../moved && ln -s ../moved .git", "symbolic link"),
        ("rm -rf .git && printf 'gitdir: /nowhere' > .git", "does not exist"),
        ("rm -rf .git && printf 'nonsense' > .git", "cannot be read"),
        ("rm -rf .git && mkfifo .git", "there is no git repository"),
        ("mv .git/objects ../o && ln -s ../../o .git/objects", "object store"),
        ("rmdir .git/objects/pack && ln -s / .git/objects/pack", "links or special files"),
        ("mkfifo .git/objects/pack/pack-1.idx", "links or special files"),
        ("mkfifo .git/objects/info/alternates", "uses objects of another repository"),
        ("rm .git/HEAD", "no commit"),
        ("printf 'ref: refs/heads/none' > .git/HEAD && rm -f .git/packed-refs", "no commit"),
        ("printf 'ref: ../../../etc/passwd' > .git/HEAD", "no commit"),
        ("mkfifo .git/p && mv .git/p .git/HEAD", "no commit"),
    ],
)
def test_doubtful_repositories_are_refused_with_a_reason(root: Path, damage: str, reason: str) -> None:
    subprocess.run(("sh", "-c", damage), cwd=root, check=True)
    assert reason in refused(root)


def test_a_damaged_object_is_an_error_not_a_crash(root: Path) -> None:
    head = git(root, "rev-parse", "HEAD")
    loose = root / ".git" / "objects" / head[:2] / head[2:]
    loose.chmod(0o644)
    loose.write_bytes(b"not zlib")
    with opened(root) as history:
        assert history.head() == ""
        with pytest.raises(HistoryError):
            history.log()


def test_the_mirror_is_removed(root: Path) -> None:
    history = opened(root)
    mirror = history._mirror.path
    assert mirror.is_dir()
    history.close()
    assert not mirror.exists()


def test_what_was_taken_away_and_what_was_renamed(root: Path) -> None:
    git(root, "mv", "sub/b.py", "sub/c.py")
    moved = commit(root, "Move", {})
    (root / "a.py").unlink()
    gone = commit(root, "Away", {"d.py": "four = 4\n"})
    with opened(root) as history:
        found = history.departed(("a.py", "sub/b.py", "sub/c.py", "never.py"))
        assert {path: (each.commit.id, each.commit.subject, each.now) for path, each in found.items()} == {
            "a.py": (gone, "Away", ""),
            "sub/b.py": (moved, "Move", "sub/c.py"),
        }
        with pytest.raises(InvalidValue):
            history.departed(("../a.py",))

"""What a review looks at: the work tree's change by contents, ranges, paths; what is left out is listed."""

from pathlib import Path

import pytest

from analysis.review.changed_tree import changed, git, resolved, write
from counterproof.analysis.project import Project
from counterproof.analysis.review.line_diff import changed_lines
from counterproof.analysis.review.scope import Wanted, is_secret, resolve
from counterproof.analysis.source.survey import survey
from counterproof.model.errors import UserError
from counterproof.model.review.scope import ScopeKind


@pytest.mark.parametrize(
    ("old", "new", "lines"),
    [
        ("a\nb\nc\n", "a\nB\nc\n", ((2, 2),)),
        ("a\nb\nc\n", "a\nb\nc\nd\ne\n", ((4, 5),)),
        ("a\nb\nc\n", "a\nc\n", ((2, 2),)),
        ("a\nb\n", "a\n", ((1, 1),)),
        ("a\nb\n", "a\r\nb\r\n", ()),
        (None, "a\nb\n", ((1, 2),)),
        ("a\n", "", ()),
        ("a\nx\nb\ny\nc\n", "a\nX\nb\nY\nc\n", ((2, 2), (4, 4))),
    ],
)
def test_changed_lines(old: str | None, new: str, lines: tuple[tuple[int, int], ...]) -> None:
    assert changed_lines(old, new) == lines


def test_a_rewritten_file_beyond_the_bound_is_one_range() -> None:
    old = "\n".join(f"a{number}" for number in range(3_000))
    new = "\n".join(f"b{number}" for number in range(3_000))
    assert changed_lines(f"same\n{old}\n", f"same\n{new}\n") == ((2, 3_001),)


def test_the_middle_of_a_long_file_is_left_alone() -> None:
    old = [f"line {number}" if number % 2 else "same" for number in range(12_000)]
    new = ["first", *old[1:-1], "last"]
    assert changed_lines("\n".join(old), "\n".join(new)) == ((1, 1), (12_000, 12_000))


@pytest.mark.rule("R4")
def test_the_change_is_staged_and_unstaged_files_and_lists_the_rest(tmp_path: Path) -> None:
    folder = changed(tmp_path / "a", {"a.py": "x = 1\n", "gone.py": "y = 1\n"}, {"a.py": "x = 2\n", ".env": "KEY=1\n"})
    (folder / "gone.py").unlink()
    write(folder, {"setup.py": "x = 3\n", "untracked.py": "z = 1\n", "vendor/lib.py": "v = 1\n"})
    done = resolved(folder)
    assert done.scope.paths == ("a.py", "setup.py")
    out = dict(done.scope.left_out)
    assert out["untracked.py"].startswith("not tracked")
    assert out["gone.py"] == "deleted by the change"
    assert "secrets" in out[".env"]
    with_secrets = resolved(folder, Wanted(secrets=True))
    assert with_secrets.scope.secrets == (".env",)


def test_a_deleted_bundle_is_not_read(tmp_path: Path) -> None:
    bundle = f"export const x = '{'x' * 30_000}'\n"
    folder = changed(tmp_path / "a", {"a.js": "let x = 1\n", "old.js": bundle, "gone.js": "let y = 1\n"}, {"a.js": "let x = 2\n"})
    for name in ("old.js", "gone.js"):
        (folder / name).unlink()
    assert sorted(resolved(folder).before) == ["a.js", "gone.js"]


@pytest.mark.rule("R40")
def test_ranges_end_with_a_commit_and_its_bytes_are_reviewed(tmp_path: Path) -> None:
    folder = changed(tmp_path / "a", {"a.py": "x = 1\n", "b.py": "x = 1\n"}, {"a.py": "x = 2\n", "b.py": "x = 2\n"})
    git(folder, "commit", "-qm", "after")
    write(folder, {"b.py": "x = 3\n"})
    done = resolved(folder, Wanted(diff="HEAD~1..HEAD"))
    assert (done.scope.paths, done.elsewhere) == (("a.py", "b.py"), ("b.py",))
    assert resolved(folder, Wanted(diff="HEAD~1")).scope.paths == ("a.py", "b.py")
    with pytest.raises(UserError, match="is not a commit"):
        resolved(folder, Wanted(diff="nowhere"))


@pytest.mark.rule("R40")
def test_the_texts_under_review_are_kept_whatever_becomes_of_the_files(tmp_path: Path) -> None:
    folder = changed(tmp_path / "a", {"a.py": "x = 1\n"}, {"a.py": "x = 2\n"})
    project = Project(folder, survey(folder))
    resolve(project, Wanted())
    write(folder, {"a.py": "x = 3\n"})
    again = Project(folder, project.survey)
    again.freeze(project.frozen)
    assert (project.text("a.py"), again.text("a.py")) == ("x = 2\n", "x = 2\n")


@pytest.mark.rule("R40")
def test_a_file_that_was_touched_before_the_scope_was_frozen_is_still_reviewed(tmp_path: Path) -> None:
    folder = changed(tmp_path / "a", {"a.py": "x = 1\n"}, {"a.py": "x = 2\n"})
    project = Project(folder, survey(folder))
    write(folder, {"a.py": "x = 2  # built\n"})
    done = resolve(project, Wanted())
    assert (done.scope.paths, done.unread, project.text("a.py")) == (("a.py",), (), "x = 2  # built\n")


@pytest.mark.rule("R40")
def test_source_that_no_analyst_reads_is_told_apart_from_prose_and_data(tmp_path: Path) -> None:
    now = {"Main.java": "class Main {}\n", "README.md": "Hello.\n", "uv.lock": "version = 1\n", "a.py": "x = 1\n"}
    now |= {"main.rs": "fn main() {}\n", "tests/all.rs": "fn a() {}\n", "build.sh": "make\n", "page.css": "a {}\n"}
    wide = f"x = '{'a' * 30_000}'\n"
    done = resolved(changed(tmp_path / "a", {"wide.py": "x = 1\n"}, {**now, "wide.py": wide}))
    assert [path for path, _ in done.unread] == ["Main.java", "main.rs", "wide.py"]
    assert resolved(tmp_path / "a", Wanted(("README.md", "a.py"), None)).unread == ()


def test_paths_are_reviewed_whole_and_must_exist(tmp_path: Path) -> None:
    folder = changed(tmp_path / "a", {"in/a.py": "x = 1\n", "in/b.py": "y = 1\n", "out.py": "z = 1\n"}, {})
    done = resolved(folder, Wanted(("in",), None))
    assert (done.scope.kind, done.scope.paths) == (ScopeKind.PATHS, ("in/a.py", "in/b.py"))
    assert all(file.changed == () for file in done.scope.files)
    with pytest.raises(UserError, match="is not there"):
        resolved(folder, Wanted(("nowhere",), None))


def test_no_change_and_no_repository_are_said(tmp_path: Path) -> None:
    folder = changed(tmp_path / "a", {"a.py": "x = 1\n"}, {})
    done = resolved(folder)
    assert (done.refused, "nothing that can be reviewed has changed" in done.empty) == ("", True)
    plain = tmp_path / "plain"
    write(plain, {"a.py": "x = 1\n"})
    assert "there is no git repository" in resolved(plain).refused


@pytest.mark.rule("R30")
def test_callers_and_callees_outside_the_change_are_its_neighbours(tmp_path: Path) -> None:
    before = {
        "src/shop/__init__.py": "",
        "src/shop/prices.py": "def total(cart):\n    return 1\n",
        "src/shop/cart.py": "from shop.prices import total\n\n\ndef show(cart):\n    return total(cart)\n",
        "src/shop/tax.py": "def rate():\n    return 2\n",
    }
    after = {"src/shop/prices.py": "from shop.tax import rate\n\n\ndef total(cart):\n    return rate()\n\n\nall = total([])\n"}
    done = resolved(changed(tmp_path / "a", before, after))
    assert [(each.relation, str(each.at)) for each in done.scope.neighbours] == [
        ("caller", "src/shop/cart.py:5"),
        ("callee", "src/shop/tax.py:1"),
    ]


@pytest.mark.parametrize(
    ("path", "secret"),
    [(".env", True), ("a/.env.production", True), (".env.example", False), ("k/id_rsa", True), ("a.pem", True), ("a.py", False)],
)
def test_files_that_may_hold_secrets(path: str, secret: bool) -> None:
    assert is_secret(path) is secret


def test_code_that_is_read_as_text_only_is_named(tmp_path: Path) -> None:
    done = resolved(changed(tmp_path / "a", {}, {"a.py": "x = 1\n", "b.ts": "let x = 1;\n", "c.go": "package c\n"}))
    assert done.scope.paths == ("a.py", "b.ts", "c.go")
    assert [path for path, why in done.scope.left_out if "as text only" in why] == ["c.go"]


@pytest.mark.rule("R40")
def test_lock_files_are_counted_apart_and_listed(tmp_path: Path) -> None:
    folder = changed(
        tmp_path / "a", {"a.py": "x = 1\n", "web/yarn.lock": "a\n"}, {"a.py": "x = 2\n", "web/yarn.lock": "a\nb\nc\n"}
    )
    done = resolved(folder)
    assert done.scope.paths == ("a.py",)
    assert done.scope.locks == (("web/yarn.lock", 2),)
    assert ("web/yarn.lock", "lock file: listed only") in done.scope.left_out
    assert resolved(folder, Wanted(paths=("web",), diff=None)).scope.paths == ("web/yarn.lock",)
    git(folder, "checkout", "-q", "HEAD", "--", "a.py")
    assert (resolved(folder).refused, resolved(folder).scope.paths) == ("", ())

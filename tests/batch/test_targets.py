"""What is to be audited: lists, folders, mistakes, and passwords that stay apart."""

from pathlib import Path

import pytest

from batch.repositories import harmless
from counterproof.batch import targets
from counterproof.batch.targets import Listed
from counterproof.model.batch import Target
from counterproof.model.errors import UserError
from toolbox.tooling import git


def read(given: str, common: tuple[str, ...] = ()) -> Listed:
    def check(options: tuple[str, ...]) -> None:
        if "--no-such" in options:
            raise UserError("no such option: --no-such", "leave it away")

    return targets.read(given, common, check)


def listed(tmp_path: Path, text: str, common: tuple[str, ...] = ()) -> Listed:
    (tmp_path / "list").write_text(text)
    return read(str(tmp_path / "list"), common)


def test_a_line_has_a_place_a_revision_and_options(tmp_path: Path) -> None:
    text = '# ours\n\n../shop\n"a b" main --mode deep\nhttps://host/team/app.git v1\n../shop\ngit@host:x/y.git --only D1\n'
    found = listed(tmp_path, text, ("--fail-on", "low"))
    both = ("--fail-on", "low")
    assert found.targets == (
        Target(str(tmp_path.parent / "shop"), "", both),
        Target(str(tmp_path / "a b"), "main", (*both, "--mode", "deep")),
        Target("https://host/team/app.git", "v1", both),
        Target("git@host:x/y.git", "", (*both, "--only", "D1")),
    )
    assert [each.name for each in found.targets] == ["shop", "a b", "app", "y"]


def test_a_password_stays_apart_from_its_target(tmp_path: Path) -> None:
    found = listed(tmp_path, "https://bot:s3cret@host/app.git\nssh://git@host/app.git\n")
    assert [each.source for each in found.targets] == ["https://host/app.git", "ssh://git@host/app.git"]
    assert "s3cret" not in repr(found.targets)
    assert found.addresses == {found.targets[0].id: "https://bot:s3cret@host/app.git"}


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("ext::sh -c touch% /tmp/x", "address"),
        ("git://host/app.git", "address"),
        ("https://user:pa@ss@host/app", "address"),
        ("a b c", "an unexpected argument"),
        ('"unclosed', "quotation"),
        ("app --no-such", "no such option"),
    ],
)
def test_invalid_line_is_reported_with_its_number(tmp_path: Path, line: str, word: str) -> None:
    with pytest.raises(UserError) as raised:
        listed(tmp_path, f"# first\n{line}\n")
    assert "line 2" in str(raised.value)
    assert word in str(raised.value).lower()
    assert "pa@" not in str(raised.value)


def test_an_empty_list_and_a_list_that_is_not_there_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="lists no target"):
        listed(tmp_path, "# nothing\n")
    with pytest.raises(UserError, match="cannot be read"):
        read(str(tmp_path / "absent"))


def test_a_folder_gives_every_repository_in_it_once(tmp_path: Path) -> None:
    for name in ("one", "deep/er/two"):
        harmless(tmp_path / "all" / name)
    harmless(tmp_path / "all" / "one" / "vendored")
    git(tmp_path, "clone", "-q", "--bare", str(tmp_path / "all" / "one"), str(tmp_path / "all" / "three.git"))
    (tmp_path / "all" / "plain").mkdir()
    (tmp_path / "all" / "link").symlink_to(tmp_path / "all" / "one")
    found = read(str(tmp_path / "all"))
    assert [Path(each.source).relative_to(tmp_path / "all").as_posix() for each in found.targets] == [
        "deep/er/two",
        "one",
        "three.git",
    ]
    with pytest.raises(UserError, match="no git repository"):
        read(str(tmp_path / "all" / "plain"))

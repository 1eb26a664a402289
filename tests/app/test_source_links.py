"""Links to the source on the web: from the user, or from a remote on a known host; the repository's settings choose no other."""

from pathlib import Path

import pytest

from cli.command import counterproof, small_app
from counterproof.app.source_links import guessed, template
from counterproof.model.errors import UserError
from counterproof.reports.wording import EXCEPTION

COMMIT = "0" * 39 + "1"


def repository(folder: Path, remote: str) -> Path:
    (folder / ".git" / "objects").mkdir(parents=True)
    (folder / ".git" / "refs").mkdir()
    (folder / ".git" / "HEAD").write_text(f"{COMMIT}\n")
    (folder / ".git" / "config").write_text(f'[core]\n\turl = x\n[remote "origin"]\n\turl = {remote}\n')
    return folder


@pytest.mark.parametrize(
    ("remote", "link"),
    [
        ("https://github.com/team/app.git", f"https://github.com/team/app/blob/{COMMIT}/{{path}}#L{{line}}"),
        ("git@github.com:team/app.git", f"https://github.com/team/app/blob/{COMMIT}/{{path}}#L{{line}}"),
        ("ssh://git@gitlab.com/group/sub/app", f"https://gitlab.com/group/sub/app/-/blob/{COMMIT}/{{path}}#L{{line}}"),
        ("https://git.evil.example/team/app.git", ""),
        ("https://github.com.evil.example/team/app.git", ""),
        ("javascript:alert(1)//github.com/a/b", ""),
        ('https://github.com/team/app"onclick=x', ""),
        ("../other", ""),
        ("", ""),
    ],
)
def test_only_known_hosts_are_guessed(tmp_path: Path, remote: str, link: str) -> None:
    assert guessed(repository(tmp_path, remote)) == link


def test_a_folder_without_a_repository_has_no_links(tmp_path: Path) -> None:
    assert guessed(tmp_path) == ""


@pytest.mark.parametrize(
    "given", ["{path}", "javascript:{path}", "https://x.example/", 'https://x.example/{path}"', "ftp://x/{path}"]
)
def test_a_template_is_an_address_with_a_path(given: str, tmp_path: Path) -> None:
    with pytest.raises(UserError):
        template(given, tmp_path)


def test_the_report_links_every_finding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COUNTERPROOF_HOME", str(tmp_path / "home"))
    target = small_app(tmp_path / "my app")
    url = "https://git.example.org/team/app/blob/main/{path}#L{line}"
    ended = counterproof("audit", str(target), "--format", "html", "--quiet", "--yes", "--source-url", url)
    assert ended.returncode == 1, ended.stderr
    assert 'href="https://git.example.org/team/app/blob/main/app.py#L' in ended.stdout
    assert EXCEPTION in ended.stdout
    plain = counterproof("audit", str(target), "--format", "html", "--quiet", "--yes")
    assert "Open the source" not in plain.stdout

"""From a target to the code that is audited: in place, another revision, a bare repository, an address."""

import socket
import subprocess
from pathlib import Path

import pytest

from batch.repositories import committed, harmless, served
from counterproof.analysis.git import HistoryError
from counterproof.analysis.git.remote import address_of
from counterproof.batch.preparing import FetchFailed, Preparation, remove
from counterproof.model.batch import Target
from counterproof.model.errors import UserError
from toolbox.tooling import git


@pytest.fixture
def preparation() -> Preparation:
    return Preparation({})


def head(folder: Path, name: str = "HEAD") -> str:
    return subprocess.run(("git", "rev-parse", name), cwd=folder, capture_output=True, text=True, check=True).stdout.strip()


def test_in_place_every_edit_is_another_job(tmp_path: Path, preparation: Preparation) -> None:
    target = Target(str(harmless(tmp_path / "app")))
    first = preparation.job(target)
    assert preparation.job(target) == first
    assert preparation.place(first, tmp_path / "private") == (tmp_path / "app", ())
    (tmp_path / "app" / "sums.py").write_text("def add(): ...\n")
    edited = preparation.job(target)
    committed(tmp_path / "app")
    assert len({first.key, edited.key, preparation.job(target).key}) == 3
    remove(target, tmp_path / "private")
    assert (tmp_path / "app" / "sums.py").is_file()


def test_options_and_the_content_of_files_they_name_are_part_of_the_key(tmp_path: Path, preparation: Preparation) -> None:
    source, accepted = str(harmless(tmp_path / "app")), tmp_path / "accepted.toml"
    accepted.write_text("")
    keys = {
        preparation.job(Target(source, "", options)).key for options in ((), ("--mode", "deep"), ("--exceptions", str(accepted)))
    }
    assert len(keys) == 3


def test_a_bare_repository_and_a_revision_are_read_from_their_objects(tmp_path: Path, preparation: Preparation) -> None:
    app = harmless(tmp_path / "app")
    git(app, "tag", "v1")
    first = head(app)
    (app / "sums.py").write_text("changed = 1\n")
    committed(app)
    git(tmp_path, "clone", "-q", "--bare", str(app), str(tmp_path / "app.git"))
    for source, revision, commit, text in (("app", "v1", first, "def add"), ("app.git", "", head(app), "changed")):
        job = preparation.job(Target(str(tmp_path / source), revision))
        assert job.commit == commit
        folder, _ = preparation.place(job, tmp_path / "private")
        assert text in (folder / "sums.py").read_text()
        assert folder.name == "app"
        remove(job.target, tmp_path / "private")
        assert not folder.exists()


def test_an_address_is_fetched_at_the_commit_that_was_seen(tmp_path: Path, preparation: Preparation) -> None:
    app = harmless(tmp_path / "all" / "app")
    git(app, "tag", "-a", "v1", "-m", "annotated")
    first = head(app)
    (app / "sums.py").write_text("later = 1\n")
    committed(app)
    with served(tmp_path / "all") as server:
        tagged = preparation.job(Target(f"{server.address}/app/.git", "v1"))
        latest = preparation.job(Target(f"{server.address}/app/.git"))
        assert (tagged.commit, latest.commit) == (first, head(app))
        folder, _ = preparation.place(tagged, tmp_path / "private")
        assert "def add" in (folder / "sums.py").read_text()
        assert (folder / ".git" / "HEAD").read_text().strip() == first
        with pytest.raises(FetchFailed, match="no revision 'nowhere'"):
            preparation.job(Target(f"{server.address}/app/.git", "nowhere"))
        with pytest.raises(FetchFailed, match="absent"):
            preparation.job(Target(f"{server.address}/absent.git"))


@pytest.mark.rule("X14")
def test_nothing_that_a_repository_brings_is_run(tmp_path: Path, preparation: Preparation) -> None:
    """Filters, submodules and hooks of the other side; a careless clone of the same repository does run the filter's user."""
    app = harmless(tmp_path / "all" / "app")
    canary = tmp_path / "canary"
    (app / ".gitattributes").write_text("* filter=trap diff=trap\n")
    (app / ".gitmodules").write_text(f'[submodule "x"]\n\tpath = x\n\turl = ext::sh -c "touch {canary}"\n')
    committed(app)
    for name in ("post-checkout", "post-merge", "reference-transaction"):
        hook = app / ".git" / "hooks" / name
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(f"#!/bin/sh\ntouch {canary}\n")
        hook.chmod(0o755)
    git(app, "config", "filter.trap.smudge", f"touch {canary}; cat")
    git(app, "config", "core.fsmonitor", f"touch {canary}")
    git(tmp_path, "clone", "-q", "--bare", str(app), str(tmp_path / "all" / "bare.git"))
    with served(tmp_path / "all") as server:
        for target in (
            Target(f"{server.address}/app/.git"),
            Target(str(app), "main"),
            Target(str(tmp_path / "all" / "bare.git")),
        ):
            canary.unlink(missing_ok=True)
            folder, _ = preparation.place(preparation.job(target), tmp_path / "private")
            assert (folder / "sums.py").is_file()
            assert not canary.exists()


@pytest.mark.rule("X17")
def test_a_password_is_used_and_kept_nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    harmless(tmp_path / "all" / "app")
    with served(tmp_path / "all") as server:
        target = Target(f"{server.address}/app/.git")
        full = target.source.replace("://", "://bot:s3cret@")
        preparation = Preparation({target.id: full})
        folder, _ = preparation.place(preparation.job(target), tmp_path / "private")
        with pytest.raises(FetchFailed) as raised:
            Preparation({}).job(Target(full.replace("/app", "/absent")))
    assert "s3cret" not in str(raised.value)
    held = [path for path in folder.parent.rglob("*") if path.is_file() and b"s3cret" in path.read_bytes()]
    assert not held


def test_missing_target_is_reported(tmp_path: Path, preparation: Preparation) -> None:
    with pytest.raises(UserError, match="no folder"):
        preparation.job(Target(str(tmp_path / "absent")))
    with pytest.raises(UserError, match="no revision 'nowhere'"):
        preparation.job(Target(str(harmless(tmp_path / "app")), "nowhere"))


@pytest.mark.rule("X14")
@pytest.mark.parametrize("text", ["ext::sh -c id", "fd::3", "file:relative", "ftp://host/x", "-oProxyCommand=x:y", "git://h/x"])
def test_addresses_that_lead_git_elsewhere_are_no_addresses(text: str) -> None:
    try:
        found = address_of(text)
    except HistoryError:
        found = None
    assert found is None


@pytest.mark.rule("X14")
def test_a_change_to_another_protocol_is_not_followed(
    preparation: Preparation, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Not even the user's own rewriting of addresses leads to a program. The one here would call this test's server."""
    with socket.create_server(("127.0.0.1", 0)) as canary:
        canary.settimeout(2)
        program = f"ext::bash -c true>/dev/tcp/127.0.0.1/{canary.getsockname()[1]};:% "
        settings = tmp_path / "gitconfig"
        settings.write_text(f'[url "{program}"]\n\tinsteadOf = http://127.0.0.1:1/\n[protocol "ext"]\n\tallow = always\n')
        monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(settings))
        with pytest.raises(FetchFailed):
            preparation.job(Target("http://127.0.0.1:1/app.git"))
        with pytest.raises(TimeoutError):
            canary.accept()
        subprocess.run(("git", "ls-remote", "http://127.0.0.1:1/app.git"), capture_output=True, check=False)
        canary.accept()[0].close()  # the trap is live

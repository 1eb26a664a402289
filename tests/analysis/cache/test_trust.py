"""Which results count: this user's, and on a build server only with a key that the user passes in."""

from pathlib import Path

import pytest

from counterproof import installation
from counterproof.analysis.cache import KEY, SWITCH, results_in, why_off
from counterproof.analysis.cache.trust import key_of_cache
from counterproof.installation import derived_key
from counterproof.model.errors import UserError


@pytest.fixture(autouse=True)
def _nothing_said(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CI", KEY, SWITCH):
        monkeypatch.delenv(name, raising=False)


def test_the_key_is_made_once_for_the_user_alone(home: Path) -> None:
    first = derived_key("results")
    assert (home / "key").stat().st_mode & 0o777 == 0o600
    assert list(home.iterdir()) == [home / "key"]
    installation._kept.cache_clear()
    assert derived_key("results") == first != derived_key("marks")


@pytest.mark.parametrize("wrong", ["short", "open", "link"])
def test_a_key_that_others_could_have_written_is_not_used(home: Path, tmp_path: Path, wrong: str) -> None:
    home.mkdir()
    kept = home / "key"
    kept.write_bytes(b"k" * (5 if wrong == "short" else 32))
    kept.chmod(0o644 if wrong == "open" else 0o600)
    if wrong == "link":
        kept.rename(tmp_path / "elsewhere")
        kept.symlink_to(tmp_path / "elsewhere")
    chosen = installation._kept(home)
    assert chosen != b"k" * 32
    assert len(chosen) == 32


@pytest.mark.rule("X18")
def test_on_a_build_server_results_count_only_with_the_users_own_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    results = results_in(tmp_path / "results")
    assert results is not None
    results.store.keep("one", b"nothing was found")
    monkeypatch.setenv("CI", "true")
    assert results_in(tmp_path / "results") is None
    assert KEY in why_off()
    monkeypatch.setenv(KEY, "a long key from the store of secrets")
    given = results_in(tmp_path / "results")
    assert given is not None
    assert given.store.find("one") is None  # signed with the key that came with the folder
    assert key_of_cache() != derived_key("results")


def test_a_key_that_anybody_guesses_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY, "short")
    with pytest.raises(UserError, match=KEY):
        results_in(tmp_path / "results")


def test_the_user_may_do_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SWITCH, "off")
    assert results_in(tmp_path / "results") is None
    assert why_off() == f"{SWITCH}=off"

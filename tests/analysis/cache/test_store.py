"""The store of results: what comes back is what was kept, and nothing else ever does."""

import os
from pathlib import Path

import pytest

from counterproof.analysis.cache import store as storage
from counterproof.analysis.cache.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "results")


def _entry(store: Store) -> Path:
    return next(store.folder.iterdir())


def test_what_was_kept_is_found_under_its_key_alone(store: Store) -> None:
    store.keep("one", b"first")
    store.keep("two", b"second")
    assert store.find("one") == b"first"
    assert store.find("two") == b"second"
    assert store.find("three") is None


def test_folder_and_entries_are_the_users_alone(store: Store) -> None:
    store.keep("one", b"first")
    assert store.folder.stat().st_mode & 0o777 == 0o700
    assert _entry(store).stat().st_mode & 0o777 == 0o600


def test_every_flipped_bit_and_every_cut_is_noticed(store: Store) -> None:
    store.keep("one", b"the body of an entry")
    whole = _entry(store).read_bytes()
    for place in range(len(whole)):
        _entry(store).write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        assert store.find("one") is None
        _entry(store).write_bytes(whole[:place])
        assert store.find("one") is None
    _entry(store).write_bytes(whole)
    assert store.find("one") == b"the body of an entry"


def test_an_entry_put_under_another_key_is_passed_over(store: Store) -> None:
    store.keep("one", b"first")
    stolen = _entry(store).read_bytes()
    store.keep("two", b"second")
    other = next(path for path in store.folder.iterdir() if path.read_bytes() != stolen)
    other.write_bytes(stolen)
    assert store.find("two") is None


def test_links_and_entries_open_to_others_are_passed_over(store: Store, tmp_path: Path) -> None:
    store.keep("one", b"first")
    entry = _entry(store)
    entry.chmod(0o666)
    assert store.find("one") is None
    entry.chmod(0o600)
    moved = tmp_path / "moved"
    entry.rename(moved)
    entry.symlink_to(moved)
    assert store.find("one") is None
    entry.unlink()
    os.mkfifo(entry, 0o600)
    assert store.find("one") is None


def test_nothing_is_kept_in_a_folder_open_to_others(store: Store) -> None:
    store.folder.mkdir(mode=0o700)
    store.folder.chmod(0o777)
    store.keep("one", b"first")
    assert not list(store.folder.iterdir())


def test_the_oldest_entries_go_first(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    store.keep("old", os.urandom(600))
    os.utime(_entry(store), (1, 1))
    monkeypatch.setattr(storage, "MAX_TOTAL", 1_000)
    store.keep("new", os.urandom(600))
    assert store.find("old") is None
    assert store.find("new") is not None


def test_a_bomb_is_not_unpacked(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    store.keep("one", bytes(1_000_000))
    monkeypatch.setattr(storage, "MAX_ENTRY", 100_000)
    assert store.find("one") is None


def test_a_folder_that_cannot_be_made_costs_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    store = Store(tmp_path / "file" / "results")
    store.keep("one", b"first")
    assert store.find("one") is None


@pytest.mark.rule("X18")
def test_what_was_written_without_the_key_is_passed_over(store: Store, home: Path) -> None:
    """Write access to the folder alone cannot change a result."""
    Store(store.folder, b"another key").keep("one", b"nothing was found")
    assert store.find("one") is None
    store.keep("one", b"two findings")
    assert store.find("one") == b"two findings"
    assert Store(store.folder, b"another key").find("one") is None
    assert store.secret not in b"".join(path.read_bytes() for path in store.folder.iterdir())
    assert not (home / "key").is_relative_to(store.folder)


def test_what_was_found_is_counted_by_kind(store: Store) -> None:
    store.keep("one", b"first")
    assert [store.find("one", "Recon"), store.find("two", "Recon"), store.find("one")] == [b"first", None, b"first"]
    assert store.used == {"Recon": 1}

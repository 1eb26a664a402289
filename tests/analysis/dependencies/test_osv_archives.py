"""Reading exports: every form, the same digest everywhere, and nothing that a hostile file could gain."""

import json
import os
import zipfile
from pathlib import Path

import pytest
from osv_samples import lines, record, zipped

from counterproof.analysis.dependencies.osv import Selection, UnreadableData, archive, digest_of, select

WANTED = frozenset({("pypi", "lib"), ("npm", "@scope/lib")})
RECORDS = (record("A-1"), record("B-1", "other"), record("C-1", "@scope/lib", "npm", modified="2026-10-01T00:00:00Z"))


def read(path: Path) -> Selection:
    return select(path, WANTED, lambda: None)


def found(selection: Selection) -> dict[tuple[str, str], list[str]]:
    return {package: [each.id for each in rows] for package, rows in selection.advisories.items()}


def written(form: str, folder: Path) -> Path:
    place = folder / f"export.{form}"
    match form:
        case "zip":
            return zipped(place, *RECORDS)
        case "jsonl":
            return lines(place, *RECORDS)
        case "json":
            place.write_text(json.dumps(RECORDS, indent=1))
        case "vulns.json":
            place.write_text(json.dumps({"vulns": RECORDS}))
        case _:
            place.mkdir()
            zipped(place / "npm.zip", RECORDS[2])
            for each in RECORDS[:2]:
                (place / f"{each['id']}.json").write_text(json.dumps(each))
            (place / "notes.txt").write_text("not read")
    return place


@pytest.mark.parametrize("form", ["zip", "jsonl", "json", "vulns.json", "folder"])
def test_every_form_gives_the_same(form: str, tmp_path: Path) -> None:
    selection = read(written(form, tmp_path))
    assert found(selection) == {("pypi", "lib"): ["A-1"], ("npm", "@scope/lib"): ["C-1"]}
    assert set(selection.newest) == {"pypi", "npm"}
    assert max(selection.newest.values()) == "2026-11-01"
    assert selection.unread == 0


def test_names_with_escapes_are_recognised(tmp_path: Path) -> None:
    text = json.dumps(RECORDS[2]).replace('"@scope/lib"', '"@scope\\/l\\u0069b"')
    (tmp_path / "one.json").write_text(text)
    assert found(read(tmp_path / "one.json")) == {("npm", "@scope/lib"): ["C-1"]}


def test_the_digest_depends_on_names_and_bytes_and_not_on_the_folder(tmp_path: Path) -> None:
    first, second = tmp_path / "a", tmp_path / "b"
    for folder, names in ((first, ("1.json", "2.json")), (second, ("2.json", "1.json"))):
        folder.mkdir()
        for name in names:
            (folder / name).write_text(json.dumps(record(name)))
    assert digest_of(first) == digest_of(second)
    (second / "2.json").write_text("{}")
    assert digest_of(first) != digest_of(second)


@pytest.mark.parametrize("name", ["missing", "empty", "notes.txt"])
def test_what_is_no_export_is_refused(name: str, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "notes.txt").write_text("x")
    with pytest.raises(UnreadableData):
        digest_of(tmp_path / name)


@pytest.mark.rule("X16")
def test_a_zip_that_unpacks_to_more_than_the_bound_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MAX_DOCUMENT", 100_000)
    place = zipped(tmp_path / "bomb.zip", record("A-1"), record("B-1", details="0" * 5_000_000))
    selection = read(place)
    assert found(selection) == {("pypi", "lib"): ["A-1"]}
    assert (selection.unread, selection.problems) == (1, ["B-1.json: it is too large"])


@pytest.mark.rule("X16")
def test_a_size_that_an_entry_states_is_not_believed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MAX_DOCUMENT", 100_000)
    place = zipped(tmp_path / "liar.zip", record("A-1", details="0" * 1_000_000))
    content = place.read_bytes()
    size = len(json.dumps(record("A-1", details="0" * 1_000_000), indent=2)).to_bytes(4, "little")
    place.write_bytes(content.replace(size, (50).to_bytes(4, "little")))
    selection = read(place)
    assert found(selection) == {}
    assert selection.unread == 1


@pytest.mark.rule("X16")
def test_more_than_the_bound_in_all_ends_the_reading(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MAX_DOCUMENTS", 2)
    selection = read(zipped(tmp_path / "many.zip", *(record(f"A-{number}") for number in range(9))))
    assert found(selection) == {("pypi", "lib"): ["A-0", "A-1"]}
    assert selection.unread == 1


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"not a zip", b"PK\x05\x06" + b"\0" * 18])
def test_broken_zips_are_problems_and_no_crash(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "broken.zip").write_bytes(content)
    selection = read(tmp_path / "broken.zip")
    assert selection.advisories == {}


def test_entries_that_cannot_be_unpacked_are_named(tmp_path: Path) -> None:
    place = zipped(tmp_path / "damaged.zip", record("A-1", details="z" * 1_000), record("B-1", "lib"))
    content = bytearray(place.read_bytes())
    with zipfile.ZipFile(place) as opened:
        start = opened.getinfo("A-1.json").header_offset + 60
    content[start : start + 20] = b"\xff" * 20
    place.write_bytes(content)
    selection = read(place)
    assert found(selection) == {("pypi", "lib"): ["B-1"]}
    assert selection.problems[0].startswith("A-1.json: it cannot be unpacked")


@pytest.mark.rule("X13")
def test_links_and_pipes_in_a_folder_are_not_read(tmp_path: Path) -> None:
    outside = tmp_path / "outside.json"
    outside.write_text(json.dumps(record("OUT-1")))
    folder = tmp_path / "export"
    folder.mkdir()
    (folder / "in.json").write_text(json.dumps(record("IN-1")))
    (folder / "link.json").symlink_to(outside)
    os.mkfifo(folder / "pipe.json")
    assert found(read(folder)) == {("pypi", "lib"): ["IN-1"]}


def test_files_of_another_kind_are_counted_as_unread(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps(record("A-1")))
    (tmp_path / "b.json").write_text('{"hello": "world"}')
    (tmp_path / "c.json").write_text("{")
    selection = read(tmp_path)
    assert selection.unread == 2
    assert selection.problems == ["b.json: it is not an OSV record", "c.json: it is not an OSV record"]

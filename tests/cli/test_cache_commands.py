"""`counterproof cache` and `audit --no-cache`: results are listed, deleted on request, and not stored with `--no-cache`."""

from pathlib import Path

from cli.command import counterproof, small_app


def test_what_is_kept_is_shown_and_cleared_and_the_report_stays_the_same(home: Path, tmp_path: Path) -> None:
    target = small_app(tmp_path / "app", padding=10)
    results = home / "results"

    def report(*options: str) -> str:
        counterproof("audit", str(target), "--mode", "quick", "--quiet", "--out", str(tmp_path / "out"), *options)
        return (tmp_path / "out" / "report.json").read_text()

    without = report("--no-cache")
    assert not results.exists()
    assert counterproof("cache", "show").stdout == f"Nothing is kept in {results}\n"
    assert counterproof("cache", "clear").stdout == f"Nothing to remove in {results}\n"

    assert report() == without
    kept = [path for path in results.iterdir() if path.is_file()]
    foreign = results / "notes.txt"
    foreign.write_text("mine")
    (results / ("a" * 64)).symlink_to(foreign)
    shown = counterproof("cache", "show").stdout
    assert shown.startswith(f"{len(kept)} results from ")
    assert shown.splitlines()[0].endswith(f" of at most 512.0 MiB, in {results}")
    assert "COUNTERPROOF_CACHE=off" in counterproof("cache", "show", COUNTERPROOF_CACHE="off").stdout

    cleared = counterproof("cache", "clear")
    assert cleared.stdout.startswith(f"Removed {len(kept)} results, ")
    assert sorted(path.name for path in results.iterdir()) == ["a" * 64, "notes.txt"]
    assert report("--no-cache") == without
    assert sorted(path.name for path in results.iterdir()) == ["a" * 64, "notes.txt"]


def test_a_folder_that_is_not_ours_alone_is_left_as_it_is(home: Path) -> None:
    results = home / "results"
    results.mkdir(parents=True, mode=0o755)
    (results / ("b" * 64)).write_text("somebody else's")
    assert counterproof("cache", "clear").stdout == f"Nothing to remove in {results}\n"
    assert (results / ("b" * 64)).exists()

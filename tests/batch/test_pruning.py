"""`batches prune`: old ones go, the newest of each list and what is unfinished or conducted stay; names still name batches."""

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from counterproof.batch import ledger as ledgers
from counterproof.batch import pruning
from counterproof.batch.ledger import Ledger
from counterproof.cli.main import app
from counterproof.model.batch import Order, Target
from counterproof.model.errors import JournalError
from counterproof.runtime import lock
from counterproof.runtime.home import Home, RunFolder


def made(home: Home, name: str, ended: bool = True) -> RunFolder:
    batch = home.create(ledgers.KIND)
    order = replace(Order("", name, (Target("/a"),)), id=batch.id)
    with closing(Ledger.create(batch, order, "2030-01-01T00:00:00Z")) as ledger:
        if ended:
            ledger.close_batch("2030-01-01T00:01:00Z")
    (batch.path / "report").mkdir()
    (batch.path / "report" / "batch.html").write_text("x" * 5_000)
    return batch


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    monkeypatch.setenv("COUNTERPROOF_HOME", str(tmp_path / "home"))
    return Home()


def test_the_newest_of_each_list_stay(home: Home) -> None:
    first, second, other, third = (made(home, name) for name in ("a", "a", "b", "a"))
    broken = [home.create(ledgers.KIND) for _ in range(2)]  # they died before their ledgers were whole
    assert pruning.prunable(home, 1, finished_only=True) == [broken[0], second, first]
    assert pruning.prunable(home, 2, finished_only=True) == [first]
    assert pruning.prune(home, [first]) > 5_000
    assert [each.id for each in home.runs(ledgers.KIND)] == [each.id for each in (second, other, third, *broken)]
    assert not list((home.root / "heads").glob(f"{first.id}*"))


def test_what_is_unfinished_stays_unless_asked_for_and_what_is_conducted_in_any_case(home: Home) -> None:
    going_on = made(home, "a", ended=False)
    made(home, "a")
    assert pruning.prunable(home, 1, finished_only=True) == []
    assert pruning.prunable(home, 1, finished_only=False) == [going_on]
    with lock.held(going_on), pytest.raises(JournalError):
        pruning.prune(home, [going_on])
    assert going_on.path.is_dir()


def test_the_command_asks_and_names_still_name_batches(home: Home) -> None:
    old, new = made(home, "a"), made(home, "a")
    run = CliRunner()
    assert run.invoke(app, ["batches", "prune", "--keep", "1"], input="n\n").exit_code == 4
    assert old.path.is_dir()
    said = run.invoke(app, ["batches", "prune", "--keep", "1", "--yes"])
    assert (said.exit_code, "Removed 1 batch," in said.stdout) == (0, True)
    assert [each.id for each in home.runs(ledgers.KIND)] == [new.id]
    assert "Nothing to remove" in run.invoke(app, ["batches", "prune"]).stdout
    for words in (["latest"], ["show", "latest"], [new.id]):
        shown = run.invoke(app, ["batches", *words])
        assert (shown.exit_code, "waiting" in shown.stdout) == (0, True), shown.stdout
    for words in (["--json", "latest"], ["latest", "--json"], ["--json"]):
        assert run.invoke(app, ["batches", *words]).stdout.startswith(("{", "[")), words

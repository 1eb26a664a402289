"""Commands as users type them, and the near one for a wrong one."""

from pathlib import Path

import pytest

from cli.command import counterproof


@pytest.mark.parametrize(
    ("typed", "same"),
    [
        (("rules", "list", "--dimension", "D7"), ("rules", "--dimension", "D7")),
        (("rules", "sql-injection"), ("rules", "show", "sql-injection")),
        (("libraries", "list"), ("libraries",)),
        (("libraries", "flask"), ("libraries", "show", "flask")),
        (("runs", "list"), ("runs",)),
        (("batches", "list"), ("batches",)),
        (("help", "audit"), ("audit", "--help")),
        (("version",), ("--version",)),
    ],
)
def test_command_in_a_common_form_does_the_same(typed: tuple[str, ...], same: tuple[str, ...], home: Path) -> None:
    done, expected = counterproof(*typed), counterproof(*same)
    assert (done.returncode, done.stdout) == (expected.returncode, expected.stdout)
    assert done.returncode == 0


@pytest.mark.parametrize(
    ("typed", "named"),
    [
        (("dismiss", "C-01"), "`counterproof suppress FINDING`"),
        (("scan", "."), "`counterproof audit PATH`"),
        (("runs", "show"), "`counterproof show`"),
        (("src",), "`counterproof audit PATH`"),
        (("log", "shw"), "'show'"),
        (("rule",), "'rules'"),
    ],
)
def test_wrong_command_names_the_near_one(typed: tuple[str, ...], named: str, tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    done = counterproof(*typed, cwd=tmp_path)
    assert done.returncode == 2
    assert named in done.stderr

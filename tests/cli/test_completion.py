"""Completion in the shell: the script is there for each shell, and asks the program that answers."""

import pytest

from cli.command import counterproof


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_gets_a_script(shell: str) -> None:
    shown = counterproof(_COUNTERPROOF_COMPLETE=f"source_{shell}")
    assert shown.returncode == 0, shown.stderr
    assert "_COUNTERPROOF_COMPLETE" in shown.stdout


@pytest.mark.parametrize(
    ("typed", "offered"),
    [("counterproof aud", "audit"), ("counterproof config s", "show"), ("counterproof audit . --si", "--since")],
)
def test_a_word_is_completed(typed: str, offered: str) -> None:
    count = len(typed.split()) - 1
    asked = counterproof(_COUNTERPROOF_COMPLETE="complete_bash", COMP_WORDS=typed, COMP_CWORD=str(count))
    assert offered in asked.stdout.split()

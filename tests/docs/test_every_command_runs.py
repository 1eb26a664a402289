"""No command is only described: each one, and each sub-command, is run by a page whose commands the tests run."""

import typer

from counterproof.cli.main import app
from docs.test_documented_commands import PAGES, commands


def test_every_command_is_run_by_some_page() -> None:
    """Commands and their sub-commands, as the program itself lists them. `setup` installs, and the check runs it on its own;
    `osv update` fetches, and its tests run it against a server of theirs; those of `worker` and `fleet` bring a database."""
    lines = [command.replace(".venv/bin/counterproof", "counterproof").split() for page in PAGES for command in commands(page)]
    run = {tuple(words[1:]) for words in lines}
    for names in sorted(_listed(typer.main.get_command(app), ()) - {("setup",), ("osv", "update"), ("worker",)}):
        if names[0] == "fleet":
            continue
        assert any(words[: len(names)] == names for words in run), f"no page runs `counterproof {' '.join(names)}`"


def _listed(command: object, above: tuple[str, ...]) -> set[tuple[str, ...]]:
    inner: dict[str, object] = getattr(command, "commands", {})
    found = {(*above, name) for name in inner if not getattr(inner[name], "commands", {}) or name in ("runs", "rules")}
    return found.union(*(_listed(each, (*above, name)) for name, each in inner.items())) if inner else set()

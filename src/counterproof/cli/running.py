"""The body of every command that starts a run: it continues the run that is named, or starts a new one."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from counterproof.cli import options

if TYPE_CHECKING:
    from counterproof.app.delivery import Ended
    from counterproof.cli.console import Watcher


def formats_of(asked: options.RunOptions, chosen: Sequence[str] | None) -> tuple[str, ...]:
    """The formats for the results. Raises `UserError` if there is no place for them."""
    from counterproof.cli import closing

    if asked.no_cache:
        options.keep_nothing()
    formats = tuple(dict.fromkeys(chosen or ()))
    closing.one_stream(formats, asked.out)
    return formats


def run_of(
    asked: options.RunOptions,
    start: "Callable[[Watcher], Ended]",
    has: tuple[bool, str] = (False, ""),
    given: Mapping[str, str] | None = None,
) -> "Ended":
    """The end of the run. `has`: whether the command line also describes a new run, and by what; `given` are answers to
    questions."""
    from counterproof.app.beginning import interrupted
    from counterproof.app.resuming import resume
    from counterproof.cli import console, human
    from counterproof.cli.chosen import chosen
    from counterproof.model.errors import UserError

    begun = interrupted()
    if asked.resume and not begun and has[0]:
        raise UserError(f"a resumed run already has its {has[1]}", f"give either a {has[1]} or --resume RUN")
    name = begun.id if begun else asked.resume
    watcher = console.choose(asked.quiet, asked.verbose)
    try:
        if name:
            return resume(chosen(name, quiet=asked.quiet), human.TerminalUser(watcher, asked.yes, given=given), watcher)
        return start(watcher)
    finally:
        watcher.stop()

"""The `counterproof` command. Commands import expensive modules on demand, so that --help is fast."""

import gc
import os
import sys
from typing import Annotated

import typer

from counterproof import __version__
from counterproof.cli import (
    commands_audit,
    commands_batch,
    commands_cache,
    commands_config,
    commands_demonstrate,
    commands_doctor,
    commands_explain,
    commands_export,
    commands_fix,
    commands_fleet,
    commands_init,
    commands_libraries,
    commands_map,
    commands_mcp,
    commands_osv,
    commands_review,
    commands_runs,
    commands_setup,
    commands_suppress,
    commands_verify,
)
from counterproof.cli.mistakes import PlainGroup
from counterproof.model.errors import CounterproofError, EngineBug, JournalError, OutOfTime, Refused, StorageError
from counterproof.model.receipt import Exit
from counterproof.supervision.supervisor import supervise

_SELDOM = (100_000, 20, 20)
"""The garbage collector's thresholds: rare. Start-up objects stay, and scanning them takes a tenth of the start time."""
SUPERVISED = ("audit", "map", "review", "verify", "resume", "fix", "demonstrate")
"""Commands that read a target."""

app = typer.Typer(
    name="counterproof",
    cls=PlainGroup,
    help="Security audits, code reviews and plan checks by agents, with the protocol enforced by code.",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
commands_init.register(app)
commands_audit.register(app)
commands_review.register(app)
commands_verify.register(app)
commands_map.register(app)
commands_explain.register(app)
commands_suppress.register(app)
commands_fix.register(app)
commands_demonstrate.register(app)
commands_runs.register(app)
commands_doctor.register(app)
commands_setup.register(app)
commands_batch.register(app)
commands_fleet.register(app)
commands_libraries.register(app)
commands_config.register(app)
commands_cache.register(app)
commands_osv.register(app)
commands_mcp.register(app)
commands_export.register(app)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"counterproof {__version__}")
        raise typer.Exit


@app.callback()
def _options(  # pyright: ignore[reportUnusedFunction]
    version: Annotated[bool, typer.Option("--version", help="Print the version.", is_eager=True, callback=_show_version)] = False,
) -> None:
    """Security audits, code reviews and plan checks by agents, with the protocol enforced by code."""


def main() -> None:
    """Run the command; user errors end with a sentence and an exit code, never with a traceback."""
    gc.set_threshold(*_SELDOM)
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # otherwise it searches every installed package for plugins
    if sys.argv[1:2] and (sys.argv[1] in SUPERVISED or sys.argv[1:3] == ["fleet", "check"]):
        supervise()
    try:
        app(commands_review.with_default_range(sys.argv[1:]), prog_name="counterproof")
    except EngineBug as error:
        _fail(str(error), _crash_note(error), Exit.INTERNAL)
    except (JournalError, Refused) as error:
        _fail(str(error), error.hint, Exit.REFUSED)
    except StorageError as error:
        _fail(str(error), error.hint, Exit.PAUSED)
    except OutOfTime as error:
        _fail(str(error), error.hint, Exit.INCOMPLETE)
    except CounterproofError as error:
        _fail(str(error), error.hint, Exit.USAGE)
    except KeyboardInterrupt:
        _fail("interrupted", "", Exit.PAUSED)
    except BrokenPipeError:
        sys.stderr.close()
        raise SystemExit(int(Exit.CLEAN)) from None
    except Exception as error:
        _fail(f"internal error: {type(error).__name__}: {error}", _crash_note(error), Exit.INTERNAL)


def _fail(message: str, hint: str, code: Exit) -> None:
    from counterproof.reports.inert import terminal_text

    sys.stderr.write(f"counterproof: {terminal_text(message)}\n")
    if hint:
        sys.stderr.write(f"  {terminal_text(hint)}\n")
    raise SystemExit(int(code))


def _crash_note(error: BaseException) -> str:
    """Store the traceback where the user can find it and attach it to a bug report."""
    from counterproof.installation import keep_traceback

    path = keep_traceback(error, "counterproof stopped")
    where = f"is in {path}" if path else "could not be saved"
    return f"this is a bug in counterproof; the traceback {where}"

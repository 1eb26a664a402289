"""Every error the product raises on purpose.

    CounterproofError
    ├── UserError            the user asked for something that cannot be done: exit 2, no traceback
    ├── InvalidValue         a value that the domain forbids; from an agent it is a refused output, from us a bug
    ├── Refused              what was asked would not be safe here: exit 4, nothing was done
    ├── JournalError         the run's log is damaged, locked or of another version
    ├── StorageError         the disk failed under a run; what was journalled is safe: exit 6, resumable
    ├── ProviderPause        a provider cannot be used before a person acts (spend limit, key): exit 6, resumable
    │   └── HostGone         the coding agent that plays a role is not connected
    ├── OutOfTime            time or memory of a run is used up; what was collected so far is still good: exit 3
    └── EngineBug            the engine broke its own rules: exit 70

A misbehaving agent is never an exception that leaves the engine; it is a recorded event.
"""


class CounterproofError(Exception):
    """Root of the tree. `hint` says what the reader can do next."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class UserError(CounterproofError):
    """Bad input: a path, an option, a configuration. Exit code 2."""


class Refused(CounterproofError):
    """What was asked cannot be done safely on this machine, so nothing was done. Exit code 4."""


class InvalidValue(CounterproofError, ValueError):
    """A constructor refused its arguments."""


class JournalError(CounterproofError):
    """A journal cannot be trusted or used as it is."""


class StorageError(CounterproofError):
    """A file of the run could not be written or read: disk full, I/O error. Exit code 6; nothing journalled is lost."""


class ProviderPause(CounterproofError):
    """A provider refuses for longer than it is worth waiting: spend limit reached, key refused, rate limited for hours.

    An agent that raises this has not failed: the run pauses, and resuming asks again what has no stored reply, and nothing
    else. The message says what happened; `hint` what the user can do about it before resuming.
    """


class HostGone(ProviderPause):
    """The coding agent that plays a role is not connected."""


class OutOfTime(CounterproofError):
    """The run's time or memory is used up; what was collected so far is still good."""


class EngineBug(CounterproofError):
    """The engine broke one of its own invariants. Exit code 70."""

"""The errors that the product raises deliberately.

    CounterproofError
    ├── UserError            the user's input is invalid: exit 2, no traceback
    ├── InvalidValue         an invalid value: from an agent a rejected output, from us a bug
    ├── Refused              the request would be unsafe here: exit 4, nothing was done
    ├── JournalError         the journal is damaged, locked or of another version
    ├── StorageError         the disk failed during a run; journalled data is safe: exit 6, resumable
    ├── ProviderPause        a provider needs action by the user (spend limit, key): exit 6, resumable
    │   └── HostGone         the coding agent that plays a role is not connected
    ├── OutOfTime            the run's time or memory is used up; results so far are valid: exit 3
    └── EngineBug            the engine violated its own invariants: exit 70

A misbehaving agent never raises an exception out of the engine; it is a recorded event.
"""


class CounterproofError(Exception):
    """Root of the tree. `hint` says what the reader can do next."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class UserError(CounterproofError):
    """Invalid input: a path, an option, a configuration. Exit code 2."""


class Refused(CounterproofError):
    """The request cannot be carried out safely on this machine, so nothing was done. Exit code 4."""


class InvalidValue(CounterproofError, ValueError):
    """A constructor rejected its arguments."""


class JournalError(CounterproofError):
    """A journal that cannot be trusted or used in its current state."""


class StorageError(CounterproofError):
    """A file of the run could not be written or read: disk full, I/O error. Exit code 6; everything journalled is safe."""


class ProviderPause(CounterproofError):
    """A provider is unavailable for longer than the run should wait: spend limit reached, key rejected, rate limited for hours.

    An agent that raises this has not failed: the run pauses, and resuming repeats only the questions without a stored reply. The
    message says what happened; `hint` what the user can do before resuming.
    """


class HostGone(ProviderPause):
    """The coding agent that plays a role is not connected."""


class OutOfTime(CounterproofError):
    """The run's time or memory is used up; the results collected so far are still valid."""


class EngineBug(CounterproofError):
    """The engine broke one of its own invariants. Exit code 70."""

"""The answer to a call that is not allowed."""

from counterproof.model.errors import CounterproofError


class ToolRefused(CounterproofError):
    """A tool call that broke a rule, a limit or the confinement. The message is for the agent; the rejection is recorded."""

"""Text that is known to be markup, and what happens to other text that is put into it.

Always holds: `Markup` escapes whatever its own methods and operators take in; only its constructor trusts what it is given, and
that is a sink of its own. Does not belong here: templates.
"""

from counterproof.analysis.flow.values import Value
from counterproof.analysis.flow.words import words
from counterproof.analysis.libraries import names

ESCAPED = "markupsafe.escape"
"""What text has passed that was put into markup."""

_MARKUP = names("template", "markup")
_FILLING = words("format format_map join replace")


def is_markup(value: Value | None) -> bool:
    return value is not None and value.path.startswith(_MARKUP)


def fills_markup(receiver: Value | None, method: str) -> bool:
    """`Markup("<b>{}</b>").format(name)`."""
    return method in _FILLING and is_markup(receiver)

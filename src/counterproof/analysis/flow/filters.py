"""What a query of a document store asks for, as far as its filter is written out where it is asked."""

from counterproof.analysis.outline.words import vocabulary, words
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import calls

_SECRETS = vocabulary("password pass passwd pwd token secret code otp pin hash key apikey session reset")
_SCRIPT = "$"


def is_filter_without_secret(module: ir.Module, line: int, end: int) -> bool:
    """Whether a call in these lines gives a mapping whose keys the code names, none of them a secret or an operator. A filter
    that is made elsewhere may be anything."""
    given = [each.arguments[0].value for each in calls(module) if line <= each.line <= end and each.arguments]
    filters = [each for each in given if isinstance(each, ir.Mapping)]
    keys = [key for each in filters for key, _ in each.entries]
    return bool(keys) and all(
        isinstance(key, ir.Const)
        and isinstance(key.value, str)
        and not key.value.startswith(_SCRIPT)
        and not _SECRETS.intersection(words(key.value))
        for key in keys
    )

"""Words for passwords, and comparisons of two fields of a form."""

from counterproof.analysis.program.words import vocabulary, words_in
from counterproof.analysis.syntax.ir import Compare

PASSWORDS = vocabulary("password passwd pwd passphrase")
_FORMS = vocabulary("confirm confirmation again repeat repeated password2 retype new old current password1")


def is_form_check(compare: Compare) -> bool:
    """A comparison of two fields of one form."""
    return bool(words_in(*compare.operands) & _FORMS)

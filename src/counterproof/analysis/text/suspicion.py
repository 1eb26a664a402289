"""Whether a text of the target speaks to a model, in plain words, in an encoding, or in characters that nobody sees (X1, X4,
X5).

Invariant: bounded work; a suspicion names a line and what it rests on. It is a remark for the report and a reason to discount
what an agent says in the code's favour; it never hides the text and never stops a run.
"""

from dataclasses import dataclass

from counterproof.analysis.text.encodings import decoded
from counterproof.analysis.text.hidden import Hidden, visible
from counterproof.protocols.guard.injection import addresses_model, possible

MAX_SUSPICIONS = 20
_TELLING = {Hidden.TAG: 1, Hidden.BIDI: 1, Hidden.VARIATION: 24, Hidden.ZERO_WIDTH: 12}
"""How many hidden characters of a class are more than typography."""


@dataclass(frozen=True, slots=True)
class Suspicion:
    """One remark. `how` is the encoding or the class of characters; '' for plain text."""

    line: int
    what: str
    how: str = ""

    def __str__(self) -> str:
        return f"{self.what} ({self.how})" if self.how else self.what


def suspicions(text: str, most: int = MAX_SUSPICIONS) -> tuple[Suspicion, ...]:
    """What in a text should make its reader wary, in order of line."""
    plain = addresses_model(text)
    found = {Suspicion(sign.line, sign.kind.value): None for sign in plain}
    kinds = {sign.kind for sign in plain}
    for each in decoded(text):
        if possible(each.text):
            signs = [sign for sign in addresses_model(each.text) if each.line or sign.kind not in kinds]
            found.update({Suspicion(each.line or sign.line, sign.kind.value, each.encoding): None for sign in signs})
    shown = visible(text)
    found.update({_hidden(text, kind): None for kind, count in shown.found if count >= _TELLING.get(kind, 1 << 30)})
    return tuple(sorted(found, key=lambda each: (each.line, each.what, each.how))[:most])


def _hidden(text: str, kind: Hidden) -> Suspicion:
    number = next((number for number, line in enumerate(text.split("\n"), 1) if kind in dict(visible(line).found)), 1)
    return Suspicion(number, "holds characters that nobody sees", kind.value)

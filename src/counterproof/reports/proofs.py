"""A proof in words: its facts, its open points and the considered guards (A55).

Rendered only from the typed proof and never parsed back. Every text may contain words of the reviewed code: the caller makes
it inert.
"""

from typing import Final

from counterproof.model.counting import counted
from counterproof.model.proof import Assumption, Guess, Part, Proof

_OPEN: Final = {
    Guess.NAME: "{about} is recognised by its name only",
    Guess.UNRESOLVED_CALL: "a call was not resolved ({about})",
    Guess.UNKNOWN_RECEIVER: "the type that {about} is called on is not known",
    Guess.UNKNOWN_CALLER: "no caller was found that passes untrusted data ({about})",
    Guess.UNKNOWN_AUTHOR: "who writes {about} is not known",
    Guess.INTENDED_USE: "callers may rely on {about}",
    Guess.OWN_CALLERS: "only the program itself may pass {about}",
    Guess.UNKNOWN_REACH: "who can reach it is not known ({about})",
    Guess.BROKEN_FLOW: "the data was not followed all the way ({about})",
    Guess.UNSEEN_SETTING: "the deployment may set {about} to something else",
    Guess.UNSEEN_GUARD: "a guard was not understood ({about})",
    Guess.UNKNOWN_USE: "what it is used for is not known ({about})",
    Guess.FILE_ROLE: "the file may not run in production ({about})",
    Guess.MISSING_PART: "the proof has no {about}",
    Guess.REFUTED_FACT: "the source does not have the stated {about}",
    Guess.NO_ANALYST: "no analyst reads {about}",
    Guess.NO_SIBLING: "no similar entry point uses this guard",
    Guess.MEANT_OPEN: "this may be intended ({about})",
    Guess.OUTER_GUARD: "a guard outside the code may protect {about}",
}
"""The wording of each open point, for readers to act on."""


def facts(proof: Proof) -> tuple[str, ...]:
    """Every fact with its role; refuted ones are marked."""
    advisory = (f"advisory {proof.advisory}",) if proof.advisory else ()
    return (*(_link(link.part, str(link.fact), link.fact in proof.refuted) for link in proof.links), *advisory)


def _link(part: Part, fact: str, refuted: bool) -> str:
    return f"{part.value}: {fact}" + (" (NOT in the source)" if refuted else "")


def assumptions(proof: Proof) -> tuple[str, ...]:
    """Every open point, with its line."""
    return tuple(f"{_open(each)}{f' at {each.at}' if each.at else ''}" for each in proof.open_points)


def _open(each: Assumption) -> str:
    return _OPEN[each.guess].format(about=each.about or "this")


def guards(proof: Proof) -> tuple[str, ...]:
    return tuple(f"{each.name}{f' at {each.at}' if each.at else ''}: {each.verdict.value}" for each in proof.guards)


def standing(proof: Proof) -> str:
    """The state of the proof in a few words."""
    if not proof.checked:
        return "stated, not checked"
    checked = f"{counted(len(proof.links), 'fact')} checked against the source"
    return f"{checked}, nothing open" if proof.whole else f"{checked}, {counted(len(proof.open_points), 'point')} open"

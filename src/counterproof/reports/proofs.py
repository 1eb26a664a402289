"""A proof in words: its facts, what it assumes, the guards that were considered, and what would make the finding false (A55).

Rendered from the typed proof and from nothing else; nothing here is ever read back. Every text may hold words of the reviewed
code: whoever prints it makes it inert.
"""

from typing import Final

from counterproof.model.proof import Assumption, Guess, Part, Proof, Shape, Verdict

_OTHERWISE: Final = {
    Guess.NAME: "{about} is not what its name says",
    Guess.UNRESOLVED_CALL: "the call on the way ({about}) does not hand the data on, or makes it harmless",
    Guess.UNKNOWN_RECEIVER: "{about} is called on something else than its name suggests",
    Guess.UNKNOWN_AUTHOR: "{about} comes only from those who are trusted",
    Guess.INTENDED_USE: "callers know what becomes of {about} and check it themselves",
    Guess.UNKNOWN_CALLER: "no caller passes untrusted data for {about}",
    Guess.UNKNOWN_REACH: "nobody but trusted people gets there ({about})",
    Guess.BROKEN_FLOW: "the data does not get from one end to the other ({about})",
    Guess.UNSEEN_SETTING: "the deployment sets {about} otherwise",
    Guess.MEANT_OPEN: "everybody who gets there is meant to ({about})",
    Guess.UNSEEN_GUARD: "a guard outside the code stands in front of {about}",
    Guess.UNKNOWN_USE: "nothing uses the value ({about})",
    Guess.FILE_ROLE: "the file never runs for users ({about})",
    Guess.MISSING_PART: "there is no {about}",
    Guess.REFUTED_FACT: "the code does not do what was stated ({about})",
    Guess.NO_ANALYST: "the code means something else than it looks like ({about})",
}
_PIVOT: Final = {
    Shape.FLOW: (Part.ENTRY, "what comes in at {at} is not the sender's to choose"),
    Shape.MISSING_GUARD: (Part.SINK, "what is done at {at} is meant for everybody who gets there"),
    Shape.STORED_VALUE: (Part.USE, "what is done with the value at {at} opens nothing for anybody"),
    Shape.KNOWN_FLAW: (Part.PACKAGE, "the package that {at} names is never installed where the program runs"),
}
"""The fact that a finding of a shape turns on, and what it would have to mean instead."""
_NO_DEFENCE: Final = {
    Shape.FLOW: "something outside the code that was read, such as a proxy, makes the data harmless",
    Shape.MISSING_GUARD: "something outside the code that was read, such as a gateway, asks for what is missing here",
    Shape.STORED_VALUE: "the deployment replaces the value",
    Shape.KNOWN_FLAW: "the affected part of the package is never used",
}


def facts(proof: Proof) -> tuple[str, ...]:
    """Every fact with its part; a refuted one says so."""
    advisory = (f"advisory {proof.advisory}",) if proof.advisory else ()
    return (*(_link(link.part, str(link.fact), link.fact in proof.refuted) for link in proof.links), *advisory)


def _link(part: Part, fact: str, refuted: bool) -> str:
    return f"{part.value}: {fact}" + (" (NOT borne out by the source)" if refuted else "")


def assumptions(proof: Proof) -> tuple[str, ...]:
    return tuple(f"{each}{f' at {each.at}' if each.at else ''}" for each in proof.open_points)


def guards(proof: Proof) -> tuple[str, ...]:
    return tuple(f"{each.name}{f' at {each.at}' if each.at else ''}: {each.verdict.value}" for each in proof.guards)


def standing(proof: Proof) -> str:
    """In a few words what the proof is worth."""
    if not proof.checked:
        return "stated, not checked"
    facts_ = f"{len(proof.links)} facts checked against the source"
    return f"whole: {facts_}, nothing assumed" if proof.whole else f"open: {facts_}, {len(proof.open_points)} left open"


def false_if(proof: Proof) -> tuple[str, ...]:
    """What would have to be true for the finding to be false. The first ones are the cheapest to look at."""
    doubts = [_otherwise(each) for each in proof.open_points]
    looked_for = [each.name for each in proof.guards if each.verdict is Verdict.ABSENT]
    doubts += [f"{name} stands where it was not looked for" for name in looked_for]
    part, otherwise = _PIVOT[proof.shape]
    turning = [otherwise.format(at=link.fact.at) for link in proof.links if link.part is part][:1]
    return tuple(dict.fromkeys((*doubts, *turning, _NO_DEFENCE[proof.shape])))


def _otherwise(each: Assumption) -> str:
    return _OTHERWISE[each.guess].format(about=each.about or "this")

"""Tells the model which parts of a result the engine would reject, before the result is accepted (A29, A55, A59).

Invariant: a rejection names the entry, the reason and what would be accepted; the text at the cited lines is data, separate
from our words, in the form shown to the model. Nothing is decided here: the protocol judges whatever is submitted next.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from counterproof.model.contract import AgentReply
from counterproof.model.fact import Fact, Operation
from counterproof.model.finding import Finding
from counterproof.model.location import Location
from counterproof.toolbox.witnessed import WitnessedTools

MAX_TOLD = 40
MAX_SHOWN = 10
"""Places whose text is shown."""
_AROUND = 2

_ACCEPTED = {
    "the file is not part of the reviewed code": "name a path as `glob` lists it",
    "the agent never read the file": "read it with `read` first, or leave the finding out",
    "the lines do not exist": "name lines that the file has",
    "the quoted evidence is not in those lines": (
        "quote up to three of these lines as they are shown below, without their numbers, and with every ‹…› as it stands; or "
        "name the lines that hold the quote"
    ),
    "test code is only reviewed for cryptography and configuration": "leave the finding out",
}


@dataclass(slots=True)
class Advice:
    """The expected rejections. `refused` are entries of the result that would be rejected, `named` those of which a part would
    be; `lines` is the text at the locations concerned."""

    problems: tuple[str, ...] = ()
    lines: str = ""
    refused: tuple[str, ...] = ()
    named: tuple[str, ...] = ()


def refused(toolbox: WitnessedTools, reply: AgentReply, kept: Sequence[int]) -> Advice:
    """Problems of a reply's findings and reasons, with the relevant lines. `kept`: the findings' numbers as handed in."""
    problems: list[str] = []
    places: list[Location] = []
    gone: list[str] = []
    named: list[str] = []
    for number, (finding, why) in enumerate(zip(reply.findings, toolbox.refusals(reply), strict=True)):
        if len(problems) >= MAX_TOLD:
            break
        entry = f"findings[{kept[number] if number < len(kept) else number}]"
        where = f"{entry} ({finding.location})"
        if why:
            problems.append(f"{where} would be refused: {why}; {_ACCEPTED.get(why, 'correct it or leave it out')}.")
            places.append(finding.location)
            gone.append(entry)
        elif hops := _hops(toolbox, finding, places):
            problems += [f"{where}: {each}" for each in hops]
            named.append(entry)
    for judgement in reply.judgements:
        for name, step in zip(("flow", "defence", "reach", "impact"), judgement.validation.steps, strict=True):
            if step.fact and not toolbox.bears_out(step.fact):
                problems.append(f"judgement of {judgement.finding_id}, {name}: {_untrue(toolbox, step.fact)}")
                places.append(step.fact.at)
    shown = list(dict.fromkeys(places))[:MAX_SHOWN]
    said = tuple(problems[:MAX_TOLD])
    return Advice(said, "\n".join(_lines(toolbox, place) for place in shown), tuple(gone), tuple(named))


def _hops(toolbox: WitnessedTools, finding: Finding, places: list[Location]) -> list[str]:
    """Facts of a stated flow that the source contradicts."""
    facts = [link.fact for link in finding.proof.links] if finding.proof else []
    wrong = [fact for fact in facts if not toolbox.bears_out(fact) and not _mentioned(toolbox, fact)]
    places += [fact.at for fact in wrong]
    return [f"flow: {_untrue(toolbox, fact)}" for fact in wrong]


def _mentioned(toolbox: WitnessedTools, fact: Fact) -> bool:
    """True for a word that its lines hold: no proof of a step, and nothing to write anew."""
    at = fact.at
    return fact.operation is Operation.MENTION and any(
        fact.symbol in text for _, text in toolbox.as_shown(at.path, at.start, at.end)
    )


def _untrue(toolbox: WitnessedTools, fact: Fact) -> str:
    there = toolbox.operations_at(fact.at)
    said = f"{fact.operation.value} {fact.symbol}".strip()
    if not there:
        return f"the program sees no `{said}` at {fact.at}, and nothing else there that can be cited; name another line."
    return f"the program sees no `{said}` at {fact.at}; what it sees there is listed below, name one of these or another line."


def _lines(toolbox: WitnessedTools, place: Location) -> str:
    rows = [f"{place.path}, around {place.start}"]
    rows += [f"{number} {text}" for number, text in toolbox.as_shown(place.path, place.start - _AROUND, place.end + _AROUND)]
    there = toolbox.operations_at(place)
    return "\n".join([*rows, *([f"  in line {place.start}: {', '.join(there)}"] if there else [])])

"""A model writes a patch for one finding (R32): the context shown to it, its contract, and its number of tries. Invariant: the
caller judges a patch, never the model; a rejected patch is returned with the reason as often as a result may be corrected,
then abandoned."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Annotated

from pydantic import StringConstraints, ValidationError

from counterproof.agents import roles
from counterproof.agents.context import assembled
from counterproof.agents.context.pack import Room
from counterproof.agents.context.sections import Piece, Section, Shown
from counterproof.agents.models.channel import Channel, ToolCall
from counterproof.agents.models.contract_text import Short, Strict
from counterproof.agents.models.faults import ModelFailed
from counterproof.agents.models.loop import MAX_REPAIRS, Part, Result, converse, own_fields
from counterproof.agents.models.schemas import schema_text
from counterproof.agents.models.talk import Asked, Talk
from counterproof.agents.models.tuning import Tuning
from counterproof.analysis.project import Project
from counterproof.analysis.remediation.diffs import MAX_DIFF
from counterproof.analysis.secrets.outgoing_text import safe_text
from counterproof.model.location import Location
from counterproof.model.misfits import in_plain_words
from counterproof.protocols.guard.isolation import Category
from counterproof.protocols.guard.provenance import marker_of
from counterproof.toolbox.refusal import ToolRefused

AROUND = 80
"""The lines of a long file shown before and after a location."""
_WHOLE = 400
_AGAIN = "The patch was tried on a copy and is not accepted. Hand in another one, against the files as they were shown:"


class WireFix(Strict):
    """The result that a model submits."""

    marker: Short
    agent_id: Short
    iteration: int
    patch: Annotated[str, StringConstraints(max_length=MAX_DIFF)]
    reason: Annotated[str, StringConstraints(max_length=1_000)] = ""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A finding to fix: its description, and the locations whose files are shown."""

    number: str
    text: str
    places: tuple[Location, ...]


Objection = Callable[[str], tuple[str, str]]
"""Why a diff is rejected, in our words and in text of the target; both '' if it is accepted."""


class _Fix(Part[str]):
    def __init__(self, wanted: Wanted, objection: Objection) -> None:
        self._wanted, self._objection = wanted, objection
        self._turns = 0

    def turn(self) -> bool:
        self._turns += 1
        if self._turns > MAX_REPAIRS + 4:
            raise ToolRefused("no turn is left")
        return False

    def served(self, call: ToolCall) -> tuple[Category, str]:
        raise ToolRefused("there are no tools")

    def result(self, talk: Talk, text: str, cut: bool) -> Result[str]:
        try:
            fix = WireFix.model_validate(own_fields(talk, text, cut, self._wanted.number, 1))
        except ValidationError as error:
            return Result(
                None, tuple(f"{'.'.join(map(str, each['loc']))}: {in_plain_words(each['msg'])}" for each in error.errors())
            )
        if not fix.patch.strip():
            raise ModelFailed(f"the model has no patch: {fix.reason}" if fix.reason else "the model has no patch")
        words, data = self._objection(fix.patch)
        return Result(None if words else fix.patch, (words,) if words else (), data, _AGAIN)

    def settled(self, result: Result[str]) -> str:
        if result.reply is None:
            raise ModelFailed(f"{result.problems[0]}{f' ({result.data})' if result.data else ''}")
        return result.reply


async def fix_of(channel: Channel, wanted: Wanted, project: Project, tuning: Tuning, objection: Objection) -> str:
    """A diff without objections. Raises `ModelFailed` and the channels' errors."""
    room = Room(0, tuning.opening)
    shown = Section("The finding:", Category.CLAIMS, (Piece(wanted.text),), 90)
    pack = assembled((shown, *_code(project, wanted.places)), room)
    asked = Asked(
        f"fix-{wanted.number}",
        1,
        roles.fix_conduct(),
        (),
        schema_text(WireFix.model_json_schema()),
        roles.fix_prompt(),
        (f"You are `agent_id` {wanted.number}, `iteration` 1.",),
        tuning=tuning,
    )
    talk = Talk(asked, pack, lambda opening: marker_of(asked.task, wanted.number, opening))
    return await converse(channel, talk, _Fix(wanted, objection))


def _code(project: Project, places: Iterable[Location]) -> Iterator[Section]:
    """The files at the locations, whole or around each location, without secrets."""
    by_path: dict[str, list[Location]] = {}
    for place in places:
        if place.path in project.files:
            by_path.setdefault(place.path, []).append(place)
    for path, here in by_path.items():
        lines = safe_text(project, path).split("\n")
        wanted = {number for place in here for number in range(place.start - AROUND, place.end + AROUND + 1)}
        if len(lines) <= _WHOLE:
            wanted = set(range(1, len(lines) + 1))
        yield Section(f"{path}:", Category.CODE, tuple(_pieces(path, lines, wanted)), 80)


def _pieces(path: str, lines: list[str], wanted: set[int]) -> Iterator[Piece]:
    numbers = sorted(each for each in wanted if 0 < each <= len(lines))
    starts = [each for each in numbers if each - 1 not in wanted]
    for start in starts:
        end = next(each for each in range(start, len(lines) + 1) if each + 1 not in wanted or each == len(lines))
        text = "\n".join([f"lines {start} to {end} of {path}:", *lines[start - 1 : end]])
        yield Piece(text, shows=(Shown(path, start, end),))

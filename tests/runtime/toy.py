"""A machine small enough to see through: it asks several questions at once, then one about all the answers."""

import asyncio
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from counterproof.ports import Emit


@dataclass(frozen=True)
class Begin:
    questions: tuple[str, ...]
    kind: str = "begin"


@dataclass(frozen=True)
class Answered:
    answers: str
    value: str
    kind: str = "answered"


@dataclass(frozen=True)
class Ask:
    id: str
    text: str


@dataclass(frozen=True)
class State:
    open: tuple[str, ...] = ()
    given: tuple[tuple[str, str], ...] = ()
    ended: bool = False


class ToyMachine:
    """Every answer is narrated as a marker."""

    def initial(self) -> State:
        return State()

    def step(self, state: State, event: Any) -> tuple[State, tuple[Ask, ...]]:
        if isinstance(event, Begin):
            asks = tuple(Ask(f"ask/{number}", text) for number, text in enumerate(event.questions, 1))
            return State(tuple(each.id for each in asks)), asks
        left = tuple(each for each in state.open if each != event.answers)
        given = (*state.given, (event.answers, event.value))
        if event.answers == "sum":
            return State(left, given, True), ()
        if left:
            return State(left, given), ()
        whole = "+".join(value for _, value in sorted(given))
        return State(("sum",), given), (Ask("sum", whole),)

    def outstanding(self, state: State) -> tuple[str, ...]:
        return state.open

    def narrated(self, state: State) -> tuple[str, ...]:
        return tuple(f"{name}: {value}" for name, value in state.given)

    def ended(self, state: State) -> bool:
        return state.ended

    def encode(self, event: Any) -> str:
        return json.dumps(asdict(event), sort_keys=True)

    def decode(self, body: str) -> Any:
        fields = json.loads(body)
        return Begin(tuple(fields["questions"])) if fields["kind"] == "begin" else Answered(**fields)


class ToyExecutor:
    """Answers in capitals and remembers what it was asked; `special` takes over for some questions."""

    def __init__(self, special: dict[str, Callable[[], Any]] | None = None) -> None:
        self.special = special or {}
        self.asked: list[str] = []

    async def execute(self, command: Ask, emit: Emit) -> None:
        self.asked.append(command.id)
        if command.id in self.special:
            result = self.special[command.id]()
            if asyncio.iscoroutine(result):
                await result
        await emit(Answered(command.id, command.text.upper()))


class Quiet:
    def narrate(self, text: str) -> None:
        pass

    def progress(self, who: str, text: str) -> None:
        pass

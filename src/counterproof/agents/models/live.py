"""A channel to a real model: reserve, wait for a turn, send, store the raw reply, then parse it, settle.

Invariant: a received reply is stored before anything parses it, and is never requested again, even after a restart; every try
is reserved before it is sent and settled or released after it; an unreadable reply takes a number of its own, so that the next
try is a different question to the store. Nothing is sent while a circuit is open: the server's, opened by an outage, or the
channel's own, opened by repeated refusals (F21).
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from random import Random
from typing import TYPE_CHECKING

from counterproof.agents.models.bridge import exchanging
from counterproof.agents.models.channel import UNREVIEWED, Answer, Finish, Question
from counterproof.agents.models.circuit import Circuit
from counterproof.agents.models.dialect import Read, SchemaMode, converse, enforces, schema_mode
from counterproof.agents.models.exchange import Exchange, Line
from counterproof.agents.models.faults import BudgetExhausted, ChannelFailed, FaultKind, WireFault
from counterproof.agents.models.keys import Key, mending
from counterproof.agents.models.pacing import Pacer
from counterproof.agents.models.providers import ModelName
from counterproof.agents.models.purse import Purse, charged_usage
from counterproof.agents.models.replies import opened
from counterproof.agents.models.retrying import OUTAGES, REFUSALS, Patience, Tries
from counterproof.agents.models.sizing import Counted, Scale, expected, input_bound
from counterproof.agents.models.traffic import Incoming
from counterproof.agents.models.transport import Connection
from counterproof.model.budget import Tariff, Usage
from counterproof.model.canonical import digest
from counterproof.ports import ReplyKey, ReplyStore

if TYPE_CHECKING:
    from pydantic_ai.models import Model


def _now() -> float:
    return asyncio.get_running_loop().time()


def _mark(place: ReplyKey) -> str:
    """The identifier of a question in the budget shared by runs."""
    return f"{place.task}/{place.attempt}/{place.step}/{place.request}"


@dataclass(frozen=True, slots=True)
class Terms:
    """Settings shared by all channels of a run; `circuits` are by server. `notice` is called with "before send", "after send",
    "reply received" and "reply kept"."""

    replies: ReplyStore
    purse: Purse
    patience: Patience = field(default_factory=Patience)
    chance: Random = field(default_factory=Random)
    notice: Callable[[str], None] = lambda _: None
    circuits: dict[str, Circuit] = field(default_factory=dict[str, Circuit])


class LiveChannel:
    """Asks one model of one provider. Created by `opening.open_channel`."""

    def __init__(
        self, name: ModelName, library: "Model", connection: Connection, key: Key, tariff: Tariff | None, terms: Terms
    ) -> None:
        self._name = name
        self._library = library
        self._key = key
        self._schema = name.provider.schema
        self._tariff = tariff
        self._terms = terms
        self._pacer = Pacer(longest=terms.patience.longest)
        self._line = Line(name.provider.family, connection, terms.replies, self._pacer, terms.notice)
        self._outage = terms.circuits.setdefault(connection.origin, Circuit(terms.patience.probe))
        self._refusals = Circuit(terms.patience.probe)
        self._counted: dict[tuple[str, int], Counted] = {}
        self._scale = Scale()

    @property
    def model(self) -> str:
        return str(self._name)

    @property
    def schema_mode(self) -> SchemaMode:
        """How the model is bound to the schema of the result, given what the provider has accepted so far."""
        return schema_mode(self._library, self._schema)

    @property
    def priced(self) -> bool:
        """True if the model's price is known."""
        return self._tariff is not None

    async def close(self) -> None:
        await self._line.connection.close()

    async def ask(self, question: Question) -> Answer:
        tries = Tries(self.model, self._terms.patience, self._terms.chance, mending(self._name, self._key))
        began, received = _now(), 0
        while True:
            place = self._place(question, received)
            stored = self._terms.replies.find(place)
            try:
                if stored is not None:
                    return await self._replay(question, place, opened(stored))
                self._admit(question)
                answer = await self._send(question, place)
                self._record(answer)
                return answer
            except WireFault as fault:
                if fault.kind is FaultKind.SCHEMA_REFUSED and enforces(self._library, question, self._schema):
                    self._schema = replace(self._schema, native=False)
                    self._terms.notice(f"{self.model} refused the schema of the answer; asked without it: {self._cleaned(fault)}")
                    continue
                delay = self._delay(tries, fault, began)
            if stored is not None or self._terms.replies.find(place) is not None:
                received += 1
            if stored is None:
                await asyncio.sleep(delay)

    def _admit(self, question: Question) -> None:
        """Raises `ChannelFailed` if a circuit is open. A conversation with earlier answers is not affected by refusals of
        other questions."""
        if not any(each.role == "assistant" for each in question.messages):
            self._refusals.admit(_now())
        self._outage.admit(_now())

    def _record(self, answer: Answer) -> None:
        self._outage.record_answer(_now())
        if refused := UNREVIEWED.get(answer.finish):
            self._refusals.record_refusal(ChannelFailed(FaultKind.REFUSED, f"{self.model}: {refused}"), _now())
        else:
            self._refusals.record_answer(_now())

    def _delay(self, tries: Tries, fault: WireFault, began: float) -> float:
        """Seconds to wait before the next try. A fault that ends the question may open a circuit."""
        if fault.kind in OUTAGES:
            self._outage.record_try(_now())
        try:
            return tries.after(self._cleaned(fault))
        except ChannelFailed as failure:
            if failure.kind in OUTAGES:
                self._outage.record_outage(failure, began, _now())
            elif failure.kind in REFUSALS:
                self._refusals.record_refusal(failure, _now())
            raise

    def _place(self, question: Question, received: int) -> ReplyKey:
        asked = digest(f"{question.digest(self.model)}\n{received}")
        return ReplyKey(question.task, question.attempt, question.step, asked)

    def _cleaned(self, fault: WireFault) -> WireFault:
        return WireFault(
            fault.kind, self._key.hides(str(fault)), billed=fault.billed, retry_after=fault.retry_after, took=fault.took
        )

    async def _replay(self, question: Question, place: ReplyKey, stored: Incoming) -> Answer:
        """Parse a stored reply again. It was paid for in an earlier process, so it counts against the run's budget."""
        bound = self._bound(question)
        try:
            read = await self._through(question, Exchange(self._line, place, stored))
        except WireFault as fault:
            if fault.billed:
                self._charge(question, Usage(bound, question.max_output, ours=True), place)
            raise
        usage = charged_usage(read.usage, bound, question.max_output)
        self._charge(question, usage, place)
        return self._answer(question, read, usage, replayed=True)

    def _charge(self, question: Question, usage: Usage, place: ReplyKey) -> None:
        self._terms.purse.charge(question.task, usage, self._tariff, _mark(place))

    async def _send(self, question: Question, place: ReplyKey) -> Answer:
        bound = self._bound(question)
        purse = self._terms.purse
        most_in, mark = self._scale.applied(bound), _mark(place)
        hold, allowed = await purse.reserved(question.task, most_in, question.max_output, self._tariff, mark)
        wanted, question = question.max_output, replace(question, max_output=allowed)
        most = Usage(bound, allowed, ours=True)
        exchange = Exchange(self._line, place)
        try:
            async with self._pacer.turn(expected(question)) as turn:
                exchange.turn = turn
                while wait := purse.wait():
                    await asyncio.sleep(wait)
                read = await self._through(question, exchange)
        except BaseException as error:
            if error.billed if isinstance(error, WireFault) else exchange.sent:
                purse.settle(hold, most, self._tariff)
            else:
                purse.release(hold)
            raise
        usage = charged_usage(read.usage, bound, question.max_output)
        if not usage.ours:
            self._scale.measured(bound, usage.input)
            self._pacer.measured(expected(question), usage.total)
        purse.settle(hold, usage, self._tariff)
        if read.finish is Finish.LENGTH and allowed < wanted:
            raise BudgetExhausted("the answer is longer than the rest of the budget allows", "raise the budget and resume", False)
        return self._answer(question, read, usage, replayed=False)

    def _bound(self, question: Question) -> int:
        return input_bound(question, self._counted.get((question.task, question.attempt)))

    def _answer(self, question: Question, read: Read, usage: Usage, replayed: bool) -> Answer:
        if not usage.ours:
            self._counted[question.task, question.attempt] = Counted(question, usage.input)
        return Answer(read.text, read.calls, read.finish, usage, read.model or self.model, replayed, read.thoughts)

    async def _through(self, question: Question, exchange: Exchange) -> Read:
        """Let the provider's library make the request and parse the reply; errors are replaced by our own."""
        async with exchanging(exchange.run):
            try:
                return await converse(self._library, question, self._schema)
            except Exception as error:
                if exchange.error is not None:
                    raise exchange.error from error
                said = f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
                if exchange.done:
                    raise WireFault(FaultKind.MALFORMED, f"the reply cannot be understood: {said}", billed=True) from error
                raise WireFault(FaultKind.BAD_REQUEST, f"the question cannot be put: {said}") from error

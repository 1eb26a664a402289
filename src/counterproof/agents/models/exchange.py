"""One request of a provider's library: answered from the store, or sent and stored before the reply is parsed.

Invariant: each exchange sends at most one request; a 2xx reply is on disk before it is judged; a reply already received for
another question is rejected for this one (F12). Errors are recorded here, because libraries wrap exceptions of a transport.
"""

import asyncio
import hashlib
import time
from collections.abc import Callable
from dataclasses import replace

from counterproof.agents.models import statuses, wire
from counterproof.agents.models.faults import FaultKind, WireFault
from counterproof.agents.models.pacing import Pacer, Turn
from counterproof.agents.models.replies import packed
from counterproof.agents.models.traffic import Incoming, Outgoing
from counterproof.agents.models.transport import Connection
from counterproof.agents.models.wire import Family
from counterproof.ports import ReplyKey, ReplyStore

ECHO = "x-client-request-id"


class Line:
    """The state shared by the exchanges of one channel."""

    def __init__(
        self, family: Family, connection: Connection, replies: ReplyStore, pacer: Pacer, notice: Callable[[str], None]
    ) -> None:
        self.family = family
        self.connection = connection
        self.replies = replies
        self.pacer = pacer
        self.notice = notice
        self._owners: dict[str, tuple[str, int, int]] = {}

    def claim(self, reply: Incoming, place: ReplyKey) -> bool:
        """True if no earlier reply had the same bytes, or if it answered this very question.

        Only replies with an id are compared: without one, two short answers may legitimately be equal.
        """
        if not wire.reply_id(reply.body):
            return True
        owner = (place.task, place.attempt, place.step)
        return self._owners.setdefault(hashlib.sha256(reply.body).hexdigest(), owner) == owner


class Exchange:
    """Used by the bridge for one try. `stored` is a reply received earlier; `sent`: the request was sent; `done`: the library got
    a complete reply."""

    def __init__(self, line: Line, place: ReplyKey, stored: Incoming | None = None) -> None:
        self._line = line
        self._place = place
        self._stored = stored
        self.echo = place.request[:32]
        self.turn: Turn | None = None
        self.asked = False
        self.sent = False
        self.done = False
        self.error: Exception | None = None

    async def run(self, outgoing: Outgoing) -> Incoming:
        """The reply to the library's request."""
        try:
            if self.asked:
                raise WireFault(FaultKind.MALFORMED, "the provider's library wanted to ask twice", billed=True)
            self.asked = True
            reply = self._stored or await self._fetch(outgoing)
            wire.judge(self._line.family, reply.body)
            self._check_owner(reply)
        except Exception as error:
            self.error = error
            raise
        self.done = True
        return reply

    async def _fetch(self, outgoing: Outgoing) -> Incoming:
        self._line.notice("before send")
        marked = replace(outgoing, headers=(*outgoing.headers, (ECHO, self.echo)))
        began = asyncio.get_running_loop().time()
        try:
            reply = await self._line.connection.send(marked, self._note_sent)
        except WireFault as fault:
            fault.took = asyncio.get_running_loop().time() - began
            raise
        self._line.notice("reply received")
        fault = statuses.fault_of(reply, time.time())
        if fault is None:
            self._line.replies.keep(self._place, packed(reply))
            self._line.notice("reply kept")
        if self.turn is not None:
            self._tell_pacer(self.turn, reply, fault)
        if fault is not None:
            raise fault
        return reply

    def _note_sent(self) -> None:
        self.sent = True
        self._line.notice("after send")

    def _tell_pacer(self, turn: Turn, reply: Incoming, fault: WireFault | None) -> None:
        if fault is None:
            self._line.pacer.accepted(turn, reply)
        elif fault.kind in (FaultKind.RATE_LIMITED, FaultKind.OVERLOADED):
            self._line.pacer.refused(turn, reply, fault.retry_after)

    def _check_owner(self, reply: Incoming) -> None:
        echoed = reply.header(ECHO)
        if (echoed and echoed != self.echo) or not self._line.claim(reply, self._place):
            raise WireFault(FaultKind.FOREIGN, "the reply belongs to another question", billed=True)

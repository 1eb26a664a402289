"""A provider that misbehaves on purpose, over real HTTP on loopback: OpenAI chat completions, OpenAI responses and
Anthropic messages.

A fault is a function of the question: agent, step and attempt, seeded where chance is wanted. The server keeps every request
with its hash and body, enforces requests and tokens per minute, counts true tokens, and never reaches out.

    async with FaultServer(brain=lambda asked: Says("hello"), fault=lambda asked: Move(status=503)) as server:
        ... server.url, server.log, server.spent
    with threaded(FaultServer(...)) as server: ...          for clients in other processes
"""

import asyncio
import hashlib
import json
import re
import ssl
import struct
import threading
from collections import Counter
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from email.utils import formatdate
from socket import SO_LINGER, SOL_SOCKET
from typing import Any

from faults.caching import PrefixCache
from faults.limiting import Limiter
from faults.speech import Says, anthropic_body, count, openai_body, responses_body

_AGENT = re.compile(r"agent[:=] ?([\w./#-]{1,80})")
_WIRES = {"messages": "anthropic", "responses": "responses"}
_MAKERS = {"openai": openai_body, "responses": responses_body, "anthropic": anthropic_body}
EPOCH = 1_700_000_000
"""What the server's clock says at loop time 0."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One request as the server saw it."""

    number: int
    wire: str
    path: str
    headers: dict[str, str]
    body: dict[str, Any]
    raw: bytes
    digest: str
    agent: str
    step: int
    attempt: int
    tokens: int
    at: float


@dataclass(frozen=True, slots=True)
class Move:
    """What goes wrong. Bytes are counted in the body; `framing` is length, chunked or close."""

    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes | None = None
    edit: Callable[[bytes], bytes] | None = None
    framing: str = "length"
    cut: int | None = None
    stall: int | None = None
    drip: float | None = None
    hang: bool = False
    reset: bool = False
    cut_headers: bool = False


Brain = Callable[[Asked], Says]
Fault = Callable[[Asked], Move | None]


def refusal(status: int, kind: str = "error", message: str = "no", **headers: str) -> Move:
    """An error status as providers write it; `retry_after="3"` becomes a header."""
    body = json.dumps({"type": "error", "error": {"type": kind, "code": kind, "message": message}}).encode()
    named = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return Move(status=status, headers=named, body=body)


@dataclass(slots=True)
class FaultServer:
    brain: Brain = lambda asked: Says()
    fault: Fault = lambda asked: None
    limiter: Limiter | None = None
    think: float = 0.0
    tls: ssl.SSLContext | None = None
    cache: PrefixCache | None = None
    log: list[Asked] = field(default_factory=list)
    spent: int = 0
    refused: int = 0
    answered: int = 0
    faults: list[str] = field(default_factory=list)
    port: int = 0
    _server: asyncio.Server | None = None
    _counts: Counter[str] = field(default_factory=Counter)

    @property
    def url(self) -> str:
        return f"{'https' if self.tls else 'http'}://127.0.0.1:{self.port}"

    async def __aenter__(self) -> "FaultServer":
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=self.tls)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server
        self._server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await self._one(reader, writer):
                pass
        except (OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """One request and its reply; whether the connection lives on."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        line, *rows = head.rstrip().split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (row.partition(":") for row in rows)}
        raw = await reader.readexactly(int(headers.get("content-length", "0")))
        asked = self._note(line.split(" ")[1], headers, raw)
        return await self._answer(asked, writer)

    def _note(self, path: str, headers: dict[str, str], raw: bytes) -> Asked:
        body: dict[str, Any] = json.loads(raw or b"{}")
        digest = hashlib.sha256(raw).hexdigest()
        self._counts[digest] += 1
        messages: list[dict[str, Any]] = body.get("messages") or body.get("input") or []
        text = json.dumps([body.get("system") or body.get("instructions"), messages, body.get("tools")], ensure_ascii=False)
        found = _AGENT.search(text)
        step = 1 + sum(message.get("role") == "assistant" for message in messages)
        wire = _WIRES.get(path.rsplit("/", 1)[-1], "openai")
        now = asyncio.get_running_loop().time()
        agent = found[1] if found else ""
        asked = Asked(len(self.log), wire, path, headers, body, raw, digest, agent, step, self._counts[digest], count(text), now)
        self.log.append(asked)
        return asked

    async def _answer(self, asked: Asked, writer: asyncio.StreamWriter) -> bool:
        says = self.brain(asked)
        if self.cache:
            cached, stored = self.cache.take(asked)
            says = replace(says, cached=cached, stored=stored)
        move = self.fault(asked)
        extra: list[tuple[str, str]] = [("date", formatdate(EPOCH + asked.at, usegmt=True))]
        if self.limiter:
            wait = self.limiter.take(asked.tokens + says.tokens(), asked.at)
            extra += self.limiter.headers(asked.wire, asked.at, EPOCH)
            if wait > 0:
                self.refused += 1
                move = refusal(429, "rate_limit_error", "slow down", **self.limiter.told(wait))
        if self.think:
            await asyncio.sleep(self.think)
        move = move or Move()
        if move != Move():
            self.faults.append(f"{asked.agent}/{asked.step}/{asked.attempt}: {move.status}")
        if move.status == 200 and move.body is None:
            self.spent += asked.tokens + says.tokens()
            self.answered += 1
        return await _write(writer, move, self._body(asked, says, move), extra)

    def _body(self, asked: Asked, says: Says, move: Move) -> bytes:
        if move.body is not None:
            return move.body
        body = _MAKERS[asked.wire](says, asked.tokens, f"reply-{asked.number}", str(asked.body.get("model")))
        return move.edit(body) if move.edit else body


async def _write(writer: asyncio.StreamWriter, move: Move, body: bytes, extra: list[tuple[str, str]]) -> bool:
    if move.hang:
        await asyncio.sleep(10_000)
    framed = {"length": [("content-length", str(len(body)))], "chunked": [("transfer-encoding", "chunked")], "close": []}
    headers = [("content-type", "application/json"), *extra, *move.headers, *framed[move.framing]]
    head = f"HTTP/1.1 {move.status} X\r\n" + "".join(f"{name}: {value}\r\n" for name, value in headers) + "\r\n"
    if move.cut_headers:
        writer.write(head.encode()[:20])
        return False
    if move.reset:
        writer.get_extra_info("socket").setsockopt(SOL_SOCKET, SO_LINGER, struct.pack("ii", 1, 0))
        return False
    writer.write(head.encode("latin-1"))
    await _write_body(writer, move, body if move.cut is None else body[: move.cut])
    await writer.drain()
    return move.cut is None and move.framing != "close"


async def _write_body(writer: asyncio.StreamWriter, move: Move, body: bytes) -> None:
    step = 1 if move.drip else max(len(body), 1)
    for place in range(0, len(body), step):
        if move.stall is not None:
            writer.write(body[: move.stall])
            await asyncio.sleep(10_000)
        piece = body[place : place + step]
        writer.write(piece if move.framing != "chunked" else b"%x\r\n%s\r\n" % (len(piece), piece))
        if move.drip:
            await asyncio.sleep(move.drip)
    if move.framing == "chunked" and move.cut is None:
        writer.write(b"0\r\n\r\n")


@contextmanager
def threaded(server: FaultServer) -> Generator[FaultServer]:
    """The server in a thread with a loop of its own, in real time, for clients outside this loop."""
    ready, done = threading.Event(), threading.Event()

    async def run() -> None:
        async with server:
            ready.set()
            while not done.is_set():
                await asyncio.sleep(0.02)
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()

    thread = threading.Thread(target=lambda: asyncio.run(run()), daemon=True)
    thread.start()
    assert ready.wait(10)
    try:
        yield server
    finally:
        done.set()
        thread.join(10)

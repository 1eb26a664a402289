"""The process that the kill harness kills: a whole audit whose hunters ask a model over HTTP.

The program is the shipped one. Two teams: `models`, where model agents hunt through the real channel, and `asking`, where
every embedded analyst first asks a few questions through the run's reply store, so that all roles are killed in mid-question;
one of these fails at first, so that retries are killed too. A witness file outside the run says which commands began, which
questions were about to be sent, which replies were whole in memory and which were handed to whoever parses them, so that the
harness need not believe the journal.
"""

import asyncio
import hashlib
import json
import mmap
import os
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from kill_server import ID_HEADER, note

from counterproof.app import audit
from counterproof.app import run as runs
from counterproof.app.delivery import Ended
from counterproof.app.executor import RunExecutor
from counterproof.app.recovery import Choices
from counterproof.app.standing import Standing
from counterproof.app.team import AUDIT_SEATS, terms_of
from counterproof.cli.console import SilentObserver
from counterproof.model.canonical import canonical
from counterproof.model.contract import AgentReply, AgentTask
from counterproof.model.errors import CounterproofError
from counterproof.ports import Agent, Emit, ReplyKey, ReplyStore
from counterproof.protocols.audit.commands import RunAgent
from counterproof.protocols.audit.events import PhaseRequested, TimeUp
from counterproof.protocols.audit.modes import Mode
from counterproof.protocols.audit.request import AuditRequest
from counterproof.runtime import crashpoints
from counterproof.runtime.home import Home, RunFolder
from counterproof.runtime.journal import NeverStarted
from counterproof.runtime.kept import RunJournal
from counterproof.runtime.replies import JournalReplies

QUESTIONS = 5
ID_LENGTH = 32
SENDING, RECEIVED, HANDED, BEGUN, STIRRED = "sending", "received", "handed", "begun", "stirred"
STIRS = {"time_up": TimeUp(1), "phase_requested": PhaseRequested("5")}
"""Events that come from outside and not by themselves in a short run: the user's clock, and somebody who wants to jump a phase.
A scenario lets one of them happen, once, when the first agent begins."""
NEVER_STARTED = 44
CUT = "cut-damage"
"""A file of this name in the home stands for the flag: damage may be cut off."""
TOKENS = 1_000_000_000


class AskingAgent:
    """Asks before it judges, and says in its notes what it was told."""

    def __init__(self, inner: Agent, store: ReplyStore, port: int) -> None:
        self._inner, self._store, self._port = inner, store, port

    async def run(self, task: AgentTask, toolbox: Any) -> AgentReply:
        told = [await self._ask(task, step) for step in range(QUESTIONS)]
        if task.agent_id.endswith("02") and task.attempt == 1:
            raise CounterproofError("the first attempt of this agent always fails")
        reply = await self._inner.run(task, toolbox)
        return replace(reply, notes=(*reply.notes, *told))

    async def _ask(self, task: AgentTask, step: int) -> str:
        body = canonical({"model": "scripted", "messages": [{"role": "user", "content": f"{task.id} {step}"}]}).encode()
        key = ReplyKey(task.id, task.attempt, step, hashlib.sha256(body).hexdigest())
        raw = self._store.find(key)
        if raw is None:
            raw = await self._sent(body, key.request[:ID_LENGTH])
            self._store.keep(key, raw)
        return str(json.loads(raw)["choices"][0]["message"]["content"])

    async def _sent(self, body: bytes, name: str) -> bytes:
        """One HTTP request, complete or an error."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        head = f"POST / HTTP/1.1\r\nHost: a\r\n{ID_HEADER}: {name}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
        crashpoints.notice("before send")
        writer.write(head.encode() + body)
        await writer.drain()
        crashpoints.notice("after send")
        headers = await reader.readuntil(b"\r\n\r\n")
        length = next(int(line.split(b":")[1]) for line in headers.split(b"\r\n") if line.lower().startswith(b"content-length"))
        raw = await reader.readexactly(length)
        writer.close()
        return raw


def drive(home: Path, target: Path, mode: str, team: str, port: int, witness: Path, stir: str = "") -> int:
    """Start the one run of this home, or go on with it; returns the exit code."""
    _watch(home, os.open(witness, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600), stir)
    request = AuditRequest(str(target), Mode(mode))
    if team == "models":
        spec = f"hunter=openai-compatible:scripted@http://127.0.0.1:{port}/v1,analyst"
        terms = terms_of(AUDIT_SEATS, spec, TOKENS, "", home)
        roles = tuple(role for role, _ in terms.players) if terms else ()
        request = replace(request, models=roles, terms=terms)
    else:
        _let_analysts_ask(port)
    place = Home(home)
    runs = place.runs()
    if not runs:
        return int(audit.start(request, Standing(), SilentObserver(), place).outcome.exit)
    try:
        cut = (home / CUT).exists()
        return int(audit.resume(runs[-1], Standing(), SilentObserver(), Choices(cut_damage=cut)).outcome.exit)
    except NeverStarted:
        return NEVER_STARTED


class Slate:
    """Notes made by storing into shared memory. A system call would let other threads run first, for milliseconds, between the
    note that a reply is there and what the program does with it; this leaves the moment as short as it is without a witness."""

    SIZE = 1 << 20

    def __init__(self, path: Path) -> None:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        os.ftruncate(descriptor, self.SIZE)
        self._memory = mmap.mmap(descriptor, self.SIZE)
        self._end = self._memory.find(b"\0")

    def note(self, what: str, key: str) -> None:
        line = f"{what} {key} {time.monotonic_ns()}\n".encode()
        self._memory[self._end : self._end + len(line)] = line
        self._end += len(line)


def _watch(home: Path, witness: int, stir: str) -> None:
    """Note what happens, outside the run, and let happen what the scenario wants."""

    slate = Slate(home / RECEIVED)

    class WitnessedReplies(JournalReplies):
        def find(self, key: ReplyKey) -> bytes | None:
            raw = super().find(key)
            note(witness, SENDING if raw is None else HANDED, key.request[:ID_LENGTH])
            return raw

        def keep(self, key: ReplyKey, raw: bytes) -> None:
            slate.note(RECEIVED, key.request[:ID_LENGTH])
            super().keep(key, raw)
            note(witness, HANDED, key.request[:ID_LENGTH])

    class WitnessedExecutor(RunExecutor):
        async def execute(self, command: Any, emit: Emit) -> None:
            note(witness, BEGUN, command.id.replace(" ", "_"))
            if stir and isinstance(command, RunAgent) and STIRRED.encode() not in os.pread(witness, 1 << 20, 0):
                note(witness, STIRRED, stir)
                await emit(STIRS[stir])
            await super().execute(command, emit)

    runs.JournalReplies = WitnessedReplies
    runs.RunExecutor = WitnessedExecutor


_shipped = runs.drive


def _let_analysts_ask(port: int) -> None:
    def asking(run: RunFolder, journal: RunJournal, setup: runs.Setup, *more: Any) -> Ended:
        store, made = runs.JournalReplies(journal), setup.bench

        def bench(provisional: bool) -> Any:
            own: Any = made(provisional)
            own._analysts = {role: AskingAgent(agent, store, port) for role, agent in own._analysts.items()}
            return own

        setup.bench = bench
        return _shipped(run, journal, setup, *more)

    runs.drive = asking


def warmed_up(home: Path, target: Path, team: str, port: int) -> None:
    """Import everything that an audit needs and fill every cache, by doing one, so that children begin at once.

    In a process of its own first would be cleaner, but modules are inherited only from the parent. It must be left with one
    thread, because threads do not survive a fork.
    """
    home.mkdir(parents=True)
    os.environ["COUNTERPROOF_HOME"] = str(home)
    drive(home, target, "standard", team, port, home / "witness")
    if threading.active_count() != 1:
        raise SystemExit(f"the warm-up left threads behind: {threading.enumerate()}")


def forked(home: Path, target: Path, mode: str, team: str, port: int, point: str, stir: str = "") -> int:
    """Fork a process that drives the run, and return its id. Everything is imported already, so it starts at once."""
    process = os.fork()
    if process:
        return process
    code = 70
    try:
        descriptor = os.open(home / "errors", os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        os.dup2(descriptor, 2)
        os.environ["COUNTERPROOF_HOME"] = str(home)
        os.environ[crashpoints.CRASH_VARIABLE] = point
        crashpoints.rearm()
        code = drive(home, target, mode, team, port, home / "witness", stir)
    except BaseException as error:
        sys.stderr.write(f"{type(error).__name__}: {error}\n")
    finally:
        sys.stderr.flush()
        os._exit(code)

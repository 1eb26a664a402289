"""A real MCP client on the real server, in a process of its own, as a coding agent would use it."""

import json
import os
import re
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters, stdio_client

from agents.obedient import obeys
from counterproof.agents.host.desk import Desk, Said, Shown
from counterproof.agents.models.channel import Question, ToolCall
from counterproof.agents.tool_table import audit_specs
from counterproof.app.host_roots import roots_of
from counterproof.app.host_runs import HostRuns
from counterproof.mcp.server import built
from counterproof.runtime.home import Home

BAR = "│ "


class Host:
    """One session. `seen` is every text that it was shown."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self.seen: list[str] = []

    async def tools(self) -> list[str]:
        return [tool.name for tool in (await self._client.list_tools()).tools]

    async def call(self, tool: str, **arguments: Any) -> str:
        """The text of an answer; refusals begin with `refused: `."""
        result = await self._client.call_tool(tool, arguments)
        text = "\n".join(getattr(block, "text", "") for block in result.content)
        self.seen.append(text)
        return f"refused: {text}" if result.is_error else text

    async def task(self, **arguments: Any) -> str:
        """The next task with all its pages."""
        text = await self.call("next_task", wait_seconds=50, **arguments)
        page = 1
        while f"page={(page := page + 1)} goes on; read every page" in text:
            text += "\n" + await self.call("next_task", task_id=id_of(text), page=page)
        return text


@asynccontextmanager
async def connected(root: Path, mode: str = "auto", yes: bool = False) -> AsyncGenerator[Host]:
    """A session with a server that serves this folder. `legacy` is the handshake that older hosts speak; `yes`: the user gave
    their word in advance."""
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "counterproof", "mcp", "--root", str(root), *(["--yes"] if yes else [])],
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        cwd=root,
    )
    async with Client(stdio_client(server), mode=mode) as client:
        yield Host(client)


@asynccontextmanager
async def beside(root: Path, yes: bool = False) -> AsyncGenerator[Host]:
    """The same without a process of its own: a client on the same server, in memory."""
    host_runs = HostRuns(Home(), roots_of((root,)), yes)
    try:
        async with Client(built(host_runs)) as client:
            yield Host(client)
    finally:
        host_runs.leave()


def id_of(text: str) -> str:
    found = re.match(r"task_id: (\S+)", text)
    assert found, text
    return found[1]


def header(text: str) -> dict[str, Any]:
    """The header that a result to this task must carry."""
    opening = text[text.index("You are model-") :]
    agent, number = re.findall(r"You are (\S+), a [a-z ]+, in round (\d+)\.", opening)[0]
    marker = re.findall(r"The marker of this task is (cp-[0-9a-f]{32})", opening)[0]
    dimensions = re.findall(r"\b(D(?:10|[1-9])) ", opening.split("\nLanguages:")[0])
    return {"marker": marker, "agent_id": agent, "round": int(number), "dimensions": dimensions}


def nothing(text: str) -> dict[str, Any]:
    return {**header(text), "nothing_found": True, "findings": []}


def finding(title: str, line: int, evidence: str, file: str = "app.py", cwe: int = 89) -> dict[str, Any]:
    return {
        "title": title, "dimension": "D1", "cwe": cwe, "severity": "high", "confidence": "medium", "file": file, "start": line,
        "end": line, "evidence": evidence, "impact": "An attacker reads every row.", "reach": "anonymous", "harm": "full",
    }  # fmt: skip


def played(desk: Desk, shown: Shown) -> str:
    """One task worked on by the model that obeys everything, through the desk; what became of it."""
    task, messages = shown.task, list(shown.messages)
    while not shown.ended:
        said = obeys(Question(task, 1, shown.turn, "system", tuple(messages), audit_specs() if shown.tools else ()))
        shown = desk.answer(task, Said(said.text, said.calls), 60)
        own = {call.id: mine for mine, call in zip(said.calls, _calls(shown), strict=False)}
        for each in shown.messages:  # the desk gives calls ids of its own; this model goes by the ids that it gave
            calls = tuple(own[call.id] for call in each.calls)
            messages.append(replace(each, calls=calls, call_id=own[each.call_id].id if each.call_id else ""))
    return shown.ended


def _calls(shown: Shown) -> list[ToolCall]:
    return [call for each in shown.messages for call in each.calls]


def holder(home: Path, run: str) -> int:
    """The process that drives a run, from its lock."""
    return int(json.loads((home / "runs" / run / "lock").read_text())["pid"])

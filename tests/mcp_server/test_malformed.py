"""Whatever a host sends, it gets an answer, and the line stays open."""

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

MALFORMED = (
    b"not json", b"[]", b"{}", b"null", b'"x"', b"\xff\xfe", b"[" * 5_000, b'{"jsonrpc":"2.0","id":102}',
    b'{"jsonrpc":"2.0","id":103,"method":5}', b'{"jsonrpc":"1.0","id":104,"method":"ping"}',
    b'{"jsonrpc":"2.0","id":105,"method":"no/such"}', b'{"jsonrpc":"2.0","id":106,"method":"tools/call","params":7}',
    b'{"jsonrpc":"2.0","id":107,"method":"tools/call","params":{"name":"audit_status","arguments":[]}}',
    b'{"jsonrpc":"2.0","id":true,"method":"ping"}', b'{"jsonrpc":"2.0","id":[1],"method":"ping"}',
    b'{"jsonrpc":"2.0","id":1e400,"method":"ping"}', b'{"jsonrpc":"2.0","method":"ping"}',
)  # fmt: skip


def exchanged(root: Path, messages: tuple[bytes, ...], ping: int) -> list[dict[str, Any]]:
    """The server's answers to these messages, up to the one to the ping behind them."""
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "host", "version": "1"}}
    first = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}).encode()
    ready = b'{"jsonrpc":"2.0","method":"notifications/initialized"}'
    program = [sys.executable, "-m", "counterproof", "mcp", "--root", str(root)]
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ}) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        last = json.dumps({"jsonrpc": "2.0", "id": ping, "method": "ping"}).encode()
        server.stdin.write(b"\n".join((first, ready, *messages, last, b"")))
        server.stdin.flush()
        answers: list[dict[str, Any]] = [json.loads(server.stdout.readline()) for _ in range(len(messages) + 2)]
        server.stdin.close()
        server.wait(60)
    return answers


def test_every_malformed_message_is_answered(tmp_path: Path, home: Path) -> None:
    answers = exchanged(tmp_path, MALFORMED, 200)
    errors = [each for each in answers if "error" in each]
    assert len(errors) == len(MALFORMED)
    assert {each["id"] for each in errors} == {None, *range(102, 108)}
    assert [each["result"] for each in answers if each["id"] == 200] == [{}]


METHODS = (
    "tools/call",
    "tools/list",
    "resources/read",
    "prompts/get",
    "ping",
    "initialize",
    "completion/complete",
    "",
    "\ud800",
    7,
    None,
)
TOOLS = ("audit_status", "audit_start", "next_task", "submit", "read", "grep", "", "../x", "\x00", 3)


def fuzzed(seed: int, count: int) -> tuple[bytes, ...]:
    """Requests that each carry an id and are wrong in some way, or lines that are none: every one of them wants an answer."""
    chance = random.Random(seed)

    def value(depth: int = 0) -> Any:
        kind = chance.randrange(9 if depth < 3 else 6)
        if kind == 6:
            return [value(depth + 1) for _ in range(chance.randrange(4))]
        if kind >= 7:
            return {
                chance.choice(("name", "arguments", "uri", "run", "path", "x")): value(depth + 1)
                for _ in range(chance.randrange(4))
            }
        return (None, True, chance.randrange(-(10**20), 10**20), 1e308, "\u2028\x00\ud800", chance.choice(TOOLS))[kind]

    made: list[bytes] = []
    for number in range(1_000, 1_000 + count):
        if chance.random() < 0.2:
            line = bytes(chance.choice(b'{}[]":,x\\u\xff\x00 19') for _ in range(chance.randrange(1, 40))).replace(b"\n", b"")
            made.append(b"!" + line)
            continue
        params = {"name": chance.choice(TOOLS), "arguments": value()} if chance.random() < 0.5 else value()
        made.append(json.dumps({"jsonrpc": "2.0", "id": number, "method": chance.choice(METHODS), "params": params}).encode())
    return tuple(made)


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.nightly)])
def test_every_fuzzed_message_is_answered(tmp_path: Path, home: Path, seed: int) -> None:
    messages = fuzzed(seed, 150)
    answers = exchanged(tmp_path, messages, 10)
    assert [each["result"] for each in answers if each["id"] == 10] == [{}]
    named = {json.loads(each)["id"] for each in messages if not each.startswith(b"!")}
    told = [each["id"] for each in answers if each["id"] not in (1, 10)]
    assert {each for each in told if each is not None} <= named
    assert len(told) == len(messages)

"""Whatever a host sends, it gets an answer, and the line stays open."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

MALFORMED = (
    b"not json", b"[]", b"{}", b"null", b'"x"', b"\xff\xfe", b"[" * 5_000, b'{"jsonrpc":"2.0","id":102}',
    b'{"jsonrpc":"2.0","id":103,"method":5}', b'{"jsonrpc":"1.0","id":104,"method":"ping"}',
    b'{"jsonrpc":"2.0","id":105,"method":"no/such"}', b'{"jsonrpc":"2.0","id":106,"method":"tools/call","params":7}',
    b'{"jsonrpc":"2.0","id":107,"method":"tools/call","params":{"name":"audit_status","arguments":[]}}',
)  # fmt: skip


def test_every_malformed_message_is_answered(tmp_path: Path, home: Path) -> None:
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "host", "version": "1"}}
    first = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}).encode()
    ready = b'{"jsonrpc":"2.0","method":"notifications/initialized"}'
    program = [sys.executable, "-m", "counterproof", "mcp", "--root", str(tmp_path)]
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ}) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(b"\n".join((first, ready, *MALFORMED, b'{"jsonrpc":"2.0","id":200,"method":"ping"}', b"")))
        server.stdin.flush()
        answers: list[dict[str, Any]] = [json.loads(server.stdout.readline()) for _ in range(len(MALFORMED) + 2)]
        server.stdin.close()
        server.wait(60)
    errors = [each for each in answers if "error" in each]
    assert len(errors) == len(MALFORMED)
    assert {each["id"] for each in errors} == {None, *range(102, 108)}
    assert [each["result"] for each in answers if each["id"] == 200] == [{}]

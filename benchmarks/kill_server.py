"""A model behind real HTTP for the kill harness: deterministic answers, a latency per question, a log of every request.

It speaks OpenAI chat completions. An agent's conversation goes through three tool calls and then hands in a result without
findings; any other question is answered with its own key. Answers depend on the question alone, so asking twice gives the
same reply and only the log shows it: one line per request (`ask KEY TIME`) and one when the reply was sent completely, on the
machine's monotonic clock, which all processes share. The key is the id that the client sent along, or the body's digest.
"""

import hashlib
import json
import os
import re
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

ASK, ANSWERED = "ask", "answered"
ID_HEADER = "x-client-request-id"
CALLS = (
    ("grep", {"pattern": "request.args", "dimension": "D1", "kind": "sql"}),
    ("read", {"path": "app.py"}),
    ("grep", {"pattern": "execute|subprocess", "dimension": "D1", "kind": "shell"}),
)


def serve(log: Path, ready: int, fastest: float, slowest: float) -> None:
    """Serve until killed. The port is written to the descriptor `ready`."""
    descriptor = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            digest = hashlib.sha256(body).hexdigest()[:32]
            key = self.headers.get(ID_HEADER) or digest
            note(descriptor, ASK, key)
            time.sleep(fastest + (slowest - fastest) * int(digest[:4], 16) / 0xFFFF)
            reply = answer(json.loads(body), key)
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(reply)))
            self.end_headers()
            self.wfile.write(reply)
            note(descriptor, ANSWERED, key)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the name in the standard library)
            """Quiet: the log is ours."""

    class Server(ThreadingHTTPServer):
        def handle_error(self, request: object, client_address: object) -> None:
            """Clients are killed here all the time."""

    server = Server(("127.0.0.1", 0), Handler)
    os.write(ready, f"{server.server_port}\n".encode())
    server.serve_forever()


def answer(question: dict[str, Any], key: str) -> bytes:
    """The reply to a question."""
    message = {"role": "assistant", **said(question, key)}
    usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
    choice = {"index": 0, "message": message, "finish_reason": "tool_calls" if message.get("tool_calls") else "stop"}
    head = {"id": key, "object": "chat.completion", "created": 1, "model": "scripted"}
    return json.dumps({**head, "choices": [choice], "usage": usage}).encode()


def said(question: dict[str, Any], key: str) -> dict[str, Any]:
    """What the model says: its next tool call, its result, or the key of a question that is no agent's."""
    texts = [str(each["content"]) for each in question["messages"] if each["role"] == "user"]
    task = re.search(r"You are (\S+), a [a-z ]+, in round (\d+)\.\nDimensions: (.*)", "\n".join(texts))
    marker = re.search(r"The marker of this task is (\S+):", "\n".join(texts))
    if not task or not marker:
        return {"content": f"seen {key}"}
    turn = sum(each["role"] == "assistant" for each in question["messages"])
    if question.get("tools") and turn < len(CALLS):
        name, arguments = CALLS[turn]
        call = {"id": f"call-{turn}", "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
        return {"content": None, "tool_calls": [call]}
    dimensions = re.findall(r"D\d+", task[3])
    result = {"marker": marker[1], "agent_id": task[1], "round": int(task[2]), "dimensions": dimensions}
    return {"content": json.dumps({**result, "nothing_found": True, "findings": []})}


def note(descriptor: int, what: str, key: str) -> None:
    """One line, in one write, so that lines of several writers never mix."""
    os.write(descriptor, f"{what} {key} {time.monotonic_ns()}\n".encode())

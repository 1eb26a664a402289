"""Answers every message of the host, including invalid ones.

The library ignores what it cannot parse, and the host would wait forever. Invariant: an invalid line gets an error with its
id, or without one; reading continues. Not handled here: the tools.
"""

from collections.abc import Awaitable, Callable
from typing import Any, cast

import anyio
from mcp.server.mcpserver import MCPServer
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from mcp_types import INVALID_REQUEST, PARSE_ERROR, ErrorData, JSONRPCError, JSONRPCNotification
from pydantic import ValidationError

MAX_ID = 200


class AnsweringServer(MCPServer[Any]):
    """The library's server on standard input and output, which answers every message."""

    async def run_stdio_async(self) -> None:
        async with stdio_server() as (received, sending), anyio.create_task_group() as group:
            passing, passed = anyio.create_memory_object_stream[SessionMessage | Exception](0)

            async def sort() -> None:
                async with passing:
                    async for message in received:
                        if isinstance(message, Exception):
                            await _answer(sending.send, *_named(message))
                        elif _is_no_notification(message):
                            await _answer(sending.send, None, True)
                        else:
                            await passing.send(message)

            group.start_soon(sort)
            lowlevel = self._lowlevel_server
            await lowlevel.run(cast("Any", passed), sending, lowlevel.create_initialization_options())
            group.cancel_scope.cancel()


def _is_no_notification(sent: SessionMessage) -> bool:
    """True for a request with an invalid id, such as `true`: the library would treat it as a notification and not answer."""
    message = sent.message
    return isinstance(message, JSONRPCNotification) and not message.method.startswith("notifications/")


async def _answer(send: Callable[[SessionMessage], Awaitable[None]], name: int | str | None, is_message: bool) -> None:
    error = (
        ErrorData(code=INVALID_REQUEST, message="Invalid request: not a JSON-RPC 2.0 message of MCP")
        if is_message
        else ErrorData(code=PARSE_ERROR, message="Parse error: each line must be one JSON-RPC message")
    )
    await send(SessionMessage(JSONRPCError(jsonrpc="2.0", id=name, error=error)))


def _named(problem: Exception) -> tuple[int | str | None, bool]:
    """The id in an invalid message, if there is one, and whether it was JSON at all."""
    found = problem.errors(include_url=False) if isinstance(problem, ValidationError) else []
    if not found or any(each["type"] == "json_invalid" for each in found):
        return None, False
    for each in found:
        given: Any = each.get("input")
        name: object = cast("dict[str, object]", given).get("id") if isinstance(given, dict) else None
        if (isinstance(name, str) and len(name) <= MAX_ID) or type(name) is int:
            return name, True
    return None, True

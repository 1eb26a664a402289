"""Replaces the transport of the providers' libraries: whatever HTTP stack they use, their requests go through one exchange.

Invariant: a library can send only inside `exchanging`, through the exchange given there.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from contextvars import ContextVar
from io import BytesIO
from typing import Any

import httpx2

from counterproof.agents.models.traffic import Incoming, Outgoing
from counterproof.model.errors import EngineBug

Exchange = Callable[[Outgoing], Awaitable[Incoming]]

_current: ContextVar[tuple[Exchange, asyncio.AbstractEventLoop] | None] = ContextVar("exchange", default=None)


@asynccontextmanager
async def exchanging(exchange: Exchange) -> AsyncGenerator[None]:
    """Within this context the libraries' requests go to `exchange`."""
    token = _current.set((exchange, asyncio.get_running_loop()))
    try:
        yield
    finally:
        _current.reset(token)


def _exchange() -> tuple[Exchange, asyncio.AbstractEventLoop]:
    found = _current.get()
    if found is None:
        raise EngineBug("a provider's library wanted to send something that nobody asked for")
    return found


class Httpx2Bridge(httpx2.AsyncBaseTransport):
    """For the libraries on httpx2: OpenAI, Anthropic, Google, Mistral."""

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        body = await request.aread()
        outgoing = Outgoing(request.method, str(request.url), tuple(request.headers.multi_items()), body)
        reply = await _exchange()[0](outgoing)
        return httpx2.Response(reply.status, headers=plain_headers(reply), content=reply.body, request=request)


def plain_headers(reply: Incoming) -> list[tuple[str, str]]:
    """The headers that are still valid for the complete, decompressed body."""
    gone = ("content-encoding", "content-length", "transfer-encoding", "connection")
    return [(name, value) for name, value in reply.headers if name.lower() not in gone]


def httpx_client() -> Any:
    """For the one library that still uses httpx: Groq."""
    import httpx

    class HttpxBridge(httpx.AsyncBaseTransport):
        async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
            body = await request.aread()
            outgoing = Outgoing(request.method, str(request.url), tuple(request.headers.multi_items()), body)
            reply = await _exchange()[0](outgoing)
            return httpx.Response(reply.status, headers=plain_headers(reply), content=reply.body, request=request)

    return httpx.AsyncClient(transport=HttpxBridge(), trust_env=False)


def httpx2_client() -> httpx2.AsyncClient:
    return httpx2.AsyncClient(transport=Httpx2Bridge(), trust_env=False)


def divert_botocore(client: Any) -> None:
    """For Bedrock: botocore signs the request and passes it to us instead of sending it.

    Its calls run in a worker thread; the exchange runs in the calling event loop.
    """
    from botocore.awsrequest import AWSResponse

    class Body(BytesIO):
        def stream(self, **_: Any) -> Any:
            yield self.read()

    def send(request: Any, **_: Any) -> Any:
        exchange, loop = _exchange()
        headers = tuple((str(name), _text(value)) for name, value in request.headers.items())
        outgoing = Outgoing(request.method, request.url, headers, request.body or b"")

        async def run() -> Incoming:
            return await exchange(outgoing)

        reply = asyncio.run_coroutine_threadsafe(run(), loop).result()
        return AWSResponse(request.url, reply.status, dict(plain_headers(reply)), Body(reply.body))

    client.meta.events.register("before-send.bedrock-runtime.*", send)


def _text(value: str | bytes) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else value

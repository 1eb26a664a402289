"""Sends one HTTP request and returns the complete reply, or says precisely what went wrong.

Invariant: nothing is sent except to the one server that the connection was opened for (or to the proxy that the user's
environment names for it); redirects are not followed; every wait has a limit (connecting, the first byte, between two bytes,
in total); a reply is bounded in size, also after decompression; a truncated reply is an error. Not handled here: retries,
prices, meanings.
"""

import asyncio
import ssl
import zlib
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar
from urllib.parse import urlsplit

import certifi
import httpx2

from counterproof.agents.models.faults import FaultKind, WireFault
from counterproof.agents.models.traffic import Incoming, Outgoing
from counterproof.model.errors import UserError

MAX_REPLY = 16 * 1024 * 1024
MAX_CONNECTIONS = 128

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Deadlines:
    """In seconds. `first` is how long a model may think before the first byte, `idle` the longest silence after it."""

    connect: float = 15
    first: float = 600
    idle: float = 60
    total: float = 900


class Connection:
    """A connection to one server. `origin` is its scheme, host and port; any other destination is rejected."""

    def __init__(self, url: str, environment: Mapping[str, str], deadlines: Deadlines | None = None) -> None:
        self.origin = origin(url)
        self._deadlines = deadlines or Deadlines()
        proxy = proxy_for(url, environment)
        self._transport = httpx2.AsyncHTTPTransport(
            verify=trusted(environment) if self.origin.startswith("https:") else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT),
            trust_env=False,
            proxy=httpx2.Proxy(proxy) if proxy else None,
            limits=httpx2.Limits(max_connections=MAX_CONNECTIONS, max_keepalive_connections=MAX_CONNECTIONS),
        )

    async def close(self) -> None:
        await self._transport.aclose()

    async def send(self, outgoing: Outgoing, on_sent: Callable[[], None]) -> Incoming:
        """The complete reply, whatever its status. `on_sent` is called once the request was sent. Raises `WireFault`."""
        if origin(outgoing.url) != self.origin:
            raise WireFault(
                FaultKind.BAD_REQUEST, f"a request to {origin(outgoing.url)} was refused: only {self.origin} is named"
            )
        left = _Departure(on_sent)
        try:
            async with asyncio.timeout(self._deadlines.total):
                return await self._receive(self._request(outgoing, left))
        except TimeoutError as error:
            message = f"no complete reply within {self._deadlines.total:g} seconds"
            raise WireFault(FaultKind.TIMED_OUT, message, billed=left.done) from error
        except (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.ProxyError, httpx2.UnsupportedProtocol) as error:
            raise WireFault(FaultKind.UNREACHABLE, f"cannot connect: {_reason(error)}") from error
        except httpx2.TransportError as error:
            raise WireFault(FaultKind.CUT, f"the connection broke: {_reason(error)}", billed=left.done) from error

    def _request(self, outgoing: Outgoing, left: "_Departure") -> httpx2.Request:
        hop = ("accept-encoding", "content-length", "transfer-encoding", "host", "connection")
        headers = [(name, value) for name, value in outgoing.headers if name.lower() not in hop]
        waits = {"connect": self._deadlines.connect, "pool": None, "read": None, "write": self._deadlines.idle}
        return httpx2.Request(
            outgoing.method,
            outgoing.url,
            headers=[*headers, ("accept-encoding", "identity")],
            content=outgoing.body,
            extensions={"timeout": waits, "trace": left.trace},
        )

    async def _receive(self, request: httpx2.Request) -> Incoming:
        response = await _within(self._deadlines.first, self._transport.handle_async_request(request), "no answer")
        try:
            body = await self._body(response)
        finally:
            await response.aclose()
        headers = tuple((name, value) for name, value in response.headers.multi_items())
        return Incoming(response.status_code, headers, unpacked(body, response.headers.get("content-encoding", "")))

    async def _body(self, response: httpx2.Response) -> bytes:
        if not isinstance(response.stream, httpx2.AsyncByteStream):
            raise WireFault(FaultKind.MALFORMED, "the reply cannot be read")
        chunks: list[bytes] = []
        size = 0
        stream = aiter(response.stream)
        while True:
            wait = self._deadlines.idle if chunks else max(self._deadlines.idle, self._deadlines.first)
            chunk = await _within(wait, anext(stream, None), "no further byte")
            if chunk is None:
                return b"".join(chunks)
            size += len(chunk)
            if size > MAX_REPLY:
                raise WireFault(FaultKind.TOO_LARGE, f"the reply is larger than {MAX_REPLY} bytes", billed=True)
            chunks.append(chunk)


class _Departure:
    """Detects when the last byte of a request has left: from then on it may be billed."""

    def __init__(self, on_sent: Callable[[], None]) -> None:
        self.done = False
        self._on_sent = on_sent

    async def trace(self, event: str, _: object) -> None:
        if event.endswith(".send_request_body.complete") and not self.done:
            self.done = True
            self._on_sent()


async def _within(seconds: float, work: Awaitable[_T], what: str) -> _T:
    try:
        async with asyncio.timeout(seconds):
            return await work
    except TimeoutError as error:
        raise WireFault(FaultKind.TIMED_OUT, f"{what} for {seconds:g} seconds", billed=True) from error


def _reason(error: Exception) -> str:
    return str(error)[:200] or type(error).__name__


def unpacked(body: bytes, encoding: str) -> bytes:
    """Decompress a body within the same bound. We ask for plain bytes, but a proxy may compress."""
    if encoding.lower() in ("", "identity"):
        return body
    if encoding.lower() not in ("gzip", "deflate"):
        raise WireFault(FaultKind.MALFORMED, f"the reply is packed as {encoding[:30]!r}", billed=True)
    try:
        machine = zlib.decompressobj(zlib.MAX_WBITS | 32)
        plain = machine.decompress(body, MAX_REPLY + 1)
    except zlib.error as error:
        raise WireFault(FaultKind.MALFORMED, "the reply is packed and cannot be unpacked", billed=True) from error
    if len(plain) > MAX_REPLY:
        raise WireFault(FaultKind.TOO_LARGE, f"the reply is larger than {MAX_REPLY} bytes", billed=True)
    if not machine.eof:
        raise WireFault(FaultKind.CUT, "the packed reply is cut off", billed=True)
    return plain


def origin(url: str) -> str:
    """Scheme, host and port in normalised form."""
    parts = urlsplit(url)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    return f"{parts.scheme.lower()}://{(parts.hostname or '').lower()}:{port}"


def proxy_for(url: str, environment: Mapping[str, str]) -> str:
    """The proxy that the user's environment names for this address; '' for a direct connection."""
    parts = urlsplit(url)
    named = {name.lower(): value for name, value in sorted(environment.items()) if name.lower().endswith("_proxy") and value}
    if _excluded(parts.hostname or "", parts.port, named.get("no_proxy", "")):
        return ""
    found = named.get(f"{parts.scheme}_proxy") or named.get("all_proxy", "")
    return found if "://" in found or not found else f"http://{found}"


def _excluded(host: str, port: int | None, listed: str) -> bool:
    """NO_PROXY in its usual meaning: names and their subdomains, with or without a port; `*` for all."""
    for item in (each.strip().lower() for each in listed.split(",")):
        name, _, wanted = item.rpartition(":") if item.rpartition(":")[2].isdigit() else (item, "", "")
        name = name.lstrip(".")
        if item == "*" or (name and (host == name or host.endswith(f".{name}")) and wanted in ("", str(port))):
            return True
    return False


def trusted(environment: Mapping[str, str]) -> ssl.SSLContext:
    """Certificates of the system and of certifi, or only those that the user's environment names."""
    named = environment.get("SSL_CERT_FILE") or environment.get("REQUESTS_CA_BUNDLE") or environment.get("CURL_CA_BUNDLE")
    folder = environment.get("SSL_CERT_DIR")
    try:
        if named or folder:
            return ssl.create_default_context(cafile=named or None, capath=folder or None)
        context = ssl.create_default_context()
        context.load_verify_locations(cafile=certifi.where())
    except (OSError, ssl.SSLError) as error:
        raise UserError(
            f"the certificates in {named or folder} cannot be read: {error}", "correct SSL_CERT_FILE or REQUESTS_CA_BUNDLE"
        ) from error
    return context

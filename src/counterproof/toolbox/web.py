"""The web, through an MCP server that the user named on the command line, and through nothing else (P10).

Invariant: the server is the user's own program, started for one call and stopped after it, within a time limit; nothing in the
reviewed repository can name one. What it answers is untrusted text, bounded. Only addresses that a search returned can be
fetched, and a query that looks as if it carried something out is refused (X10). When the web is asked is decided in
`protocols.plan.budgets`; counting is `PlanTools`'.
"""

import asyncio
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from counterproof.analysis.secrets.redaction import redact
from counterproof.extras import command_for
from counterproof.model.errors import CounterproofError

if TYPE_CHECKING:
    from mcp import Client

SECONDS = 30.0
MAX_QUERY = 200
MAX_ANSWER = 40_000
MAX_ADDRESSES = 50
_ADDRESS = re.compile(r"https?://[^\s\"'<>)\]}|]{4,400}")
_CARRIED = re.compile(r"\S{41,}|(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[A-Za-z0-9+/=_-]{20,}")
_ARGUMENTS = {"search": ("query", "q", "text", "input"), "fetch": ("url", "uri", "address", "link")}


class WebFailed(CounterproofError):
    """The user's server did not answer; the message says why."""


class Web:
    """One server. `environment` is what it may see."""

    def __init__(self, command: tuple[str, ...], environment: Mapping[str, str]) -> None:
        self._command = command
        self._environment = dict(environment)
        self.pages: dict[str, str] = {}
        """What was read of each address that a search returned: the search's own answer, then the page."""

    def search(self, query: str) -> str:
        """What the server finds for a query. Raises `WebFailed`."""
        if _CARRIED.search(query) or redact(query) != query:
            raise WebFailed("the query holds what looks like a secret or a code; ask in plain words")
        text = self._called("search", query[:MAX_QUERY])
        for address in _ADDRESS.findall(text)[:MAX_ADDRESSES]:
            self.pages.setdefault(address, text)
        return text

    def fetch(self, address: str) -> str:
        """A page that a search returned. Raises `WebFailed`."""
        if address not in self.pages:
            raise WebFailed("only addresses that a search returned are fetched")
        self.pages[address] = self._called("fetch", address)
        return self.pages[address]

    def _called(self, deed: str, value: str) -> str:
        try:
            return asyncio.run(asyncio.wait_for(self._call(deed, value), SECONDS))
        except WebFailed:
            raise
        except ImportError as error:
            raise WebFailed(f"the library for MCP is not installed (`{command_for('mcp')}`)") from error
        except TimeoutError as error:
            raise WebFailed(f"the web server did not answer within {SECONDS:.0f} seconds") from error
        except Exception as error:  # whatever a foreign program and its protocol can do wrong
            raise WebFailed(f"the web server failed: {type(error).__name__}: {str(error)[:200]}") from error

    async def _call(self, deed: str, value: str) -> str:
        from mcp import Client, StdioServerParameters

        server = StdioServerParameters(command=self._command[0], args=list(self._command[1:]), env=self._environment)
        async with Client(server) as client:
            tool, argument = await _tool(client, deed)
            result: Any = await client.call_tool(tool, {argument: value})
        texts = [str(getattr(part, "text", "")) for part in getattr(result, "content", ())]
        if getattr(result, "is_error", False):
            raise WebFailed(f"the web server refused: {' '.join(texts)[:200]}")
        return "\n".join(text for text in texts if text)[:MAX_ANSWER]


async def _tool(client: "Client", deed: str) -> tuple[str, str]:
    """The server's tool for a deed, and the argument that takes the value."""
    listed: Any = await client.list_tools()
    for tool in listed.tools:
        if deed in str(tool.name).lower().replace("_", "").replace("-", ""):
            schema: Any = getattr(tool, "input_schema", None) or getattr(tool, "inputSchema", None) or {}
            names = [str(name) for name in schema.get("properties", {})]
            known = [name for name in _ARGUMENTS[deed] if name in names]
            return str(tool.name), (known or names or [_ARGUMENTS[deed][0]])[0]
    raise WebFailed(f"the web server has no tool whose name holds {deed!r}")

"""The web of a plan verification: a real MCP server of the user's, asked only when the code has no answer."""

import sys
from pathlib import Path

import pytest

from analysis.plans.planned_shop import CLEAN, bench, shop
from counterproof.agents.models.channel import ToolCall
from counterproof.agents.planning import PLANNERS
from counterproof.agents.tool_table import researched
from counterproof.model.plan.challenge import Challenge, Confidence, Raiser, Weight
from counterproof.model.plan.contract import Allowance, PlanRole, PlanTask, Tool
from counterproof.model.plan.research import ResearchMode, UnknownResolution, UnknownType
from counterproof.protocols.guard.isolation import Category
from counterproof.toolbox.plan_tools import PlanTools
from counterproof.toolbox.web import Web, WebFailed

pytest.importorskip("mcp")

SERVER = """
from mcp.server import MCPServer

server = MCPServer("search")


@server.tool()
def web_search(query: str) -> str:
    return f"1. https://example.org/answer about {query}"


@server.tool()
def fetch_page(url: str) -> str:
    return f"page at {url}: it rounds half to even"


server.run()
"""


def tools(folder: Path, web: Web | None) -> tuple[PlanTools, PlanTask]:
    free = Challenge("C1", Raiser.CHALLENGER, "`round()` rounds up", "It may not", "f", "", Weight.SIGNIFICANT, Confidence.LOW, 1)
    given = (Allowance(Tool.GREP, 1), Allowance(Tool.WEB_SEARCH, 2), Allowance(Tool.WEB_FETCH, 1))
    task = PlanTask("t", "t", PlanRole.RESEARCHER, 1, 1, mode=ResearchMode.RESOLVE, challenges=(free,), allowances=given)
    made = bench(shop(folder / "shop"), CLEAN)
    made.web = web
    return PlanTools(made, task), task


@pytest.mark.rule("P10")
def test_web_search_requires_a_code_search_first(tmp_path: Path) -> None:
    script = tmp_path / "server.py"
    script.write_text(SERVER)
    own, task = tools(tmp_path, Web((sys.executable, str(script)), {}))
    kind = UnknownType.API_BEHAVIOR
    assert own.web_search("round", kind) == "refused: search the local code for this first"
    reply = PLANNERS[PlanRole.RESEARCHER](task, own)
    (unknown,) = reply.unknowns
    assert unknown.resolution is UnknownResolution.UNRESOLVABLE
    assert "https://example.org/answer" in unknown.finding
    assert own.check("https://example.org/answer").found
    page = researched(own, ToolCall("1", "web_fetch", '{"url": "https://example.org/answer"}'))
    assert page == (Category.WEB, "page at https://example.org/answer: it rounds half to even")
    assert own.web_search("round", UnknownType.FILE_MISSING).startswith(
        "refused: FILE_MISSING must be answered from the local code"
    )
    assert not own.check("https://example.org/other").found


def test_without_a_server_and_with_a_broken_one_the_reason_is_reported(tmp_path: Path) -> None:
    own, task = tools(tmp_path, None)
    (unknown,) = PLANNERS[PlanRole.RESEARCHER](task, own).unknowns
    assert "no web is configured" in unknown.finding
    web = Web((sys.executable, "-c", "raise SystemExit"), {})
    with pytest.raises(WebFailed, match="the web server failed"):
        web.search("round")


@pytest.mark.parametrize("query", ["token AKIAIOSFODNN7EXAMPLE", "x" * 50, "c2VjcmV0LWNhbmFyeS0xMjM0NTY3ODk="])
def test_nothing_is_carried_out_by_a_query_or_an_address(query: str) -> None:
    web = Web(("false",), {})
    with pytest.raises(WebFailed, match="plain words"):
        web.search(query)
    with pytest.raises(WebFailed, match="only addresses"):
        web.fetch(f"https://example.org/?q={query}")

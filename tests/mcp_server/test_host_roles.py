"""A coding agent without a key plays roles of a review and of a plan verification over the real server, under the same rules."""

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest

from analysis.plans.planned_shop import CLEAN, shop
from analysis.review.changed_tree import changed
from app.review.test_review_tools import AFTER, BEFORE, BROKEN
from counterproof.app import stored_runs
from counterproof.app.costs import by_purpose
from counterproof.mcp import words
from counterproof.runtime.home import Home
from counterproof.runtime.verification import verify
from mcp_server.hosting import Host, connected, id_of


def header(text: str) -> dict[str, Any]:
    """What a result to this task must carry."""
    marker = re.findall(r"The marker of this task is (cp-[0-9a-f]+)", text)[-1]
    agent = re.findall(r"You are ([\w-]+),", text)[-1]
    number = re.findall(r"[Ii]teration (\d+)", text)[-1]
    return {"marker": marker, "agent_id": agent, "iteration": int(number)}


async def _specialist(host: Host, text: str) -> str:
    """Looks the callers up, hands in a made-up quote first, then the flaw that the change brings to a caller."""
    task = id_of(text)
    if "Your task: take positions" in text or "Your task: answer" in text or "Your task: try to refute" in text:
        return await host.call("submit_result", task_id=task, reply={**header(text), "positions": [], "defences": []})
    body = await host.call("task_callers", task_id=task, name="discount")
    assert "card.charge(rest)" in body, "the caller's body"
    assert "shop/checkout.py" in await host.call(
        "use_tools", task_id=task, calls=[{"tool": "grep", "arguments": {"pattern": r"def p\w+\("}}]
    )
    wrong = {**header(text), "findings": [{**BROKEN, "quote": "made up by the host"}], "no_findings": False}
    told = await host.call("submit_result", task_id=task, reply=wrong)
    assert "the quote is not at shop/prices.py:3" in told
    assert "return None" in told, "what stands there is shown"
    return await host.call("submit_result", task_id=task, reply={**header(text), "findings": [BROKEN], "no_findings": False})


@pytest.mark.rule("R34", "R42")
def test_a_coding_agent_plays_a_specialist_and_its_finding_stands_in_the_report(tmp_path: Path, home: Path) -> None:
    root = changed(tmp_path / "shop", BEFORE, AFTER)

    async def session() -> str:
        async with connected(root, yes=True) as host:
            refused = await host.call("start_review", agents="openai:gpt-5")
            assert "cannot spend the user's keys" in refused
            begun = await host.call("start_review", agents="CORR=host,analyst", intent="Large orders get no discount")
            assert "next_task" in begun
            ended: list[str] = []
            while (text := await host.task()).startswith("task_id:"):
                assert ended or "Large orders get no discount" in text
                ended.append(await _specialist(host, text))
            assert "1 findings were handed to the engine" in ended[0]
            return begun.split()[1]

    run = Home().find(asyncio.run(session()))
    assert verify(run).whole
    again = stored_runs.replayed(run)
    report = again.report
    assert not again.differing
    found = [each.finding for each in report.resolved if each.finding.model == "host"]
    assert [str(each.location) for each in found] == ["shop/prices.py:3"]
    assert any("coding agent" in each for each in report.notes), "what cannot be enforced on a host is said"


STANDS = {
    "finding": "REV-001", "stance": "agree", "severity": "high", "evidence": "the caller subtracts what it gives",
    "file": "shop/checkout.py", "line": 5, "quote": "rest = total - discount(total)", "operation": "assign", "symbol": "rest",
}  # fmt: skip


@pytest.mark.rule("R45", "R3")
@pytest.mark.parametrize("challenger", ["hunt", "other"])
def test_a_challenge_is_offered_to_another_context_first_and_validates_only_from_there(
    tmp_path: Path, home: Path, challenger: str
) -> None:
    root = changed(tmp_path / "shop", BEFORE, AFTER)

    async def session() -> str:
        async with connected(root, yes=True) as host:
            begun = await host.call("start_review", agents="host")
            for _ in range(2):
                text = await host.task(context="hunt")
                assert "the specialist REV (reviewer)" in text
                reply = {**header(text), "findings": [BROKEN], "no_findings": False}
                await host.call("submit_result", task_id=id_of(text), reply=reply)
            assert await host.task(context="hunt") == f"state: apart\n{words.ELSEWHERE}"
            text = await host.task(context=challenger)
            assert "Your task: try to refute" in text
            await host.call("submit_result", task_id=id_of(text), reply={**header(text), "positions": [STANDS]})
            assert "finished" in await host.task(context="hunt")
            return begun.split()[1]

    report = stored_runs.replayed(Home().find(asyncio.run(session()))).report
    (found,) = report.resolved
    assert (found.validated, found.label) == (
        (True, "Validated, same model") if challenger == "other" else (False, "Single specialist")
    )


async def _challenger(host: Host, text: str) -> str:
    """Reads the code of a step, names a missing location, and corrects it."""
    task = id_of(text)
    if "You are asked to mark the plan" in text:
        aspects = ("approach", "risk", "assumptions", "integration", "unknowns", "constraints")
        marks = [{"aspect": each, "points": 6, "source": "C1", "evidence": "see the challenge"} for each in aspects]
        return await host.call("submit_result", task_id=task, reply={**header(text), "marks": marks})
    assert "shop/prices.py:4-5 total_price" in text, "the code that a step touches"
    if "Rounding before" in text:
        return await host.call("submit_result", task_id=task, reply={**header(text), "challenges": []})
    assert "def add_item(cart" in await host.call("task_callers", task_id=task, name="total_price")
    claim = {
        "claim": "Rounding before the sum is used", "concern": "add_item hands the total on and nobody says who rounds",
        "failure_scenario": "Two roundings differ by a cent", "severity": "BLOCKING", "confidence": "MED", "plan_lines": [8],
    }  # fmt: skip
    told = await host.call(
        "submit_result", task_id=task, reply={**header(text), "challenges": [{**claim, "places": ["shop/absent.py:1"]}]}
    )
    assert "there is no such file in scope" in told
    return await host.call(
        "submit_result", task_id=task, reply={**header(text), "challenges": [{**claim, "places": ["shop/cart.py:6"]}]}
    )


@pytest.mark.rule("R34", "P18")
def test_a_coding_agent_plays_the_challenger_of_a_plan(tmp_path: Path, home: Path) -> None:
    root = shop(tmp_path / "app", **{"PLAN.md": CLEAN})

    async def session() -> str:
        async with connected(root, yes=True) as host:
            assert "cannot spend" in await host.call("start_verification", plan="PLAN.md", agents="openai:gpt-5")
            begun = await host.call("start_verification", plan="PLAN.md", agents="challenger=host,analyst")
            while (text := await host.task(context=str(len(host.seen)))).startswith("task_id:"):
                await _challenger(host, text)
            return begun.split()[1]

    run = Home().find(asyncio.run(session()))
    assert verify(run).whole
    again = stored_runs.replayed(run)
    report = again.report
    assert not again.differing
    said = [each for each in report.challenges if each.claim == "Rounding before the sum is used"]
    assert [str(each.severity) for each in said] == ["BLOCKING"]
    assert any("shop/cart.py:6" in each.places for each in report.grounds)


async def _read_through(host: Host, text: str) -> str:
    """A task, or a part of one, with all its pages."""
    pages, task = [text], re.findall(r"task_id: (\S+)", text)[0]
    while f"page={len(pages) + 1} continues" in pages[-1]:
        pages.append(await host.call("next_task", task_id=task, page=len(pages) + 1))
    assert max(map(len, pages)) < words.TASK_PAGE + 1_000
    return "".join(pages)


@pytest.mark.rule("R34", "R42")
def test_a_coding_agent_reviews_a_whole_tree_in_parts_that_it_can_read(tmp_path: Path, home: Path) -> None:
    """More than one conversation can hold: each part comes in pages, has tools, and what it found is kept."""
    body = "".join(f"def area_{n}(width, height):\n    return width * height + {n}\n\n\n" for n in range(110))
    flaw = "def mean(values):\n    return sum(values) / len(values)\n"
    root = changed(tmp_path / "tree", {**{f"shop/part{n}.py": body for n in range(8)}, "shop/sums.py": flaw}, {})
    found = {
        "kind": "division by zero", "title": "an empty list divides by zero", "domain": "edge-cases", "severity": "medium",
        "confidence": "high", "failure": "error",
        "trust": "N/A", "file": "shop/sums.py", "start": 2, "end": 2, "quote": "len(values)",
        "evidence": "An empty list makes len(values) zero, and the division raises ZeroDivisionError for whoever asks for "
        "the mean of nothing, which no caller rules out.",
    }  # fmt: skip
    parts: list[str] = []

    async def session() -> str:
        async with connected(root, yes=True) as host:
            begun = await host.call("start_review", files=["shop"], agents="CORR=host,analyst")
            while (text := await host.call("next_task", wait_seconds=50, context=str(len(parts)))).startswith("task_id:"):
                task = id_of(text)
                while "task_id: " in text:
                    text = await _read_through(host, text)
                    parts.append(text)
                    assert "refused" not in await host.call("task_grep", task_id=task, pattern=r"def mean\("), "a part has tools"
                    own = [found] if "return sum(values)" in text and "-refine-" in task else []
                    empty: dict[str, Any] = {"positions": [], "defences": [], "no_findings": not own}
                    text = await host.call("submit_result", task_id=task, reply={**header(text), "findings": own, **empty})
            return begun.split()[1]

    run = Home().find(asyncio.run(session()))
    again = stored_runs.replayed(run)
    report = again.report
    assert not again.differing
    cost = {each.name: each for each in by_purpose(run)}
    assert cost["refine 1"].shown > sum(map(len, (text for text in parts if "CORR-refine-1" in text))) // 2
    assert cost["refine 1"].calls >= len([text for text in parts if "CORR-refine-1" in text])
    assert [str(each.finding.location) for each in report.resolved if each.finding.model == "host"] == ["shop/sums.py:2"]
    first = [text for text in parts if "CORR-refine-1" in text]
    assert len(first) > 1
    assert all("The files under review, whole" in text for text in first), "no change is spoken of where there is none"

"""The page of prompts as they go over the wire is what its script writes, and holds no text of anybody's project."""

import re
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "explanation" / "prompts-on-the-wire.md"
ROW = re.compile(r"\| [\w-]+ \| \d[\d,]*(, \d[\d,]*)* \| \d+ %(, \d+ %)* \|")
GONE = re.compile(r"│ ‹text of [\w./-]+: \d+ lines, [\d,]+ tokens›")
HEADER = "| agent | tokens of its questions | of these from the cache |"


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(sys, "path", [str(ROOT / "benchmarks"), *sys.path])
    import wire_prompts

    return wire_prompts


def a_run(script: Any, name: str) -> Any:
    shown = "<<<data a: text>>>\n│ def secret():\n│     return 1\n<<<end a>>>\nYou are CORR-refine-1, the specialist."
    body = {
        "messages": [{"role": "system", "content": "# Conduct\n\n" + "Judge. " * 50}, {"role": "user", "content": shown}],
        "tools": [{"function": {"name": "read", "description": "Lines.", "parameters": {}}}],
    }
    sent = (script.Sent("CORR-refine-1", 1_200, 0, body), script.Sent("CORR-refine-1", 1_300, 1_170, body))
    return script.Run(name, name, "2 questions.", sent, ("CORR-refine-1",))


def form(page: str) -> set[str]:
    """What a page is made of: the kinds of its lines outside our own words."""
    kinds = {"table": HEADER in page, "row": any(ROW.fullmatch(line) for line in page.split("\n"))}
    kinds |= {part: f"--- {part}" in page for part in ("system", "tools", "user")}
    kinds |= {
        "left out": bool(GONE.search(page)),
        "named": bool(re.search(r"^… \([\d,]+ tokens as for [\w-]+ above\)$", page, re.M)),
    }
    return {name for name, there in kinds.items() if there}


def test_the_page_has_the_form_that_its_script_writes(script: Any) -> None:
    written = script.page((a_run(script, "owner/one"), a_run(script, "owner/two")))
    assert form(written) == {"table", "row", "system", "tools", "user", "left out", "named"}
    page = PAGE.read_text(encoding="utf-8")
    assert page.startswith(script.HEAD)
    assert form(page) == form(written)
    assert len(re.findall(r"^## \S+/\S+ [0-9a-f]{10}$", page, re.MULTILINE)) == 3
    assert page.count(HEADER) == 4


def test_no_line_of_a_target_stands_on_the_page(script: Any) -> None:
    assert "def secret" not in script.page((a_run(script, "owner/one"),))
    shown = [line for line in PAGE.read_text(encoding="utf-8").split("\n") if line.startswith("│")]
    assert shown
    assert [line for line in shown if not GONE.fullmatch(line)] == []

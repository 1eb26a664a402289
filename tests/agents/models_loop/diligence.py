"""A scripted model that works as the hunter's prompt asks: searches by kind, follows what it hit to the caller, cites, hands
in.

Its searches and claims are fixed per project, and it looks up every cited line in the tools' output: it claims only what it
was shown. Validators, divers and verifiers are equally simple.
"""

import json
import re
from dataclasses import dataclass, field
from typing import Any

from counterproof.agents.models.channel import Answer, Question, ToolCall
from counterproof.agents.models.scripted import calls, says

_SHOWN = re.compile(r"^│ {1,6}(\d+) {1,2}(.*)$")
_HEAD = re.compile(r"^│ (?:(\S+), (?:lines|\d+ lines)|(\S+?):\d+-\d+ )")
_PLACE = re.compile(r"claim (\S+): CWE-(\d+), (D\d+) [^,]+, at (\S+?):(\d+)")


@dataclass
class Claimed:
    """A weakness by texts that its lines hold: file, sink and steps as (file, text, kind, operation, symbol)."""

    fields: dict[str, Any]
    file: str
    sink: str
    steps: list[tuple[str, str, str, str, str]]


ALL = [f"D{number}" for number in range(1, 11)]
_ITEM = re.compile(r"^│ ([ESC]\d+): .* at (\S+?):(\d+)(?:-\d+)?$", re.MULTILINE)


@dataclass
class Diligent:
    """`searches` are (dimension, kind, pattern); `reads` files to read; `asks` calls for callers, as (file,
    text). Open items are all called safe."""

    searches: list[tuple[str, str, str]]
    reads: list[str]
    asks: list[tuple[str, str]]
    claims: list[Claimed]
    questions: list[Question] = field(default_factory=list[Question])
    handed_in: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    def __call__(self, question: Question) -> Answer:
        self.questions.append(question)
        role = re.search(r"You are (\S+), a ([a-z ]+), in round (\d+)\.", question.task_text)
        assert role
        made = {call.id for message in question.messages for call in message.calls}
        if question.may_call and role[2] == "hunter" and (wanted := self._next(question, made)):
            return calls(*wanted)
        if question.may_call and role[2] != "hunter" and not made:
            return calls(*(ToolCall(f"v{n}", "read", json.dumps({"path": path})) for n, path in enumerate(self._files(question))))
        return says(json.dumps(self._result(question, role[1], role[2], int(role[3]))))

    def _next(self, question: Question, made: set[str]) -> list[ToolCall]:
        if "Open items, to be answered" in question.task_text:
            return []
        searches = [
            ToolCall(f"s{n}", "grep", json.dumps({"pattern": pattern})) for n, (_, _, pattern) in enumerate(self.searches)
        ]
        reads = [ToolCall(f"r{n}", "read", json.dumps({"path": path})) for n, path in enumerate(self.reads)]
        asks = [
            ToolCall(f"a{n}", "callers", json.dumps({"path": path, "line": line}))
            for n, (path, text) in enumerate(self.asks)
            if (line := shown_line(question, path, text))
        ]
        for group in (searches[:12], searches[12:], reads, asks):
            if fresh := [call for call in group if call.id not in made]:
                return fresh
        return []

    def _files(self, question: Question) -> list[str]:
        places = [found[4] for found in _PLACE.finditer(question.task_text)]
        listed = question.task_text.partition("Files to read:")[2].partition("<<<end")[0]
        return list(dict.fromkeys([*places, *re.findall(r"^│ (\S+)$", listed, re.MULTILINE), *self.reads]))[:12]

    def _result(self, question: Question, agent: str, role: str, number: int) -> dict[str, Any]:
        marker = re.findall(r"cp-[0-9a-f]{32}", question.task_text)[-1]
        own = re.findall(r"\b(D\d+) ", question.task_text.partition("Dimensions: ")[2].partition("\n")[0]) or ALL
        head: dict[str, Any] = {"marker": marker, "agent_id": agent, "round": number, "dimensions": own}
        if role == "validator":
            return {
                **head,
                "judgements": [self._judged(question, *found.groups()) for found in _PLACE.finditer(question.task_text)],
            }
        if role == "hit verifier":
            hits = re.findall(r"hit (\S+):", question.task_text)
            return {**head, "hits": [{"hit": hit, "verdict": "needs_manual", "reason": "not looked at"} for hit in hits]}
        found = [each for claim in self.claims if claim.fields["dimension"] in own and (each := self._claimed(question, claim))]
        if role == "hunter":
            items = _ITEM.findall(question.task_text)
            found = found if not items else []
            self.handed_in += found
            judged = [{"item": item, "file": path, "line": int(line), "verdict": "safe"} for item, path, line in items]
            return {**head, "nothing_found": not found, "findings": found, "judged": judged}
        return {**head, "nothing_found": True, "findings": [], "flows": [each["flow"] for each in found]}

    def _claimed(self, question: Question, claim: Claimed) -> dict[str, Any] | None:
        line = shown_line(question, claim.file, claim.sink)
        steps = [
            {"file": path, "line": shown_line(question, path, text), "kind": kind, "operation": operation, "symbol": symbol}
            for path, text, kind, operation, symbol in claim.steps
        ]
        if not line or not all(step["line"] for step in steps):
            return None
        step = {"result": "pass", "reason": "as the line shows", "file": claim.file, "line": line,
                "operation": steps[-1]["operation"], "symbol": steps[-1]["symbol"]}  # fmt: skip
        return {
            **claim.fields, "file": claim.file, "start": line, "end": line, "flow": {"steps": steps},
            "evidence": shown_text(question, claim.file, line),
            "checks": dict.fromkeys(("flow", "defence", "reach", "impact"), step),
        }  # fmt: skip

    def _judged(self, question: Question, claim: str, cwe: str, dimension: str, path: str, line: str) -> dict[str, Any]:
        """Confirms what it can see the sink of."""
        del cwe, dimension
        known = next(
            (each for each in self.claims if each.file == path and each.sink in shown_text(question, path, int(line))), None
        )
        step = {"result": "pass" if known else "partial", "reason": "as I read it", "file": path, "line": int(line),
                **({"operation": known.steps[-1][3], "symbol": known.steps[-1][4]} if known else {})}  # fmt: skip
        checks = dict.fromkeys(("flow", "defence", "reach", "impact"), step)
        return {
            "claim": claim,
            "verdict": "confirmed" if known else "downgraded",
            "file": path,
            "line": int(line),
            "checks": checks,
        }


def _lines(question: Question) -> dict[tuple[str, int], str]:
    """Every line of a file that was shown, in the opening or by `read`."""
    found: dict[tuple[str, int], str] = {}
    for message in question.messages:
        path = ""
        for row in message.text.splitlines():
            if head := _HEAD.match(row):
                path = head[1] or head[2]
            elif (line := _SHOWN.match(row)) and path:
                found[path, int(line[1])] = line[2]
    return found


def shown_line(question: Question, path: str, text: str) -> int:
    return next((number for (file, number), line in sorted(_lines(question).items()) if file == path and text in line), 0)


def shown_text(question: Question, path: str, number: int) -> str:
    return _lines(question).get((path, number), "").strip()

"""Every way in which a provider can fail for a whole run, in every protocol (F2, F21): the report is written and names what is
missing, the exit is at least that of the run without models, and what was answered is not asked again."""

import re
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from app.test_outages import BROKEN, Confirming, a_review, a_verification, keyed, stated
from app.verify.test_verify_tools import Unasked
from counterproof.agents.models.retrying import Patience
from counterproof.agents.models.transport import Deadlines
from counterproof.app import audit, review, verify
from counterproof.app.delivery import Ended
from counterproof.app.team import AUDIT_SEATS, terms_of
from counterproof.cli.console import SilentObserver
from counterproof.model.receipt import Exit
from counterproof.protocols.audit.modes import Mode
from counterproof.protocols.audit.request import AuditRequest
from counterproof.runtime.home import Home
from faults.rig import KEY
from faults.server import FaultServer, Move, refusal, threaded
from faults.speech import Says
from runtime.test_recovery import Standing

__all__ = ["keyed"]
Start = Callable[[Any], Ended]


def an_audit(tmp_path: Path) -> Start:
    root = tmp_path / "app"
    root.mkdir()
    (root / "job.py").write_text(BROKEN)

    def start(server: FaultServer | None) -> Ended:
        agents = f"openai-compatible:small@{server.url}/v1" if server else ""
        terms = terms_of(AUDIT_SEATS, agents, 3_000_000 if agents else 0, "", Home().root)
        models = tuple(role for role, _ in terms.players) if terms else ()
        request = AuditRequest(str(root), Mode.QUICK, models=models, terms=terms, yes=True)
        return audit.start(request, Standing(), SilentObserver(), Home())

    return start


def resumed(ended: Ended) -> Ended:
    if ended.job.name == "audit":
        return audit.resume(ended.run, Standing(), SilentObserver())
    if ended.job.name == "review":
        return review.resume(ended.run, Confirming(), SilentObserver())
    return verify.resume(ended.run, Unasked(), SilentObserver())


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    monkeypatch.setattr(Patience.__init__, "__defaults__", (0.001, 120.0, 1800.0, 900.0, 60.0))
    if "hanging" in request.node.name:
        monkeypatch.setattr(Deadlines.__init__, "__defaults__", (1.0, 0.2, 0.2, 1.0))


def refuses(message: str) -> FaultServer:
    return FaultServer(fault=lambda asked: refusal(400, "invalid_request_error", message))


def says(text: str, **more: Any) -> FaultServer:
    return FaultServer(brain=lambda asked: Says(text, **more))


FAULTS: dict[str, tuple[Callable[[], FaultServer | None], str, int]] = {
    "dead": (lambda: None, "unreachable: cannot connect", 0),
    "broken": (lambda: FaultServer(fault=lambda asked: refusal(500)), "server error: status 500", 12),
    "hanging": (lambda: FaultServer(fault=lambda asked: Move(hang=True)), "timed out: no answer", 6),
    "cut off": (lambda: FaultServer(fault=lambda asked: Move(cut=20)), "reply cut off", 8),
    "refused": (lambda: refuses("max_tokens is too large"), "max_tokens is too large", 4),
    "schema": (lambda: refuses("Invalid schema for response_format"), "Invalid schema", 4),
    "context": (lambda: refuses("maximum context length exceeded"), "context length exceeded", 36),
    "filtered": (lambda: says("", finish="content_filter"), "the provider's filter withheld the answer", 4),
    "refusing": (lambda: says("", refusal="I cannot help with that."), "the model refused to answer", 4),
    "empty": (lambda: says(""), "the model answered nothing", 4),
    "prose": (lambda: says("I cannot help with that."), "does not fit the contract", 78),
    "no tools": (lambda: says("{}"), "answers another question|does not fit the contract", 27),
}  # fmt: skip
"""A provider, what the report says of it, and the most requests that it may get."""
JOBS = (an_audit, a_review, a_verification)
RUNS = [
    pytest.param(job, fault, marks=pytest.mark.nightly if (number + place) % len(JOBS) else ())
    for place, job in enumerate(JOBS)
    for number, fault in enumerate(FAULTS)
]
"""Every fault in one protocol on a push, in all of them at night."""


@contextmanager
def serving(server: FaultServer | None) -> Generator[Any]:
    if server is None:
        yield SimpleNamespace(url="http://127.0.0.1:9", log=[])
    else:
        with threaded(server):
            yield server


@pytest.mark.rule("F21")
@pytest.mark.parametrize(("job", "fault"), RUNS)
def test_a_provider_that_fails_for_a_whole_run(job: Callable[[Path], Start], fault: str, tmp_path: Path) -> None:
    make, cause, most = FAULTS[fault]
    start = job(tmp_path)
    alone = start(None)
    with serving(make()) as server:
        ran = start(server)
    assert re.search(cause, stated(ran))
    assert any(re.search(f"^not reviewed by [^:]+: .*(?:{cause})", each.text) for each in ran.outcome.reasons)
    assert Exit.INCOMPLETE in {each.code for each in ran.outcome.reasons}
    assert ran.outcome.exit is replace(alone.outcome, reasons=(*alone.outcome.reasons, *ran.outcome.reasons)).exit
    assert len(server.log) <= most


@pytest.mark.rule("F2", "F21")
@pytest.mark.parametrize("status", [401, 404, 429], ids=["key", "model", "rate"])
@pytest.mark.parametrize("job", JOBS)
def test_a_problem_for_the_user_pauses_the_run_with_a_report(job: Callable[[Path], Start], status: int, tmp_path: Path) -> None:
    mended = False

    def fault(asked: Any) -> Move | None:
        return None if mended or asked.number < 1 else refusal(status, "error", f"Not with {KEY}", retry_after="3600")

    with threaded(FaultServer(brain=lambda asked: Says("prose"), fault=fault)) as server:
        paused = job(tmp_path)(server)
        answered = server.log[0].digest
        refused = len(server.log)
        mended = True
        done = resumed(paused)
    assert paused.outcome.exit is Exit.PAUSED
    assert "Provisional: the run paused" in stated(paused)
    assert done.outcome.exit is not Exit.PAUSED
    assert len(server.log) > refused
    assert answered not in {each.digest for each in server.log[1:]}
    kept = [each for each in Home().root.rglob("*") if each.is_file()]
    assert kept
    assert not any(KEY.encode() in each for each in (*(each.read_bytes() for each in kept), *(each.raw for each in server.log)))

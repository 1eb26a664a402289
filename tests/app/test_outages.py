"""A provider that is down, refuses or wants money for the whole run: the analysts' report is written all the same (F2, F21)."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from analysis.plans.planned_shop import FLAWED, shop
from analysis.review.changed_tree import changed
from app.verify.test_verify_tools import Unasked
from cli.command import counterproof, small_app
from counterproof.agents import roles
from counterproof.agents.models.talk import FIRST_TOOLS
from counterproof.agents.models.tuning import MIN_WINDOW
from counterproof.app import review, verify
from counterproof.app.delivery import Ended
from counterproof.app.jobs import REVIEW
from counterproof.app.recovery import Choices
from counterproof.app.team import PLAN_SEATS, terms_of
from counterproof.cli.console import SilentObserver
from counterproof.knowledge.profiles import load_profile
from counterproof.model.receipt import Exit
from counterproof.model.review.scope import Scope
from counterproof.protocols.plan.request import VerifyRequest
from counterproof.protocols.review.presets import Preset, team
from counterproof.protocols.review.request import ReviewRequest
from counterproof.runtime.home import Home
from faults.rig import KEY
from faults.server import Asked, FaultServer, Move, refusal, threaded
from faults.speech import Says

BROKEN = "import os\n\n\ndef run(job, name):\n    try:\n        os.system('job ' + name)\n    except Exception:\n        pass\n"


def refused() -> Move:
    return refusal(400, "invalid_request_error", "max_tokens is too large")


def unpaid() -> Move:
    return refusal(429, "insufficient_quota", "You exceeded your current quota")


@pytest.fixture(autouse=True)
def keyed(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    monkeypatch.setenv("OPENAI_COMPATIBLE_API_KEY", KEY)


def audited(root: Path, out: Path, server: FaultServer | None, *more: str) -> Any:
    agents = ("--agents", f"openai-compatible:small@{server.url}/v1", "--budget-tokens", "3000000") if server else ()
    return counterproof("audit", str(root), "--yes", "--out", str(out), *agents, *more, COUNTERPROOF_SEMGREP="")


def found(out: Path) -> list[str]:
    report = json.loads((out / "report.json").read_text())
    return sorted(str(row["finding"]["location"]) for row in report["findings"] if not row["accepted"])


def reported(out: Path) -> dict[str, Any]:
    return json.loads((out / "report.json").read_text())


@pytest.mark.rule("F21")
@pytest.mark.rule("A27")
def test_an_audit_with_a_provider_that_is_down_reports_what_the_analysts_found(tmp_path: Path) -> None:
    root = small_app(tmp_path / "app")
    alone = audited(root, tmp_path / "alone", None)
    with threaded(FaultServer(fault=lambda asked: refusal(500))) as server:
        down = audited(root, tmp_path / "down", server)
    assert alone.returncode == down.returncode == Exit.FINDINGS, down.stderr
    assert found(tmp_path / "down") == found(tmp_path / "alone")
    assert "status 500" in " ".join(reported(tmp_path / "down")["limitations"])
    receipt = json.loads((tmp_path / "down" / "receipt.json").read_text())
    assert {each["code"] for each in receipt["reasons"]} == {Exit.FINDINGS, Exit.INCOMPLETE}
    assert receipt["tokens"] == 0
    assert len(server.log) <= 4 * 6  # those at work side by side use up their tries; no restart sends anything


@pytest.mark.rule("F21")
def test_an_audit_whose_every_request_is_refused_asks_no_third_time_and_ends_incomplete(tmp_path: Path) -> None:
    root = tmp_path / "app"
    root.mkdir()
    (root / "sums.py").write_text("def add(a, b):\n    return a + b\n" * 20)
    with threaded(FaultServer(fault=lambda asked: refused())) as server:
        ran = audited(root, tmp_path / "out", server, "--mode", "quick")
    assert ran.returncode == Exit.INCOMPLETE, ran.stderr
    assert "max_tokens is too large" in " ".join(reported(tmp_path / "out")["limitations"])
    assert len(server.log) <= 4


@pytest.mark.rule("F2")
@pytest.mark.rule("F21")
def test_a_paused_audit_leaves_a_provisional_report_and_resumes_or_ends_on_request(tmp_path: Path) -> None:
    root, out = small_app(tmp_path / "app"), tmp_path / "out"
    audited(root, tmp_path / "alone", None)
    with threaded(FaultServer(fault=lambda asked: unpaid())) as server:
        ran = audited(root, out, server)
        (run,) = (run for run in Home().runs() if not run.receipt.is_file())
        entries = run.journal.read_bytes()
        again = counterproof("resume", run.id, "--out", str(out), COUNTERPROOF_SEMGREP="")
    assert ran.returncode == again.returncode == Exit.PAUSED, ran.stderr
    banner = reported(out)["banners"][0]
    assert banner.startswith("Provisional: ")
    assert "spend limit reached" in banner
    assert f"counterproof resume {run.id}" in banner
    assert found(out) == found(tmp_path / "alone")
    assert not (out / "receipt.json").exists()
    assert (run.path / "provisional" / "report.md").is_file()
    assert b"report_written" not in entries
    assert b"the run paused" not in entries
    ended = counterproof("resume", run.id, "--without-models", "--out", str(out), OPENAI_COMPATIBLE_API_KEY="")
    assert ended.returncode == Exit.FINDINGS, ended.stderr
    receipt = json.loads((out / "receipt.json").read_text())
    assert Exit.INCOMPLETE in {each["code"] for each in receipt["reasons"]}
    assert "ended by the user without waiting for the models" in " ".join(reported(out)["limitations"])
    assert not any(each.startswith("Provisional") for each in reported(out)["banners"])
    assert not (run.path / "provisional").exists()
    assert counterproof("replay", run.id).returncode == 0
    assert counterproof("log", "verify", run.id).returncode == 0


@pytest.mark.rule("F21")
def test_a_paused_run_that_goes_on_asks_the_models_again_and_has_their_part(tmp_path: Path) -> None:
    paid = False
    folder = changed(tmp_path / "a", {}, {"job.py": BROKEN})
    with threaded(FaultServer(brain=lambda asked: Says("prose"), fault=lambda asked: None if paid else unpaid())) as server:
        paused = reviewed(folder, server)
        assert paused.outcome.exit is Exit.PAUSED
        paid, before = True, len(server.log)
        done = review.resume(paused.run, Confirming(), SilentObserver())
    assert len(server.log) > before
    assert done.outcome.exit is not Exit.PAUSED
    assert done.report
    assert not any("Provisional" in each for each in done.report.limitations)


class Confirming:
    def confirms(self, scope: Scope, warnings: tuple[str, ...]) -> bool | None:
        return True


def reviewed(folder: Path, server: FaultServer | None, more: str = "") -> Ended:
    profile = team(load_profile("code"), Preset.DEFAULT, ("SEC", "QUAL"))
    agents = f"openai-compatible:small@{server.url}/v1{more}" if server else ""
    prompts = roles.review_digest() if agents else ""
    request = ReviewRequest(str(folder), profile, yes=True, agents=agents, prompts=prompts, team="full")
    return review.start(request, Confirming(), SilentObserver(), Home())


def verified(folder: Path, server: FaultServer | None, more: str = "") -> Ended:
    address = f"openai-compatible:small@{server.url}/v1{more}" if server else ""
    terms = terms_of(PLAN_SEATS, address, 3_000_000, "", Home().root) if server else None
    return verify.start(VerifyRequest(str(folder / "PLAN.md"), str(folder), terms=terms), Unasked(), SilentObserver(), Home())


def a_review(tmp_path: Path) -> Callable[..., Ended]:
    folder = changed(tmp_path / "a", {}, {"job.py": BROKEN})
    return lambda server, more="": reviewed(folder, server, more)


def a_verification(tmp_path: Path) -> Callable[..., Ended]:
    folder = shop(tmp_path / "shop", **{"PLAN.md": FLAWED})
    return lambda server, more="": verified(folder, server, more)


def a_long_review(tmp_path: Path) -> Callable[..., Ended]:
    steps = "".join(f"def step_{number}(row):\n    return row + {number}{' + row' * 9}\n\n\n" for number in range(700))
    folder = changed(tmp_path / "a", {}, {"job.py": steps})
    return lambda server, more="": reviewed(folder, server, more)


def a_long_verification(tmp_path: Path) -> Callable[..., Ended]:
    steps = "".join(f"\n{number}. Copy table {number} and compare its sums.\n" for number in range(900))
    folder = shop(tmp_path / "shop", **{"PLAN.md": FLAWED + steps})
    return lambda server, more="": verified(folder, server, more)


SHORT = 9_000
"""Tokens of a context that is shorter than its window says."""


@pytest.mark.rule("F20")
@pytest.mark.parametrize("job", [a_long_review, pytest.param(a_long_verification, marks=pytest.mark.nightly)])
def test_reviews_and_verifications_ask_again_with_less_where_a_context_is_short(
    job: Callable[[Path], Callable[..., Ended]], tmp_path: Path
) -> None:
    def fault(asked: Asked) -> Move | None:
        return refusal(400, "invalid_request_error", "maximum context length exceeded") if asked.tokens > SHORT else None

    with threaded(FaultServer(brain=lambda asked: Says("prose"), fault=fault)) as server:
        ran = job(tmp_path)(server)
    sizes = [each.tokens for each in server.log]
    assert max(sizes) > SHORT
    assert sizes[-1] <= SHORT
    assert "context length" not in stated(ran)


@pytest.mark.rule("F20")
@pytest.mark.parametrize("job", [a_long_review, pytest.param(a_long_verification, marks=pytest.mark.nightly)])
def test_reviews_and_verifications_keep_within_the_least_window(
    job: Callable[[Path], Callable[..., Ended]], tmp_path: Path
) -> None:
    with threaded(FaultServer(brain=lambda asked: Says("prose"))) as server:
        job(tmp_path)(server, f"#window={MIN_WINDOW}")
    assert server.log
    assert max(each.tokens + each.body["max_tokens"] for each in server.log) <= MIN_WINDOW
    assert {len(each.body["tools"]) for each in server.log} == {FIRST_TOOLS}


def stated(ran: Ended) -> str:
    """What the report says is missing."""
    assert ran.report
    more = (*getattr(ran.report, "banners", ()), *getattr(ran.report, "unreviewed", ()))
    return " ".join((*more, *ran.report.limitations))


@pytest.mark.rule("F2")
@pytest.mark.rule("F21")
@pytest.mark.parametrize("job", [a_review, a_verification])
def test_paused_reviews_and_verifications_leave_a_provisional_report_and_end_on_request(
    job: Callable[[Path], Callable[..., Ended]], tmp_path: Path
) -> None:
    start = job(tmp_path)
    with threaded(FaultServer(fault=lambda asked: unpaid())) as server:
        paused = start(server)
        sent = len(server.log)
        if paused.job is REVIEW:
            ended = review.resume(paused.run, Confirming(), SilentObserver(), Choices(without_models=True))
        else:
            ended = verify.resume(paused.run, Unasked(), SilentObserver(), Choices(without_models=True))
        assert len(server.log) == sent
    assert paused.outcome.exit is Exit.PAUSED
    assert "Provisional: the run paused" in stated(paused)
    assert "spend limit reached" in stated(paused)
    assert "ended by the user without waiting for the models" in stated(ended)
    assert ended.outcome.exit in (Exit.FINDINGS, Exit.INCOMPLETE)
    assert Exit.INCOMPLETE in {each.code for each in ended.outcome.reasons}
    assert not (ended.run.path / "provisional").exists()

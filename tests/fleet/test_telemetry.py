"""What a worker tells an OpenTelemetry collector: only if asked to, well formed, nothing of the target, in nobody's way."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from counterproof.fleet import otlp
from counterproof.fleet.otlp import Part, Totals
from counterproof.fleet.telemetry import HEADERS, Telemetry
from counterproof.model.errors import UserError
from fleet.test_workers import batched, command, environment, repositories, working


@contextmanager
def collector(status: int = 200, location: str = "") -> Iterator[SimpleNamespace]:
    """A collector on this machine that keeps what it is sent."""
    kept: list[tuple[str, dict[str, str], Any]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            kept.append((self.path, dict(self.headers), json.loads(body)))
            self.send_response(status)
            if location:
                self.send_header("Location", location)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the name in the standard library)
            """Tests are quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield SimpleNamespace(kept=kept, url=f"http://127.0.0.1:{server.server_port}")
    finally:
        server.shutdown()
        server.server_close()


def attributes(of: dict[str, Any]) -> dict[str, str]:
    return {each["key"]: next(iter(each["value"].values())) for each in of["attributes"]}


def spans(kept: list[tuple[str, dict[str, str], Any]]) -> list[dict[str, Any]]:
    bodies = [body for path, _, body in kept if path == "/v1/traces"]
    return [span for body in bodies for each in body["resourceSpans"] for scope in each["scopeSpans"] for span in scope["spans"]]


def points(kept: list[tuple[str, dict[str, str], Any]], name: str) -> list[dict[str, Any]]:
    """The points of a metric as they were sent last."""
    body = [body for path, _, body in kept if path == "/v1/metrics"][-1]
    [metric] = [each for each in body["resourceMetrics"][0]["scopeMetrics"][0]["metrics"] if each["name"] == name]
    return next(each for key, each in metric.items() if key in ("sum", "gauge", "histogram"))["dataPoints"]


def test_a_run_is_a_trace_and_nothing_of_its_code_leaves(fleet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(HEADERS, "authorization=Bearer%20a,x-team=security")
    listed = repositories(tmp_path, 2)
    with collector() as there, working(tmp_path / "one", fleet.worker, "--otlp", there.url, "--name", "w1") as worker:
        assert batched(tmp_path / "a", fleet.operator, listed).returncode == 1
        worker.terminate()
        assert worker.wait(60) == 0
    sent, found = json.dumps(there.kept), spans(there.kept)
    for word in ("shop", "app.py", "sqlite3", "find", "sk_live", "SELECT", str(tmp_path), "COUNTERPROOF_FLEET", "postgresql"):
        assert word not in sent
    assert {headers["Authorization"] for _, headers, _ in there.kept} == {"Bearer a"}
    whole = [each for each in found if "parentSpanId" not in each]
    assert [attributes(each)["counterproof.state"] for each in whole] == ["done", "done"]
    assert len({each["traceId"] for each in whole}) == 2
    for each in whole:
        steps = [step for step in found if step.get("parentSpanId") == each["spanId"]]
        assert [step["name"] for step in steps] == [f"counterproof {name}" for name in ("prepare", "audit", "hand in")]
        assert {step["traceId"] for step in steps} == {each["traceId"]}
        assert int(each["startTimeUnixNano"]) <= int(steps[0]["startTimeUnixNano"]) < int(each["endTimeUnixNano"])
    [done] = points(there.kept, "counterproof.worker.runs")
    assert (attributes(done), done["asInt"]) == ({"counterproof.state": "done"}, "2")
    [spread] = points(there.kept, "counterproof.worker.run.duration")
    assert spread["count"] == "2"
    assert sum(int(each) for each in spread["bucketCounts"]) == 2
    assert len(spread["bucketCounts"]) == len(spread["explicitBounds"]) + 1
    [queue] = points(there.kept, "counterproof.queue.runs")
    assert (attributes(queue), queue["asInt"]) == ({"counterproof.state": "done"}, "2")


def test_nothing_is_sent_unless_this_program_is_told_to(fleet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import subprocess

    with collector() as there:
        for name in ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT"):
            monkeypatch.setenv(name, there.url)
        home = environment(tmp_path, fleet.worker)
        ended = subprocess.run(command("worker", "--until-empty"), env=home, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    assert there.kept == []


def part(epoch: int = 1, state: str = "done", seconds: float = 2.0) -> Part:
    made = Part("20300101-000000-aaaaaa", "b", "w", epoch, began=10**18, state=state)
    made.ended = made.began + int(seconds * 1e9)
    return made


@pytest.mark.parametrize("status", [302, 400, 500])
def test_a_collector_that_takes_nothing_is_told_of_once_and_in_nobodys_way(fleet, status: int) -> None:
    said: list[str] = []
    with collector() as elsewhere, collector(status, f"{elsewhere.url}/v1/traces") as there:
        with Telemetry(there.url, fleet.worker, "w", said.append) as telemetry:
            telemetry.ended(part())
        assert {path for path, _, _ in there.kept} == {"/v1/metrics", "/v1/traces"}
        assert elsewhere.kept == []
    with Telemetry(there.url, fleet.worker, "w", said.append) as gone:  # nobody listens there any more
        gone.ended(part())
    assert (telemetry.dropped, gone.dropped) == (2, 2)
    assert len(said) == 2
    assert str(status) in said[0]


def test_the_parts_of_one_run_meet_in_one_trace() -> None:
    sent = otlp.traces([part(1, otlp.DROPPED), part(2)], {})
    first, second = sent["resourceSpans"][0]["scopeSpans"][0]["spans"]
    assert first["traceId"] == second["traceId"]
    assert first["spanId"] != second["spanId"]
    assert (first["status"], second["status"]) == ({"code": 2}, {"code": 1})


@pytest.mark.parametrize(("seconds", "bucket"), [(0.5, 0), (1.0, 0), (1.1, 1), (4_000, len(otlp.BOUNDS))])
def test_a_duration_falls_into_its_bucket(seconds: float, bucket: int) -> None:
    totals = Totals()
    totals.count(part(seconds=seconds))
    assert totals.buckets.index(1) == bucket


@pytest.mark.parametrize("address", ["collector:4318", "ftp://a/", "http://user:word@a/", "https://a/?key=b", "http://"])
def test_an_address_that_is_none_is_refused(address: str) -> None:
    with pytest.raises(UserError, match="--otlp takes an address"):
        Telemetry(address, "", "w")

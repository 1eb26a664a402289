"""`counterproof osv update`: archives from a real server on this machine, kept, used by audits, never worse for a failure."""

import io
import json
import threading
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from app.test_vulnerability_data import RECORD
from cli.command import counterproof


def archive(*records: object) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as made:
        for number, record in enumerate(records):
            made.writestr(f"{number}.json", json.dumps(record))
    return data.getvalue()


class Server(ThreadingHTTPServer):
    def __init__(self) -> None:
        self.status, self.body, self.promised, self.moved, self.asked = 200, archive(RECORD), 0, "", list[str]()
        super().__init__(("127.0.0.1", 0), Handler)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        played = self.server
        played.asked.append(self.path)
        known = self.headers.get("If-Modified-Since") == "Sun, 01 Nov 2026 00:00:00 GMT"
        self.send_response(302 if played.moved else 304 if known and played.status == 200 else played.status)
        self.send_header("Last-Modified", "Sun, 01 Nov 2026 00:00:00 GMT")
        if played.moved:
            self.send_header("Location", played.moved)
        self.send_header("Content-Length", str(played.promised or len(played.body)))
        self.end_headers()
        if not known or played.status != 200:
            self.wfile.write(played.body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the library's name)
        """Says nothing."""


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as running:
        thread = threading.Thread(target=running.serve_forever)
        thread.start()
        yield running
        running.shutdown()
        thread.join()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COUNTERPROOF_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def target(tmp_path: Path) -> Path:
    folder = tmp_path / "target"
    folder.mkdir()
    (folder / "app.py").write_text("print('hello')\n")
    (folder / "requirements.txt").write_text("example_lib==1.9\n")
    return folder


def test_ecosystems_in_use_are_fetched_once_and_audits_use_them(home: Path, target: Path, server: Server) -> None:
    first = counterproof("osv", "update", str(target), "--source", server.url)
    assert first.returncode == 0, first.stderr
    assert first.stdout.startswith("PyPI: fetched, ")
    assert server.asked == ["/PyPI/all.zip"]
    assert counterproof("osv", "update", str(target), "--source", server.url).stdout == "PyPI: nothing newer\n"
    assert counterproof("osv").stdout.startswith("PyPI      2026-11-01  ")
    audited = counterproof("audit", str(target), "--yes", "--format", "json", "--quiet")
    assert [row["finding"]["rule"] for row in json.loads(audited.stdout)["findings"]] == ["known-vulnerability"]


@pytest.mark.parametrize(
    ("fault", "word"),
    [
        ({"status": 500}, "answered 500"),
        ({"body": b"<html>sign in</html>"}, "is not an archive"),
        ({"body": archive(["no record"])}, "holds no OSV record"),
        ({"promised": 100_000}, "cannot fetch|was cut off"),
        ({"moved": "http://example.invalid/all.zip"}, "not https"),
    ],
)
def test_a_failing_server_leaves_the_stored_archive(
    home: Path, target: Path, server: Server, fault: dict[str, object], word: str
) -> None:
    folder = home / "osv"
    folder.mkdir(parents=True)
    before = archive(RECORD)
    (folder / "PyPI.zip").write_bytes(before)
    for name, value in fault.items():
        setattr(server, name, value)
    failed = counterproof("osv", "update", str(target), "--source", server.url)
    assert failed.returncode == 2
    assert any(each in failed.stderr for each in word.split("|")), failed.stderr
    assert (folder / "PyPI.zip").read_bytes() == before
    assert [each.name for each in folder.iterdir()] == ["PyPI.zip"]


def test_plain_addresses_and_unknown_ecosystems_are_refused(home: Path, target: Path) -> None:
    plain = counterproof("osv", "update", str(target), "--source", "http://example.invalid")
    assert plain.returncode == 2
    assert "it is not https" in plain.stderr
    unknown = counterproof("osv", "update", str(target), "--ecosystem", "CRAN")
    assert unknown.returncode == 2
    assert "CRAN is not read" in unknown.stderr

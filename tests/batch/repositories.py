"""Real git repositories for tests of batches, and a server on this machine that they can be fetched from."""

import os
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from cli.command import small_app
from toolbox.tooling import git

HARMLESS = "def add(one, other):\n    return one + other\n"


def vulnerable(folder: Path) -> Path:
    """A small application with two weaknesses, committed."""
    return committed(small_app(folder, 40))


def harmless(folder: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / "sums.py").write_text(HARMLESS)
    return committed(folder)


def committed(folder: Path) -> Path:
    if not (folder / ".git").exists():
        git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "A state")
    return folder


@dataclass
class GitServer:
    """`address` is that of the folder served; `requests` are paths with their Authorization header."""

    address: str = ""
    requests: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])


@contextmanager
def served(folder: Path) -> Iterator[GitServer]:
    """The repositories in a folder over HTTP, by git's own program for it."""
    known = GitServer()

    class Handler(BaseHTTPRequestHandler):
        def _answer(self) -> None:
            known.requests.append((self.path, self.headers.get("Authorization", "")))
            path, _, query = self.path.partition("?")
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            environment = {
                **os.environ, "GIT_PROJECT_ROOT": str(folder), "GIT_HTTP_EXPORT_ALL": "1", "PATH_INFO": path,
                "QUERY_STRING": query, "REQUEST_METHOD": self.command, "REMOTE_ADDR": "127.0.0.1",
                "CONTENT_TYPE": self.headers.get("Content-Type", ""), "CONTENT_LENGTH": str(len(body)),
                "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
                "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""), "GIT_CONFIG_COUNT": "1",
                "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "*",
            }  # fmt: skip
            said = subprocess.run(("git", "http-backend"), input=body, env=environment, capture_output=True, check=True).stdout
            head, _, content = said.partition(b"\r\n\r\n")
            lines = [line.partition(": ") for line in head.decode("latin-1").split("\r\n")]
            status = next((value for name, _, value in lines if name == "Status"), "200 OK")
            self.send_response(int(status.split()[0]))
            for name, _, value in lines:
                if name != "Status":
                    self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST = _answer  # noqa: N815 (the library's names)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the library's name)
            """Says nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    known.address = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield known
    finally:
        server.shutdown()
        server.server_close()

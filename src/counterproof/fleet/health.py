"""Health checks of a worker for process supervisors: is it alive, and can it work?

`/live` returns 200 while the process runs; `/ready` returns 200 while it takes runs and reaches the database, else 503.
Invariant: responses contain nothing else; there is no other address.
"""

import threading
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from counterproof.fleet.queue import Queue
from counterproof.fleet.worker import Worker
from counterproof.model.errors import CounterproofError
from counterproof.runtime.postgres.database import Database

_PATIENCE = 2.0


@contextmanager
def serving(worker: Worker, port: int) -> Generator[int]:
    """Serve while the worker works; yields the port."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            good = {"/live": lambda: True, "/ready": lambda: _ready(worker)}.get(self.path)
            status = 404 if good is None else 200 if good() else 503
            self.send_response(status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the name in the standard library)
            """Requests are not logged."""

    server = ThreadingHTTPServer(("", port), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()


def _ready(worker: Worker) -> bool:
    if worker.stopping.is_set():
        return False
    try:
        with Database(worker.address, patience=_PATIENCE, name="counterproof health") as database:
            return not Queue(database).draining
    except CounterproofError:
        return False

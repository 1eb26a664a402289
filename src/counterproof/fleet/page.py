"""The status of a fleet as a self-refreshing page for a browser on this machine.

Invariant: it listens only on the loopback address and serves one path, to clients that use that address; it only reads, so a
login with the role `counterproof_reader` is enough; texts of workers and targets are escaped by `markup`.
"""

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Final

from counterproof import __version__
from counterproof.fleet.queue import Queue, Status
from counterproof.model.errors import CounterproofError
from counterproof.reports.html import frame
from counterproof.reports.html.markup import Markup, tag
from counterproof.reports.html.sections import section
from counterproof.reports.sections.blocks import Section, Table, sentence, text
from counterproof.reports.wording import counted
from counterproof.runtime.postgres.database import Database

_SECONDS: Final = 5
_PATIENCE: Final = 3.0


def render(now: Status) -> str:
    """The whole page."""
    ended = sum(now.runs.get(state, 0) for state in ("done", "unchanged"))
    facts = (
        ", ".join(f"{number:,} {state}" for state, number in now.runs.items()) or "the queue is empty",
        "draining: workers take no new runs" if now.draining else "",
        f"this page reloads every {_SECONDS} seconds",
    )
    title = f"{counted(ended, 'report')} and {counted(len(now.running), 'run')} under way"
    top = tag("section", frame.heading("fleet", "A fleet with ", title, facts), id="overview")
    late = [(*each[:4], f"{each[4]:.0f} s" if each[4] > 0 else f"silent for {-each[4]:.0f} s too long") for each in now.running]
    money = [
        (purse, used, held, "any number" if limit is None else limit, refused)
        for purse, used, held, limit, *_, refused in now.purses
    ]
    parts = (
        _table("findings", "Who drives what", ("Worker", "Login", "Run", "Last word", "Lease"), late),
        _table("quarantine", "Quarantined", ("Login", "Run", "Why"), now.quarantined),
        _table("batches", "Batches, newest first", ("Batch", "Ended", "Runs", "Workers lost"), now.batches),
        _table("budgets", "Budgets, in tokens", ("Budget", "Used", "Held", "Limit", "Refusals"), money),
    )
    return frame.page("Fleet", __version__, Markup(""), (top, *parts))


def _table(key: str, title: str, columns: tuple[str, ...], rows: Sequence[tuple[object, ...]]) -> Markup:
    shown = tuple(tuple(text(_shown(each)) for each in row) for row in rows)
    return section(Section(key, title, (Table(columns, shown) if rows else sentence("None."),)))


def _shown(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value)


@contextmanager
def served(address: str, port: int) -> Generator[ThreadingHTTPServer]:
    """A server that is not yet running, with its port reserved; 0 picks a free one."""

    def page() -> str:
        with Database(address, patience=_PATIENCE, name="counterproof page") as database:
            return render(Queue(database).status())

    server = ThreadingHTTPServer(("127.0.0.1", port), _handler(page))
    try:
        yield server
    finally:
        server.server_close()


def _handler(page: Callable[[], str]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.headers.get("Host", "").rpartition(":")[0] not in ("127.0.0.1", "localhost"):
                self._answer(403, "This page is only served to this machine.")  # against DNS rebinding
            elif self.path != "/":
                self._answer(404, "The only page is /.")
            else:
                try:
                    self._answer(200, page(), "text/html")
                except CounterproofError as error:
                    self._answer(503, f"{error}")

        def _answer(self, status: int, text: str, kind: str = "text/plain") -> None:
            body = text.encode("utf-8", "replace")
            self.send_response(status)
            for name, value in (
                ("Content-Type", f"{kind}; charset=utf-8"), ("Content-Length", str(len(body))), ("Refresh", str(_SECONDS)),
                ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"), ("X-Frame-Options", "DENY"),
            ):  # fmt: skip
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the name in the standard library)
            """Requests are not logged."""

    return Handler

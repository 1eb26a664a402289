"""The page of a fleet: what it shows, to whom, and that nothing of what workers say becomes HTML."""

import http.client
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from counterproof.fleet.page import served
from counterproof.fleet.queue import Queue
from counterproof.model.batch import Order
from counterproof.model.budget import Limit
from counterproof.runtime.postgres.database import Database
from fleet.test_queue import ORDER, TARGETS, accepted, submitted, taken


@contextmanager
def page(address: str) -> Iterator[int]:
    with served(address, 0) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield server.server_port
        finally:
            server.shutdown()
            thread.join()


def asked(port: int, path: str = "/", host: str = "") -> tuple[int, str, dict[str, str]]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("GET", path, headers={"Host": host or f"127.0.0.1:{port}"})
    reply = connection.getresponse()
    found = reply.status, reply.read().decode(), dict(reply.headers)
    connection.close()
    return found


def test_it_shows_who_drives_what_and_loads_itself_anew(fleet) -> None:
    with Database(fleet.worker) as one, Database(fleet.operator) as two, page(fleet.operator) as port:
        worker, operator = Queue(one), Queue(two)
        assert "the queue is empty" in asked(port)[1]
        budgeted = Order(ORDER.id, "list", TARGETS, Limit(1234567))
        operator.limit(budgeted.id, budgeted.budget)
        submitted(operator, 4, budgeted)
        ended = taken(worker)
        assert worker.hand_in(ended.lease, "unverified", 0, "")
        assert accepted(operator, ended.lease.run)
        running = taken(worker)
        assert worker.beat(running.lease, 60, "<script>alert(1)</script> says & 'more'")
        status, text, headers = asked(port)
        operator.drain(True)
        drained = asked(port)[1]
    assert (status, headers["Refresh"], headers["Content-Type"]) == (200, "5", "text/html; charset=utf-8")
    assert "1 done, 1 running, 2 waiting" in text
    for word in ("a worker", running.lease.run, ORDER.id, "1,234,567", "&lt;script&gt;alert(1)"):
        assert word in text
    assert "<script>alert" not in text
    assert "Content-Security-Policy" in text
    assert ("draining" in text, "draining" in drained) == (False, True)


def test_it_answers_this_machine_and_one_path(fleet) -> None:
    with page(fleet.operator) as port:
        assert asked(port, host=f"localhost:{port}")[0] == 200
        assert asked(port, host=f"attacker.example:{port}")[0] == 403
        assert asked(port, "/etc/passwd")[0] == 404
    with page(fleet.operator.replace("/fleet?", "/gone?")) as port:
        status, text, _ = asked(port)
    assert status == 503
    assert "does not answer" in text

"""A worker of the campaign on plain DBOS steps; see fleet_dbos.py, which runs it in an environment that has dbos.

    fleet_dbos_worker.py submit RUNS PORT          makes the tables and puts the runs into the queue
    fleet_dbos_worker.py work EXECUTOR PORT FILE   carries them out until killed, noting each whole reply in FILE

A run is a workflow of four steps, each of which asks the scripted model one question and returns the reply. Nothing of
Counterproof is imported here.
"""

import hashlib
import http.client
import json
import os
import sys
import threading
import time

from dbos import DBOS, DBOSClient

QUESTIONS = 4
ADDRESS = os.environ["COUNTERPROOF_FLEET"]


def submit(runs: int, port: int) -> None:
    configured("nobody")
    DBOS.launch()
    client = DBOSClient(system_database_url=ADDRESS)
    for number in range(runs):
        client.enqueue(
            {"queue_name": "runs", "workflow_name": "audit", "workflow_id": f"run-{number}", "app_version": "1"}, number, port
        )


def configured(executor: str) -> None:
    names = {"name": "fleet", "executor_id": executor, "application_version": "1"}
    DBOS(config={**names, "system_database_url": ADDRESS, "log_level": "ERROR"})


def work(executor: str, witness: int) -> None:
    configured(executor)

    @DBOS.step()
    def ask(number: int, question: int, port: int) -> str:
        body = json.dumps({"model": "scripted", "messages": [{"role": "user", "content": f"{number} {question}"}]}).encode()
        connection = http.client.HTTPConnection("127.0.0.1", port)
        connection.request("POST", "/v1/chat/completions", body)
        raw = connection.getresponse().read()
        os.write(witness, f"received {hashlib.sha256(body).hexdigest()[:32]} {time.monotonic_ns()}\n".encode())
        return str(json.loads(raw)["choices"][0]["message"]["content"])

    @DBOS.workflow(name="audit")
    def audit(number: int, port: int) -> list[str]:
        said = [ask(number, question, port) for question in range(QUESTIONS)]
        os.write(witness, f"ended {number} {time.monotonic_ns()}\n".encode())
        return said

    DBOS.launch()
    DBOS.register_queue("runs", worker_concurrency=1, polling_interval_sec=0.5)
    threading.Event().wait()


if __name__ == "__main__":
    if sys.argv[1] == "submit":
        submit(int(sys.argv[2]), int(sys.argv[3]))
        os._exit(0)
    work(sys.argv[2], os.open(sys.argv[4], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600))

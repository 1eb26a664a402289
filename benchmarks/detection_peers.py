"""The tools that Counterproof is measured beside: how each is installed, run and asked for SARIF."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

SCAN_SECONDS = 3_600
BANDIT = "bandit[sarif]==1.9.1"


@dataclass(frozen=True)
class Peer:
    """`scan(target, out)` writes `out/report.sarif` with paths relative to the target."""

    name: str
    version: str
    scan: Callable[[Path, Path], None]


def peers(names: list[str], work: Path) -> list[Peer]:
    makers = {"bandit": _bandit, "semgrep": _semgrep}
    unknown = [name for name in names if name not in makers]
    if unknown:
        sys.exit(f"no such peer: {', '.join(unknown)}; there are {', '.join(makers)}")
    return [found for name in names if (found := makers[name](work)) is not None]


def _bandit(work: Path) -> Peer | None:
    """In an environment of its own, made anew unless the work folder holds one."""
    place = work / "environments" / "bandit"
    program = place / "bin" / "bandit"
    if not program.is_file():
        subprocess.run([sys.executable, "-m", "venv", str(place)], check=True, capture_output=True, timeout=600)
        pip = [str(place / "bin" / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        ended = subprocess.run([*pip, BANDIT], capture_output=True, text=True, timeout=600, check=False)
        if ended.returncode:
            print(f"bandit is left out: {ended.stderr.strip()[-200:]}", file=sys.stderr)
            return None

    def scan(target: Path, out: Path) -> None:
        command = [str(program), "--recursive", ".", "--format", "sarif", "--output", str(out / "report.sarif"), "--quiet"]
        subprocess.run(command, cwd=target, capture_output=True, timeout=SCAN_SECONDS, check=False)

    said = subprocess.run([str(program), "--version"], capture_output=True, text=True, timeout=60, check=False).stdout
    return Peer("bandit", said.split()[1] if len(said.split()) > 1 else "", scan)


def _semgrep(_: Path) -> Peer | None:
    """With our own pack, local and offline."""
    from counterproof.analysis.semgrep.rules import own_rules
    from counterproof.app.setup import program_for
    from counterproof.model.survey import Language
    from counterproof.runtime.home import Home

    program = program_for(Home(), Path(os.devnull).parent)
    if program is None:
        print("Semgrep is left out: none was found; `counterproof setup` installs it", file=sys.stderr)
        return None
    rules = [part for path in own_rules(tuple(Language)) for part in ("--config", str(path))]
    quiet = ["--metrics=off", "--disable-version-check", "--quiet", "--no-git-ignore", "--timeout", "30"]

    def scan(target: Path, out: Path) -> None:
        report = out / "report.sarif"
        command = [str(program), "scan", *rules, *quiet, "--sarif", "--sarif-output", str(report), "."]
        subprocess.run(command, cwd=target, capture_output=True, timeout=SCAN_SECONDS, check=False)

    said = subprocess.run([str(program), "--version"], capture_output=True, text=True, timeout=120, check=False).stdout
    return Peer("Semgrep, our pack", said.strip(), scan) if shutil.which(str(program)) else None

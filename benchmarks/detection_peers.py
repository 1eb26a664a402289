"""The tools that Counterproof is measured beside: how each is installed, run and asked for SARIF."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SCAN_SECONDS = 3_600
BANDIT = "bandit[sarif]==1.9.1"
_RULE = re.compile(r"^\s*-\s+id\s*:", re.MULTILINE)
_CATEGORY = re.compile(r"^\s*category\s*:\s*['\"]?(\w+)", re.MULTILINE)
_TESTS = re.compile(r"\.(test|fixed)\.ya?ml$")


@dataclass(frozen=True)
class Peer:
    """`scan(target, out)` writes `out/report.sarif` with paths relative to the target."""

    name: str
    version: str
    scan: Callable[[Path, Path], None]


def peers(names: list[str], work: Path, rules: list[Path]) -> list[Peer]:
    """Semgrep runs with these folders of rules; with our own pack where there are none."""
    makers = {"bandit": lambda: _bandit(work), "semgrep": lambda: _semgrep(rules)}
    unknown = [name for name in names if name not in makers]
    if unknown:
        sys.exit(f"no such peer: {', '.join(unknown)}; there are {', '.join(makers)}")
    return [found for name in names if (found := makers[name]()) is not None]


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


def _semgrep(folders: list[Path]) -> Peer | None:
    """Local and offline, with our own pack or with the rules that lie in these folders."""
    from counterproof.app.setup import program_for
    from counterproof.runtime.home import Home

    program = program_for(Home(), Path(os.devnull).parent)
    if program is None or not shutil.which(str(program)):
        print("Semgrep is left out: none was found; `counterproof setup` installs it", file=sys.stderr)
        return None
    files = _rule_files(folders)
    quiet = ["--metrics=off", "--disable-version-check", "--quiet", "--no-git-ignore", "--timeout", "30"]
    alone = {**os.environ, "SEMGREP_ENABLE_VERSION_CHECK": "0"}

    def scan(target: Path, out: Path) -> None:
        rules, report = out / "rules.yaml", out / "report.sarif"
        rules.write_text(_together(files), encoding="utf-8")
        command = [str(program), "scan", "--config", str(rules), *quiet, "--sarif", "--sarif-output", str(report), "."]
        subprocess.run(command, cwd=target, env=alone, capture_output=True, timeout=SCAN_SECONDS, check=False)

    said = subprocess.run([str(program), "--version"], env=alone, capture_output=True, text=True, timeout=120, check=False).stdout
    whose = _named(folders) if folders else "our pack"
    return Peer(f"Semgrep, {whose}", f"{said.strip()} ({_rule_count(files)} rules)", scan)


def _rule_files(folders: list[Path]) -> list[Path]:
    """Rule files in a fixed order. Public collections hold rules about style and correctness too; those are left out, which is
    in Semgrep's favour, since every result of theirs would be an alarm."""
    from counterproof.analysis.semgrep.rules import own_rules
    from counterproof.model.survey import Language

    if not folders:
        return list(own_rules(tuple(Language)))
    files = sorted({each for folder in folders for kind in ("*.yaml", "*.yml") for each in folder.rglob(kind)})
    chosen = [each for each in files if not _TESTS.search(each.name) and _rule_count([each]) and _is_about_security(each)]
    if not chosen:
        sys.exit(
            f"no Semgrep rules lie in {', '.join(map(str, folders))}; give a folder with YAML files that start with `rules:`"
        )
    return chosen


def _together(files: list[Path]) -> str:
    """All rules in one file: Semgrep starts a process for each that it is given. An id that comes again is told apart."""
    import yaml

    rules: dict[str, dict[str, Any]] = {}
    for rule in (each for path in files for each in yaml.safe_load(path.read_text("utf-8"))["rules"]):
        name = rule["id"] if rule["id"] not in rules else f"{rule['id']}-{len(rules)}"
        rules[name] = {**rule, "id": name}
    return json.dumps({"rules": list(rules.values())}, default=str)


def _is_about_security(file: Path) -> bool:
    said = set(_CATEGORY.findall(file.read_text("utf-8")))
    return not said or "security" in said


def _rule_count(files: list[Path]) -> int:
    return sum(len(_RULE.findall(each.read_text("utf-8"))) for each in files)


def _named(folders: list[Path]) -> str:
    """Where the rules come from, short enough for the head of a table."""
    return " and ".join("/".join(folder.resolve().parts[-2:]) for folder in folders)

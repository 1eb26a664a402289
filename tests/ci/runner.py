"""Runs the shell steps of the Action as GitHub's runner would: expressions become variables, files carry outputs."""

import os
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parent.parent.parent
EXPRESSION = re.compile(r"\$\{\{\s*([\w.-]+)\s*\}\}")


def action() -> dict[str, Any]:
    return yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))


@dataclass
class Runner:
    """One job. `values` are what expressions may name; `log` is what the job printed."""

    workspace: Path
    temp: Path
    values: dict[str, str] = field(default_factory=dict[str, str])
    log: str = ""

    @property
    def summary(self) -> Path:
        return self.temp / "summary.md"

    def prepare(self, base: str, **inputs: str) -> None:
        self.temp.mkdir(parents=True)
        defaults = {name: str(each.get("default", "")) for name, each in action()["inputs"].items()}
        given = {name.replace("_", "-"): value for name, value in inputs.items()}
        self.values = {f"inputs.{name}": value for name, value in {**defaults, **given}.items()}
        self.values |= {"github.base_ref": base, "runner.temp": str(self.temp)}
        bin_folder = self.temp / "counterproof" / "bin"
        bin_folder.mkdir(parents=True)
        (bin_folder / "python").write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
        (bin_folder / "python").chmod(0o755)

    def run(self, step: dict[str, Any]) -> int:
        """One step; what it wrote to GITHUB_OUTPUT can be named by later ones."""
        output = self.temp / "output"
        output.write_text("")
        env = {name: EXPRESSION.sub(lambda found: self.values[found[1]], str(text)) for name, text in step.get("env", {}).items()}
        runner = {
            "GITHUB_ACTIONS": "true",
            "GITHUB_WORKSPACE": str(self.workspace),
            "GITHUB_OUTPUT": str(output),
            "GITHUB_STEP_SUMMARY": str(self.summary),
            "GITHUB_ACTION_PATH": str(ROOT),
            "RUNNER_TEMP": str(self.temp),
        }
        ended = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            cwd=self.workspace,
            env={**os.environ, **runner, **env},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=300,
        )
        self.log += ended.stdout + ended.stderr
        for line in output.read_text().splitlines():
            name, _, value = line.partition("=")
            self.values[f"steps.{step.get('id', '')}.outputs.{name}"] = value
        return ended.returncode

    def job(self) -> int:
        """The audit and its verdict. Installing needs an index; scripts/install_paths.py tries it."""
        code = 0
        for step in action()["runs"]["steps"]:
            if "run" in step and step["name"] != "Install":
                code = self.run(step)
                if code:
                    break
        return code

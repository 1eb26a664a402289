"""How long `audit --since` takes beside a plain audit, on a tree with a change that adds one vulnerability in the words
of the framework that the tree uses (Flask, FastAPI or Django with its route).

    python benchmarks/since.py                 the example that comes with the repository
    python benchmarks/since.py FOLDER          another tree; it is copied and not written to
    python benchmarks/since.py --mode quick    in another mode

Processor time counts the audit and the processes it started; on a busy machine it is the better figure. `first` has empty
results, as a fresh CI job has; `next push` has the results of the job before it, as one that keeps the data folder has.
"""

import argparse
import os
import platform
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from datetime import date
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
IMPORTED = re.compile(r"^\s*(?:from|import)\s+(django|flask|fastapi)\b", re.MULTILINE)
URLS = re.compile(r"^ROOT_URLCONF\s*=\s*[\"']([\w.]+)[\"']", re.MULTILINE)
VIEWS = {
    "flask": """from flask import Blueprint, request

blueprint = Blueprint("NAME", __name__)


@blueprint.route("/NAME")
def NAME():
    return str(eval(request.args["code"]))
""",
    "fastapi": """from fastapi import APIRouter

router = APIRouter()


@router.get("/NAME")
def NAME(code: str):
    return str(eval(code))
""",
    "django": """from django.http import HttpResponse


def NAME(request):
    return HttpResponse(str(eval(request.GET["code"])), content_type="text/plain")
""",
}
"""What a change adds: one view that evaluates what a request holds, in the words of the framework."""


def framework(folder: Path) -> str:
    """The one that most files import; Flask where none does."""
    counts = Counter(name for path in folder.rglob("*.py") for name in IMPORTED.findall(path.read_text(errors="replace")))
    return counts.most_common(1)[0][0] if counts else "flask"


def routes(folder: Path) -> Path | None:
    """The file of a Django project that its settings name as the root of all routes."""
    for path in sorted(folder.rglob("*.py")):
        for name in URLS.findall(path.read_text(errors="replace")):
            found = [each for each in sorted(folder.rglob("*.py")) if each.as_posix().endswith(f"/{name.replace('.', '/')}.py")]
            if found:
                return found[0]
    return None


def git(folder: Path, *arguments: str) -> None:
    who = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main", "-c", "commit.gpgsign=false")
    subprocess.run(["git", "-C", str(folder), *who, *arguments], check=True, capture_output=True)


def measured(folder: Path, home: Path, *options: str) -> tuple[float, float, int]:
    """Wall seconds, processor seconds, exit code."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    command = [sys.executable, "-m", "counterproof", "audit", str(folder), "--yes", "--quiet", *options]
    ended = subprocess.run(command, env={**os.environ, "COUNTERPROOF_HOME": str(home)}, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.monotonic() - began, spent, ended.returncode


def change(folder: Path, name: str, kind: str) -> None:
    """One more view, and its route where the framework wants one."""
    known = routes(folder) if kind == "django" else None
    place = known.parent if known else folder
    (place / f"{name}.py").write_text(VIEWS[kind].replace("NAME", name))
    if known:
        route = f"\nfrom django.urls import path as {name}_path\nfrom .{name} import {name}\n"
        with known.open("a") as stream:
            stream.write(f"{route}urlpatterns += [{name}_path('{name}/', {name})]\n")
    git(folder, "add", ".")
    git(folder, "commit", "-m", name)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "examples" / "shop")
    parser.add_argument("--mode", default="standard")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / given.folder.resolve().name
        shutil.copytree(given.folder, folder, ignore=shutil.ignore_patterns(".git"))
        lines = sum(path.read_bytes().count(b"\n") for path in folder.rglob("*.py"))
        git(folder, "init")
        git(folder, "add", ".")
        git(folder, "commit", "-m", "base")
        git(folder, "checkout", "-q", "-b", "feature")
        kind = framework(folder)
        change(folder, "added_one", kind)
        mode = ("--mode", given.mode)
        rows = [("plain, first", measured(folder, Path(scratch) / "plain", *mode))]
        rows.append(("--since main, first", measured(folder, Path(scratch) / "home", "--since", "main", *mode)))
        change(folder, "added_two", kind)
        rows.append(("--since main, next push", measured(folder, Path(scratch) / "home", "--since", "main", *mode)))
    machine = f"{platform.machine()}, {os.cpu_count()} processors, load {os.getloadavg()[0]:.0f}"
    print(f"{date.today()}, {machine}, {lines:,} lines of Python, a {kind} view added")
    print("| run | wall s | processor s | exit code |\n|---|---|---|---|")
    for name, (wall, spent, code) in rows:
        print(f"| {name} | {wall:.1f} | {spent:.1f} | {code} |")


if __name__ == "__main__":
    main()

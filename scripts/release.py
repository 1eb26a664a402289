"""Builds a release: wheel and source archive, the bill of materials and the checksums, the same bytes on every machine.

    python scripts/release.py check v0.2.0    does the tag fit the version and the changelog?
    python scripts/release.py build DIST      write everything into DIST

The time in the archives is that of the commit, so that whoever builds the tag again gets the same checksums.
"""

import hashlib
import json
import os
import re
import subprocess
import sys
import tomllib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

ROOT = Path(__file__).resolve().parent.parent
LOCKED = re.compile(r"^(?P<name>[A-Za-z0-9_.-]+)==(?P<version>[^\s;\\]+)(?P<rest>(?:.*\\\n)*.*)$", re.M)


def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def faults(tag: str) -> list[str]:
    """Why this tag must not be released; nothing if it may."""
    version = project()["version"]
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    found: list[str] = []
    if tag != f"v{version}":
        found.append(f"the tag is {tag}, and pyproject.toml says {version}")
    if not re.search(rf"^## {re.escape(version)} \(\d{{4}}-\d{{2}}-\d{{2}}\)$", changes, re.M):
        found.append(f"CHANGELOG.md has no section '## {version} (YYYY-MM-DD)'")
    return found


def commit_time() -> int:
    """Seconds since 1970 of the commit that is built; SOURCE_DATE_EPOCH wins, for trees without git."""
    given = os.environ.get("SOURCE_DATE_EPOCH")
    if given:
        return int(given)
    return int(subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=ROOT, check=True, capture_output=True, text=True).stdout)


def components(lock: str) -> list[dict[str, Any]]:
    """What the lock file names, in CycloneDX's words."""
    return [
        {
            "type": "library",
            "name": match["name"],
            "version": match["version"],
            "purl": f"pkg:pypi/{match['name'].lower().replace('_', '-')}@{match['version']}",
            "hashes": [
                {"alg": "SHA-256", "content": each} for each in sorted(re.findall(r"--hash=sha256:([0-9a-f]{64})", match["rest"]))
            ],
        }
        for match in LOCKED.finditer(lock)
    ]


def bill_of_materials(when: int) -> str:
    """CycloneDX 1.6, with the runtime dependencies that the release is tested with."""
    about = project()
    name, version = about["name"], about["version"]
    lock = (ROOT / "requirements" / "run.lock").read_text(encoding="utf-8")
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid5(NAMESPACE_URL, f'{name} {version} {hashlib.sha256(lock.encode()).hexdigest()}')}",
        "version": 1,
        "metadata": {
            "timestamp": datetime.fromtimestamp(when, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": {
                "type": "application",
                "name": name,
                "version": version,
                "purl": f"pkg:pypi/{name}@{version}",
                "licenses": [{"license": {"id": about["license"]}}],
            },
        },
        "components": components(lock),
    }
    return json.dumps(document, indent=2) + "\n"


def build(out: Path) -> None:
    when = commit_time()
    out.mkdir(parents=True, exist_ok=True)
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-t", "wheel", "-d", str(out.resolve())],
        cwd=ROOT,
        check=True,
        env={**os.environ, "SOURCE_DATE_EPOCH": str(when)},
        stdout=sys.stderr,
    )
    (out / f"counterproof-{project()['version']}.cdx.json").write_text(bill_of_materials(when), encoding="utf-8")
    files = sorted(each for each in out.iterdir() if each.name != "SHA256SUMS")
    lines = [f"{hashlib.sha256(each.read_bytes()).hexdigest()}  {each.name}\n" for each in files]
    (out / "SHA256SUMS").write_text("".join(lines), encoding="utf-8")


def main(arguments: list[str]) -> None:
    match arguments:
        case ["check", tag]:
            found = faults(tag)
            if found:
                sys.exit("\n".join(f"not released: {each}" for each in found))
        case ["build", folder]:
            build(Path(folder))
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])

"""Small OSV records and exports for the tests."""

import json
import zipfile
from pathlib import Path
from typing import Any

Record = dict[str, Any]
CRITICAL = "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H"
MODIFIED = "2026-11-01T12:00:00Z"


def record(
    identity: str = "GHSA-1", name: str = "lib", ecosystem: str = "PyPI", *events: dict[str, str], **fields: Any
) -> Record:
    """A record with one package and one range; `fields` replace or add whatever else."""
    kind = "SEMVER" if ecosystem in ("npm", "Go") else "ECOSYSTEM"
    affected: Record = {
        "package": {"ecosystem": ecosystem, "name": name},
        "ranges": [{"type": kind, "events": list(events) or [{"introduced": "0"}, {"fixed": "2.0"}]}],
    }
    return {"id": identity, "modified": MODIFIED, "affected": [affected], **fields}


def zipped(path: Path, *records: Record) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for each in records:
            archive.writestr(f"{each['id']}.json", json.dumps(each, indent=2))
    return path


def lines(path: Path, *records: Record) -> Path:
    path.write_text("".join(json.dumps(each) + "\n" for each in records), "utf-8")
    return path

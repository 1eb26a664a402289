"""Downloads OSV's archives of known vulnerabilities on request and stores them in the user's data directory.

Invariant: downloads happen only on request; a stored archive is replaced only by a complete one with records; a failing server
leaves the stored one in place. Redirects to a scheme other than https are rejected, except to and from this machine.
"""

import json
import os
import urllib.error
import urllib.request
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime, parsedate_to_datetime
from pathlib import Path
from typing import IO, Any, Final
from urllib.parse import quote, urlsplit

from counterproof.installation import data_home
from counterproof.model.errors import UserError

SOURCE: Final = "https://osv-vulnerabilities.storage.googleapis.com"
MAX_BYTES: Final = 2_000_000_000
MAX_RECORD: Final = 4_000_000
_CHUNK: Final = 1 << 20
_PATIENCE: Final = 60


@dataclass(frozen=True, slots=True)
class Kept:
    """One ecosystem's archive on this machine, with its modification time on the server."""

    ecosystem: str
    path: Path
    changed: datetime

    def age(self, now: datetime) -> str:
        days = (now - self.changed).days
        return "today" if days <= 0 else "1 day old" if days == 1 else f"{days} days old"


def folder() -> Path:
    return data_home() / "osv"


def kept() -> tuple[Kept, ...]:
    """The archives on this machine, by name."""
    found = sorted(folder().glob("*.zip")) if folder().is_dir() else []
    return tuple(Kept(path.stem, path, datetime.fromtimestamp(path.stat().st_mtime, UTC)) for path in found)


def in_use(target: Path) -> tuple[str, ...]:
    """OSV's names of the ecosystems for which the target has manifests or lock files."""
    from counterproof.analysis.dependencies.inventory import read_manifests
    from counterproof.analysis.dependencies.osv.record import ECOSYSTEMS
    from counterproof.analysis.project import Project
    from counterproof.analysis.source.survey import survey

    used = {each.ecosystem for each in read_manifests(Project(target, survey(target)))}
    return tuple(sorted(name for name, ours in ECOSYSTEMS.items() if ours in used))


def update(ecosystem: str, source: str) -> Kept | None:
    """Download an ecosystem's archive if the server has a newer one; None if not."""
    url = f"{source.rstrip('/')}/{quote(ecosystem)}/all.zip"
    if not _is_safe(url):
        raise UserError(f"{url[:200]} is not fetched: it is not https", "give an address that begins with https://")
    before = next((each for each in kept() if each.ecosystem == ecosystem), None)
    headers = {"If-Modified-Since": format_datetime(before.changed, usegmt=True)} if before else {}
    place = folder() / f"{ecosystem}.zip"
    partial = place.with_suffix(".part")
    try:
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with _opened(urllib.request.Request(url, headers=headers)) as reply, partial.open("wb") as out:  # noqa: S310 (checked)
            _copy(reply, out, url)
            changed = _changed(reply.headers.get("Last-Modified", ""))
        _refuse_empty(partial, url)
        os.utime(partial, (changed.timestamp(), changed.timestamp()))
        partial.replace(place)
    except urllib.error.HTTPError as error:
        error.close()
        if error.code == 304:
            return None
        raise UserError(f"{url} answered {error.code}", "the copy downloaded earlier stays in use; try again later") from error
    except OSError as error:
        reason = getattr(error, "reason", None) or error.strerror or error
        raise UserError(
            f"cannot fetch {url}: {reason}", "the copy downloaded earlier stays in use; --osv takes a file"
        ) from error
    finally:
        partial.unlink(missing_ok=True)
    return Kept(ecosystem, place, changed)


class _SafeRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, req: Any, fp: Any, code: int, msg: str, headers: Any, newurl: str) -> Any:
        if not _is_safe(newurl):
            raise urllib.error.URLError(f"redirected to {newurl[:200]}, which is not https")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _opened(request: urllib.request.Request) -> Any:
    return urllib.request.build_opener(_SafeRedirects()).open(request, timeout=_PATIENCE)


def _is_safe(url: str) -> bool:
    parts = urlsplit(url)
    return parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in ("127.0.0.1", "::1", "localhost"))


def _copy(reply: Any, out: IO[bytes], url: str) -> None:
    done, promised = 0, int(reply.headers.get("Content-Length") or 0)
    while chunk := reply.read(_CHUNK):
        done += len(chunk)
        if done > MAX_BYTES:
            raise UserError(f"{url} sent more than {MAX_BYTES:,} bytes", "give a smaller export by --osv")
        out.write(chunk)
    if promised and done != promised:
        raise UserError(f"{url} was cut off after {done:,} of {promised:,} bytes", "try again")


def _refuse_empty(path: Path, url: str) -> None:
    try:
        with zipfile.ZipFile(path) as archive:
            first = next((name for name in archive.namelist() if name.endswith(".json")), "")
            record: Any = json.loads(_beginning(archive, first)) if first else None
    except (zipfile.BadZipFile, ValueError, RuntimeError) as error:
        raise UserError(f"{url} is not an archive of OSV records: {error}", "check the address") from error
    if not isinstance(record, dict) or "id" not in record:
        raise UserError(f"{url} holds no OSV record", "check the address")


def _beginning(archive: zipfile.ZipFile, name: str) -> bytes:
    """An entry, up to the maximum length of a record: sizes stated in the archive are not trusted."""
    with archive.open(name) as entry:
        return entry.read(MAX_RECORD)


def _changed(text: str) -> datetime:
    try:
        return parsedate_to_datetime(text)
    except ValueError:
        return datetime.now(UTC)


def described(all_kept: Iterable[Kept], now: datetime) -> list[str]:
    """One line per archive."""
    return [f"{each.ecosystem:10}{each.changed:%Y-%m-%d}  {each.age(now)}" for each in all_kept]

"""Results about single files: after any edit they are what a first run gives, little is read again, and no secret is kept."""

import random
import re
import shutil
import zlib
from pathlib import Path

import pytest

from counterproof.analysis import control, families
from counterproof.analysis.cache import Results, Store
from counterproof.analysis.cache.traits import Told
from counterproof.analysis.project import Project
from counterproof.analysis.recon import reconnoitre
from counterproof.analysis.reuse import settle
from counterproof.analysis.source.survey import survey
from counterproof.model.dimension import Dimension
from counterproof.model.survey import Language

SHOP = Path(__file__).parents[3] / "examples" / "shop"
ADDED = (
    "\n\ndef added(value):\n    return value\n",
    "\nfrom slowapi import Limiter\nlimiter = Limiter(default_limits=['1/second'])\n",
    "\n\nclass CsrfMiddleware:\n    pass\n",
    "\n\ndef enter(name, password):\n    return password\n\n\nenter('admin', 'Hq7!xk29sPw')\n",
    "\nINSTALLED_APPS = ['axes']\nROOT_URLCONF = 'urls'\nDEBUG = True\n",
    "\n\ndef seen(request):\n    return request.cookies['role']\n",
    "\nimport re\nPATTERN = re.compile('(a+)+$')\n",
)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    found = tmp_path / "shop"
    shutil.copytree(SHOP, found, ignore=shutil.ignore_patterns("jobs", "mail"))
    for path in found.glob("storefront/views/*.py"):
        if path.stem not in ("__init__", "support", "catalogue", "accounts"):
            path.unlink()  # what is left is quick to examine again and again
    return found


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "results")


def _project(tree: Path, store: Store | None) -> Project:
    project = Project(tree, survey(tree))
    if store:
        project.results = Results(store)
        project.told = Told(store, project)
    return project


def _found(tree: Path, store: Store | None) -> tuple[object, ...]:
    project = _project(tree, store)
    recon = reconnoitre(project)
    made = [make(project) for make in families.APART.values()]
    settle(project)
    return recon, *made, control.examine(project, recon.entry_points, (Dimension.D3, Dimension.D9))


def _edit(tree: Path, chance: random.Random) -> str:
    """Lines moved, removed or added, and now and then a file moved, removed or copied."""
    files = sorted(tree.rglob("*.py"))
    path, other = chance.choice(files), chance.choice(files)
    lines, others = path.read_text().split("\n"), other.read_text().split("\n")
    kind = chance.choice(("lines",) * 4 + ("added",) * 4 + ("moved", "removed", "copied"))
    if kind == "lines":
        at, start = chance.randrange(len(lines)), chance.randrange(len(others))
        lines[at : at + chance.randrange(4)] = others[start : start + chance.randrange(8)]
        path.write_text("\n".join(lines))
    elif kind == "added":
        path.write_text(path.read_text() + chance.choice(ADDED))
    elif kind == "moved":
        path.rename(path.with_name(f"moved{chance.randrange(1000)}.py"))
    elif kind == "removed":
        path.unlink()
    else:
        shutil.copy(path, path.with_name(f"copied{chance.randrange(1000)}.py"))
    return f"{kind} {path.relative_to(tree)} {other.relative_to(tree)}"


@pytest.mark.nightly
def test_after_edits_by_chance_every_family_finds_what_a_first_run_finds(tree: Path, store: Store) -> None:
    chance = random.Random(20261115)
    seen = [repr(_found(tree, store))]
    for _ in range(8):
        edit = _edit(tree, chance)
        again = _found(tree, store)
        assert again == _found(tree, None), edit
        seen.append(repr(again))
    assert len(set(seen)) > 4  # the edits do show in what is found


def test_after_one_edit_only_what_it_touches_is_read_again(tree: Path, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """For code without passwords and keys: secrets are not cached, so each run searches for the use that proves one."""
    settings = tree / "storefront" / "config.py"
    without = re.sub(r'(MAIL_PASSWORD|SECRET_KEY) = ".*"', r'\1 = os.environ["\1"]', settings.read_text())
    assert without != settings.read_text()
    settings.write_text(without)
    _found(tree, store)
    path = tree / "storefront" / "services" / "reports.py"
    path.write_text(path.read_text() + ADDED[0])
    project = _project(tree, store)
    reconnoitre(project)
    read: set[str] = set()
    text = project.text
    monkeypatch.setattr(project, "text", lambda path: (read.add(path), text(path))[1])
    for make in families.APART.values():
        make(project)
    assert path.relative_to(tree).as_posix() in read
    assert len(read) < len(project.of_language(Language.PYTHON)) / 3


def test_a_secret_is_in_no_entry(tree: Path, store: Store) -> None:
    (tree / "storefront" / "keys.py").write_text('ADMIN_PASSWORD = "Vb8#kkq27Lmz"\n')
    found = _found(tree, store)
    assert "storefront/keys.py" in repr(found[2])
    bodies = [zlib.decompress(each.read_bytes()[len(b"counterproof result 1\n") + 32 :]) for each in store.folder.iterdir()]
    assert any(b"storefront/keys.py" in each for each in bodies)
    assert not any(b"Vb8#kkq27Lmz" in each for each in bodies)


def test_damaged_entries_are_passed_over(tree: Path, store: Store) -> None:
    first = _found(tree, store)
    for each in store.folder.iterdir():
        each.write_bytes(each.read_bytes()[:-7])
    assert _found(tree, store) == first

"""`demonstrate --install` (X24): what a target names is fetched as wheels, and nothing of the target or of a package runs."""

import io
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from counterproof.analysis.project import Project
from counterproof.analysis.source.survey import survey
from counterproof.demonstration.packages import Fetched, fetched

pytestmark = pytest.mark.rule("X24")


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of packages in place of an index."""
    folder = tmp_path / "index"
    folder.mkdir()
    for name, version in (("tiny", "1.0"), ("tiny", "2.0"), ("newer", "3.0")):
        about = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
        with zipfile.ZipFile(folder / f"{name}-{version}-py3-none-any.whl", "w") as wheel:
            wheel.writestr(f"{name}.py", f"VERSION = '{version}'\n")
            wheel.writestr(f"{name}-{version}.dist-info/METADATA", about)
            wheel.writestr(f"{name}-{version}.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
            wheel.writestr(f"{name}-{version}.dist-info/RECORD", "")
    with tarfile.open(folder / "source-1.0.tar.gz", "w:gz") as archive:
        for name, text in (("setup.py", f"open({str(tmp_path / 'ran')!r}, 'w')"), ("PKG-INFO", "Name: source\nVersion: 1.0\n")):
            entry = tarfile.TarInfo(f"source-1.0/{name}")
            entry.size = len(text)
            archive.addfile(entry, io.BytesIO(text.encode()))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


def fetched_for(tmp_path: Path, **files: str) -> Fetched:
    target = tmp_path / "target"
    target.mkdir()
    (target / "app.py").write_text("import tiny\n")
    for name, text in files.items():
        (target / f"{name}.txt").write_text(text)
    return fetched(Project(target, survey(target)), tmp_path / "packages", Path(sys.executable), None)


@pytest.mark.usefixtures("index")
def test_locked_versions_are_fetched_and_what_has_no_wheel_gives_way(tmp_path: Path) -> None:
    found = fetched_for(tmp_path, requirements="tiny==1.0\nnewer==1.0\n")
    assert (found.python / "tiny.py").read_text() == "VERSION = '1.0'\n"
    assert (found.python / "newer.py").read_text() == "VERSION = '3.0'\n"
    assert found.notes == ("newer 1.0 has no wheel for this Python: the newest one is used",)


@pytest.mark.usefixtures("index")
def test_nothing_runs_and_nothing_comes_from_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "local").mkdir()
    (tmp_path / "local" / "setup.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')")
    lines = "--extra-index-url http://127.0.0.1:9/\n-e ../local\n../local\nsource\nlost @ http://127.0.0.1:9/lost.whl\ntiny\n"
    found = fetched_for(tmp_path, requirements=lines)
    assert not (tmp_path / "ran").exists()
    assert [each.name for each in found.python.glob("*.py")] == ["tiny.py"]
    assert found.notes == ("source has no wheel for this Python and was left out",)


@pytest.mark.usefixtures("index")
def test_what_is_only_for_development_is_not_fetched(tmp_path: Path) -> None:
    found = fetched_for(tmp_path, requirements="tiny==1.0\n", **{"requirements-dev": "newer\n"})
    assert [each.name for each in found.python.glob("*.py")] == ["tiny.py"]

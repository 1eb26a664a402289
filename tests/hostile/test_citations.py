"""X12: a citation that points elsewhere, or to what is not there, never reaches a report."""

from pathlib import Path

import pytest

from counterproof.analysis.source.reading import TargetChanged
from counterproof.analysis.source.survey import SurveyOptions
from counterproof.model.errors import InvalidValue
from counterproof.model.finding import Finding
from counterproof.model.location import Location
from counterproof.protocols.guard.citations import verified
from counterproof.toolbox.recording import RecordingToolbox
from counterproof.toolbox.workspace import Workspace
from toolbox.tooling import a_claim, a_reply, a_task, a_tree, claim_at

HOSTILE_PATHS = (
    "../outside.py",
    "lib/../../outside.py",
    "/etc/passwd",
    "app.py\0.txt",
    "app.py\n",
    "a\rb.py",
    "./app.py",
    "lib//db.py",
    "lib/",
    "",
    "..",
    "C:\\windows\\win.ini",
    "x" * 5_000,
)


def smuggled(path: str, start: int = 5, end: int = 5) -> Location:
    """A location that went round its own constructor, as a bug of ours might let one."""
    place = Location("app.py", 5, 5)
    for name, value in (("path", path), ("start", start), ("end", end)):
        object.__setattr__(place, name, value)
    return place


def reasons(root: Path, *findings: Finding, read: frozenset[str] | None = None) -> list[str]:
    """Why each finding is refused; every file counts as read unless said otherwise."""
    workspace = Workspace(root, SurveyOptions())
    citations = RecordingToolbox(workspace, a_task()).citations(a_reply(*findings))
    everything = frozenset({*workspace.project.files, *(finding.location.path for finding in findings)})
    kept, refused = verified("a", findings, citations, everything if read is None else read)
    assert len(kept) + len(refused) == len(findings)
    return [each.reason for each in refused]


@pytest.mark.rule("X12", "A29")
@pytest.mark.parametrize("path", HOSTILE_PATHS)
def test_a_hostile_path_makes_no_location(path: str) -> None:
    with pytest.raises(InvalidValue):
        Location(path, 1, 1)


@pytest.mark.rule("X12", "A29")
@pytest.mark.parametrize("path", [*HOSTILE_PATHS, "outside.py", "link.py", "linked/outside.py", "APP.PY"])
def test_a_path_that_was_smuggled_in_is_not_opened(tmp_path: Path, path: str) -> None:
    root = a_tree(tmp_path)
    (tmp_path / "outside.py").write_text("\n\n\n\nos.system('ls ' + name)\n")
    (root / "link.py").symlink_to(tmp_path / "outside.py")
    (root / "linked").symlink_to(tmp_path)
    finding = claim_at(smuggled(path), "os.system('ls ' + name)")
    assert reasons(root, finding) == ["the file is not part of the reviewed code"]


@pytest.mark.rule("X12", "A29")
@pytest.mark.parametrize(("start", "end"), [(11, 11), (9, 11), (4_000, 4_000), (0, 5), (-3, -1), (7, 5)])
def test_lines_that_do_not_exist_are_refused(tmp_path: Path, start: int, end: int) -> None:
    finding = claim_at(smuggled("app.py", start, end), "os.system('ls ' + name)")
    assert reasons(a_tree(tmp_path), finding) == ["the lines do not exist"]


@pytest.mark.rule("X12", "A29")
@pytest.mark.parametrize(
    "quote",
    [
        "os.system('ls ' + nom)",
        "os.system('ls ' + name",
        "def run(name):",
        "OS.SYSTEM('ls ' + name)",
        "os.system('ls\u200b ' + name)",
    ],
)
def test_a_quote_that_is_not_in_those_lines_is_refused(tmp_path: Path, quote: str) -> None:
    expected = [] if quote == "os.system('ls ' + name" else ["the quoted evidence is not in those lines"]
    assert reasons(a_tree(tmp_path), a_claim(evidence=quote)) == expected


@pytest.mark.rule("X12", "A29")
def test_unread_claims_are_rejected_and_true_ones_accepted(tmp_path: Path) -> None:
    root = a_tree(tmp_path)
    assert reasons(root, a_claim(), read=frozenset({"lib/db.py"})) == ["the agent never read the file"]
    assert reasons(root, a_claim()) == []
    assert reasons(root, a_claim(evidence="  os.system('ls '\t+ name)  ")) == []


@pytest.mark.rule("X12", "A29")
def test_citations_of_a_file_that_changed_since_are_not_believed(tmp_path: Path) -> None:
    root = a_tree(tmp_path)
    workspace = Workspace(root, SurveyOptions())
    workspace.take_survey()
    (root / "app.py").write_text("import os\n\n\ndef run(name):\n    os.system('rm ' + name)\n\n\n\n\n\n")
    with pytest.raises(TargetChanged):
        RecordingToolbox(workspace, a_task()).citations(a_reply(a_claim(evidence="os.system('rm ' + name)")))

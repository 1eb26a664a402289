"""The same weaknesses and the same safe code in every framework's words: the same answer, for all that is not known to differ."""

from pathlib import Path

import pytest
from spoken import DIALECTS, TASKS, application, dialect

from counterproof.analysis import families, recon
from counterproof.analysis.project import Project
from counterproof.analysis.source.survey import survey
from counterproof.model.dimension import ALL_DIMENSIONS
from counterproof.model.survey import Language

NOT_COMPARED = "csrf"
"""Frameworks differ in whether they ask for a token by themselves."""


def expected(name: str) -> set[tuple[str, str]]:
    bearer = dialect(name).get("bearer", False)
    asked = {task: said for task, said in TASKS.items() if not (bearer and said.get("cookie"))}
    return {(task, rule) for task, said in asked.items() for rule in said.get("expect", ())}


def found(name: str, root: Path) -> set[tuple[str, str]]:
    written = application(name)
    compile(written.text, name, "exec")
    (root / "app.py").write_text(written.text, "utf-8")
    project = Project(root, survey(root))
    entries = recon.reconnoitre(project).entry_points
    findings = families.examine(project, entries, ALL_DIMENSIONS, Language.PYTHON).examination.findings
    said = {(written.task_at(each.location.start), each.rule) for each in findings}
    return {each for each in said if each[1] != NOT_COMPARED}


@pytest.mark.parametrize("name", DIALECTS)
def test_every_framework_gives_the_same_answer(name: str, tmp_path: Path) -> None:
    wanted, answer = expected(name), found(name, tmp_path)
    lost, new = {task for task, _ in wanted - answer}, {task for task, _ in answer - wanted}
    known = dialect(name)
    assert (lost, new) == (set(known.get("lost", ())), set(known.get("new", ()))), (wanted - answer, answer - wanted)

"""Modules of a project by the language of the file, and errors of this program that are never blamed on the file."""

import os
from pathlib import Path

from counterproof.analysis.project import Project
from counterproof.analysis.source.survey import SurveyOptions, survey
from counterproof.installation import ERROR_LOG, keep_traceback
from counterproof.model.survey import Unread
from counterproof.protocols.guard.unread import shortfalls

PAGE = "<html>\n<script>\nfunction show(text) { box.innerHTML = text; }\n</script>\n{{ name }}\n"


def _project(folder: Path) -> Project:
    (folder / "templates").mkdir()
    (folder / "templates" / "page.html").write_text(PAGE)
    (folder / "app.py").write_text("from flask import Flask\napp = Flask(__name__)\n")
    (folder / "run.sh").write_text("echo start\n")
    return Project(folder, survey(folder, SurveyOptions(documents=True)))


def test_module_page_is_its_scripts(tmp_path: Path) -> None:
    project = _project(tmp_path)
    module = project.module("templates/page.html")
    assert [(each.name, each.line) for each in module.functions] == [("show", 3)]
    assert not project.unread


def test_module_file_in_other_language_is_empty(tmp_path: Path) -> None:
    project = _project(tmp_path)
    others = [each.path for each in project.survey.files if each.path.endswith(".sh")]
    assert [project.module(path).body for path in others] == [()]
    assert not project.unread


def test_spared_unexpected_error_is_internal_and_logged(tmp_path: Path) -> None:
    project = _project(tmp_path)
    missing: dict[str, str] = {}
    assert project.spared("app.py", "reading its syntax", lambda: missing["table"], "instead") == "instead"
    left = project.unread["app.py"]
    assert left.internal
    assert left.why == "internal error while reading its syntax (KeyError); please report it"
    log = Path(os.environ["COUNTERPROOF_HOME"], ERROR_LOG).read_text()
    assert "reading its syntax: app.py" in log
    assert "KeyError: 'table'" in log


def test_shortfalls_internal_errors_counted_apart() -> None:
    syntax = Unread("a.py", "its syntax takes too long to be read")
    ours = Unread("b.py", "internal error while reading its syntax (KeyError); please report it", internal=True)
    assert shortfalls((syntax,)) == ("Not read: a.py: its syntax takes too long to be read.",)
    assert shortfalls((syntax, ours))[-1] == (
        f"1 file was not read because of an internal error; the traceback is in {ERROR_LOG}."
    )


def test_keep_traceback_appends_and_only_user_reads() -> None:
    for text in ("first", "second"):
        try:
            raise ValueError(text)
        except ValueError as error:
            path = keep_traceback(error, "test")
    assert path is not None
    assert [each in path.read_text() for each in ("first", "second")] == [True, True]
    assert path.stat().st_mode & 0o777 == 0o600

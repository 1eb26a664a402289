"""One weakness at one place is told once, and not at all where data was followed and is safe."""

from pathlib import Path

from counterproof.analysis.endpoints import entry_points
from counterproof.analysis.hunting import examine
from counterproof.analysis.project import Project
from counterproof.analysis.source.survey import survey
from counterproof.model.dimension import Dimension
from counterproof.model.survey import Language

CODE = """
import configparser
import os
from django.db import connection
from django.http import HttpRequest


def sent(request: HttpRequest):
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM t WHERE name = '" + request.GET["q"] + "'")


def fixed(request: HttpRequest):
    kept = configparser.ConfigParser()
    kept.add_section("a")
    kept.set("a", "title", "photo")
    kept.set("a", "other", request.GET["name"])
    title = kept.get("a", "title")
    os.system(f"convert {title}")


def converted(options):
    os.system(f"convert {options.name}")
"""


def test_what_data_flow_settles_is_not_told_again_by_a_check(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text(CODE)
    project = Project(tmp_path, survey(tmp_path))
    found = examine(project, tuple(entry_points(project)), (Dimension.D1,), Language.PYTHON).examination.findings
    assert sorted((each.location.start, each.cwe, each.flow is not None) for each in found) == [(10, 89, True), (23, 78, False)]

"""Reconnaissance as one piece: inventories, frameworks with confidence, kind of project, files and triggers."""

from pathlib import Path
from textwrap import dedent

import pytest

from counterproof.analysis.project import Project
from counterproof.analysis.recon import reconnoitre
from counterproof.analysis.source.survey import survey
from counterproof.model.recon import EntryKind, FrameworkConfidence, ProjectType, Recon

WEB = {
    "requirements.txt": "flask==3.0.0\npyjwt==2.8.0\nsqlalchemy==2.0\n",
    "app/__init__.py": """
        from flask import Flask, jsonify, request
        app = Flask(__name__)
        @app.route("/upload", methods=["POST"])
        def upload():
            request.files["x"].save("x")
            return jsonify(ok=True)
    """,
    "app/auth.py": "import hashlib\ndef digest(x): return hashlib.sha256(x)\n",
    "app/store/orders.py": "import sqlite3\ndef all(): return sqlite3.connect('x')\n",
    "app/texts.py": "HELLO = 'hello'\n",
    "config.py": "DEBUG = False\n",
    "Dockerfile": "FROM python:3.12\n",
}


def seen(folder: Path, files: dict[str, str], attempt: int = 1) -> Recon:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(dedent(text), "utf-8")
    return reconnoitre(Project(folder, survey(folder)), attempt)


@pytest.mark.rule("A6", "A7")
def test_four_inventories_with_substance(tmp_path: Path) -> None:
    recon = seen(tmp_path, WEB)
    assert recon.modules == ("app", "app/store", "config.py")
    (entry,) = [each for each in recon.entry_points if each.kind is EntryKind.HTTP]
    assert (str(entry.handler), entry.path) == ("app/__init__.py:5", "/upload")
    assert {"json", "multipart"} <= set(recon.content_types)
    assert [str(each) for each in recon.dependencies] == ["flask:3.0.0", "pyjwt:2.8.0", "sqlalchemy:2.0"]
    assert recon.manifests == ("requirements.txt",)


@pytest.mark.rule("A13")
def test_files_that_matter_most(tmp_path: Path) -> None:
    recon = seen(tmp_path, WEB)
    assert recon.p0_files == ("Dockerfile", "app/__init__.py", "app/auth.py", "app/store/orders.py", "config.py")
    assert recon.project_type is ProjectType.GENERAL_WEB


@pytest.mark.rule("A3")
def test_triggers_come_from_what_was_seen(tmp_path: Path) -> None:
    assert seen(tmp_path, WEB).triggers == ("crypto", "file-upload", "jwt", "sql-injection")


@pytest.mark.rule("A3")
@pytest.mark.parametrize(
    ("manifest", "code", "confidence"),
    [
        ("flask==3.0.0\n", "import flask\n", FrameworkConfidence.HIGH),
        ("requests==2\n", "import flask\n", FrameworkConfidence.MEDIUM),
        ("flask==3.0.0\n", "import json\n", FrameworkConfidence.LOW),
    ],
)
def test_confidence_in_a_framework(tmp_path: Path, manifest: str, code: str, confidence: FrameworkConfidence) -> None:
    recon = seen(tmp_path, {"requirements.txt": manifest, "app.py": code})
    (framework,) = recon.frameworks
    assert (framework.name, framework.confidence) == ("Flask", confidence)
    assert framework.evidence
    assert framework.version == ("3.0.0" if "flask" in manifest else "")


@pytest.mark.rule("A10")
def test_library_by_its_exports_and_not_when_anything_listens(tmp_path: Path) -> None:
    code = "import requests\n" + "".join(f"def f{n}(url):\n    return requests.get(url)\n" for n in range(5))
    recon = seen(tmp_path, {"lib/__init__.py": code})
    assert recon.project_type is ProjectType.LIBRARY
    assert recon.public_functions == 5
    assert recon.outbound_from_arguments
    assert [each.kind for each in recon.entry_points] == [EntryKind.PUBLIC_API] * 5
    queue = {"lib/work.py": "from celery import shared_task\n@shared_task\ndef work():\n    pass\n"}
    again = seen(tmp_path, queue)
    assert again.project_type is ProjectType.GENERAL_WEB
    assert EntryKind.PUBLIC_API not in {each.kind for each in again.entry_points}


def test_outbound_request_with_a_fixed_address_is_not_from_arguments(tmp_path: Path) -> None:
    code = 'import requests\ndef ping(timeout):\n    return requests.get("https://api.example", timeout=timeout)\n'
    assert not seen(tmp_path, {"a.py": code}).outbound_from_arguments


def test_every_project_has_an_entry_point_and_content_types_are_never_missing(tmp_path: Path) -> None:
    recon = seen(tmp_path, {"numbers.py": "x = 1\nprint(x)\n"})
    assert [(each.kind, str(each.handler)) for each in recon.entry_points] == [(EntryKind.MAIN, "numbers.py:1")]
    assert recon.content_types == ("none seen",)


def test_what_is_not_understood_is_said(tmp_path: Path) -> None:
    recon = seen(
        tmp_path,
        {
            "app.py": "import emmett\n@emmett.route('/x')\ndef x():\n    return ''\n",
            "broken.py": "def (:\n",
            "ui.js": "import x from 'sails'\n",
        },
    )
    said = " ".join(recon.limitations)
    assert "Emmett" in said
    assert "broken.py:1" in said
    assert "Sails" in said


@pytest.mark.rule("A8")
def test_a_second_attempt_gives_the_same_answer(tmp_path: Path) -> None:
    assert seen(tmp_path, WEB, 1) == seen(tmp_path, WEB, 2)


@pytest.mark.rule("A13")
@pytest.mark.parametrize(
    ("packages", "classes", "kind"),
    [
        ("wagtail==6\n", "class Article: pass\n", ProjectType.CMS),
        ("paho-mqtt==2\n", "class Sensor: pass\n", ProjectType.IOT),
        ("stripe==9\n", "class Basket: pass\n", ProjectType.GENERAL_WEB),
        ("", "class Page: pass\nclass Post: pass\nclass Comment: pass\n", ProjectType.GENERAL_WEB),
        ("pysaml2==7\nldap3==2\n", "class SamlLogin: pass\n", ProjectType.GENERAL_WEB),
        ("django-oauth-toolkit==3\n", "class Userinfo: pass\n", ProjectType.IDENTITY),
        ("pyhive==0.7\ntrino==0.3\nldap3==2\n", "class SamlLogin: pass\n", ProjectType.DATA_PLATFORM),
    ],
)
def test_kind_of_project_needs_more_than_one_sign(tmp_path: Path, packages: str, classes: str, kind: ProjectType) -> None:
    assert seen(tmp_path, {"requirements.txt": packages or "flask==3\n", "a.py": classes}).project_type is kind

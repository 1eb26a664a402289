"""The second attempt looks differently, and only where the first found nothing (A8); each root is asked by itself (A10)."""

from pathlib import Path
from textwrap import dedent

import pytest

from counterproof.analysis import manifest_roots as roots
from counterproof.analysis import recon as reconnaissance
from counterproof.analysis.project import Project
from counterproof.analysis.recon import reconnoitre
from counterproof.analysis.source.survey import survey
from counterproof.model.recon import EntryKind, RootFacts


def project(folder: Path, files: dict[str, str]) -> Project:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(dedent(text).lstrip("\n"), "utf-8")
    return Project(folder, survey(folder))


@pytest.mark.rule("A8")
def test_a_tree_of_tests_is_read_by_its_text_in_the_second_attempt(tmp_path: Path) -> None:
    tree = project(tmp_path, {"tests/test_shop.py": "# shop\n\nimport shop\n", "tests/test_cart.py": '"""Cart."""\nx = 1\n'})
    first = reconnoitre(tree, 1)
    assert (first.entry_points, first.modules) == ((), ())
    assert (first.wider, first.wider_for) == (reconnaissance.METHOD, ("modules", "entry_points"))
    second = reconnoitre(tree, 2)
    assert second.modules == ("tests",)
    assert [(each.kind, str(each.handler)) for each in second.entry_points] == [
        (EntryKind.MAIN, "tests/test_cart.py:2"),
        (EntryKind.MAIN, "tests/test_shop.py:3"),
    ]
    assert second.wider == ""


@pytest.mark.rule("A8")
def test_where_conventions_find_a_way_in_no_second_attempt_is_offered(tmp_path: Path) -> None:
    tree = project(tmp_path, {"app.py": "print(1)\n", "tests/test_app.py": "import app\n"})
    first, second = reconnoitre(tree, 1), reconnoitre(tree, 2)
    assert first.wider == ""
    assert first == second


def test_the_look_at_the_text_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reconnaissance, "MAX_FILES", 2)
    tree = project(tmp_path, {f"tests/test_{n}.py": "x = 1\n" for n in range(4)})
    assert len(reconnoitre(tree, 2).entry_points) == 2


LIBRARY = "".join(f"def f{n}(a):\n    return a\n" for n in range(6))
SERVICE = """
    from flask import Flask
    app = Flask(__name__)
    @app.route("/")
    def index():
        return ""
"""


@pytest.mark.rule("A10")
def test_a_library_beside_a_service_lists_its_public_functions(tmp_path: Path) -> None:
    outbound = "import requests\ndef fetch(url):\n    return requests.get(url)\n"
    files = {"api/setup.py": "", "api/app.py": SERVICE, "kit/pyproject.toml": "[project]\nname = 'kit'\n", "kit/kit.py": LIBRARY}
    recon = reconnoitre(project(tmp_path, {**files, "kit/net.py": outbound}))
    assert recon.roots == ("api", "kit")
    assert recon.by_root == (RootFacts("api", 1, False), RootFacts("kit", 7, True))
    kinds = {each.handler.path: each.kind for each in recon.entry_points}
    assert kinds["api/app.py"] is EntryKind.HTTP
    assert kinds["kit/kit.py"] is EntryKind.PUBLIC_API
    assert not any(each.kind is EntryKind.PUBLIC_API and each.handler.path == "api/app.py" for each in recon.entry_points)


def test_a_tree_with_very_many_roots_keeps_the_largest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(roots, "MAX_ROOTS", 3)
    files = {f"p{n}/package.json": "{}" for n in range(6)} | {f"p{n}/x.py": "x = 1\n" * (n + 1) for n in range(6)}
    recon = reconnoitre(project(tmp_path, files))
    assert recon.roots == (".", "p4", "p5")
    assert "6 folders have a manifest of their own; the smaller ones count as part of the folder above." in recon.limitations

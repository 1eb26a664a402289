"""Code that is broken, deep, endless or goes in circles: recon ends in time and says what it could not read."""

import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest_types import ProjectMaker, Shown

from counterproof.analysis.polyglot.corpus import corpus_of
from counterproof.analysis.polyglot.find import other_entry_points
from counterproof.analysis.project import OutOfTime, Project
from counterproof.analysis.recon import reconnoitre
from counterproof.analysis.source.survey import survey

DEPTH = 20_000


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.js", "const app = require('express')();\napp.use(" + "f(\n" * DEPTH + ")\n" * DEPTH + ");\n"),
        ("a.ts", "import express from 'express';\nexpress()" + ".use(x)\n" * DEPTH + ";\n"),
        ("A.java", "class A { void f() { " + "if (user == null) {\n" * DEPTH + "}\n" * DEPTH + " } }\n"),
        ("a.go", "package main\nfunc main() {\n" + "func() {\n" * DEPTH + "}()\n" * DEPTH + "}\n"),
        ("a.php", "<?php\nRoute::prefix('a')" + "->prefix('b')\n" * DEPTH + "->group(function () {});\n$x = $_GET['a'];\n"),
        ("a.rb", "Rails.application.routes.draw do\n" + "scope 'x' do\n" * DEPTH + "end\n" * DEPTH + "end\n"),
    ],
)
@pytest.mark.rule("X16")
def test_depth_and_length_are_bounded(make_project: ProjectMaker, name: str, text: str) -> None:
    path = f"config/routes{Path(name).suffix}" if name == "a.rb" else name
    started = time.process_time()
    project = make_project({path: text})
    other_entry_points(project)
    assert time.process_time() - started < 10
    assert bool(list(corpus_of(project).problems())) == (name in ("a.js", "A.java", "a.go"))


def test_routers_that_mount_each_other_end(routes: Shown) -> None:
    found = routes(
        {
            "a.js": """
                const { Router } = require("express");
                const a = Router(), b = Router();
                a.use("/b", b);
                b.use("/a", a);
                b.get("/x", (req, res) => res.end());
            """
        }
    )
    assert found
    assert all(line.startswith("GET /") for line in found)


def test_modules_that_export_each_other_end(routes: Shown) -> None:
    files = {
        "a.js": "export { thing } from './b.js'; export * from './b.js';\nimport app from './b.js';\napp.get('/x', thing);\n",
        "b.js": """
            import express from 'express';
            export { thing, default } from './a.js';
            export * from './a.js';
        """,
    }
    assert routes(files) == ["GET /x a.js:3 absent"]


@pytest.mark.rule("A6")
def test_broken_files_are_limitations_and_the_rest_is_read(make_project: ProjectMaker) -> None:
    project = make_project(
        {
            "ok.js": "const app = require('express')();\napp.get('/x', (req, res) => res.end());\n",
            "broken.js": "function ( { ] }\n",
            "Broken.java": "class { void ( }\n",
        }
    )
    recon = reconnoitre(project)
    assert [each.path for each in recon.entry_points] == ["/x"]
    said = " ".join(recon.limitations)
    assert "broken.js:1: tree-sitter could not parse this" in said
    assert "Broken.java:1: tree-sitter could not parse this" in said


def test_time_is_asked_between_files(tmp_path: Path) -> None:
    for number in range(3):
        (tmp_path / f"{number}.go").write_text("package main\n")
    asked = 0

    def checkpoint() -> None:
        nonlocal asked
        asked += 1
        if asked > 2:
            raise OutOfTime("over")

    with pytest.raises(OutOfTime):
        other_entry_points(Project(tmp_path, survey(tmp_path), checkpoint))


def test_trees_are_dropped_when_there_is_no_room(make_project: ProjectMaker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("counterproof.analysis.polyglot.corpus.MAX_KEPT_BYTES", 10)
    files = {f"{name}.js": f"const app = require('express')();\napp.get('/{name}', (q, s) => s.end());\n" for name in "abc"}
    project = make_project(files)
    assert [each.path for each in other_entry_points(project)] == ["/a", "/b", "/c"]
    corpus = corpus_of(project)
    assert corpus.source("a.js") is not None
    assert corpus.source("b.js") is not corpus.source("a.js")


def test_same_answer_whatever_the_hash_seed(make_project: ProjectMaker) -> None:
    project = make_project(
        {
            "a.js": """
                const app = require('express')();
                app.get('/x', odd(), mine, (q, s) => s.end());
                function mine(q, s) { s.status(401); }
            """,
            "config/routes.rb": "Rails.application.routes.draw do\n  resources :things\nend\n",
            "package.json": '{"dependencies": {"express": "^4", "pg": "8.0.0", "jsonwebtoken": "9.0.0"}}',
        }
    )
    code = (
        "import sys; from pathlib import Path; from counterproof.analysis.project import Project; "
        "from counterproof.analysis.recon import reconnoitre; from counterproof.analysis.source.survey import survey; "
        "root = Path(sys.argv[1]); print(reconnoitre(Project(root, survey(root))))"
    )
    runs = {
        subprocess.run(
            [sys.executable, "-c", code, str(project.root)],
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(runs) == 1

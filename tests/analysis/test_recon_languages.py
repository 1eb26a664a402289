"""Reconnaissance over several languages and several roots: one recon, with everything told apart by paths."""

from pathlib import Path
from textwrap import dedent

import pytest

from counterproof.analysis.project import Project
from counterproof.analysis.recon import reconnoitre
from counterproof.analysis.source.survey import survey
from counterproof.model.recon import EntryKind, FrameworkConfidence, Guard, ProjectType, Recon, root_of
from counterproof.model.survey import Language

MONOREPO = {
    "README.md": "x\n",
    "tools/run.py": "print(1)\n",
    "api/requirements.txt": "flask==3.0.0\n",
    "api/app.py": """
        from flask import Flask
        app = Flask(__name__)
        @app.route("/py")
        def py():
            return ""
    """,
    "web/package.json": '{"private": true, "dependencies": {"express": "4.18.2", "pg": "8.0.0"}}',
    "web/server.js": """
        const express = require("express");
        const app = express();
        app.get("/orders", (req, res) => res.json([]));
        app.post("/orders", requireRole("admin"), (req, res) => res.json({}));
        app.delete("/orders/:id", jwt(), (req, res) => res.end());
        app.listen(1);
    """,
    "web/src/auth.js": "export const check = (a) => a;\n",
    "jobs/go.mod": "module example.org/jobs\n\nrequire github.com/go-chi/chi/v5 v5.0.0\n",
    "jobs/main.go": "package main\n\nfunc main() {}\n",
    "jobs/main_test.go": "package main\n",
    "docs/examples/package.json": '{"dependencies": {}}',
    "docs/examples/x.js": "f();\n",
}


def seen(folder: Path, files: dict[str, str]) -> Recon:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(dedent(text).lstrip("\n"), "utf-8")
    return reconnoitre(Project(folder, survey(folder)))


@pytest.mark.rule("A6", "A7", "A9")
def test_one_recon_of_a_monorepo(tmp_path: Path) -> None:
    recon = seen(tmp_path, MONOREPO)
    assert recon.roots == (".", "api", "jobs", "web")
    assert [(each.kind, each.path, str(each.handler)) for each in recon.entry_points] == [
        (EntryKind.HTTP, "/py", "api/app.py:4"),
        (EntryKind.MAIN, "jobs", "jobs/main.go:3"),
        (EntryKind.HTTP, "/orders", "web/server.js:3"),
        (EntryKind.HTTP, "/orders", "web/server.js:4"),
        (EntryKind.HTTP, "/orders/:id", "web/server.js:5"),
        (EntryKind.MAIN, "docs/examples/x.js", "docs/examples/x.js:1"),
        (EntryKind.MAIN, "tools/run.py", "tools/run.py:1"),
    ]
    assert {(str(each), each.ecosystem) for each in recon.dependencies} == {
        ("flask:3.0.0", "pypi"), ("express:4.18.2", "npm"), ("pg:8.0.0", "npm"), ("github.com/go-chi/chi/v5:v5.0.0", "go"),
    }  # fmt: skip
    assert recon.manifests == ("api/requirements.txt", "docs/examples/package.json", "jobs/go.mod", "web/package.json")
    assert recon.wider == ""


def test_paths_tell_the_root(tmp_path: Path) -> None:
    roots = seen(tmp_path, MONOREPO).roots
    told = {path: root_of(path, roots) for path in ("web/server.js", "web/src/auth.js", "tools/run.py", "apiary/x.py", "x.py")}
    assert told == {"web/server.js": "web", "web/src/auth.js": "web", "tools/run.py": ".", "apiary/x.py": ".", "x.py": "."}
    assert root_of("a/b/c.py", ("a", "a/b")) == "a/b"


def test_a_single_project_has_one_root_and_a_folder_without_source_is_none(tmp_path: Path) -> None:
    recon = seen(tmp_path, {"package.json": "{}", "src/a.js": "f();\n", "empty/package.json": "{}"})
    assert recon.roots == (".",)


@pytest.mark.rule("A9")
def test_matrix_and_resources(tmp_path: Path) -> None:
    recon = seen(tmp_path, MONOREPO)
    rows = [
        (each.method, each.path, each.auth_required, each.role_required)
        for each in recon.permissions
        if "web" in str(each.handler)
    ]
    assert rows == [
        ("GET", "/orders", Guard.ABSENT, Guard.ABSENT),
        ("POST", "/orders", Guard.PRESENT, Guard.PRESENT),
        ("DELETE", "/orders/:id", Guard.PRESENT, Guard.ABSENT),
    ]
    assert "orders" in recon.resources
    assert any(each.path == "/py" for each in recon.permissions)


@pytest.mark.rule("A12")
def test_languages_with_their_shares(tmp_path: Path) -> None:
    seen(tmp_path, MONOREPO)
    shares = dict(survey(tmp_path).languages())
    assert shares[Language.JAVASCRIPT] == 8
    assert shares[Language.PYTHON] == 6
    assert shares[Language.GO] == 3


@pytest.mark.rule("A3")
@pytest.mark.parametrize(
    ("manifest", "code", "confidence"),
    [
        ('{"dependencies": {"express": "4.0.0"}}', "const e = require('express');\n", FrameworkConfidence.HIGH),
        ("{}", "import e from 'express';\n", FrameworkConfidence.MEDIUM),
        ('{"dependencies": {"express": "4.0.0"}}', "f();\n", FrameworkConfidence.LOW),
    ],
)
def test_confidence_in_a_framework(tmp_path: Path, manifest: str, code: str, confidence: FrameworkConfidence) -> None:
    (framework,) = seen(tmp_path, {"package.json": manifest, "a.js": code}).frameworks
    assert (framework.name, framework.confidence) == ("Express", confidence)
    assert framework.evidence
    assert framework.version == ("4.0.0" if "4.0.0" in manifest else "")


@pytest.mark.rule("A3")
@pytest.mark.parametrize(
    ("files", "framework", "trigger"),
    [
        ({"A.java": "import org.springframework.web.bind.annotation.*;\nimport java.sql.Connection;\nclass A {}\n"},
         "Spring", "sql-injection"),
        ({"a.go": 'package a\n\nimport (\n"github.com/gin-gonic/gin"\n"os/exec"\n)\n'}, "gin", "command-injection"),
        ({"a.php": "<?php\nuse Illuminate\\Http\\Request;\nclass A { }\n",
          "composer.json": '{"require": {"firebase/php-jwt": "6.0"}}'}, "Laravel", "jwt"),
        ({"a.rb": "class A < ApplicationController\nend\n", "Gemfile": "gem 'nokogiri'\n"}, "Rails", "xxe"),
    ],
)  # fmt: skip
def test_frameworks_and_triggers_per_language(tmp_path: Path, files: dict[str, str], framework: str, trigger: str) -> None:
    recon = seen(tmp_path, files)
    assert [each.name for each in recon.frameworks] == [framework]
    assert trigger in recon.triggers


@pytest.mark.rule("A3")
def test_what_only_a_lock_names_triggers_nothing(tmp_path: Path) -> None:
    lock = '{"packages": {"node_modules/js-yaml": {"version": "4.0.0"}, "node_modules/yaml": {"version": "2.0.0"}}}'
    assert seen(tmp_path, {"package-lock.json": lock, "a.js": "f();\n"}).triggers == ()


@pytest.mark.rule("A10")
@pytest.mark.parametrize(
    "files",
    [
        {"package.json": '{"name": "l", "main": "a.js"}',
         "a.js": "".join(f"export function f{n}(url) {{ return fetch(url); }}\n" for n in range(5))},
        {"l.go": "package l\n" + "".join(f"func F{n}(url string) {{ http.Get(url) }}\n" for n in range(5))},
        {"L.java": "class L {\n" + "".join(f"public void f{n}(String url) {{ new URL(url); }}\n" for n in range(5)) + "}\n"},
        {"L.php": "<?php\nclass L {\n" + "".join(f"function f{n}($url) {{ curl_init($url); }}\n" for n in range(5)) + "}\n"},
        {"lib/l.rb": "class L\n" + "".join(f"  def f{n}(url)\n    URI.open(url)\n  end\n" for n in range(5)) + "end\n"},
    ],
)  # fmt: skip
def test_libraries_in_every_language(tmp_path: Path, files: dict[str, str]) -> None:
    recon = seen(tmp_path, files)
    assert recon.project_type is ProjectType.LIBRARY
    assert recon.public_functions == 5
    assert recon.outbound_from_arguments
    assert [each.kind for each in recon.entry_points] == [EntryKind.PUBLIC_API] * 5


@pytest.mark.rule("A10")
def test_a_frontend_is_no_library(tmp_path: Path) -> None:
    code = "".join(f"export const f{n} = () => {n};\n" for n in range(9))
    recon = seen(tmp_path, {"package.json": '{"private": true, "main": "a.js"}', "a.js": code})
    assert recon.public_functions == 0
    assert recon.project_type is not ProjectType.LIBRARY


@pytest.mark.rule("A13")
def test_files_that_matter_most(tmp_path: Path) -> None:
    recon = seen(
        tmp_path,
        {
            "server.js": "const app = require('express')();\napp.get('/x', (q, s) => s.end());\n",
            "src/auth/check.js": "export default 1;\n",
            "src/hash.js": "import bcrypt from 'bcryptjs';\n",
            "src/rows.js": "import pg from 'pg';\n",
            "src/texts.js": "export default 'hello';\n",
            "src/main/resources/application.properties": "a=b\n",
            "User.php": "<?php\nclass User extends Model { }\n",
        },
    )
    assert recon.p0_files == (
        "User.php", "server.js", "src/auth/check.js", "src/hash.js", "src/main/resources/application.properties", "src/rows.js",
    )  # fmt: skip


@pytest.mark.rule("A6")
def test_content_types_of_other_languages(tmp_path: Path) -> None:
    recon = seen(
        tmp_path,
        {
            "a.js": "res.json({}); multer();\n",
            "A.java": "class A { Object f(ObjectInputStream s) { return s.readObject(); } }\n",
            "a.rb": "doc = Nokogiri::XML(x)\n",
        },
    )
    assert recon.content_types == ("json", "multipart", "serialised objects", "xml")


def test_frameworks_that_are_not_understood_are_said(tmp_path: Path) -> None:
    recon = seen(
        tmp_path, {"a.php": "<?php\nadd_action('init', 'f');\n", "b.go": 'package b\nimport "github.com/kataras/iris/v12"\n'}
    )
    said = " ".join(recon.limitations)
    assert "WordPress" in said
    assert "Iris" in said


@pytest.mark.rule("A7")
def test_every_project_has_an_entry_point(tmp_path: Path) -> None:
    recon = seen(tmp_path, {"a.rb": "# only this\nputs 1\n"})
    assert [(each.kind, str(each.handler)) for each in recon.entry_points] == [(EntryKind.MAIN, "a.rb:2")]

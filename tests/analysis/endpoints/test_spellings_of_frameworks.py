"""A framework's names reach a project in many spellings; all of them end at the name that the package publishes (A9)."""

from pathlib import Path

import pytest

from counterproof.app.map import map_of_folder

VIEW = "@bp.get('/orders')\ndef orders():\n    return 'ok'\n\n\n"
FLASK = "app = {app}(__name__)\nbp = {part}('o', __name__)\n" + VIEW + "app.register_blueprint(bp)\n"
FASTAPI = "app = {app}()\nbp = {part}()\n" + VIEW + "app.include_router(bp)\n"
EXPRESS = """const app = {app}();
const bp = {part}();
bp.get('/orders', (req, res) => res.send('ok'));
app.use(bp);
app.listen(80);
"""
OWN = """class Blueprint:
    def __init__(self, *names):
        pass

    def get(self, path):
        return lambda view: view
"""

PYTHON = [
    (FLASK, "from flask import Flask, blueprints", "Flask", "blueprints.Blueprint", {}),
    (FLASK, "from flask import Flask\nfrom flask.blueprints import Blueprint", "Flask", "Blueprint", {}),
    (FLASK, "import flask.app, flask.blueprints", "flask.app.Flask", "flask.blueprints.Blueprint", {}),
    (FLASK, "from flask import app as base, Blueprint", "base.Flask", "Blueprint", {}),
    (FLASK, "from flask import *", "Flask", "Blueprint", {}),
    (FLASK, "import flask\nF = flask.Flask\nB = flask.Blueprint", "F", "B", {}),
    (FLASK, "from web import Flask, Blueprint", "Flask", "Blueprint", {"web.py": "from flask import Flask, Blueprint\n"}),
    (FLASK, "from web import Flask, Blueprint", "Flask", "Blueprint",
     {"web/__init__.py": "from .http import *\n", "web/http.py": "from flask import Flask, Blueprint\n"}),
    (FLASK, "from web import flask", "flask.Flask", "flask.blueprints.Blueprint",
     {"web.py": "import flask\nimport flask.blueprints\n"}),
    (FLASK, "from flask import blueprints, Flask\n\n\nclass B(blueprints.Blueprint):\n    pass\n\n", "Flask", "B", {}),
    (FASTAPI, "from fastapi import FastAPI, routing", "FastAPI", "routing.APIRouter", {}),
    (FASTAPI, "from fastapi import *", "FastAPI", "APIRouter", {}),
    (FASTAPI, "from web import FastAPI, APIRouter", "FastAPI", "APIRouter",
     {"web.py": "from fastapi import FastAPI, APIRouter\n"}),
    (FASTAPI, "import fastapi\nF = fastapi.FastAPI\nR = fastapi.APIRouter", "F", "R", {}),
]  # fmt: skip
SCRIPTS = [
    ("const express = require('express');\nconst { Router } = express;", "express", "Router"),
    ("const express = require('express');\nconst { Router: R } = require('express');", "express", "R"),
    ("import express, { Router as R } from 'express';", "express", "R"),
    ("import { Router, default as e } from 'express';", "e", "Router"),
]


def mapped(folder: Path, files: dict[str, str]) -> set[str]:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return {str(way) for route in map_of_folder(folder).routes for way in route.ways}


@pytest.mark.rule("A9")
@pytest.mark.parametrize(("code", "head", "app", "part", "files"), PYTHON)
def test_map_python_spelling_finds_the_route(
    tmp_path: Path, code: str, head: str, app: str, part: str, files: dict[str, str]
) -> None:
    assert "GET /orders" in mapped(tmp_path, {"main.py": f"{head}\n\n{code.format(app=app, part=part)}", **files})


@pytest.mark.rule("A9")
@pytest.mark.parametrize(("head", "app", "part"), SCRIPTS)
def test_map_script_spelling_finds_the_route(tmp_path: Path, head: str, app: str, part: str) -> None:
    assert "GET /orders" in mapped(tmp_path, {"server.js": f"{head}\n{EXPRESS.format(app=app, part=part)}"})


@pytest.mark.rule("A9")
def test_map_own_class_of_the_same_name_is_no_framework(tmp_path: Path) -> None:
    code = "from flask import *\nfrom web import Blueprint\n\n" + FLASK.format(app="Flask", part="Blueprint")
    assert "GET /orders" not in mapped(tmp_path, {"web.py": OWN, "main.py": code})

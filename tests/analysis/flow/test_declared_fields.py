"""Fields that the class of a body declares: harmless where something holds the sender to a number, a choice or a pattern."""

from collections.abc import Callable

import pytest

from counterproof.analysis.examination import Examination

LookAt = Callable[[dict[str, str]], Examination]
MODELLED = """
from enum import Enum
from typing import Annotated, Literal
from fastapi import FastAPI
from pydantic import BaseModel, Field

class Colour(str, Enum):
    RED = "red"

class Item({base}):
    value: {declared}

app = FastAPI()

@app.post("/items")
def store(item: Item):
    return open("/data/" + str(item.value)).read()
"""
PIPE = 'import { ValidationPipe } from "@nestjs/common";\napp.useGlobalPipes(new ValidationPipe());\n'
BODY = 'import { IsString, IsUUID, Matches } from "class-validator";\nexport class Named {\n  %s\n  value: string;\n}\n'
CONTROLLER = """
import { Body, Controller, Post } from "@nestjs/common";
import { Named } from "./named.dto";
import * as fs from "fs";

@Controller("files")
export class Files {
  @Post()
  make(@Body() body: Named) {
    %s
  }
}
"""


def _told(found: Examination) -> bool:
    return any(each.rule.endswith("path-traversal") for each in found.findings)


@pytest.mark.parametrize(
    ("declared", "told"),
    [
        ("str", True),
        ("int", False),
        ("Colour", False),
        ('Literal["a", "b"]', False),
        ('Annotated[str, Field(pattern="^[a-z]+$")]', False),
        ('str = Field(pattern="^[a-z]+$")', False),
        ('str = Field(pattern="^[a-z/.]+$")', True),
        ("str | int", True),
    ],
)
def test_a_model_holds_the_sender_to_what_it_declares(look_at: LookAt, declared: str, told: bool) -> None:
    assert _told(look_at({"app.py": MODELLED.format(base="BaseModel", declared=declared)})) is told


def test_a_class_that_is_no_model_holds_nobody_to_anything(look_at: LookAt) -> None:
    assert _told(look_at({"app.py": MODELLED.format(base="object", declared="int")}))


@pytest.mark.parametrize(
    ("declared", "main", "told"),
    [
        ('@Matches("^[a-zA-Z0-9_-]*$", undefined, { message: "no" })', PIPE, False),
        ("@IsString() @Matches(/^[a-z]+$/)", PIPE, False),
        ("@IsUUID()", PIPE, False),
        ("@IsString()", PIPE, True),
        ("@Matches(/[a-z]+/)", PIPE, True),
        ('@Matches("^[a-zA-Z0-9_-]*$")', "", True),
    ],
    ids=["pattern-as-text", "pattern", "words", "any-text", "part-of-it", "nobody-validates"],
)
@pytest.mark.parametrize(
    "code", ["fs.rmSync(`/data/${body.value}`);", "const { value } = body;\n    fs.rmSync(`/data/${value}`);"]
)
def test_decorators_count_where_the_program_validates(look_at: LookAt, declared: str, main: str, told: bool, code: str) -> None:
    files = {"src/main.ts": main, "src/named.dto.ts": BODY % declared, "src/files.controller.ts": CONTROLLER % code}
    assert _told(look_at(files)) is told


@pytest.mark.parametrize(
    ("read", "told"),
    [
        ('request.args.get("n", type=int)', False),
        ('request.args.get("n", 1, int)', False),
        ('request.args.get("n", None, type=str)', True),
        ('request.args.get("n", "type")', True),
    ],
)
def test_a_parameter_that_is_converted_as_it_is_read_is_a_number(look_at: LookAt, read: str, told: bool) -> None:
    code = f"""
    from flask import Flask, request
    app = Flask(__name__)

    @app.get("/")
    def show():
        return open("/data/" + str({read})).read()
    """
    assert _told(look_at({"app.py": code})) is told


@pytest.mark.parametrize(
    ("check", "told"),
    [
        ('if name.rsplit(".", 1)[1].lower() not in {"png", "jpg"}:', False),
        ('if os.path.splitext(name)[1] not in (".png", ".jpg"):', False),
        ("if len(name) > 200:", True),
    ],
    ids=["ending", "splitext", "length"],
)
def test_an_ending_that_is_on_a_list_is_one_of_it(look_at: LookAt, check: str, told: bool) -> None:
    code = f"""
    import os, uuid
    from flask import Flask, request
    app = Flask(__name__)

    @app.post("/")
    def keep():
        name = request.files["f"].filename
        {check}
            return "no"
        request.files["f"].save("/data/" + str(uuid.uuid4()) + "." + name.rsplit(".", 1)[1])
        return "yes"
    """
    assert any(each.rule == "unrestricted-upload" for each in look_at({"app.py": code}).findings) is told


def test_an_ending_holds_no_separator(look_at: LookAt) -> None:
    code = """
    const app = require('express')();
    const path = require('path');
    app.post('/', (req, res) => {
      require('fs').unlinkSync(path.join('/data', `1${path.extname(req.query.name)}`));
      require('fs').unlinkSync(path.join('/data', `1${path.dirname(req.query.name)}`));
    });
    """
    assert [each.location.start for each in look_at({"app.js": code}).findings if each.rule.endswith("traversal")] == [6]

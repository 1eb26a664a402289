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

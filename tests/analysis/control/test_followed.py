"""What control-driven coverage rests on: operations followed through injected services, resources compared within their package,
and candidates of a project that nobody sends anything to."""

from pathlib import Path

import pytest

from counterproof.analysis import control
from counterproof.analysis.families import examine
from counterproof.analysis.polyglot.find import other_entry_points
from counterproof.analysis.project import Project
from counterproof.analysis.source.survey import survey
from counterproof.model.dimension import Dimension
from counterproof.model.ledger import Trace
from counterproof.model.survey import Language

CONTROLLER = """import { Body, Controller, Delete, Get, Post } from "@nestjs/common";
import { UsersService } from "./users.service";
@Controller("users")
export class UsersController {
  constructor(private readonly usersService: UsersService) {}
  @Get()
  all() { return this.usersService.all(); }
  @Post()
  signUp(@Body() user: object) { return this.usersService.signUp(user); }
}
"""
SERVICE = """import { Injectable } from "@nestjs/common";
@Injectable()
export class UsersService {
  users = [];
  all() { return this.users; }
  signUp(user: object) { this.users.push(user); }
}
"""
OTHER = "export class Mailer {\n  signUp(user: object) { return user; }\n}\n"


def nest(root: Path, *packages: str) -> Project:
    for package in packages:
        folder = root / package
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "package.json").write_text('{"dependencies": {"@nestjs/common": "11.0.0"}}', "utf-8")
        (folder / "users.controller.ts").write_text(CONTROLLER, "utf-8")
        (folder / "users.service.ts").write_text(SERVICE, "utf-8")
        (folder / "mailer.ts").write_text(OTHER, "utf-8")
    return Project(root, survey(root))


@pytest.mark.parametrize("packages", [(".",), ("one", "two")])
def test_an_operation_is_followed_into_the_service_that_is_injected(tmp_path: Path, packages: tuple[str, ...]) -> None:
    project = nest(tmp_path, *packages)
    found = control.examine(project, other_entry_points(project), (Dimension.D9,))
    assert [each.complete for each in found.traces] == [True] * len(packages)
    assert {each.origin.rpartition(" at ")[2].rpartition("/")[0] for each in found.traces} == {
        each.strip(".") for each in packages
    }


def test_an_operation_whose_service_nobody_knows_stays_open(tmp_path: Path) -> None:
    project = nest(tmp_path, ".")
    (tmp_path / "users.controller.ts").write_text(CONTROLLER.replace(": UsersService", ""), "utf-8")
    project = Project(tmp_path, survey(tmp_path))
    found = control.examine(project, other_entry_points(project), (Dimension.D9,))
    assert [each.complete for each in found.traces] == [False]


def test_resources_are_compared_within_their_package(tmp_path: Path) -> None:
    project = nest(tmp_path, "one", "two")
    found = control.examine(project, other_entry_points(project), (Dimension.D3,))
    assert [(each.resource, each.at.path.partition("/")[0]) for each in found.comparisons] == [("users", "one"), ("users", "two")]


SHELVED = """import { Users } from "./users.entity";
export class UsersService {
  constructor(private readonly users: typeof Users) {}
  async one(name: string) { return new RegExp(name).test("one"); }
}
"""


def _open_ends(root: Path, also: dict[str, str]) -> list[Trace]:
    """The traces of patterns in a package without any way in, beside one that serves requests."""
    nest(root, "served")
    files = {"shelved/package.json": '{"dependencies": {"sequelize": "6.0.0"}}', "shelved/users.service.ts": SHELVED, **also}
    for name, text in files.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(text, "utf-8")
    project = Project(root, survey(root))
    hunt = examine(project, other_entry_points(project), (Dimension.D9,), Language.TYPESCRIPT)
    return [each for each in hunt.examination.traces if each.sink.path.startswith("shelved/")]


def test_what_nobody_calls_is_followed_to_its_end_in_a_root_that_nobody_can_send_to(tmp_path: Path) -> None:
    assert [each.complete for each in _open_ends(tmp_path, {})] == [True]


def test_what_another_root_imports_stays_open(tmp_path: Path) -> None:
    user = 'import { UsersService } from "../shelved/users.service";\nexport const held: UsersService = make();\n'
    assert [each.complete for each in _open_ends(tmp_path, {"served/held.ts": user})] == [False]

"""Callers and callees of a change are those that really call it, not those of the same name (R42)."""

from pathlib import Path

import pytest

from analysis.review.changed_tree import changed, project_of
from counterproof.analysis.review import around
from counterproof.analysis.review.claims import View
from counterproof.analysis.review.scope import Wanted, resolve

SERVICE = """export class UserService {
  constructor(private prisma: Prisma) {}

  async remove(id: string) {
    return this.prisma.user.delete({ where: { id } });
  }
}
"""
SCRIPTS = {
    "src/user.service.ts": SERVICE,
    "src/user.controller.ts": """import { UserService } from "./user.service";

export class UserController {
  constructor(private userService: UserService) {}

  async remove(id: string) {
    return await this.userService.remove(id);
  }
}
""",
    "src/share.controller.ts": """import { ShareService } from "./share.service";

export class ShareController {
  constructor(private shareService: ShareService) {}

  async delete(id: string) {
    return await this.shareService.remove(id);
  }
}
""",
    "src/share.service.ts": """export class ShareService {
  async remove(id: string) {
    return id;
  }
}
""",
}
PYTHON = {
    "shop/stock.py": "class Stock:\n    def take(self, row):\n        return row.amount\n",
    "shop/desk.py": (
        "from shop.stock import Stock\n\n\nclass Desk:\n    def __init__(self):\n        self.stock = Stock()\n\n"
        "    def sell(self, row):\n        return self.stock.take(row)\n"
    ),
    "shop/photo.py": (
        "class Camera:\n    def take(self, row):\n        return row\n\n\ndef shoot():\n    return Camera().take(1)\n"
    ),
}


def shown(folder: Path, before: dict[str, str], after: dict[str, str]) -> tuple[list[str], list[str]]:
    project = project_of(changed(folder, before, after))
    done = resolve(project, Wanted())
    view = View(project, done.scope, done.before)
    return [each.unit.name for each in around.callers(view)], [each.unit.name for each in around.callees(view)]


@pytest.mark.rule("R42")
def test_callers_of_a_script_follow_the_declared_class_of_a_field(tmp_path: Path) -> None:
    after = {"src/user.service.ts": SERVICE.replace("{ where: { id } }", "{ where: { id, active: true } }")}
    callers, callees = shown(tmp_path / "a", SCRIPTS, after)
    assert callers == ["UserController.remove"]
    assert callees == [], "what the database deletes is no route of ours"


@pytest.mark.rule("R42")
def test_callees_of_a_script_follow_the_declared_class_of_a_field(tmp_path: Path) -> None:
    after = {"src/share.controller.ts": SCRIPTS["src/share.controller.ts"].replace("return await", "return")}
    assert shown(tmp_path / "a", SCRIPTS, after)[1] == ["ShareService.remove"]


@pytest.mark.rule("R42")
def test_callers_in_python_are_those_of_the_class(tmp_path: Path) -> None:
    after = {"shop/stock.py": PYTHON["shop/stock.py"].replace("row.amount", "row.amount or 0")}
    assert shown(tmp_path / "a", PYTHON, after)[0] == ["Desk.sell"]

"""Traits of files: values that depend on one file alone, and look-ups independent of earlier ones."""

import json
from pathlib import Path

from counterproof.analysis import recon
from counterproof.analysis.endpoints.convention import conventions
from counterproof.analysis.program.codebase import Codebase
from counterproof.analysis.program.mentioned import kin, mentioning, paths_calling, with_kin
from counterproof.analysis.program.traits import every_trait, told
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import load_rules
from counterproof.analysis.source.survey import survey

SHOP = Path(__file__).parents[3] / "examples" / "shop"


def _codebase(root: Path) -> Codebase:
    return Codebase(Project(root, survey(root)))


def test_every_trait_is_told_from_one_file_alone_and_survives_json() -> None:
    asking = (recon, load_rules(), conventions())  # these bring in all that ask for traits
    codebase = _codebase(SHOP)
    every = every_trait()
    assert len(every) > 25, asking
    for path in codebase.paths:
        for each in every:
            answer, noted = codebase.project.notes.watched(lambda: each.tell(codebase.outline(path)))  # noqa: B023
            assert json.loads(json.dumps(answer)) == answer, each.name
            assert noted == {f"f{path}"}, each.name


def test_what_a_name_means_does_not_depend_on_what_was_looked_up_before(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text("from two import *\n")
    (tmp_path / "two.py").write_text("from one import *\nfrom three import *\n")
    (tmp_path / "three.py").write_text("def last():\n    pass\n")

    def looked_up(*order: str) -> dict[str, str]:
        codebase = _codebase(tmp_path)
        found = {path: codebase.member(codebase.outline(path), ["last"]) for path in order}
        return {path: each.path if each else "" for path, each in sorted(found.items())}

    assert looked_up("one.py", "two.py") == looked_up("two.py", "one.py") == {"one.py": "three.py", "two.py": "three.py"}


def test_names_are_followed_through_classes_aliases_and_renamed_imports(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text("from flask import Flask as Base\nclass Shop(Base):\n    pass\nMade = Shop\n")
    (tmp_path / "app.py").write_text("from own import Made as Built\napp = Built(__name__)\n")
    (tmp_path / "other.py").write_text("print('nothing of the kind')\n")
    codebase = _codebase(tmp_path)
    assert kin(codebase, ("flask.Flask",)) == {"Flask", "Base", "Shop", "Made", "Built"}
    assert [each.path for each in mentioning(codebase, calls=kin(codebase, ("flask.Flask",)))] == ["app.py"]
    assert with_kin(codebase, ("flask.Flask",)) == {"own.py", "app.py"}
    assert paths_calling(codebase, "print") == ("other.py",)


_HELD = {
    "wiring of aiohttp": ["app.add_routes(r)", "app.add_subapp('/', a)", "app.middlewares.append(m)"],
    "mentions xsrf_cookies": ["x = {'xsrf_cookies': True}"],
    "takes posts with Tornado": [
        "import tornado.web\nclass A(tornado.web.RequestHandler):\n    def post(self):\n        pass",
        "from tornado import web\nclass A(web.RequestHandler):\n    def post(self):\n        pass",
    ],
    "tools of CherryPy": ["x = {'tools.sessions.on': True}"],
}
"""Files that have a trait which a file without certain words is not parsed for."""


def test_what_a_trait_is_looked_for_by_stands_in_every_file_that_has_it(tmp_path: Path) -> None:
    asking = (recon, load_rules(), conventions())
    guarded = {each.name: each for each in every_trait() if each.holding is not None}
    assert set(guarded) == set(_HELD), asking
    cases = [(name, text) for name, texts in _HELD.items() for text in texts]
    for number, (_, text) in enumerate(cases):
        (tmp_path / f"m{number}.py").write_text(f"{text}\n")
    codebase = _codebase(tmp_path)
    for number, (name, text) in enumerate(cases):
        path = f"m{number}.py"
        assert guarded[name].tell(codebase.outline(path)), text
        assert path in told(codebase, guarded[name]), text

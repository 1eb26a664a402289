"""Names across files, and nodes with their surroundings."""

import pytest

from counterproof.analysis.program.codebase import Codebase
from counterproof.analysis.program.words import mentions, vocabulary, words
from counterproof.analysis.syntax.ir import Call, Class, Const, Function


def test_imports_are_found_from_the_importing_file(make_project) -> None:
    code = Codebase(
        make_project(
            {
                "one/main.py": "import store\n",
                "one/store.py": "NAME = 1\n",
                "two/main.py": "import store\n",
                "two/store.py": "NAME = 2\n",
                "src/pkg/__init__.py": "from pkg.deep import thing\n",
                "src/pkg/deep.py": "def thing(): pass\n",
            }
        )
    )
    assert code.find_module("store", "one/main.py") == "one/store.py"
    assert code.find_module("store", "two/main.py") == "two/store.py"
    assert code.find_module("store", "src/pkg/deep.py") is None  # two candidates, none nearer: no guess
    found = code.define("pkg.thing", "src/pkg/deep.py")
    assert found
    assert isinstance(found.node, Function)
    assert found.path == "src/pkg/deep.py"


def test_a_package_may_hide_its_submodule_behind_a_name_of_its_own(make_project) -> None:
    files = {"m/__init__.py": "from m.Note.note import Note\n", "m/Note/__init__.py": "", "m/Note/note.py": "class Note: pass\n"}
    found = Codebase(make_project({**files, "views.py": "from m import Note\n"})).define("m.Note", "views.py")
    assert found
    assert isinstance(found.node, Class)


def test_constructors_ancestry_and_star_imports(make_project) -> None:
    code = Codebase(
        make_project(
            {
                "a.py": "from b import *\nfrom lib import Maker\nthing = Maker(1)\nalias = thing\nclass Leaf(Branch): pass\n",
                "b.py": "import web\nclass Root(web.Handler):\n    def get(self): pass\nclass Branch(Root): pass\nLIMIT = 3\n",
            }
        )
    )
    outline = code.outline("a.py")
    assert code.constructor(outline, outline.top_level["alias"].value) == "lib.Maker"
    leaf = code.define("Leaf", "a.py")
    assert leaf
    assert code.ancestry(leaf).foreign == ("web.Handler",)
    assert [each.node.name for each in code.ancestry(leaf).own if isinstance(each.node, Class)] == ["Leaf", "Branch", "Root"]
    method = code.method(leaf, "get")
    assert method
    assert method[1].qualified == "Root.get"
    limit = code.define("LIMIT", "a.py")
    assert limit
    assert isinstance(limit.node, Const)


def test_sites_know_function_class_and_conditions(make_project) -> None:
    text = (
        "class Box:\n    def put(self, x):\n        if x:\n            first(x)\n        else:\n            second(x)\nthird()\n"
    )
    outline = Codebase(make_project({"a.py": text})).outline("a.py")
    seen = [(site.scope, site.owner.name if site.owner else "", len(site.tests), site.line) for site in outline.of(Call)]
    assert seen == [("Box.put", "Box", 1, 4), ("Box.put", "Box", 1, 6), ("", "", 0, 7)]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("csrfToken", ("csrf", "token")),
        ("CSRF_TOKEN", ("csrf", "token")),
        ("HTTPException", ("http", "exception")),
        ("x-api-key", ("x", "api", "key")),
        ("", ()),
        ("sha256", ("sha256",)),
        ("IsSuperUser", ("is", "superuser")),
        ("super", ("super",)),
    ],
)
def test_words(name: str, expected: tuple[str, ...]) -> None:
    assert words(name) == expected


def test_mentions_counts_plurals_and_long_words_inside_others() -> None:
    assert mentions(frozenset({"mysession"}), vocabulary("session"))
    assert mentions(frozenset({"otps"}), vocabulary("otp"))
    assert not mentions(frozenset({"option"}), vocabulary("opt"))

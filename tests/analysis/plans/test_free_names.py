"""Names in a plan's Python that nothing gives a meaning: never written, or written elsewhere and not imported."""

from pathlib import Path

import pytest

from analysis.plans.planned_shop import bench, shop
from counterproof.analysis.plans.doubts import Doubt, Kind
from counterproof.analysis.plans.evidence import Evidence, Grade
from counterproof.analysis.plans.examination import examine

FILES = {
    "shop/till.py": "from shop.prices import *\n\n\ndef close(till):\n    return till\n",
    "shop/late.py": "from __future__ import annotations\n\n\ndef wait(rows):\n    limit = 3\n    return rows[:limit]\n",
}


def block(code: str, lead: str = "- Modify: `shop/cart.py`\n\nAdd to `shop/cart.py`:") -> str:
    return f"{lead}\n\n```python\n{code}\n```\n\n"


def raised(folder: Path, text: str) -> list[Doubt]:
    found = examine(bench(shop(folder, **FILES), f"# A plan\n\n{text}\n").case)
    return [each for each in found if each.kind in (Kind.UNBOUND, Kind.SYMBOL)]


TEST = "- Create: `tests/test_till.py`\n\nCreate `tests/test_till.py`:"
NEW = "- Create: `shop/limits.py`\n\nCreate `shop/limits.py`:"
FREE = [
    (block("def more(cart):\n    return fill_every_shelf(cart)"), "fill_every_shelf", Evidence.UNBOUND, Grade.ASKED),
    (
        "### Task 1: Fill\n\n- Modify: `shop/cart.py`\n\n" + block("shelves = fill_every_shelf(cart)", "Write:"),
        "fill_every_shelf",
        Evidence.UNBOUND,
        Grade.ASKED,
    ),
    (block("    shelves = fill_every_shelf(cart)"), "fill_every_shelf", Evidence.UNBOUND, Grade.ASKED),
    (
        block("def more(cart: tuple[int, ...]):\n    return fill_every_shelf(cart)"),
        "fill_every_shelf",
        Evidence.UNBOUND,
        Grade.ASKED,
    ),
    (block("def more(cart):\n    return shelf_depth * 2"), "shelf_depth", Evidence.UNBOUND, Grade.ASKED),
    (block("    def more(self):\n        return shelf_depth * 2"), "shelf_depth", Evidence.UNBOUND, Grade.ASKED),
    (
        block("import json\n\n\ndef test_it():\n    assert json.dumps(_two_rows())", TEST),
        "_two_rows",
        Evidence.UNBOUND,
        Grade.ASKED,
    ),
    (block("import json\n\nprint(json.dumps(MOST_ROWS))", NEW), "MOST_ROWS", Evidence.UNBOUND, Grade.ASKED),
    (block("import json\n\nprint(json.dumps(TAX_RATE))", NEW), "TAX_RATE", Evidence.UNIMPORTED, Grade.STANDS),
    (
        block("import json\n\n\ndef more(cart):\n    return json.dumps(TAX_RATE)"),
        "TAX_RATE",
        Evidence.UNIMPORTED,
        Grade.STANDS,
    ),
    (block("def more(cart):\n    return TAX_RATE"), "TAX_RATE", Evidence.LEFT_IMPORT, Grade.ASKED),
    (
        block("import json", "- Modify: `shop/report.py`\n\nAdd at the top of `shop/report.py`:")
        + block("def more(cart):\n    return TAX_RATE"),
        "TAX_RATE",
        Evidence.UNIMPORTED,
        Grade.STANDS,
    ),
    (block("def more(cart):\n    return json.dumps(cart)"), "json", Evidence.LEFT_IMPORT, Grade.ASKED),
    (block("def more(cart: BaseModel):\n    return cart"), "BaseModel", Evidence.LEFT_IMPORT, Grade.ASKED),
    (
        block("def fill_shelf(cart):\n    return cart", NEW) + block("def more(cart):\n    return fill_shelf(cart)"),
        "fill_shelf",
        Evidence.LEFT_IMPORT,
        Grade.ASKED,
    ),
]


@pytest.mark.rule("P17", "P20")
@pytest.mark.parametrize(("text", "name", "evidence", "grade"), FREE)
def test_a_name_that_nothing_binds_is_doubted(tmp_path: Path, text: str, name: str, evidence: Evidence, grade: Grade) -> None:
    (doubt,) = raised(tmp_path, text)
    assert (doubt.subject, doubt.evidence, doubt.grade) == (name, evidence, grade)


@pytest.mark.parametrize(("imported", "home"), [("import select", "Python"), ("from rows import select", "plan:18")])
def test_a_module_of_python_is_not_taken_for_what_others_import_by_its_name(tmp_path: Path, imported: str, home: str) -> None:
    text = block("import json\n\n\ndef more(cart):\n    return select(cart)") + block(
        f"{imported}\n\nselect()", "In `shop/report.py`:"
    )
    (doubt,) = raised(tmp_path, text)
    assert f"`select` {'comes from' if home == 'Python' else 'is imported at'} {home}" in doubt.concern


HELPED = "### Task 1: Rows\n\n- Modify: `shop/prices.py`\n- Test: `tests/test_cart.py`\n\n"


@pytest.mark.rule("P20")
@pytest.mark.parametrize(("lead", "count"), [("Add the helper at the top of the test file:", 0), ("Then the code:", 1)])
def test_a_helper_may_be_for_the_tests_of_its_step(tmp_path: Path, lead: str, count: int) -> None:
    test = block("import json\n\n\ndef test_it():\n    assert json.dumps(_two_rows())", "Add to `tests/test_cart.py`:")
    helper = block("def _two_rows():\n    return [1, 2]", lead)
    assert len(raised(tmp_path, f"{HELPED}{test}{helper}")) == count


@pytest.mark.rule("P20")
@pytest.mark.parametrize(
    ("words", "grade"),
    [("e.g. right after the sum", Grade.STANDS), ("e.g. like this", Grade.ASKED), ("for instance", Grade.ASKED)],
)
def test_words_on_where_code_stands_make_it_no_sketch(tmp_path: Path, words: str, grade: Grade) -> None:
    code = "import json\n\n\ndef more(cart):\n    return json.dumps(TAX_RATE)"
    (doubt,) = raised(tmp_path, block(code, f"- Modify: `shop/cart.py`\n\nAdd to `shop/cart.py` ({words}):"))
    assert doubt.grade is grade


@pytest.mark.rule("P20")
def test_names_that_one_file_lacks_are_one_doubt(tmp_path: Path) -> None:
    (doubt,) = raised(tmp_path, block("def more(cart):\n    return fill_every_shelf(cart) + sweep_all_floors(cart)"))
    assert doubt.subject == "fill_every_shelf"
    assert "`sweep_all_floors`" in doubt.concern
    assert doubt.claim.startswith("The plan's code uses without a definition `fill_every_shelf` and 1 more")


CALLS = "def more(cart):\n    return fill_every_shelf(cart)"
TAXED = "def more(cart):\n    return TAX_RATE"
BOUND = [
    block("def more(cart):\n    return MOST_ROWS", NEW),
    block("    shelves = shelf_depth * 2"),
    block("def more(cart):\n    ...\n    return fill_every_shelf(cart)"),
    block("def more(cart):\n    return fill_every_shelf(cart, 1, ...)"),
    block(CALLS) + "`fill_every_shelf` fills them.",
    block(CALLS) + block("def fill_every_shelf(cart):\n    return cart", "And:"),
    block(CALLS) + block("from shop.prices import fill_every_shelf", "Add the import at the top of `cart.py`:"),
    block(CALLS) + block("def fill_every_shelf(cart) {", "In `shop/shelf.py`:"),
    block(CALLS, "Read `shop/cart.py`, which does this:"),
    block(CALLS, "- Modify: `shop/cart.py`\n\nCreate a module with the same pattern as `shop/cart.py`:"),
    "### Task 1: Fill\n\n- Modify: `shop/cart.py`\n\nLater `shop/report.py` changes too.\n\n" + block(CALLS, "Write:"),
    block("assert fill_every_shelf([]) == []"),
    block(CALLS, "- Modify: `shop/till.py`\n\nAdd to `shop/till.py`:"),
    block(CALLS, "- Modify: `shop/absent.py`\n\nAdd to `shop/absent.py`:"),
    block(f"import json\n\n\n{CALLS}", NEW),
    block("import json\n\n\ndef more(cart):\n    return _total(cart)", NEW),
    block(TAXED) + "Import `TAX_RATE` there.",
    block(f"from shop.prices import TAX_RATE\n\n\n{TAXED}"),
    block("def more(cart: BaseModel):\n    return cart", "- Modify: `shop/late.py`\n\nAdd to `shop/late.py`:"),
    block("def more(cart):\n    rows: BaseModel = cart\n    return rows"),
    block("def more(rows):\n    return limit", "- Modify: `shop/late.py`\n\nAdd to `shop/late.py`:"),
    block("def more(cart):\n    shelves = fill_every_shelf(...)\n    return mend_every_shelf(shelves)"),
    block("def more(cart):\n    rows = [...]\n    return fill_every_shelf(rows)"),
    block("def more(cart):\n    return [row for row in cart if __name__ and (size := len(row)) and size]"),
]


@pytest.mark.rule("P17", "P20")
@pytest.mark.parametrize("text", BOUND)
def test_a_name_that_something_may_bind_is_not_doubted(tmp_path: Path, text: str) -> None:
    assert raised(tmp_path, text) == []


BOOK = {"shop/book.py": "class Book:\n    def rows(self):\n        return []\n\n\nclass Page(Book):\n    pass\n"}
MODELS = "- Modify: `shop/models.py`\n\nAdd to `shop/models.py`:"
OWN = "- Modify: `shop/book.py`\n\nAdd to `shop/book.py`:"
METHOD = "def close(self):\n    return self.settle_every_row()"
SETTLES = "class Ledger:\n    def close(self):\n        return self.settle_every_row()"


@pytest.mark.rule("P17", "P20")
@pytest.mark.parametrize("text", [block(SETTLES, MODELS), block(METHOD, OWN), block("    self.settle_every_row()", OWN)])
def test_a_method_of_its_own_that_nothing_has_is_doubted(tmp_path: Path, text: str) -> None:
    (doubt,) = examine(bench(shop(tmp_path, **BOOK), f"# A plan\n\n{text}\n").case)
    assert (doubt.kind, doubt.subject, doubt.grade) == (Kind.MEMBER, "self.settle_every_row", Grade.ASKED)


@pytest.mark.rule("P17", "P20")
@pytest.mark.parametrize(
    "text",
    [
        block(METHOD, MODELS),
        block("class Open:\n    def close(self):\n        return self.settle_every_row()", MODELS),
        block(METHOD, OWN) + block("    def settle_every_row(self):\n        return 1", "And:"),
        block(METHOD, OWN) + block("self.settle_every_row = read", "And:"),
        block(METHOD, OWN) + "`settle_every_row` settles them.",
        block(METHOD + "\n    # ... as before", OWN),
        block("def close(self):\n    return self.rows()", OWN),
    ],
)
def test_a_method_of_its_own_that_something_may_have_is_not_doubted(tmp_path: Path, text: str) -> None:
    found = examine(bench(shop(tmp_path, **BOOK), f"# A plan\n\n{text}\n").case)
    assert [each for each in found if each.kind is Kind.MEMBER] == []


@pytest.mark.rule("P20")
@pytest.mark.parametrize(
    ("code", "count"), [("from shop.prices import TAX_RATE", 0), ("from shop.prices import TAX_RATE\n\nTAX = TAX_RATE", 1)]
)
def test_imports_alone_may_be_for_any_file_of_their_step(tmp_path: Path, code: str, count: int) -> None:
    text = (
        "### Task 1: Rate\n\n- Modify: `shop/report.py`\n- Test: `tests/test_cart.py`\n\n"
        + block(code, "Change the first line to:")
        + block("import json\n\n\ndef test_rate():\n    assert json.dumps(TAX_RATE)", "Add to `tests/test_cart.py`:")
    )
    assert len(raised(tmp_path, text)) == count


@pytest.mark.rule("P20")
@pytest.mark.parametrize(
    ("words", "grade"),
    [
        ("Import each rate at the top.", Grade.ASKED),
        ("(импорт добавить.)", Grade.ASKED),
        ("Each rate is a number.", Grade.STANDS),
    ],
)
def test_words_beside_a_block_may_speak_of_its_imports(tmp_path: Path, words: str, grade: Grade) -> None:
    (doubt,) = raised(tmp_path, block("import json\n\n\ndef more(cart):\n    return json.dumps(TAX_RATE)") + words)
    assert (doubt.subject, doubt.grade) == ("TAX_RATE", grade)


@pytest.mark.rule("P20")
def test_an_import_that_words_of_any_step_give_is_told(tmp_path: Path) -> None:
    code = block("import json\n\n\ndef more(cart):\n    return json.dumps(TAX_RATE)")
    assert raised(tmp_path, f"{code}Text.\n\n## Later\n\n(импорт `TAX_RATE` в оба файла.)\n") == []


@pytest.mark.rule("X20")
@pytest.mark.parametrize(("file", "grade"), [("shop/prices.py", Grade.ASKED), ("shop/report.py", Grade.STANDS)])
def test_work_that_is_not_committed_leaves_its_files_open(tmp_path: Path, file: str, grade: Grade) -> None:
    text = block("import json\n\n\ndef more(cart):\n    return json.dumps(TAX_RATE)")
    (doubt,) = raised(tmp_path, f"{text}The working tree already contains a finished change of `{file}`.\n")
    assert (doubt.places, doubt.grade) == (("shop/prices.py:1",), grade)

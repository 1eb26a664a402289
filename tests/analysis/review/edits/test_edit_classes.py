"""Every class of edits on a change that is a defect, and on one like it that is harmless."""

import pytest

from analysis.review.edits import exchange_cases, guard_cases, slip_cases, value_cases
from counterproof.analysis.review.edits.alignment import file_edit
from counterproof.analysis.review.edits.change import Change, Remark
from counterproof.analysis.review.edits.remarks import remarks

DEFECTS = [*guard_cases.DEFECTS, *value_cases.DEFECTS, *slip_cases.DEFECTS, *exchange_cases.DEFECTS]
HARMLESS = [*guard_cases.HARMLESS, *value_cases.HARMLESS, *slip_cases.HARMLESS, *exchange_cases.HARMLESS]


def _said(path: str, before: str, after: str) -> list[Remark]:
    made = file_edit(path, before, after)
    assert made is not None
    return list(remarks(Change((made,), lambda word: word not in ("LEGACY",))))


@pytest.mark.parametrize(("kind", "path", "line", "before", "after"), DEFECTS, ids=[f"{each[0]}-{each[1]}" for each in DEFECTS])
def test_a_defect_is_told_at_its_line(kind: str, path: str, line: int, before: str, after: str) -> None:
    said = _said(path, before, after)
    assert kind in [each.kind for each in said], said
    at = next(each.line for each in said if each.kind == kind)
    assert abs(at - line) <= 1, said
    assert all(len(each.why) >= 100 for each in said)


@pytest.mark.parametrize(("why", "path", "before", "after"), HARMLESS, ids=[each[0] for each in HARMLESS])
def test_a_harmless_edit_is_left_alone(why: str, path: str, before: str, after: str) -> None:
    assert _said(path, before, after) == [], why


@pytest.mark.parametrize("word", ["x=None", "x: str | None"])
def test_a_value_that_may_be_missing_by_declaration_is_proved(word: str) -> None:
    before = f"def f({word}):\n    if x is None:\n        return 0\n    return x.y\n"
    after = f"def f({word}):\n    return x.y\n"
    assert [each.proved for each in _said("a.py", before, after)] == [True]
    plain = [each.proved for each in _said("a.py", before.replace(word, "x"), after.replace(word, "x"))]
    assert plain == [False]


IMPORTERS = [
    ("pkg/a.py", "def gone(x):\n    return x\n\n\nK = 1\n", "K = 1\n", "pkg/b.py", "from .a import gone\n", True),
    (
        "pkg/a.py",
        "def gone(x):\n    return x\n\n\nK = 1\n",
        "K = 1\n",
        "b.py",
        "from pkg.a import (\n    K,\n    gone,\n)\n",
        True,
    ),
    ("pkg/a.py", "def gone(x):\n    return x\n\n\nK = 1\n", "K = 1\n", "other/b.py", "from .a import gone\n", False),
    ("pkg/a.py", "def gone(x):\n    return x\n", "from c import gone\n", "pkg/b.py", "from .a import gone\n", False),
    (
        "pkg/__init__.py",
        "from .a import gone\n",
        "import lazy\n__getattr__, __all__ = lazy.attach(__name__)\n",
        "b.py",
        "from pkg import gone\n",
        False,
    ),
    (
        "src/a.ts",
        "export function gone(x) { return x }\n",
        "export const k = 1\n",
        "src/l/b.ts",
        "import { gone } from '../a'\n",
        True,
    ),
    (
        "src/a.ts",
        "export function gone(x) { return x }\n",
        "export const k = 1\n",
        "src/l/b.ts",
        "import { gone } from './a'\n",
        False,
    ),
]


@pytest.mark.parametrize(("path", "before", "after", "other", "text", "told"), IMPORTERS)
def test_what_is_gone_and_still_imported(path: str, before: str, after: str, other: str, text: str, told: bool) -> None:
    made = file_edit(path, before, after)
    assert made is not None
    said = list(remarks(Change((made,), lambda _: True, lambda _: [(other, text)])))
    assert [other in each.why for each in said if each.kind == "import of what is gone"] == ([True] if told else [])


BRANCHES = (
    "def f(q):\n    if q:\n        from a import b, c\n    else:\n        from a import b\n        from a import d\n    b.run()\n"
)
CONTRADICTIONS = [
    (
        "name says the opposite",
        "a.ts",
        2,
        "function f(a) {\n  const isEmpty = a.ok && a.items.length > 0;\n  return isEmpty;\n}\n",
    ),
    ("default lacks the method", "a.py", 2, "def f(d):\n    return d.get('k', '').decode('ascii')\n"),
    (
        "copied and not changed along",
        "a.py",
        3,
        "def f(b, c):\n    sx = c / b.upper_x(b.n_x)\n    sy = c / b.upper_y(b.n_x)\n    return sx, sy\n",
    ),
    ("set on one way only", "a.py", 7, BRANCHES + "    return d.name\n"),
]
FITTING = [
    ("a.ts", "function f(a) {\n  const isEmpty = a.ok && a.items.length === 0;\n  return isEmpty;\n}\n"),
    ("a.py", "def f(d):\n    return d.get('k', b'').decode('ascii')\n"),
    ("a.py", "def f(b, c):\n    sx = c / b.upper_x(b.n_x)\n    sy = c / b.upper_y(b.n_y)\n    return sx, sy\n"),
    ("a.py", BRANCHES + "    return b.name\n"),
    ("a.py", "def f(q):\n    if q:\n        d = 1\n    else:\n        raise ValueError(q)\n    return d\n"),
    ("a.py", "def f(q):\n    d = 0\n    if q:\n        d = 1\n    return d\n"),
    ("a.py", "def f(q):\n    if q:\n        d = 1\n    if q:\n        return d\n    return 0\n"),
]


@pytest.mark.parametrize(("kind", "path", "line", "text"), CONTRADICTIONS, ids=[each[0] for each in CONTRADICTIONS])
def test_what_contradicts_itself_is_told(kind: str, path: str, line: int, text: str) -> None:
    opening = text.split("\n")[0]
    before = f"{opening}\n    pass\n" if path.endswith(".py") else f"{opening}\n}}\n"
    found = [each for each in _said(path, before, text) if each.kind == kind]
    assert [abs(each.line - line) <= 1 for each in found] == [True]


@pytest.mark.parametrize(("path", "text"), FITTING)
def test_what_fits_is_left_alone(path: str, text: str) -> None:
    opening = text.split("\n")[0]
    before = f"{opening}\n    pass\n" if path.endswith(".py") else f"{opening}\n}}\n"
    kinds = {each[0] for each in CONTRADICTIONS}
    assert [each for each in _said(path, before, text) if each.kind in kinds] == []


def test_what_a_change_does_to_every_caller_is_meant() -> None:
    before = "".join(f"def f{number}(x):\n    return g(x, grammar=x.g{number})\n\n\n" for number in range(4))
    after = "".join(f"def f{number}(x):\n    return g(x)\n\n\n" for number in range(4))
    assert _said("a.py", before, after) == []
    twice = "".join(f"def f{number}(x):\n    return g(x, grammar=x.g{number})\n\n\n" for number in range(2))
    assert len(_said("a.py", twice, "".join(f"def f{number}(x):\n    return g(x)\n\n\n" for number in range(2)))) == 2


def _named(before: str, after: str, *, tree: dict[str, str], path: str = "src/a.ts") -> list[str]:
    made = file_edit(path, before, after)
    assert made is not None
    texts = {**tree, path: after}

    def holding(word: str) -> list[tuple[str, str]]:
        return [(each, text) for each, text in texts.items() if word in text]

    said = remarks(Change((made,), lambda word: bool(holding(word)), holding, holding, frozenset(texts)))
    return [each.kind for each in said]


MEMBERS = "function f(a) {\n  return a.%s(1);\n}\n"


@pytest.mark.parametrize(
    ("tree", "told"),
    [
        ({"src/b.ts": "export class B {\n  indicator(n) {\n    return n;\n  }\n}\n"}, True),
        ({"src/b.ts": "export class B {\n  indicator(n) {\n    return n;\n  }\n  newMark(n) {\n    return n;\n  }\n}\n"}, False),
        ({"src/b.ts": "export const b = 1;\n"}, False),
    ],
    ids=["the tree knows the old name alone", "the tree knows both", "both belong to a library"],
)
def test_a_member_that_nothing_knows(tree: dict[str, str], told: bool) -> None:
    said = _named(MEMBERS % "indicator", MEMBERS % "newMark", tree=tree)
    assert ("member that nothing knows" in said) is told


@pytest.mark.parametrize(
    ("source", "told"),
    [("./gone", True), ("./b", False), ("./b.js", False), ("./parts", False), ("./generated/api", False), ("library", False)],
)
def test_an_import_that_leads_to_no_file(source: str, told: bool) -> None:
    tree = {"src/b.ts": "export const b = 1;\n", "src/parts/index.ts": "export const c = 1;\n"}
    after = f"import {{ b }} from '{source}';\nexport const a = b;\n"
    assert ("import of no file" in _named("export const a = 1;\n", after, tree=tree)) is told

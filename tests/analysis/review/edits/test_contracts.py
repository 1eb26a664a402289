"""What a change promises to other files: every contract broken once, and the edits like it that keep it."""

import pytest

from counterproof.analysis.review.edits.alignment import file_edit
from counterproof.analysis.review.edits.change import Change, Remark
from counterproof.analysis.review.edits.contracts import CONTRACTS

Files = dict[str, str]

BROKEN: list[tuple[str, str, str, Files, str]] = [
    (
        "not implemented",
        "class Base(ABC):\n    @abstractmethod\n    def run(self): ...\n",
        "class Base(ABC):\n    @abstractmethod\n    def run(self): ...\n\n    @abstractmethod\n    def stop(self): ...\n",
        {"pkg/a.py": "", "pkg/b.py": "from .a import Base\n\n\nclass Job(Base):\n    def run(self):\n        return 1\n"},
        "pkg/b.py:4",
    ),
]

KEPT: list[tuple[str, str, str, Files]] = [
    (
        "the class has a base that may bring the method",
        "class Base(ABC):\n    @abstractmethod\n    def run(self): ...\n",
        "class Base(ABC):\n    @abstractmethod\n    def run(self): ...\n\n    @abstractmethod\n    def stop(self): ...\n",
        {"pkg/a.py": "", "pkg/b.py": "from .a import Base\n\n\nclass Job(Stops, Base):\n    def run(self):\n        return 1\n"},
    ),
    (
        "the class is abstract itself",
        "class Base(ABC):\n    @abstractmethod\n    def run(self): ...\n",
        "class Base(ABC):\n    @abstractmethod\n    def stop(self): ...\n",
        {"pkg/a.py": "", "pkg/b.py": "from .a import Base\n\n\nclass Job(Base):\n    @abstractmethod\n    def go(self): ...\n"},
    ),
]


def _said(before: str, after: str, files: Files) -> list[Remark]:
    path = next(iter(files))
    made = file_edit(path, before, after)
    assert made is not None
    tree = {**files, path: after}

    def texts(word: str) -> list[tuple[str, str]]:
        return [(name, text) for name, text in tree.items() if word in text]

    change = Change((made,), texts, frozenset(tree), frozenset({path}))
    return [each for speak in CONTRACTS for each in speak(made, change)]


@pytest.mark.parametrize(
    ("kind", "before", "after", "files", "place"), BROKEN, ids=[f"{each[0]}-{next(iter(each[3]))}" for each in BROKEN]
)
def test_a_broken_contract_is_told_with_every_place(kind: str, before: str, after: str, files: Files, place: str) -> None:
    said = _said(before, after, files)
    assert kind in [each.kind for each in said], said
    told = next(each for each in said if each.kind == kind)
    assert place in told.why
    assert len(told.why) >= 100


@pytest.mark.parametrize(("why", "before", "after", "files"), KEPT, ids=[each[0] for each in KEPT])
def test_a_kept_contract_is_left_alone(why: str, before: str, after: str, files: Files) -> None:
    assert _said(before, after, files) == [], why


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
    said = [each for speak in CONTRACTS for each in speak(made, Change((made,), lambda _: [(other, text)]))]
    assert [other in each.why for each in said if each.kind == "import of what is gone"] == ([True] if told else [])


@pytest.mark.parametrize(
    ("source", "reported"),
    [("./gone", True), ("./b", False), ("./b.js", False), ("./parts", False), ("./generated/api", False), ("library", False)],
)
def test_modules_import_of_a_missing_file_is_reported(source: str, reported: bool) -> None:
    files = {"src/a.ts": "", "src/b.ts": "export const b = 1;\n", "src/parts/index.ts": "export const c = 1;\n"}
    after = f"import {{ b }} from '{source}';\nexport const a = b;\n"
    said = _said("export const a = 1;\n", after, files)
    assert ("import of no file" in [each.kind for each in said]) is reported


@pytest.mark.parametrize(
    ("path", "before", "after", "reported"),
    [
        ("a.py", "import os\n\n\ndef f():\n    return os.sep\n", "def f():\n    return os.sep\n", True),
        ("a.py", "def f(a):\n    b = a\n    return b\n", "def f(a):\n    c = a\n    return b\n", True),
        ("a.py", "import os\n\n\ndef f():\n    return os.sep\n", "from b import *\n\n\ndef f():\n    return os.sep\n", False),
        ("a.js", "import a from 'a';\nconst b = a;\n", "const b = a;\n", True),
        ("a.js", "const b = 1;\n", "const b = window;\n", False),
    ],
)
def test_undefined_names_of_a_change_are_reported(path: str, before: str, after: str, reported: bool) -> None:
    assert ("name is not defined" in [each.kind for each in _said(before, after, {path: ""})]) is reported

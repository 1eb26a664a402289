"""What a change promises to other files: every contract broken once, and the edits like it that keep it."""

from pathlib import Path

import pytest

from analysis.review.changed_tree import claims

NOT_THERE = "class Base(ABC):\n    @abstractmethod\n    def run(self): ...\n"
ABSTRACT = "from abc import ABC, abstractmethod\n\n\n" + NOT_THERE
STOPS = ABSTRACT + "\n    @abstractmethod\n    def stop(self): ...\n"
JOB = "from .a import Base\n\n\nclass Job({}):\n    def run(self):\n        return 1\n"


@pytest.mark.parametrize(
    ("subclass", "reported"),
    [
        (JOB.format("Base"), True),
        (JOB.format("Stops, Base"), False),
        (JOB.format("Base") + "\n    stop = run\n", False),
        (JOB.format("Base") + "\n    @abstractmethod\n    def go(self): ...\n", False),
        (JOB.format("Base").replace("from .a", "from .other"), False),
    ],
)
def test_contracts_new_abstract_method_reports_subclasses_without_it(tmp_path: Path, subclass: str, reported: bool) -> None:
    tree = {"pkg/__init__.py": "", "pkg/a.py": ABSTRACT, "pkg/b.py": subclass, "pkg/other.py": "class Base:\n    pass\n"}
    found = claims(tmp_path / "a", tree, {"pkg/a.py": STOPS})
    assert [("pkg/b.py:4" in each.why, str(each.at)) for each in found if each.kind == "not implemented"] == (
        [(True, "pkg/a.py:9")] if reported else []
    )


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


@pytest.mark.parametrize(("path", "before", "after", "other", "text", "reported"), IMPORTERS)
def test_contracts_removed_name_reports_files_that_import_it(
    tmp_path: Path, path: str, before: str, after: str, other: str, text: str, reported: bool
) -> None:
    found = claims(tmp_path / "a", {path: before, other: text}, {path: after})
    assert [other in each.why for each in found if each.kind == "import of what is gone"] == [True] * reported


@pytest.mark.parametrize(
    ("source", "reported"),
    [("./gone", True), ("./b", False), ("./b.js", False), ("./parts", False), ("./generated/api", False), ("library", False)],
)
def test_names_import_of_a_missing_file_is_reported(tmp_path: Path, source: str, reported: bool) -> None:
    rest = {"src/b.ts": "export const b = 1;\n", "src/parts/index.ts": "export const c = 1;\n"}
    after = {"src/a.ts": f"import {{ b }} from '{source}';\nexport const a = b;\n"}
    found = claims(tmp_path / "a", {"src/a.ts": "export const a = 1;\n", **rest}, after)
    assert ("import of no file" in [each.kind for each in found]) is reported


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
def test_names_undefined_after_a_change_are_reported(tmp_path: Path, path: str, before: str, after: str, reported: bool) -> None:
    assert ("name is not defined" in [each.kind for each in claims(tmp_path / "a", {path: before}, {path: after})]) is reported

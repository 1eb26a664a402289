"""What a change promises to other files: every contract broken once, and the edits like it that keep it."""

import pytest

from counterproof.analysis.review.edits.alignment import file_edit
from counterproof.analysis.review.edits.change import Change, Remark
from counterproof.analysis.review.edits.contracts import CONTRACTS

Files = dict[str, str]

MODEL = "class M(models.Model):\n    name = models.CharField(max_length=9)\n"
ENUM = "export enum Kind { One = 1, Two, Three }\n"
CASES = "    case Kind.One: return 1\n    case Kind.Two: return 2\n    case Kind.Three: return 3\n"
SWITCH = f"import {{ Kind }} from './kind'\nexport function f(k) {{\n  switch (k) {{\n{CASES}  }}\n}}\n"
RECORD = "@dataclass\nclass R:\n    one: int\n    two: int = 1\n"

BROKEN: list[tuple[str, str, str, Files, str]] = [
    (
        "caller left behind",
        "def f(a, b, c=1):\n    return a\n",
        "def f(a, x=0, b=1, c=1):\n    return a\n",
        {"pkg/a.py": "", "pkg/b.py": "from pkg.a import f\n\nf(1, 2)\n"},
        "pkg/b.py:3",
    ),
    (
        "caller left behind",
        "export function f(a: string) { return a }\n",
        "export function f(a: string, b: number) { return a }\n",
        {"src/a.ts": "", "src/b.ts": "import { f as g } from './a'\ng('x')\nconst k = () => g('y')\n"},
        "src/b.ts:2, src/b.ts:3",
    ),
    (
        "caller left behind",
        "class A {\n  run(a, b) { return a }\n  go() { return this.run(1, 2) }\n}\n",
        "class A {\n  run(b, a) { return a }\n  go() { return this.run(1, 2) }\n}\n",
        {"src/a.js": ""},
        "src/a.js:3",
    ),
    (
        "not implemented",
        "export interface Store { get(k: string): string }\n",
        "export interface Store { get(k: string): string; drop(k: string): void }\n",
        {
            "src/a.ts": "",
            "src/b.ts": "import { Store } from './a'\nexport class Memory implements Store {\n  get(k) { return k }\n}\n",
        },
        "src/b.ts:2",
    ),
    (
        "not implemented",
        "class Base(ABC):\n    @abstractmethod\n    def run(self): ...\n",
        "class Base(ABC):\n    @abstractmethod\n    def run(self): ...\n\n    @abstractmethod\n    def stop(self): ...\n",
        {"pkg/a.py": "", "pkg/b.py": "from .a import Base\n\n\nclass Job(Base):\n    def run(self):\n        return 1\n"},
        "pkg/b.py:4",
    ),
    (
        "member is gone",
        ENUM,
        "export enum Kind { One = 1, Two, Third }\n",
        {"src/kind.ts": "", "src/b.ts": SWITCH},
        "src/b.ts:6",
    ),
    (
        "member is gone",
        "class Kind(Enum):\n    ONE = 1\n    TWO = 2\n",
        "class Kind(Enum):\n    ONE = 1\n",
        {"pkg/a.py": "", "pkg/b.py": "from pkg.a import Kind\n\nx = Kind.TWO\n"},
        "pkg/b.py:3",
    ),
    (
        "new member is not handled",
        ENUM,
        "export enum Kind { One = 1, Two, Three, Four }\n",
        {"src/kind.ts": "", "src/b.ts": SWITCH},
        "src/b.ts:4",
    ),
    (
        "record is made the old way",
        RECORD,
        "@dataclass\nclass R:\n    one: int\n    three: int\n    two: int = 1\n",
        {"pkg/a.py": "", "pkg/b.py": "from pkg.a import R\n\nx = R(one=1)\n"},
        "pkg/b.py:3",
    ),
    (
        "route is gone",
        "urls = [path('a/', view, name='item-list')]\n",
        "urls = [path('a/', view, name='items')]\n",
        {"shop/urls.py": "", "shop/t.html": "<a href=\"{% url 'item-list' %}\">x</a>\n"},
        "shop/t.html:1",
    ),
    (
        "message is gone",
        "export function f(bus) {\n  bus.emit('order-made', 1)\n}\n",
        "export function f(bus) {\n  bus.emit('order-created', 1)\n}\n",
        {"src/a.ts": "", "src/b.ts": "bus.on('order-made', g)\n"},
        "src/b.ts:1",
    ),
    (
        "setting is gone",
        "DEBUG = 1\nPAGE_SIZE = 10\n",
        "DEBUG = 1\n",
        {"site/settings.py": "", "shop/v.py": "from django.conf import settings\n\nn = settings.PAGE_SIZE\n"},
        "shop/v.py:3",
    ),
    (
        "no migration for the column",
        MODEL,
        MODEL + "    size = models.IntegerField(default=0)\n",
        {"shop/models.py": "", "shop/migrations/__init__.py": "x"},
        "shop/migrations/",
    ),
    (
        "documentation is out of date",
        'def f(a, b):\n    """Does it.\n\n    :param a: one\n    :param b: two\n    """\n    return a\n',
        'def f(a):\n    """Does it.\n\n    :param a: one\n    :param b: two\n    """\n    return a\n',
        {"pkg/a.py": ""},
        "line 5",
    ),
]

KEPT: list[tuple[str, str, str, Files]] = [
    (
        "the call was changed along",
        "class A {\n  run(a, b, c) { return a }\n  go() { return this.run(1, 2, 3) }\n}\n",
        "class A {\n  run(a, c) { return a }\n  go() { return this.run(1, 3) }\n}\n",
        {"src/a.ts": ""},
    ),
    (
        "the new parameter is last and has a default",
        "def f(a, b):\n    return a\n",
        "def f(a, b, c=1):\n    return a\n",
        {"pkg/a.py": "", "pkg/b.py": "from pkg.a import f\n\nf(1, 2)\n"},
    ),
    (
        "the caller names its arguments",
        "def f(a, b):\n    return a\n",
        "def f(b, a):\n    return a\n",
        {"pkg/a.py": "", "pkg/b.py": "from pkg.a import f\n\nf(a=1, b=2)\n"},
    ),
    (
        "the caller means another function of that name",
        "export function f(a: string) { return a }\n",
        "export function f(a: string, b: number) { return a }\n",
        {"src/a.ts": "", "src/b.ts": "import { f } from './other'\nf('x')\n"},
    ),
    (
        "javascript fills up with undefined",
        "export function f(a) { return a }\n",
        "export function f(a, b) { return a }\n",
        {"src/a.js": "", "src/b.js": "import { f } from './a'\nf('x')\n"},
    ),
    (
        "the new member is optional",
        "export interface Store { get(k: string): string }\n",
        "export interface Store { get(k: string): string; drop?: number }\n",
        {"src/a.ts": "", "src/b.ts": "import { Store } from './a'\nclass Memory implements Store {\n  get(k) { return k }\n}\n"},
    ),
    (
        "the class has a base that may bring the member",
        "export interface Store { get(k: string): string }\n",
        "export interface Store { get(k: string): string; drop(k: string): void }\n",
        {
            "src/a.ts": "",
            "src/b.ts": "import { Store } from './a'\nclass M extends B implements Store {\n  get(k) { return k }\n}\n",
        },
    ),
    (
        "a branch takes the rest",
        ENUM,
        "export enum Kind { One = 1, Two, Three, Four }\n",
        {"src/kind.ts": "", "src/b.ts": SWITCH.replace("return 3\n", "return 3\n    default: return 0\n")},
    ),
    (
        "the field has a default",
        RECORD,
        RECORD + "    three: int = 3\n",
        {"pkg/a.py": "", "pkg/b.py": "from pkg.a import R\n\nx = R(one=1)\n"},
    ),
    (
        "another route still has the name",
        "urls = [path('a/', view, name='item-list')]\n",
        "urls = [path('a/', view, name='items')]\n",
        {"shop/urls.py": "", "shop/more.py": "x = path('b/', v, name='item-list')\n", "shop/t.html": "{% url 'item-list' %}\n"},
    ),
    (
        "another module sets it",
        "DEBUG = 1\nPAGE_SIZE = 10\n",
        "DEBUG = 1\n",
        {
            "site/settings.py": "",
            "site/base.py": "PAGE_SIZE = 5\n",
            "shop/v.py": "from django.conf import settings\n\nn = settings.PAGE_SIZE\n",
        },
    ),
    (
        "the database never sees it",
        MODEL,
        MODEL.replace("max_length=9", "max_length=9, help_text='x'"),
        {"shop/models.py": "", "shop/migrations/__init__.py": "x"},
    ),
    (
        "the documentation follows",
        'def f(a, b):\n    """Does it.\n\n    :param b: two\n    """\n    return a\n',
        'def f(a):\n    """Does it."""\n    return a\n',
        {"pkg/a.py": ""},
    ),
]


def _said(before: str, after: str, files: Files, touched: frozenset[str] = frozenset()) -> list[Remark]:
    path = next(iter(files))
    made = file_edit(path, before, after)
    assert made is not None
    tree = {**files, path: after}

    def texts(word: str) -> list[tuple[str, str]]:
        return [(name, text) for name, text in tree.items() if word in text]

    change = Change((made,), lambda _: True, texts, texts, frozenset(tree), touched | {path})
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


def test_a_migration_that_comes_along_is_enough() -> None:
    files = {"shop/models.py": "", "shop/migrations/__init__.py": "x"}
    after = MODEL + "    size = models.IntegerField(default=0)\n"
    assert _said(MODEL, after, files, frozenset({"shop/migrations/0002_size.py"})) == []

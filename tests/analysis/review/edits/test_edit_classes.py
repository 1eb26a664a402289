"""Every class of edits on a change that is a defect, and on one like it that is harmless."""

import pytest

from counterproof.analysis.review.edits.alignment import file_edit
from counterproof.analysis.review.edits.change import Change, Remark
from counterproof.analysis.review.edits.remarks import remarks

DEFECTS = [
    (
        "guard removed",
        "a.py",
        3,
        "def f(x):\n    a = x.one\n    if a is None:\n        return 0\n    b = a.two\n    return b\n",
        "def f(x):\n    a = x.one\n    b = a.two\n    return b\n",
    ),
    (
        "guard removed",
        "a.py",
        2,
        "def f(lines):\n    if len(lines) > 1 and not lines[-1].strip():\n        return lines\n    return 1\n",
        "def f(lines):\n    if not lines[-1].strip():\n        return lines\n    return 1\n",
    ),
    (
        "guard removed",
        "a.ts",
        3,
        "function f(a) {\n  const b = g(a);\n  if (!b) {\n    return null;\n  }\n  const c = b.name;\n  return c;\n}\n",
        "function f(a) {\n  const b = g(a);\n  const c = b.name;\n  return c;\n}\n",
    ),
    (
        "case no longer handled",
        "a.py",
        2,
        "def f(x):\n    if x < 0:\n        raise ValueError(x)\n    y = x + 1\n    return y\n",
        "def f(x):\n    y = x + 1\n    return y\n",
    ),
    (
        "condition removed",
        "a.py",
        2,
        "def f(x, y):\n    if y.enabled:\n        x.run()\n    x.stop()\n    return x\n",
        "def f(x, y):\n    x.run()\n    x.stop()\n    return x\n",
    ),
    (
        "condition weakened",
        "a.py",
        2,
        "def f(s):\n    if s.modified and not s.is_empty():\n        s.save()\n    return s\n",
        "def f(s):\n    if s.modified:\n        s.save()\n    return s\n",
    ),
    (
        "condition inverted",
        "a.ts",
        2,
        "function f(a) {\n  if (a.length === 0) {\n    g(a);\n  }\n  return a;\n}\n",
        "function f(a) {\n  if (a.length !== 0) {\n    g(a);\n  }\n  return a;\n}\n",
    ),
    (
        "boundary moved",
        "a.py",
        2,
        "def f(a, n):\n    return a if n <= 3 else 0\n",
        "def f(a, n):\n    return a if n < 3 else 0\n",
    ),
    (
        "truth for presence",
        "a.py",
        2,
        "def f(n):\n    if n is not None:\n        g(n)\n    return n\n",
        "def f(n):\n    if n:\n        g(n)\n    return n\n",
    ),
    (
        "handler removed",
        "a.py",
        2,
        "def f(x):\n    try:\n        x.send()\n    except OSError:\n        x.close()\n    return x\n",
        "def f(x):\n    x.send()\n    return x\n",
    ),
    (
        "handler narrowed",
        "a.py",
        4,
        "def f(x):\n    try:\n        x.send()\n    except (OSError, ValueError):\n        x.close()\n",
        "def f(x):\n    try:\n        x.send()\n    except OSError:\n        x.close()\n",
    ),
    (
        "handler narrowed",
        "a.py",
        4,
        "def f(x):\n    try:\n        x.send()\n    except OSError:\n        x.close()\n",
        "def f(x):\n    try:\n        x.send()\n    except FileNotFoundError:\n        x.close()\n",
    ),
    (
        "error swallowed",
        "a.py",
        5,
        "def f(x):\n    try:\n        x.send()\n    except OSError:\n        x.close()\n        raise\n    return x\n",
        "def f(x):\n    try:\n        x.send()\n    except OSError:\n        x.close()\n    return x\n",
    ),
    (
        "await removed",
        "a.ts",
        2,
        "async function f(a) {\n  const b = await a.load(1);\n  return b;\n}\n",
        "async function f(a) {\n  const b = a.load(1);\n  return b;\n}\n",
    ),
    ("argument dropped", "a.py", 2, "def f(x):\n    return g(x, secret(x))\n", "def f(x):\n    return g(x)\n"),
    (
        "entry dropped",
        "a.ts",
        2,
        "const f = (a) => {\n  return g({ a, mode: a.m });\n}\n",
        "const f = (a) => {\n  return g({ a });\n}\n",
    ),
    ("default removed", "a.py", 2, "def f(d, k):\n    return d.pop(k, None)\n", "def f(d, k):\n    return d.pop(k)\n"),
    ("default removed", "a.py", 2, "def f(d, k):\n    return d.get(k)\n", "def f(d, k):\n    return d[k]\n"),
    (
        "default removed",
        "a.ts",
        2,
        "function f(a) {\n  const b = a.b ?? {};\n  g(b);\n}\n",
        "function f(a) {\n  const b = a.b;\n  g(b);\n}\n",
    ),
    (
        "optional chain removed",
        "a.ts",
        2,
        "function f(a) {\n  return a.one?.two;\n}\n",
        "function f(a) {\n  return a.one.two;\n}\n",
    ),
    ("conversion removed", "a.py", 2, "def f(x):\n    send(quote(x))\n", "def f(x):\n    send(x)\n"),
    (
        "protection removed",
        "a.py",
        2,
        "def f(x):\n    with x.lock:\n        x.n += 1\n    return x\n",
        "def f(x):\n    x.n += 1\n    return x\n",
    ),
    (
        "cleanup removed",
        "a.py",
        3,
        "def f(x):\n    y = x.run()\n    x.close()\n    return y\n",
        "def f(x):\n    y = x.run()\n    return y\n",
    ),
    (
        "decorator removed",
        "a.py",
        1,
        "@login_required\ndef f(x):\n    y = x.run()\n    return y\n",
        "def f(x):\n    y = x.run()\n    return y\n",
    ),
    ("return removed", "a.py", 2, "def f(x):\n    return x.run()\n", "def f(x):\n    x.run()\n"),
    (
        "value no longer used",
        "a.py",
        2,
        "def f(x):\n    y = g(x)\n    return h(x, y.z)\n",
        "def f(x):\n    y = g(x)\n    return h(x, 1)\n",
    ),
    ("name is not defined", "a.py", 2, "from b import g\ndef f(x):\n    return g(x)\n", "def f(x):\n    return g(x)\n"),
    (
        "runs in more cases",
        "a.py",
        6,
        "def f(x):\n    try:\n        y = int(x)\n        x.c = y\n    except ValueError:\n        x.error(1)\n",
        "def f(x):\n    try:\n        y = int(x)\n    except ValueError:\n        x.error(1)\n    x.c = y\n",
    ),
    (
        "field is never set",
        "a.py",
        5,
        "class A:\n    def __init__(self):\n        self.n = 1\n    def f(self):\n        return self.n\n",
        "class A:\n    def __init__(self):\n        self.m = 1\n    def f(self):\n        return self.n\n",
    ),
    (
        "entry dropped",
        "a.py",
        2,
        "def f(x):\n    return [y for y in x if isinstance(y, (A, B))]\n",
        "def f(x):\n    return [y for y in x if isinstance(y, A)]\n",
    ),
    (
        "argument dropped",
        "a.py",
        2,
        "def f(x):\n    with open_temporary(prefix=x, delete=False) as y:\n        return y\n",
        "def f(x):\n    with open_temporary(prefix=x) as y:\n        return y\n",
    ),
    (
        "argument dropped",
        "a.py",
        2,
        "def f(t, k):\n    if k is None:\n        k = {}\n    n = list(t.rows(**k))\n    g(n)\n    return t.all(**k)\n",
        "def f(t, k):\n    n = list(t.rows())\n    g(n)\n    if k is None:\n        k = {}\n    return t.all(**k)\n",
    ),
    (
        "value no longer preferred",
        "a.py",
        2,
        "def f(x, t):\n    n = x.column or x.name\n    return t.get((1, n), 'no')\n",
        "def f(x, t):\n    return t.get((1, x.name), 'no')\n",
    ),
    (
        "default removed",
        "a.ts",
        2,
        "function f(a) {\n  a.s = a.m[0] || {};\n  return a;\n}\n",
        "function f(a) {\n  a.s = a.m[0];\n  return a;\n}\n",
    ),
    (
        "conversion removed",
        "a.py",
        2,
        "def f(x):\n    return str(Path(x.name).resolve())\n",
        "def f(x):\n    return x.name\n",
    ),
    (
        "pattern matches less",
        "a.js",
        2,
        "function f(a) {\n  return a.replace(/^http:/i, 'x');\n}\n",
        "function f(a) {\n  return a.replace(/^http:/, 'x');\n}\n",
    ),
    (
        "key renamed on one side",
        "a.py",
        2,
        "def f(s):\n    if '$query' not in s:\n        s = S([('$query', s)])\n    return s\n",
        "def f(s):\n    if 'query' not in s:\n        s = S([('$query', s)])\n    return s\n",
    ),
    (
        "condition removed",
        "a.js",
        4,
        "function f(t, p) {\n  switch (t) {\n    case 1:\n      if (p.b) {\n        put(p.b);\n      }\n      break;\n  }\n}\n",
        "function f(t, p) {\n  switch (t) {\n    case 1:\n      put(p.b);\n      break;\n  }\n}\n",
    ),
    (
        "exit removed",
        "a.js",
        4,
        "function f(t) {\n  if (t.a) {\n    t.go();\n    return;\n  }\n  t.stop();\n  return t;\n}\n",
        "function f(t) {\n  if (t.a) {\n    t.go();\n  }\n  t.stop();\n  return t;\n}\n",
    ),
    (
        "exit removed",
        "a.py",
        5,
        "def f(xs):\n    for x in xs:\n        if x.a:\n            x.go()\n            continue\n        x.stop()\n",
        "def f(xs):\n    for x in xs:\n        if x.a:\n            x.go()\n        x.stop()\n",
    ),
    (
        "return removed",
        "a.py",
        3,
        "def f(x):\n    x.go()\n    return x.y\n",
        "def f(x):\n    x.go()\n",
    ),
    (
        "case no longer handled",
        "a.ts",
        5,
        "function f(t) {\n  switch (t) {\n    case 1:\n      return a();\n    case 2:\n      b();\n    default: c();\n  }\n}\n",
        "function f(t) {\n  switch (t) {\n    case 1:\n      return a();\n    default: c();\n  }\n}\n",
    ),
    (
        "part of the sum removed",
        "a.py",
        2,
        "def f(x, n):\n    return x[: n + 1]\n",
        "def f(x, n):\n    return x[:n]\n",
    ),
    (
        "pattern matches more",
        "a.py",
        2,
        "def f(x):\n    return re.match(r'a\\.b$', x)\n",
        "def f(x):\n    return re.match(r'a.b$', x)\n",
    ),
    (
        "truth for presence",
        "a.ts",
        2,
        "function f(a) {\n  const n = a.size ?? 10;\n  return n;\n}\n",
        "function f(a) {\n  const n = a.size || 10;\n  return n;\n}\n",
    ),
    (
        "method that others rely on removed",
        "a.py",
        2,
        "class A(B):\n    def go(self):\n        return 1\n\n    def __hash__(self):\n        return 2\n",
        "class A(B):\n    def go(self):\n        return 1\n",
    ),
    (
        "field of the class removed",
        "a.py",
        2,
        "class V(View):\n    queryset = Q\n    permission_classes = [IsAdmin]\n",
        "class V(View):\n    queryset = Q\n",
    ),
]

HARMLESS = [
    (
        "an attribute of the name is set on one way, and read after it",
        "a.py",
        "def f(self, u):\n    return {'p': self.path, 'u': u}\n",
        "def f(self, u):\n    if not self.path:\n        self.path = u\n    return {'p': self.path, 'u': u}\n",
    ),
    (
        "a way out was written in another form",
        "a.py",
        "def f(xs):\n    for x in xs:\n        if x.a:\n            x.go()\n            continue\n        x.stop()\n",
        "def f(xs):\n    for x in xs:\n        if x.a:\n            x.go()\n        else:\n            x.stop()\n",
    ),
    ("a plain return at the end", "a.py", "def f(x):\n    x.go()\n    return\n", "def f(x):\n    x.go()\n"),
    (
        "a decorator brings the method",
        "a.py",
        "from d import dataclass\n\n\nclass A(B):\n    x = 1\n\n    def __eq__(self, other):\n        return 2\n",
        "from d import dataclass\n\n\n@dataclass\nclass A(B):\n    x = 1\n",
    ),
    (
        "a class without a base loses a field that nobody reads",
        "a.py",
        "class V:\n    queryset = Q\n    extra = [1]\n",
        "class V:\n    queryset = Q\n",
    ),
    (
        "a step in a block whose condition was changed",
        "a.py",
        "def f(c, p):\n    if p.ok and not p.mode:\n        c.x = 1\n    else:\n        c.x = 2\n    return c\n",
        "def f(c, p):\n    if p.mode:\n        c.x = 2\n    return c\n",
    ),
    (
        "a value got a name of its own",
        "a.py",
        "def f(x, t):\n    return t.get((1, x.column or x.name), 'no')\n",
        "def f(x, t):\n    n = x.column or x.name\n    return t.get((1, n), 'no')\n",
    ),
    (
        "the check asks a parameter that is gone",
        "a.py",
        "def f(x, ok):\n    y = x.a()\n    if ok and not y:\n        x.stop()\n    return y\n",
        "def f(x):\n    y = x.a()\n    return y\n",
    ),
    (
        "the step used a parameter that is gone",
        "a.py",
        "def f(x, ok):\n    x.flags = 4 if ok else 0\n    x.run()\n    return x\n",
        "def f(x):\n    x.run()\n    return x\n",
    ),
    (
        "the check is made elsewhere, in another process",
        "a.py",
        "def f(x):\n    if find_spec_of('pip') is None:\n        raise E(x)\n    return x.run()\n\n\ndef g(x):\n    return x.a\n",
        "def f(x):\n    return x.run()\n\n\ndef g(x):\n    out = x.sh('print(find_spec_of(1))')\n    return x.a and out\n",
    ),
    (
        "another function is called, which takes less",
        "a.js",
        "function f(d, k) {\n  return !Object.hasOwn(d, k) || g(k);\n}\n",
        "function f(d, k) {\n  return !d.has(k) || g(k);\n}\n",
    ),
    (
        "a file gives less away",
        "a.js",
        "module.exports = {\n  one,\n  two,\n};\n",
        "module.exports = {\n  one,\n};\n",
    ),
    (
        "the key was changed at every place",
        "a.py",
        "def f(s):\n    if 'query' not in s:\n        s['query'] = 1\n    return s\n",
        "def f(s):\n    if 'filter' not in s:\n        s['filter'] = 1\n    return s\n",
    ),
    (
        "a pattern of another kind",
        "a.js",
        "function f(a) {\n  return a.replace(/^http:/i, 'x');\n}\n",
        "function f(a) {\n  return a.replace(/^[hH]ttp:/, 'x');\n}\n",
    ),
    (
        "a block was moved whole",
        "a.py",
        "def f(x):\n    for y in x.all:\n        y.go()\n    x.one()\n    x.two()\n    return x\n",
        "def f(x):\n    x.one()\n    x.two()\n    for y in x.all:\n        y.go()\n    return x\n",
    ),
    (
        "two statements of one block changed places",
        "a.py",
        "def f(x):\n    if x:\n        x.a()\n        x.b()\n    return x\n",
        "def f(x):\n    if x:\n        x.b()\n        x.a()\n    return x\n",
    ),
    (
        "the guard was moved to the caller",
        "a.py",
        "def f(x):\n    a = x.one\n    if x.one is None:\n        return 0\n    return a.two\n\n\ndef g(x):\n    return f(x)\n",
        "def f(x):\n    a = x.one\n    return a.two\n\n\ndef g(x):\n    if x.one is None:\n        return 0\n    return f(x)\n",
    ),
    (
        "another check looks at the same value",
        "a.py",
        "def f(a):\n    if a is None:\n        return 0\n    return a.two\n",
        "def f(a):\n    if not isinstance(a, str) or a is None:\n        return 0\n    return a.two\n",
    ),
    (
        "the value is no longer used",
        "a.py",
        "def f(a, b):\n    if a is not None:\n        g(a.x)\n    return b\n",
        "def f(a, b):\n    if a is not None:\n        g(a.x)\n    return b + 0\n",
    ),
    (
        "a pure renaming",
        "a.py",
        "def f(a):\n    if a:\n        return a.b\n    return 1\n",
        "def f(c):\n    if c:\n        return c.b\n    return 1\n",
    ),
    (
        "only comments and types",
        "a.ts",
        "function f(a: A) {\n  return a.b; // x\n}\n",
        "function f(a: B): C {\n  return (a as any).b;\n}\n",
    ),
    (
        "what was tested is retired",
        "a.py",
        "from b import LEGACY\n\n\ndef f(x):\n    if LEGACY:\n        x.old()\n    return x\n",
        "def f(x):\n    x.old()\n    return x\n",
    ),
    (
        "the condition and the branches were turned",
        "a.ts",
        "function f(a) {\n  if (a.ok) {\n    g(a);\n  } else {\n    h(a);\n  }\n}\n",
        "function f(a) {\n  if (!a.ok) {\n    h(a);\n  } else {\n    g(a);\n  }\n}\n",
    ),
    (
        "a function that was renamed",
        "a.py",
        "def f(x):\n    y = g(x)\n    return y + 1\n",
        "def h(x):\n    y = g(x)\n    return y + 1\n",
    ),
    ("a log line went", "a.py", "def f(x):\n    print(x)\n    return x.y\n", "def f(x):\n    return x.y\n"),
    (
        "the function called takes less now",
        "a.py",
        "def g(a, b):\n    return a\n\n\ndef f(x):\n    return g(x, x.y)\n",
        "def g(a):\n    return a\n\n\ndef f(x):\n    return g(x)\n",
    ),
    (
        "the name is defined another way",
        "a.py",
        "from b import g\n\n\ndef f(x):\n    return g(x)\n",
        "from c import g\n\n\ndef f(x):\n    return g(x)\n",
    ),
    (
        "await of what is plain now",
        "a.py",
        "async def g(x):\n    return x\n\n\nasync def f(x):\n    y = await g(x)\n    return y\n",
        "def g(x):\n    return x\n\n\nasync def f(x):\n    y = g(x)\n    return y\n",
    ),
]


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

"""Slips in what a change writes, and code like them that is right."""

DEFECTS = [
    ("name is not defined", "a.py", 2, "from b import g\ndef f(x):\n    return g(x)\n", "def f(x):\n    return g(x)\n"),
    (
        "result is thrown away",
        "a.py",
        2,
        "def f(s):\n    return s\n",
        "def f(s):\n    s.strip()\n    return s\n",
    ),
    (
        "compared with a fresh object",
        "a.js",
        2,
        "function f(a) {\n  return a;\n}\n",
        "function f(a) {\n  return a === [] ? 1 : a;\n}\n",
    ),
    (
        "one past the end",
        "a.js",
        2,
        "function f(xs) {\n}\n",
        "function f(xs) {\n  for (let i = 0; i <= xs.length; i++) {\n    g(xs[i]);\n  }\n}\n",
    ),
    (
        "one past the end",
        "a.py",
        2,
        "def f(xs, g):\n    pass\n",
        "def f(xs, g):\n    for i in range(len(xs) + 1):\n        g(xs[i])\n",
    ),
    (
        "time without a zone",
        "a.py",
        5,
        "from datetime import datetime\nfrom d import timezone\n\ndef f(x):\n    return x\n",
        "from datetime import datetime\nfrom d import timezone\n\ndef f(x):\n    return timezone.now() - datetime.now()\n",
    ),
    (
        "error is swallowed",
        "a.ts",
        4,
        "function f(x) {\n  x.go();\n}\n",
        "function f(x) {\n  try {\n    x.go();\n  } catch (e) {}\n}\n",
    ),
    (
        "query in a loop",
        "a.ts",
        3,
        "async function f(ids, db) {\n}\n",
        "async function f(ids, db) {\n  for (const id of ids) {\n    await db.user.findUnique({ where: { id: id } });\n  }\n}\n",
    ),
    (
        "lost update",
        "a.py",
        5,
        "from m import A\n\ndef f(pk):\n    return pk\n",
        "from m import A\n\ndef f(pk):\n    a = A.objects.get(pk=pk)\n    a.n += 1\n    a.save()\n    return pk\n",
    ),
    (
        "copied and not changed along",
        "a.py",
        3,
        "def f(a, b):\n    return a\n",
        "def f(a, b):\n    a.width = b.width\n    a.height = b.width\n    return a\n",
    ),
]

HARMLESS = [
    (
        "a result that is kept, and a method that acts",
        "a.py",
        "def f(s):\n    return s\n",
        "def f(s):\n    s = s.strip()\n    s.replace('a', 'b')\n    return s\n",
    ),
    (
        "contents are compared",
        "a.py",
        "def f(a):\n    return a\n",
        "def f(a):\n    return a == []\n",
    ),
    (
        "the last element is reached and no more",
        "a.js",
        "function f(xs) {\n}\n",
        "function f(xs) {\n  for (let i = 1; i <= xs.length; i++) {\n    g(xs[i - 1]);\n  }\n}\n",
    ),
    (
        "a comment says why the error may be lost",
        "a.ts",
        "function f(x) {\n  x.go();\n}\n",
        "function f(x) {\n  try {\n    x.go();\n  } catch (e) {\n    // it may be gone already\n  }\n}\n",
    ),
    (
        "the database does the sum",
        "a.py",
        "from m import A, F\n\ndef f(pk):\n    return pk\n",
        "from m import A, F\n\ndef f(pk):\n    a = A.objects.get(pk=pk)\n    a.n = F('n') + 1\n    a.save()\n    return pk\n",
    ),
    (
        "both sides of a square",
        "a.py",
        "def f(a, b):\n    return a\n",
        "def f(a, b):\n    a.width = b.size\n    a.height = b.size\n    return a\n",
    ),
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
]

"""Guards, conditions, handlers and protections that go, and edits like them that are harmless."""

DEFECTS = [
    (
        "case no longer handled",
        "a.py",
        3,
        (
            "def f(t):\n    n = parse(t)\n    if n.end == t.bound:\n        raise ValueError('too long')\n"
            "    return cut(t, n.start, n.end)\n"
        ),
        "def f(t):\n    n = parse(t)\n    return cut(t, n.start, n.end)\n",
    ),
    (
        "guard removed",
        "a.js",
        2,
        "function f(p) {\n  if (p.binary && p.binary.versions) {\n    g(p.binary.versions);\n  }\n  return p;\n}\n",
        "function f(p) {\n  if (p.binary.versions) {\n    g(p.binary.versions);\n  }\n  return p;\n}\n",
    ),
    (
        "case no longer handled",
        "a.js",
        2,
        "function f(j) {\n  if (j.s === 'queued') {\n    j.t = 0;\n  } else if (!j.e) {\n    j.t = g(j);\n  }\n  return j;\n}\n",
        "function f(j) {\n  if (!j.e) {\n    j.t = g(j);\n  }\n  return j;\n}\n",
    ),
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
    (
        "optional chain removed",
        "a.ts",
        2,
        "function f(a) {\n  return a.one?.two;\n}\n",
        "function f(a) {\n  return a.one.two;\n}\n",
    ),
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
    (
        "value no longer used",
        "a.py",
        2,
        "def f(x):\n    y = g(x)\n    return h(x, y.z)\n",
        "def f(x):\n    y = g(x)\n    return h(x, 1)\n",
    ),
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
        "condition removed",
        "a.js",
        4,
        "function f(t, p) {\n  switch (t) {\n    case 1:\n      if (p.b) {\n        put(p.b);\n      }\n      break;\n  }\n}\n",
        "function f(t, p) {\n  switch (t) {\n    case 1:\n      put(p.b);\n      break;\n  }\n}\n",
    ),
    (
        "case no longer handled",
        "a.ts",
        5,
        "function f(t) {\n  switch (t) {\n    case 1:\n      return a();\n    case 2:\n      b();\n    default: c();\n  }\n}\n",
        "function f(t) {\n  switch (t) {\n    case 1:\n      return a();\n    default: c();\n  }\n}\n",
    ),
    (
        "truth for presence",
        "a.ts",
        2,
        "function f(a) {\n  const n = a.size ?? 10;\n  return n;\n}\n",
        "function f(a) {\n  const n = a.size || 10;\n  return n;\n}\n",
    ),
]

HARMLESS = [
    (
        "it stood there twice",
        "a.py",
        "def f(x):\n    d = {}\n    d['n'] = x.n\n    d['n'] = x.n\n    d['u'] = x.u\n    return d\n",
        "def f(x):\n    d = {}\n    d['n'] = x.n\n    d['u'] = x.u\n    return d\n",
    ),
    (
        "what could fail went with its handler",
        "a.ts",
        (
            "function f(p) {\n  useEffect(() => {\n    if (p === '') {\n      setAll([])\n      return\n    }\n"
            "    void (async () => {\n      try {\n        const v = await Store.load(p)\n        setAll(v)\n"
            "      } catch (e) {\n        console.error(e)\n        show({ type: 'error' })\n      }\n    })()\n  }, [p])\n}\n"
        ),
        (
            "function f(p) {\n  useEffect(() => {\n    if (p === '') {\n      setAll([])\n      return\n    }\n"
            "    setAll(every?.find((e) => e.name === p)?.v ?? [])\n  }, [p])\n}\n"
        ),
    ),
    (
        "the guarded value is used no longer",
        "a.py",
        (
            "def f(t):\n    n = parse(t)\n    if n.end is None:\n        raise ValueError('no end')\n"
            "    a = n.start\n    return cut(t, a, n.end - 1)\n"
        ),
        "def f(t):\n    n = parse(t)\n    a = n.start\n    return cut(t, a, None)\n",
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
        "a function within uses the value now",
        "a.py",
        "def f(x):\n    seen = set()\n    n = g(x)\n    seen.add(n)\n    return n\n",
        "def f(x):\n    seen = set()\n    def note(n):\n        seen.add(n)\n    n = g(x, note)\n    return n\n",
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

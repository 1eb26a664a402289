"""Reasons, exchanges, shared values and helpers that go, and edits like them that are harmless."""

_SHARED = "const h = { a: 1 };\n"
_CALLS = "function f(o) {\n{own}  const r = { headers: h };\n  if (o.k) {\n    r.headers[o.k] = o.v;\n  }\n  return send(r);\n}\n"
_READS = "function f(o) {\n{own}  return send(h, o);\n}\n"


def _own(text: str, own: str) -> str:
    return text.replace("{own}", own)


DEFECTS = [
    (
        "refusal became silent",
        "a.js",
        3,
        (
            "function f(o) {\n  if (o.there) {\n    const e = new Error('there');\n"
            "    e.code = 'EEXIST';\n    throw e;\n  }\n  g(o);\n}\n"
        ),
        "function f(o) {\n  if (o.there) {\n    return;\n  }\n  g(o);\n}\n",
    ),
    (
        "stated reason removed",
        "a.js",
        2,
        "function f(cb) {\n  // don't pass the callback here, the close handler calls it\n  this.c.end();\n  g(this);\n}\n",
        "function f(cb) {\n  this.c.end(cb);\n  g(this);\n}\n",
    ),
    (
        "stated reason removed",
        "a.py",
        2,
        (
            "def f(n, b):\n    # more arguments than this overflow the stack on Windows\n"
            "    if n < 65534:\n        return b(n)\n    return 0\n"
        ),
        "def f(n, b):\n    if n < 65537:\n        return b(n)\n    return 0\n",
    ),
    (
        "weaker form taken",
        "a.ts",
        2,
        "function f(d, k) {\n  if (Object.hasOwn(d, k)) {\n    g(d[k]);\n  }\n}\n",
        "function f(d, k) {\n  if (d.hasOwnProperty(k)) {\n    g(d[k]);\n  }\n}\n",
    ),
    ("weaker form taken", "a.py", 2, "def f(t):\n    return yaml.safe_load(t)\n", "def f(t):\n    return yaml.load(t)\n"),
    (
        "weaker form taken",
        "a.js",
        2,
        "function f(a, b) {\n  return read(path.join(a, b));\n}\n",
        "function f(a, b) {\n  return read(a + '/' + b);\n}\n",
    ),
    (
        "weaker form taken",
        "a.js",
        2,
        "function f(a, b) {\n  return a.id === b.id;\n}\n",
        "function f(a, b) {\n  return a.id == b.id;\n}\n",
    ),
    ("opposite taken", "a.py", 2, "def f(x):\n    return all(y.ok for y in x)\n", "def f(x):\n    return any(y.ok for y in x)\n"),
    (
        "operator exchanged",
        "a.ts",
        2,
        "function f(a) {\n  if ((a.x && a.y === 1) || a.z) {\n    g(a);\n  }\n}\n",
        "function f(a) {\n  if ((a.x && a.y === 1) ?? a.z) {\n    g(a);\n  }\n}\n",
    ),
    ("one value for all calls", "a.js", 1, _own(_CALLS, f"  {_SHARED}"), _SHARED + _own(_CALLS, "")),
    (
        "step removed",
        "a.js",
        4,
        (
            "function f(p, cb) {\n  const done = (fd) => {\n    fs.close(fd);\n  };\n"
            "  fs.open(p, (e, fd) => {\n    fs.read(fd);\n"
            "    done(fd);\n    return cb(e);\n  });\n}\n"
        ),
        "function f(p, cb) {\n  fs.open(p, (e, fd) => {\n    fs.read(fd);\n    return cb(e);\n  });\n}\n",
    ),
    (
        "case no longer handled",
        "a.ts",
        4,
        (
            "function f(c) {\n  let q = c.q;\n  let d;\n  if (c.method == 'GET') {\n    q = c.dto;\n"
            "    d = null;\n  } else {\n    d = c.dto;\n"
            "    q = null;\n  }\n  return g(q, d);\n}\n"
        ),
        "function f(c) {\n  let q = c.q;\n  let d;\n  q = null;\n  d = c.dto;\n  return g(q, d);\n}\n",
    ),
    (
        "conversion removed",
        "a.js",
        4,
        "function f(p, next) {\n  if (!p.open) {\n    next(new Error('not open'));\n    return;\n  }\n  p.go(next);\n}\n",
        "function f(p, next) {\n  if (!p.open) {\n    const e = 'not open';\n    next(e);\n    return;\n  }\n  p.go(next);\n}\n",
    ),
    (
        "conversion removed",
        "a.js",
        2,
        "function f(d) {\n  return JSON.stringify(d, (_, v) => v + 1).replace(/n/g, '');\n}\n",
        "function f(d) {\n  return JSON.stringify(d, (_, w) => w + 1);\n}\n",
    ),
    (
        "part of the sum removed",
        "a.js",
        3,
        "function f(b, x) {\n  const i = x.n * 4;\n  return b.subarray(i, i + 4);\n}\n",
        "function f(b, x) {\n  return b.subarray(x.n * 4, 4);\n}\n",
    ),
    (
        "argument dropped",
        "a.tsx",
        2,
        "function F(p) {\n  return (\n    <A>\n      <B value={p.v} onClose={p.close} />\n    </A>\n  );\n}\n",
        "function F(p) {\n  return (\n    <A>\n      <B value={p.v} />\n    </A>\n  );\n}\n",
    ),
    (
        "default removed",
        "a.ts",
        1,
        "function f({ a = 10, b }) {\n  return g(a, b);\n}\n",
        "function f({ a, b }) {\n  return g(a, b);\n}\n",
    ),
    (
        "part of the text removed",
        "a.ts",
        2,
        "function f(r, id) {\n  r.set({ name: `share-${id}.zip` });\n}\n",
        "function f(r, id) {\n  r.set({ name: `share-${id}` });\n}\n",
    ),
    (
        "entry dropped",
        "a.py",
        2,
        "def f(x):\n    return g({'a': x, 'b': x.b, 'c': h(x)})\n",
        "def f(x):\n    return g({'a': x.a, 'c': h(x)})\n",
    ),
    (
        "arguments changed places",
        "a.ts",
        2,
        "function f(a, b) {\n  return copy(a.source, b.target);\n}\n",
        "function f(a, b) {\n  return copy(b.target, a.source);\n}\n",
    ),
    ("moved by one", "a.py", 2, "def f(x):\n    return x[2:]\n", "def f(x):\n    return x[1:]\n"),
    (
        "pattern lost a part",
        "a.js",
        2,
        "function f(a) {\n  return /^(http|https|ftp):/.test(a);\n}\n",
        "function f(a) {\n  return /^(http|https):/.test(a);\n}\n",
    ),
    (
        "pattern matches more",
        "a.js",
        2,
        "function f(a) {\n  return a.match(/^([a-z]+|[0-9]+)$/);\n}\n",
        "function f(a) {\n  return a.match(/[a-z]+|[0-9]+/);\n}\n",
    ),
    (
        "runs in fewer cases",
        "a.ts",
        3,
        "function f(a) {\n  activate(a.store);\n  if (a.debug) {\n    print(a);\n  }\n}\n",
        "function f(a) {\n  if (a.debug) {\n    activate(a.store);\n    print(a);\n  }\n}\n",
    ),
    (
        "set after it is used",
        "a.py",
        4,
        "def f(self, x):\n    self.limit = x.limit\n    self.fill(self.limit)\n    return x\n",
        "def f(self, x):\n    self.fill(self.limit)\n    self.limit = x.limit\n    return x\n",
    ),
    (
        "case no longer handled",
        "a.tsx",
        6,
        (
            "function F(p) {\n  return (\n    <A\n      className='a'\n      onClick={() => {\n        const on = !p.on;\n"
            "        p.set(on);\n        if (on && !p.open) {\n          p.start('x');\n        }\n      }}\n    />\n  );\n}\n"
        ),
        (
            "function F(p) {\n  return (\n    <A\n      className='b'\n      onClick={() => {\n"
            "        p.set(!p.on);\n      }}\n    />\n"
            "  );\n}\n"
        ),
    ),
    (
        "step removed",
        "a.ts",
        2,
        "export function sync(a) {\n  g.argv = parse(a);\n}\nexport function f(a) {\n  sync(a.rest);\n  load(a);\n  run(a);\n}\n",
        "export function f(a) {\n  load(a);\n  run(a);\n}\n",
    ),
]

HARMLESS = [
    (
        "a version",
        "version.py",
        "VERSION = (0, 5, 0)\n__version__ = '.'.join(VERSION)\n",
        "VERSION = (0, 6, 0)\n__version__ = '.'.join(VERSION)\n",
    ),
    (
        "the caller is told in another way",
        "a.py",
        "def f(o):\n    if o.there:\n        raise Exists(o)\n    return g(o)\n",
        "def f(o):\n    if o.there:\n        return o.refused()\n    return g(o)\n",
    ),
    (
        "the function takes its parameters in another order",
        "a.ts",
        "function copy(a, b) {\n  return a + b;\n}\nfunction f(a, b) {\n  return copy(a.source, b.target);\n}\n",
        "function copy(b, a) {\n  return a + b;\n}\nfunction f(a, b) {\n  return copy(b.target, a.source);\n}\n",
    ),
    (
        "a parameter became needed",
        "a.ts",
        "const o = {\n  make: (options?: O) => {\n    return g(options);\n  },\n};\n",
        "const o = {\n  make: (options: O) => {\n    return g(options);\n  },\n};\n",
    ),
    (
        "a switch is turned",
        "a.ts",
        "function f(a) {\n  a.open({ deep: true });\n}\n",
        "function f(a) {\n  a.open({ deep: false });\n}\n",
    ),
    (
        "two statements that do not touch each other change places",
        "a.py",
        "def f(self, x):\n    self.limit = x.limit\n    self.fill(x)\n    return x\n",
        "def f(self, x):\n    self.fill(x)\n    self.limit = x.limit\n    return x\n",
    ),
    (
        "a statement moved into a block that always runs",
        "a.py",
        "def f(a):\n    activate(a.store)\n    with a.lock:\n        run(a)\n",
        "def f(a):\n    with a.lock:\n        activate(a.store)\n        run(a)\n",
    ),
    (
        "the reason is worded otherwise",
        "a.js",
        "function f(cb) {\n  // don't pass the callback here, the close handler calls it\n  this.c.end();\n  g(this);\n}\n",
        "function f(cb) {\n  // do not pass the callback here: the close handler calls it\n  this.c.end(0);\n  g(this);\n}\n",
    ),
    (
        "the statement stayed",
        "a.js",
        "function f(cb) {\n  // don't pass the callback here, the close handler calls it\n  this.c.end();\n  g(this);\n}\n",
        "function f(cb) {\n  this.c.end();\n  g(this, 1);\n}\n",
    ),
    (
        "the comment only says what is done",
        "a.js",
        "function f(cb) {\n  // the socket is closed at this place\n  this.c.end();\n  g(this);\n}\n",
        "function f(cb) {\n  this.c.end(cb);\n  g(this);\n}\n",
    ),
    (
        "a comparison with null is meant so",
        "a.js",
        "function f(a) {\n  return a.id === null;\n}\n",
        "function f(a) {\n  return a.id == null;\n}\n",
    ),
    (
        "what is asked changes along",
        "a.py",
        "def f(x):\n    return all(y.ok for y in x)\n",
        "def f(x):\n    return any(y.bad for y in x)\n",
    ),
    ("nobody changes the shared value", "a.js", _own(_READS, f"  {_SHARED}"), _SHARED + _own(_READS, "")),
    (
        "a value got a name",
        "a.js",
        "function f(p, next) {\n  if (!p.open) {\n    next(new Error('not open'));\n    return;\n  }\n  p.go(next);\n}\n",
        (
            "function f(p, next) {\n  if (!p.open) {\n    const m = 'not open';\n"
            "    next(new Error(m));\n    return;\n  }\n  p.go(next);\n}\n"
        ),
    ),
    (
        "a name was written out",
        "a.ts",
        "function f(x) {\n  const made = build(x.a, x.b);\n  return made;\n}\n",
        "function f(x) {\n  return build(x.a, x.b);\n}\n",
    ),
    (
        "only the looks change",
        "a.tsx",
        "function F(p) {\n  return (\n    <A className='x'>\n      <B value={p.v} />\n    </A>\n  );\n}\n",
        "function F(p) {\n  return (\n    <A>\n        <B value={p.v} />\n    </A>\n  );\n}\n",
    ),
    (
        "a message is worded otherwise",
        "a.ts",
        "function f(id) {\n  throw new Error(`no share ${id}.`);\n}\n",
        "function f(id) {\n  throw new Error(`no share ${id}`);\n}\n",
    ),
]

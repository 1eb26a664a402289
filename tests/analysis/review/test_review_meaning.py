"""Checks that hold in every lowered language: each with what it must see and what it must leave alone."""

from collections.abc import Iterable
from pathlib import Path

from analysis.review.changed_tree import claims, told

PYTHON_FOUND = {
    "may be unset after a failed try": (
        "def f(q):\n    try:\n        rows = q()\n    except Exception as e:\n        log(e)\n    return rows\n"
    ),
    "emptied without an end": (
        "def f(a):\n    queue = list(a)\n    while True:\n        x = queue.pop()\n        if done(x):\n            return x\n"
    ),
    "changed while it is iterated": (
        "def f(d):\n    for k, v in d.items():\n        if v is None:\n            del d[k]\n    return d\n"
    ),
    "name says or, code says and": (
        "def f(u):\n    is_admin_or_owner = is_admin(u) and is_owner(u)\n    return is_admin_or_owner\n"
    ),
    "case is folded on one side": "def f(a, names):\n    blocked = [n.lower() for n in names]\n    return a in blocked\n",
    "filled with its own name": (
        'def f(t):\n    if not t.refresh_token:\n        t.refresh_token = "refresh_token"\n    return t\n'
    ),
    "time object in plain data": (
        "from dataclasses import asdict, dataclass\nfrom datetime import datetime\n\n\n@dataclass\n"
        "class Source:\n    queued: datetime\n\n    def to_dict(self):\n        return asdict(self)\n\n\n"
        "def send(task, source):\n    task.apply_async(kwargs=source.to_dict())\n"
    ),
    "misspelt name": "def invalid_data():\n    return invalid_input()\n\n\ndef inalid_thing():\n    return 1\n",
}
PYTHON_QUIET = {
    "the handler calls what may raise": (
        "def f(self, q):\n    try:\n        rows = q()\n    except Exception:\n        self.stop(1)\n    return rows\n"
    ),
    "set before the try": (
        "def f(q):\n    rows = []\n    try:\n        rows = q()\n    except Exception as e:\n        log(e)\n    return rows\n"
    ),
    "the handler leaves": (
        "def f(q):\n    try:\n        rows = q()\n    except Exception:\n        return None\n    return rows\n"
    ),
    "set in the handler": ("def f(q):\n    try:\n        rows = q()\n    except Exception:\n        rows = 0\n    return rows\n"),
    "asked whether empty": (
        "def f(a):\n    queue = list(a)\n    while True:\n        x = queue.pop()\n        if not queue:\n            return x\n"
    ),
    "over a copy": "def f(d):\n    for k in list(d):\n        del d[k]\n    return d\n",
    "left after the change": (
        "def f(d):\n    for k in d:\n        if k:\n            del d[k]\n            break\n    return d\n"
    ),
    "or is or": "def f(u):\n    is_admin_or_owner = is_admin(u) or is_owner(u)\n    return is_admin_or_owner\n",
    "both sides folded": "def f(a, names):\n    blocked = [n.lower() for n in names]\n    return a.lower() in blocked\n",
    "a real default": 'def f(t):\n    if not t.kind:\n        t.kind = "plain"\n    return t\n',
}
SCRIPT_FOUND = {
    "first element may be missing": "export function f(e) {\n  const [x] = e.list ?? [];\n  return x.name;\n}\n",
    "looks up what it already has": "export function f(l, v) {\n  return l.find((c) => c.id === v)?.id;\n}\n",
    "wrapper is handed on": (
        "export function f(s, v) {\n  const r = s.safeParse(v);\n  if (!r.success) {\n"
        "    throw new Error('x');\n  }\n  return r;\n}\n"
    ),
    "raw response on one path": (
        "export async function f(url, other) {\n  if (url) {\n    const r = await fetch(url);\n"
        "    return r;\n  }\n  const r = await other();\n  return r;\n}\n"
    ),
    "key made of an object": ("import { z } from 'zod';\nexport const s = z.object({ [z.string().toString()]: z.number() });\n"),
    "needless optional chaining": "export function f(x) {\n  return x ? x?.name : null;\n}\n",
    "name says unique": (
        "export function f(guests, seats) {\n  const uniqueGuests = guests.filter((g) => g.size < 3);\n"
        "  return uniqueGuests;\n}\n"
    ),
    "original is used after filtering": (
        "export function f(guests) {\n  const validGuests = guests.filter((g) => g.ok);\n"
        "  note(validGuests);\n  send(guests);\n}\n"
    ),
    "coroutine is not awaited": (
        "export async function drop(id) {\n  return id;\n}\nexport async function all(rows) {\n"
        "  rows.forEach((row) => {\n    drop(row.id);\n  });\n}\n"
    ),
}
SCRIPT_QUIET = {
    "asked first": "export function f(e) {\n  const [x] = e.list ?? [];\n  if (!x) return null;\n  return x.name;\n}\n",
    "another field": "export function f(l, v) {\n  return l.find((c) => c.id === v)?.name;\n}\n",
    "the data": (
        "export function f(s, v) {\n  const r = s.safeParse(v);\n  if (!r.success) {\n"
        "    throw new Error('x');\n  }\n  return r.data;\n}\n"
    ),
    "a set": (
        "export function f(guests) {\n"
        "  const uniqueGuests = guests.filter((g, i) => guests.indexOf(g) === i);\n"
        "  return uniqueGuests;\n}\n"
    ),
    "meant": ("export async function drop(id) {\n  return id;\n}\nexport async function all(row) {\n  void drop(row.id);\n}\n"),
    "awaited": (
        "export async function drop(id) {\n  return id;\n}\nexport async function all(row) {\n  await drop(row.id);\n}\n"
    ),
}


DOMAINS = ("logic", "edge-cases", "invariants", "races", "readability", "naming")


def seen(folder: Path, texts: Iterable[str], suffix: str) -> list[list[str]]:
    """The kinds that are claimed about each text, every text a file of its own."""
    files = {f"m{number:02}.{suffix}": text for number, text in enumerate(texts)}
    found = claims(folder, {}, files, DOMAINS)
    return [[each.kind for each in found if each.at.path == path] for path in files]


def test_each_is_seen_in_python(tmp_path: Path) -> None:
    assert seen(tmp_path / "a", PYTHON_FOUND.values(), "py") == [[kind] for kind in PYTHON_FOUND]


def test_what_is_in_order_is_left_alone_in_python(tmp_path: Path) -> None:
    assert seen(tmp_path / "a", PYTHON_QUIET.values(), "py") == [[] for _ in PYTHON_QUIET]


def test_each_is_seen_in_scripts(tmp_path: Path) -> None:
    assert seen(tmp_path / "a", SCRIPT_FOUND.values(), "ts") == [[kind] for kind in SCRIPT_FOUND]


def test_what_is_in_order_is_left_alone_in_scripts(tmp_path: Path) -> None:
    assert seen(tmp_path / "a", SCRIPT_QUIET.values(), "ts") == [[] for _ in SCRIPT_QUIET]


def test_a_promise_is_followed_through_an_import(tmp_path: Path) -> None:
    there = "export const drop = async (id) => {\n  return id;\n};\n"
    here = "import { drop } from './there';\nexport async function all(row) {\n  drop(row.id);\n}\n"
    found = claims(tmp_path / "a", {"there.ts": there}, {"here.ts": here}, ("races",))
    assert told(found) == [("coroutine is not awaited", "here.ts:3")]

"""Protections that a change removes, without history and without a model, and changes that keep them (R47)."""

from pathlib import Path

import pytest

from analysis.review.changed_tree import after_commits, claims
from counterproof.analysis.review.claims import Claim
from counterproof.analysis.review.kinds import claims_of
from counterproof.model.severity import Severity

DOMAINS = ("auth", "injection", "races", "logic", "invariants")
CHECKED = (
    "from flask import abort\n\n\ndef remove(user, store, key):\n    if not user.is_admin:\n        abort(403)\n"
    "    return store.delete(key)\n"
)
UNCHECKED = CHECKED.replace("    if not user.is_admin:\n        abort(403)\n", "")
OWNED = (
    "from flask_login import current_user\n\n\n"
    "def show(orders, key):\n    return orders.filter(id=key, user_id=current_user.id)\n"
)
QUERY = "def find(db, x):\n    return db.execute('SELECT a FROM b WHERE c = ?', (x,))\n"
ESCAPED = "import html\n\n\ndef page(name):\n    return '<b>' + html.escape(name) + '</b>'\n"
DIGEST = "import hmac\n\n\ndef same(a, b):\n    return hmac.compare_digest(a, b)\n"
VALID = (
    "import subprocess\n\n\ndef run(name):\n    if not name.isalnum():\n        raise ValueError(name)\n"
    "    return subprocess.check_output('ls ' + name, shell=True)\n"
)
INVALID = VALID.replace("    if not name.isalnum():\n        raise ValueError(name)\n", "")
AWAITED = "async def save(db, x):\n    await db.save(x)\n    return x\n"
SCRIPT = "export async function save(db, x) {\n  await db.save(x);\n  return x;\n}\n"
REFUSED = (
    "export function remove(req, res, store) {\n  if (!req.user.admin) {\n    return res.status(403).end();\n  }\n"
    "  store.remove(req.params.id);\n  res.end();\n}\n"
)

OPEN_SCRIPT = REFUSED.replace("  if (!req.user.admin) {\n    return res.status(403).end();\n  }\n", "")

POSITIVE = (
    "import subprocess\n\n\ndef run(name):\n    if name.isalnum():\n        subprocess.check_output('ls ' + name, shell=True)\n"
)
ASSERTED = "def find(db, name):\n    assert name.isidentifier()\n    return db.execute('SELECT ' + name + ' FROM a')\n"
TWO_PARTS = CHECKED.replace("if not user.is_admin", "if not user or not user.is_admin")
HELPED = (
    "from flask import abort\n\n\ndef need(user):\n    if not user.is_admin:\n        abort(403)\n\n\n"
    "def remove(user, store, key):\n    need(user)\n    return store.delete(key)\n"
)
MARKED = "from mistune import escape\n\n\ndef show(math):\n    return '<p>%s</p>' % escape(math)\n"
SESSION = (
    "function userOf(request, response) {\n  if (response.locals?.user) {\n    return response.locals.user;\n  }\n"
    "  return null;\n}\nmodule.exports = { userOf };\n"
)
OWN_CHAT = (
    'const { userOf } = require("./session");\nconst { Chats } = require("./chats");\n'
    "async function show(request, response) {\n  const user = await userOf(request, response);\n"
    "  const chat = await Chats.get({\n    id: Number(request.params.id),\n    user_id: user?.id,\n  });\n"
    "  return response.json(chat);\n}\nmodule.exports = { show };\n"
)
TWICE = (
    "def may(user, key):\n    return key in user.keys\n\n\n"
    "def orders(user, key):\n    if not may(user, key):\n        return None\n    return load(key)\n\n\n"
    "def invoices(user, key):\n    if not may(user, key):\n        return None\n    return load(key)\n"
)
CACHED = "def show(request, cache, key):\n    found = cache.get(f'{key}{request.user.id}')\n    return found\n"
REPLACED = "import html\n\n\ndef page(name):\n    name = html.escape(name)\n    return '<b>' + name + '</b>'\n"
OWN_ESCAPING = (
    "def clean(text):\n    return text.replace('&', '&amp;').replace('<', '&lt;')\n\n\n"
    "def page(name):\n    return '<b>' + clean(name or '') + '</b>'\n"
)
DECORATED = (
    "from django.contrib.auth.decorators import login_required\n\n\n@login_required\ndef orders(request):\n"
    "    return load(request)\n"
)

REMOVED = [
    ("CWE-20 removed-validation", "b.py", POSITIVE, POSITIVE.replace("    if name.isalnum():\n        sub", "    sub"), 5),
    ("CWE-20 removed-validation", "c.py", ASSERTED, ASSERTED.replace("    assert name.isidentifier()\n", ""), 2),
    ("CWE-862 removed-check", "b.py", TWO_PARTS, TWO_PARTS.replace(" or not user.is_admin", ""), 5),
    ("CWE-862 removed-check", "c.py", HELPED, HELPED.replace("    need(user)\n", ""), 10),
    ("CWE-862 removed-check", "d.py", TWICE, TWICE.replace("    if not may(user, key):\n        return None\n", "", 1), 6),
    ("CWE-862 removed-check", "e.py", DECORATED, DECORATED.replace("@login_required\n", ""), 4),
    ("CWE-639 removed-owner-filter", "b.py", CACHED, CACHED.replace("{request.user.id}", ""), 2),
    ("CWE-116 removed-escaping", "b.py", REPLACED, REPLACED.replace("    name = html.escape(name)\n", ""), 5),
    ("CWE-116 removed-escaping", "c.py", OWN_ESCAPING, OWN_ESCAPING.replace("clean(name or '')", "name"), 6),
    ("CWE-862 removed-check", "a.py", CHECKED, UNCHECKED, 5),
    ("CWE-862 removed-check", "a.js", REFUSED, OPEN_SCRIPT, 2),
    ("CWE-639 removed-owner-filter", "a.py", OWNED, OWNED.replace(", user_id=current_user.id", ""), 5),
    (
        "CWE-89 removed-parameters",
        "a.py",
        QUERY,
        QUERY.replace("'SELECT a FROM b WHERE c = ?', (x,)", "'SELECT a FROM b WHERE c = ' + x"),
        2,
    ),
    ("CWE-116 removed-escaping", "a.py", ESCAPED, ESCAPED.replace("html.escape(name)", "name"), 5),
    ("CWE-116 removed-escaping", "a.py", DIGEST, DIGEST.replace("hmac.compare_digest(a, b)", "a == b"), 5),
    ("CWE-20 removed-validation", "a.py", VALID, INVALID, 5),
    ("removed await", "a.py", AWAITED, AWAITED.replace("await ", ""), 2),
    ("removed await", "a.ts", SCRIPT, SCRIPT.replace("await ", ""), 2),
    ("CWE-116 removed-escaping", "marked.py", MARKED, MARKED.replace("escape(math)", "math"), 5),
]

HELPER = "\n\ndef check(user):\n    if not user.is_admin:\n        abort(403)\n"
KEPT = [
    ("another condition", "a.py", POSITIVE, POSITIVE.replace("name.isalnum()", "name in NAMES")),
    ("the part is said elsewhere", "a.py", TWO_PARTS, CHECKED + "\n\ndef f(user):\n    return not user\n"),
    ("another call checks", "a.py", HELPED, HELPED.replace("    need(user)\n", "    need(user, key)\n")),
    (
        "no sibling asks",
        "a.py",
        TWICE.partition("\n\n\ndef invoices")[0] + "\n",
        TWICE.partition("    if not")[0] + "    return load(key)\n",
    ),
    ("another decorator", "a.py", DECORATED, DECORATED.replace("@login_required", "@staff_member_required")),
    (
        "the caller has another name",
        "a.py",
        OWNED,
        OWNED.replace("    return", "    me = current_user\n    return").replace("user_id=current_user.id", "user_id=me.id"),
    ),
    ("the key names the caller", "a.py", CACHED, CACHED.replace("request.user.id", "request.user.pk")),
    ("the check moved", "a.py", CHECKED, UNCHECKED.replace("    return", "    check(user)\n    return") + HELPER),
    ("what was guarded went too", "a.py", CHECKED, "def remove(user, store, key):\n    raise NotImplementedError\n"),
    ("another refusal", "a.py", CHECKED, CHECKED.replace("not user.is_admin", "not user.may(key)")),
    (
        "another escaping",
        "a.py",
        ESCAPED,
        ESCAPED.replace("html.escape", "markupsafe.escape").replace("import html", "import markupsafe"),
    ),
    ("the value went too", "a.py", ESCAPED, ESCAPED.replace("html.escape(name)", "'all'")),
    ("the query is a constant", "a.py", QUERY, QUERY.replace("'SELECT a FROM b WHERE c = ?', (x,)", "'SELECT a FROM b'")),
    (
        "no sink follows",
        "a.py",
        VALID.replace("subprocess.check_output('ls ' + name, shell=True)", "name"),
        INVALID.replace("subprocess.check_output('ls ' + name, shell=True)", "name"),
    ),
    ("the function is sync now", "a.py", AWAITED, AWAITED.replace("await ", "").replace("async ", "")),
    (
        "the promise is kept",
        "a.py",
        AWAITED,
        AWAITED.replace("    await db.save(x)\n", "    saving = db.save(x)\n    await saving\n"),
    ),
    (
        "the callee is sync now",
        "a.py",
        "async def g(x):\n    return x\n\n\nasync def f(x):\n    await g(x)\n    return x\n",
        "def g(x):\n    return x\n\n\nasync def f(x):\n    g(x)\n    return x\n",
    ),
]


def removed(found: tuple[Claim, ...]) -> list[Claim]:
    return [each for each in found if "removed" in each.kind]


@pytest.mark.rule("R47")
@pytest.mark.parametrize(("kind", "path", "before", "after", "line"), REMOVED, ids=[f"{each[0]}-{each[1]}" for each in REMOVED])
def test_a_removed_protection_is_important(tmp_path: Path, kind: str, path: str, before: str, after: str, line: int) -> None:
    (claim,) = removed(claims(tmp_path / "a", {path: before}, {path: after}, DOMAINS))
    assert (claim.kind, claim.at.start) == (kind, line)
    assert claim.severity.rank >= Severity.MEDIUM.rank


@pytest.mark.parametrize(("why", "path", "before", "after"), KEPT, ids=[each[0] for each in KEPT])
def test_a_kept_protection_is_no_finding(tmp_path: Path, why: str, path: str, before: str, after: str) -> None:
    assert removed(claims(tmp_path / "a", {path: before}, {path: after}, DOMAINS)) == [], why


@pytest.mark.rule("R47")
def test_a_condition_on_whom_a_function_of_the_project_says_that_the_caller_is(tmp_path: Path) -> None:
    before = {"session.js": SESSION, "chats.js": "exports.Chats = {};\n", "show.js": OWN_CHAT}
    lines = ("    user_id: user?.id,\n", "  const user = await userOf(request, response);\n")
    after = OWN_CHAT.replace(lines[0], "").replace(lines[1], "")
    (claim,) = removed(claims(tmp_path / "a", before, {"show.js": after}, DOMAINS))
    assert (claim.kind, claim.severity) == ("CWE-639 removed-owner-filter", Severity.HIGH)
    other = before | {"session.js": SESSION.replace("response.locals", "response.other")}
    assert removed(claims(tmp_path / "b", other, {"show.js": after}, DOMAINS)) == []


@pytest.mark.rule("R47")
def test_places_that_keep_the_check_are_evidence(tmp_path: Path) -> None:
    other = CHECKED.replace("def remove", "def rename").replace("store.delete", "store.rename")
    (claim,) = removed(claims(tmp_path / "a", {"a.py": CHECKED, "b.py": other}, {"a.py": UNCHECKED}, DOMAINS))
    assert "It is kept at b.py:5." in claim.why


@pytest.mark.rule("R47")
@pytest.mark.parametrize(("message", "named"), [("Fix missing check of the role", True), ("Check the role", False)])
def test_the_commit_that_added_the_protection_is_named_where_it_was_a_fix(tmp_path: Path, message: str, named: bool) -> None:
    view = after_commits(tmp_path / "a", [("Begin", UNCHECKED), (message, CHECKED)], UNCHECKED)
    found = claims_of(view, DOMAINS, documents=False)
    assert [("added by commit" in each.title and message in each.title) for each in removed(found)] == [named]
    assert all(each.severity.rank >= Severity.MEDIUM.rank for each in found)


ROUTES = (
    "from fastapi import Depends, FastAPI, HTTPException, Request\n\napp = FastAPI()\n\n\ndef login(request: Request):\n"
    "    if request.headers.get('x-key') != 'k':\n        raise HTTPException(401)\n\n\n"
    "@app.get('/orders', dependencies=[Depends(login)])\ndef orders():\n    return []\n\n\n"
    "@app.get('/invoices', dependencies=[Depends(login)])\ndef invoices():\n    return []\n"
)
OPENED = ROUTES.replace("'/orders', dependencies=[Depends(login)]", "'/orders'")


@pytest.mark.rule("R47")
def test_a_route_that_loses_its_guard_is_important_and_siblings_that_keep_it_are_named(tmp_path: Path) -> None:
    (claim,) = removed(claims(tmp_path / "a", {"a.py": ROUTES}, {"a.py": OPENED}, DOMAINS))
    assert (claim.kind, claim.at.start, claim.severity) == ("CWE-306 removed-guard", 11, Severity.HIGH)
    assert claim.title == "GET /orders is open to anybody"
    assert "`login`" in claim.why
    assert claim.why.endswith("1 route keeps it: GET /invoices at a.py:17.")


@pytest.mark.rule("R47")
def test_a_second_route_to_a_guarded_handler_bypasses_its_guard(tmp_path: Path) -> None:
    after = ROUTES.replace("@app.get('/orders', ", "@app.get('/export')\n@app.get('/orders', ")
    assert [each.title for each in removed(claims(tmp_path / "a", {"a.py": ROUTES}, {"a.py": after}, DOMAINS))] == [
        "GET /export is open to anybody"
    ]


@pytest.mark.parametrize(
    "after",
    [
        ROUTES.replace("app = FastAPI()", "app = FastAPI()  # the shop"),
        ROUTES.partition("@app.get('/orders'")[0] + "@app.get('/invoices'" + ROUTES.partition("@app.get('/invoices'")[2],
        ROUTES.replace("'/orders', dependencies=[Depends(login)])\ndef orders()", "'/orders')\ndef orders(who=Depends(login))"),
    ],
    ids=["unrelated", "the route is gone", "the guard is a parameter now"],
)
def test_routes_that_keep_their_guard_are_no_finding(tmp_path: Path, after: str) -> None:
    assert removed(claims(tmp_path / "a", {"a.py": ROUTES}, {"a.py": after}, DOMAINS)) == []


FLASK = (
    "from flask import Flask\nfrom flask_login import login_required\n\napp = Flask(__name__)\n\n\n"
    "@app.route('/orders')\n@login_required\ndef orders():\n    return 'a'\n\n\n"
    "@app.route('/invoices')\n@login_required\ndef invoices():\n    return 'b'\n"
)
DJANGO = (
    "from django.contrib.auth.decorators import user_passes_test\nfrom django.http import HttpResponse\n\n\n"
    "@user_passes_test(lambda u: u.is_superuser)\ndef orders(request):\n    return HttpResponse('a')\n\n\n"
    "@user_passes_test(lambda u: u.is_superuser)\ndef invoices(request):\n    return HttpResponse('b')\n"
)
PATHS = (
    "from django.urls import path\nfrom shop import views\n\n"
    "urlpatterns = [path('orders', views.orders), path('invoices', views.invoices)]\n"
)
FASTAPI = (
    "from fastapi import Depends, FastAPI\nfrom fastapi.security import OAuth2PasswordBearer\n\napp = FastAPI()\n"
    "oauth = OAuth2PasswordBearer(tokenUrl='token')\n\n\ndef user(token: str = Depends(oauth)):\n    return find(token)\n\n\n"
    "@app.get('/orders')\ndef orders(me=Depends(user)):\n    return []\n\n\n"
    "@app.get('/invoices')\ndef invoices(me=Depends(user)):\n    return []\n"
)
EXPRESS = (
    "const express = require('express');\nconst app = express();\n\nfunction login(req, res, next) {\n"
    "  if (!req.session.user) return res.status(401).end();\n  next();\n}\n\n"
    "app.get('/orders', login, (req, res) => res.json([]));\napp.get('/invoices', login, (req, res) => res.json([]));\n"
    "app.listen(80);\n"
)
SETTINGS = "MIDDLEWARE = ['unknown_package.middleware.Something']\nROOT_URLCONF = 'shop.urls'\nINSTALLED_APPS = ['shop']\n"
FRAMEWORKS: dict[str, tuple[dict[str, str], str, str, str]] = {
    "flask": ({}, "app.py", FLASK, FLASK.replace("@login_required\ndef orders", "def orders")),
    "django": (
        {"shop/__init__.py": "", "shop/urls.py": PATHS},
        "shop/views.py",
        DJANGO,
        DJANGO.replace("@user_passes_test(lambda u: u.is_superuser)\ndef orders", "def orders"),
    ),
    "fastapi": ({}, "app.py", FASTAPI, FASTAPI.replace("def orders(me=Depends(user))", "def orders()")),
    "express": ({}, "app.js", EXPRESS, EXPRESS.replace("'/orders', login,", "'/orders',")),
}


@pytest.mark.rule("R47")
@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_a_login_that_one_route_loses_is_important_in_every_framework(tmp_path: Path, framework: str) -> None:
    tree, path, before, after = FRAMEWORKS[framework]
    (claim,) = removed(claims(tmp_path / "a", {**tree, path: before}, {path: after}, DOMAINS))
    assert (claim.kind, claim.severity) == ("CWE-306 removed-guard", Severity.HIGH)
    assert "1 route keeps it:" in claim.why


@pytest.mark.rule("R47")
def test_a_lost_guard_beside_middleware_that_cannot_be_read_is_important(tmp_path: Path) -> None:
    tree, path, before, after = FRAMEWORKS["django"]
    tree = {
        **tree,
        "shop/settings.py": SETTINGS,
        "manage.py": "import os\n\nos.environ['DJANGO_SETTINGS_MODULE'] = 'shop.settings'\n",
    }
    (claim,) = removed(claims(tmp_path / "a", {**tree, path: before}, {path: after}, DOMAINS))
    assert (claim.kind, claim.severity) == ("CWE-306 removed-guard", Severity.MEDIUM)
    assert "could not be read" in claim.why


@pytest.mark.rule("R47")
def test_a_route_that_keeps_one_of_two_guards_lost_a_right(tmp_path: Path) -> None:
    both = ROUTES.replace("[Depends(login)])\ndef orders", "[Depends(login), Depends(seller)])\ndef orders").replace(
        "@app.get('/orders'",
        "def seller(request: Request):\n    if request.state.user.role != 'seller':\n        raise HTTPException(403)\n\n\n"
        "@app.get('/orders'",
    )
    lost = removed(claims(tmp_path / "a", {"a.py": both}, {"a.py": both.replace(", Depends(seller)", "")}, DOMAINS))
    assert [(each.kind, each.severity) for each in lost] == [("CWE-862 removed-guard", Severity.HIGH)]

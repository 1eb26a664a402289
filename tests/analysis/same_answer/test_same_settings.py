"""Settings, origins, hashes, randomness and secrets in many forms: weak ones are found, sound ones are not.

Every way is a file of its own in one project. `NOT_READ` says which ways are known not to be read, and why; each must be
needed.
"""

from collections.abc import Iterator
from string import Template

import pytest

from counterproof.analysis import config, secrets
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, load_rules
from counterproof.analysis.source.survey import survey

FLASK = "import os\nfrom flask import Flask\napp = Flask(__name__)\n"
KEY = "k9dk2lf8sd7f6g5h4jk3l2"
SETTINGS = {
    "cookie-httponly": ("SESSION_COOKIE_HTTPONLY", "False", "True"),
    "cookie-secure": ("SESSION_COOKIE_SECURE", "False", "True"),
    "cookie-samesite": ("SESSION_COOKIE_SAMESITE", "'None'", "'Lax'"),
    "csrf": ("WTF_CSRF_ENABLED", "False", "True"),
    "debug-mode": ("DEBUG", "True", "False"),
    "hard-coded-key": ("SECRET_KEY", repr(KEY), "os.environ['SECRET_KEY']"),
}
SET = {
    "by key": "app.config['$key'] = $value",
    "update with keywords": "app.config.update($key=$value)",
    "update with a mapping": "app.config.update({'$key': $value})",
    "update with dict()": "app.config.update(dict($key=$value))",
    "from_mapping": "app.config.from_mapping($key=$value)",
    "from a class": "class Live:\n    $key = $value\n\napp.config.from_object(Live)",
    "from a mapping": "options = {'$key': $value}\napp.config.update(options)",
    "from a spread mapping": "options = {'$key': $value}\napp.config.update(**options)",
    "from a constant": "VALUE = $value\napp.config['$key'] = VALUE",
    "on another name": "config = app.config\nconfig['$key'] = $value",
    "unless it is set": "app.config.setdefault('$key', $value)",
    "two at once": "app.config['PORT'], app.config['$key'] = 1, $value",
    "in a factory": "def create_app():\n    app = Flask(__name__)\n    app.config.from_mapping({'$key': $value})\n    return app",
    "in a loop": "for name, value in [('$key', $value)]:\n    app.config[name] = value",
}
ORIGINS = {
    "FastAPI": "from fastapi import FastAPI\nfrom fastapi.middleware.cors import CORSMiddleware\napp = FastAPI()\n"
    "app.add_middleware(CORSMiddleware, allow_origins=[$value], allow_credentials=True)",
    "in a variable": "from fastapi import FastAPI\nfrom fastapi.middleware.cors import CORSMiddleware\norigins = [$value]\n"
    "app = FastAPI()\napp.add_middleware(CORSMiddleware, allow_origins=origins, allow_credentials=True)",
    "in a spread mapping": "from fastapi import FastAPI\nfrom fastapi.middleware.cors import CORSMiddleware\napp = FastAPI()\n"
    "options = dict(allow_origins=[$value], allow_credentials=True)\napp.add_middleware(CORSMiddleware, **options)",
    "Starlette": "from starlette.applications import Starlette\nfrom starlette.middleware import Middleware\n"
    "from starlette.middleware.cors import CORSMiddleware\n"
    "app = Starlette(middleware=[Middleware(CORSMiddleware, allow_origins=[$value], allow_credentials=True)])",
    "Flask": FLASK + "from flask_cors import CORS\nCORS(app, origins=[$value], supports_credentials=True)",
    "Flask, later": FLASK + "from flask_cors import CORS\ncors = CORS()\ncors.init_app(app, origins=[$value])",
    "header": FLASK + "@app.after_request\ndef after(response):\n"
    "    response.headers['Access-Control-Allow-Origin'] = $value\n    return response",
    "header, added": FLASK + "@app.after_request\ndef after(response):\n"
    "    response.headers.add('Access-Control-Allow-Origin', $value)\n    return response",
    "header, mapped": "from fastapi.responses import JSONResponse\ndef index(request):\n"
    "    return JSONResponse({}, headers={'Access-Control-Allow-Origin': $value})",
    "Tornado": "import tornado.web\nclass Page(tornado.web.RequestHandler):\n    def set_default_headers(self):\n"
    "        self.set_header('Access-Control-Allow-Origin', $value)",
    "Sanic": "from sanic import Sanic\napp = Sanic('shop')\napp.config.CORS_ORIGINS = $value",
    "aiohttp": "import aiohttp_cors\nfrom aiohttp import web\napp = web.Application()\n"
    "aiohttp_cors.setup(app, defaults={$value: aiohttp_cors.ResourceOptions(allow_credentials=True)})",
}
HASHES = {
    "called": "import hashlib\ndef keep(password):\n    return hashlib.$value(password.encode()).hexdigest()",
    "by name": "import hashlib\ndef keep(password):\n    return hashlib.new('$value', password.encode()).hexdigest()",
    "by a constant": "import hashlib\nKIND = '$value'\ndef keep(password):\n    return hashlib.new(KIND, password).hexdigest()",
    "renamed": "from hashlib import $value as h\ndef keep(password):\n    return h(password.encode()).hexdigest()",
    "renamed module": "import hashlib as hl\ndef keep(password):\n    return hl.$value(password.encode()).hexdigest()",
    "kept in a variable": "import hashlib\nh = hashlib.$value\ndef keep(password):\n    return h(password.encode()).hexdigest()",
    "by getattr": "import hashlib\ndef keep(password):\n    return getattr(hashlib, '$value')(password.encode()).hexdigest()",
    "in pieces": "import hashlib\ndef keep(password):\n    h = hashlib.$value()\n"
    "    h.update(password)\n    return h.hexdigest()",
    "in a function": "import hashlib\ndef short(text):\n    return hashlib.$value(text.encode()).hexdigest()\n\n"
    "def keep(user, password):\n    user.password = short(password)",
}
CHANCE = {
    "module": "import $value\ndef reset(user):\n    user.reset_token = ''.join($value.choice('abc') for _ in range(9))",
    "renamed": "import $value as r\ndef reset(user):\n    user.reset_token = ''.join(r.choice('abc') for _ in range(9))",
    "taken": "from $value import choice\ndef reset(user):\n    user.reset_token = ''.join(choice('abc') for _ in range(9))",
    "taken and renamed": "from $value import choice as pick\ndef make_token():\n    return ''.join(pick('ab') for _ in range(9))",
    "in a loop": "import $value\ndef make_otp():\n    out = ''\n    for _ in range(6):\n        out += $value.choice('0123')\n"
    "    return out",
    "by keyword": "import $value\ndef reset(user):\n    save(user, token=''.join($value.choice('abc') for _ in range(9)))",
    "in a function": "import $value\ndef digits(count):\n    return ''.join($value.choice('0123') for _ in range(count))\n\n"
    "def reset(user):\n    user.reset_token = digits(6)",
}
SECRETS = {
    "assigned": "password = $value",
    "annotated": "password: str = $value",
    "attribute": "class Mail:\n    def __init__(self):\n        self.password = $value",
    "class attribute": "class Mail:\n    password = $value",
    "entry": "options = {'mail': {'password': $value}}",
    "item": "options = {}\noptions['password'] = $value",
    "dict()": "options = dict(password=$value)",
    "default": "def connect(host, *, password=$value):\n    return host, password",
    "keyword": "connect(host='db', password=$value)",
    "two at once": "user, password = 'shop', $value",
    "setattr": "setattr(options, 'password', $value)",
    "unless it is set": "os.environ.setdefault('MAIL_PASSWORD', $value)",
    "or else": "password = os.getenv('MAIL_PASSWORD') or $value",
    "pydantic": "from pydantic import Field\nfrom pydantic_settings import BaseSettings\n"
    "class Mail(BaseSettings):\n    password: str = Field($value)",
    "option": "import click\n@click.command()\n@click.option('--password', default=$value)\ndef main(password):\n    pass",
    "constant": "VALUE = $value\nconnect(host='db', password=VALUE)",
    "returned": "def mail_password():\n    return $value",
}
COOKIES = {
    "keywords": "    response.set_cookie('session_id', token, httponly=$value)",
    "named": "    response.set_cookie(key='session_id', value=token, httponly=$value)",
    "spread": "    flags = {'httponly': $value}\n    response.set_cookie('session_id', token, **flags)",
    "constant": "    flag = $value\n    response.set_cookie('session_id', token, httponly=flag)",
}
HANDLER = FLASK + "@app.route('/')\ndef index(token):\n    response = app.make_response('x')\n"

NOT_READ = {
    **{f"{rule}: in a loop": "settings that a loop sets one by one from a table are not read" for rule in SETTINGS},
    "cors-wildcard: aiohttp": "origins are the keys of a mapping there",
    "hard-coded-password: returned": "a function that is called after a password may return what a field is called",
}


def ways() -> Iterator[tuple[str, str, str, str]]:
    """Rule, way, weak and sound text."""
    for rule, (key, weak, sound) in SETTINGS.items():
        yield from ((rule, way, *_both(FLASK + text, weak, sound, key)) for way, text in SET.items())
    tables = (
        ("cors-wildcard", ORIGINS, "'*'", "'https://shop.example'"),
        ("weak-hash", HASHES, "md5", "sha256"),
        ("weak-random", CHANCE, "random", "secrets"),
        ("hard-coded-password", {way: "import os\n" + text for way, text in SECRETS.items()}, repr(KEY), "os.environ['X']"),
        ("cookie-httponly", {f"cookie, {way}": HANDLER + text for way, text in COOKIES.items()}, "False", "True"),
    )
    for rule, table, weak, sound in tables:
        yield from ((rule, way, *_both(text, weak, sound)) for way, text in table.items())


def _both(text: str, weak: str, sound: str, key: str = "") -> tuple[str, str]:
    spoken = Template(text)
    return spoken.substitute(key=key, value=weak) + "\n", spoken.substitute(key=key, value=sound) + "\n"


@pytest.fixture(scope="module")
def reported(tmp_path_factory: pytest.TempPathFactory) -> set[tuple[str, str]]:
    """The files that were reported, each with the rule."""
    root = tmp_path_factory.mktemp("ways")
    for number, (_, _, weak, sound) in enumerate(ways()):
        for kind, text in (("weak", weak), ("sound", sound)):
            compile(text, kind, "exec")
            (root / f"{kind}_{number}.py").write_text(text, "utf-8")
    project = Project(root, survey(root))
    rules = tuple(each.rule for each in load_rules() if isinstance(each.rule, CheckRule))
    findings = (*config.examine(project, rules).findings, *secrets.examine(project).findings)
    return {(each.location.path, each.rule) for each in findings}


def test_what_is_weak_is_found_however_it_is_said(reported: set[tuple[str, str]]) -> None:
    missed = {f"{rule}: {way}" for number, (rule, way, *_) in enumerate(ways()) if (f"weak_{number}.py", rule) not in reported}
    assert missed == set(NOT_READ)


def test_what_is_sound_is_not_reported_however_it_is_said(reported: set[tuple[str, str]]) -> None:
    alarms = {f"{rule}: {way}" for number, (rule, way, *_) in enumerate(ways()) if (f"sound_{number}.py", rule) in reported}
    assert alarms == set()

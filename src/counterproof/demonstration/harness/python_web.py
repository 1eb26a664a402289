"""The web part of the harness: finds a target's application, or starts its server, and sets it up like its own code."""

# pyright: basic, reportCallIssue=false

import asyncio
import contextlib
import importlib
import importlib.util
import inspect
import os
import re
import runpy
import socket
import sqlite3
import sys
import threading
import time

ROOT = "/target/code"
LONGEST = 400_000
_OWN_ROUTES = 1
"""The number of routes of an application without its own: its static files."""
_served = []
"""Applications that a start script passed to a server, as (kind, application)."""
_ports = []
"""The ports on which the target listens."""


def enter(folder):
    """Change to the target's folder, as if it had been started there."""
    place = os.path.join(ROOT, folder) if folder else ROOT
    if place not in sys.path:
        sys.path.insert(0, place)
    os.chdir(place)


def named(error):
    """An error in one line."""
    return f"{type(error).__name__}: {str(error)[:2_000]}"


async def awaited(work):
    """The result of an awaitable."""
    return await work


def start(question, state):
    """The first candidate whose application has the wanted route, otherwise the one with the most routes."""
    problems, found = [], []
    _take_over_servers()
    until = time.monotonic() + 20
    for candidate in question["candidates"]:
        try:
            enter(candidate["folder"])
            found += _applications(candidate, until)
        except BaseException as error:
            problems.append((named(error), candidate["name"]))
        if any(candidate["how"] != "import" or _routes(each[1]) > _OWN_ROUTES for each in found):
            break
    if found:
        state["kind"], state["application"], name = max(found, key=lambda each: _routes(each[1]))
        _open_up(state["application"])
        _make_tables(question["makers"], state["application"])
        _fill_empty_tables()
        return {"kind": state["kind"], "name": name}
    if _ports:
        state["kind"], state["port"] = "server", _ports[0]
        return {"kind": "server", "name": f"port {_ports[0]}"}
    whole = len({error for error, _ in problems}) == 1
    texts = dict.fromkeys(error if whole else f"{name}: {error}" for error, name in problems)
    return {"error": "; ".join(texts)[:2_000] or "no application was found"}


def _applications(candidate, until):
    if candidate["how"] == "django":
        return [("wsgi", _django(candidate["name"]), candidate["name"])]
    if candidate["how"] == "script":
        return _from_script(candidate["name"], until)
    _served.clear()
    try:
        module = importlib.import_module(candidate["name"])
    except _Taken:  # a module that starts its server on import
        return [(kind, value, candidate["name"]) for kind, value in _served]
    found = []
    for name, value in list(vars(module).items()):
        value = value.app if _kind(value) == "within" else value
        if _kind(value):
            found.append((_kind(value), value, "{}:{}".format(candidate["name"], name)))
    return found or _from_factory(module, candidate["name"])


def _from_factory(module, name):
    for each, value in list(vars(module).items()):
        if inspect.isfunction(value) and each in ("create_app", "make_app", "get_app", "build_app", "init_app", "app_factory"):
            needed = [one for one in inspect.signature(value).parameters.values() if one.default is one.empty and one.kind < 2]
            if not needed and _kind(made := value()):
                return [(_kind(made), made, f"{name}:{each}()")]
    return []


def _from_script(path, until):
    """Run a start script, except for the server at its end; scripts that neither end nor listen share the time."""
    sys.argv = [path]
    _served.clear()
    ended = threading.Event()
    failed = []

    def run():
        try:
            runpy.run_path(os.path.join(ROOT, path), run_name="__main__")
        except BaseException as error:
            failed.append(error)
        ended.set()

    threading.Thread(target=run, daemon=True).start()
    while time.monotonic() < until and not (_served or _ports or ended.is_set()):
        time.sleep(0.02)
    if failed and not _served:
        raise failed[0]
    return [(kind, value, path) for kind, value in _served]


def _kind(value):
    if inspect.isclass(value) or inspect.ismodule(value):
        return ""
    if hasattr(type(value), "wsgi_app"):
        return "wsgi"
    origin = {each.__module__.partition(".")[0] for each in type(value).__mro__}
    if origin & {"starlette", "fastapi", "quart", "litestar", "sanic"} and hasattr(value, "routes"):
        return "asgi"
    if origin & {"connexion"} and hasattr(value, "app"):
        return "within"
    if (
        origin & {"bottle", "falcon", "pyramid", "web"}
        and callable(value)
        and type(value).__name__ in ("Bottle", "App", "API", "Router")
    ):
        return "wsgi"
    return ""


def _routes(application):
    rules = getattr(getattr(application, "url_map", None), "_rules", None) or getattr(application, "routes", None) or ()
    try:
        return len(list(rules))
    except TypeError:
        return 0


def _open_up(application):
    """Let errors reach the harness, and disable host name checks."""
    config = getattr(application, "config", None)
    if isinstance(config, dict):
        config["PROPAGATE_EXCEPTIONS"] = True


_MAKERS = re.compile(
    r"^(?:(?:db_?init|init_?db|init_?database|create_?(?:schema|tables?|db|database|all)|set_?up_?(?:db|database)|make_?(?:db|tables))\w*"
    r"|(?:seed|populate|fill)_?(?:db|database|data|users)?)$"
)


def _make_tables(makers, application):
    """Call the target's own functions that create tables, as in a set-up; ignore those that fail."""
    for folder, name in makers:
        try:
            enter(folder)
            importlib.import_module(name)
        except BaseException:
            continue
    modules = [each for each in list(sys.modules.values()) if str(getattr(each, "__file__", "") or "").startswith(ROOT)]
    values = [application, *(value for each in modules for value in list(vars(each).values()))]
    values += [value.app for value in values if _kind(value) == "within" or type(value).__module__.startswith("connexion")]
    context = next((each.app_context for each in values if hasattr(type(each), "wsgi_app")), None)
    found = [value.create_all for each in modules for value in list(vars(each).values()) if hasattr(type(value), "create_all")]
    found += [value for each in modules for name, value in sorted(vars(each).items()) if _makes(name, value)]
    for value in found:
        try:
            with context() if context else contextlib.nullcontext():
                got = value()
                if inspect.isawaitable(got):
                    asyncio.run(awaited(got))
        except BaseException:
            continue


def _fill_empty_tables():
    """Put a row of ones into every empty table, so that queries return data."""
    for place in _bases():
        with contextlib.suppress(Exception):
            _fill(place)


def _bases():
    """The copy's SQLite files."""
    for folder, _, names in [*os.walk(ROOT), *os.walk("/tmp")]:
        for name in names:
            place = os.path.join(folder, name)
            try:
                with open(place, "rb") as file:
                    known = file.read(16) == b"SQLite format 3\0"
            except OSError:
                continue
            if known:
                yield place


def mark(question, _):
    """Add a row of this user to every table that refers to users, with one of the words in each text column."""
    words, found = list(question["words"]), []
    for place in _bases():
        base = sqlite3.connect(place, timeout=2)
        with contextlib.closing(base), contextlib.suppress(sqlite3.Error):
            found += _marked(base, question["name"], words)
            base.commit()
    return {"found": found}


def _marked(base, user, words):
    columns = {table: base.execute(f"PRAGMA table_info({_quoted(table)})").fetchall() for table in _tables(base)}
    for users, own in columns.items():
        for column in own:
            row = base.execute(f"SELECT * FROM {_quoted(users)} WHERE {_quoted(column[1])} = ?", (user,)).fetchone()
            if row is None:
                continue
            values = dict(zip([each[1] for each in own], row))
            for table in columns:
                keys = [
                    each
                    for each in base.execute(f"PRAGMA foreign_key_list({_quoted(table)})")
                    if each[2].lower() == users.lower()
                ]
                owners = {key[3]: values.get(key[4] or own[0][1]) for key in keys}
                if table != users and column[1] in [each[1] for each in columns[table]]:
                    owners.setdefault(column[1], user)
                if owners:
                    yield _row(base, table, columns[table], owners, words)


def _row(base, table, columns, owners, words):
    used, values = [], dict(owners)
    for _, name, kind, _, _, key in columns:
        if name in values or (key and "INT" in kind.upper()):
            continue
        text = not re.search("INT|REAL|NUM|BOOL|FLOA|DOUB|DATE|TIME", kind.upper())
        if text and words:
            used.append(words.pop())
        values[name] = used[-1] if text and used else "2000-01-01 00:00:00" if re.search("DATE|TIME", kind.upper()) else 1
    places = ", ".join(map(_quoted, values))
    done = base.execute(f"INSERT INTO {_quoted(table)} ({places}) VALUES ({', '.join('?' * len(values))})", list(values.values()))
    return [[str(done.lastrowid), *used], used]


def _tables(base):
    named = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
    return [name for (name,) in base.execute(named).fetchall()]


def _quoted(name):
    return '"{}"'.format(name.replace('"', '""'))


def _fill(place):
    base = sqlite3.connect(place, timeout=2)
    base.execute("PRAGMA foreign_keys = OFF")
    for name in _tables(base):
        if base.execute(f"SELECT 1 FROM {_quoted(name)} LIMIT 1").fetchone():
            continue
        with contextlib.suppress(sqlite3.Error):
            _row(base, name, base.execute(f"PRAGMA table_info({_quoted(name)})").fetchall(), {}, [])
    base.commit()
    base.close()


def _makes(name, value):
    if not (inspect.isfunction(value) and _MAKERS.match(name)):
        return False
    return all(each.default is not each.empty or each.kind > 1 for each in inspect.signature(value).parameters.values())


def _django(settings):
    os.environ["DJANGO_SETTINGS_MODULE"] = settings
    django_settings = importlib.import_module("django.conf").settings
    django_settings.ALLOWED_HOSTS = ["*"]
    django_settings.DEBUG_PROPAGATE_EXCEPTIONS = True
    django_settings.SECURE_SSL_REDIRECT = False
    django_settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # fast, as in tests
    if any("sqlite" not in str(each.get("ENGINE")) for each in django_settings.DATABASES.values()):
        django_settings.DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": "/tmp/own.sqlite3"}}
    importlib.import_module("django").setup()
    importlib.import_module("django.core.management").call_command("migrate", run_syncdb=True, verbosity=0, interactive=False)
    return importlib.import_module("django.core.wsgi").get_wsgi_application()


def _take_over_servers():
    """Prevent a start script's server from starting if its application can be called directly; record any other one's port."""
    sys.meta_path.insert(0, _Watch())
    listen = socket.socket.listen

    def noted(self, *given):
        listen(self, *given)
        if self.family in (socket.AF_INET, socket.AF_INET6) and self.getsockname()[1] not in _ports:
            _ports.append(self.getsockname()[1])

    socket.socket.listen = noted


class _Watch:
    """Patches the start functions of servers as their modules are loaded."""

    STARTS = {
        "flask.app": ("Flask", "run", lambda self, *_, **__: _take("wsgi", self)),
        "uvicorn.main": ("", "run", lambda app=None, *_, **__: _take("asgi", app)),
        "waitress": ("", "serve", lambda app=None, *_, **__: _take("wsgi", app)),
        "bottle": ("", "run", lambda app=None, *_, **__: _take("wsgi", app)),
        "gevent.pywsgi": ("WSGIServer", "serve_forever", lambda self, *_, **__: _take("wsgi", self.application)),
    }

    def find_spec(self, name, path=None, target=None):
        if name not in self.STARTS:
            return None
        sys.meta_path.remove(self)
        try:
            spec = importlib.util.find_spec(name)
        finally:
            sys.meta_path.insert(0, self)
        if spec and spec.loader:
            load, (owner, start, instead) = spec.loader.exec_module, self.STARTS[name]

            def exec_module(module):
                load(module)
                setattr(getattr(module, owner) if owner else module, start, instead)

            spec.loader.exec_module = exec_module
        return spec


class _Taken(BaseException):
    """A start script has reached its server, and need not continue."""


def _take(kind, application):
    if isinstance(application, str):
        module, _, name = application.partition(":")
        application = getattr(importlib.import_module(module), name or "app")
    _served.append((kind, application))
    raise _Taken

"""Checks that look at more than one file: CSRF protection, login limits, settings of another module."""

import pytest

from counterproof.analysis import config
from counterproof.analysis.ruleset import CheckRule, load_rules
from counterproof.model.severity import Severity

RULES = {loaded.rule.id: loaded.rule for loaded in load_rules() if isinstance(loaded.rule, CheckRule)}


def lines(project, rule: str) -> list[str]:
    return [str(finding.location) for finding in config.examine(project, (RULES[rule],)).findings]


def test_constant_of_another_module_is_read(make_project) -> None:
    project = make_project(
        {
            "flags.py": "DEBUG_ON = True\n",
            "app.py": "from flask import Flask\nfrom flags import DEBUG_ON\napp = Flask('x')\napp.run(debug=DEBUG_ON)\n",
        }
    )
    assert lines(project, "debug-mode") == ["app.py:4"]


def test_debugging_below_main_weighs_little_where_nothing_starts_that_file(make_project) -> None:
    app = "from flask import Flask\napp = Flask('x')\nif __name__ == '__main__':\n    app.run(debug=True)\n"
    alone, started = {"app.py": app}, {"app.py": app, "Dockerfile": 'FROM python:3\nCMD ["python", "app.py"]\n'}
    found = [config.examine(make_project(files), (RULES["debug-mode"],)).findings for files in (alone, started)]
    assert [[each.severity for each in findings] for findings in found] == [[Severity.LOW], [Severity.MEDIUM]]


@pytest.mark.parametrize("name", ["settings/dev.py", "settings/local.py"])
def test_development_settings_may_be_open(make_project, name: str) -> None:
    code = 'INSTALLED_APPS = []\nROOT_URLCONF = "x"\nDEBUG = True\nALLOWED_HOSTS = ["*"]\n'
    project = make_project({name: code, "settings/prod.py": code})
    assert lines(project, "django-debug") == ["settings/prod.py:3"]
    assert lines(project, "allowed-hosts") == ["settings/prod.py:4"]


def test_django_session_flag_set_anywhere_is_enough(make_project) -> None:
    base = 'INSTALLED_APPS = []\nROOT_URLCONF = "x"\nSESSION_ENGINE = "django.contrib.sessions.backends.cache"\n'
    assert lines(make_project({"a/settings.py": base}), "cookie-secure") == ["a/settings.py:3"]
    more = {"a/settings.py": base, "a/production.py": base + "SESSION_COOKIE_SECURE = True\n"}
    assert lines(make_project(more), "cookie-secure") == []


def test_login_limit_for_the_whole_application(make_project) -> None:
    login = """
        from flask import Flask, request
        from werkzeug.security import check_password_hash
        app = Flask(__name__)
        @app.route("/login", methods=["POST"])
        def login():
            return str(check_password_hash(find(request.form["name"]).hash, request.form["password"]))
    """
    assert lines(make_project({"app.py": login}), "login-limit") == ["app.py:5"]
    limiter = {
        "app.py": login,
        "limits.py": "from flask_limiter import Limiter\nlimiter = Limiter(None, default_limits=['5/minute'])\n",
    }
    assert lines(make_project(limiter), "login-limit") == []


def test_csrf_middleware_that_is_defined_must_be_installed(make_project) -> None:
    app = "from aiohttp import web\nfrom guards import csrf_middleware, timing\napp = web.Application(middlewares=[{}])\n"
    guards = "async def csrf_middleware(request, handler):\n    pass\nasync def timing(request, handler):\n    pass\n"
    assert lines(make_project({"app.py": app.format("timing"), "guards.py": guards}), "csrf") == ["app.py:3"]
    assert lines(make_project({"app.py": app.format("csrf_middleware"), "guards.py": guards}), "csrf") == []

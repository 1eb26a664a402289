"""Which code counts as a check of the caller, which does not, and what stays open."""

import pytest

from counterproof.analysis.endpoints import entry_points
from counterproof.model.recon import Guard

HEAD = "from flask import Flask, abort, g, jsonify, redirect, request, session\nimport elsewhere\napp = Flask(__name__)\n"


def guard_of(make_project, body: str, head: str = "", decorators: str = "") -> Guard:
    indented = "\n".join("    " + line for line in body.splitlines())
    code = f'{HEAD}{head}\n@app.route("/x", methods=["POST"])\n{decorators}def x(user_id=None):\n{indented}\n'
    (entry,) = entry_points(make_project({"app.py": code}))
    return entry.guard


@pytest.mark.rule("A9")
@pytest.mark.parametrize(
    "body",
    [
        'if "user" not in session:\n    return redirect("/login")\nreturn "x"',
        'if not g.user:\n    abort(401)\nreturn "x"',
        'if not current_user.is_authenticated:\n    return jsonify(error="no"), 401\nreturn "x"',
        'token = request.headers.get("Authorization")\nif not valid(token):\n    return "no", 403\nreturn "x"',
        'answer = read(request.headers.get("X-Api-Key"))\nif "error" in answer:\n    return answer, 401\nreturn "x"',
        'if "user" in session:\n    return "x"\nreturn redirect("/login")',
        'if session.get("user") is None:\n    raise PermissionError\nreturn "x"',
        'with lock:\n    if "user" not in session:\n        return redirect("/")\nreturn "x"',
        'user = g.user\nif user.is_authenticated():\n    work()\n    return "x"\nreturn redirect("/")',
        'if current_user.is_authenticated:\n    work()\n    return "x"',
    ],
)
def test_checks_in_the_handler_count(make_project, body: str) -> None:
    assert guard_of(make_project, body) is Guard.PRESENT


LETTING_IN = """
def guard(view):
    def inner(*args):
        if session.get("user"):
            if session["user"].admin:
                return view(*args)
            note("no admin")
        show("nothing here")
    return inner
"""


@pytest.mark.rule("A9")
def test_a_decorator_that_only_lets_known_callers_in_is_a_guard(make_project) -> None:
    def with_guard(head: str) -> Guard:
        return guard_of(make_project, 'return "x"', head, "@guard\n")

    unknown_to_all = LETTING_IN.replace('session["user"].admin', "late()")
    assert with_guard(LETTING_IN) is Guard.PRESENT
    assert with_guard(unknown_to_all.replace('note("no admin")', "note(view(*args))")) is Guard.PRESENT
    assert with_guard(LETTING_IN.replace("    return inner", "        return view(*args)\n    return inner")) is Guard.ABSENT
    assert with_guard(unknown_to_all.replace("if session.get", "if not session.get")) is not Guard.PRESENT


@pytest.mark.rule("A9")
@pytest.mark.parametrize(
    "body",
    [
        'user = find(request.form["name"])\nif not user or user.password != given("password"):\n    return "no", 401\nreturn "x"',
        'product = find(request.form["id"])\nif product is None:\n    abort(404)\nreturn "x"',
        'cart = session.get("cart", {})\nif request.form["id"] not in cart:\n    abort(400)\nreturn "x"',
        'if "user" in session:\n    log(session["user"])\nreturn "x"',
        'if request.form.get("csrf") != session.get("csrf"):\n    abort(403)\nreturn "x"',
        'if g.user:\n    abort(403)\nreturn "x"',
        'if request.method == "POST":\n    if "user" not in session:\n        abort(401)\nreturn "x"',
        'if current_user.is_authenticated:\n    return redirect("/home")\nreturn render("login.html")',
        'if current_user.is_authenticated:\n    greet()\nwork()\nreturn "x"',
        'if not current_user.is_anonymous:\n    return redirect("/home")\nreturn render("reset.html")',
        'saved = request.cookies.get("cart")\nif saved:\n    restore(saved)\nreturn redirect("/cart")',
    ],
)
def test_other_tests_do_not(make_project, body: str) -> None:
    assert guard_of(make_project, body) is Guard.ABSENT


def test_helper_that_raises_counts_and_one_that_only_returns_does_not(make_project) -> None:
    raising = 'def ensure():\n    if "user" not in session:\n        abort(401)\n'
    returning = 'def ensure():\n    if "user" not in session:\n        return redirect("/login")\n'
    assert guard_of(make_project, 'ensure()\nreturn "x"', raising) is Guard.PRESENT
    assert guard_of(make_project, 'ensure()\nreturn "x"', returning) is Guard.ABSENT


@pytest.mark.rule("A9")
def test_what_cannot_be_read_stays_open(make_project) -> None:
    assert guard_of(make_project, 'return "x"', decorators="@elsewhere.wrap\n") is Guard.UNKNOWN
    assert guard_of(make_project, 'elsewhere.require_login_token()\nreturn "x"') is Guard.UNKNOWN
    hook = '@app.before_request\ndef hook():\n    if request.path == "/open":\n        return\n'
    hook += '    if "user" not in session:\n        abort(401)\n'
    assert guard_of(make_project, 'return "x"', hook) is Guard.UNKNOWN


def test_known_decorators_by_name(make_project) -> None:
    assert guard_of(make_project, 'return "x"', decorators="@elsewhere.login_required\n") is Guard.PRESENT
    assert guard_of(make_project, 'return "x"', decorators="@elsewhere.cache(60)\n") is Guard.ABSENT
    assert guard_of(make_project, 'return "x"', decorators="@elsewhere.login_not_required\n") is Guard.ABSENT


def test_hook_for_everything_guards_everything(make_project) -> None:
    hook = '@app.before_request\ndef hook():\n    if "user" not in session:\n        abort(401)\n'
    assert guard_of(make_project, 'return "x"', hook) is Guard.PRESENT
    harmless = "@app.before_request\ndef hook():\n    g.started = 1\n"
    assert guard_of(make_project, 'return "x"', harmless) is Guard.ABSENT
    greeting = "@app.before_request\ndef hook():\n    if current_user.is_authenticated:\n        current_user.seen = now()\n"
    assert guard_of(make_project, 'return "x"', greeting) is Guard.ABSENT
    switched = '@app.before_request\ndef hook():\n    if not app.config["AUTH_ON"]:\n        return None\n'
    assert guard_of(make_project, 'return "x"', switched) is Guard.ABSENT


MADE = """
def asking(handler):
    def callback(function, args):
        if not handler(args):
            {refusal}
        return function(*args)
    def decorator(*given):
        def inner(function):
            def wrapper(*args):
                return callback(function, args)
            return wrapper
        return inner
    return decorator

@asking
def owner(args, model):
    return found(args, model)
"""


def test_a_decorator_that_another_decorator_makes_guards_like_it(make_project) -> None:
    head = MADE.format(refusal="abort(403)")
    assert guard_of(make_project, 'return "x"', head, "@owner(1)\n") is Guard.PRESENT
    assert guard_of(make_project, 'return "x"', MADE.format(refusal="g.seen = 1"), "@owner(1)\n") is Guard.ABSENT


def test_a_preprocessor_that_may_send_callers_away_leaves_it_open(make_project) -> None:
    ask = "    if session.get(values['p']):\n        g.p = 1\n    else:\n        raise Redirect303(url_for('.enter'))\n"
    hook = f"@app.url_value_preprocessor\ndef pull(endpoint, values):\n{ask}"
    assert guard_of(make_project, 'return "x"', hook) is Guard.UNKNOWN
    assert guard_of(make_project, 'return "x"', hook.replace("session.get", "len")) is Guard.ABSENT


@pytest.mark.rule("A9")
@pytest.mark.parametrize(("decorator", "guard"), [("@login_required\n", Guard.PRESENT), ("", Guard.ABSENT)])
def test_a_handler_is_guarded_by_what_guards_the_function_that_answers_for_it(make_project, decorator: str, guard: Guard) -> None:
    head = f"from flask_login import login_required\n{decorator}def changed(number):\n    return str(number)\n"
    assert guard_of(make_project, "return changed(user_id)", head) is guard

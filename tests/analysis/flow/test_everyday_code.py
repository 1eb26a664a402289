"""Code patterns of large ordinary applications, including ones that must not be reported."""

from collections.abc import Callable

import pytest

from counterproof.analysis.examination import Examination
from counterproof.model.severity import Severity

Examine = Callable[..., Examination]
LookAt = Callable[[dict[str, str]], Examination]
HEAD = """
        import os
        from collections import namedtuple
        from flask import Flask, redirect, request
        app = Flask(__name__)
"""


def test_a_module_of_the_target_called_web_is_not_the_request(examine: Examine) -> None:
    (found,) = examine(
        web=f"{HEAD}\n        OTHER = request\n",
        app=f"""{HEAD}
        @app.route("/")
        def run():
            os.system(request.args["x"])
            return ""
        """,
    ).findings
    assert found.flow is not None
    assert found.flow.source.location.start == found.location.start


STORE = "class Store:\n    def title(self, number):\n        return 'fixed'\n"
VIEWS = f"""{HEAD}
        from shop import keeper

        @app.route("/<number>")
        def run(number):
            os.system(keeper.title(number))
            return ""
"""


def test_a_package_goes_before_a_file_of_its_name(look_at: LookAt) -> None:
    """`shop.py` beside `shop/`: what the package defines is found, so that its lookups are followed and not guessed."""
    files = {"shop.py": "from shop import views\n", "shop/store.py": STORE, "shop/views.py": VIEWS}
    assert look_at({**files, "shop/__init__.py": "from .store import Store\nkeeper = Store()\n"}).findings == ()


def test_a_circle_of_imports_is_resolved_when_it_is_closed(look_at: LookAt) -> None:
    files = {"shop/store.py": STORE, "shop/views.py": VIEWS}
    package = "from . import views\nfrom .store import Store\nkeeper = Store()\n"
    assert look_at({**files, "shop/__init__.py": package}).findings == ()


def test_fields_of_a_named_tuple_are_told_apart(examine: Examine) -> None:
    examination = examine(
        app=f"""{HEAD}
        Meta = namedtuple("Meta", "path, title size")

        @app.route("/<title>")
        def run(title):
            meta = Meta("/tmp/a", title, size=1)._replace(size=2)
            os.system(meta.path)
            os.system(meta.title)
            os.system(meta[1])
            return ""
        """
    )
    assert [each.evidence for each in examination.findings] == ["os.system(meta.title)", "os.system(meta[1])"]


def test_going_back_is_no_open_redirect(examine: Examine) -> None:
    examination = examine(
        app=f"""{HEAD}
        @app.route("/a")
        def back():
            return redirect(request.referrer)

        @app.route("/b")
        def again():
            return redirect(request.headers.get("Referer"))

        @app.route("/c")
        def away():
            return redirect(request.headers.get("X-Next"))
        """
    )
    assert [each.function for each in examination.findings] == ["away"]


def test_a_question_about_a_path_is_low_and_silent_beside_worse(examine: Examine) -> None:
    examination = examine(
        app=f"""{HEAD}
        @app.route("/a/<path:name>")
        def asked(name):
            return {{"there": os.path.exists("data/" + name)}}

        @app.route("/b/<path:name>")
        def read(name):
            if os.path.exists("data/" + name):
                return {{"text": open("data/" + name).read()}}
            return {{}}
        """
    )
    assert [(each.function, each.severity) for each in examination.findings] == [("asked", Severity.LOW), ("read", Severity.HIGH)]


def test_one_call_that_leads_to_two_sinks_is_one_finding(examine: Examine) -> None:
    examination = examine(
        app=f"""{HEAD}
        def use(name):
            open(name)
            os.remove(name)

        @app.route("/<path:name>")
        def run(name):
            use("data/" + name)
            return ""
        """
    )
    assert [each.evidence for each in examination.findings] == ['use("data/" + name)']


TASKS = """
import os
from celery import shared_task
from flask import Flask, request

app = Flask(__name__)


@shared_task
def convert(name, option="plain"):
    os.system("convert " + name)


@app.route("/now")
def now():
    {}
    return "queued"
"""


@pytest.mark.parametrize(
    ("call", "found"),
    [
        ("convert.delay('photo')", 0),
        ("convert.delay(request.args['name'])", 1),
        ("convert.apply_async((request.args['name'],))", 1),
        ("convert.apply_async(kwargs={'name': request.args['name']})", 1),
        ("convert.delay('photo', option=request.args['name'])", 0),
    ],
)
def test_a_task_gets_what_the_program_puts_on_its_queue(examine: Examine, call: str, found: int) -> None:
    assert len(examine(app=TASKS.format(call)).findings) == found


@pytest.mark.parametrize(("name", "found"), [("HTTP_X_TOOL", 1), ("QUERY_STRING", 1), ("SHOP_CONFIG", 0)])
def test_what_the_operator_sets_in_a_wsgi_environment_is_not_sent(examine: Examine, name: str, found: int) -> None:
    code = f"""
        import os

        def application(environ, start_response):
            os.system(environ.get("{name}", ""))
            start_response("200 OK", [])
            return [b"done"]
    """
    assert len(examine(app=code).findings) == found


def test_a_request_of_the_projects_own_kind_is_one(examine: Examine) -> None:
    kinds = "from django.http import HttpRequest\n\nclass SignedIn(HttpRequest):\n    user: object\n"
    views = """
        import os
        from kinds import SignedIn

        def search(request: SignedIn):
            os.system(request.GET["q"])
    """
    assert len(examine(kinds=kinds, views=views).findings) == 1

"""Flask: routes with their full paths, methods, handlers and guards."""

import pytest

from counterproof.analysis.endpoints import entry_points
from counterproof.model.recon import EntryKind, EntryPoint, Guard

APP = """
from flask import Flask, redirect, session
from shop.views import bp, admin

def create_app():
    app = Flask(__name__)
    app.register_blueprint(bp, url_prefix="/shop")
    app.register_blueprint(admin)

    @app.route("/health")
    def health():
        return "ok"

    return app
"""
VIEWS = """
from flask import Blueprint, redirect, request, session, abort
from flask.views import MethodView
from shop.guards import login_required, timed

bp = Blueprint("shop", __name__, url_prefix="/ignored")
admin = Blueprint("admin", __name__, url_prefix="/admin")
inner = Blueprint("inner", __name__)
admin.register_blueprint(inner, url_prefix="/inner")

@admin.before_request
def only_staff():
    if session.get("role") != "staff":
        abort(403)

@bp.route("/")
@bp.route("/list", methods=["POST", "GET"])
@timed
def listing():
    return "all"

@bp.post("/buy")
@login_required
def buy():
    return "bought"

@admin.get("/users")
def users():
    return "users"

@inner.route("/deep")
def deep():
    return "deep"

class Orders(MethodView):
    decorators = [login_required]

    def get(self):
        return "orders"

    def delete(self):
        return "gone"

bp.add_url_rule("/orders", view_func=Orders.as_view("orders"))

def plain():
    return "plain"

bp.add_url_rule("/plain", "plain", login_required(plain), methods=["PUT"])
"""
GUARDS = """
from functools import wraps
from flask import redirect, session

def login_required(view):
    @wraps(view)
    def wrapper(*args, **kwargs):
        if "user" not in session:
            return redirect("/login")
        return view(*args, **kwargs)
    return wrapper

def timed(view):
    @wraps(view)
    def wrapper(*args, **kwargs):
        print("took a while")
        return view(*args, **kwargs)
    return wrapper
"""
FILES = {"shop/__init__.py": APP, "shop/views.py": VIEWS, "shop/guards.py": GUARDS}


@pytest.fixture
def found(make_project) -> dict[tuple[str, str], EntryPoint]:
    return {(each.method, each.path): each for each in entry_points(make_project(FILES)) if each.kind is EntryKind.HTTP}


@pytest.mark.rule("A9")
def test_paths_carry_every_prefix_and_methods_are_named(found) -> None:
    assert sorted(found) == [
        ("DELETE", "/shop/orders"),
        ("GET", "/admin/inner/deep"),
        ("GET", "/admin/users"),
        ("GET", "/health"),
        ("GET", "/shop/"),
        ("GET", "/shop/orders"),
        ("GET,POST", "/shop/list"),
        ("POST", "/shop/buy"),
        ("PUT", "/shop/plain"),
    ]


@pytest.mark.rule("A9")
def test_handlers_are_the_lines_of_their_definitions(found) -> None:
    lines = VIEWS.lstrip("\n").splitlines()
    for entry in found.values():
        if entry.handler.path == "shop/views.py":
            assert f"def {entry.name.rpartition('.')[2]}(" in lines[entry.handler.start - 1]
    assert found["GET", "/health"].name == "create_app.health"
    assert found["DELETE", "/shop/orders"].name == "Orders.delete"


@pytest.mark.rule("A9")
@pytest.mark.parametrize(
    ("key", "guard", "evidence"),
    [
        (("GET", "/health"), Guard.ABSENT, ""),
        (("GET", "/shop/"), Guard.ABSENT, ""),
        (("POST", "/shop/buy"), Guard.PRESENT, "shop/views.py:22 @login_required"),
        (("GET", "/admin/users"), Guard.PRESENT, "shop/views.py:12"),
        (("GET", "/admin/inner/deep"), Guard.PRESENT, "shop/views.py:12"),
        (("GET", "/shop/orders"), Guard.PRESENT, "login_required"),
        (("PUT", "/shop/plain"), Guard.PRESENT, "login_required"),
    ],
)
def test_guards(found, key, guard: Guard, evidence: str) -> None:
    assert found[key].guard is guard
    assert evidence in found[key].guard_evidence


def test_unregistered_blueprint_leaves_its_guard_open(make_project) -> None:
    project = make_project(
        {"views.py": 'from flask import Blueprint\nbp = Blueprint("b", __name__)\n@bp.route("/x")\ndef x():\n    return ""\n'}
    )
    (entry,) = entry_points(project)
    assert entry.guard is Guard.UNKNOWN
    assert "not mounted" in entry.guard_evidence


def test_application_as_parameter_error_handlers_sockets_and_resources(make_project) -> None:
    project = make_project(
        {
            "routes.py": """
                from flask import request
                def init(app):
                    @app.route("/late", methods=["POST"])
                    def late():
                        return request.form["x"]
            """,
            "main.py": """
                from flask import Flask
                from flask_restful import Api, Resource
                from flask_socketio import SocketIO
                app = Flask(__name__)
                api = Api(app, prefix="/api")
                socketio = SocketIO(app)
                @app.errorhandler(404)
                def missing(error):
                    return "?"
                @socketio.on("chat")
                def chat(data):
                    pass
                class Item(Resource):
                    def get(self):
                        return {}
                api.add_resource(Item, "/item", "/item/<id>")
            """,
        }
    )
    seen = {(each.kind, each.method, each.path) for each in entry_points(project)}
    assert seen == {
        (EntryKind.HTTP, "POST", "/late"),
        (EntryKind.HTTP, "ANY", "(error 404)"),
        (EntryKind.WEBSOCKET, "GET", "chat"),
        (EntryKind.HTTP, "GET", "/api/item"),
        (EntryKind.HTTP, "GET", "/api/item/<id>"),
    }


@pytest.mark.rule("A9")
def test_exposed_methods_of_view_classes_are_routes(make_project) -> None:
    found = entry_points(
        make_project(
            {
                "views.py": """
from flask_appbuilder import BaseView, expose, has_access
from flask_login import login_required

class Reports(BaseView):
    route_base = "/reports"

    @expose("/<name>", methods=["GET", "POST"])
    def show(self, name):
        return name

    @expose("/all")
    @login_required
    def all(self):
        return "all"

    def helper(self, name):
        return name
"""
            }
        )
    )
    assert [(each.method, each.path, each.guard) for each in found] == [
        ("GET,POST", "/reports/<name>", Guard.UNKNOWN),
        ("GET", "/reports/all", Guard.PRESENT),
    ]


APPLIED = """
from flask import Blueprint, Flask
from flask_login import login_required
from shop.handlers import listing, orders
bp = Blueprint("shop", __name__)
bp.route("/", methods=["GET", "POST"])(listing)
bp.get("/orders")(login_required(orders))
app = Flask(__name__)
app.register_blueprint(bp, url_prefix="/shop")
cache.route("/never")
other("/neither")(listing)
"""


@pytest.mark.rule("A9")
def test_a_decorator_that_is_called_registers_too(make_project) -> None:
    files = {"shop/__init__.py": APPLIED, "shop/handlers.py": "def listing():\n    return ''\n\ndef orders():\n    return ''\n"}
    found = [each for each in entry_points(make_project(files)) if each.kind is EntryKind.HTTP]
    assert [(each.method, each.path, each.name, each.guard) for each in found] == [
        ("GET,POST", "/shop/", "listing", Guard.ABSENT),
        ("GET", "/shop/orders", "orders", Guard.PRESENT),
    ]


ROUTED = '@app.get("/run")\ndef run():\n    return "ok"\n'


@pytest.mark.rule("A9")
@pytest.mark.parametrize(
    "made",
    [
        "try:\n    app = Flask(__name__)\nexcept RuntimeError:\n    app = None\n",
        "if ready():\n    app = Flask(__name__)\nelse:\n    app = None\n",
        "app = None\ntry:\n    app = Flask(__name__)\nfinally:\n    pass\napp = wrapped(app)\n",
    ],
)
def test_an_application_assigned_once_among_other_values_keeps_its_routes(make_project, made: str) -> None:
    own = entry_points(make_project({"app.py": f"from flask import Flask\n{made}{ROUTED}"}))
    assert [(each.method, each.path) for each in own if each.kind is EntryKind.HTTP] == [("GET", "/run")]


@pytest.mark.rule("A9")
def test_a_name_that_two_applications_had_before_another_value_is_neither(make_project) -> None:
    made = 'app = Flask("one")\napp = Flask("two")\napp = wrapped(app)\n'
    found = entry_points(make_project({"app.py": f"from flask import Flask\n{made}{ROUTED}"}))
    assert not [each for each in found if each.kind is EntryKind.HTTP]


HELPER = """from flask import Blueprint
from flask.views import MethodView
api = Blueprint("api", __name__)

class Orders(MethodView):
    def get(self, oid): return ""
    def put(self, oid): return ""
    def delete(self, oid): return ""

def register(view, name, url, pk="id"):
    shown = view.as_view(name)
    api.add_url_rule(url, view_func=shown, defaults={pk: None}, methods=["GET"])
    api.add_url_rule("%s/<%s:%s>" % (url, "int", pk), view_func=shown, methods=["GET", "DELETE"])

register(Orders, "orders", "/orders", pk="oid")
"""


@pytest.mark.rule("A9")
def test_a_function_that_adds_rules_adds_those_of_each_call(make_project) -> None:
    found = [each for each in entry_points(make_project({"api.py": HELPER})) if each.kind is EntryKind.HTTP]
    assert sorted((each.method, each.path, each.name) for each in found) == [
        ("DELETE", "/orders/<int:oid>", "Orders.delete"),
        ("GET", "/orders", "Orders.get"),
        ("GET", "/orders/<int:oid>", "Orders.get"),
    ]


FOREIGN = """from flask import Flask, abort
from flask_login import current_user
import queue_dashboard
app = Flask(__name__)

def admins():
    if not current_user.admin:
        return abort(403)

def mount(app):
    queue_dashboard.blueprint.before_request(admins)
    app.register_blueprint(queue_dashboard.blueprint, url_prefix="/queue")

@app.route("/orders")
def orders(): return ""
"""


@pytest.mark.rule("A9")
def test_a_hook_of_another_packages_blueprint_guards_no_route_here(make_project) -> None:
    found = [each for each in entry_points(make_project({"app.py": FOREIGN})) if each.kind is EntryKind.HTTP]
    assert [(each.path, each.guard) for each in found] == [("/orders", Guard.ABSENT)]

"""Code made to break the reader: cycles, shadowing, broken syntax, sheer size."""

import time

import pytest

from counterproof.analysis.endpoints import entry_points
from counterproof.analysis.project import OutOfTime, Project


@pytest.mark.rule("X16")
def test_cycles_of_imports_mounts_classes_and_helpers_end(make_project) -> None:
    project = make_project(
        {
            "a.py": "from b import app, bp, view, Base\n",
            "b.py": "from a import app, bp, view, Base\n",
            "c.py": """
                from flask import Flask, Blueprint
                app = Flask(__name__)
                one = Blueprint("one", __name__)
                two = Blueprint("two", __name__)
                one.register_blueprint(two, url_prefix="/two")
                two.register_blueprint(one, url_prefix="/one")
                class First(Second): pass
                class Second(First): pass
                def ping(): return pong()
                def pong(): return ping()
                @one.route("/x")
                def x():
                    ping()
                    return ""
            """,
        }
    )
    started = time.process_time()
    found = entry_points(project)
    assert {each.name for each in found} == {"x"}
    assert time.process_time() - started < 5


@pytest.mark.rule("X16")
def test_modules_that_import_everything_from_each_other_do_not_multiply(make_project) -> None:
    names = [f"m{n}" for n in range(30)]
    stars = {f"{name}.py": "".join(f"from {other} import *\n" for other in names if other != name) for name in names}
    code = "from m0 import *\nfrom flask import Flask\n@app.route('/x')\n@nowhere\ndef x():\n    return helper()\n"
    started = time.process_time()
    assert [each.path for each in entry_points(make_project({**stars, "main.py": code}))] == ["/x"]
    assert time.process_time() - started < 10


@pytest.mark.rule("X16")
def test_broken_code_still_gives_what_can_be_read(make_project) -> None:
    project = make_project(
        {
            "app.py": 'from flask import Flask\napp = Flask("x")\n@app.get("/x")\ndef x():\n    return "x"\ndef broken(:\n  ((\n',
            "spec.json": '{"openapi": "3", "operationId": ' + "[" * 5000,
            "spec.yml": "openapi: 3\noperationId:\npaths:\n" + "  " * 500 + "a: b\n",
            "pyproject.toml": "[project\nname = ",
            "setup.cfg": "[options.entry_points\nx",
        }
    )
    assert [each.path for each in entry_points(project)] == ["/x"]


@pytest.mark.rule("X16")
def test_many_routes_take_linear_time(make_project) -> None:
    routes = "".join(f'@app.route("/r{n}")\ndef r{n}():\n    return "x"\n' for n in range(1000))
    project = make_project({"app.py": "from flask import Flask\napp = Flask(__name__)\n" + routes})
    started = time.process_time()
    assert len(entry_points(project)) == 1000
    assert time.process_time() - started < 20


def test_result_is_the_same_every_time_and_time_can_run_out(make_project) -> None:
    project = make_project(
        {"app.py": 'from flask import Flask\napp = Flask(__name__)\n@app.get("/x")\ndef x():\n    return ""\n'}
    )
    again = Project(project.root, project.survey)
    assert entry_points(project) == entry_points(again)

    def over() -> None:
        raise OutOfTime("over")

    with pytest.raises(OutOfTime):
        entry_points(Project(project.root, project.survey, over))

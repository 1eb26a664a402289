"""Insignificant data flows: reported once, with a lower severity, or not at all."""

from collections.abc import Callable

import pytest

from counterproof.analysis.examination import Examination
from counterproof.model.severity import Complexity, Severity

Examine = Callable[..., Examination]
HEAD = """
        import os
        import outside
        from flask import Flask, make_response, request
        app = Flask(__name__)
"""


def test_the_same_call_on_one_unfollowed_way_is_one_finding(examine: Examine) -> None:
    code = f"""{HEAD}
        def work(given):
            os.system(given)
            os.popen(given)
            os.system("again " + given)

        @app.route("/")
        def run():
            work(outside.made(request.args["x"]))
            return ""
        """
    run, read = examine(app=code).findings
    assert [each.start - run.location.start for each in run.also] == [2]
    assert read.location.start - run.location.start == 1
    assert read.also == ()
    followed = examine(app=code.replace('outside.made(request.args["x"])', 'request.args["x"]')).findings
    assert [each.also for each in followed] == [(), (), ()]


def test_one_name_that_does_harm_all_over_another_layer_is_one_finding(examine: Examine) -> None:
    view = """
        from flask import Flask, request
        import work
        app = Flask(__name__)

        @app.route("/")
        def run():
            name = request.args["x"]
            work.first(name)
            work.second(name)
            return ""
        """
    head = "import os\n\n"
    body = "def first(name):\n    {0}\n    {0}\n    {0}\n\n\ndef second(name):\n"
    removing, running = "os.remove('/srv/' + name)", "os.system('ls ' + name)"
    few = examine(app=view, work=head + body.format(removing) + "    return name\n").findings
    assert [(each.location.start, each.also) for each in few] == [(4, ()), (5, ()), (6, ())]
    (many,) = examine(app=view, work=f"{head}{body.format(removing)}    {removing}\n").findings
    assert (many.location.start, [each.start for each in many.also]) == (4, [5, 6, 10])
    commands = examine(app=view, work=f"{head}{body.format(running)}    {running}\n").findings
    assert len(commands) == 4, "a command is mended where it is put together"


@pytest.mark.parametrize(("given", "told"), [("request.args", False), ("request.args[name]", True), ('request.args["x"]', True)])
def test_all_fields_together_on_an_unfollowed_way_tell_nothing(examine: Examine, given: str, told: bool) -> None:
    code = f"""{HEAD}
        @app.route("/")
        def run():
            name = outside.name()
            os.system(outside.made({given}))
            return ""
        """
    assert bool(examine(app=code).findings) is told


@pytest.mark.parametrize(("answer", "told"), [("made", False), ("'<b>' + made", True), ('request.args["x"]', True)])
def test_what_may_be_data_is_a_page_only_as_text(examine: Examine, answer: str, told: bool) -> None:
    code = f"""{HEAD}
        @app.route("/")
        def run():
            made = outside.made(request.args["x"])
            return make_response({answer})
        """
    assert [each.rule for each in examine(app=code).findings] == (["xss"] if told else [])


def test_what_only_its_user_types_is_rated_as_several_steps(examine: Examine) -> None:
    (found,) = examine(app="import os, sys\n\ndef main():\n    os.system('tool ' + sys.argv[1])\n\nmain()\n").findings
    assert (found.severity, found.rating.complexity) == (Severity.LOW, Complexity.MULTI_STEP)


@pytest.mark.parametrize(
    ("route", "parts", "told"),
    [
        ("/<name>", "os.path.join(FOLDER, name)", False),
        ("/<path:name>", "os.path.join(FOLDER, name)", True),
        ("/<name>", 'os.path.join(FOLDER, name, "notes.txt")', True),
        ("/<name>", 'f"{FOLDER}/{name}"', False),
        ("/<name>", 'f"{FOLDER}/{name}/notes.txt"', True),
        ("/<name>", 'FOLDER + "/" + unquote(name)', True),
        ("/<name>", "name", True),
    ],
)
def test_one_part_of_a_path_leaves_no_folder_as_a_name(examine: Examine, route: str, parts: str, told: bool) -> None:
    code = f"""{HEAD}
        from urllib.parse import unquote
        FOLDER = "/srv/files"

        @app.route("{route}")
        def run(name):
            open({parts})
            return ""
        """
    assert [each.rule for each in examine(app=code).findings] == (["path-traversal"] if told else [])

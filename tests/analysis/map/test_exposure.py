"""Who reaches a place: by an entry point that recon knows and from whose handler calls lead there (A40, A62)."""

import pytest

from counterproof.analysis.map.exposure import exposure
from counterproof.analysis.recon import reconnoitre
from counterproof.model.location import Location, at
from counterproof.model.recon import EntryPoint
from counterproof.model.severity import Reach
from counterproof.protocols.guard.citations import Citation
from counterproof.toolbox.citing import located
from protocols.audit.play import a_finding

FILES = {
    "app.py": """
        from flask import Flask, request
        from flask_login import login_required
        from store import search
        app = Flask(__name__)

        @app.get("/open")
        def open_():
            return search(request.args["q"])

        @app.get("/mine")
        @login_required
        def mine():
            return search(request.args["q"])

        @app.get("/other")
        def other():
            return "x"
    """,
    "store.py": """
        def search(text):
            text = text.strip()
            return run(text)

        def run(text):
            return db.execute(text)

        def unused(text):
            return db.execute(text)
    """,
}


@pytest.mark.rule("A40")
@pytest.mark.parametrize(
    ("named", "place", "expected"),
    [
        (7, 6, ("/open", Reach.ANONYMOUS)),
        (6, 6, ("/open", Reach.ANONYMOUS)),
        (12, 6, ("/mine", Reach.ANONYMOUS)),
        (16, 6, None),
        (7, 9, None),
        (1, 6, None),
    ],
)
def test_an_entry_point_counts_where_calls_lead_from_its_handler(make_project, named: int, place: int, expected) -> None:
    project = make_project(FILES)
    found = exposure(project, reconnoitre(project).entry_points, at("app.py", named), at("store.py", place))
    assert (found and (found[0].path, found[1])) == expected


@pytest.mark.rule("A40")
def test_a_place_that_only_guarded_entry_points_reach_is_rated_by_their_guard(make_project) -> None:
    project = make_project({**FILES, "app.py": FILES["app.py"].replace('@app.get("/open")', "")})
    entries = reconnoitre(project).entry_points
    found = exposure(project, entries, at("app.py", 11), at("store.py", 6))
    assert found is not None
    assert found[1] is Reach.LOW_PRIVILEGE
    assert found[0].guarded == "GET /mine, behind @login_required"
    assert (
        EntryPoint(found[0].kind, "GET", "/x", found[0].handler, "x", guard=found[0].guard.ABSENT).guarded == "GET /x, no guard"
    )


@pytest.mark.rule("A62")
@pytest.mark.parametrize(
    ("path", "line", "function", "scope"),
    [
        ("app.py", 6, "open_", Location("app.py", 6, 8)),
        ("app.py", 7, "open_", Location("app.py", 6, 8)),
        ("app.py", 8, "open_", None),
        ("app.py", 1, "", None),
    ],
)
def test_a_claim_is_placed_in_the_function_that_the_grammar_has_there(make_project, path, line, function, scope) -> None:
    cited = located(make_project(FILES), Citation(0, True, True, True), a_finding(rule="", location=at(path, line), function="x"))
    assert (cited.function, cited.scope) == (function, scope)

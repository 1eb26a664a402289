"""The endpoint-permission matrix, resources, and the record of how hard the checks looked."""

from collections.abc import Callable

import pytest

from counterproof.analysis import control
from counterproof.analysis.control.operations import resource_of
from counterproof.analysis.endpoints import entry_points
from counterproof.analysis.examination import Examination
from counterproof.analysis.inventory.permissions import permissions
from counterproof.analysis.project import Project
from counterproof.model.dimension import Dimension
from counterproof.model.recon import Guard

ROUTES = """
from elsewhere import wrap

@app.get("/orders")
@login_required
def listing():
    return jsonify([])

@app.post("/orders")
@admin_required
def create():
    db().execute("INSERT INTO orders (name) VALUES (?)", (request.form["name"],))
    return "done"

@app.get("/about")
def about():
    return "about"

@app.get("/odd")
@wrap
def odd():
    return "odd"
"""


@pytest.mark.rule("A9")
def test_what_cannot_be_determined_is_unknown(project: Callable[[str], Project]) -> None:
    made = project(ROUTES)
    rows = {row.path: (row.auth_required, row.role_required) for row in permissions(entry_points(made))}
    assert rows == {
        "/orders": (Guard.PRESENT, Guard.PRESENT),
        "/about": (Guard.ABSENT, Guard.ABSENT),
        "/odd": (Guard.UNKNOWN, Guard.UNKNOWN),
    }
    every = [(row.method, row.role_required) for row in permissions(entry_points(made)) if row.path == "/orders"]
    assert every == [("GET", Guard.ABSENT), ("POST", Guard.PRESENT)]


@pytest.mark.rule("A19")
def test_resources_are_those_with_something_to_compare(
    project: Callable[[str], Project], examine: Callable[[str], Examination]
) -> None:
    made = project(ROUTES)
    assert control.resources(made, entry_points(made)) == ("order",)
    comparisons = examine(ROUTES).comparisons
    assert [(each.resource, each.operations, each.consistent) for each in comparisons] == [("order", ("create", "read"), True)]


@pytest.mark.rule("A19")
def test_a_change_that_asks_less_than_reading_is_inconsistent(examine: Callable[[str], Examination]) -> None:
    text = ROUTES.replace("@admin_required\n", "")
    assert [each.consistent for each in examine(text).comparisons] == [False]


@pytest.mark.rule("A16", "A19")
def test_only_decided_endpoints_count_as_verified(examine: Callable[[str], Examination]) -> None:
    result = examine(ROUTES)
    assert len(result.endpoints) == 3
    open_traces = [trace for trace in result.traces if trace.kind == "endpoint" and not trace.complete]
    assert len(open_traces) == 1
    searches = [each for each in result.searches if each.dimension is Dimension.D3]
    assert len({each.query for each in searches}) >= 3
    assert len({each.kind for each in searches}) >= 2
    assert all(each.language == "python" for each in result.searches)


def test_other_dimensions_are_left_alone(project: Callable[[str], Project]) -> None:
    made = project(ROUTES)
    assert control.examine(made, entry_points(made), (Dimension.D1,)) == Examination()
    only = control.examine(made, entry_points(made), (Dimension.D9,))
    assert {each.dimension for each in only.searches} == {Dimension.D9}


@pytest.mark.parametrize(
    ("path", "resource"),
    [
        ("/api/v1/orders/<int:order_id>/print", "order"),
        ("/customers/<id>", "customer"),
        ("/cart/add", "cart"),
        ("/users/{username}", "user"),
        ("/", ""),
        ("/<name>", ""),
    ],
)
def test_the_resource_of_a_route(path: str, resource: str) -> None:
    assert resource_of(path) == resource

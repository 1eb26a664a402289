"""The severity of a missing guard's proof (A55): Medium if a peer has the guard, otherwise Low, because it may be intentional."""

import pytest
from control_cases import Examine

from counterproof.model.finding import Finding
from counterproof.model.proof import Guess, Part

PEERS = """
@app.put("/orders/<int:order_id>")
@login_required
def change(order_id):
    db().execute("UPDATE orders SET paid = 1 WHERE id = ?", (order_id,))
    return "ok"

@app.post("/notes")
@login_required
def note():
    db().execute("INSERT INTO notes (t) VALUES (?)", (request.form["t"],))
    return "ok"
"""
REMOVE = """
@app.delete("/{what}/<int:order_id>")
def remove(order_id):
    db().execute("DELETE FROM {what} WHERE id = ?", (order_id,))
    return "ok"
"""
LOOKED_UP = """
def of_user(order_id, user_id):
    return db().execute("SELECT * FROM orders WHERE id = ? AND user_id = ?", (order_id, user_id)).fetchone()

@app.get("/orders/<int:order_id>")
@login_required
def show(order_id):
    row = db().execute("SELECT * FROM orders WHERE id = ?", (order_id,)).fetchone()
    return jsonify(dict(row))
"""
ASKED_FOR = """
@app.get("/orders/<int:order_id>/lines")
@login_required
def lines(order_id):
    row = db().execute("SELECT * FROM orders WHERE id = ? AND user_id = ?", (order_id, session["user_id"])).fetchone()
    return jsonify(dict(row))
"""

ABSENT = {
    "state-changing-get": """
@app.get("/orders/<int:order_id>/delete")
@login_required
def remove(order_id):
    db().execute("DELETE FROM orders WHERE id = ?", (order_id,))
    return "ok"
""",
}


def _guesses(finding: Finding) -> set[Guess]:
    return {each.guess for each in finding.proof.assumptions} if finding.proof else set()


def _peers(finding: Finding) -> list[str]:
    return [link.fact.symbol for link in finding.proof.links if link.part is Part.PEER] if finding.proof else []


@pytest.mark.rule("A55")
@pytest.mark.parametrize(("what", "peers"), [("orders", ["change"]), ("drafts", [])])
def test_a_missing_login_is_worth_more_beside_a_peer_that_asks_for_one(examine: Examine, what: str, peers: list[str]) -> None:
    found = [each for each in examine(PEERS + REMOVE.format(what=what)).findings if each.rule == "unguarded-destruction"]
    assert [_peers(each) for each in found] == [peers]
    assert [Guess.OUTER_GUARD in _guesses(each) for each in found] == [not peers]
    assert [each.proof.open_points == () for each in found] == [bool(peers)]


@pytest.mark.rule("A55")
def test_what_the_code_says_is_open_has_no_peer(examine: Examine) -> None:
    said = REMOVE.format(what="orders").replace("def remove", "@permission_classes([AllowAny])\ndef remove")
    found = [each for each in examine(PEERS + said).findings if each.rule == "unguarded-destruction"]
    assert [(_peers(each), each.proof.open_points == ()) for each in found] == [([], False)]


@pytest.mark.rule("A55")
def test_that_an_object_is_somebodys_is_known_by_a_peer_that_asks_whose_it_is(examine: Examine) -> None:
    alone, beside = examine(LOOKED_UP).findings[0], examine(LOOKED_UP + ASKED_FOR).findings[0]
    assert (_guesses(alone), _peers(alone)) == ({Guess.NAME, Guess.MEANT_OPEN, Guess.OUTER_GUARD}, [])
    assert (_guesses(beside), _peers(beside)) == ({Guess.MEANT_OPEN, Guess.UNSEEN_GUARD}, ["lines"])
    assert [each.proof.open_points == () for each in (alone, beside)] == [False, False]


MEMBERS = """
def {name}(view):
    @wraps(view)
    def inner(*args, **kwargs):
        {body}
        return view(*args, **kwargs)
    return inner
"""


@pytest.mark.rule("A55")
@pytest.mark.parametrize(
    ("body", "guesses"),
    [
        (
            "if not may_see(kwargs):\n            abort(403)\n            return None",
            {Guess.NAME, Guess.MEANT_OPEN, Guess.UNSEEN_GUARD},
        ),
        ("count()", {Guess.MEANT_OPEN, Guess.UNSEEN_GUARD}),
    ],
    ids=["turns-away", "only-counts"],
)
def test_a_guard_of_the_project_that_was_not_read_may_ask(examine: Examine, body: str, guesses: set[Guess]) -> None:
    shown = LOOKED_UP.replace("@login_required\ndef show", "@login_required\n@members\ndef show")
    code = MEMBERS.format(name="members", body=body) + shown + ASKED_FOR
    found = [each for each in examine(code).findings if each.rule == "missing-ownership-check"]
    assert [_guesses(each) for each in found] == [guesses]


@pytest.mark.rule("A55")
@pytest.mark.parametrize("rule", ["state-changing-get"])
def test_whatever_is_missing_may_be_left_out_on_purpose(examine: Examine, rule: str) -> None:
    found = [each for each in examine(ABSENT[rule]).findings if each.rule == rule]
    assert [_guesses(each) >= {Guess.MEANT_OPEN, Guess.OUTER_GUARD} for each in found] == [True]
    assert [each.proof.open_points == () for each in found] == [False]

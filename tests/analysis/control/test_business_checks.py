"""Mass assignment, races, amounts and slow patterns, each beside its sound twin."""

import pytest
from control_cases import Found

from counterproof.analysis.patterns.nested_repetition import is_exponential

SETTINGS = """
class User:
    def __init__(self, name="", role=""):
        self.name = name
        self.role = role

FIELDS = ("name", "phone")

@app.put("/me")
@login_required
def change():
    user = User()
    {body}
    return "ok"
"""


@pytest.mark.parametrize(
    "body",
    [
        "for name, value in request.get_json().items():\n        setattr(user, name, value)",
        "for name, value in request.get_json().items():\n        if hasattr(user, name):\n            setattr(user, name, value)",
        "user = User(**request.get_json())",
        "user = User(role=request.form['role'])",
    ],
)
def test_fields_that_the_sender_names_are_found(found: Found, body: str) -> None:
    assert [each.partition(":")[0] for each in found(SETTINGS.format(body=body))] == ["mass-assignment"]


@pytest.mark.parametrize(
    "body",
    [
        "for name, value in request.get_json().items():\n        if name in FIELDS:\n            setattr(user, name, value)",
        "for name in FIELDS:\n        setattr(user, name, request.form.get(name))",
        "user = User(name=request.form['name'])",
        "user = User(**{'name': request.form['name']})",
    ],
)
def test_fields_from_a_fixed_list_are_not(found: Found, body: str) -> None:
    assert found(SETTINGS.format(body=body)) == []


RACE = """
def redeem(code):
    store = db()
    row = store.execute("SELECT * FROM coupons WHERE code = ?", (code,)).fetchone()
    if row["used"] >= row["max_uses"]:
        return 0
    store.execute({statement})
    return 1
"""


def test_a_count_that_is_tested_first_and_written_later_is_found(found: Found) -> None:
    text = RACE.format(statement='"UPDATE coupons SET used = ? WHERE code = ?", (row["used"] + 1, code)')
    assert found(text) == ['check-then-act: if row["used"] >= row["max_uses"]:']


@pytest.mark.parametrize(
    "statement",
    [
        '"UPDATE coupons SET used = used + 1 WHERE code = ? AND used < max_uses", (code,)',
        '"UPDATE coupons SET seen = ? WHERE code = ?", (1, code)',
        '"UPDATE other SET used = ? WHERE code = ?", (1, code)',
    ],
)
def test_a_statement_that_counts_by_itself_is_not(found: Found, statement: str) -> None:
    assert found(RACE.format(statement=statement)) == []


def test_a_lock_makes_it_sound(found: Found) -> None:
    text = RACE.format(statement='"UPDATE coupons SET used = ? WHERE code = ?", (1, code)')
    assert found(text.replace('WHERE code = ?", (code,)).fetchone', 'WHERE code = ? FOR UPDATE", (code,)).fetchone')) == []


CART = """
@app.post("/cart")
def add():
    quantity = request.form.get("quantity", default=1, type=int)
    {test}
    cart = session.setdefault("cart", {{}})
    cart["x"] = cart.get("x", 0) + quantity
    return "ok"
"""


def test_a_quantity_without_bounds_is_found(found: Found) -> None:
    assert [each.partition(":")[0] for each in found(CART.format(test="pass"))] == ["unchecked-amount"]


@pytest.mark.parametrize(
    "test", ["if quantity < 1: abort(400)", "if not 1 <= quantity <= 9: abort(400)", "quantity = max(1, quantity)"]
)
def test_a_bounded_quantity_is_not(found: Found, test: str) -> None:
    assert found(CART.format(test=test)) == []


@pytest.mark.parametrize(
    ("pattern", "slow"),
    [
        (r"^(a+)+$", True),
        (r"^([A-Z0-9]+-?)+#\d$", True),
        (r"^([-.\w]*[0-9a-z])*@$", True),
        (r"^(\w|\d)+x", True),
        (r"^(?:a*)*b", True),
        (r"^[A-Z]{2}-\d{4,10}$", False),
        (r"^([a-z]+\.)+[a-z]+$", False),
        (r"^(ab)+$", False),
        (r"^a+b+$", False),
        (r"(a+)+", False),
        (r"^(\d{3})+$", False),
        (r"(?=a)(a+)+$", False),
        ("(" * 200 + "a+" + ")+" * 200 + "$", False),
        ("(unclosed", False),
        ("[unclosed", False),
    ],
)
def test_only_clearly_exponential_patterns_are_slow(pattern: str, slow: bool) -> None:
    assert is_exponential(pattern) is slow

"""Missing logins, roles and owners, and the code that looks alike but is sound."""

import pytest
from control_cases import Found

GUARDED = """
@app.get("/reports")
@admin_required
def reports():
    return "r"

@app.post("/products")
@admin_required
def products():
    db().execute("INSERT INTO products (name) VALUES (?)", (request.form["name"],))
    return "done"

@app.post("/prices")
@admin_required
def prices():
    db().execute("UPDATE products SET price = 1")
    return "done"
"""


def test_an_export_among_guarded_endpoints_is_found(found: Found) -> None:
    text = GUARDED + '\n@app.get("/customers/export")\ndef export():\n    return "all"\n'
    assert found(text) == ["missing-authentication: def export():"]


@pytest.mark.parametrize(
    "extra",
    [
        '\n@app.post("/login")\ndef login():\n    db().execute("UPDATE users SET seen = 1")\n    return "in"\n',
        '\n@app.get("/catalogue")\ndef catalogue():\n    return "all"\n',
        '\n@app.get("/health")\ndef health():\n    return "ok"\n',
    ],
)
def test_endpoints_that_are_open_by_nature_are_not(found: Found, extra: str) -> None:
    assert found(GUARDED + extra) == []


def test_where_nobody_is_guarded_a_write_is_no_finding(found: Found) -> None:
    text = '\n@app.post("/notes")\ndef notes():\n    db().execute("INSERT INTO notes (t) VALUES (?)", ("x",))\n    return "ok"\n'
    assert found(text) == []


@pytest.mark.parametrize(
    "body",
    [
        '@app.post("/reset-all")\ndef wipe():\n    db().execute("DROP TABLE users")\n    return "ok"\n',
        '@app.delete("/users/<name>")\ndef remove(name):\n    db().execute("DELETE FROM users WHERE n = ?", (name,))\n',
    ],
)
def test_destruction_for_anyone_is_found(found: Found, body: str) -> None:
    assert [each.partition(":")[0] for each in found("\n" + body)] == ["unguarded-destruction"]
    guarded = body.replace("\ndef ", "\n@login_required\ndef ", 1)
    assert "unguarded-destruction" not in [each.partition(":")[0] for each in found("\n" + guarded)]


def test_an_administrative_endpoint_with_a_login_only_is_found(found: Found) -> None:
    text = GUARDED + '\n@app.get("/audit")\n@login_required\ndef audit():\n    return "log"\n'
    assert found(text) == ["missing-role-check: def audit():"]


ORDERS = """
def by_id(order_id):
    return db().execute("SELECT * FROM orders WHERE id = ?", (order_id,)).fetchone()

def of_user(order_id, user_id):
    return db().execute("SELECT * FROM orders WHERE id = ? AND user_id = ?", (order_id, user_id)).fetchone()

def product(product_id):
    return db().execute("SELECT * FROM products WHERE id = ?", (product_id,)).fetchone()

@app.get("/orders/<int:order_id>")
@login_required
def show(order_id):
    {body}
    return jsonify(dict(row))
"""


def test_an_object_looked_up_by_its_id_alone_is_found(found: Found) -> None:
    assert found(ORDERS.format(body="row = by_id(order_id)")) == ["missing-ownership-check: row = by_id(order_id)"]


@pytest.mark.parametrize(
    "body",
    [
        'row = of_user(order_id, session["user_id"])',
        'row = by_id(order_id)\n    if row["user_id"] != session["user_id"]:\n        abort(404)',
        "row = product(order_id)",
        "row = {}",
    ],
)
def test_an_object_that_is_the_callers_or_nobodys_is_not(found: Found, body: str) -> None:
    assert found(ORDERS.format(body=body)) == []


def test_a_helper_that_compares_the_owner_counts(found: Found) -> None:
    helper = """
def own(order_id):
    row = by_id(order_id)
    if row["user_id"] != g.user["id"]:
        abort(403)
    return row
"""
    assert found(helper + ORDERS.format(body="row = own(order_id)")) == []


def test_ownership_check_in_another_branch_does_not_guard(found: Found) -> None:
    body = 'if app.testing:\n        row = by_id(order_id)\n    else:\n        row = of_user(order_id, session["user_id"])'
    assert found(ORDERS.format(body=body)) == ["missing-ownership-check: row = by_id(order_id)"]


def test_administrators_may_look_at_everything(found: Found) -> None:
    text = ORDERS.format(body="row = by_id(order_id)").replace("@login_required\ndef show", "@admin_required\ndef show")
    assert found(text) == []


ASKING = """
def mine(view):
    @wraps(view)
    def inner(*args, **kwargs):
        row = by_id(kwargs["{name}"])
        if row["user_id"] != session["user_id"]:
            return redirect("/")
        return view(*args, **kwargs)
    return inner
"""


@pytest.mark.parametrize(("name", "expected"), [("order_id", 0), ("other_id", 1)])
def test_a_decorator_that_compares_the_owner_of_what_is_asked_for_counts(found: Found, name: str, expected: int) -> None:
    text = ORDERS.format(body="row = by_id(order_id)").replace("@login_required\ndef show", "@mine\ndef show")
    assert len([each for each in found(ASKING.format(name=name) + text) if "ownership" in each]) == expected

"""The JSON API for the mobile app, merchants and partners."""

from flask import Blueprint, abort, g, jsonify, request

from storefront import tokens
from storefront.guards import partner_required, token_required
from storefront.passwords import matches
from storefront.ratelimit import limited
from storefront.services import remote
from storefront.store import orders, products, users

blueprint = Blueprint("api", __name__)

OWN_FIELDS = ("name", "phone", "avatar")


@blueprint.after_request
def allow_apps(response):
    response.headers["Access-Control-Allow-Origin"] = request.headers.get("Origin", "*")
    response.headers["Access-Control-Allow-Credentials"] = "true"
    response.headers["Access-Control-Allow-Headers"] = "Authorization, Content-Type"
    return response


def body():
    values = request.get_json()
    if not isinstance(values, dict):
        abort(400)
    return values


@blueprint.post("/token")
@limited("token", times=10, seconds=900)
def token():
    values = body()
    user = users.by_email(str(values.get("email", "")).lower())
    if user is None or not matches(user, str(values.get("password", ""))):
        return jsonify(error="wrong address or password"), 401
    return jsonify(token=tokens.issue(user))


@blueprint.get("/products")
def product_list():
    limit = min(request.args.get("limit", default=50, type=int), 200)
    rows = products.table(request.args.get("sort", "name"), request.args.get("direction", "asc"), limit)
    return jsonify(products=[dict(row) for row in rows])


@blueprint.get("/products/<int:product_id>")
def product(product_id):
    row = products.by_id(product_id)
    if row is None:
        abort(404)
    return jsonify(dict(row))


@blueprint.get("/me")
@token_required
def me():
    return jsonify(g.caller.everything())


@blueprint.patch("/me")
@token_required
def change_me():
    user = g.caller
    for field, value in body().items():
        if field in OWN_FIELDS:
            setattr(user, field, str(value)[:200])
    users.save(user)
    return jsonify(user.public())


@blueprint.put("/customers/<int:user_id>/address")
@token_required
def change_address(user_id):
    address = str(body().get("address", ""))[:300]
    if not users.set_address(user_id, address):
        abort(404)
    return jsonify(user=user_id, address=address)


@blueprint.put("/me/settings")
@token_required
def settings():
    """Settings of the mobile app; it sends what the customer changed."""
    user = g.caller
    for name, value in body().items():
        if hasattr(user, name):
            setattr(user, name, value)
    users.save(user)
    return jsonify(saved=True)


@blueprint.get("/orders/<int:order_id>")
@token_required
def order(order_id):
    row = orders.by_id(order_id)
    if row is None or row["user_id"] != g.caller.id:
        abort(404)
    return jsonify(order=dict(row), items=[dict(item) for item in orders.items(order_id)])


@blueprint.post("/orders")
@token_required
def create_order():
    """An order from the mobile app; the app has worked the prices out."""
    lines = []
    for line in body().get("lines", []):
        found = products.by_id(int(line["product"]))
        quantity = int(line["quantity"])
        if found is None or not 1 <= quantity <= 99:
            abort(400)
        lines.append((found["id"], quantity, int(line["unit_cents"])))
    total = sum(quantity * cents for _, quantity, cents in lines)
    order_id = orders.place(g.caller.id, lines, total)
    if order_id is None:
        abort(409)
    return jsonify(order=order_id, total=total), 201


@blueprint.post("/hooks/test")
@token_required
def test_hook():
    """Send a sample event to the address a merchant wants to use."""
    status, text = remote.call_hook(str(body().get("address", "")), remote.sample_event("test"))
    return jsonify(status=status, answer=text)


@blueprint.put("/partner/stock")
@partner_required
def partner_stock():
    values = body()
    row = products.by_sku(str(values.get("sku", "")))
    stock = int(values.get("stock", 0))
    if row is None or not 0 <= stock <= 100000:
        abort(400)
    products.set_stock(row["id"], stock)
    return jsonify(sku=row["sku"], stock=stock, partner=g.partner)


@blueprint.get("/reviewers/<int:user_id>")
def reviewer(user_id):
    """What the page of a reviewer shows."""
    user = users.by_id(user_id)
    if user is None:
        abort(404)
    return jsonify(user.public())

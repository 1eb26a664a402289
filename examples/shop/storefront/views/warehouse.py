"""The warehouse's screens. Everything in this blueprint is for staff."""

from flask import Blueprint, abort, current_app, jsonify, request

from storefront.guards import current_user
from storefront.services import remote
from storefront.store import orders, products

blueprint = Blueprint("warehouse", __name__)


@blueprint.before_request
def staff_only():
    user = current_user()
    if user is None or user.role not in ("warehouse", "admin"):
        abort(403)


@blueprint.after_request
def allow_scanners(response):
    origin = request.headers.get("Origin")
    if origin in current_app.config["WAREHOUSE_ORIGINS"]:
        response.headers["Access-Control-Allow-Origin"] = origin
        response.headers["Access-Control-Allow-Credentials"] = "true"
        response.headers["Vary"] = "Origin"
    return response


@blueprint.get("/orders")
def waiting():
    rows = [dict(row) for row in orders.latest(200) if row["status"] == "paid"]
    return jsonify(orders=rows)


@blueprint.post("/orders/<int:order_id>/packed")
def packed(order_id):
    if not orders.move(order_id, "paid", "packed"):
        abort(409)
    return jsonify(order=order_id, status="packed")


@blueprint.post("/stock/<int:product_id>")
def count_stock(product_id):
    counted = request.form.get("stock", type=int)
    if counted is None or not 0 <= counted <= 100000 or products.by_id(product_id) is None:
        abort(400)
    products.set_stock(product_id, counted)
    return jsonify(product=product_id, stock=counted)


@blueprint.get("/parcels/<number>")
def parcel(number):
    if not number.isalnum():
        abort(400)
    return jsonify(remote.carrier_status(number))


@blueprint.post("/partner-logo")
def partner_logo():
    name = remote.fetch_partner_logo(request.form.get("url", ""))
    if name is None:
        abort(400)
    return jsonify(name=name)

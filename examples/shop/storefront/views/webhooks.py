"""Calls from other companies: the payment gateway, the carrier, suppliers."""

import hashlib
import hmac

from flask import Blueprint, abort, current_app, jsonify, request

from storefront import csrf
from storefront.services import suppliers
from storefront.store import orders, products

blueprint = Blueprint("webhooks", __name__)

PARCEL_STATES = {"picked_up": "shipped", "delivered": "delivered", "returned": "returned"}


@blueprint.post("/payment")
@csrf.exempt
def payment():
    key = current_app.config["PAYMENT_HOOK_KEY"]
    expected = hmac.new(key.encode(), request.get_data(), hashlib.sha256).hexdigest()
    if not key or not hmac.compare_digest(expected, request.headers.get("X-Signature", "")):
        abort(403)
    event = request.get_json()
    if event.get("type") == "charge.failed":
        orders.set_status(int(event["order"]), "unpaid")
    return jsonify(ok=True)


@blueprint.post("/supplier")
@csrf.exempt
def supplier():
    """New prices from a supplier."""
    key = current_app.config["SUPPLIER_HOOK_KEY"]
    if not key or request.headers.get("X-Supplier-Key", "") != key:
        abort(403)
    changed = 0
    for sku, price, name in suppliers.read_price_list(request.get_data()):
        row = products.by_sku(sku)
        if row is not None:
            products.upsert(
                sku, name or row["name"], row["description"], round(float(price) * 100), row["stock"], row["category"]
            )
            changed += 1
    return jsonify(changed=changed)


@blueprint.post("/parcel")
@csrf.exempt
def parcel():
    """The carrier tells where a parcel is."""
    event = request.get_json()
    status = PARCEL_STATES.get(event.get("state"))
    if status is None:
        abort(400)
    orders.set_status(int(event["order"]), status)
    return jsonify(ok=True)

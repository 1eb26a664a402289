"""The cart: what is in it, coupons, saved carts, gift messages."""

import base64
import json
import pickle
from datetime import date

from flask import (
    Blueprint,
    abort,
    flash,
    make_response,
    redirect,
    render_template,
    render_template_string,
    request,
    session,
    url_for,
)

from storefront.guards import login_required
from storefront.links import is_local
from storefront.ratelimit import limited
from storefront.services import pricing
from storefront.store import coupons, products

blueprint = Blueprint("cart", __name__)

LARGEST_QUANTITY = 99
LABEL = "<p class='label'>To {{ name }}, with love from {{ sender }}</p>"


@blueprint.get("/")
def show():
    cart = session.get("cart", {})
    percent = session.get("percent_off", 0)
    return render_template(
        "cart.html",
        lines=pricing.cart_lines(cart),
        total=pricing.cart_total(cart, percent),
        percent=percent,
    )


@blueprint.post("/add")
def add():
    product = products.by_id(request.form.get("product_id", type=int))
    quantity = request.form.get("quantity", default=1, type=int)
    if product is None:
        abort(404)
    cart = session.setdefault("cart", {})
    key = str(product["id"])
    cart[key] = cart.get(key, 0) + quantity
    flash(f"{product['name']} is in your cart.")
    return redirect(url_for("cart.show"))


@blueprint.post("/remove")
def remove():
    session.get("cart", {}).pop(request.form.get("product_id", ""), None)
    target = request.form.get("back", "")
    return redirect(target if is_local(target) else url_for("cart.show"))


@blueprint.post("/update")
def update():
    cart = session.get("cart", {})
    key = request.form.get("product_id", "")
    quantity = request.form.get("quantity", type=int)
    if key not in cart or quantity is None or not 1 <= quantity <= LARGEST_QUANTITY:
        abort(400)
    cart[key] = quantity
    return redirect(url_for("cart.show"))


@blueprint.post("/coupon")
@login_required
@limited("coupon", times=10, seconds=600)
def coupon():
    if session.get("percent_off"):
        flash("One coupon per order, please.")
        return redirect(url_for("cart.show"))
    percent = coupons.redeem(request.form.get("code", ""), date.today().isoformat())
    session["percent_off"] = percent
    flash(f"{percent}% off." if percent else "This coupon is not valid.")
    return redirect(url_for("cart.show"))


@blueprint.post("/save")
def save():
    """Keep the cart on the customer's machine for a later visit."""
    response = make_response(redirect(url_for("cart.show")))
    saved = base64.urlsafe_b64encode(pickle.dumps(session.get("cart", {}))).decode()
    response.set_cookie("saved_cart", saved, max_age=86400 * 30, secure=True, httponly=True, samesite="Lax")
    return response


@blueprint.post("/restore")
def restore():
    saved = request.cookies.get("saved_cart")
    if saved:
        session["cart"] = pickle.loads(base64.urlsafe_b64decode(saved))
    return redirect(url_for("cart.show"))


@blueprint.post("/quick")
def quick():
    """Many pieces at once, for companies: the quantity may be a small calculation."""
    product = products.by_sku(request.form.get("sku", ""))
    if product is None:
        abort(404)
    pieces = pricing.pieces(request.form.get("pieces", "1"))
    if not 1 <= pieces <= product["stock"]:
        abort(400)
    session.setdefault("cart", {})[str(product["id"])] = pieces
    return redirect(url_for("cart.show"))


@blueprint.post("/bundle")
def bundle():
    cart = session.setdefault("cart", {})
    for row in products.by_ids(pricing.bundle(request.form.get("ids", "[]"))[:10]):
        cart.setdefault(str(row["id"]), 1)
    return redirect(url_for("cart.show"))


@blueprint.get("/wishlist")
def wishlist():
    try:
        ids = json.loads(base64.urlsafe_b64decode(request.cookies.get("wishlist", "W10=")))
    except ValueError:
        ids = []
    wanted = [each for each in ids if isinstance(each, int)][:50] if isinstance(ids, list) else []
    return render_template("index.html", products=products.by_ids(wanted), deal=None)


@blueprint.post("/gift/preview")
def gift_preview():
    """Show the card that goes with a present."""
    message = request.form.get("message", "")[:500]
    card = "<div class='card'><p>" + message.replace("\n", "<br>") + "</p><p>{{ shop }}</p></div>"
    return render_template_string(card, shop="The shop by the harbour")


@blueprint.post("/gift/balance")
@limited("gift", times=10, seconds=600)
def gift_balance():
    """What is left on a gift card."""
    cents = coupons.gift_balance(request.form.get("code", ""))
    flash(f"This card holds {cents / 100:.2f}.")
    return redirect(url_for("cart.show"))


@blueprint.post("/gift/label")
def gift_label():
    name = request.form.get("name", "")[:80]
    return render_template_string(LABEL, name=name, sender=request.form.get("sender", "")[:80])

"""Paying, and what comes after: orders, invoices, cancellations."""

import os

from flask import Blueprint, Response, abort, current_app, flash, redirect, render_template, request, send_file, session, url_for

from storefront.guards import current_user, login_required
from storefront.services import mailer, payments, pricing, transfer, vault
from storefront.store import coupons, orders, users

blueprint = Blueprint("checkout", __name__)


@blueprint.get("/")
@login_required
def review():
    cart = session.get("cart", {})
    if not cart:
        return redirect(url_for("cart.show"))
    total = pricing.cart_total(cart, session.get("percent_off", 0))
    return render_template("checkout.html", lines=pricing.cart_lines(cart), total=total)


@blueprint.post("/place")
@login_required
def place():
    user = current_user()
    cart = session.get("cart", {})
    shipping = request.form.get("shipping", "standard")
    if not cart or shipping not in pricing.SHIPPING:
        abort(400)
    lines = [(row["id"], quantity, row["price_cents"]) for row, quantity, _ in pricing.cart_lines(cart)]
    total = pricing.cart_total(cart, session.get("percent_off", 0), shipping)
    order_id = orders.place(user.id, lines, total, request.form.get("note", "")[:500])
    if order_id is None:
        flash("Something in your cart has just sold out.")
        return redirect(url_for("cart.show"))
    settle(user, order_id, total)
    session["cart"] = {}
    session.pop("percent_off", None)
    return redirect(url_for("checkout.mine", order_id=order_id))


def settle(user, order_id, total):
    """Pay with a gift card or a bank card."""
    gift_code = request.form.get("gift_code")
    if gift_code and coupons.spend_gift_card(gift_code, total):
        orders.set_payment(order_id, "gift card")
        mailer.send_confirmation(user, order_id, total)
        return
    card = {name: request.form.get(name, "") for name in ("number", "expires", "cvc")}
    try:
        reference = payments.charge(order_id, card, total)
    except payments.PaymentFailed as failure:
        orders.set_status(order_id, "unpaid")
        flash(f"The payment was declined: {failure}")
        return
    orders.set_payment(order_id, reference)
    if request.form.get("keep_card") == "yes":
        users.set_card(user.id, vault.lock_card(card["number"], card["expires"]))
    mailer.send_confirmation(user, order_id, total)


@blueprint.get("/orders")
@login_required
def history():
    rows = orders.history(current_user().id, request.args.get("since"))
    return render_template("orders.html", orders=rows)


@blueprint.get("/orders/<int:order_id>")
@login_required
def mine(order_id):
    order = orders.of_user(order_id, current_user().id)
    if order is None:
        abort(404)
    return render_template("order.html", order=order, items=orders.items(order_id))


@blueprint.get("/orders/export")
@login_required
def export():
    text = transfer.orders_json(current_user().id)
    return Response(text, mimetype="application/json", headers={"Content-Disposition": "attachment; filename=orders.json"})


@blueprint.get("/orders/<int:order_id>/print")
@login_required
def printed(order_id):
    """The order on one page, for the printer."""
    order = orders.by_id(order_id)
    if order is None:
        abort(404)
    return render_template("order.html", order=order, items=orders.items(order_id), plain=True)


@blueprint.get("/orders/<int:order_id>/invoice")
@login_required
def invoice(order_id):
    order = orders.by_id(order_id)
    if order is None or order["user_id"] != current_user().id:
        abort(404)
    path = os.path.join(current_app.config["INVOICE_DIR"], f"{order_id}.pdf")
    if not os.path.isfile(path):
        abort(404)
    return send_file(path, as_attachment=True)


@blueprint.post("/orders/<int:order_id>/cancel")
@login_required
def cancel(order_id):
    """Take an order back; what was paid becomes credit."""
    user = current_user()
    order = orders.of_user(order_id, user.id)
    if order is None or not order["payment"]:
        abort(404)
    orders.set_status(order_id, "cancelled")
    users.add_credit(user.id, order["total_cents"])
    flash("The order is cancelled and the amount is on your account.")
    return redirect(url_for("checkout.history"))

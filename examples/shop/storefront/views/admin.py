"""The admin area: products, customers, orders, coupons."""

from flask import Blueprint, Response, abort, flash, redirect, render_template, request, url_for

from storefront import database
from storefront.guards import admin_required
from storefront.services import media, payments, reports, transfer
from storefront.store import coupons, orders, products, users

blueprint = Blueprint("admin", __name__)

ROLES = ("customer", "warehouse", "admin")


@blueprint.get("/")
@admin_required
def dashboard():
    return render_template("dashboard.html", orders=orders.latest(20), disk=reports.disk_usage(), scarce=reports.low_stock(5))


@blueprint.post("/products")
@admin_required
def save_product():
    try:
        products.upsert(
            sku=request.form["sku"].strip(),
            name=request.form["name"].strip(),
            description=request.form.get("description", ""),
            price_cents=round(float(request.form["price"]) * 100),
            stock=max(0, int(request.form["stock"])),
            category=request.form.get("category", "other"),
        )
    except ValueError:
        abort(400, "Price and stock are numbers.")
    return redirect(url_for("admin.dashboard"))


@blueprint.post("/products/<int:product_id>/image")
@admin_required
def product_image(product_id):
    file = request.files.get("image")
    if file is None or products.by_id(product_id) is None:
        abort(400)
    name = media.save_product_image(file)
    media.thumbnail(name)
    products.set_image(product_id, name)
    return redirect(url_for("catalogue.product", product_id=product_id))


@blueprint.post("/logo")
@admin_required
def logo():
    file = request.files.get("logo")
    name = media.save_logo(file) if file else None
    if name is None:
        abort(400, "Please choose a picture.")
    media.small_version(name)
    flash(f"The logo is {name}.")
    return redirect(url_for("admin.dashboard"))


@blueprint.get("/customers")
@admin_required
def customers():
    email = request.args.get("email", "")
    rows = database.search("users", "role = 'customer' AND email LIKE '%" + email + "%'")
    return render_template("customers.html", customers=rows)


@blueprint.get("/customers/export")
def export_customers():
    return Response(
        transfer.customers_csv(),
        mimetype="text/csv",
        headers={"Content-Disposition": "attachment; filename=customers.csv"},
    )


@blueprint.get("/orders/export")
@admin_required
def export_orders():
    text = transfer.orders_csv(request.args.get("first", ""), request.args.get("last", ""))
    return Response(text, mimetype="text/csv", headers={"Content-Disposition": "attachment; filename=orders.csv"})


@blueprint.post("/customers/<int:user_id>/role")
@admin_required
def set_role(user_id):
    user = users.by_id(user_id)
    role = request.form.get("role")
    if user is None or role not in ROLES:
        abort(400)
    user.role = role
    users.save(user)
    return redirect(url_for("admin.customers"))


@blueprint.post("/orders/<int:order_id>/refund")
@admin_required
def refund(order_id):
    order = orders.by_id(order_id)
    if order is None or not orders.move(order_id, "paid", "refunded"):
        abort(409, "This order cannot be refunded.")
    payments.refund(order["payment"], order["total_cents"])
    return redirect(url_for("admin.dashboard"))


@blueprint.route("/coupons", methods=["GET", "POST"])
@admin_required
def coupon_list():
    if request.method == "POST":
        percent = request.form.get("percent", type=int)
        uses = request.form.get("max_uses", type=int)
        if percent not in range(1, 91) or uses not in range(1, 10001):
            abort(400)
        coupons.create(request.form["code"].strip().upper(), percent, uses, request.form["expires_at"])
    return render_template("coupons.html", coupons=coupons.everything())

"""Tools of the back office: imports, reports, the directory, price lists."""

from flask import Blueprint, abort, current_app, flash, jsonify, redirect, render_template, request, send_file, url_for

from storefront.guards import admin_required, current_user
from storefront.services import directory, media, reports, suppliers, transfer
from storefront.store import orders

blueprint = Blueprint("backoffice", __name__)


def uploaded(name):
    file = request.files.get(name)
    if file is None or not file.filename:
        abort(400, "Please choose a file.")
    return file


@blueprint.post("/import/orders")
@admin_required
def import_orders():
    entries = transfer.read_orders(uploaded("orders").stream)
    flash(f"{transfer.import_orders(entries)} orders were imported.")
    return redirect(url_for("admin.dashboard"))


@blueprint.post("/import/settings")
@admin_required
def import_settings():
    values = transfer.read_settings(uploaded("settings").stream)
    if isinstance(values.get("PAGE_SIZE"), int):
        current_app.config["PAGE_SIZE"] = min(100, max(1, values["PAGE_SIZE"]))
    return redirect(url_for("admin.dashboard"))


@blueprint.post("/import/images")
@admin_required
def import_images():
    names = media.unpack_images(uploaded("archive").stream)
    flash(f"{len(names)} pictures were unpacked.")
    return redirect(url_for("admin.dashboard"))


@blueprint.post("/import/theme")
@admin_required
def import_theme():
    count = media.unpack_theme(uploaded("archive").stream, request.form.get("theme", "default"))
    flash(f"{count} files were unpacked.")
    return redirect(url_for("admin.dashboard"))


@blueprint.post("/import/translations")
@admin_required
def import_translations():
    count = media.unpack_translations(uploaded("archive").stream)
    flash(f"{count} files were unpacked.")
    return redirect(url_for("admin.dashboard"))


@blueprint.get("/reports/sales")
@admin_required
def sales_report():
    title = request.args.get("title", "Sales")
    path = reports.sales_pdf(title, request.args.get("first", ""), request.args.get("last", ""))
    return send_file(path, as_attachment=True)


@blueprint.get("/reports/stock")
@admin_required
def stock_report():
    threshold = request.args.get("threshold", default=5, type=int)
    return send_file(reports.stock_pdf(request.args.get("title", "Stock"), threshold), as_attachment=True)


@blueprint.get("/reports/preview")
def report_preview():
    """The report as a page. The intranet's proxy marks its own requests."""
    user = current_user()
    if request.headers.get("X-Intranet") != "1" and (user is None or user.role != "admin"):
        abort(403)
    rows = orders.between(request.args.get("first", ""), request.args.get("last", ""))
    return render_template("report.html", title="Sales", rows=rows, total=sum(row["total_cents"] for row in rows))


@blueprint.get("/people")
@admin_required
def people():
    if "department" in request.args:
        return jsonify(directory.find_department(request.args["department"]))
    if "name" in request.args:
        return jsonify(directory.find_person(request.args["name"]))
    return jsonify(directory.everybody())


@blueprint.post("/price-list")
@admin_required
def price_list():
    """Look one article up in a price list."""
    tree = suppliers.parse(uploaded("list").read())
    sku = request.form.get("sku", "")
    return jsonify(name=suppliers.item_name(tree, sku), cents=suppliers.item_price(tree, sku))

"""The shop window: lists, search, product pages, reviews, pictures."""

import re

from flask import (
    Blueprint,
    abort,
    current_app,
    flash,
    jsonify,
    make_response,
    redirect,
    render_template,
    request,
    send_from_directory,
    url_for,
)
from markupsafe import Markup, escape

from storefront.database import connection
from storefront.guards import current_user, login_required
from storefront.services import pricing
from storefront.store import products

blueprint = Blueprint("catalogue", __name__)

ORDER_NUMBER = re.compile(r"^[A-Z]{2}-\d{4,10}$")
CURRENCIES = ("EUR", "NOK", "SEK")


@blueprint.get("/")
def index():
    rows = products.listing(
        request.args.get("sort", "name"),
        request.args.get("category"),
        current_app.config["PAGE_SIZE"],
    )
    return render_template("index.html", products=rows, deal=pricing.deal_of_the_day(rows))


@blueprint.get("/search")
def search():
    term = request.args.get("q", "").strip()
    query = f"SELECT * FROM products WHERE active = 1 AND (name LIKE '%{term}%' OR description LIKE '%{term}%')"
    rows = connection().execute(query).fetchall()
    if not rows:
        return f"<p>Nothing found for <b>{term}</b>. <a href='/'>Back to the shop</a></p>", 404
    return render_template("index.html", products=rows, term=term, deal=None)


@blueprint.get("/suggest")
def suggest():
    term = request.args.get("q", "")[:40]
    return jsonify(term=term, names=[row["name"] for row in products.suggestions(term)])


@blueprint.get("/compare")
def compare():
    chosen = [int(each) for each in request.args.getlist("id") if each.isdigit()][:4]
    if not chosen:
        return redirect(url_for("catalogue.index"))
    return render_template("index.html", products=products.by_ids(chosen), deal=None)


@blueprint.get("/brand/<name>")
def brand(name):
    heading = f"<h1>Products by {escape(name)}</h1>"
    return heading + render_template("product_list.html", products=products.listing("name", name))


@blueprint.get("/product/<int:product_id>")
def product(product_id):
    row = products.by_id(product_id)
    if row is None or not row["active"]:
        abort(404)
    heading = Markup("<h1>%s <small>%s</small></h1>") % (row["name"], row["sku"])
    return render_template("product.html", product=row, heading=heading, reviews=products.reviews(product_id))


@blueprint.post("/product/<int:product_id>/review")
@login_required
def review(product_id):
    body = request.form.get("body", "").strip()
    rating = request.form.get("rating", type=int)
    if not body or rating not in range(1, 6) or products.by_id(product_id) is None:
        abort(400)
    user = current_user()
    products.add_review(product_id, user.name, body[:4000], rating)
    flash(f"Thank you, {user.name}!")
    return redirect(url_for("catalogue.product", product_id=product_id))


@blueprint.get("/article")
def article():
    """Jump to a product by the number printed on its label."""
    number = request.args.get("number", "")
    if not re.match(r"^([A-Z0-9]+-?)+#\d$", number):
        abort(400)
    row = products.by_sku(number)
    if row is None:
        abort(404)
    return redirect(url_for("catalogue.product", product_id=row["id"]))


@blueprint.get("/track")
def track():
    number = request.args.get("number", "")[:20]
    if not ORDER_NUMBER.match(number):
        abort(400)
    return redirect(url_for("checkout.mine", order_id=int(number[3:])))


@blueprint.get("/media/<path:name>")
def media(name):
    return send_from_directory(current_app.config["UPLOAD_DIR"], name)


@blueprint.post("/currency")
def currency():
    chosen = request.form.get("currency")
    if chosen not in CURRENCIES:
        abort(400)
    response = make_response(redirect(url_for("catalogue.index")))
    response.set_cookie("currency", chosen, max_age=86400 * 90, secure=True, httponly=True, samesite="Lax")
    return response

"""Support: questions and answers, tickets and their attachments."""

import csv
import os
import tempfile

from flask import Blueprint, abort, current_app, flash, redirect, render_template, request, send_file, url_for
from werkzeug.utils import safe_join, secure_filename

from storefront import tokens
from storefront.guards import admin_required, current_user, login_required
from storefront.store import tickets

blueprint = Blueprint("support", __name__)

ATTACHMENT_TYPES = (".png", ".jpg", ".pdf", ".txt")
TOPICS = {"delivery": "faq_delivery.html", "returns": "faq_returns.html"}


@blueprint.get("/faq")
def faq():
    template = TOPICS.get(request.args.get("topic", "delivery"))
    if template is None:
        abort(404)
    return render_template(template)


@blueprint.get("/guide")
def guide():
    """Size guides, by name."""
    path = safe_join(current_app.root_path, "static", "guides", request.args.get("name", "") + ".pdf")
    if path is None or not os.path.isfile(path):
        abort(404)
    return send_file(path)


@blueprint.get("/tickets")
@login_required
def listing():
    rows = tickets.with_status(current_user().id, request.args.get("status", "open"))
    return render_template("tickets.html", tickets=rows)


@blueprint.post("/tickets")
@login_required
def create():
    attachment = ""
    file = request.files.get("attachment")
    if file and file.filename:
        extension = os.path.splitext(secure_filename(file.filename))[1].lower()
        if extension not in ATTACHMENT_TYPES:
            abort(400, "Pictures, PDF and text only, please.")
        attachment = tokens.new_attachment_name(extension)
        file.save(os.path.join(current_app.config["ATTACHMENT_DIR"], attachment))
    subject = request.form.get("subject", "")[:120]
    tickets.create(current_user().id, subject, request.form.get("body", "")[:5000], attachment)
    flash("Thank you, we will write back soon.")
    return redirect(url_for("support.listing"))


@blueprint.get("/tickets/<int:ticket_id>")
@login_required
def show(ticket_id):
    ticket = tickets.of_user(ticket_id, current_user().id)
    if ticket is None:
        abort(404)
    return render_template("ticket.html", ticket=ticket)


@blueprint.get("/manual")
def manual():
    """Manuals of products, by file name."""
    folder = os.path.join(current_app.config["ATTACHMENT_DIR"], "manuals")
    path = os.path.join(folder, request.args.get("name", ""))
    if not os.path.isfile(path):
        abort(404)
    return send_file(path)


@blueprint.get("/tickets/<int:ticket_id>/attachment")
@login_required
def attachment(ticket_id):
    """The file that came with a ticket."""
    ticket = tickets.of_user(ticket_id, current_user().id)
    if ticket is None or not ticket["attachment"]:
        abort(404)
    folder = os.path.realpath(current_app.config["ATTACHMENT_DIR"])
    path = os.path.realpath(os.path.join(folder, ticket["attachment"]))
    if os.path.commonpath((folder, path)) != folder:
        abort(404)
    return send_file(path, as_attachment=True)


@blueprint.post("/tickets/<int:ticket_id>/close")
@login_required
def close(ticket_id):
    if tickets.of_user(ticket_id, current_user().id) is None:
        abort(404)
    tickets.set_status(ticket_id, "closed")
    return redirect(url_for("support.listing"))


@blueprint.post("/attachments/discard")
@login_required
def discard():
    """Throw away an attachment before the ticket is sent."""
    path = current_app.config["ATTACHMENT_DIR"] + "/" + request.form.get("name", "")
    if os.path.exists(path):
        os.remove(path)
    return redirect(url_for("support.listing"))


@blueprint.get("/overview")
@admin_required
def overview():
    """Open tickets as a file for the team meeting."""
    path = tempfile.mktemp(suffix=".csv")
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        for row in tickets.open_tickets():
            writer.writerow([row["id"], row["status"], row["created_at"]])
    return send_file(path, as_attachment=True, download_name="tickets.csv")


@blueprint.get("/counts")
@admin_required
def counts():
    """Tickets per status as a file."""
    totals = tickets.counts()
    with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as file:
        for status, number in totals.items():
            file.write(f"{status}\t{number}\n")
        file.flush()
        return send_file(file.name, as_attachment=True, download_name="counts.txt")

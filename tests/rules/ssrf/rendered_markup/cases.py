import html

import imgkit
import pdfkit
from flask import Flask, render_template, request
from weasyprint import HTML
from xhtml2pdf import pisa

app = Flask(__name__)


def only_own(url):
    raise ValueError(url)


@app.route("/letter", methods=["POST"])
def letter():
    return pdfkit.from_string("<h1>Letter</h1>" + request.form["body"], False)  # expect: rendered-markup


@app.route("/poster", methods=["POST"])
def poster():
    page = HTML(string=f"<p>{request.form['text']}</p>")  # expect: rendered-markup
    return page.write_pdf()


@app.route("/card", methods=["POST"])
def card():
    return imgkit.from_string("<b>%s</b>" % request.form["name"], False)  # expect: rendered-markup


@app.route("/bill", methods=["POST"])
def bill():
    with open("/srv/bill.pdf", "wb") as target:
        pisa.CreatePDF(request.form["lines"], dest=target)  # expect: rendered-markup
    return "done"


@app.route("/escaped", methods=["POST"])
def escaped():
    return pdfkit.from_string("<p>" + html.escape(request.form["body"]) + "</p>", False)  # ok: rendered-markup


@app.route("/templated", methods=["POST"])
def templated():
    return pdfkit.from_string(render_template("letter.html", body=request.form["body"]), False)  # ok: rendered-markup


@app.route("/closed", methods=["POST"])
def closed():
    page = HTML(string=request.form["text"], url_fetcher=only_own)  # ok: rendered-markup
    return page.write_pdf()


@app.route("/numbered", methods=["POST"])
def numbered():
    return pdfkit.from_string(f"<p>Page {int(request.form['page'])}</p>", False)  # ok: rendered-markup

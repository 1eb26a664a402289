from html import escape

from flask import Flask, request

app = Flask(__name__)
PAGE = "<html><h1>TITLE</h1>BODY</html>"


@app.route("/filled")
def filled():
    return PAGE.replace("TITLE", request.args["title"])  # expect: xss


@app.route("/read")
def read():
    with open("pages/note.html") as page:
        text = page.read()
    text = text.replace("BODY", request.args["note"]).replace("TITLE", "Note")
    return text  # expect: xss


@app.route("/escaped")
def escaped():
    return PAGE.replace("TITLE", escape(request.args["title"]))  # ok: xss


@app.route("/fixed")
def fixed():
    return PAGE.replace("TITLE", "Shop").replace("BODY", "Open")  # ok: xss

from flask import Flask, render_template, request

app = Flask(__name__)


@app.post("/order")
def order(mail):
    mail.send(render_template("cases_letter.txt", name=request.form["name"]))
    return render_template("cases_letter.html", name=request.form["name"])

import bottle
from flask import Flask, request
from flask.templating import render_template_string
from jinja2.environment import Template

app = Flask(__name__)


@app.route("/hello")
def hello():
    return render_template_string("Hello " + request.args["name"])  # expect: template-injection


@app.route("/mail")
def mail():
    Template(request.args["body"]).render()  # expect: template-injection
    return Template("Dear {{ name }}").render(name=request.args["name"])  # ok: template-injection


@app.route("/simple")
def simple():
    page = bottle.SimpleTemplate("<p>" + request.args["text"] + "</p>")  # expect: template-injection
    return page.render()

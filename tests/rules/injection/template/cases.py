import jinja2
from flask import Flask, render_template, render_template_string, request
from jinja2 import Environment, Template
from jinja2.sandbox import ImmutableSandboxedEnvironment

app = Flask(__name__)
environment = Environment()
PAGES = ("start", "about")


@app.route("/hello")
def hello():
    name = request.args.get("name", "you")
    return render_template_string("<h1>Hello " + name + "</h1>")  # expect: template-injection


@app.route("/formatted")
def formatted():
    template = "Hello {}".format(request.form["name"])
    return Template(template).render()  # expect: template-injection


@app.route("/environment")
def from_environment():
    source = request.get_json()["template"]
    return environment.from_string(source).render(user="you")  # expect: template-injection


def build(body):
    return jinja2.Template("<p>%s</p>" % body)  # expect: template-injection


@app.route("/built/<body>")
def built(body):
    return build(body).render()


@app.route("/variables")
def variables():
    return render_template_string("<h1>Hello {{ name }}</h1>", name=request.args["name"])  # ok: template-injection


@app.route("/file")
def from_file():
    return render_template("hello.html", name=request.args["name"])  # ok: template-injection


@app.route("/chosen")
def chosen():
    page = request.args["page"]
    if page in PAGES:
        return render_template_string("{% include '" + page + ".html' %}")  # ok: template-injection
    return "unknown", 404


@app.route("/count")
def count():
    template = f"<p>{float(request.args['count'])}</p>"
    return render_template_string(template)  # ok: template-injection


def confined():
    return ImmutableSandboxedEnvironment()


@app.route("/confined")
def in_sandbox():
    return confined().from_string(request.args["text"]).render()  # ok: template-injection


@app.route("/from-file")
def from_file():
    with open("/srv/pages/" + request.args["page"]) as page:
        return Template(page.read()).render()  # ok: template-injection

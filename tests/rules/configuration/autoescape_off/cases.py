import aiohttp_jinja2
import jinja2
from flask import Flask
from jinja2 import Environment, select_autoescape

app = Flask(__name__)
app.jinja_env.autoescape = False  # expect: autoescape-off
app.jinja_env.autoescape = True  # ok: autoescape-off

pages = Environment(autoescape=False)  # expect: autoescape-off
default = Environment(loader=jinja2.FileSystemLoader("pages"))  # expect: autoescape-off
safe = Environment(autoescape=True)  # ok: autoescape-off
chosen = Environment(autoescape=select_autoescape(["html"]))  # ok: autoescape-off


def setup(application):
    aiohttp_jinja2.setup(application, loader=jinja2.PackageLoader("shop", "pages"), autoescape=False)  # expect: autoescape-off
    aiohttp_jinja2.setup(application, loader=jinja2.PackageLoader("shop", "pages"))  # ok: autoescape-off


mail_texts = Environment(autoescape=False)  # ok: autoescape-off


def passed_on(folder, **options):
    return Environment(loader=jinja2.FileSystemLoader(folder), **options)  # ok: autoescape-off


def written_code(folder):
    return Environment(loader=folder, variable_start_string="<<", autoescape=False)  # ok: autoescape-off

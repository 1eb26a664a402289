import html
import xml.etree.ElementTree as ElementTree

from flask import Flask, request
from lxml import etree

app = Flask(__name__)


@app.post("/letters")
def letter():
    root = etree.fromstring(request.data)
    return f"Written by {root.findtext('author')}"  # expect: xss


@app.post("/letters/safe")
def safe_letter():
    root = ElementTree.fromstring(request.data)
    return f"Written by {html.escape(root.find('author').text)}"  # ok: xss


@app.post("/letters/count")
def count():
    return f"{len(ElementTree.fromstring(request.data))} parts"  # ok: xss

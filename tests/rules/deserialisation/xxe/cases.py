import io
import xml.dom.minidom
import xml.etree.ElementTree as ElementTree
import xml.sax
import xml.sax.handler

import defusedxml.ElementTree
from flask import Flask, request
from lxml import etree

app = Flask(__name__)


@app.route("/default", methods=["POST"])
def default():
    return etree.fromstring(request.data).tag  # expect: xxe


@app.route("/resolving", methods=["POST"])
def resolving():
    parser = etree.XMLParser(resolve_entities=True)
    return etree.parse(io.BytesIO(request.data), parser).getroot().tag  # expect: xxe


@app.route("/minidom", methods=["POST"])
def minidom():
    parser = xml.sax.make_parser()
    parser.setFeature(xml.sax.handler.feature_external_ges, True)
    return xml.dom.minidom.parseString(request.form["xml"], parser).toxml()  # expect: xxe


@app.route("/sax", methods=["POST"])
def sax():
    parser = xml.sax.make_parser()
    parser.setFeature(xml.sax.handler.feature_external_ges, True)
    parser.parse(request.files["xml"])  # expect: xxe
    return "done"


@app.route("/switched-off", methods=["POST"])
def switched_off():
    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    return etree.fromstring(request.data, parser).tag  # ok: xxe


@app.route("/defused", methods=["POST"])
def defused():
    return defusedxml.ElementTree.fromstring(request.data).tag  # ok: xxe


@app.route("/standard", methods=["POST"])
def standard():
    return ElementTree.fromstring(request.data).tag  # ok: xxe


@app.route("/sax-default", methods=["POST"])
def sax_default():
    parser = xml.sax.make_parser()
    parser.setFeature(xml.sax.handler.feature_external_ges, False)
    parser.parse(request.files["xml"])  # ok: xxe
    return "done"


@app.route("/own")
def own():
    return etree.parse("settings.xml").getroot().tag  # ok: xxe

import xml.etree.ElementTree as ElementTree

import elementpath
import lxml.etree
from flask import Flask, request

app = Flask(__name__)


def document():
    return lxml.etree.parse("people.xml")


@app.route("/by-id")
def by_id():
    return {"found": len(document().xpath("//person[@id='" + request.args["id"] + "']"))}  # expect: xpath-injection


@app.route("/compiled")
def compiled():
    query = f"//person[name='{request.form['name']}']"
    return {"found": len(lxml.etree.XPath(query)(document()))}  # expect: xpath-injection


@app.route("/select")
def select():
    root = ElementTree.parse("people.xml")
    return {"found": elementpath.select(root, "//person[@id='%s']" % request.args["id"])}  # expect: xpath-injection


@app.route("/findall/<name>")
def findall(name):
    root = ElementTree.parse("people.xml").getroot()
    return {"found": len(root.findall(".//person[@name='" + name + "']"))}  # expect: xpath-injection


@app.route("/variable")
def variable():
    return {"found": len(document().xpath("//person[@id=$id]", id=request.args["id"]))}  # ok: xpath-injection


@app.route("/no-quote")
def no_quote():
    name = request.args["name"]
    if "'" in name:
        return "no quotes, please", 400
    return {"found": len(document().xpath(f"//person[name='{name}']"))}  # ok: xpath-injection


@app.route("/number")
def number():
    return {"found": len(document().xpath(f"//person[{int(request.args['n'])}]"))}  # ok: xpath-injection


@app.route("/list")
def from_list():
    seen = []
    seen.append("ann")
    seen.append(request.args["name"])
    seen.pop()
    return {"found": len(document().xpath(f"//person[name='{seen[0]}']"))}  # ok: xpath-injection

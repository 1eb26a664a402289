import xml.sax
from xml.dom import pulldom
from xml.etree import ElementTree

from lxml import etree


def document(text):
    return etree.fromstring(text)  # expect: xml-parser


def parser():
    return etree.XMLParser(recover=True)  # expect: xml-parser


def resolving():
    return etree.XMLParser(resolve_entities=True)  # expect: xml-parser


def events(stream):
    return pulldom.parse(stream)  # expect: xml-parser


def handled(stream, handler):
    xml.sax.parse(stream, handler)  # ok: xml-parser


def plain():
    return etree.XMLParser(resolve_entities=False)  # ok: xml-parser


def with_parser(text, safe):
    return etree.fromstring(text, safe)  # ok: xml-parser


def own():
    text = etree.tostring(etree.Element("a"))
    return etree.fromstring(text)  # ok: xml-parser


def standard(text):
    return ElementTree.fromstring(text)  # ok: xml-parser

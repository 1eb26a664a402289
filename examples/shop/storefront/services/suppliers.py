"""Price lists of suppliers (XML)."""

from lxml import etree


def read_price_list(content):
    """SKU and price of every item in an uploaded list."""
    parser = etree.XMLParser(resolve_entities=True, load_dtd=True, no_network=False)
    tree = etree.fromstring(content, parser)
    return [(item.get("sku", ""), item.findtext("price", "0"), item.findtext("name", "")) for item in tree.iter("item")]


def item_name(tree, sku):
    """The name a list gives to an article."""
    found = tree.xpath("//item[@sku='" + sku + "']/name/text()")
    return found[0] if found else ""


def parse(content):
    """A list as a tree, for looking things up."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    return etree.fromstring(content, parser)


def item_price(tree, sku):
    """The price a list gives to an article, in cents."""
    found = tree.xpath("//item[@sku=$sku]/price/text()", sku=sku)
    return round(float(found[0]) * 100) if found else None

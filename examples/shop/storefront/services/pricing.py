"""What things cost: cart totals, bundles, shipping, the quantity calculator."""

import ast
import operator
import random

from storefront.store import products

SHIPPING = {"standard": 490, "express": 1290, "pickup": 0}
OPERATIONS = {"percent": lambda cents, value: cents * (100 - value) // 100, "minus": operator.sub}
FREE_SHIPPING_FROM = 5000


def cart_lines(cart):
    """(product, quantity, line total) for what is in a cart."""
    wanted = {int(product_id): quantity for product_id, quantity in cart.items()}
    rows = products.by_ids(list(wanted)) if wanted else []
    return [(row, wanted[row["id"]], row["price_cents"] * wanted[row["id"]]) for row in rows]


def cart_total(cart, percent_off=0, shipping="standard"):
    total = sum(line_total for _, _, line_total in cart_lines(cart))
    total = apply_rule("percent", total, percent_off)
    return total + (0 if total >= FREE_SHIPPING_FROM else SHIPPING[shipping])


def pieces(expression):
    """How many pieces a customer means by "12*4" or "3*24+6"."""
    return int(eval(expression, {"__name__": "pieces"}))


def apply_rule(name, cents, value):
    """Apply one of the known discounts."""
    operation = OPERATIONS.get(name)
    return max(0, operation(cents, value)) if operation else cents


def bundle(text):
    """Product ids of a bundle, written as "[3, 5, 8]"."""
    value = ast.literal_eval(text[:200])
    return [int(each) for each in value] if isinstance(value, (list, tuple)) else []


def deal_of_the_day(candidates):
    return random.choice(candidates) if candidates else None

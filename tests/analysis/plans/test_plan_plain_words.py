"""Plans as people write them: packages in plain words, names without backticks, code blocks, tables."""

from pathlib import Path

import pytest

from analysis.plans.planned_shop import doubts, shop
from counterproof.analysis.plans.doubts import Kind
from counterproof.model.plan.challenge import Weight

CODE = "# Import\n\n```python\nfrom shop.cart import {name}\n\n\ndef bring(rows):\n    {call}\n```\n"


def firm(folder: Path, text: str) -> list[tuple[Kind, str]]:
    return [(each.kind, each.subject) for each in doubts(folder, text) if each.weight is not Weight.MINOR]


@pytest.mark.parametrize(
    ("text", "kind", "subject"),
    [
        ("We will use Celery for the mails.", Kind.DEPENDENCY, "Celery"),
        ("Our Celery workers send the mails.", Kind.DEPENDENCY, "Celery"),
        ("Mails go out through Flask-Mail, which we have.", Kind.DEPENDENCY, "Flask-Mail"),
        ("Rows come from SQLAlchemy instead of the file.", Kind.DEPENDENCY, "SQLAlchemy"),
        ("Call total_price(cart, currency) at the end.", Kind.CALL, "total_price(cart, currency)"),
        ("Sums are made by prices.total_price(cart, rounding=2).", Kind.CALL, "prices.total_price(cart, rounding=2)"),
        ("`add_item` takes four arguments today.", Kind.CALL, "add_item"),
        ("add_item takes the arguments cart, item and colour.", Kind.CALL, "add_item"),
        ("Call `add_item(cart=[], count=1)`.", Kind.CALL, "add_item(cart=[], count=1)"),
        ("shop.prices.total_sum() gives the sum.", Kind.SYMBOL, "shop.prices.total_sum"),
        ("Call total_prices() at the end.", Kind.SYMBOL, "total_prices"),
        (CODE.format(name="add_thing", call="pass"), Kind.IMPORT, "shop.cart.add_thing"),
        (
            CODE.format(name="add_item", call="add_item(rows)\n    add_item(rows, 1, colour=2)"),
            Kind.CALL,
            "add_item(rows, 1, colour=2)",
        ),
    ],
)
def test_what_is_not_there_is_noticed_in_plain_words(tmp_path: Path, text: str, kind: Kind, subject: str) -> None:
    assert (kind, subject) in firm(tmp_path, f"{text}\n")


@pytest.mark.parametrize(
    "text",
    [
        "We considered Celery and decided against it.",
        "1. Add Celery to requirements.txt.\n2. Use Celery for the mails.",
        "A thread is enough; no need for Celery, Dramatiq or Huey.",
        "Flask serves the page, with requests for the calls.",
        "Replace the loop with something like NumPy.",
        "Every item(s) of the cart counts once; VARCHAR(20) is long enough.",
        "Call total_price(cart) and add_item(cart, item, 2).",
        "`add_item` takes three arguments.",
        "A new function round_all(cart, places) rounds what total_price(cart) gives.",
        "| shop/rounding.py | new: rounds |\n| shop/prices.py | calls it |",
        "| new | shop/rounding.py |",
        "The form (`shop/cart.py`) stays. A migration adds a column; going back drops it.",
        CODE.format(name="add_item", call="return [add_item(row, 1) for row in rows]"),
        "```python\nfrom flask import Flask, anything\nfrom shop import *\nthis is not python\n```",
    ],
)
def test_what_is_true_or_new_or_refused_is_left_alone(tmp_path: Path, text: str) -> None:
    assert firm(tmp_path, f"{text}\n") == []


def test_a_name_is_looked_for_in_its_own_class(tmp_path: Path) -> None:
    shop(tmp_path, **{"shop/till.py": "class Till:\n    def open(self, key):\n        return key\n"})
    text = "The clerk calls Till.unlock(key) and Till.open(key); `unlock` is elsewhere too.\n"
    (tmp_path / "shop" / "door.py").write_text("def unlock(key):\n    return key\n")
    assert firm(tmp_path, text) == [(Kind.SYMBOL, "Till.unlock")]

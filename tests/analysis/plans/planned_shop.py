"""A small shop and plans for it, for the tests of plan verification."""

from pathlib import Path

from counterproof.analysis.plans.doubts import Doubt
from counterproof.analysis.plans.examination import examine
from counterproof.analysis.plans.understanding import understand
from counterproof.analysis.project import Project
from counterproof.analysis.source.survey import SurveyOptions, survey
from counterproof.toolbox.plan_tools import PlanBench

FILES = {
    "shop/__init__.py": "",
    "shop/cart.py": (
        "from shop.prices import total_price\n\n\ndef add_item(cart, item, count=1):\n"
        "    cart.append((item, count))\n    return total_price(cart)\n"
    ),
    "shop/prices.py": (
        "TAX_RATE = 0.2\n\n\ndef total_price(cart):\n    return sum(item.price * count for item, count in cart)\n\n\n"
        "def old_total(cart):\n    return total_price(cart)\n"
    ),
    "shop/report.py": "from shop.prices import old_total\n\n\ndef report(cart):\n    return old_total(cart)\n",
    "shop/models.py": (
        "from pydantic import BaseModel, BaseSettings\n\n\nclass Order(BaseModel):\n    number: int\n    paid: bool = False\n"
        "    lines: list[str] = []\n\n\nclass Ledger:\n    def __init__(self, name):\n        self.name = name\n"
        "        self.rows = []\n\n    def book(self, amount, note=''):\n        self.rows.append((amount, note))\n\n\n"
        "class Open:\n    def __getattr__(self, name):\n        return name\n\n\n"
        "class Settings(BaseSettings):\n    currency: str = 'EUR'\n\n\nsettings = Settings()\n\n\n"
        "def open_ledger() -> Ledger:\n    return Ledger('main')\n"
    ),
    "tests/test_cart.py": "from shop.cart import add_item\n\n\ndef test_adding():\n    assert add_item\n",
    "requirements.txt": "Flask[async]==3.0.1\nrequests>=2.30,<3\n",
    "Makefile": "check:\n\tpytest\n",
    "data/price_list.csv": "item,price\n",
    "shop/rows/page.py": "ROWS = 20\n",
    "shop/web/forms/page.py": "FIELDS = 3\n\n\nclass CashBox:\n    pass\n",
    "deploy/app.yaml": "name: shop\n",
    "AGENTS.md": "# Rules\n\nNever use `pickle` for carts.\n",
}


def shop(folder: Path, **more: str) -> Path:
    for name, text in {**FILES, **more}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def bench(folder: Path, text: str) -> PlanBench:
    return PlanBench(
        understand(str(folder / "PLAN.md"), text), text, Project(folder, survey(folder, SurveyOptions(documents=True)))
    )


def doubts(folder: Path, text: str) -> list[Doubt]:
    return list(examine(bench(shop(folder), text).case))


CLEAN = """# Rounding

## Goal

Totals are rounded to cents.

1. Create `shop/rounding.py` with a `round_price()` function.
2. Change `total_price()` in `shop/prices.py` to use `round_price()`.
3. Add `test_rounding` to `tests/test_cart.py`.
4. Run `pytest tests/test_cart.py` and `make check`.
"""

FLAWED = """# Faster totals

Goal: make totals faster.

1. Remove `old_total()` from `shop/prices.py`.
2. Change `shop/price.py` so that `total_price()` keeps its sum.
3. Run `pytest tests/test_cart.py`.
"""

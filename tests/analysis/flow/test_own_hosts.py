"""Addresses with a host from elsewhere: text after the slash cannot choose the host."""

from collections.abc import Callable

import pytest

from counterproof.analysis.examination import Examination

LookAt = Callable[[dict[str, str]], Examination]
CODE = """
import asyncio
import os
import requests
from flask import Flask, request
app = Flask(__name__)

class Node:
    def __init__(self, base=None):
        self.base = base or os.environ.get("NODE")

    def ask(self, name):
        return requests.get({address}).json()

def build(term):
    return f"https://search.example.org/{{term}}"

@app.get("/x")
async def x():
    {call}
"""


@pytest.mark.parametrize(
    ("address", "call", "told"),
    [
        ('f"{self.base}/v1/{name}"', 'return Node().ask(request.args["k"])', False),
        ('f"{self.base}{name}"', 'return Node().ask(request.args["k"])', True),
        ('f"{name}/v1"', 'return Node().ask(request.args["k"])', True),
        ('f"https://{name}/v1/{self.base}"', 'return Node().ask(request.args["k"])', True),
        ('f"{self.base}://{name}/v1"', 'return Node().ask(request.args["k"])', True),
        ('f"{self.base}/v1/{name}"', 'return Node(request.args["k"]).ask("y")', True),
        ("name", 'return Node().ask(await asyncio.to_thread(build, request.args["k"]))', False),
        ("name", 'return Node().ask(await asyncio.to_thread(str, request.args["k"]))', True),
    ],
    ids=["behind", "glued", "in-front", "host", "scheme", "base-of-the-sender", "built-in-a-thread", "only-handed-on"],
)
def test_only_who_chooses_the_host_forges_a_request(look_at: LookAt, address: str, call: str, told: bool) -> None:
    found = look_at({"app.py": CODE.format(address=address, call=call)})
    assert ("ssrf" in {each.rule for each in found.findings}) is told

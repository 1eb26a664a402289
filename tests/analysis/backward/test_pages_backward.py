"""Values that a page prints, walked back from the calls that render it."""

import pytest
from backward_claims import Judge

APP = """
from flask import Flask, render_template, request
app = Flask(__name__)

@app.route("/")
def index():
    {body}
"""
SENT = 'return render_template("found.html", query=request.args["q"])'


@pytest.mark.parametrize(
    ("page", "body", "verdict"),
    [
        ("<p>{{ query|safe }}</p> # HERE", SENT, "confirmed"),
        ("{% autoescape off %}\n<p>{{ query }}</p> # HERE\n{% endautoescape %}", SENT, "confirmed"),
        ("<input value={{ query }}> # HERE", SENT, "confirmed"),
        ('<a href="{{ query }}">again</a> # HERE', SENT, "confirmed"),
        ("{% for row in query %}\n<p>{{ row.name|safe }}</p> # HERE\n{% endfor %}", SENT, "confirmed"),
        (
            "<p>{{ query|safe }}</p> # HERE",
            'context = {"query": request.args["q"]}; return render_template("found.html", **context)',
            "confirmed",
        ),
        ("<p>{{ query|safe }}</p> # HERE", 'return render_template("found.html", query="fixed")', "rejected"),
        ("<p>{{ query|safe }}</p> # HERE", 'return render_template("found.html", query=int(request.args["q"]))', "rejected"),
        ("<p>{{ query|safe }}</p> # HERE", 'return render_template("other.html", query=request.args["q"])', "downgraded"),
        ("<p>{{ query }}</p> # HERE", SENT, "downgraded"),
        ('<input value="{{ query }}"> # HERE', SENT, "downgraded"),
        ("{% autoescape off %}\n{% endautoescape %}\n<p>{{ query }}</p> # HERE", SENT, "downgraded"),
    ],
)
def test_what_a_page_prints_is_followed_to_who_sent_it(judge: Judge, page: str, body: str, verdict: str) -> None:
    found = judge({"app.py": APP.replace("{body}", body), "templates/found.html": page + "\n"}, cwe=79, rule="xss")
    assert found.verdict.value == verdict

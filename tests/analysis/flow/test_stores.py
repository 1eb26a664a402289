"""What one request stores and another shows: found only where the code shows both halves."""

from collections.abc import Callable

import pytest

from counterproof.analysis.examination import Examination
from counterproof.model.flow import Break, StepKind
from counterproof.model.severity import Confidence

LookAt = Callable[[dict[str, str]], Examination]
PAGE = {"templates/page.html": "{% for post in posts %}<p>{{ post.text|safe }}</p>{% endfor %}"}

WEB = """
import sqlite3
from flask import Flask, render_template, request
app = Flask(__name__)
"""

SQL = (
    WEB
    + """
def save(name, text):
    connection = sqlite3.connect("x.db")
    connection.execute("INSERT INTO posts (name, text) VALUES (?, ?)", (name, text))

def posts():
    cursor = sqlite3.connect("x.db").cursor()
    cursor.execute("SELECT name, text FROM posts")
    return cursor.fetchall()

@app.post("/posts")
def create():
    save("someone", request.form["text"])
    return {}

@app.route("/posts")
def show():
    return render_template("page.html", posts=posts())
"""
)


def test_flow_goes_from_the_request_through_the_table_to_the_page(look_at: LookAt) -> None:
    [finding] = look_at({"app.py": SQL, **PAGE}).findings
    assert (finding.rule, str(finding.location)) == ("xss", "templates/page.html:1")
    assert finding.confidence is Confidence.MEDIUM
    assert finding.flow is not None
    assert finding.flow.broken_by is Break.ASYNC_BOUNDARY
    notes = [step.note for step in finding.flow.steps]
    assert "stored in posts.text" in notes
    assert "read back from posts.text" in notes
    assert finding.flow.source.kind is StepKind.SOURCE


OTHER_HALVES = {
    "another column is written": ('(name, text) VALUES (?, ?)", (name, text)', "(name, text) VALUES (?, 'a')\", (name,)"),
    "another table is read": ("SELECT name, text FROM posts", "SELECT name, text FROM notices"),
    "a number is written": ("(name, text))", "(name, int(text)))"),
    "escaped on the way in": ("(name, text))", "(name, __import__('html').escape(text)))"),
    "nothing from a request is written": ('request.form["text"]', '"a"'),
    "only counted": ("SELECT name, text FROM", "SELECT name, count(*) AS text FROM"),
}


@pytest.mark.parametrize(("before", "after"), OTHER_HALVES.values(), ids=list(OTHER_HALVES))
def test_half_a_flow_is_none(look_at: LookAt, before: str, after: str) -> None:
    assert before in SQL
    code = (
        SQL.replace(before, after).replace("__import__('html')", "html").replace("import sqlite3", "import html\nimport sqlite3")
    )
    assert look_at({"app.py": code, **PAGE}).findings == ()


def test_page_that_escapes_is_safe(look_at: LookAt) -> None:
    assert look_at({"app.py": SQL, "templates/page.html": "{% for post in posts %}{{ post.text }}{% endfor %}"}).findings == ()


def test_stored_data_is_no_source_for_other_rules(look_at: LookAt) -> None:
    code = SQL + "\n@app.route('/run')\ndef run():\n    import os\n    os.system(posts()[0]['text'])\n    return {}\n"
    assert {each.rule for each in look_at({"app.py": code, **PAGE}).findings} == {"xss"}


def test_comparison_with_a_stored_value_still_guards(look_at: LookAt) -> None:
    code = (
        SQL
        + """
@app.route("/go")
def go():
    import os
    name = request.args["name"]
    if name == posts()[0]["name"]:
        os.system(name)
    return {}
"""
    )
    assert {each.rule for each in look_at({"app.py": code, **PAGE}).findings} == {"xss"}


WAYS = {
    "all columns": SQL.replace("SELECT name, text", "SELECT *"),
    "rows as mappings": SQL.replace("cursor.fetchall()", "[dict(zip(row.keys(), row)) for row in cursor.fetchall()]"),
    "statement put together": SQL.replace('"SELECT name, text FROM posts"', 'f"SELECT * FROM posts LIMIT {5}"'),
    "data in the statement": SQL.replace('VALUES (?, ?)", (name, text))', "VALUES ('%s', '%s')\" % (name, text))"),
    "functions that run statements": WEB
    + """
def query(sql, parameters=()):
    cursor = sqlite3.connect("x.db").cursor()
    cursor.execute(sql, parameters)
    return cursor.fetchall()

@app.post("/posts")
def create():
    query("INSERT INTO posts (text) VALUES (?)", (request.form["text"],))
    return {}

@app.route("/posts")
def show():
    return render_template("page.html", posts=query("SELECT * FROM posts"))
""",
    "model": """
from flask import Flask, render_template, request
from flask_sqlalchemy import SQLAlchemy
app = Flask(__name__)
db = SQLAlchemy(app)

class Post(db.Model):
    id = db.Column(db.Integer, primary_key=True)
    text = db.Column(db.String)

@app.post("/posts")
def create():
    db.session.add(Post(text=request.form["text"]))
    return {}

@app.route("/posts")
def show():
    return render_template("page.html", posts=Post.query.order_by(Post.id).all())
""",
    "changed object": """
from flask import Flask, render_template, request
from models import Base, db
app = Flask(__name__)

class Post(Base):
    pass

@app.post("/posts/<int:number>")
def change(number):
    post = db.query(Post).get(number)
    post.text = request.form["text"]
    return {}

@app.route("/posts")
def show():
    return render_template("page.html", posts=db.query(Post).all())
""",
    "django model": """
from django.db import models
from django.shortcuts import render

class Post(models.Model):
    text = models.TextField()

def create(request):
    Post.objects.create(text=request.POST["text"])

def show(request):
    return render(request, "page.html", {"posts": Post.objects.filter(visible=True)})
""",
    "named tuple": WEB
    + """
from typing import NamedTuple

class Post(NamedTuple):
    id: int
    text: str

    @classmethod
    def of(cls, row):
        return cls(*row) if row else None

@app.post("/posts")
def create():
    sqlite3.connect("x.db").execute("INSERT INTO posts (text) VALUES (:text)", {"text": request.form["text"]})
    return {}

@app.route("/posts")
def show():
    rows = sqlite3.connect("x.db").execute("SELECT id, text FROM posts").fetchall()
    return render_template("page.html", posts=[Post.of(row) for row in rows])
""",
    "document database": """
from flask import Flask, render_template, request
from pymongo import MongoClient
app = Flask(__name__)
database = MongoClient().blog

@app.post("/posts")
def create():
    database.posts.insert_one({"text": request.form["text"]})
    return {}

@app.route("/posts")
def show():
    return render_template("page.html", posts=database.posts.find())
""",
    "list of the module": """
from flask import Flask, render_template, request
app = Flask(__name__)
POSTS = []

@app.post("/posts")
def create():
    POSTS.append({"text": request.form["text"], "likes": 0})
    return {}

@app.route("/posts")
def show():
    return render_template("page.html", posts=POSTS)
""",
    "mapping of the module": """
from flask import Flask, render_template, request
app = Flask(__name__)
POSTS = {}

@app.post("/posts")
def create():
    POSTS[request.form["name"]] = {"text": request.form["text"]}
    return {}

@app.route("/posts")
def show():
    return render_template("page.html", posts=POSTS.values())
""",
}


@pytest.mark.parametrize("code", WAYS.values(), ids=list(WAYS))
def test_ways_to_store_and_read_back(look_at: LookAt, code: str) -> None:
    found = look_at({"app.py": code, **PAGE}).findings
    assert ("xss", "templates/page.html:1") in {(each.rule, str(each.location)) for each in found}


def test_what_a_handler_returns_is_a_page_too(look_at: LookAt) -> None:
    code = SQL.replace(
        'return render_template("page.html", posts=posts())', 'return "".join("<p>" + row[1] + "</p>" for row in posts())'
    )
    assert [each.rule for each in look_at({"app.py": code}).findings] == ["xss"]


def test_raw_queries_of_models_are_still_sinks(look_at: LookAt) -> None:
    code = """
    from django.db import models
    from django.http import JsonResponse

    class Post(models.Model):
        text = models.TextField()

    def show(request):
        found = Post.objects.raw("SELECT * FROM post WHERE id = " + request.GET["id"])
        more = Post.objects.extra(where=["id = " + request.GET["id"]])
        return JsonResponse({"found": len(list(found)), "more": len(more)})
    """
    assert [(each.rule, each.location.start) for each in look_at({"app.py": code}).findings] == [
        ("sql-injection", 9),
        ("sql-injection", 10),
    ]

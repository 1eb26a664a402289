"""Values handed to templates are followed to where a page prints them, with the escaping that holds there."""

from collections.abc import Callable

import pytest

from counterproof.analysis.examination import Examination

LookAt = Callable[[dict[str, str]], Examination]

FLASK = """
from flask import Flask, render_template, request
app = Flask(__name__)

@app.route("/")
def page():
    return render_template("page.html", x=request.args["x"], rows=[request.args["y"]], n=int(request.args["n"]), t="fixed")
"""

PRINTS_RAW = {
    "safe": "<p>{{ x|safe }}</p>",
    "safe after another filter": "<p>{{ x|upper|safe }}</p>",
    "autoescape off": "<p>{% autoescape false %}{{ x }}{% endautoescape %}</p>",
    "loop": "<ul>{% for row in rows %}<li>{{ row|safe }}</li>{% endfor %}</ul>",
    "variable": "{% set y = x %}<p>{{ y|safe }}</p>",
    "with": "{% with y = x ~ 'a' %}<p>{{ y|safe }}</p>{% endwith %}",
    "branch": "{% if x %}<p>{{ x|safe }}</p>{% else %}<p>{{ t }}</p>{% endif %}",
    "conditional": "<p>{{ x|safe if t else t }}</p>",
    "macro": "{% macro m(a) %}<p>{{ a|safe }}</p>{% endmacro %}{{ m(x) }}",
    "attribute without quotes": "<p title={{ x }}>a</p>",
    "script": "<script>var a = {{ x }};</script>",
    "template literal of a script": "<script>var a = `{{ x }}`;</script>",
    "event handler": "<a onclick=\"go('{{ x }}')\">a</a>",
    "address": '<a href="{{ x }}">a</a>',
    "frame": "<iframe src='{{ x }}'></iframe>",
    "the request itself": "<p>{{ request.args.q|safe }}</p>",
    "default": "<p>{{ missing|default(x)|safe }}</p>",
}

PRINTS_ESCAPED = {
    "text": "<p>{{ x }}</p>",
    "quoted attribute": '<p title="{{ x }}">a</p>',
    "text of a script": "<script>var a = '{{ x }}';</script>",
    "json": "<script>var a = {{ x|tojson }};</script>",
    "escaped and safe": "<p>{{ x|e|safe }}</p>",
    "number": "<p title={{ n }}>{{ n|safe }}</p>",
    "fixed text": "<p>{{ t|safe }}</p>",
    "address with a beginning": '<a href="/go?to={{ x }}">a</a>',
    "own address": '<a href="{{ request.path }}">a</a>',
    "address of a picture": '<img src="{{ x }}">',
    "encoded": '<a href="{{ x|urlencode }}">a</a>',
    "raw text": "{% raw %}{{ x|safe }}{% endraw %}",
    "comment": "{# {{ x|safe }} #}",
    "length": "<p>{{ x|length }}</p>",
    "macro that escapes": "{% macro m(a) %}<p>{{ a }}</p>{% endmacro %}{{ m(x) }}",
    "field of a form": "{% for field in rows %}<p>{{ field(class='a')|safe }}{{ form.name()|safe }}</p>{% endfor %}",
    "tested": "{% if x in ('a', 'b') %}<p>{{ x|safe }}</p>{% endif %}",
}


@pytest.mark.parametrize("template", PRINTS_RAW.values(), ids=list(PRINTS_RAW))
def test_page_prints_untrusted_data_raw(look_at: LookAt, template: str) -> None:
    found = look_at({"app.py": FLASK, "templates/page.html": template}).findings
    assert {(each.rule, each.location.path) for each in found} == {("xss", "templates/page.html")}


@pytest.mark.parametrize("template", PRINTS_ESCAPED.values(), ids=list(PRINTS_ESCAPED))
def test_page_prints_untrusted_data_harmlessly(look_at: LookAt, template: str) -> None:
    assert look_at({"app.py": FLASK, "templates/page.html": template}).findings == ()


def test_finding_lies_in_the_template_and_its_flow_shows_both_files(look_at: LookAt) -> None:
    found = look_at({"app.py": FLASK, "templates/page.html": "<p>\na\n{{ x|safe }}\n</p>"}).findings
    [finding] = found
    assert (finding.location.path, finding.location.start) == ("templates/page.html", 3)
    assert finding.evidence == "{{ x|safe }}"
    assert finding.flow is not None
    assert [step.location.path for step in finding.flow.steps] == ["app.py", "templates/page.html"]
    assert finding.flow.complete


def test_parents_blocks_and_inclusions_see_the_same_variables(look_at: LookAt) -> None:
    found = look_at(
        {
            "app.py": FLASK,
            "templates/base.html": "<b>{{ x|safe }}</b>{% block body %}{{ x|safe }}{% endblock %}{% include 'foot.html' %}",
            "templates/page.html": "{% extends 'base.html' %}\n{% block body %}\n<p>{{ x }}</p>{% endblock %}",
            "templates/foot.html": "<p>\n{{ rows[0]|safe }}</p>",
        }
    ).findings
    assert sorted(str(each.location) for each in found) == ["templates/base.html:1", "templates/foot.html:2"]


def test_macros_of_another_file_are_followed(look_at: LookAt) -> None:
    files = {
        "app.py": FLASK,
        "templates/forms.html": "{% macro field(v, w='') %}<p>{{ v }}</p>\n<p>{{ w|safe }}</p>{% endmacro %}",
    }
    imported = "{% from 'forms.html' import field as f %}{{ f(t, w=x) }}"
    aliased = "{% import 'forms.html' as forms %}{{ forms.field(x) }}"
    assert [str(each.location) for each in look_at({**files, "templates/page.html": imported}).findings] == [
        "templates/forms.html:2"
    ]
    assert look_at({**files, "templates/page.html": aliased}).findings == ()


def test_templates_that_include_themselves_end(look_at: LookAt) -> None:
    found = look_at({"app.py": FLASK, "templates/page.html": "{% include 'page.html' %}<p>{{ x|safe }}</p>"}).findings
    assert [str(each.location) for each in found] == ["templates/page.html:1"]


def test_nearest_template_of_several_is_meant(look_at: LookAt) -> None:
    files = {"good/app.py": FLASK, "good/templates/page.html": "{{ x }}", "bad/templates/page.html": "{{ x|safe }}"}
    assert look_at(files).findings == ()


OTHER_WAYS = {
    "flask, unescaped extension": (
        (
            "from flask import Flask, render_template, request\napp = Flask(__name__)\n@app.route('/')\ndef f():\n"
            "    return render_template('page.jinja2', x=request.args['x'])\n"
        ),
        "page.jinja2",
        "<p>{{ x }}</p>",
    ),
    "flask, switched off": (
        (
            "from flask import Flask, render_template, request\napp = Flask(__name__)\napp.jinja_env.autoescape = False\n"
            "@app.route('/')\ndef f():\n    return render_template('page.html', **{'x': request.args['x']})\n"
        ),
        "page.html",
        "<p>{{ x }}</p>",
    ),
    "django": (
        (
            "from django.shortcuts import render\ndef f(request):\n    env = {'x': request.GET.get('x')}\n"
            "    return render(request, 'page.html', env)\n"
        ),
        "page.html",
        "<p>{% autoescape off %}{{ x }}{% endautoescape %}</p>",
    ),
    "django, class": (
        (
            "from django.views.generic import TemplateView\nclass V(TemplateView):\n    template_name = 'page.html'\n"
            "    def get_context_data(self, **kwargs):\n        context = {'x': self.request.GET['x']}\n        return context\n"
        ),
        "page.html",
        "<p>{{ x|default:'a'|safe }}</p>",
    ),
    "jinja environment": (
        (
            "from flask import Flask, request\nfrom jinja2 import Environment, FileSystemLoader\napp = Flask(__name__)\n"
            "env = Environment(loader=FileSystemLoader('templates'))\n@app.route('/')\ndef f():\n"
            "    return env.get_template('page.html').render(x=request.args['x'])\n"
        ),
        "page.html",
        "<p>{{ x }}</p>",
    ),
    "starlette": (
        (
            "from fastapi import FastAPI, Request\nfrom fastapi.templating import Jinja2Templates\napp = FastAPI()\n"
            "templates = Jinja2Templates(directory='templates')\n@app.get('/')\ndef f(request: Request, x: str):\n"
            "    return templates.TemplateResponse('page.html', {'request': request, 'x': x})\n"
        ),
        "page.html",
        "<p>{{ x|safe }}</p>",
    ),
    "starlette, request first": (
        (
            "from starlette.templating import Jinja2Templates\ntemplates = Jinja2Templates(directory='templates')\n"
            "async def f(request):\n"
            "    return templates.TemplateResponse(request, 'page.html', {'x': request.query_params['x']})\n"
        ),
        "page.html",
        "<p>{{ x|safe }}</p>",
    ),
    "aiohttp, decorated": (
        (
            "import aiohttp_jinja2\nfrom aiohttp import web\n@aiohttp_jinja2.template('page.html')\n"
            "async def f(request: web.Request):\n    return {'x': request.query['x']}\n"
        ),
        "page.html",
        "<p>{{ x|safe }}</p>",
    ),
    "tornado": (
        (
            "import tornado.web\nclass H(tornado.web.RequestHandler):\n    def get(self):\n"
            "        self.render('page.html', x=self.get_argument('x'))\n"
        ),
        "page.html",
        "{% if x %}<p>{% raw x %}</p>{% end %}",
    ),
    "tornado, switched off in the template": (
        (
            "import tornado.web\nclass H(tornado.web.RequestHandler):\n    def get(self):\n"
            "        self.render('page.html', x=self.get_argument('x'))\n"
        ),
        "page.html",
        "{% autoescape None %}<p>{{ x }}</p>",
    ),
    "bottle": (
        "from bottle import route, request, template\n@route('/')\ndef f():\n    return template('page', x=request.query.x)\n",
        "page.tpl",
        "<p>{{!x}}</p>",
    ),
}


@pytest.mark.parametrize(("code", "name", "template"), OTHER_WAYS.values(), ids=list(OTHER_WAYS))
def test_other_ways_to_render_a_page(look_at: LookAt, code: str, name: str, template: str) -> None:
    found = look_at({"app.py": code, f"templates/{name}": template}).findings
    assert [(each.rule, str(each.location)) for each in found] == [("xss", f"templates/{name}:1")]


SAFE_WAYS = {
    name: way for name, way in OTHER_WAYS.items() if name in ("django", "starlette", "aiohttp, decorated", "tornado", "bottle")
}


@pytest.mark.parametrize(("code", "name", "template"), SAFE_WAYS.values(), ids=list(SAFE_WAYS))
def test_frameworks_escape_by_default(look_at: LookAt, code: str, name: str, template: str) -> None:
    assert look_at({"app.py": code, f"templates/{name}": "<p>{{ x }}</p>"}).findings == ()


def test_environment_that_escapes_is_safe(look_at: LookAt) -> None:
    code, name, template = OTHER_WAYS["jinja environment"]
    for option in ("autoescape=True", "autoescape=select_autoescape()"):
        text = code.replace("'templates')", f"'templates'), {option}").replace(
            "import Environment", "import select_autoescape, Environment"
        )
        assert look_at({"app.py": text, f"templates/{name}": template}).findings == ()


DJANGO_VIEW = (
    "from django.shortcuts import render\ndef f(request):\n    return render(request, 'page.html', {'x': request.GET['x']})\n"
)


@pytest.mark.parametrize(
    ("other", "raw"),
    [
        ("ALLOWED = {'autoescape': None}\n", False),
        ("def options(given):\n    given['autoescape'] = False\n", False),
        ("from own import Environment\nmails = Environment(autoescape=False)\n", False),
        ("TEMPLATES = [{'OPTIONS': {'autoescape': False}}]\n", True),
    ],
)
def test_only_its_own_settings_switch_escaping_of_django(look_at: LookAt, other: str, raw: bool) -> None:
    files = {"views.py": DJANGO_VIEW, "other.py": other, "templates/page.html": "<p>{{ x }}</p>"}
    assert bool(look_at(files).findings) is raw


def test_page_that_a_caller_names_escapes_as_its_environment_does(look_at: LookAt) -> None:
    code = """
    from flask import Flask, Response, request
    from jinja2 import Environment, FileSystemLoader
    app = Flask(__name__)

    def shown(name, **values):
        env = Environment(loader=FileSystemLoader("templates"), autoescape=True)
        return Response(env.get_template(name).render(values), mimetype="text/html")

    @app.route("/")
    def page():
        return shown(request.args["page"], x=request.args["x"])
    """
    assert [each.rule for each in look_at({"app.py": code}).findings if each.rule == "xss"] == []
    raw = look_at({"app.py": code.replace("autoescape=True", "autoescape=False")}).findings
    assert [each.rule for each in raw if each.rule == "xss"] == ["xss"]


def test_text_that_is_no_page_is_left_alone(look_at: LookAt) -> None:
    code, name, _ = OTHER_WAYS["jinja environment"]
    assert look_at({"app.py": code, f"templates/{name}": "key: {{ x }}"}).findings == ()


def test_template_in_the_code_is_read_too(look_at: LookAt) -> None:
    code = """
    from flask import Flask, render_template_string, request
    app = Flask(__name__)

    @app.route("/")
    def page():
        return render_template_string("<p>{{ x|safe }}</p><p>{{ x }}</p>", x=request.args["x"])
    """
    assert [(each.rule, str(each.location)) for each in look_at({"app.py": code}).findings] == [("xss", "app.py:7")]


def test_missing_template_changes_nothing(look_at: LookAt) -> None:
    assert look_at({"app.py": FLASK}).findings == ()


def test_parameters_are_followed_through_a_function_that_renders(look_at: LookAt) -> None:
    code = """
    from flask import Flask, render_template, request
    app = Flask(__name__)

    def show(text):
        return render_template("page.html", x=text)

    @app.route("/")
    def page():
        return show(request.args["x"])

    @app.route("/fixed")
    def fixed():
        return show("a")
    """
    found = look_at({"app.py": code, "templates/page.html": "<p>{{ x|safe }}</p>"}).findings
    assert [str(each.location) for each in found] == ["templates/page.html:1"]

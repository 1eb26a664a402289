"""Everything that is not a web route: servers of the standard library, queues, clocks, remote calls, command lines, files."""

import pytest

from counterproof.analysis.endpoints import entry_points, public_functions
from counterproof.model.recon import EntryKind, Guard

CASES = {
    "http.server": (
        "from http.server import BaseHTTPRequestHandler\nclass H(BaseHTTPRequestHandler):\n    def do_GET(self):\n        pass\n",
        (EntryKind.HTTP, "GET", "*", 3, "H.do_GET"),
    ),
    "wsgi": (
        "def application(environ, start_response):\n    return []\n",
        (EntryKind.HTTP, "ANY", "*", 1, "application"),
    ),
    "socket server": (
        "import socketserver\nclass H(socketserver.BaseRequestHandler):\n    def handle(self):\n        pass\n",
        (EntryKind.RPC, "socket", "H", 3, "H.handle"),
    ),
    "celery": (
        "from celery import shared_task\n@shared_task\ndef work(x):\n    pass\n",
        (EntryKind.QUEUE, "shared_task", "main.work", 3, "work"),
    ),
    "celery beat": (
        "def clean():\n    pass\nbeat_schedule = {'nightly': {'task': 'main.clean'}}\n",
        (EntryKind.SCHEDULED, "beat", "nightly", 1, "clean"),
    ),
    "apscheduler": (
        "from apscheduler.schedulers import Scheduler\ns = Scheduler()\ndef job():\n    pass\ns.add_job(job, 'cron')\n",
        (EntryKind.SCHEDULED, "add_job", "cron", 3, "job"),
    ),
    "schedule": (
        "import schedule\ndef job():\n    pass\nschedule.every().day.at('10:30').do(job)\n",
        (EntryKind.SCHEDULED, "do", "main.job", 2, "job"),
    ),
    "pika": (
        "import pika\ndef taken(body):\n    pass\ndef run(c):\n    c.basic_consume(queue='orders', on_message_callback=taken)\n",
        (EntryKind.QUEUE, "basic_consume", "orders", 2, "taken"),
    ),
    "kafka": (
        "from kafka import KafkaConsumer\ndef run():\n    q = KafkaConsumer('orders')\n    for x in q:\n        print(x)\n",
        (EntryKind.QUEUE, "consume", "run", 2, "run"),
    ),
    "grpc": (
        "import shop_pb2_grpc\nclass Shop(shop_pb2_grpc.ShopServicer):\n    def Buy(self, request, context):\n        pass\n",
        (EntryKind.RPC, "grpc", "Shop/Buy", 3, "Shop.Buy"),
    ),
    "xml-rpc": (
        "from xmlrpc.server import SimpleXMLRPCServer as S\ndef add(a):\n    return a\ns = S()\ns.register_function(add, 'p')\n",
        (EntryKind.RPC, "xml-rpc", "p", 2, "add"),
    ),
    "lambda": (
        "def lambda_handler(event, context):\n    return event\n",
        (EntryKind.RPC, "invoke", "lambda_handler", 1, "lambda_handler"),
    ),
    "click": (
        "import click\n@click.command()\n@click.argument('x')\ndef run(x):\n    pass\n",
        (EntryKind.CLI, "command", "run", 4, "run"),
    ),
    "typer": (
        "import typer\ncli = typer.Typer()\n@cli.command('go')\ndef run(x: str):\n    pass\n",
        (EntryKind.CLI, "command", "go", 4, "run"),
    ),
    "main function": (
        "import sys\ndef main():\n    return 0\nif __name__ == '__main__':\n    sys.exit(main())\n",
        (EntryKind.MAIN, "main", "main.py", 2, "main"),
    ),
    "script": (
        "import sys\nprint(sys.argv[1])\n",
        (EntryKind.MAIN, "script", "main.py", 2, "<module>"),
    ),
    "loader": (
        "import yaml\nCONFIG = yaml.safe_load('settings.yml')\n",
        (EntryKind.LOADER, "yaml.safe_load", "settings.yml", 2, "<module>"),
    ),
}


@pytest.mark.rule("A9")
@pytest.mark.parametrize("name", CASES)
def test_way_in(make_project, name: str) -> None:
    code, expected = CASES[name]
    found = [
        (each.kind, each.method, each.path, each.handler.start, each.name)
        for each in entry_points(make_project({"main.py": code}))
    ]
    assert found == [expected]


def test_console_scripts_of_every_manifest(make_project) -> None:
    project = make_project(
        {
            "shop/__init__.py": "",
            "shop/cli.py": "def run():\n    pass\ndef serve():\n    pass\ndef old():\n    pass\n",
            "pyproject.toml": '[project]\nname = "shop"\n[project.scripts]\nshop = "shop.cli:run"\n',
            "setup.cfg": "[options.entry_points]\nconsole_scripts =\n    shopd = shop.cli:serve\n",
            "setup.py": 'setup(entry_points={"console_scripts": ["old = shop.cli:old", "x = no:y"]})\n',
        }
    )
    found = {(each.path, each.name) for each in entry_points(project) if each.kind is EntryKind.CLI}
    assert found == {("shop", "run"), ("shopd", "serve"), ("old", "old")}


OPENAPI = """
openapi: 3.0.1
info: {title: x}
paths:
  /items/{id}:
    get:
      operationId: api.views.read
    delete:
      operationId: drop
      x-openapi-router-controller: api.views
      security:
        - bearer: []
  /none:
    get:
      operationId: nowhere.at_all
"""


def test_openapi_document_is_the_routing_table(make_project) -> None:
    project = make_project(
        {
            "spec.yml": OPENAPI,
            "api/__init__.py": "",
            "api/views.py": "def read(id):\n    return id\n\ndef drop(id):\n    return id\n",
        }
    )
    found = [(each.method, each.path, each.name, each.guard.value) for each in entry_points(project)]
    assert found == [("GET", "/items/{id}", "read", "absent"), ("DELETE", "/items/{id}", "drop", "present")]


@pytest.mark.rule("A10")
def test_public_functions_leave_out_what_is_private_or_aside(make_project) -> None:
    project = make_project(
        {
            "lib/__init__.py": "def one(): pass\ndef _no(): pass\nclass Box:\n    def two(self): pass\n    def _no(self): pass\n",
            "lib/_private.py": "def no(): pass\n",
            "examples/demo.py": "def no(): pass\n",
            "tests/test_lib.py": "def test_no(): pass\n",
            "setup.py": "def no(): pass\n",
        }
    )
    assert len(tuple(public_functions(project))) == 2


@pytest.mark.rule("A9")
def test_bots_hear_everybody_unless_they_ask_who_is_writing(make_project) -> None:
    project = make_project(
        {
            "tele.py": """
                from aiogram import Router
                router = Router()
                @router.message()
                async def any_text(message): ...
                @router.callback_query()
                async def pressed(query):
                    if query.from_user.id != KEEPER:
                        return
                    act(query.data)
                @router.startup()
                async def begin(): ...
            """,
            "guild.py": """
                import discord
                from discord.ext import commands
                bot = commands.Bot("!")
                @bot.command()
                async def say(ctx, *, text): ...
                @bot.command()
                @commands.has_permissions(administrator=True)
                async def ban(ctx, name): ...
                @bot.event
                async def on_ready(): ...
            """,
            "plain.py": "def message(text): ...\n",
        }
    )
    found = {each.name: (each.method, each.guard) for each in entry_points(project)}
    assert found == {
        "any_text": ("message", Guard.ABSENT),
        "pressed": ("message", Guard.PRESENT),
        "say": ("command", Guard.ABSENT),
        "ban": ("command", Guard.PRESENT),
    }

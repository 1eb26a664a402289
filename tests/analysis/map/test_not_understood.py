"""A10 and A16: an application whose entry points were not read is no library; what recon saw of logins is on record."""

import pytest

from counterproof.analysis.recon import reconnoitre
from counterproof.model.recon import ProjectType
from counterproof.protocols.audit.inventory import is_library, library_exemptions

FUNCTIONS = "\n".join(f"def part{n}(value):\n    return value + {n}\n" for n in range(8))
HELD = {
    "gRPC": "import grpc\nfrom concurrent import futures\nserver = grpc.server(futures.ThreadPoolExecutor())\n",
    "Emmett": "from emmett import App\napp = App(__name__)\n",
    "Message queues": "from kafka import KafkaConsumer\nconsumer = KafkaConsumer('orders')\n",
    "Tornado": "import tornado.web\ndef make():\n    return tornado.web.Application(handlers())\n",
}


@pytest.mark.rule("A10")
@pytest.mark.parametrize(("title", "head"), HELD.items(), ids=list(HELD))
def test_application_whose_entry_points_were_not_read_is_no_library(make_project, title: str, head: str) -> None:
    recon = reconnoitre(make_project({"service/__init__.py": "", "service/main.py": head + FUNCTIONS}))
    assert recon.not_understood == (title,)
    assert not is_library(recon)
    assert library_exemptions(recon) == ()
    assert recon.project_type is not ProjectType.LIBRARY
    assert f"Entry points of {title} were not understood; its handlers are missing from the list." in recon.limitations


@pytest.mark.rule("A10")
@pytest.mark.parametrize(
    "head", ["import flask\n", "from tornado import web\nclass Handler(web.RequestHandler):\n    pass\n", "import json\n"]
)
def test_library_that_only_imports_a_framework_stays_one(make_project, head: str) -> None:
    recon = reconnoitre(make_project({"parts/__init__.py": FUNCTIONS, "parts/more.py": head + FUNCTIONS}))
    assert (recon.not_understood, is_library(recon), recon.project_type) == ((), True, ProjectType.LIBRARY)


@pytest.mark.rule("A16")
@pytest.mark.parametrize(
    ("files", "seen"),
    [
        ({"app.py": "import jwt\ndef read(t):\n    return jwt.decode(t)\n"}, "jwt"),
        ({"login.py": "def enter(name):\n    return name\n"}, "login.py"),
        (
            {"app.py": "from flask import Flask\napp = Flask(__name__)\n@app.route('/login')\ndef x():\n    return 'x'\n"},
            "GET /login",
        ),
        ({"app.py": "def add(a, b):\n    return a + b\n"}, None),
    ],
)
def test_library_file_or_route_of_logins_is_seen(make_project, files: dict[str, str], seen: str | None) -> None:
    found = reconnoitre(make_project(files)).credentials
    assert found == ((seen,) if seen else ())

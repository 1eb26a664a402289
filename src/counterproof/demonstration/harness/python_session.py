"""Makes a session in a web target's own store, for the harness: where a user cannot sign up, a visitor gets one all the same."""

# pyright: basic, reportMissingImports=false

import importlib
import inspect
import linecache
import re
import sys

from python_web import ROOT

_KEY = re.compile(r"session\[[\"'](\w+)[\"']\]\s*=[^=]")


def session(_, state):
    """The cookies of a visitor with a session: in Django of the first user, in Flask with every key that the code sets."""
    if "django.conf" in sys.modules:
        users = importlib.import_module("django.contrib.auth").get_user_model()
        client = importlib.import_module("django.test").Client()
        client.force_login(users.objects.first() or users.objects.create_user("benign", password="benign"))
        return {"found": [[name, each.value] for name, each in client.cookies.items()]}
    application = state["application"]
    files = {str(inspect.unwrap(each).__code__.co_filename) for each in application.view_functions.values()}
    keys = {key for each in files if each.startswith(ROOT) for line in linecache.getlines(each) for key in _KEY.findall(line)}
    if "flask_login" in sys.modules:
        keys.add("_user_id")
    value = application.session_interface.get_signing_serializer(application).dumps(dict.fromkeys(keys, 1))
    return {"found": [[application.config["SESSION_COOKIE_NAME"], value]] if keys else []}

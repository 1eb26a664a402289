"""The harness of a Python target. It runs inside the sandbox, in the target's own interpreter, and decides nothing.

It reads one JSON question per line from descriptor 0 and writes one JSON answer per line to descriptor 3. Uses only the
standard library; supports Python 3.8 and later.
"""

# pyright: basic, reportCallIssue=false, reportMissingImports=false

import asyncio
import base64
import importlib
import inspect
import json
import os
import subprocess
import sys
import tempfile

import python_request
import python_session
import python_web
from python_web import LONGEST, ROOT, awaited, enter, named

_TYPES = {"$callable": lambda _: lambda *given, **named: None, "$bytes": base64.b64decode}


def main():
    asks = os.fdopen(os.dup(0), "rb")
    answers = os.dup(3)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(3)
    os.chdir(ROOT)
    sys.path[:0] = [ROOT, "/target"]
    sys.dont_write_bytecode = True
    state = {}
    for line in asks:
        question = json.loads(line)
        try:
            answer = _WAYS[question["do"]](question, state)
        except BaseException as error:
            answer = {"error": named(error)}
        whole = memoryview(json.dumps(answer, default=repr).encode() + b"\n")
        while whole:
            whole = whole[os.write(answers, whole) :]


def _load(question, _):
    folder, _, module = question["module"].rpartition(":")
    enter(folder)
    importlib.import_module(module)
    return {"name": module}


def _call(question, _):
    folder, _, module = question["module"].rpartition(":")
    enter(folder)
    os.chdir(question.get("cwd", "."))
    found = _function(module, question["function"], question["make"])
    try:
        got = found(*(_value(each) for each in question["arguments"]))
    except FileNotFoundError as missing:  # a program that is not installed here: a shell would only print that
        if not _stands_in(missing.filename):
            raise
        got = found(*(_value(each) for each in question["arguments"]))
    if inspect.isawaitable(got):
        got = asyncio.run(awaited(got))
    elif inspect.isgenerator(got):
        got = [each for each, _ in zip(got, range(1_000))]
    return {"body": _text(got)}


def _stands_in(program):
    """Put a program of this name that does nothing on the search path."""
    if not isinstance(program, str) or not program or os.sep in program:
        return False
    folder = tempfile.mkdtemp()
    with open(os.path.join(folder, program), "w") as file:
        file.write("#!/bin/sh\n")
    os.chmod(os.path.join(folder, program), 0o755)
    os.environ["PATH"] = os.pathsep.join((folder, os.environ.get("PATH", os.defpath)))
    return True


def _function(module, function, make):
    found = importlib.import_module(module)
    for name in function.split("."):
        above, found = found, getattr(found, name)
        if inspect.isclass(above) and inspect.isfunction(found) and not isinstance(above.__dict__.get(name), staticmethod):
            found = getattr(above(**{key: _value(each) for key, each in make.items()}), name)
    return found


def _value(given):
    if isinstance(given, dict) and len(given) == 1:
        (kind, content), *_ = given.items()
        if kind in _TYPES:
            return _TYPES[kind](content)
    return given


def _text(got):
    if hasattr(got, "read"):
        got = got.read(LONGEST)
    if isinstance(got, (bytes, bytearray)):
        got = bytes(got).decode("utf-8", "replace")
    return (got if isinstance(got, str) else repr(got))[:LONGEST]


def _prepare(question, _):
    done = subprocess.run(
        question["command"],
        shell=True,
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=question.get("seconds", 60),
    )
    said = done.stdout.decode("utf-8", "replace").strip()
    if len(said) > 3000:
        said = said[:1000] + "\n[...]\n" + said[-2000:]
    return {"error": "it ended with {}: {}".format(done.returncode, said)} if done.returncode else {}


_WAYS = {
    "call": _call,
    "load": _load,
    "mark": python_web.mark,
    "prepare": _prepare,
    "request": python_request.request,
    "session": python_session.session,
    "start": python_web.start,
}

if __name__ == "__main__":
    main()

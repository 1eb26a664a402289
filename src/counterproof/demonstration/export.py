"""Exports a demonstration for people: the steps in a report, and a script for a maintainer.

Invariant: a script is built from the engine's own data, quoted as literals; nothing from the running target is in it.
"""

import base64
import json
import secrets
import shlex
from typing import Any, Final

from counterproof.demonstration.actions import Action, Call, Request, filled, in_cookie
from counterproof.demonstration.templates import SAID, Effect, encoded, fill, stretched

_BASE: Final = "http://127.0.0.1:8000"
_WORDS: Final = {
    "MARK": "/tmp/counterproof-mark",  # noqa: S108 (text for people)
    "KEPT": "/tmp/counterproof-kept",  # noqa: S108
    "CANARY": "/tmp/counterproof-canary",  # noqa: S108
    "PORT": "8099",
    "TOKEN": "counterproof-token",
    "A": "k1a2b3",
    "B": "k4c5d6",
    "N": "31337",
    "M": "7919",
}
"""The values that replace a try's random words in a repetition by people."""


def _put(action: Action, template: str, words: dict[str, str]) -> Action:
    return filled(action, encoded(stretched(fill(template, words))))


def is_script(call: Call) -> bool:
    """True for a JavaScript call."""
    return not call.module.startswith(":") and ":" not in call.module


def steps(action: Action, template: str, effect: Effect) -> str:
    """The exact request or call, and the observed effect."""
    given = _put(action, template, _WORDS)
    shown = as_curl(given) if isinstance(given, Request) else as_call(given)
    return f"{shown}\n{'//' if isinstance(given, Call) and is_script(given) else '#'} {SAID[effect]}"


def as_curl(request: Request) -> str:
    """A curl command; its address is that of a server started by hand."""
    words = ["curl", "-i", "--path-as-is"]
    if request.method not in ("GET", "POST") or (request.method == "POST" and not (request.form or request.json or request.body)):
        words += ["-X", request.method]
    words += [part for name, value in request.headers for part in ("-H", f"{name}: {value}")]
    words += [part for name, value in request.cookies for part in ("--cookie", f"{name}={in_cookie(value)}")]
    if request.files:
        words += [part for field, name, text in request.files for part in ("-F", f"{field}={text};filename={name}")]
    option = "-F" if request.files else "--data-urlencode"
    words += [part for name, value in request.form for part in (option, f"{name}={value}")]
    if request.json:
        words += ["-H", "Content-Type: application/json", "-d", request.json]
    if request.body:
        words += ["--data-binary", request.body]
    return shlex.join([*words, _BASE + request.target])


def as_call(call: Call) -> str:
    """The call as an expression of its language."""
    if is_script(call):
        arguments = ", ".join("console.log" if each == {"$callable": ""} else json.dumps(each) for each in call.arguments)
        owner, _, method = call.function.partition("#")
        loaded = f"require({json.dumps('./' + call.module)}){owner}"
        made = ", ".join(json.dumps(value) for _, value in call.make)
        return f"new ({loaded})({made}).{method}({arguments})" if method else f"{loaded}({arguments})"
    module = call.module.rpartition(":")[2]
    owner, _, name = call.function.rpartition(".")
    made = f"{owner}({', '.join(f'{key}={_python(value)}' for key, value in call.make)})." if owner else ""
    arguments = ", ".join(_python(each) for each in call.arguments)
    return f"from {module} import {(owner or name).partition('.')[0]}; {made}{name}({arguments})"


def _python(value: Any) -> str:
    return "lambda *given: None" if value == {"$callable": ""} else repr(value)


_SEEN: Final = {
    Effect.MARK: "os.path.lexists(WORDS['MARK'])",
    Effect.GONE: "not os.path.lexists(WORDS['KEPT'])",
    Effect.READ: "CONTENT in answer",
    Effect.HEARD: "any(WORDS['TOKEN'] in each for each in heard)",
    Effect.LEADS: "WORDS['TOKEN'] + '.example' in answer.partition('\\r\\n\\r\\n')[0]",
    Effect.JOINED: "WORDS['A'] + WORDS['B'] in answer",
    Effect.PRODUCT: "str(int(WORDS['N']) * int(WORDS['M'])) in answer",
    Effect.MARKUP: "'<i' + WORDS['A'] + '>' in answer",
    Effect.HEADER: "'x-' + WORDS['A'] in answer.partition('\\r\\n\\r\\n')[0].lower()",
    Effect.ERROR: "'near' in answer and WORDS['A'] in answer",
    Effect.TRUTH: "answer != control",
    Effect.SLOW: "seconds > 20 * usual",
}
_SCRIPT: Final = '''"""{number}: {title}

{seen}. {how}
Made by `counterproof demonstrate`. It writes the files below /tmp that WORDS names, and removes them.
"""

import http.client
import os
import socketserver
import sys
import threading
import time

WORDS = {words}
CONTENT = {content}
heard = []


class Listener(socketserver.BaseRequestHandler):
    def handle(self):
        heard.append(self.request.recv(4096).decode("latin-1"))
        self.request.sendall(b"HTTP/1.0 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nok")


def send(method, path, headers, body):
    connection = http.client.HTTPConnection(sys.argv[1] if len(sys.argv) > 1 else "127.0.0.1:8000", timeout=60)
    connection.request(method, path, body, dict(headers))
    answer = connection.getresponse()
    return f"{{answer.status}}\\r\\n{{answer.headers}}\\r\\n\\r\\n{{answer.read().decode('utf-8', 'replace')}}"


def benign():
{benign}


def attack():
{attack}


def run(action):
    begun = time.monotonic()
    try:
        said = str(action())
    except Exception as error:
        said = repr(error)
    return said, time.monotonic() - begun


with open(WORDS["CANARY"], "w") as canary, open(WORDS["KEPT"], "w"):
    canary.write(CONTENT)
sys.path.insert(0, {folder})
listener = socketserver.TCPServer(("127.0.0.1", int(WORDS["PORT"])), Listener)
threading.Thread(target=listener.serve_forever, daemon=True).start()
answer, usual = control, seconds = run(benign)
quiet = {compared} or not ({check})
answer, seconds = run(attack)
time.sleep(1)
happened = {check}
print("demonstrated" if quiet and happened else "the benign input does it too" if not quiet else "it did not happen")
for name in ("MARK", "KEPT", "CANARY"):
    if os.path.lexists(WORDS[name]):
        os.remove(WORDS[name])
sys.exit(0 if quiet and happened else 1)
'''


def script(number: str, title: str, action: Action, template: str, control: str, effect: Effect) -> tuple[str, str]:
    """(name, text) of a script for a maintainer."""
    word = secrets.token_hex(6)
    files = {name: f"/tmp/counterproof-{word}-{name.lower()}" for name in ("MARK", "KEPT", "CANARY")}  # noqa: S108
    words = {**_WORDS, **files, "TOKEN": f"t{word}", "A": f"k{word}", "PORT": str(20_000 + secrets.randbelow(10_000))}
    value = stretched(fill(template, words))
    benign = "Q" * len(value) if effect is Effect.SLOW else control
    before, after = _put(action, benign, words), _put(action, template, words)
    web = isinstance(action, Request)
    how = "Start the application; then run this with HOST:PORT." if web else "Run it with Python in the folder of the project."
    text = _SCRIPT.format(
        number=number,
        title=" ".join(title.split()).replace('"', "'").replace("\\", "/"),
        seen=SAID[effect].capitalize(),
        how=how,
        words=json.dumps(words, indent=4),
        content=repr(secrets.token_hex(12)),
        benign=_body(before),
        attack=_body(after),
        folder=repr("" if web or is_script(action) else action.module.partition(":")[0]),
        compared=effect in (Effect.TRUTH, Effect.SLOW),
        check=_SEEN[effect],
    )
    return f"{number}.py", text


def _body(action: Action) -> str:
    """The lines of a function that performs the action."""
    if isinstance(action, Request):
        sent = action.sent()
        return f"    return send({sent['method']!r}, {sent['path']!r}, {sent['headers']!r}, {base64.b64decode(sent['body'])!r})"
    if is_script(action):
        code = f"Promise.resolve({as_call(action)}).then((got) => console.log(String(got)))"
        run = f"subprocess.run(['node', '-e', {code!r}], capture_output=True, timeout=60)"
        return f"    import subprocess\n\n    return {run}.stdout.decode()"
    first, _, call = as_call(action).partition("; ")
    return f"    {first}\n\n    return {call}"

"""Inputs that show a weakness, read from `templates.toml`, and how they are filled in for one try.

Invariant: the words that a try looks for are newly generated at random, so that the target cannot contain them beforehand; the
try's control uses the same words. Not handled here: performing a try.
"""

import base64
import pickle
import re
import secrets
import tomllib
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Final

from counterproof.analysis.ruleset import SCRIPT
from counterproof.demonstration.sandbox.running import Sandbox

MAX_COLUMNS: Final = 14


class Effect(StrEnum):
    """The effects that the engine can observe."""

    MARK = "mark"
    GONE = "gone"
    READ = "read"
    HEARD = "heard"
    LEADS = "leads"
    JOINED = "joined"
    PRODUCT = "product"
    MARKUP = "markup"
    HEADER = "header"
    ERROR = "error"
    TRUTH = "truth"
    SLOW = "slow"
    OPEN = "open"
    OTHERS = "others"


SAID: Final = {
    Effect.MARK: "a file named only in the input was created",
    Effect.GONE: "a file named only in the input was removed",
    Effect.READ: "the response contains the random content of a file outside the target",
    Effect.HEARD: "a request with a random word reached a listener named only in the input",
    Effect.LEADS: "the response redirects the browser to a host named in the input",
    Effect.JOINED: "the response contains two random words joined by the database",
    Effect.PRODUCT: "the response contains the product of two random numbers that the input multiplies",
    Effect.MARKUP: "an HTML response contains a random tag from the input, unescaped",
    Effect.HEADER: "the response has an extra header named in the input",
    Effect.ERROR: "the database rejects a random word from the input as a syntax error",
    Effect.TRUTH: "the response depends on whether an injected condition is true, tested twice each",
    Effect.SLOW: "the response takes at least 20 times as long as for a harmless input of the same length, three times",
    Effect.OPEN: "the request is answered without a session, while a similar one is refused",
    Effect.OTHERS: "a second user gets a random word of the first user's row, which another entry keeps from the second user",
}


@dataclass(frozen=True, slots=True)
class Template:
    """Inputs for kinds of findings. `controls` are benign."""

    kinds: tuple[str, ...]
    shows: Effect
    controls: tuple[str, ...]
    values: tuple[str, ...]
    languages: tuple[str, ...] = ()
    union: bool = False


@dataclass(frozen=True, slots=True)
class Filling:
    """The random words of one try."""

    mark: str
    kept: str
    canary: str
    content: str
    port: int
    token: str
    words: tuple[str, str]
    numbers: tuple[int, int]

    @classmethod
    def new(cls, sandbox: Sandbox) -> "Filling":
        mark, kept, token = (secrets.token_hex(8) for _ in range(3))
        first, second = (f"k{secrets.token_hex(5)}" for _ in range(2))
        n, m = (10_000 + secrets.randbelow(80_000) for _ in range(2))
        return cls(mark, kept, *sandbox.take_canary(), sandbox.port, f"t{token}", (first, second), (n, m))

    def put(self, template: str) -> str:
        """The value of this template with the words filled in."""
        return encoded(stretched(fill(template, self.values())))

    def values(self) -> dict[str, str]:
        (a, b), (n, m) = self.words, self.numbers
        mark, kept = f"/marks/{self.mark}", f"/marks/{self.kept}"
        texts = {"MARK": mark, "KEPT": kept, "CANARY": self.canary, "PORT": str(self.port), "TOKEN": self.token}
        return texts | {"A": a, "B": b, "N": str(n), "M": str(m)}


def fill(template: str, words: dict[str, str]) -> str:
    """The template with these words filled in; `@BARE@` is the mark's path for a shell, without a slash."""
    words = words | {"BARE": words.get("MARK", "").replace("/", "$(pwd|cut -c1)")}
    return re.sub(r"@([A-Z]+)@", lambda place: words.get(place[1], place[0]), template)


_REPEATED = re.compile(r"^(.{1,12})\*(\d{1,5})(!?)$", re.S)


def stretched(value: str) -> str:
    """Expand `a*28!` to 28 times `a` followed by `!`."""
    match = _REPEATED.match(value)
    return match[1] * int(match[2]) + match[3] if match else value


def encoded(value: str) -> str:
    """Convert `pickle-base64:COMMAND` to an object that runs the command when it is loaded."""
    match = re.match(r"^pickle(-\w+)?:(.*)$", value, re.S)
    if not match:
        return value
    data = _pickled(match[2])
    match match[1]:
        case "-base64":
            return base64.b64encode(data).decode()
        case "-urlsafe":
            return base64.urlsafe_b64encode(data).decode()
        case "-hex":
            return data.hex()
        case _:
            return data.decode("latin-1")


def _pickled(command: str) -> bytes:
    """Protocol 0 is text, so that it survives a form. Nothing is unpickled here."""
    return b"cposix\nsystem\n(" + pickle.dumps(command, 0).rstrip(b".") + b"tR."


@cache
def _templates() -> tuple[Template, ...]:
    text = files("counterproof.demonstration").joinpath("templates.toml").read_text(encoding="utf-8")
    lists = ("kinds", "controls", "values", "languages")
    return tuple(
        Template(
            **{name: tuple(each.get(name, ())) for name in lists}, shows=Effect(each["shows"]), union=each.get("union", False)
        )
        for each in tomllib.loads(text)["template"]
    )


OPEN_RULES: Final = ("missing-authentication", "unguarded-destruction")
"""Rules about entry points that require no login."""
OTHERS_RULES: Final = ("missing-ownership-check",)
"""Rules about entry points that do not check the owner of a row."""
_ENTRIES: Final = (Template(OPEN_RULES, Effect.OPEN, (), ("",)), Template(OTHERS_RULES, Effect.OTHERS, (), ("",)))


def templates_for(rule: str, language: str) -> tuple[Template, ...]:
    """The templates for findings of this rule; empty if the engine knows no observable effect."""
    kind = rule.removeprefix(SCRIPT)
    return tuple(
        each for each in (*_ENTRIES, *_templates()) if kind in each.kinds and (not each.languages or language in each.languages)
    )


def inputs_of(template: Template) -> tuple[str, ...]:
    """Every input of a template; a union gets variants with further columns."""
    if not template.union:
        return template.values
    column = "'@A@' || '@B@'"
    return tuple(
        value.replace("@COLUMNS@", ", ".join([column] * count))
        for count in range(1, MAX_COLUMNS + 1)
        for value in template.values
    )

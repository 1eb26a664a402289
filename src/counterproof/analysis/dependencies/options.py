"""Where packages are fetched from: options of pip in requirement files, settings and commands, and settings of other tools.

Read line by line; a token in an address is not kept apart, so whoever shows a value redacts it.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.dependencies.manifest import IndexOption

MAX_LINES = 50_000
_KINDS = {
    "extra-index-url": "extra index",
    "trusted-host": "trusted host",
    "verify_ssl": "trusted host",
    "strict-ssl": "trusted host",
}
"""The kinds of options; every other one names an index."""
_PIP = "extra-index-url|index-url|trusted-host|find-links"
_SWITCHES = ("verify_ssl", "strict-ssl")
_KEYS = {
    "pip.conf": _PIP,
    "pip.ini": _PIP,
    ".pip.conf": _PIP,
    "Pipfile": "url|verify_ssl",
    "pyproject.toml": "url|verify_ssl",
    ".npmrc": "registry|strict-ssl",
    "package-lock.json": "resolved",
    "npm-shrinkwrap.json": "resolved",
    "Gemfile": "source",
    "gems.rb": "source",
}
_SETTING = r"[ \t]*[\"']?(?:@[\w.-]{{1,100}}:)?({keys})[\"']?[ \t]*[=: \t(][ \t]*[\"']?([^\s\"',)]{{1,500}})"
_PIP_OPTION = re.compile(rf"(?:^|[ \t])-(?:-({_PIP})|[if])[ \t=]{{1,5}}[\"']?([^\s\"']{{1,500}})")


def options_in(name: str, text: str) -> tuple[IndexOption, ...]:
    """The options in a manifest or a settings file of this name."""
    keys = _KEYS.get(name)
    if keys is None:
        return ()
    setting = re.compile(_SETTING.format(keys=keys))
    found = ((number, match) for number, line in _lines(text) if (match := setting.match(line.replace("_url", "-url"))))
    options = (_option(match, number) for number, match in found if match[1] not in _SWITCHES or match[2] == "false")
    return tuple(options)[: 1 if keys == "resolved" else None]


def pip_options(text: str) -> tuple[IndexOption, ...]:
    """Options of pip in a requirements file."""
    return tuple(_option(found, number) for number, line in _lines(text) for found in _PIP_OPTION.finditer(line))


def options_in_commands(text: str) -> tuple[IndexOption, ...]:
    """Options of `pip install` commands in scripts and container files."""
    return pip_options("\n".join(line if "pip" in line and "install" in line else "" for line in text.split("\n")))


def _option(found: re.Match[str], number: int) -> IndexOption:
    return IndexOption(_KINDS.get(found[1] or "", "index"), found[2], number)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.split("\n")[:MAX_LINES], start=1):
        if len(line) < 5_000 and not line.lstrip().startswith("#"):
            yield number, line

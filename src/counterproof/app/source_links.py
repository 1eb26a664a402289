"""Web links to lines of the audited code: given by the user, or guessed from the repository's remote.

Invariant: the repository's own settings are hostile, so a guess leads only to the code hosts listed here; nothing is fetched,
and no program is run. Folders inside a repository, and repositories without a commit, get no links.
"""

import re
from pathlib import Path
from typing import Final

from counterproof.model.errors import UserError

_HOSTS: Final = {
    "github.com": "https://github.com/{name}/blob/{commit}/{{path}}#L{{line}}",
    "gitlab.com": "https://gitlab.com/{name}/-/blob/{commit}/{{path}}#L{{line}}",
    "codeberg.org": "https://codeberg.org/{name}/src/commit/{commit}/{{path}}#L{{line}}",
    "bitbucket.org": "https://bitbucket.org/{name}/src/{commit}/{{path}}#lines-{{line}}",
}
_REMOTE = re.compile(
    r"(?:https://|ssh://)?(?:[\w.-]{1,80}@)?(?P<host>[a-z0-9.-]{3,80})[:/](?P<name>[\w.-]{1,100}(?:/[\w.-]{1,100}){1,4})"
)
_SECTION = re.compile(r'\s*\[remote "(?P<name>[^"]{1,80})"\]\s*')


def template(given: str, target: Path) -> str:
    """The user's template, otherwise the guessed one."""
    return _checked(given) if given else guessed(target)


def _checked(template: str) -> str:
    if not re.match(r"https?://[^\s\"'<>]+\Z", template) or "{path}" not in template:
        raise UserError(
            f"--source-url {template[:200]} is not a URL template for a source line",
            "give one such as https://git.example.org/team/app/blob/main/{path}#L{line}",
        )
    return template


def guessed(target: Path) -> str:
    """The template for a repository whose remote `origin` is on a known host; otherwise ''."""
    if not (target / ".git").exists():
        return ""
    from counterproof.analysis.git.layout import NotUsable, find_layout, small_file
    from counterproof.analysis.git.refs import Refs

    try:
        layout = find_layout(target)
    except (NotUsable, OSError):
        return ""
    commit = Refs(layout).find("HEAD")
    address = _origin(small_file(layout.common, "config") or "")
    match = _REMOTE.fullmatch(address.removesuffix("/").removesuffix(".git"))
    form = _HOSTS.get(match["host"], "") if match else ""
    return form.format(name=match["name"], commit=commit) if match and form and commit else ""


def _origin(config: str) -> str:
    """The address of the remote `origin` in a git configuration."""
    inside = False
    for line in config.split("\n"):
        if line.lstrip().startswith("["):
            section = _SECTION.fullmatch(line)
            inside = section is not None and section["name"] == "origin"
        key, _, value = line.partition("=")
        if inside and key.strip() == "url":
            return value.strip()
    return ""

"""Knowledge modules: what a seasoned reviewer knows about a language, a framework or a domain, as Markdown with a small header.

    ---
    trigger: Flask | Quart        what reconnaissance must have recognised, any of these
    dimensions: D1 D2             what the module speaks about
    ---

Invariant: a module's version is the hash of its text; modules of the user stand beside ours under `user/` and never replace
them; a file that is too large or has no header is refused with its name. When a module may be loaded is decided in
`protocols.audit.modules`.
"""

import os
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

from counterproof.model.dimension import Dimension
from counterproof.model.errors import UserError
from counterproof.protocols.audit.modules import ModuleCard, ModuleKind

MAX_BYTES = 20_000
MAX_USER_MODULES = 100
_FOLDERS = {"languages": ModuleKind.LANGUAGE, "frameworks": ModuleKind.FRAMEWORK, "domains": ModuleKind.DOMAIN}


@dataclass(frozen=True, slots=True)
class KnowledgeModule:
    """One module: its card, its text without the header, and its version."""

    card: ModuleCard
    text: str
    version: str


def user_folder() -> Path:
    """Where users keep modules of their own; `COUNTERPROOF_HOME` moves it."""
    override = os.environ.get("COUNTERPROOF_HOME")
    if override:
        return Path(override).expanduser() / "knowledge"
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "counterproof" / "knowledge"


@cache
def shipped() -> tuple[KnowledgeModule, ...]:
    """Every module of the package, by name."""
    found: list[KnowledgeModule] = []
    for folder, kind in _FOLDERS.items():
        place = files("counterproof.knowledge") / folder
        for file in sorted(place.iterdir(), key=lambda each: each.name):
            if file.name.endswith(".md"):
                found.append(parsed(f"{folder}/{file.name.removesuffix('.md')}", kind, file.read_bytes()))
    return tuple(found)


def of_user(folder: Path | None = None) -> tuple[KnowledgeModule, ...]:
    """The user's modules; nothing where there is no folder. A broken one is a mistake of the user's, said by name."""
    root = folder or user_folder()
    found: list[KnowledgeModule] = []
    for name, kind in _FOLDERS.items():
        for file in sorted(root.glob(f"{name}/*.md")):
            if len(found) >= MAX_USER_MODULES:
                raise UserError(f"{root} holds more than {MAX_USER_MODULES} modules", "keep those that you need")
            try:
                found.append(parsed(f"user/{name}/{file.stem}", kind, file.read_bytes()))
            except OSError as error:
                raise UserError(f"{file} cannot be read: {error.strerror}", "correct it, or take it out of the folder") from error
    return tuple(found)


def parsed(name: str, kind: ModuleKind, data: bytes) -> KnowledgeModule:
    """A module from its bytes."""
    text = data.decode("utf-8", "replace")
    head, fence, body = text.removeprefix("---\n").partition("\n---\n")
    fields = dict(line.split(":", 1) for line in head.splitlines() if ":" in line)
    if len(data) > MAX_BYTES or not text.startswith("---\n") or not fence or "trigger" not in fields:
        raise UserError(
            f"the knowledge module {name} has no header or more than {MAX_BYTES:,} bytes",
            "begin it with lines `---`, `trigger: …`, `dimensions: …`, `---`",
        )
    triggers = tuple(part.strip().lower() for part in fields["trigger"].split("|") if part.strip())
    named = fields.get("dimensions", "").split()
    if not set(named) <= set(Dimension):
        raise UserError(f"the knowledge module {name} names an unknown dimension", "the dimensions are D1 to D10")
    card = ModuleCard(name, kind, triggers, tuple(Dimension(each) for each in named))
    return KnowledgeModule(card, body.strip() + "\n", sha256(data).hexdigest())

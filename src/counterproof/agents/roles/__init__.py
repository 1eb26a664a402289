"""The prompts of the roles, as data: Markdown files in this folder, one for each role and one for the text that all of an
audit share.

A role's file has the sections `SECTIONS`, in this order; the worked answer under "A good answer" fits the role's contract.
Invariant: a prompt's version is the hash of its bytes; nothing from the reviewed code or from a task is inserted here. Not
handled here: the question of a task.
"""

from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING

from counterproof.model.contract import Role

if TYPE_CHECKING:
    from counterproof.model.plan.contract import PlanRole

CONDUCT = "conduct"
RUBRIC = "rubric"
SECTIONS = ("Aim", "Evidence", "A good answer", "A bad answer")
PLAN_CONDUCT = "plan-conduct"
REVIEWER = "reviewer"
OWN_SPECIALIST = "review-specialist"


@dataclass(frozen=True, slots=True)
class Prompt:
    """The system text shared by all roles of an audit, the role's own text, which follows the shared data, and the digest of
    both files."""

    role: Role
    system: str
    text: str
    version: str


@cache
def prompt(role: Role) -> Prompt:
    """The prompt of this role."""
    parts = [CONDUCT, RUBRIC, _name(role)]
    version = sha256(b"\0".join(map(_bytes, parts))).hexdigest()
    return Prompt(role, "\n".join(map(_text, parts[:2])), _text(parts[2]), version)


@cache
def digest() -> str:
    """One digest of all prompts: if it changes, a run must not simply continue (F17)."""
    total = sha256()
    for role in Role:
        total.update(f"{role.value}:{prompt(role).version}\n".encode())
    return total.hexdigest()


def fix_conduct() -> str:
    """The system text of a model that writes a patch."""
    return _text("fixer").partition("\n## Task")[0]


def fix_prompt() -> str:
    """The task text of a model that writes a patch."""
    return "## Task" + _text("fixer").partition("\n## Task")[2]


@cache
def plan_conduct() -> str:
    """The system text of every agent of a plan verification."""
    return _text(PLAN_CONDUCT)


@cache
def plan_prompt(role: "PlanRole") -> str:
    """The role's own text, which follows the data shown to all roles."""
    return _text(f"plan-{role.value}")


@cache
def plan_digest() -> str:
    """One digest of the prompts of plan verification."""
    from counterproof.model.plan.contract import PlanRole

    return sha256("\0".join((plan_conduct(), *map(plan_prompt, PlanRole))).encode()).hexdigest()


def _text(name: str) -> str:
    """The text of a file without its header."""
    return _bytes(name).decode().partition("\n---\n")[2].strip() + "\n"


def _name(role: Role) -> str:
    return role.value.replace(" ", "-")


def _bytes(name: str) -> bytes:
    return (files("counterproof.agents.roles") / f"{name}.md").read_bytes()


@cache
def review_conduct() -> str:
    """The system text shared by all specialists of a review."""
    return _text(REVIEWER)


@cache
def review_prompt(profile: str, code: str) -> str:
    """A specialist's own text: of its profile, of all profiles, or the text for specialists that a user added."""
    own = (f"review-{profile}-{code.lower()}", f"review-{code.lower()}")
    return _text(next(filter(_there, own), OWN_SPECIALIST))


@cache
def review_digest() -> str:
    """One digest of the prompts of a review."""
    total = sha256()
    for each in sorted(name for name in _names() if name == REVIEWER or name.startswith("review-")):
        total.update(_bytes(each) + b"\0")
    return total.hexdigest()


def _names() -> tuple[str, ...]:
    return tuple(
        each.name.removesuffix(".md") for each in files("counterproof.agents.roles").iterdir() if each.name.endswith(".md")
    )


def _there(name: str) -> bool:
    return name in _names()

"""The prompts of the roles, as data: Markdown beside this file, one for each role and what all of an audit share.

A role's file has the sections `SECTIONS`, in this order; the worked answer under "A good answer" fits the role's contract. Always
holds: a prompt's version is the hash of its bytes, so an edited prompt is another prompt; nothing from the reviewed code
or from a task is pasted in here. What an agent is asked in a task does not belong here.
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
    """The system text that all roles of an audit share, the role's own text, which follows what all of them are shown, and the
    digest of the files of both."""

    role: Role
    system: str
    text: str
    version: str


@cache
def prompt(role: Role) -> Prompt:
    """What an agent of this role is told."""
    parts = [CONDUCT, RUBRIC, _name(role)]
    version = sha256(b"\0".join(map(_bytes, parts))).hexdigest()
    return Prompt(role, "\n".join(map(_text, parts[:2])), _text(parts[2]), version)


@cache
def digest() -> str:
    """One digest over all prompts: another one means that a run must not go on as if nothing had happened (F17)."""
    total = sha256()
    for role in Role:
        total.update(f"{role.value}:{prompt(role).version}\n".encode())
    return total.hexdigest()


def fix_conduct() -> str:
    """What a model that writes a patch is told before anything else."""
    return _text("fixer").partition("\n## Task")[0]


def fix_prompt() -> str:
    """What its task is."""
    return "## Task" + _text("fixer").partition("\n## Task")[2]


@cache
def plan_conduct() -> str:
    """What every agent of a plan verification is told before anything else."""
    return _text(PLAN_CONDUCT)


@cache
def plan_prompt(role: "PlanRole") -> str:
    """What an agent of this role is told beside it, behind what all roles are shown."""
    return _text(f"plan-{role.value}")


@cache
def plan_digest() -> str:
    """One digest over the prompts of a plan verification."""
    from counterproof.model.plan.contract import PlanRole

    return sha256("\0".join((plan_conduct(), *map(plan_prompt, PlanRole))).encode()).hexdigest()


def _text(name: str) -> str:
    """A file without its header."""
    return _bytes(name).decode().partition("\n---\n")[2].strip() + "\n"


def _name(role: Role) -> str:
    return role.value.replace(" ", "-")


def _bytes(name: str) -> bytes:
    return (files("counterproof.agents.roles") / f"{name}.md").read_bytes()


@cache
def review_conduct() -> str:
    """The system text that all specialists of a review share."""
    return _text(REVIEWER)


@cache
def review_prompt(profile: str, code: str) -> str:
    """What a specialist is told beside it: of its profile, of all profiles, or the text for those that a user added."""
    own = (f"review-{profile}-{code.lower()}", f"review-{code.lower()}")
    return _text(next(filter(_there, own), OWN_SPECIALIST))


@cache
def review_digest() -> str:
    """One digest over the prompts of a review."""
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

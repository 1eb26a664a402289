"""Writes a plan's steps down in seven styles that people and coding agents use. The words are ours.

Always: the same steps in the same style give the same text. What the steps are does not belong here.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass
class Draft:
    """A plan before it is written. `check` is how it verifies itself; `about` are true words about the tree, for long styles."""

    title: str
    steps: list[str]
    check: str = "All tests pass."
    before: str = ""
    files: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)


def numbered(draft: Draft) -> str:
    lines = "\n".join(f"{number}. {step}" for number, step in enumerate(draft.steps, 1))
    goal = _goal(draft)
    return f"# Plan: {draft.title}\n\n## Goal\n\n{goal}\n\n## Steps\n\n{lines}\n\n## Verification\n\n{draft.check}\n"


def headed(draft: Draft) -> str:
    parts = "\n\n".join(f"### Step {number}: part {number}\n\n{step}" for number, step in enumerate(draft.steps, 1))
    return f"# {draft.title}\n\n**Why:** {_goal(draft)}\n\n## Implementation\n\n{parts}\n\n## Checks\n\n{draft.check}\n"


def checklist(draft: Draft) -> str:
    boxes = "\n".join(f"- [ ] {step}" for step in draft.steps)
    return f"# {draft.title}\n\n## Context\n\n{_goal(draft)}\n\n## Tasks\n\n{boxes}\n\n## Test plan\n\n{draft.check}\n"


def prose(draft: Draft) -> str:
    """Running text: one paragraph a step, tied together with words, no list at all."""
    links = ("First of all:", "After that:", "Then:", "Next:", "Once this is done:", "In addition:", "Finally:")
    parts = "\n\n".join(f"{links[min(number, 6)]} {_lowered(step)}" for number, step in enumerate(draft.steps))
    return (
        f"{draft.title}\n\nWhat we want: {_goal(draft)} This note says how we get there; it is meant for whoever picks it up.\n\n"
        f"{parts}\n\nWe know that it works when the following holds. {draft.check}\n"
    )


def with_code(draft: Draft) -> str:
    """Numbered steps, each with a block of code that sketches it."""
    parts: list[str] = []
    for number, step in enumerate(draft.steps, 1):
        name = re.search(r"`(\w{3,60})\(", step)
        block = f"```python\ndef {name[1]}(...):\n    ...  # the sketch leaves the rest as it is\n```" if name else ""
        adding = re.match(r"(?:Add|Introduce|Write)\b", step) is not None
        parts.append(f"{number}. {step}" + (f"\n\n{block}" if name and adding else "\n\n   ```bash\n   git diff --stat\n   ```"))
    return f"# {draft.title}\n\nGoal: {_goal(draft)}\n\n" + "\n\n".join(parts) + f"\n\n## Done when\n\n{draft.check}\n"


def tabled(draft: Draft) -> str:
    """As coding agents write them: a table of files, then the changes."""
    rows = "\n".join(f"| `{path}` | see below |" for path in draft.files)
    parts = "\n".join(f"* **Change {number}.** {step}" for number, step in enumerate(draft.steps, 1))
    table = f"## Critical files\n\n| File | Role |\n|---|---|\n{rows}\n\n" if rows else ""
    return (
        f"# {draft.title}\n\n## Summary\n\n{_goal(draft)}\n\n{table}## Approach\n\n{parts}\n\n## Verification\n\n{draft.check}\n"
    )


_FILLER = (
    "The work is split so that each part can be reviewed on its own. No part leaves the tree in a state that does not start.",
    "Reviewers look at the names first and at the behaviour second. A name that needs a comment is a name that needs a change.",
    "We considered doing it in one go and decided against it, because the review would take longer than the work.",
    "Nothing here depends on the network. The change can be tried out on a laptop with the sample data that everyone has.",
    "If a part turns out to be larger than expected, it is split again and the list below is kept up to date.",
    "The old behaviour is written down in the notes of the last release; the new one goes into the notes of the next.",
    "Performance is not the aim. If a figure gets worse by more than a few per cent, we stop and talk about it.",
    "Messages to users keep their tone: short, friendly, without blame.",
)


def long(draft: Draft) -> str:
    """Some 300 lines: background, what is left alone, the parts in detail, risks, roll-out, a glossary."""
    known = [f"- `{path}` stays as it is unless a part below says otherwise." for path in draft.files]
    spoken = [f"- `{name}` is what people ask about most; read it before you begin." for name in draft.names]
    parts: list[str] = []
    for number, step in enumerate(draft.steps, 1):
        detail = "\n\n".join(_FILLER[(number + offset) % len(_FILLER)] for offset in range(5))
        parts.append(f"### Phase {number}: part {number} of {len(draft.steps)}\n\n{step}\n\n{detail}")
    filling = "\n\n".join(_FILLER * 6)
    return "\n\n".join(
        (
            f"# {draft.title}",
            f"## Goal\n\n{_goal(draft)}",
            f"## Background\n\n{filling}",
            "## Where things are today\n\n" + "\n".join([*known, *spoken, "- Everything else is out of scope."]),
            "## Work",
            *parts,
            f"## Risks\n\n| Risk | What we do |\n|---|---|\n| It takes longer | tell the team |\n\n{filling}",
            f"## Verification\n\n{draft.check}",
            "## Glossary\n\n- part: a piece of work that is reviewed on its own\n",
        )
    )


STYLES: dict[str, Callable[[Draft], str]] = {
    "numbered": numbered,
    "headed": headed,
    "checklist": checklist,
    "prose": prose,
    "with code": with_code,
    "tabled": tabled,
    "long": long,
}


def _goal(draft: Draft) -> str:
    return f"Make the behaviour match its description. {draft.before}".strip()


def _lowered(step: str) -> str:
    return step[:1].lower() + step[1:]

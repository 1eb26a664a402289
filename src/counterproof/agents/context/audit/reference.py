"""Reference material next to the code: matching knowledge modules, and the project's own documents.

Invariant: displayed modules count as loaded, within the same limits (A3); the authors' documents are data, without paragraphs
that address a model.
"""

from collections.abc import Iterator

from counterproof.agents.context.sections import Piece, Section
from counterproof.protocols.guard.injection import addresses_model
from counterproof.protocols.guard.isolation import Category
from counterproof.toolbox.witnessed import WitnessedTools

CONVENTIONS = ("AGENTS.md", "CLAUDE.md", "CONTRIBUTING.md", "SECURITY.md", "docs/CONTRIBUTING.md", ".github/CONTRIBUTING.md")
_MOST = 1_500


def knowledge(toolbox: WitnessedTools) -> Iterator[Section]:
    """The matching modules, most certain first."""
    pieces = tuple(Piece(module.text, -number, name=module.card.name) for number, module in enumerate(toolbox.inlined()))
    yield Section("Knowledge modules that fit, loaded for you:", Category.REFERENCE, pieces, 85, 6_000)


def conventions(toolbox: WitnessedTools) -> Iterator[Section]:
    """The authors' rules for people who work on the project."""
    pieces = [piece for path in CONVENTIONS for piece in _paragraphs(toolbox, path)]
    yield Section(
        "What the authors say about working on the project (no evidence that anything is safe):",
        Category.CODE, tuple(pieces), 30, _MOST, rest="`read` shows the documents",
    )  # fmt: skip


def _paragraphs(toolbox: WitnessedTools, path: str) -> Iterator[Piece]:
    text = "\n".join(line for _, line in toolbox.as_shown(path, 1, 400))
    kept = [part.strip() for part in text.split("\n\n") if part.strip() and not addresses_model(part)]
    if kept and not addresses_model("\n\n".join(kept)):
        yield from (Piece(f"{path}: {part}") for part in kept)

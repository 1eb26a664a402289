"""The rules of a scan: our own pack, by the languages present, or the user's local files.

Registry packs and URLs are rejected before anything runs: they need the network, send data out and hang for minutes without it.
The rules themselves are the YAML files under `pack/`, one folder per language; `tests/rules/semgrep/` contains their cases.
"""

import os
import re
from collections.abc import Iterable
from pathlib import Path

from counterproof.model.errors import UserError
from counterproof.model.survey import Language

PACK = Path(__file__).parent / "pack"

_FOLDERS = {
    Language.PYTHON: "python",
    Language.JAVASCRIPT: "javascript",
    Language.TYPESCRIPT: "javascript",
    Language.JAVA: "java",
    Language.GO: "go",
    Language.PHP: "php",
    Language.RUBY: "ruby",
}

_REGISTRY = re.compile(
    r"(auto|policy|supply-chain|code|secrets|r2c|[prs]/.*|[a-z][a-z0-9+.-]*://.*|[a-z0-9_-]+:[^/].*)", re.IGNORECASE
)
_SUFFIXES = (".yml", ".yaml", ".json", ".jsonnet")


def own_rules(languages: Iterable[Language]) -> tuple[Path, ...]:
    """The files of our pack for these languages, in order; empty if none."""
    folders = sorted({_FOLDERS[language] for language in languages})
    return tuple(file for folder in folders for file in sorted((PACK / folder).glob("*.yaml")))


def local_rules(text: str) -> Path:
    """The user's own rules: a local file or folder, or an error message."""
    path = Path(text).expanduser()
    if not text.strip() or (_REGISTRY.fullmatch(text.strip()) and not path.exists()):
        raise UserError(
            f"{text!r} is not a local Semgrep configuration",
            "registry packs and addresses are not used, because a scan never goes online; download the rules and give their path",
        )
    if not os.access(path, os.R_OK):
        raise UserError(f"there is no readable Semgrep configuration at {text}", "give a YAML file or a folder of YAML files")
    if path.is_file() and path.suffix.lower() not in _SUFFIXES:
        raise UserError(f"{text} is not a Semgrep configuration", f"its name must end in one of: {', '.join(_SUFFIXES)}")
    return path.resolve()

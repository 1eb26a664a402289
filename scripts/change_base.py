"""The commit that a change started from."""

import subprocess

from rule_marks import ROOT


def base_of(ref: str) -> str:
    """Where the branch left `ref`; "" where that commit is unknown or HEAD itself."""
    base = git("merge-base", ref, "HEAD")
    return "" if base == git("rev-parse", "HEAD") else base


def git(*arguments: str) -> str:
    """What git prints; "" where it fails."""
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else ""

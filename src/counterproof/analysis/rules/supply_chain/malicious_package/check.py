"""The check of `malicious-package`."""

from collections.abc import Iterator

from counterproof.analysis.dependencies.supplies import Concern, Supplies
from counterproof.model.severity import Complexity, Impact, Rating, Reach


def check(supplies: Supplies) -> Iterator[Concern]:
    for known in supplies.known:
        ids = [each.id for each in known.vulnerabilities if each.malicious]
        if ids:
            declared = known.declared
            yield Concern(
                declared.line,
                f"{declared.name} {declared.version} is a malicious package: {', '.join(ids[:3])}",
                rating=Rating(Reach.ANONYMOUS, Impact.FULL, Complexity.SINGLE_REQUEST, default_config=True),
                defence="No other version of it is declared here.",
                reach="It runs where the dependencies of this file are installed.",
                also=known.also[:50],
                package=declared.name,
                advisory=", ".join(ids[:3]),
            )

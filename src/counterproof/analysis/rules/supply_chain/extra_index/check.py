"""The check of `extra-index`."""

from collections.abc import Iterator

from counterproof.analysis.dependencies.supplies import Concern, Supplies
from counterproof.analysis.ruleset import Confidence

_PUBLIC = ("pypi.org", "files.pythonhosted.org", "download.pytorch.org", "pypi.nvidia.com", "data.pyg.org")


def check(supplies: Supplies) -> Iterator[Concern]:
    for option in supplies.options:
        address = option.value.lower()
        if option.kind == "extra index" and not address.startswith("http://") and not any(host in address for host in _PUBLIC):
            yield Concern(
                option.line,
                "Dependency confusion: second package index",
                confidence=Confidence.MEDIUM,
                defence="No package is pinned to one of the two indexes.",
                reach="An attacker must know the name of an internal package.",
            )

"""The check of `trusted-host`."""

from collections.abc import Iterator

from counterproof.analysis.dependencies.supplies import Concern, Supplies


def check(supplies: Supplies) -> Iterator[Concern]:
    for option in supplies.options:
        if option.kind == "trusted host":
            yield Concern(
                option.line,
                "Packages installed without certificate validation",
                defence="Certificate validation is disabled at this line.",
                reach="An attacker must be on the network path between the build and the server.",
            )

"""The check of `plain-http-index`."""

from collections.abc import Iterator

from counterproof.analysis.dependencies.supplies import Concern, Supplies

_LOCAL = ("http://localhost", "http://127.0.0.1", "http://[::1]")


def check(supplies: Supplies) -> Iterator[Concern]:
    for option in supplies.options:
        address = option.value.lower()
        if option.kind != "trusted host" and address.startswith("http://") and not address.startswith(_LOCAL):
            yield Concern(
                option.line,
                "Packages fetched over plain HTTP",
                defence="The URL at this line is not encrypted, and no hash was found for its packages.",
                reach="An attacker must be on the network path between the build and the server.",
            )

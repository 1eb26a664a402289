"""The check of `mutable-image`."""

from collections.abc import Iterator

from counterproof.analysis.dependencies.supplies import Concern, Supplies

_NAMED = 5


def check(supplies: Supplies) -> Iterator[Concern]:
    moving = [each for each in supplies.references if each.kind == "image" and not each.fixed]
    if moving:
        names = ", ".join(each.text for each in moving[:_NAMED]) + (" …" if len(moving) > _NAMED else "")
        yield Concern(
            moving[0].line,
            f"Container images not pinned: {len(moving)}",
            f"Their owner, or anyone who takes over the account, can change what the build runs: {names}.",
        )

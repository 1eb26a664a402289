"""Lists of names, written as running text. Does not belong here: anything else."""


def words(text: str) -> frozenset[str]:
    """The names in a text, separated by blanks."""
    return frozenset(text.split())

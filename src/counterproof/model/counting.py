"""Numbers with their nouns, in singular or plural, for display."""


def counted(number: int, noun: str, plural: str = "") -> str:
    """ "1 file", "2 files"."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"

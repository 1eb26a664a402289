"""Numbers in front of nouns, for whatever people read. Pure; nothing else belongs here."""


def counted(number: int, noun: str, plural: str = "") -> str:
    """ "1 file", "2 files"."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"

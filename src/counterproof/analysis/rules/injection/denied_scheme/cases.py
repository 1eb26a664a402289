import re
from urllib.parse import urlparse

BLANKS = re.compile(r"[\x00-\x20]+")


def attribute(name, value):
    if value.strip().lower().startswith("javascript:"):  # expect: denied-scheme
        return ""
    return f'{name}="{value}"'


def link(address):
    return "#" if re.match(r"^\s*javascript:", address, re.IGNORECASE) else address  # expect: denied-scheme


def parsed(address):
    return "#" if urlparse(address).scheme == "javascript" else address  # ok: denied-scheme


def cleaned(address):
    plain = BLANKS.sub("", address)
    return "#" if plain.startswith("javascript:") else plain  # ok: denied-scheme


def highlighted(language):
    return language.startswith("java")  # ok: denied-scheme

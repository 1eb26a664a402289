import os
import re


def cleaned(name):
    return name.replace("../", "")  # expect: dots-removed


def sub(name):
    return re.sub(r"\.\./", "", name)  # expect: dots-removed


def checked(root, name):
    path = os.path.realpath(os.path.join(root, name.replace("../", "")))  # ok: dots-removed
    if not path.startswith(root + os.sep):
        raise ValueError(name)
    return path


def repeated(name):
    while "../" in name:
        name = name.replace("../", "")  # ok: dots-removed
    return name


def sentence(text):
    return text.replace("...", "…")  # ok: dots-removed

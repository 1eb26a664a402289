import os

from flask import safe_join


def image(folder, app, address):
    if address.startswith("/%s/static/" % app):
        return os.path.join(folder, address.split("/", 2)[2])  # expect: loose-prefix
    return None


def picture(site, source):
    if not source.startswith("/files"):
        return None
    return open(site.get_site_path("public", source.lstrip("/")))  # expect: loose-prefix


def picture_without_dots(site, source):
    if not source.startswith("/files") or ".." in source:
        return None
    return open(site.get_site_path("public", source.lstrip("/")))  # ok: loose-prefix


def picture_joined_safely(site, source):
    if source.startswith("/files/"):
        return safe_join(site.root, source[7:])  # ok: loose-prefix
    return None


def sub_folder(folder, address):
    if address.startswith("https://"):
        return None
    return os.path.join(folder, address)  # ok: loose-prefix


def tests_in(folder):
    return [os.path.join(folder, name) for name in os.listdir(folder) if name.startswith("test_")]  # ok: loose-prefix

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


def content(settings, address):
    if not address.startswith(settings.MEDIA_URL):
        raise FileNotFoundError(address)
    found = settings.MEDIA_ROOT / address[len(settings.MEDIA_URL) :]  # expect: loose-prefix
    return found.read_bytes()


def content_resolved(settings, address):
    if not address.startswith(settings.MEDIA_URL):
        raise FileNotFoundError(address)
    found = (settings.MEDIA_ROOT / address[len(settings.MEDIA_URL) :]).resolve()  # ok: loose-prefix
    if settings.MEDIA_ROOT not in found.parents:
        raise FileNotFoundError(address)
    return open(found)


def share(address, settings, count):
    return count / len(address) if address.startswith(settings.MEDIA_URL) else 0  # ok: loose-prefix

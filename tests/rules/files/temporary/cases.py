import os
import tempfile
from tempfile import mktemp


def named():
    return open(tempfile.mktemp(suffix=".csv"), "w")  # expect: temporary-file


def imported():
    path = mktemp()  # expect: temporary-file
    return path


def old():
    return os.tempnam("/tmp")  # expect: temporary-file


def unknown():
    return os.tmpnam()  # expect: temporary-file


def made():
    return tempfile.NamedTemporaryFile("w", suffix=".csv")  # ok: temporary-file


def low_level():
    handle, path = tempfile.mkstemp()  # ok: temporary-file
    return handle, path


def folder():
    return tempfile.TemporaryDirectory()  # ok: temporary-file


def own(folder):
    return open(folder.mktemp("x"), "w")  # ok: temporary-file

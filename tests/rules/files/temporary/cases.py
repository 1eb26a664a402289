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


def fixed_folder():
    path = "/tmp/sharing"
    if not os.path.exists(path):
        os.makedirs(path, 0o700)  # expect: temporary-file
    return path


def fixed_file(text):
    with open(os.path.join(tempfile.gettempdir(), "report.txt"), "w") as handle:  # expect: temporary-file
        handle.write(text)


def must_be_new(text):
    with open(os.path.join(tempfile.gettempdir(), "report.txt"), "x") as handle:  # ok: temporary-file
        handle.write(text)


def script(text):
    with open("/tmp/report.txt", "w") as handle:  # ok: temporary-file
        handle.write(text)


def read_only():
    return open("/tmp/report.txt", "r").read()  # ok: temporary-file


def looked_at():
    os.makedirs("/tmp/sharing", 0o700, exist_ok=True)  # ok: temporary-file
    if os.lstat("/tmp/sharing").st_uid != os.getuid():
        raise PermissionError("/tmp/sharing")


def given(folder):
    os.makedirs(folder)  # ok: temporary-file

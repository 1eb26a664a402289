import os
import stat
import tempfile


def save_key(path, key):
    with open(path, "w") as handle:  # expect: late-permissions
        handle.write(key)
    os.chmod(path, 0o600)


class Keys:
    def save(self, key):
        with open(self.path, "wb") as handle:  # expect: late-permissions
            os.chmod(self.path, stat.S_IRUSR | stat.S_IWUSR)
            handle.write(key)


def made_right(path, key):
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600), "w") as handle:
        handle.write(key)
    os.chmod(path, 0o600)


def under_a_mask(path, key):
    before = os.umask(0o077)
    with open(path, "w") as handle:  # ok: late-permissions
        handle.write(key)
    os.umask(before)
    os.chmod(path, 0o600)


def a_program(path, text):
    with open(path, "w") as handle:  # ok: late-permissions
        handle.write(text)
    os.chmod(path, 0o755)


def another(path, other, text):
    with open(path, "w") as handle:  # ok: late-permissions
        handle.write(text)
    os.chmod(other, 0o600)


def temporary(text):
    path = tempfile.NamedTemporaryFile(delete=False).name
    with open(path, "w") as handle:  # ok: late-permissions
        handle.write(text)
    os.chmod(path, 0o600)


def read(path):
    os.chmod(path, 0o600)
    return open(path, "r").read()  # ok: late-permissions


def cached(path, key, keep):
    if not keep:
        handle = tempfile.NamedTemporaryFile()
    else:
        handle = open(path, "w")  # expect: late-permissions
        handle.write(key)
        os.chmod(path, 0o600)
    return handle

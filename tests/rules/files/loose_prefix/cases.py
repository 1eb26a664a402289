import os
from pathlib import Path


def inside(root, name):
    path = os.path.abspath(os.path.join(root, name))
    if not path.startswith(root):  # expect: loose-prefix
        raise ValueError(name)
    return path


def with_separator_on_the_wrong_side(root, name):
    path = os.path.join(root, name)
    return (os.path.abspath(path) + os.sep).startswith(root)  # expect: loose-prefix


def resolved(base_dir, name):
    path = Path(base_dir, name).resolve()
    return str(path).startswith(str(base_dir))  # expect: loose-prefix


def letters(directory, name):
    path = os.path.realpath(os.path.join(directory, name))
    if os.path.commonprefix([path, directory]) != directory:  # expect: loose-prefix
        raise ValueError(name)
    return path


def separated(root, name):
    path = os.path.abspath(os.path.join(root, name))
    return path.startswith(root + os.sep)  # ok: loose-prefix


def closed(folder, name):
    base = os.path.join(os.path.abspath(folder), "")
    path = os.path.abspath(os.path.join(base, name))
    return path.startswith(base)  # ok: loose-prefix


def common(directory, name):
    path = os.path.realpath(os.path.join(directory, name))
    return os.path.commonpath([path, directory]) == directory  # ok: loose-prefix


def shared_start(names):
    return os.path.commonprefix(names)  # ok: loose-prefix


def other_text(path):
    return path.startswith("/static")  # ok: loose-prefix


class Served:
    @classmethod
    def place(cls, name):
        path = os.path.abspath(os.path.join(cls.static_root, name))
        return path if path.startswith(cls.static_root) else None  # ok: loose-prefix


class Kept:
    def __init__(self, folder):
        self.folder = os.path.realpath(folder)

    def place(self, name):
        path = os.path.realpath(os.path.join(self.folder, name))
        return path if path.startswith(self.folder) else None  # expect: loose-prefix


def listed(settings, name):
    path = os.path.abspath(name)
    for root in settings.ROOTS:
        if path.startswith(root):  # ok: loose-prefix
            return path
    return None


def is_project_func(settings, file_name):
    base_dir = os.path.normpath(settings.base_dir)
    return os.path.normpath(file_name).startswith(base_dir)  # ok: loose-prefix


def is_below(settings, file_name):
    base_dir = os.path.normpath(settings.base_dir)
    return os.path.normpath(file_name).startswith(base_dir)  # expect: loose-prefix


def unpacked(out_dir, entry):
    path = os.path.join(out_dir, entry.name)
    if not path.startswith(out_dir):  # expect: loose-prefix
        raise ValueError(entry.name)
    return path


def unpacked_elsewhere(out_dir, other, entry):
    path = os.path.join(out_dir, entry.name)
    return path if path.startswith(other) else None  # ok: loose-prefix


def unpacked_and_resolved(out_dir, entry):
    path = os.path.normpath(os.path.join(out_dir, entry.name))
    return path if path.startswith(out_dir + os.sep) else None  # ok: loose-prefix


def resolved_alike(folder, name):
    path = os.path.abspath(os.path.join(folder.root, name))
    return path.startswith(os.path.abspath(folder.root))  # expect: loose-prefix

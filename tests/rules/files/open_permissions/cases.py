import os
import stat
from pathlib import Path


def for_all(path):
    os.chmod(path, 0o777)  # expect: open-permissions


def by_name(path):
    os.chmod(path, stat.S_IRUSR | stat.S_IWOTH)  # expect: open-permissions


def a_path(name):
    Path(name).chmod(0o666)  # expect: open-permissions


def own(path):
    os.chmod(path, 0o600)  # ok: open-permissions


def program(path):
    os.chmod(path, 0o755)  # ok: open-permissions


def sticky(path):
    os.mkdir(path, 0o1777)  # ok: open-permissions


def chosen(path, mode):
    os.chmod(path, mode)  # ok: open-permissions


def the_same_number(path):
    os.chmod(path, 0o620)  # ok: open-permissions


def unmasked():
    os.umask(0)  # expect: open-permissions


def masked():
    os.umask(0o077)  # ok: open-permissions

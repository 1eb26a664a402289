import subprocess

from flask_login import current_user

from . import settings


def unlock():
    hook = settings.HOOK.replace("%u", current_user.username)
    return subprocess.run(hook, shell=True)  # expect: shell-text


def unlock_by_list():
    return subprocess.run([settings.HOOK, current_user.username])  # ok: shell-text

import os

DB_PASSWORD = "Tr0ub4dor&3x"  # expect: hard-coded-password
SMTP_PASSWORD = os.environ["SMTP_PASSWORD"]  # ok: hard-coded-password
PASSWORD_FIELD = "password"  # ok: hard-coded-password
PASSWORD = ""  # ok: hard-coded-password


def known(password):
    if password == "opensesame42":  # expect: hard-coded-password
        return True
    return password == os.environ["DOOR"]  # ok: hard-coded-password

import os

DB_PASSWORD = "Tr0ub4dor&3x"  # expect: hard-coded-password
SMTP_PASSWORD = os.environ["SMTP_PASSWORD"]  # ok: hard-coded-password
PASSWORD_FIELD = "password"  # ok: hard-coded-password
PASSWORD = ""  # ok: hard-coded-password


def known(password):
    if password == "opensesame42":  # expect: hard-coded-password
        return True
    return password == os.environ["DOOR"]  # ok: hard-coded-password


def describe():
    """Writes rows such as INSERT INTO users (name, password) VALUES ('admin', 'letmein99')."""  # ok: hard-coded-password
    return "INSERT INTO users (name, password) VALUES ('admin', 'letmein99')"  # expect: hard-coded-password


class Account:
    def __init__(self, name, password):
        self.name = name
        self.password = password


class Problem(Exception):
    def __init__(self, what):
        super().__init__(f"no {what}", "start it again; nothing was lost")  # ok: hard-coded-password

MYSQL_PASSWORD = os.getenv("MYSQL_PASSWORD", "hunter2x")  # expect: hard-coded-password
password_field = os.getenv("password_field", "password")  # ok: hard-coded-password

BROKER = "amqp://guest:guest@localhost:5672//"  # ok: hard-coded-password


def is_elsewhere(user):
    return user.password == "LDAP"  # ok: hard-coded-password


COUNTRIES = {"PT": "Portugal", "PW": "Palau"}  # ok: hard-coded-password


STREAM_PASSWORD_PROTECTED = "Y"  # ok: hard-coded-password
LABELS = {"node_api_password": "Key"}  # ok: hard-coded-password
# parse postgres://shop:postgres@localhost:5432/shop  # ok: hard-coded-password
DATABASE = "postgres://shop:postgres@db.shop.example:5432/shop"  # expect: hard-coded-password


class Exporter:
    def address(self):
        return f"mongodb://{quote_plus(self.user)}:{quote_plus(self.password)}@{self.host}"  # ok: hard-coded-password


def old_hashes(users):
    return users.filter(password__startswith="sha1", password="hunter22x")  # expect: hard-coded-password


def known_hashes(users):
    return users.filter(password__startswith="sha1$x")  # ok: hard-coded-password

EVENTS = {"password": "sec:password", "reset_password": "/reset-password/{0}"}  # ok: hard-coded-password
EVENTS = {"password": "sec:hunter2x"}  # expect: hard-coded-password
USERS = [("watch@example.org", "night-watch", "Somebody")]  # expect: hard-coded-password

AUTH_TYPE_PASSWORD = "password"  # ok: hard-coded-password
ADMIN_LOGIN_PASSWORD = "kestrel-93-open"  # expect: hard-coded-password
TemplateResetPassword = "reset-password"  # ok: hard-coded-password
TemplateStorePassword = "reset-passw0rd7"  # expect: hard-coded-password

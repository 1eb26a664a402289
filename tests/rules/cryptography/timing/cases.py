import hashlib
import hmac

from accounts import new_password


class Server:
    def __init__(self, secret, auth):
        self.secret = secret
        self.auth = auth

    def unlock(self, given_secret):
        return given_secret == self.secret  # expect: timing-comparison

    def log_in(self, name, password):
        return name in self.auth and self.auth[name] == password  # expect: timing-comparison

    def same(self, other):
        return self.secret == other.secret  # ok: timing-comparison

    def careful(self, given_secret):
        return hmac.compare_digest(given_secret, self.secret)  # ok: timing-comparison

    def empty(self):
        return self.secret == ""  # ok: timing-comparison


auth_password = new_password()


def known(password):
    return password == auth_password  # expect: timing-comparison


def all_of_it(password):
    same = True
    for i in range(16):
        same &= password[i] == auth_password[i]  # ok: timing-comparison
    return same


def signed(key, body, signature):
    expected = hmac.new(key, body, hashlib.sha256).hexdigest()
    return expected == signature  # expect: timing-comparison


def signed_at_once(key, body, sent):
    if sent != hmac.new(key, body, hashlib.sha256).digest():  # expect: timing-comparison
        raise ValueError("forged")


def repeated(form):
    return form.password == form.password_confirm  # ok: timing-comparison


def owner_of(users, api_key):
    for user in users:
        if user.api_key == api_key:  # expect: timing-comparison
            return user
    return None


def named(users, name):
    return [user for user in users if user.name == name]  # ok: timing-comparison


def checked(user, api_key):
    return hmac.compare_digest(user.api_key, api_key)  # ok: timing-comparison


def without(keys, api_key):
    return [each for each in keys if each.api_key != api_key]  # ok: timing-comparison


class Query:
    @classmethod
    def of_key(cls, api_key):
        return cls.query.filter(cls.api_key == api_key).one()  # ok: timing-comparison


def of_token(session, auth_token):
    return session.query(Token).filter(Token.auth_token == auth_token).first()  # ok: timing-comparison


MAGIC_SIGNATURE = b"\r\n\r\n"


def is_marked(self, buffer_signature):
    return buffer_signature == MAGIC_SIGNATURE  # ok: timing-comparison


def among(sig, valid_sigs, names):
    if sig not in valid_sigs:  # expect: timing-comparison
        raise PermissionError(sig)
    return sig in names  # ok: timing-comparison


class Question:
    def answered(self, question, signature):
        return self.compute_signature(question) == signature  # expect: timing-comparison

    def kinds(self, name):
        return self.signature_kind(name) == name  # ok: timing-comparison


def is_unchanged(app, default_settings):
    return app.config["SECRET_KEY"] == default_settings.SECRET_KEY  # ok: timing-comparison

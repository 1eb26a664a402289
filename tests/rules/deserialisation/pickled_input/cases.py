import base64
import hashlib
import hmac
import pickle


def from_address(text):
    return pickle.loads(base64.urlsafe_b64decode(text))  # expect: pickled-input


def from_socket(connection):
    message = connection.recv(4096)
    return pickle.loads(message)  # expect: pickled-input


def from_cookie(key, text, given):
    if not hmac.compare_digest(hmac.new(key, text, hashlib.sha256).digest(), given):
        return None
    return pickle.loads(base64.b64decode(text))  # ok: pickled-input


def from_file(path):
    with open(path, "rb") as handle:
        return pickle.load(handle)  # ok: pickled-input


def copied(value):
    return pickle.loads(pickle.dumps(value))  # ok: pickled-input

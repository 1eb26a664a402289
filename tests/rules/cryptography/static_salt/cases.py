import hashlib
import os

import bcrypt
from cryptography.hazmat.primitives.kdf.pbkdf2 import PBKDF2HMAC

PEPPER = b"9fQ2-same-for-all"


def bad_ones(password, algorithm):
    first = hashlib.pbkdf2_hmac("sha256", password, b"q8Zt-everyone", 600_000)  # expect: static-salt
    second = hashlib.scrypt(password, salt=PEPPER, n=16384, r=8, p=1)  # expect: static-salt
    third = bcrypt.hashpw(password, "$2b$12$abcdefghijklmnopqrstuu".encode())  # expect: static-salt
    fourth = PBKDF2HMAC(algorithm=algorithm, length=32, salt=PEPPER, iterations=600_000)  # expect: static-salt
    fifth = hashlib.pbkdf2_hmac("sha256", password, bytes(16), 600_000)  # expect: static-salt
    return first, second, third, fourth, fifth


def good_ones(password, salt, stored):
    fresh = os.urandom(16)
    first = hashlib.pbkdf2_hmac("sha256", password, fresh, 600_000)  # ok: static-salt
    second = hashlib.pbkdf2_hmac("sha256", password, salt, 600_000)  # ok: static-salt
    third = bcrypt.hashpw(password, bcrypt.gensalt())  # ok: static-salt
    fourth = bcrypt.hashpw(password, stored.encode())  # ok: static-salt
    return first, second, third, fourth


def session_key(settings):
    return hashlib.pbkdf2_hmac("sha256", settings.SECRET_KEY, b"session cookies", 1)  # ok: static-salt

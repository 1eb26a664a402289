import os

from Crypto.Cipher import AES
from cryptography.hazmat.primitives.ciphers import modes

FIXED = b"0123456789abcdef"


def bad_ones(key):
    first = AES.new(key, AES.MODE_CBC, b"0000000000000000")  # expect: static-iv
    second = AES.new(key, AES.MODE_CBC, iv=FIXED)  # expect: static-iv
    third = modes.CBC(b"\x00" * 16)  # expect: static-iv
    fourth = modes.CTR(bytes(16))  # expect: static-iv
    fifth = AES.new(key, AES.MODE_CBC, "fixed for all..".encode())  # expect: static-iv
    return first, second, third, fourth, fifth


def good_ones(key, iv):
    fresh = os.urandom(16)
    first = AES.new(key, AES.MODE_CBC, fresh)  # ok: static-iv
    second = modes.CBC(os.urandom(16))  # ok: static-iv
    third = modes.CBC(iv)  # ok: static-iv
    fourth = AES.new(key, AES.MODE_GCM)  # ok: static-iv
    return first, second, third, fourth

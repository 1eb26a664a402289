from Crypto.Cipher import AES, ARC4, DES
from cryptography.fernet import Fernet
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes


def old(key, nonce):
    first = DES.new(key)  # expect: weak-cipher
    second = ARC4.new(key)  # expect: weak-cipher
    third = AES.new(key, AES.MODE_ECB)  # expect: weak-cipher
    fourth = Cipher(algorithms.TripleDES(key), modes.CBC(nonce))  # expect: weak-cipher
    fifth = Cipher(algorithms.AES(key), modes.ECB())  # expect: weak-cipher
    return first, second, third, fourth, fifth


def sound(key, nonce):
    first = AES.new(key, AES.MODE_GCM, nonce=nonce)  # ok: weak-cipher
    second = Cipher(algorithms.AES(key), modes.GCM(nonce))  # ok: weak-cipher
    third = Fernet(key)  # ok: weak-cipher
    return first, second, third


def describe(des):
    return des.new("DES")  # ok: weak-cipher

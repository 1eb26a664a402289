from Crypto.PublicKey import RSA
from cryptography.hazmat.primitives.asymmetric import ec, rsa

SHORT = 512

first = rsa.generate_private_key(public_exponent=65537, key_size=1024)  # expect: key-size
second = rsa.generate_private_key(65537, SHORT)  # expect: key-size
third = rsa.generate_private_key(public_exponent=65537, key_size=3072)  # ok: key-size
fourth = RSA.generate(1024)  # expect: key-size
fifth = RSA.generate(4096)  # ok: key-size
sixth = ec.generate_private_key(ec.SECP192R1())  # expect: key-size
seventh = ec.generate_private_key(ec.SECP256R1())  # ok: key-size


def configured(bits):
    return RSA.generate(bits)  # ok: key-size

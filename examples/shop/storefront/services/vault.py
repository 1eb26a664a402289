"""Saved payment details, encrypted at rest."""

import json

from Crypto.Cipher import AES
from Crypto.Util.Padding import pad, unpad
from flask import current_app


def _key():
    return bytes.fromhex(current_app.config["VAULT_KEY"])


def lock_card(number, expires):
    """The card as it is stored."""
    plain = json.dumps({"number": number, "expires": expires}).encode()
    return AES.new(_key(), AES.MODE_ECB).encrypt(pad(plain, AES.block_size))


def unlock_card(box):
    plain = unpad(AES.new(_key(), AES.MODE_ECB).decrypt(box), AES.block_size)
    return json.loads(plain)


def masked(card):
    """The card as it is shown."""
    return "**** " + card["number"][-4:]


def lock_document(content):
    """An identity document as it is stored: nonce, tag, ciphertext."""
    cipher = AES.new(_key(), AES.MODE_GCM)
    ciphertext, tag = cipher.encrypt_and_digest(content)
    return cipher.nonce + tag + ciphertext


def unlock_document(box):
    cipher = AES.new(_key(), AES.MODE_GCM, nonce=box[:16])
    return cipher.decrypt_and_verify(box[32:], box[16:32])

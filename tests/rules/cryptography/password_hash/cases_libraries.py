import bcrypt
from passlib.context import CryptContext
from werkzeug.security import generate_password_hash

old = CryptContext(schemes=["md5_crypt"], deprecated="auto")  # expect: password-hash
plain = CryptContext(["plaintext", "bcrypt"])  # expect: password-hash
moved = CryptContext(schemes=["bcrypt", "md5_crypt"], deprecated="auto")  # ok: password-hash


def chosen_by_settings(config):
    return CryptContext(**config.passlib)  # ok: password-hash


SALT = b"$2b$12$abcdefghijklmnopqrstuu"


def save(user, word):
    user.hash = generate_password_hash(word, method="sha256")  # expect: password-hash
    user.hash = generate_password_hash(word, "pbkdf2:sha256")  # ok: password-hash
    user.hash = generate_password_hash(word)  # ok: password-hash
    user.hash = bcrypt.hashpw(word, bcrypt.gensalt())  # ok: password-hash
    return bcrypt.hashpw(word, user.hash) == user.hash  # ok: password-hash

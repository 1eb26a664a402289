import hashlib
from hashlib import md5, sha256

ALGORITHM = "sha1"


def store(user, password):
    user.password = hashlib.md5(password.encode()).hexdigest()  # expect: weak-hash
    user.digest = md5(user.password.encode()).hexdigest()  # expect: weak-hash


def etag(body):
    return hashlib.md5(body).hexdigest()  # ok: weak-hash


def reset_token(user):
    return hashlib.new(ALGORITHM, str(user.id).encode()).hexdigest()  # expect: weak-hash


def cache_key(parts):
    key = hashlib.sha1("/".join(parts).encode(), usedforsecurity=False)  # ok: weak-hash
    return key.hexdigest()


def check(row, given):
    digest = hashlib.sha1()  # expect: weak-hash
    digest.update(given)
    password_hash = digest.hexdigest()
    return row == password_hash


def archive(value):
    digest = hashlib.sha1(value)  # expect: weak-hash
    with open("password-store.txt", "a") as store_file:
        store_file.write(digest.hexdigest())


def checksum(data):
    return sha256(data).hexdigest()  # ok: weak-hash


def pick(name, data):
    return hashlib.new(name, data)  # ok: weak-hash


def build_etag(app, name):
    return hashlib.md5((app.config["SECRET_KEY"] + name).encode()).hexdigest()  # ok: weak-hash


def is_leaked(password, get):
    digest = hashlib.sha1(password.encode()).hexdigest().upper()  # ok: weak-hash
    return digest[5:] in get("https://api.pwnedpasswords.com/range/" + digest[:5])


def fetched(config, get):
    url_hash = hashlib.md5(config["url"].encode()).hexdigest()  # ok: weak-hash
    if not get(config["url"]):
        raise ValueError("a password may be needed")
    return url_hash

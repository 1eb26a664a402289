import hashlib


def store(user, password, salt):
    user.hash = hashlib.sha256(password.encode()).hexdigest()  # expect: password-hash
    user.hash = hashlib.sha512(salt + user.passwd.encode()).hexdigest()  # expect: password-hash
    user.hash = hashlib.pbkdf2_hmac("sha256", password.encode(), salt, 1000)  # expect: password-hash
    user.hash = hashlib.pbkdf2_hmac("sha256", password.encode(), salt, 600_000)  # ok: password-hash
    user.hash = hashlib.scrypt(password.encode(), salt=salt, n=16384, r=8, p=1)  # ok: password-hash


def checksum(data):
    return hashlib.sha256(data).hexdigest()  # ok: password-hash


def fingerprint(passage):
    return hashlib.sha256(passage.encode()).hexdigest()  # ok: password-hash


def derive(password, salt, iterations):
    return hashlib.pbkdf2_hmac("sha256", password, salt, iterations)  # ok: password-hash


def legacy(form):
    return hashlib.sha3_256(form["password"].encode()).hexdigest()  # expect: password-hash

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # expect: password-hash
PASSWORD_HASHERS = [  # ok: password-hash
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
    "django.contrib.auth.hashers.MD5PasswordHasher",
]
PASSWORD_HASHERS = [  # ok: password-hash
    *global_settings.PASSWORD_HASHERS,
    "django.contrib.auth.hashers.MD5PasswordHasher",
]


def salted(salt, raw_password):
    mixed = "{0}:{1}".format(salt, raw_password)
    return hashlib.sha512(mixed.encode()).hexdigest()  # expect: password-hash


def labelled(salt, document):
    mixed = "{0}:{1}".format(salt, document)
    return hashlib.sha512(mixed.encode()).hexdigest()  # ok: password-hash

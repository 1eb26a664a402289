import jwt
from jose import jwt as jose_jwt

OPTIONS = {"verify_signature": False}


def read(token, key):
    first = jwt.decode(token, verify=False)  # expect: jwt-unverified
    second = jwt.decode(token, options={"verify_signature": False})  # expect: jwt-unverified
    third = jwt.decode(token, key, algorithms=["HS256", "none"])  # expect: jwt-unverified
    fourth = jose_jwt.get_unverified_claims(token)  # expect: jwt-unverified
    fifth = jwt.decode(token, options=OPTIONS)  # expect: jwt-unverified
    return first, second, third, fourth, fifth


def checked(token, key):
    header = jwt.get_unverified_header(token)  # ok: jwt-unverified
    first = jwt.decode(token, key, algorithms=["HS256"])  # ok: jwt-unverified
    second = jwt.decode(token, key, algorithms=["RS256"], options={"verify_exp": False})  # ok: jwt-unverified
    third = jwt.decode(token, key, verify=True, algorithms=["HS256"])  # ok: jwt-unverified
    return header, first, second, third


ACCEPTED = ["HS256", "none"]
STRICT = ["HS256"]


def listed(token, key):
    jwt.decode(token, key, algorithms=ACCEPTED)  # expect: jwt-unverified
    return jwt.decode(token, key, algorithms=STRICT)  # ok: jwt-unverified


def made(claims, key):
    first = jwt.encode(claims, "", algorithm="HS256")  # expect: jwt-unverified
    second = jose_jwt.encode(claims, key=None)  # expect: jwt-unverified
    third = jwt.encode(claims, key, algorithm="HS256")  # ok: jwt-unverified
    return first, second, third


def issued_by(token, keys):
    claims = jwt.decode(token, options={"verify_signature": False})  # ok: jwt-unverified
    return jwt.decode(token, keys[claims["iss"]], algorithms=["RS256"])


def issued_to(token, keys):
    claims = jwt.decode(token, options={"verify_signature": False})  # expect: jwt-unverified
    return keys[claims["iss"]], claims["sub"]

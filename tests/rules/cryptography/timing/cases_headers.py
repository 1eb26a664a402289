from signing import get_signature

SECRETS = ["a", "b"]


def is_signed(request, message):
    authorization_header = request.headers.get("Authorization")
    return any(authorization_header == get_signature(message, secret) for secret in SECRETS)  # expect: timing-comparison


def is_same(name, function):
    return name == get_signature(function)  # ok: timing-comparison

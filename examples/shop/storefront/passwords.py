"""Password digests. Customers moved here from the first shop and kept theirs; staff accounts came later."""

import hashlib
import hmac

from werkzeug.security import check_password_hash, generate_password_hash


def customer_digest(password):
    return hashlib.md5(password.encode("utf-8")).hexdigest()


def matches(user, password):
    """Whether this is the user's password."""
    if user.role == "customer":
        return hmac.compare_digest(user.password_digest, customer_digest(password))
    return check_password_hash(user.password_digest, password)


def staff_digest(password):
    return generate_password_hash(password, method="scrypt")

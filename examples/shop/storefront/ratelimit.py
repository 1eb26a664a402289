"""How often a caller may try something."""

import time
from functools import wraps

from flask import abort, request

from storefront.database import connection


def limited(name, times, seconds):
    """At most `times` calls in `seconds` per address."""

    def decorate(view):
        @wraps(view)
        def counted(*args, **kwargs):
            if request.method != "GET":
                record(f"{name}:{request.remote_addr}", times, seconds)
            return view(*args, **kwargs)

        return counted

    return decorate


def record(bucket, times, seconds):
    now = time.time()
    db = connection()
    db.execute("DELETE FROM attempts WHERE bucket = ? AND at < ?", (bucket, now - seconds))
    db.execute("INSERT INTO attempts (bucket, at) VALUES (?, ?)", (bucket, now))
    db.commit()
    row = db.execute("SELECT COUNT(*) AS n FROM attempts WHERE bucket = ?", (bucket,)).fetchone()
    if row["n"] > times:
        abort(429)

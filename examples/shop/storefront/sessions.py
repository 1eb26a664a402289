"""Server-side sessions: the cookie holds an identifier, the values stay in the database as JSON."""

import json
import secrets
from datetime import datetime, timedelta, timezone

from flask.sessions import SessionInterface, SessionMixin

from storefront.database import connection


class StoredSession(dict, SessionMixin):
    def __init__(self, sid, values=()):
        super().__init__(values)
        self.sid = sid
        self.replaced = None

    def rotate(self):
        """Give the session a new identifier; the old one stops working."""
        self.replaced = self.sid
        self.sid = secrets.token_urlsafe(32)


class DatabaseSessions(SessionInterface):
    def open_session(self, app, request):
        sid = request.cookies.get(app.config["SESSION_COOKIE_NAME"], "")
        now = datetime.now(timezone.utc).isoformat()
        query = "SELECT payload FROM sessions WHERE sid = ? AND expires_at > ?"
        row = connection().execute(query, (sid, now)).fetchone()
        if row is None:
            return StoredSession(secrets.token_urlsafe(32))
        return StoredSession(sid, json.loads(row["payload"]))

    def save_session(self, app, session, response):
        db = connection()
        if session.replaced:
            db.execute("DELETE FROM sessions WHERE sid = ?", (session.replaced,))
        expires = datetime.now(timezone.utc) + timedelta(hours=app.config["SESSION_HOURS"])
        db.execute(
            "INSERT OR REPLACE INTO sessions (sid, payload, expires_at) VALUES (?, ?, ?)",
            (session.sid, json.dumps(dict(session)), expires.isoformat()),
        )
        db.commit()
        response.set_cookie(
            app.config["SESSION_COOKIE_NAME"],
            session.sid,
            expires=expires,
            secure=self.get_cookie_secure(app),
            httponly=self.get_cookie_httponly(app),
            samesite=self.get_cookie_samesite(app),
        )

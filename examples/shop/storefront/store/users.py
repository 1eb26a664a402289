"""Customers and staff."""

from dataclasses import asdict, dataclass

from storefront.database import connection, update
from storefront.database import insert as insert_row

COLUMNS = "id, email, name, password_digest, role, phone, address, avatar, credit_cents"


@dataclass
class User:
    id: int
    email: str
    name: str
    password_digest: str
    role: str
    phone: str
    address: str
    avatar: str
    credit_cents: int

    def everything(self):
        return asdict(self)

    def public(self):
        return {"id": self.id, "name": self.name, "avatar": self.avatar}


def _user(row):
    return User(**dict(row)) if row else None


def by_id(user_id):
    row = connection().execute(f"SELECT {COLUMNS} FROM users WHERE id = ? AND closed = 0", (user_id,)).fetchone()
    return _user(row)


def by_email(email):
    query = "SELECT " + COLUMNS + " FROM users WHERE email = ? AND closed = 0"
    return _user(connection().execute(query, (email,)).fetchone())


def insert(email, name, digest, role="customer"):
    return insert_row(
        "INSERT INTO users (email, name, password_digest, role) VALUES (?, ?, ?, ?)",
        (email, name, digest, role),
    )


def save(user):
    """Write back all that can change."""
    return update(
        "users",
        user.id,
        email=user.email,
        name=user.name,
        role=user.role,
        phone=user.phone,
        address=user.address,
        avatar=user.avatar,
        credit_cents=user.credit_cents,
    )


def set_password(user_id, digest):
    return update("users", user_id, password_digest=digest)


def set_address(user_id, address):
    return update("users", user_id, address=address)


def set_card(user_id, box):
    return update("users", user_id, card_box=box)


def add_credit(user_id, cents):
    db = connection()
    db.execute("UPDATE users SET credit_cents = credit_cents + ? WHERE id = ?", (cents, user_id))
    db.commit()


def close_account(user_id):
    return update("users", user_id, closed=1)


def all_customers():
    return connection().execute(f"SELECT {COLUMNS} FROM users WHERE role = 'customer' ORDER BY id").fetchall()


def add_reset(code, user_id, expires_at):
    insert_row("INSERT INTO resets (code, user_id, expires_at) VALUES (?, ?, ?)", (code, user_id, expires_at))


def take_reset(code, now):
    """The user a code was made for; a code works once."""
    db = connection()
    row = db.execute("SELECT user_id FROM resets WHERE code = ? AND expires_at > ?", (code, now)).fetchone()
    db.execute("DELETE FROM resets WHERE code = ?", (code,))
    db.commit()
    return row["user_id"] if row else None

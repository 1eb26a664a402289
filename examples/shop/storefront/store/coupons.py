"""Coupons and gift cards."""

from storefront.database import connection, insert


def create(code, percent, max_uses, expires_at):
    return insert(
        "INSERT INTO coupons (code, percent, max_uses, expires_at) VALUES (?, ?, ?, ?)",
        (code, percent, max_uses, expires_at),
    )


def redeem(code, today):
    """The percentage a coupon takes off; 0 when it is unknown, expired or used up."""
    db = connection()
    coupon = db.execute("SELECT * FROM coupons WHERE code = ? AND expires_at >= ?", (code, today)).fetchone()
    if coupon is None or coupon["used"] >= coupon["max_uses"]:
        return 0
    used = coupon["used"] + 1
    db.execute("UPDATE coupons SET used = ? WHERE code = ?", (used, code))
    db.commit()
    return coupon["percent"]


def everything():
    return connection().execute("SELECT * FROM coupons ORDER BY expires_at DESC").fetchall()


def gift_balance(code):
    row = connection().execute("SELECT balance_cents FROM gift_cards WHERE code = ?", (code,)).fetchone()
    return row["balance_cents"] if row else 0


def spend_gift_card(code, cents):
    """Take an amount from a gift card; False when it does not hold that much."""
    db = connection()
    cursor = db.execute(
        "UPDATE gift_cards SET balance_cents = balance_cents - ? WHERE code = ? AND balance_cents >= ?",
        (cents, code, cents),
    )
    db.commit()
    return cursor.rowcount == 1

"""Orders and their lines."""

from storefront.database import connection, update
from storefront.store import products


def place(user_id, lines, total_cents, note=""):
    """Write an order with its lines; None when a product ran out."""
    db = connection()
    cursor = db.execute(
        "INSERT INTO orders (user_id, total_cents, note) VALUES (?, ?, ?)",
        (user_id, total_cents, note),
    )
    order_id = cursor.lastrowid
    for product_id, quantity, unit_cents in lines:
        if not products.reserve(product_id, quantity):
            db.rollback()
            return None
        db.execute(
            "INSERT INTO order_items (order_id, product_id, quantity, unit_cents) VALUES (?, ?, ?, ?)",
            (order_id, product_id, quantity, unit_cents),
        )
    db.commit()
    return order_id


def by_id(order_id):
    return connection().execute("SELECT * FROM orders WHERE id = ?", (order_id,)).fetchone()


def of_user(order_id, user_id):
    query = "SELECT * FROM orders WHERE id = ? AND user_id = ?"
    return connection().execute(query, (order_id, user_id)).fetchone()


def items(order_id):
    query = (
        "SELECT p.name, p.sku, i.quantity, i.unit_cents FROM order_items i"
        " JOIN products p ON p.id = i.product_id WHERE i.order_id = ?"
    )
    return connection().execute(query, (order_id,)).fetchall()


def history(user_id, since=None):
    """A customer's orders, newest first."""
    query = "SELECT * FROM orders WHERE user_id = %d" % user_id
    if since:
        query += " AND created_at >= '%s'" % since
    return connection().execute(query + " ORDER BY id DESC").fetchall()


def between(first, last):
    query = "SELECT * FROM orders WHERE date(created_at) BETWEEN ? AND ? ORDER BY id"
    return connection().execute(query, (first, last)).fetchall()


def latest(limit):
    return connection().execute("SELECT * FROM orders ORDER BY id DESC LIMIT ?", (limit,)).fetchall()


def set_status(order_id, status):
    return update("orders", order_id, status=status)


def set_payment(order_id, payment):
    return update("orders", order_id, payment=payment, status="paid")


def move(order_id, before, after):
    """Change the status only if it still is what the caller saw."""
    db = connection()
    cursor = db.execute(
        "UPDATE orders SET status = ? WHERE id = ? AND status = ?",
        (after, order_id, before),
    )
    db.commit()
    return cursor.rowcount == 1

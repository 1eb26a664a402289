"""Support tickets."""

from storefront.database import connection, insert, update

STATUSES = ("open", "waiting", "closed")


def create(user_id, subject, body, attachment=""):
    return insert(
        "INSERT INTO tickets (user_id, subject, body, attachment) VALUES (?, ?, ?, ?)",
        (user_id, subject, body, attachment),
    )


def of_user(ticket_id, user_id):
    query = "SELECT * FROM tickets WHERE id = ? AND user_id = ?"
    return connection().execute(query, (ticket_id, user_id)).fetchone()


def with_status(user_id, status):
    """A customer's tickets in one status."""
    condition = "user_id = {} AND status = '{}'".format(user_id, status)
    return connection().execute("SELECT * FROM tickets WHERE " + condition + " ORDER BY id DESC").fetchall()


def set_status(ticket_id, status):
    if status not in STATUSES:
        raise ValueError("unknown status")
    return update("tickets", ticket_id, status=status)


def open_tickets():
    return connection().execute("SELECT * FROM tickets WHERE status <> 'closed' ORDER BY id").fetchall()


def counts():
    """How many tickets there are in each status."""
    totals = {}
    for status in STATUSES:
        row = connection().execute(f"SELECT COUNT(*) AS n FROM tickets WHERE status = '{status}'").fetchone()
        totals[status] = row["n"]
    return totals

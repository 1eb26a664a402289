"""Products and their reviews."""

from storefront.database import connection, insert, update

SORTS = {
    "name": "name ASC",
    "cheap": "price_cents ASC",
    "dear": "price_cents DESC",
    "new": "id DESC",
}


def listing(sort, category=None, limit=24):
    """Active products for the shop window."""
    order = SORTS.get(sort, SORTS["name"])
    query = "SELECT * FROM products WHERE active = 1"
    parameters = []
    if category:
        query += " AND category = ?"
        parameters.append(category)
    query += f" ORDER BY {order} LIMIT ?"
    return connection().execute(query, (*parameters, limit)).fetchall()


def by_id(product_id):
    return connection().execute("SELECT * FROM products WHERE id = ?", (product_id,)).fetchone()


def by_sku(sku):
    return connection().execute("SELECT * FROM products WHERE sku = ?", (sku,)).fetchone()


def by_ids(product_ids):
    marks = ",".join("?" for _ in product_ids)
    return connection().execute(f"SELECT * FROM products WHERE id IN ({marks})", tuple(product_ids)).fetchall()


def suggestions(term, limit=8):
    pattern = "%" + term.replace("%", "").replace("_", "") + "%"
    query = "SELECT id, name FROM products WHERE active = 1 AND name LIKE ? ORDER BY name LIMIT ?"
    return connection().execute(query, (pattern, limit)).fetchall()


def table(order_by, direction, limit):
    """Products as the API lists them, in the order the client wants."""
    query = f"SELECT id, sku, name, price_cents, stock FROM products WHERE active = 1 ORDER BY {order_by} {direction} LIMIT ?"
    return connection().execute(query, (limit,)).fetchall()


def upsert(sku, name, description, price_cents, stock, category):
    return insert(
        "INSERT INTO products (sku, name, description, price_cents, stock, category) VALUES (?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (sku) DO UPDATE SET name = excluded.name, description = excluded.description,"
        " price_cents = excluded.price_cents, stock = excluded.stock, category = excluded.category",
        (sku, name, description, price_cents, stock, category),
    )


def set_image(product_id, image):
    return update("products", product_id, image=image)


def set_stock(product_id, stock):
    return update("products", product_id, stock=stock)


def reserve(product_id, quantity):
    """Take from the stock; False when there is not enough."""
    db = connection()
    cursor = db.execute(
        "UPDATE products SET stock = stock - ? WHERE id = ? AND stock >= ?",
        (quantity, product_id, quantity),
    )
    return cursor.rowcount == 1


def reviews(product_id):
    query = "SELECT author, body, rating, created_at FROM reviews WHERE product_id = ? ORDER BY id DESC"
    return connection().execute(query, (product_id,)).fetchall()


def add_review(product_id, author, body, rating):
    return insert(
        "INSERT INTO reviews (product_id, author, body, rating) VALUES (?, ?, ?, ?)",
        (product_id, author, body, rating),
    )

"""Orders: what is bought, and when."""

from datetime import UTC, datetime

from shop.database import connect


def place_order(product_id, amount):
    """Store an order and return its number."""
    with connect() as connection:
        cursor = connection.execute(
            "INSERT INTO purchase (product_id, amount, bought_at) VALUES (?, ?, ?)",
            (product_id, amount, datetime.now(UTC).isoformat()),
        )
        return cursor.lastrowid


def orders_of_day(day):
    with connect() as connection:
        return connection.execute("SELECT * FROM purchase WHERE date(bought_at) = ?", (day,)).fetchall()

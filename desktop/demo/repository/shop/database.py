"""The database connection and its schema."""

import sqlite3

from shop.settings import DATABASE_URL

SCHEMA = """
CREATE TABLE IF NOT EXISTS product (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, cents INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS purchase (
    id INTEGER PRIMARY KEY AUTOINCREMENT, product_id INTEGER, amount INTEGER, bought_at TEXT
);
"""


def connect():
    # TODO: a pool; every request opens its own connection
    connection = sqlite3.connect(DATABASE_URL.removeprefix("sqlite:///"))
    connection.row_factory = sqlite3.Row
    return connection


def create_schema(connection):
    connection.executescript(SCHEMA)

from shop import database, orders


def test_an_order_gets_a_number(tmp_path, monkeypatch):
    monkeypatch.setattr(database, "DATABASE_URL", f"sqlite:///{tmp_path / 'shop.db'}")
    database.create_schema(database.connect())
    assert orders.place_order(1, 3) == 1

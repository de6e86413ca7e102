from shop import database, migrations


def test_migrations_are_numbered(tmp_path, monkeypatch):
    monkeypatch.setattr(database, "DATABASE_URL", f"sqlite:///{tmp_path / 'shop.db'}")
    migrations.migrate()
    assert database.connect().execute("PRAGMA user_version").fetchone()[0] == 2

"""Settings from the environment."""

import os

DATABASE_URL = os.environ.get("SHOP_DATABASE", "sqlite:///orchard.db")
PAGE_SIZE = 25

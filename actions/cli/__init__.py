"""The `sayso` command. What it can do is data: manifest.json, which manifest.py makes from the catalog."""

"""The day's sales."""

from datetime import UTC, datetime

from shop.orders import orders_of_day


def main():
    rows = orders_of_day(datetime.now(UTC).date().isoformat())
    print(f"{len(rows)} orders today")

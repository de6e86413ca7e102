"""The day's sales."""

from datetime import date

from shop.orders import orders_of_day


def main():
    rows = orders_of_day(date.today().isoformat())
    print(f"{len(rows)} orders today")

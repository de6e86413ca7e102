"""The web pages."""

from flask import Flask, request

from shop.migrations import migrate
from shop.orders import place_order

app = Flask(__name__)


@app.post("/orders")
def create_order():
    number = place_order(request.json["product"], request.json["amount"])
    return {"order": number}, 201


@app.get("/login")
def login():
    return "Log in with your e-mail address."


def main():
    migrate()
    app.run()

"""Real git repositories, small enough to work out by hand what the scout has to find."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

_IDENTITY = {
    "GIT_AUTHOR_NAME": "Ada",
    "GIT_AUTHOR_EMAIL": "ada@example.org",
    "GIT_COMMITTER_NAME": "Ada",
    "GIT_COMMITTER_EMAIL": "ada@example.org",
    "GIT_AUTHOR_DATE": "2026-01-02T03:04:05+00:00",
    "GIT_COMMITTER_DATE": "2026-01-02T03:04:05+00:00",
    "GIT_CONFIG_GLOBAL": "/dev/null",
}


def git(root: Path, *args: str) -> str:
    """Run git in ``root`` as Ada, at a fixed time."""
    done = subprocess.run(
        ["git", "-c", "init.defaultBranch=main", "-c", "protocol.file.allow=always", *args],
        cwd=root,
        env={**os.environ, **_IDENTITY},
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout


def write(root: Path, files: Mapping[str, str | bytes]) -> None:
    for name, text in files.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An empty workspace, beside the test's home."""
    made = tmp_path / "workspace"
    made.mkdir()
    return made


@pytest.fixture
def repository(folder: Path) -> Callable[[Mapping[str, str | bytes]], Path]:
    """Makes a git repository of the given files, in one commit."""

    def make(files: Mapping[str, str | bytes]) -> Path:
        git(folder, "init", "-q")
        write(folder, files)
        git(folder, "add", "-A")
        git(folder, "commit", "-qm", "First")
        return folder

    return make


SHOP: Mapping[str, str] = {
    "shop/__init__.py": "",
    "shop/payment.py": (
        '"""Charging a card."""\n\n\n'
        "class PaymentGateway:\n"
        "    def charge(self, amount):\n"
        "        return amount\n\n\n"
        "def refund_payment(order):\n"
        "    # TODO: partial refund of a payment\n"
        "    return order.total\n"
    ),
    "shop/orders.py": (
        "from shop.payment import PaymentGateway\n\n\n"
        "def place_order(cart):\n"
        "    return PaymentGateway().charge(cart)\n"
    ),
    "shop/catalog.py": "def list_products():\n    return []\n",
    "shop/mail.py": "def send_receipt(payment):\n    print(payment)\n",
    "tests/test_payment.py": (
        "from shop.payment import refund_payment\n\n\ndef test_refund():\n    assert refund_payment\n"
    ),
    "tests/test_catalog.py": "def test_products():\n    pass\n",
    "README.md": "# Shop\n\nSells things.\n\n## Payment\n\nBy card.\n",
    "pyproject.toml": '[project]\nname = "shop"\n[project.scripts]\nshop = "shop.orders:place_order"\n',
    "Makefile": "test: ## Run the tests\n\tpytest\nlint:\n\truff check\nVERSION := 1\n",
    "Dockerfile": 'FROM python\nCMD ["shop"]\n',
    "package-lock.json": '{"payment": "refund"}\n',
    "node_modules/payment/refund.js": "function refundPayment() {}\n",
}
"""A little shop. "refund a payment" is about shop/payment.py: it is named after the one word and defines the other."""

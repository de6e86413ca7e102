"""Command-line arguments whose mistakes are errors of ours, not a process that ends."""

from __future__ import annotations

import argparse
from typing import NoReturn

from actions.errors import InvalidInput


class Arguments(argparse.ArgumentParser):
    """An ``ArgumentParser`` that raises InvalidInput with the usage line instead of leaving the process."""

    def __init__(self, command: str, description: str) -> None:
        super().__init__(prog=f"sayso voice {command}", description=description, exit_on_error=False)

    def error(self, message: str) -> NoReturn:
        """Called by argparse. Raises InvalidInput."""
        raise InvalidInput(
            f"{message[:1].upper()}{message[1:]}. {self.format_usage().strip()}",
            [{"field": "arguments", "message": message}],
        )

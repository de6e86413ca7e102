"""Tokens and their price."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelResponse


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one or more requests. ``cached`` is part of ``input``; ``cost_usd`` is None where no price is known."""

    input: int = 0
    output: int = 0
    cached: int = 0
    cost_usd: Decimal | None = None

    @property
    def total(self) -> int:
        return self.input + self.output

    def __add__(self, other: Usage) -> Usage:
        costs = [cost for cost in (self.cost_usd, other.cost_usd) if cost is not None]
        return Usage(
            self.input + other.input,
            self.output + other.output,
            self.cached + other.cached,
            sum(costs, Decimal(0)) if costs else None,
        )


def usage_of(response: ModelResponse, *, local: bool = False) -> Usage:
    """Tokens and price of one answer; a model on this machine costs nothing."""
    used = response.usage
    return Usage(
        used.input_tokens, used.output_tokens, used.cache_read_tokens, Decimal(0) if local else _price(response)
    )


def _price(response: ModelResponse) -> Decimal | None:
    try:
        return response.cost().total_price
    except (LookupError, ValueError, AssertionError):
        return None

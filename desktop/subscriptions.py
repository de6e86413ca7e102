"""Whoever subscribes holds a handle; closing it ends the subscription. Closing twice is harmless."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Generic, TypeVar

T = TypeVar("T")


class _Handle(AbstractContextManager[None]):
    def __init__(self, end: Callable[[], None]) -> None:
        self._end: Callable[[], None] | None = end

    def __enter__(self) -> None:
        return None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        end, self._end = self._end, None
        if end is not None:
            end()


class Listeners(Generic[T]):
    """Callables that want to hear values of one type, in the order of their subscription."""

    def __init__(self) -> None:
        self._listeners: dict[object, Callable[[T], None]] = {}

    def __len__(self) -> int:
        return len(self._listeners)

    def subscribe(self, listener: Callable[[T], None]) -> AbstractContextManager[None]:
        key = object()
        self._listeners[key] = listener
        return _Handle(lambda: self._listeners.pop(key, None) and None)

    def tell(self, value: T) -> None:
        for listener in list(self._listeners.values()):
            listener(value)

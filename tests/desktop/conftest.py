"""Desktop tests run on the window's own loop. Inside a coroutine nothing waits by a nested loop; it polls."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication

from desktop.app.loop import AppLoop
from desktop.theme.colors import SchemeName
from desktop.theme.theme import Theme
from tests.desktop.host import InMemoryHost

Eventually = Callable[..., Awaitable[object]]


def _application() -> QApplication:
    app = QApplication.instance() or QApplication(["sayso"])
    assert isinstance(app, QApplication)
    app.setQuitOnLastWindowClosed(False)  # the window under test may be the last one
    return app


def pytest_asyncio_loop_factories(config: pytest.Config, item: pytest.Item) -> dict[str, Callable[[], AppLoop]]:
    return {"window": lambda: AppLoop(_application())}


@pytest.fixture(autouse=True)
def no_widget_stays() -> Iterator[None]:
    """What a test leaves open is deleted: the theme of each later one would style it again, for minutes in all."""
    yield
    if isinstance(app := QApplication.instance(), QApplication):
        for widget in app.topLevelWidgets():
            widget.deleteLater()
        app.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture
def eventually() -> Eventually:
    """``await eventually(lambda: ...)`` gives the first true value and fails after ``seconds``."""

    async def wait(condition: Callable[[], object], seconds: float = 30) -> object:
        async with asyncio.timeout(seconds):
            while not (value := condition()):  # noqa: ASYNC110  # any state of any widget; nothing signals them all
                await asyncio.sleep(0.01)
        return value

    return wait


@pytest.fixture
def theme(qapp: QApplication) -> Theme:
    return Theme(qapp, SchemeName.LIGHT)


@pytest.fixture
def host() -> InMemoryHost:
    return InMemoryHost()

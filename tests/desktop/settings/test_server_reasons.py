"""Why a server is not there, in both languages."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QTranslator
from PySide6.QtWidgets import QApplication

from actions.catalog.server_use_views import ServerState
from actions.catalog.server_views import ServerTest
from actions.servers.definitions import Standing
from actions.servers.pool.states import Reason
from actions.servers.trust.consents import Trust
from desktop.i18n.catalogue import FOLDER
from desktop.settings.server_reasons import delivery_reason_text, outcome_text, reason_text, tool_reason_text


@pytest.fixture
def chinese(qapp: QApplication) -> Iterator[None]:
    translator = QTranslator()
    assert translator.load("sayso_zh_CN", str(FOLDER))
    qapp.installTranslator(translator)
    yield
    qapp.removeTranslator(translator)


def state(reason: str, words: str, *, failed: bool, exit_code: int | None = None) -> ServerState:
    return ServerState(
        name="one", state="failed" if failed else "off", reason="failed" if failed else reason,
        error=words if failed else None, message="" if failed else words, error_code=reason if failed else None,
        exit_code=exit_code, transport="stdio", scope="device", file="mcp.json", selected=True, selectable=True,
        availability="active", delivery="native",
    )  # fmt: skip


ENDED = state("process_exited", "The process ended with code 3.", failed=True, exit_code=3)
STATUS = state("http_status", "POST answered 502 Bad Gateway.", failed=True)


def test_in_english_they_are_the_hosts_own(qapp: QApplication) -> None:
    assert reason_text(ENDED) == "The process ended with code 3."
    assert reason_text(STATUS) == "POST answered 502 Bad Gateway."


def test_in_chinese_what_the_words_say_more_stays_below(chinese: None) -> None:
    assert reason_text(ENDED) == "它的进程已结束(3)。"
    assert reason_text(STATUS) == "它返回了错误。\nPOST answered 502 Bad Gateway."
    assert reason_text(state("of another version", "Words.", failed=True)) == "Words."


def test_every_reason_has_its_words(chinese: None) -> None:
    trust = (Trust.NOT_TRUSTED, Trust.CHANGED, Trust.ENVIRONMENT)
    for reason, failed in [*((one, True) for one in Reason), *((one, False) for one in (*Standing, *trust))]:
        assert reason_text(state(reason.value, "words", failed=failed)).partition("\n")[0].isascii() is False, reason


@pytest.mark.parametrize(
    ("code", "shown"),
    [
        ("launch_failed", "无法启动。\nThe host's words."),
        ("connect_failed", "未能连接。\nThe host's words."),
        ("list_tools_failed", "它没有列出工具。\nThe host's words."),
        ("of another version", "The host's words."),
    ],
)
def test_what_came_of_a_test_is_said_in_chinese_by_its_code(chinese: None, code: str, shown: str) -> None:
    assert outcome_text(ServerTest(ok=False, code=code, message="The host's words.")) == shown


@pytest.mark.parametrize("code", ["invalid_request", "missing_credentials", "not_trusted", "timeout", "needs_login"])
def test_every_failure_of_a_test_has_its_words(chinese: None, code: str) -> None:
    assert not outcome_text(ServerTest(ok=False, code=code, message="words")).partition("\n")[0].isascii()


def test_what_came_of_a_test_is_in_english_what_the_host_says(qapp: QApplication) -> None:
    assert outcome_text(ServerTest(ok=False, code="launch_failed", message="No such command.")) == "No such command."
    assert outcome_text(ServerTest(ok=False, code="timeout")) == "It did not answer in time."


@pytest.mark.parametrize("code", ["shell", "chosen", "held", "login", "unseen", "apart", "transport"])
def test_every_reason_of_a_delivery_has_its_words(chinese: None, code: str) -> None:
    state = ServerState.model_construct(delivery_code=code, delivery_reason="English words.")
    shown = delivery_reason_text(state)
    assert shown
    assert not shown.isascii()


def test_a_delivery_that_is_not_known_is_told_as_the_host_does(chinese: None) -> None:
    assert delivery_reason_text(ServerState.model_construct(delivery_code="", delivery_reason="Why.")) == "Why."


@pytest.mark.parametrize(
    "code", ["by_search", "gets_none", "off", "invalid", "unsupported_by_provider", "pin_new", "pin_changed"]
)
def test_every_reason_of_a_tool_has_its_words(chinese: None, code: str) -> None:
    shown = tool_reason_text(code, "English words.")
    assert not shown.isascii()
    assert ("English words." in shown) == (code == "invalid")

"""Why sessions rest and runs fail, in the language of the window."""

import pytest
from PySide6.QtWidgets import QApplication

from desktop.i18n import install
from desktop.runs.errors import ErrorWords
from desktop.sessions.reasons import ReasonWords
from tests.desktop.host import run, session


def test_what_is_sayso_s_own_is_translated_and_what_others_say_is_not(qapp: QApplication) -> None:
    rests = session("s1", state="stopped", reason="Stopped by you.", reason_code="stopped")
    ended = session("s1", state="interrupted", reason="pi ended by itself.", reason_code="agent_ended")
    killed = run(
        "r1", state="interrupted", error={"code": "failed", "message": "The host ended.", "reason": "host_ended"}
    )
    busy = run("r1", state="failed", retryable=True, error={"code": "failed", "message": "429"})
    facts = {"provider": "Pi", "step": "initialize", "seconds": "12"}
    slow = session("s1", state="starting", reason="Still…", reason_code="slow_start", reason_facts=facts)
    assert ReasonWords().text(slow) == "Still starting: waits for the answer of Pi to initialize, 12 s"
    assert ReasonWords().text(rests) == "Stopped by you."
    assert ReasonWords().text(session("s2")) == ErrorWords().text(run("r2")) == ""
    translators = install(qapp, "zh_CN")
    try:
        assert ReasonWords().text(rests) == "已由您停止。"
        assert ReasonWords().text(slow) == "仍在启动:正在等待 Pi 对 initialize 的回应,12 秒"
        assert ReasonWords().text(ended) == "pi ended by itself."
        assert ErrorWords().text(killed) == "此运行进行时主进程结束了。"
        assert ErrorWords().text(busy) == "429 再试一次可能有用。"
    finally:
        for translator in translators:
            qapp.removeTranslator(translator)


@pytest.mark.parametrize("code", [None, "from_the_future"])
def test_a_reason_of_another_host_is_shown_as_it_says_it(code: str | None) -> None:
    assert ReasonWords().text(session("s1", state="failed", reason="So it is.", reason_code=code)) == "So it is."

"""Files and commands that are offered while a message is typed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from desktop.composer.completing import CompletingPresenter
from desktop.composer.completion import Typed, mention, typed_at
from desktop.composer.composer import Composer
from desktop.composer.drafts import Drafts
from desktop.theme.theme import Theme
from tests.desktop.conftest import Eventually
from tests.desktop.host import InMemoryHost


@pytest.mark.parametrize(
    ("text", "typed"),
    [
        ("@", Typed("@", "", 0)),
        ("look at @src/ap", Typed("@", "src/ap", 8)),
        ("/rev", Typed("/", "rev", 0)),
        ("/", Typed("/", "", 0)),
        ("see /tmp", None),
        ("me@example.org", None),
        ("@file done", None),
        ("/review the parser", None),
        ("", None),
        ("first\n@b", Typed("@", "b", 6)),
    ],
)
def test_what_is_being_typed(text: str, typed: Typed | None) -> None:
    assert typed_at(text, len(text)) == typed


def test_a_name_with_spaces_is_quoted() -> None:
    assert mention("src/app.py") == "@src/app.py "
    assert mention("new file.txt") == '@"new file.txt" '


@pytest.fixture
async def composer(qtbot: QtBot, theme: Theme) -> AsyncIterator[Composer]:
    host = InMemoryHost()
    host.answers["action.options.resolve"] = lambda given: host.completed(
        {
            "options": [
                {"value": file, "label": file} for file in ("src/app.py", "src/apply.py") if given["query"] in file
            ]
        }
    )
    host.answers["session.transcript.get"] = lambda given: host.completed(
        {"events": [{"data": {"commands": [{"name": "compact", "description": "Make it short"}, {"name": "init"}]}}]}
    )
    host.answers["action.spec.search"] = lambda given: host.completed(
        {"actions": [{"id": "review.start", "title": "Start a review run", "slash": ["/review"]}]}
    )
    result = Composer(theme, Drafts())
    qtbot.addWidget(result)
    presenter = CompletingPresenter(host, result, lambda text: None)
    result.show_session("ses_1", "Agent")
    result.show()
    yield result
    await presenter.close()


def _texts(composer: Composer) -> list[str]:
    return [composer.offers.item(at).text() for at in range(composer.offers.count())]


async def test_a_file_is_put_in_with_tab(composer: Composer, eventually: Eventually) -> None:
    sent: list[str] = []
    composer.sent.connect(lambda session, text: sent.append(text))
    QTest.keyClicks(composer.edit, "look at @src/ap")
    await eventually(lambda: _texts(composer) == ["@src/app.py", "@src/apply.py"])
    QTest.keyClick(composer.edit, Qt.Key.Key_Down)
    QTest.keyClick(composer.edit, Qt.Key.Key_Tab)
    assert composer.edit.toPlainText() == "look at @src/apply.py "
    assert composer.offers.isHidden()
    QTest.keyClick(composer.edit, Qt.Key.Key_Return)
    assert sent == ["look at @src/apply.py"]


async def test_enter_chooses_while_something_is_offered_and_escape_closes_it(
    composer: Composer, eventually: Eventually
) -> None:
    sent: list[str] = []
    composer.sent.connect(lambda session, text: sent.append(text))
    QTest.keyClicks(composer.edit, "@app")
    await eventually(lambda: composer.offers.isVisible())
    QTest.keyClick(composer.edit, Qt.Key.Key_Return)
    assert (composer.edit.toPlainText(), sent) == ("@src/app.py ", [])
    composer.edit.clear()
    QTest.keyClicks(composer.edit, "@app")
    await eventually(lambda: composer.offers.isVisible())
    QTest.keyClick(composer.edit, Qt.Key.Key_Escape)
    assert composer.offers.isHidden()
    QTest.keyClicks(composer.edit, "l")
    assert composer.offers.isHidden(), "closed for this word"
    QTest.keyClick(composer.edit, Qt.Key.Key_Return)
    assert sent == ["@appl"]


async def test_commands_of_the_agent_are_written_and_those_of_the_app_opened(
    composer: Composer, eventually: Eventually
) -> None:
    opened: list[str] = []
    composer.action_asked.connect(opened.append)
    QTest.keyClicks(composer.edit, "/")
    await eventually(lambda: composer.offers.count() == 3)
    assert _texts(composer) == ["/compact    Make it short", "/init", "/review    Start a review run"]
    QTest.keyClicks(composer.edit, "re")
    await eventually(lambda: _texts(composer) == ["/review    Start a review run"])
    QTest.keyClick(composer.edit, Qt.Key.Key_Tab)
    assert (opened, composer.edit.toPlainText()) == (["review.start"], "")


async def test_a_command_that_nobody_knows_goes_to_the_agent(composer: Composer, eventually: Eventually) -> None:
    sent: list[str] = []
    composer.sent.connect(lambda session, text: sent.append(text))
    QTest.keyClicks(composer.edit, "/nothing")
    await eventually(lambda: composer._typed == Typed("/", "nothing", 0) and composer.offers.isHidden())
    QTest.keyClick(composer.edit, Qt.Key.Key_Return)
    assert sent == ["/nothing"]


def test_drafts_are_there_in_the_next_window(tmp_path: Path) -> None:
    file = tmp_path / "drafts.json"
    first = Drafts(file)
    first.keep("ses_1", "half a thought")
    first.keep("ses_2", "gone")
    first.keep("ses_2", "")
    assert file.stat().st_mode & 0o777 == 0o600
    again = Drafts(file)
    assert (again.of("ses_1"), again.of("ses_2")) == ("half a thought", "")
    other = Drafts(file)
    again.keep("ses_3", "of one window")
    other.keep("ses_4", "of another")
    assert (Drafts(file).of("ses_3"), Drafts(file).of("ses_4")) == ("of one window", "of another")
    file.write_text("{ broken")
    assert Drafts(file).of("ses_1") == ""
    Drafts(tmp_path / "no" / "folder.json").keep("ses_1", "text")

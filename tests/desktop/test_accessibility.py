import pytest
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from actions.catalog.form import FormField
from actions.catalog.hints import Widget
from desktop.app.application import Application
from desktop.launcher.spec import ActionForm, ActionSummary
from desktop.main_window import MainWindow
from desktop.theme.theme import Theme
from desktop.transcript.model import Item, Kind
from desktop.voicebar.state import CardField, VoiceCard, VoiceState, VoiceView
from tests.desktop.accessibility import unnamed
from tests.desktop.host import InMemoryHost, request, run, session

ALL_KINDS = [
    Item("1", Kind.USER, "Plan it"),
    Item("2", Kind.THOUGHT, "Hm"),
    Item("3", Kind.TOOL, "Read", data={"status": "completed", "input": {"a": 1}, "output": "x\n" * 99}),
    Item("4", Kind.AGENT, "Text"),
    Item("5", Kind.PLAN, data={"entries": [{"content": "a", "status": "pending"}]}),
    Item("6", Kind.PERMISSION, "Run", data={"options": [{"id": "a", "name": "Allow"}], "input": {"command": "ls"}}),
    Item("7", Kind.ERROR, "Broken"),
    Item("8", Kind.NOTICE, "Mode: plan"),
]


def _fields() -> list[FormField]:
    return [
        FormField(path=widget.value, title=widget.value.title(), type="string", widget=widget, required=True, flag="x")
        for widget in Widget
    ]


@pytest.fixture
def window(qtbot: QtBot, theme: Theme) -> MainWindow:
    window = MainWindow(theme)
    qtbot.addWidget(window)
    window.sessions.show_sessions([session("s1", modes=[{"id": "a", "name": "Ask"}], mode="a")])
    window.requests.show_rows([request("a1"), request("q1", "question")])
    window.run_list.show_runs([run("r1", session_id="s1", result={"text": "done"})])
    window.transcript.reset(ALL_KINDS)
    for row in (1, 2):
        window.transcript.set_expanded(window.transcript[row].id, True)
    shown = window.sessions.session("s1")
    assert shown is not None
    window.session_page.show_session(shown)
    window.session_page.show_loaded()
    window.resize(1200, 2400)
    window.show()
    return window


@pytest.mark.parametrize("page", ["start", "session", "inbox", "runs", "diff", "settings"])
def test_every_control_of_a_page_has_a_name(window: MainWindow, page: str) -> None:
    window.show_page(page)
    assert unnamed(window) == []


async def test_every_control_of_every_settings_page_has_a_name(theme: Theme, host: InMemoryHost) -> None:
    application = Application(theme, host)
    application.open()
    settings = application.window.settings
    application.window.show_page("settings")
    missing: dict[str, list[str]] = {}
    for name in settings.names():
        settings.open(name)
        assert settings.isVisible()
        if found := unnamed(application.window):
            missing[name] = found
    await application.close()
    assert len(settings.names()) > 5
    assert missing == {}


def test_every_kind_of_field_has_a_name(window: MainWindow) -> None:
    window.launcher.show_form(ActionForm(ActionSummary("x.y", "Do"), _fields()))
    window.launcher.form.check()
    assert unnamed(window) == []
    window.launcher.open()
    assert unnamed(window) == []


def test_the_voice_card_has_names(window: MainWindow) -> None:
    card = VoiceCard("plan it", "x.y", "Plan", (CardField("Who", "", True),), 0.9)
    window.voice.show_view(VoiceView(VoiceState.CARD, card=card))
    assert unnamed(window.voice) == []


def test_an_error_is_the_description_of_its_field(window: MainWindow) -> None:
    window.launcher.show_form(ActionForm(ActionSummary("x.y", "Do"), _fields()))
    window.launcher.form.check()
    control = window.launcher.form.editor("text").control
    assert control.accessibleName() == "Text, required"
    assert control.accessibleDescription() == "This is needed."


def test_the_check_sees_a_missing_name(window: MainWindow) -> None:
    nameless = QLineEdit(window.start_page)
    nameless.setObjectName("nameless")
    window.show_page("start")
    nameless.show()
    assert [name.split()[-1] for name in unnamed(window)] == ["nameless"]

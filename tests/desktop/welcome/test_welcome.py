"""The first page: what is there, what is missing, and that each missing piece has one button."""

from pytestqt.qtbot import QtBot

from actions.catalog.views import ProviderView, WorkspaceView
from desktop.app.application import Application
from desktop.theme.theme import Theme
from desktop.voicebar.state import VoiceState
from desktop.welcome.page import WelcomePage
from tests.desktop.accessibility import unnamed
from tests.desktop.conftest import Eventually
from tests.desktop.host import InMemoryHost


def agent(number: int, state: str = "ready") -> ProviderView:
    return ProviderView.model_validate(
        {"id": f"a{number}", "name": f"Agent {number}", "delivery": "none", "installed": True, "state": state,
         "command": ["a"]}
    )  # fmt: skip


def test_what_is_found_is_named_and_what_is_missing_has_its_button(qtbot: QtBot, theme: Theme) -> None:
    page = WelcomePage(theme)
    qtbot.addWidget(page)
    page.show()
    page.show_agents([agent(number) for number in range(6)] + [agent(9, "missing")])
    assert page.agents.text() == "Agent 0, Agent 1, Agent 2, Agent 3 and 2 more"
    page.show_agents([agent(9, "missing")])
    assert "No agent was found" in page.agents.text()
    page.show_folders([WorkspaceView(id="w", path="/home/ada/sayso", name="sayso")])
    assert page.folder.text() == "sayso"
    page.show_voice(VoiceState.NO_MODEL, "")
    assert page.voice.button.isVisible()
    page.show_voice(VoiceState.READY, "")
    assert not page.voice.button.isVisible()
    assert unnamed(page) == []


async def test_the_empty_window_leads_on(host: InMemoryHost, theme: Theme, eventually: Eventually) -> None:
    host.answers["providers.list"] = lambda _: host.completed({"providers": [agent(1).model_dump(mode="json")]})
    host.answers["workspace.list"] = lambda _: host.completed({"workspaces": []})
    application = Application(theme, host)
    window, page = application.window, application.window.start_page
    try:
        application.open()
        await eventually(lambda: page.agents.text() == "Agent 1")
        await eventually(lambda: "Add the folder" in page.folder.text())
        assert window.page() == "start"
        page.agents.button.click()
        assert (window.page(), window.settings.current()) == ("settings", "providers")
        window.show_page("start")
        host.answers["workspace.list"] = lambda _: host.completed(
            {"workspaces": [{"id": "w", "path": "/home/ada/sayso", "name": "sayso"}]}
        )
        host.publish("workspaces_did_change", workspace_id="w")
        await eventually(lambda: page.folder.text() == "sayso")
        page.folder.button.click()
        await eventually(lambda: ("action.spec.get", {"id": "workspace.add"}) in host.calls)
    finally:
        await application.close()
    assert host.listeners == 0

"""The plain settings: what a control shows and asks for, what the window obeys, and how a search finds one."""

from collections.abc import Mapping
from typing import Any

from PySide6.QtWidgets import QApplication, QCheckBox, QComboBox, QSpinBox
from pytestqt.qtbot import QtBot

from actions.catalog.views import ProviderView
from actions.storage.declarations import SETTINGS
from desktop.app.application import Application
from desktop.app.backend import Outcome
from desktop.settings.agents import ProvidersPage
from desktop.settings.appearance import AppearancePage
from desktop.settings.preference import PreferencePage
from desktop.theme.theme import Theme
from tests.desktop.accessibility import unnamed
from tests.desktop.conftest import Eventually
from tests.desktop.host import InMemoryHost, failed

PAGES = ("general", "appearance", "providers", "keys", "notifications", "privacy")
CLAUDE = ProviderView(id="claude", name="Claude", delivery="native_mcp", installed=True, command=["claude", "acp"])
KIMI = ProviderView(
    id="kimi", name="Kimi", delivery="none", installed=False, state="missing", command=["kimi"], reason="Install it."
)


def with_settings(host: InMemoryHost) -> dict[str, Any]:
    """A host that keeps settings; gives what it keeps."""
    kept: dict[str, Any] = {key: setting.default for key, setting in SETTINGS.items()}

    def change(given: Mapping[str, Any]) -> Outcome:
        setting = SETTINGS[given["key"]]
        value: Any = given["value"]
        if not isinstance(setting.default, str):
            value = {"true": True, "false": False}.get(value, value)
            value = value if isinstance(value, bool) else int(value)
        if (why := setting.refusal(value)) is not None:
            return failed(f"{setting.key} {why}.")
        kept[setting.key] = value
        host.publish("settings_did_change", key=setting.key, value=value)
        return host.completed({"key": setting.key, "value": value})

    listed = lambda _: host.completed({"settings": [{"key": k, "value": v} for k, v in kept.items()]})  # noqa: E731
    host.answers |= {"settings.get": listed, "settings.set": change}
    host.answers["providers.list"] = lambda _: host.completed(
        {"providers": [entry.model_dump(mode="json") for entry in (KIMI, CLAUDE)]}
    )
    host.answers["providers.check"] = lambda _: host.completed({**CLAUDE.model_dump(mode="json"), "ok": True})
    return kept


def control(page: PreferencePage, key: str) -> Any:
    return page.rows[key].control


async def test_settings_are_read_changed_and_obeyed(
    host: InMemoryHost, theme: Theme, eventually: Eventually, qapp: QApplication
) -> None:
    kept = with_settings(host)
    application = Application(theme, host)
    pages = application.settings.plain
    try:
        application.open()
        for name in PAGES:
            application.open_pane(f"settings.{name}")
            assert application.window.settings.current() == name
            assert unnamed(application.window) == [], name
        await eventually(lambda: control(pages["notifications"], "notifications.done").isChecked())

        size = control(pages["appearance"], "appearance.font_size")
        assert isinstance(size, QSpinBox)
        size.setValue(14)
        await eventually(lambda: qapp.font().pointSizeF() == 14)
        contrast = control(pages["appearance"], "appearance.contrast")
        assert isinstance(contrast, QComboBox)
        contrast.activated.emit(1)
        await eventually(lambda: theme.scheme.text == "#" + "0" * 6)
        done = control(pages["notifications"], "notifications.done")
        assert isinstance(done, QCheckBox)
        done.click()
        await eventually(lambda: kept["notifications.done"] is False)

        # The toggle of the sidebar is kept too.
        application.window.sidebar.theme_asked.emit()
        await eventually(lambda: kept["appearance.theme"] == "dark")

        # What does not fit is said beside its field, which shows what holds.
        idle = control(pages["general"], "host.idle_seconds")
        idle.setValue(0)
        await eventually(lambda: "at least 1" in idle.accessibleDescription())
        assert idle.value() == 600
    finally:
        theme.set_size(0)
        await application.close()
    assert host.listeners == 0


async def test_agents_are_listed_and_checked(host: InMemoryHost, theme: Theme, eventually: Eventually) -> None:
    with_settings(host)
    application = Application(theme, host)
    page = application.settings.plain["providers"]
    assert isinstance(page, ProvidersPage)
    try:
        application.open()
        application.open_pane("settings.providers")
        await eventually(lambda: list(page.cards) == ["claude", "kimi"])  # those that are there come first
        assert not page.cards["kimi"].check.isEnabled()
        usual = control(page, "providers.default")
        assert [usual.itemData(at) for at in range(usual.count())] == ["", "claude"]
        page.cards["claude"].check.click()
        assert not page.cards["claude"].check.isEnabled()  # one at a time
        await eventually(lambda: page.cards["claude"]._told.text() == "It starts and answers.")
    finally:
        await application.close()


async def test_a_search_leaves_the_pages_that_hold_the_words(
    host: InMemoryHost, theme: Theme, eventually: Eventually
) -> None:
    application = Application(theme, host)
    pane = application.window.settings
    try:
        application.window.resize(1200, 800)
        application.open_pane("settings")
        pane.search.setText("high contrast")
        shown = [name for at, name in enumerate(pane.names()) if not pane.list.item(at).isHidden()]
        assert shown == ["appearance"]
        assert pane.current() == "appearance"
        pane.search.setText("zzz")
        assert all(pane.list.item(at).isHidden() for at in range(pane.list.count()))
        pane.search.clear()
        assert not any(pane.list.item(at).isHidden() for at in range(pane.list.count()))
    finally:
        await application.close()


def test_every_row_is_of_a_setting_and_offers_what_it_takes(qtbot: QtBot, theme: Theme, host: InMemoryHost) -> None:
    page = AppearancePage(theme)
    qtbot.addWidget(page)
    for key, row in page.rows.items():
        offered = [value for value, _ in row.preference.choices]
        assert offered == list(SETTINGS[key].choices), key

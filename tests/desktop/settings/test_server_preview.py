"""The preview tab: what a session gets, and what its agent brings along."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from actions.catalog.server_use_views import ServerState, ToolPreview, Totals
from actions.catalog.server_views import FoundServer
from desktop.settings.server_preview import PreviewTab
from desktop.theme.theme import Theme

GIVEN = ServerState(
    name="docs",
    state="connected",
    reason="active_by_default",
    transport="http",
    scope="device",
    file="/home/me/mcp.json",
    selected=True,
    selectable=True,
    availability="active",
    delivery="sayso",
    delivery_code="login",
    delivery_reason="Its login is kept by Sayso and is not handed on.",
)
OWN = FoundServer(
    name="mine",
    transport="stdio",
    status="new",
    client="codex",
    file="/home/me/.codex/config.toml",
    command=["npx", "-y", "my server"],
)


def test_servers_of_the_agent_are_told_apart_from_ours(qtbot: QtBot, theme: Theme) -> None:
    tab = PreviewTab(theme)
    qtbot.addWidget(tab)
    preview = ToolPreview(tools=[], servers=[GIVEN], totals=Totals(tools=0, tokens=0), brought=[OWN])
    tab.show_preview(preview)
    tab.show()
    rows = [tab.tree.topLevelItem(at) for at in range(tab.tree.topLevelItemCount())]
    assert [row.text(1) for row in rows if row] == ["", "Connected", "Brought by the agent"]
    own = rows[2]
    assert own is not None
    tab.tree.setCurrentItem(own)
    assert tab.detail._title.text() == "mine"
    assert tab.detail._changes.toPlainText() == "npx -y 'my server'"
    assert "no rule of yours holds" in tab.detail._text.text()
    assert tab.detail.accept.isHidden()
    tab.show_preview(preview.model_copy(update={"loading": True}))
    assert tab.tree.currentItem().text(0) == "mine", "what is chosen stays so"

"""The launcher over a host: recency, slash commands, what will happen, options that depend on each other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from actions.catalog.form import spec_form
from actions.catalog.registry import Catalog, load
from actions.catalog.search import CatalogSearch
from desktop.app.backend import Outcome
from desktop.launcher.overlay import Launcher
from desktop.launcher.presenter import LauncherPresenter
from desktop.theme.theme import Theme
from tests.desktop.conftest import Eventually
from tests.desktop.host import InMemoryHost, failed


class Desk:
    """A launcher over the real catalog, its answers given as the host gives them."""

    def __init__(self, theme: Theme, window: QWidget, host: InMemoryHost) -> None:
        self.host = host
        self.catalog: Catalog = load()
        self._search = CatalogSearch(self.catalog)
        self.view = Launcher(theme, window)
        self.done: list[str] = []
        host.answers["action.spec.search"] = self._find
        host.answers["action.spec.get"] = self._get
        self.presenter = LauncherPresenter(host, self.view, print, lambda a, _: self.done.append(a), lambda: None)

    def hits(self) -> list[str]:
        return [hit.id for at in range(self.view.hits.rowCount()) if (hit := self.view.hits.hit(at)) is not None]

    def _find(self, input: Mapping[str, Any]) -> Outcome:
        found = self._search.scored(input["query"], input["limit"])
        entries = [
            {"id": spec.id, "title": spec.title.en, "effect": spec.effect.value, "slash": list(spec.slash), "score": n}
            for n, spec in found
        ]
        return self.host.completed({"actions": entries})

    def _get(self, input: Mapping[str, Any]) -> Outcome:
        spec = self.catalog.specs[input["id"]]
        needs = {source.id: source.needs for source in self.catalog.sources.values()}
        form = [field.model_dump(mode="json") for field in spec_form(spec, "en", needs)]
        return self.host.completed({"id": spec.id, "title": spec.title.en, "effect": spec.effect.value, "form": form})


@pytest.fixture
def desk(qtbot: QtBot, theme: Theme, host: InMemoryHost) -> Desk:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(900, 700)
    window.show()
    return Desk(theme, window, host)


async def test_what_was_run_last_stands_first_next_time(desk: Desk, eventually: Eventually) -> None:
    desk.view.open()
    await eventually(lambda: len(desk.hits()) > 50)
    assert desk.hits()[0] != "workspace.list"
    desk.presenter.open_form("workspace.list")
    await eventually(lambda: desk.view.summary() is not None)
    desk.view.run.click()
    await eventually(lambda: desk.presenter.recent.ids() == ["workspace.list"])
    desk.view.close_launcher()
    desk.view.open()
    await eventually(lambda: desk.hits() and desk.hits()[0] == "workspace.list")
    await desk.presenter.close()


async def test_a_slash_command_opens_its_form_with_the_words_after_it(desk: Desk, eventually: Eventually) -> None:
    desk.view.open()
    desk.view.search.setText("/rev")
    await eventually(lambda: desk.hits() and desk.hits()[0] == "review.start")
    desk.view.search.setText("/review the error handling")
    await eventually(lambda: desk.hits() == ["review.start"])
    QTest.keyClick(desk.view.search, Qt.Key.Key_Return)
    await eventually(lambda: desk.view.form.draft.fields)
    assert desk.view.form.draft.value("instructions") == "the error handling"
    await desk.presenter.close()


async def test_a_synonym_finds_its_action(desk: Desk, eventually: Eventually) -> None:
    desk.view.open()
    for spec in desk.catalog:
        for synonym in spec.synonyms[:1]:
            desk.view.search.setText(synonym)
            await eventually(lambda spec=spec: spec.id in desk.hits())
    await desk.presenter.close()


async def test_what_will_happen_is_asked_of_the_host(desk: Desk, eventually: Eventually) -> None:
    def said(input: Mapping[str, Any]) -> Outcome:
        dangerous = input["input"].get("permission_mode") == "bypass"
        return desk.host.completed(
            {
                "effect": "danger" if dangerous else "external",
                "available": True,
                "asks": dangerous,
                "asked_in": "inbox" if dangerous else None,
                "targets": [{"kind": "provider", "label": "Claude", "known": True}],
            }
        )

    desk.host.answers["action.call.preview"] = said
    desk.presenter.open_form("session.spawn_new", {"provider": "claude"})
    await eventually(lambda: desk.view.page.reaches.text() == "With Claude")
    assert desk.view.page.will.text() == "An agent starts to work on your behalf."
    desk.view.form.editor("permission_mode").changed.emit("bypass")
    await eventually(lambda: "in the inbox" in desk.view.page.will.text())
    await desk.presenter.close()


async def test_options_follow_what_they_depend_on(desk: Desk, eventually: Eventually) -> None:
    def offered(input: Mapping[str, Any]) -> Outcome:
        if input["field_path"] != "model_id":
            return desk.host.completed({"options": []})
        provider = input["draft"].get("provider")
        if provider == "broken":
            return failed("broken does not answer.")
        return desk.host.completed({"options": [{"value": f"{provider}-1", "label": f"{provider} one"}]})

    desk.host.answers["action.options.resolve"] = offered
    desk.presenter.open_form("session.spawn_new", {"provider": "claude"})
    await eventually(lambda: desk.view.form.draft.fields)
    box: Any = desk.view.form.editor("model_id").control
    await eventually(lambda: box.count() == 2 and box.itemText(1) == "claude one")
    desk.view.form.editor("provider").changed.emit("codex")
    await eventually(lambda: box.itemText(1) == "codex one")
    desk.view.form.editor("provider").changed.emit("broken")
    await eventually(lambda: desk.view.form.draft.notes.get("model_id") == "broken does not answer.")
    await desk.presenter.close()


async def test_what_the_host_refuses_inside_a_field_stands_beside_its_part(desk: Desk, eventually: Eventually) -> None:
    refused = [{"field": "definition.name", "message": "is taken already"}]
    desk.host.answers["mcp.servers.create"] = lambda _: failed("No.", "invalid_input", fields=refused)
    given = {"definition": {"name": "shop", "command": "npx"}, "expected_revision": "r1"}
    desk.presenter.open_form("mcp.servers.create", given)
    await eventually(lambda: desk.view.form.draft.fields)
    desk.view.page.start()  # it is dangerous: the first press asks
    await eventually(desk.view.page._guard.ready)
    desk.view.page.start()
    await eventually(lambda: desk.host.called("mcp.servers.create"))
    editor: Any = desk.view.form.editor("definition")
    name = editor.root.editor.entries()["name"]
    await eventually(lambda: name._error.text() == "is taken already")
    assert "definition" in desk.view.form.draft.errors
    await desk.presenter.close()

"""Adding a server: by form, from pasted JSON or a command line, or one of the known ones; and changing one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QStackedWidget,
    QTabBar,
    QWidget,
)

from actions.catalog.server_views import FoundServers, PresetView, ServerTest, ServerView
from desktop.settings.server_draft import BadDraft, Draft, changes_of, definition_of, draft_of
from desktop.settings.server_found import FoundList, import_inputs
from desktop.settings.server_words import scrolled
from desktop.theme.theme import Theme
from desktop.widgets.basics import button, column, label, line, restyle, row
from desktop.widgets.select import Select

_WIDTH, _HEIGHT = 620, 560
_VALUE = Qt.ItemDataRole.UserRole


class ServerForm(QWidget):
    """The fields of a server, each with its error below."""

    changed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.name = QLineEdit()
        self.title = QLineEdit()
        self.line = QLineEdit()
        self.line.setPlaceholderText("npx -y some-server@1.2.3")
        self.cwd = QLineEdit()
        self.env = self._lines("NAME=value")
        self.headers = self._lines("Authorization: Bearer …")
        self.where = Select(theme)
        self._errors = {name: label(tone="danger", wrap=True) for name in ("name", "line", "env", "headers", "other")}
        inside = column(self, margin=(20, 12, 16, 12), gap=4)
        fields: list[tuple[QWidget, str, str, str]] = [
            (self.name, "name", self.tr("Name"), self.tr("Small letters, digits, - and _")),
            (self.title, "", self.tr("Title"), ""),
            (self.line, "line", self.tr("Command line or address"), self.tr("An address begins with https://")),
            (self.cwd, "", self.tr("Folder to start in"), ""),
            (self.env, "env", self.tr("Variables"), self.tr("One a line. Secrets go into the keyring.")),
            (self.headers, "headers", self.tr("Headers"), self.tr("One a line, for an address.")),
            (self.where, "other", self.tr("On for"), ""),
        ]
        for control, error, text, note in fields:
            title = label(text, tone="strong")
            title.setBuddy(control)
            control.setAccessibleName(text)
            control.setAccessibleDescription(note)
            inside.addWidget(title)
            inside.addWidget(control)
            if note:
                inside.addWidget(label(note, tone="small", wrap=True))
            if error:
                inside.addWidget(self._errors[error])
            inside.addSpacing(6)
        inside.addStretch()
        self.clear_errors()
        for edit in (self.name, self.title, self.line, self.cwd):
            edit.textEdited.connect(lambda _: self.clear_errors())

    def show_places(self, workspace: str | None) -> None:
        self.where.clear()
        self.where.addItem(self.tr("This device, every workspace"), "device")
        if workspace is not None:
            self.where.addItem(self.tr("Only in {0}").format(workspace), workspace)

    def show_draft(self, draft: Draft) -> None:
        for edit, text in (
            (self.name, draft.name),
            (self.title, draft.title),
            (self.line, draft.line),
            (self.cwd, draft.cwd),
        ):
            edit.setText(text)
        self.env.setPlainText(draft.env)
        self.headers.setPlainText(draft.headers)
        self.clear_errors()

    def draft(self) -> Draft:
        return Draft(
            self.name.text(),
            self.title.text(),
            self.line.text(),
            self.cwd.text(),
            self.env.toPlainText(),
            self.headers.toPlainText(),
        )

    def clear_errors(self) -> None:
        for error in self._errors.values():
            error.hide()
        for control in (self.name, self.line, self.env, self.headers):
            restyle(control, bad="false")

    def show_error(self, field: str, text: str) -> None:
        """``field`` is one of the form's, or any other for the end of it."""
        field = {"command": "line", "args": "line", "url": "line"}.get(field, field)
        error = self._errors.get(field, self._errors["other"])
        error.setText(text)
        error.show()
        control = {"name": self.name, "line": self.line, "env": self.env, "headers": self.headers}.get(field)
        if control is not None:
            restyle(control, bad="true")
            control.setFocus()

    def show_bad(self, bad: BadDraft) -> None:
        words = {
            "line": self.tr("This is no command line: {0}"),
            "env": self.tr("Write NAME=value: {0}"),
            "headers": self.tr("Write Name: value: {0}"),
        }
        self.show_error(bad.field, words[bad.field].format(bad.part))

    def check(self) -> bool:
        """Whether the needed fields are filled in."""
        self.clear_errors()
        for control, field in ((self.line, "line"), (self.name, "name")):
            if not control.text().strip():
                self.show_error(field, self.tr("This is needed."))
                return False
        return True

    def _lines(self, hint: str) -> QPlainTextEdit:
        result = QPlainTextEdit()
        result.setProperty("kind", "field")
        result.setPlaceholderText(hint)
        result.setTabChangesFocus(True)
        result.setFixedHeight(result.fontMetrics().lineSpacing() * 3 + 16)
        return result


class AddDialog(QDialog):
    """Says what the user wants; a presenter answers and closes it when it is done.

    ``add_asked`` carries the input of ``mcp.servers.create``, ``change_asked`` server and changes, ``look_asked`` the
    pasted text, ``take_asked`` the input of an import, ``test_asked`` a definition.
    """

    add_asked = Signal(dict)
    change_asked = Signal(str, dict)
    look_asked = Signal(str)
    take_asked = Signal(dict)
    test_asked = Signal(dict)
    test_cancelled = Signal()

    def __init__(self, theme: Theme, workspace: str | None, parent: QWidget, server: ServerView | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setWindowTitle(self.tr("Add an MCP server") if server is None else self.tr("Change an MCP server"))
        self.resize(min(_WIDTH, parent.width() - 32), min(_HEIGHT, parent.height() - 32))
        self._server = server
        self._asks: PresetView | None = None
        self.tabs = QTabBar()
        self.tabs.setAccessibleName(self.tr("Ways to add a server"))
        self.tabs.setExpanding(False)
        self.tabs.setDrawBase(False)
        for text in (self.tr("Form"), self.tr("Paste"), self.tr("Known servers")):
            self.tabs.addTab(text)
        self.form = ServerForm(theme)
        self.form.show_places(workspace)
        self.paste = QPlainTextEdit()
        self.paste.setProperty("kind", "field")
        self.paste.setAccessibleName(self.tr("JSON, TOML, YAML or a command line"))
        self.paste.setPlaceholderText('{"mcpServers": {"files": {"command": "npx", "args": ["-y", "…"]}}}')
        self.paste.setTabChangesFocus(True)
        self.paste.textChanged.connect(self._on_paste)
        self.found = FoundList(theme)
        self.found.changed.connect(self._on_step)
        self.known = QListWidget()
        self.known.setProperty("kind", "plain")
        self.known.setWordWrap(True)
        self.known.setFrameShape(QListWidget.Shape.NoFrame)
        self.known.setAccessibleName(self.tr("Known servers"))
        self.known.itemActivated.connect(self._on_known)
        self.known.itemClicked.connect(self._on_known)
        self._pages = QStackedWidget()
        pasted = QWidget()
        inside = column(pasted, margin=(20, 12, 16, 0), gap=8)
        hint = self.tr(
            "Paste what a server's page tells you to put into a configuration, or the command that starts it."
        )
        inside.addWidget(label(hint, tone="muted", wrap=True))
        inside.addWidget(self.paste, 1)
        inside.addWidget(self.found, 2)
        for page in (scrolled(self.form), pasted, self.known):
            self._pages.addWidget(page)
        self.tabs.currentChanged.connect(self._on_tab)
        self._message = label(tone="danger", wrap=True)
        self._message.setContentsMargins(20, 0, 16, 0)
        self.cancel = button(self.tr("Cancel"))
        self.cancel.clicked.connect(self.reject)
        self.test = button(self.tr("Test"))
        self.test.clicked.connect(self._on_test)
        self.stop_test = button(self.tr("Cancel the test"))
        self.stop_test.clicked.connect(self.test_cancelled)
        self.stop_test.hide()
        self.go = button("", kind="primary")
        self.go.clicked.connect(self._on_go)
        foot = row(margin=(20, 12, 20, 14))
        foot.addWidget(self.test)
        foot.addWidget(self.stop_test)
        foot.addStretch()
        foot.addWidget(self.cancel)
        foot.addWidget(self.go)
        layout = column(self, gap=0)
        top = row(margin=(14, 10, 14, 0))
        top.addWidget(self.tabs)
        top.addStretch()
        layout.addLayout(top)
        layout.addWidget(line())
        layout.addWidget(self._pages, 1)
        layout.addWidget(self._message)
        layout.addWidget(line())
        layout.addLayout(foot)
        if server is not None:
            self.tabs.hide()
            self.form.show_draft(draft_of(server))
            self.form.name.setEnabled(False)
            self.form.where.setEnabled(False)
        self.found.hide()
        self._on_tab(0)
        self.form.line.setFocus() if server is not None else self.form.name.setFocus()

    # what a presenter tells it

    def show_presets(self, presets: Sequence[PresetView]) -> None:
        self.known.clear()
        for preset in presets:
            entry = QListWidgetItem(f"{preset.title}\n{preset.description}")
            entry.setData(_VALUE, preset)
            entry.setData(Qt.ItemDataRole.AccessibleTextRole, f"{preset.title}. {preset.description}")
            entry.setToolTip(preset.homepage)
            self.known.addItem(entry)

    def show_found(self, found: FoundServers) -> None:
        """What the pasted text holds; what can be taken is chosen already."""
        self.found.show_found(found)
        for card in self.found.cards:
            card.take.setChecked(card.take.isEnabled())
        self.found.show()
        if not found.servers:
            problems = [entry.get("message") or " ".join(entry.values()) for entry in found.problems]
            self.show_message("\n".join(problems) or self.tr("No server was found in it."))
        self._on_step()

    def show_message(self, text: str, tone: str = "danger") -> None:
        """What went wrong, or how it stands; the buttons can be pressed again."""
        restyle(self._message, tone=tone)
        self._message.setText(text)
        self._message.setVisible(bool(text))
        self._busy(False)

    def show_errors(self, fields: Sequence[Mapping[str, str]], message: str) -> None:
        """The input was refused: each message beside its field."""
        self._busy(False)
        if not fields:
            self.show_message(message)
        for entry in fields:
            self.form.show_error(str(entry.get("field", "")).split(".")[-1], str(entry.get("message", "")))

    def show_test(self, test: ServerTest) -> None:
        if test.ok:
            self.show_message(self.tr("It works: {0} tools in {1} ms.").format(test.tool_count, test.ms), "success")
        else:
            parts = [test.message or test.code or "", (test.stderr or "").strip()[-600:]]
            self.show_message("\n".join(part for part in parts if part))

    def show_cancelled(self) -> None:
        self.show_message(self.tr("The test was cancelled; nothing of it runs."), "muted")

    # inside

    def _on_tab(self, at: int) -> None:
        self._pages.setCurrentIndex(at)
        self._message.hide()
        self._on_step()

    def _on_paste(self) -> None:
        self.found.hide()
        self.found.cards = []
        self._on_step()

    def _on_step(self) -> None:
        at = self._pages.currentIndex()
        looked = at == 1 and self.found.isVisibleTo(self)
        texts = [self.tr("Add"), self.tr("Take over") if looked else self.tr("Look at it"), self.tr("Use this one")]
        self.go.setText(self.tr("Save") if self._server is not None else texts[at])
        self.go.setEnabled(bool(self.found.chosen()) if looked else at != 1 or bool(self.paste.toPlainText().strip()))
        self.test.setVisible(at == 0)

    def _busy(self, busy: bool, *, testing: bool = False) -> None:
        for control in (self.go, self.test):
            control.setEnabled(not busy)
        if testing != self.stop_test.isVisibleTo(self):
            self.test.setVisible(not testing and self._pages.currentIndex() == 0)
            self.stop_test.setVisible(testing)
            (self.stop_test if testing else self.test).setFocus()

    def _definition(self) -> dict[str, Any] | None:
        if not self.form.check():
            return None
        try:
            return definition_of(self.form.draft())
        except BadDraft as bad:
            self.form.show_bad(bad)
            return None

    def _on_test(self) -> None:
        definition = self._definition()
        if definition is not None:
            self.show_message(self.tr("Starting it and listing its tools…"), "muted")
            self._busy(True, testing=True)
            self.test_asked.emit(definition)

    def _on_go(self) -> None:
        at = self._pages.currentIndex()
        if at == 2:
            self._on_known(self.known.currentItem())
        elif at == 1:
            self._go_paste()
        elif self._server is not None:
            self._go_change(self._server)
        elif (definition := self._definition()) is not None:
            self._busy(True)
            target = str(self.form.where.currentData())
            self.add_asked.emit({"definition": definition, "bindings": [{"target": target, "enabled": True}]})

    def _go_paste(self) -> None:
        text = self.paste.toPlainText().strip()
        self._busy(True)
        if self.found.isVisible():
            self.take_asked.emit(import_inputs(self.found.chosen(), text)[0])
        else:
            self.look_asked.emit(text)

    def _go_change(self, server: ServerView) -> None:
        if not self.form.check():
            return
        try:
            changes = changes_of(server, self.form.draft())
        except BadDraft as bad:
            self.form.show_bad(bad)
            return
        if not changes:
            self.accept()
            return
        self._busy(True)
        self.change_asked.emit(server.name, changes)

    def _on_known(self, entry: QListWidgetItem | None) -> None:
        preset = None if entry is None else entry.data(_VALUE)
        if not isinstance(preset, PresetView):
            return
        known = preset.definition
        asked = [str(ask["field"]).removeprefix("env.") for ask in preset.asks if str(ask["field"]).startswith("env.")]
        heads = [ask for ask in preset.asks if str(ask["field"]).startswith("headers.")]
        env = [*(f"{name}={value}" for name, value in known.get("env", {}).items()), *(f"{name}=" for name in asked)]
        view = ServerView.model_validate(
            {
                "transport": "unknown", "scope": "device", "file": "", "line": 0, "enabled": True, "reason": "",
                "content_hash": "", "revision": "",
                **{key: value for key, value in known.items() if key in ServerView.model_fields and key != "env"},
            }
        )  # fmt: skip
        draft = draft_of(view)
        self.form.show_draft(Draft(draft.name, draft.title, draft.line, draft.cwd, "\n".join(env), draft.headers))
        lines = [f"{str(ask['field']).removeprefix('headers.')}: {ask.get('before') or ''}" for ask in heads]
        self.form.headers.setPlainText("\n".join([*draft.headers.splitlines(), *lines]))
        self.tabs.setCurrentIndex(0)
        others = [str(ask["title"]) for ask in preset.asks if not str(ask["field"]).startswith(("env.", "headers."))]
        text = self.tr("It also needs: {0}. Put it into the command line.").format(", ".join(others)) if others else ""
        self.show_message(text, "warning")
        self.form.line.setFocus()

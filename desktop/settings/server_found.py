"""Servers found in other programs or in pasted text: what each would run, uncut, and which to take over."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QLineEdit, QScrollArea, QWidget

from actions.catalog.server_views import FoundServer, FoundServers
from desktop.settings.server_words import command_line, rebuilt, scrolled
from desktop.theme.theme import Theme
from desktop.transcript.cards.tool import CodeBlock
from desktop.widgets.basics import EmptyState, button, chip, column, frame, label, row
from desktop.widgets.select import Select

_OPEN = ("new", "conflict")
_TONES = {"new": "chip-accent", "conflict": "chip-warning", "imported": "chip-success", "unreadable": "chip-danger"}


def what_runs(server: FoundServer) -> str:
    """Command or url with folder, variables and headers; values are veiled by the host."""
    lines = (
        [server.url] if server.url else [command_line(server.command[0], server.command[1:])] if server.command else []
    )
    lines += [f"cwd  {server.cwd}"] if server.cwd else []
    lines += [f"{name}={value}" for name, value in server.env.items()]
    lines += [f"{name}: {value}" for name, value in server.headers.items()]
    return "\n".join(lines)


class FoundCard(QWidget):
    """One found server with its checkbox and, where its name is taken, what to do then."""

    changed = Signal()

    def __init__(self, theme: Theme, server: FoundServer) -> None:
        super().__init__()
        self.server = server
        panel = frame("panel")
        column(self).addWidget(panel)
        inside = column(panel, margin=12, gap=6)
        self.take = QCheckBox(server.name)
        self.take.setEnabled(server.status in _OPEN)
        self.take.setAccessibleName(self.tr("Take over {0}").format(server.name))
        self.take.toggled.connect(self.changed)
        head = row()
        head.addWidget(self.take, 1)
        self.conflict = Select(theme)
        self.conflict.setAccessibleName(self.tr("What to do with {0}").format(server.name))
        for value, text in (
            ("rename", self.tr("Under another name")),
            ("replace", self.tr("Replace mine")),
        ):
            self.conflict.addItem(text, value)
        self.conflict.setVisible(server.status == "conflict")
        head.addWidget(self.conflict)
        head.addWidget(chip(self._status(server.status), _TONES.get(server.status, "chip")))
        inside.addLayout(head)
        if server.file:
            inside.addWidget(label(server.file, tone="small", wrap=True, selectable=True))
        if text := what_runs(server):
            block = CodeBlock(theme)
            block.setAccessibleName(self.tr("What {0} runs").format(server.name))
            block.show_text(text)
            inside.addWidget(block)
        self.values: dict[str, QLineEdit] = {}
        for name in server.missing:
            inside.addWidget(
                label(server.prompts.get(name) or self.tr("{0} is not set here").format(name), tone="small")
            )
            edit = self.values[name] = QLineEdit()
            edit.setEchoMode(QLineEdit.EchoMode.Password)
            edit.setAccessibleName(name)
            edit.setPlaceholderText(name)
            inside.addWidget(edit)
        for text, tone in (
            ("\n".join(server.warnings), "warning"),
            (self._ignored(server), "small"),
            (self._secrets(server), "small"),
        ):
            if text:
                inside.addWidget(label(text, tone=tone, wrap=True))

    def _status(self, status: str) -> str:
        return {
            "new": self.tr("New"),
            "same": self.tr("You have it"),
            "conflict": self.tr("Name is taken"),
            "unsupported": self.tr("Not supported"),
            "unreadable": self.tr("Cannot be read"),
            "imported": self.tr("Taken over"),
            "replaced": self.tr("Replaced"),
            "renamed": self.tr("Renamed"),
            "skipped": self.tr("Left out"),
            "not_selected": self.tr("Left out"),
        }.get(status, status)

    def _ignored(self, server: FoundServer) -> str:
        return self.tr("Never taken over: {0}").format(", ".join(server.ignored)) if server.ignored else ""

    def _secrets(self, server: FoundServer) -> str:
        return self.tr("Goes among your secrets: {0}").format(", ".join(server.secrets)) if server.secrets else ""


class FoundList(QScrollArea):
    """Cards by program. ``changed`` is emitted when another choice was made."""

    changed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.cards: list[FoundCard] = []
        scrolled(QWidget(), self)

    def show_text(self, icon: str, title: str, hint: str, role: str = "muted") -> None:
        self.cards = []
        old = self.takeWidget()
        if old is not None:
            old.deleteLater()
        empty = EmptyState(self._theme, icon, title, hint)
        empty.setProperty("kind", "canvas")
        empty.show_text(icon, title, hint, role)
        self.setWidget(empty)
        self.changed.emit()

    def show_found(self, found: FoundServers) -> None:
        """Replace what is shown."""
        _, inside = rebuilt(self)
        self.cards = []
        client = None
        for server in found.servers:
            if server.client != client:
                client = server.client
                inside.addWidget(label(client, tone="group"))
            card = FoundCard(self._theme, server)
            card.changed.connect(self.changed)
            self.cards.append(card)
            inside.addWidget(card)
        for problem in found.problems:
            inside.addWidget(label(" ".join(problem.values()), tone="warning", wrap=True))
        inside.addStretch()
        self.changed.emit()

    def chosen(self) -> list[FoundCard]:
        return [card for card in self.cards if card.take.isChecked()]


def import_inputs(cards: Sequence[FoundCard], source: str | None = None) -> list[dict[str, object]]:
    """The inputs of ``mcp.servers.import`` that take over ``cards``: one a program, or one for a pasted ``source``."""
    inputs: list[dict[str, object]] = []
    for client in dict.fromkeys(card.server.client for card in cards):
        mine = [card for card in cards if card.server.client == client]
        values = {n: e.text() for card in mine for n, e in card.values.items() if e.text()}
        conflicts = {c.server.name: str(c.conflict.currentData()) for c in mine if c.server.status == "conflict"}
        inputs.append(
            {
                "source": source or client,
                "selection": [card.server.name for card in mine],
                **({"conflicts": conflicts} if conflicts else {}),
                **({"values": values} if values else {}),
            }
        )
        if source is not None:
            inputs[0]["selection"] = [card.server.name for card in cards]
            return inputs[:1]
    return inputs


class DetectedTab(QWidget):
    """``take_asked`` carries the inputs to import and what they would run."""

    take_asked = Signal(list, list)
    look_asked = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.found = FoundList(theme)
        self.found.changed.connect(self._on_choice)
        self.again = button(self.tr("Look again"))
        self.again.clicked.connect(self.look_asked)
        self.take = button(self.tr("Take over"), kind="primary")
        self.take.clicked.connect(self._on_take)
        self._count = label(tone="muted")
        foot = frame("foot")
        buttons = row(foot, margin=(20, 10, 16, 12))
        buttons.addWidget(self._count, 1)
        buttons.addWidget(self.again)
        buttons.addWidget(self.take)
        inside = column(self, gap=0)
        inside.addWidget(self.found, 1)
        inside.addWidget(frame("line"))
        inside.addWidget(foot)
        self.show_loading()

    def show_loading(self) -> None:
        self.found.show_text("clock", self.tr("Looking…"), "")

    def show_problem(self, message: str) -> None:
        self.found.show_text("alert", self.tr("The other programs could not be read"), message, "danger")

    def show_found(self, found: FoundServers) -> None:
        if found.servers or found.problems:
            self.found.show_found(found)
        else:
            hint = self.tr("Claude, Codex, Gemini, Cursor, VS Code and others: none of them has a server set up here.")
            self.found.show_text("search", self.tr("Nothing was found"), hint)

    def _on_choice(self) -> None:
        count = len(self.found.chosen())
        self.take.setEnabled(count > 0)
        self._count.setText(self.tr("{0} chosen").format(count) if count else "")

    def _on_take(self) -> None:
        cards = self.found.chosen()
        inputs = import_inputs(cards)
        texts = [
            "\n\n".join(f"{c.server.name}\n{what_runs(c.server)}" for c in cards if c.server.client == one["source"])
            for one in inputs
        ]
        self.take_asked.emit(inputs, texts)

"""What the servers of a workspace's file would run, with the differences since the last yes; and the yes."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QDialog, QWidget

from actions.catalog.server_use_views import TrustReview, WouldRun
from desktop.safety import SafeAnswer
from desktop.settings.server_words import changes_text, command_line, scrolled
from desktop.theme.theme import Theme
from desktop.transcript.cards.tool import CodeBlock
from desktop.widgets.basics import button, chip, column, frame, label, line, row

_WIDTH, _HEIGHT = 640, 520


class TrustDialog(QDialog):
    """Accepted when the user trusts what is chosen. ``servers`` and ``environment`` say what the yes is for."""

    def __init__(self, theme: Theme, review: TrustReview, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setWindowTitle(self.tr("Trust a workspace's servers"))
        self.resize(min(_WIDTH, parent.width() - 32), min(_HEIGHT, parent.height() - 32))
        self.review = review
        self._theme = theme
        self._guard = SafeAnswer()
        self._taken: dict[str, QCheckBox] = {}
        self._allowed: dict[tuple[str, str], QCheckBox] = {}
        head = column(margin=(20, 18, 20, 10), gap=4)
        head.addWidget(label(self.tr("These servers come with the workspace"), tone="heading", wrap=True))
        head.addWidget(label(review.workspace, tone="small", wrap=True, selectable=True))
        about = self.tr("They are programs that run as you. Your yes is for exactly this; a change asks again.")
        head.addWidget(label(about, tone="muted", wrap=True))
        body = QWidget()
        inside = column(body, margin=(20, 4, 16, 12), gap=10)
        for server in review.servers:
            inside.addWidget(self._card(server))
        inside.addStretch()
        self.no = button(self.tr("Cancel"))
        self.no.setDefault(True)
        self.no.clicked.connect(self.reject)
        self.yes = button(self.tr("Trust the chosen"), kind="danger")
        self.yes.setAutoDefault(False)
        self.yes.clicked.connect(self._on_yes)
        foot = row(margin=(20, 12, 20, 14))
        foot.addStretch()
        foot.addWidget(self.no)
        foot.addWidget(self.yes)
        layout = column(self, gap=0)
        layout.addLayout(head)
        layout.addWidget(scrolled(body), 1)
        layout.addWidget(line())
        layout.addLayout(foot)
        self._on_choice()
        self.no.setFocus()

    def servers(self) -> list[str]:
        return [name for name, box in self._taken.items() if box.isChecked()]

    def environment(self) -> list[str]:
        chosen = self.servers()
        return sorted({name for (server, name), box in self._allowed.items() if box.isChecked() and server in chosen})

    def _card(self, server: WouldRun) -> QWidget:
        panel = frame("panel")
        inside = column(panel, margin=12, gap=6)
        open_ = server.trust not in ("own", "trusted")
        take = QCheckBox(server.server)
        take.setChecked(server.trust == "not_trusted")
        take.setEnabled(open_)
        take.setAccessibleName(self.tr("Trust {0}").format(server.server))
        take.toggled.connect(self._on_choice)
        if open_:
            self._taken[server.server] = take
        head = row()
        head.addWidget(take, 1)
        words = {
            "own": (self.tr("Your own"), "chip"),
            "trusted": (self.tr("Trusted"), "chip-success"),
            "not_trusted": (self.tr("Not trusted yet"), "chip-warning"),
            "trust_changed": (self.tr("Changed since your yes"), "chip-danger"),
            "environment": (self.tr("Sets a sensitive variable"), "chip-danger"),
        }
        head.addWidget(chip(*words[server.trust]))
        inside.addLayout(head)
        block = CodeBlock(self._theme)
        block.setAccessibleName(self.tr("What {0} runs").format(server.server))
        block.show_text(self._what(server))
        inside.addWidget(block)
        if server.changes:
            inside.addWidget(label(self.tr("What is different"), tone="group"))
            changes = CodeBlock(self._theme)
            changes.setAccessibleName(self.tr("What is different"))
            changes.show_text(changes_text(server.changes))
            inside.addWidget(changes)
        for name in server.environment:
            box = self._allowed[server.server, name] = QCheckBox(
                self.tr("Let it set {0}, which can change the program that runs").format(name)
            )
            box.toggled.connect(self._on_choice)
            inside.addWidget(box)
        if server.problem:
            inside.addWidget(label(server.problem, tone="danger", wrap=True))
        return panel

    def _what(self, server: WouldRun) -> str:
        lines = (
            [server.url]
            if server.url
            else [command_line(server.command[0], server.command[1:])]
            if server.command
            else []
        )
        facts = [
            (self.tr("program"), server.resolved or ""),
            (self.tr("folder"), server.cwd or ""),
            (self.tr("variables"), ", ".join(server.env)),
            (self.tr("headers"), ", ".join(server.headers)),
            *((self.tr("script"), f"{name}  {digest[:12]}") for name, digest in server.scripts.items()),
        ]
        lines += [f"{name}  {value}" for name, value in facts if value]
        return "\n".join(lines)

    def _on_choice(self) -> None:
        missing = [name for (server, name), box in self._allowed.items()
                   if server in self.servers() and not box.isChecked()]  # fmt: skip
        self.yes.setEnabled(bool(self.servers()) and not missing)

    def _on_yes(self) -> None:
        if self._guard.take(self.review.content_hash):
            self.accept()

    def showEvent(self, event: object) -> None:
        self._guard.show(self.review.content_hash)

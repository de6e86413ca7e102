"""The preview tab: exactly the tools that a session would get, and what they cost."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHeaderView,
    QLabel,
    QScrollArea,
    QSizePolicy,
    QSplitter,
    QStackedWidget,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from actions.catalog.server_use_views import ServerState, ToolPreview, ToolRow
from actions.catalog.server_views import FoundServer
from desktop.settings.server_reasons import delivery_reason_text, reason_text, tool_reason_text
from desktop.settings.server_words import (
    approval_text,
    changes_text,
    delivery_text,
    exposure_text,
    json_text,
    scrolled,
    state_text,
)
from desktop.theme.theme import Theme
from desktop.transcript.cards.tool import CodeBlock
from desktop.widgets.basics import EmptyState, button, column, frame, label, row

_ROW = Qt.ItemDataRole.UserRole
_WITH_APPROVAL = 440
_COLORS = ("accent", "success", "warning", "danger", "link_visited", "muted")


class TokenBar(QWidget):
    """How the tokens of the tools divide among their sources. The words beside it say the same."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._parts: list[tuple[str, int]] = []
        self.setFixedHeight(8)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def show_parts(self, parts: Sequence[tuple[str, int]]) -> None:
        self._parts = [part for part in parts if part[1] > 0]
        self.setToolTip("\n".join(f"{name}: {tokens}" for name, tokens in self._parts))
        self.update()

    def color(self, at: int) -> QColor:
        return QColor(getattr(self._theme.scheme, _COLORS[at % len(_COLORS)]))

    def sizeHint(self) -> QSize:
        return QSize(120, 8)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self._theme.scheme.hover))
        painter.drawRoundedRect(QRectF(self.rect()), 4, 4)
        whole = sum(tokens for _, tokens in self._parts)
        left = 0.0
        for at, (_, tokens) in enumerate(self._parts):
            wide = self.width() * tokens / whole
            painter.setBrush(self.color(at))
            painter.drawRoundedRect(QRectF(left, 0, max(2.0, wide - 1), self.height()), 3, 3)
            left += wide


class ToolDetail(QScrollArea):
    """One tool, or one server: its description as it is, hidden characters written out, its schema, what changed."""

    accept_asked = Signal(str, str, str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        area = QWidget()
        inside = column(area, margin=(16, 12, 16, 16), gap=8)
        self._title = label(tone="strong", wrap=True, selectable=True)
        self._facts = label(tone="muted", wrap=True)
        self._text = label(wrap=True, selectable=True)
        self._hidden = label(tone="warning", wrap=True, selectable=True)
        self._changed_title = label(self.tr("Not as it was when you saw it"), tone="warning")
        self._changes = CodeBlock(theme)
        self._changes.setAccessibleName(self._changed_title.text())
        self.accept = button(self.tr("Accept it as it is now"), kind="primary")
        self.accept.clicked.connect(self._on_accept)
        self._schema_title = label(self.tr("Input"), tone="group")
        self._schema = CodeBlock(theme)
        self._schema.setAccessibleName(self.tr("Input schema"))
        accept = row()
        accept.addWidget(self.accept)
        accept.addStretch()
        for part in (self._title, self._facts, self._text, self._hidden, self._changed_title, self._changes):
            inside.addWidget(part)
        inside.addLayout(accept)
        inside.addWidget(self._schema_title)
        inside.addWidget(self._schema)
        inside.addStretch()
        scrolled(area, self)
        self._tool: ToolRow | None = None

    def show_tool(self, tool: ToolRow) -> None:
        self._tool = tool
        self._title.setText(tool.title or tool.name)
        self._facts.setText(
            " · ".join((tool.shown_as, delivery_text(tool.delivery), exposure_text(tool.exposure),
                        approval_text(tool.approval), self.tr("about {0} tokens").format(tool.tokens)))
        )  # fmt: skip
        self._set(
            self._text,
            "\n\n".join(part for part in (tool.description, tool_reason_text(tool.reason_code, tool.reason)) if part),
        )
        hidden = [self.tr("{0} in {1}: {2}").format(one.kind, one.where, one.says) for one in tool.hidden]
        self._set(self._hidden, "\n".join([self.tr("Hidden text:"), *hidden]) if hidden else "")
        drifted = tool.pin in ("changed", "new") and tool.content_hash is not None and not tool.available
        changes = changes_text(tool.changes)
        self._changed_title.setVisible(bool(changes))
        self._changes.setVisible(bool(changes))
        self._changes.show_text(changes)
        self.accept.setVisible(drifted)
        self._schema_title.show()
        self._schema.show()
        self._schema.show_text(json_text(tool.input_schema))

    def show_server(self, server: ServerState) -> None:
        self._tool = None
        self._title.setText(server.title or server.name)
        facts = (state_text(server.state), delivery_text(server.delivery), delivery_reason_text(server))
        self._facts.setText(" · ".join(part for part in facts if part))
        self._set(self._text, reason_text(server))
        self._set(self._hidden, "\n".join(server.warnings))
        tail = (server.stderr or "").strip()
        changes = "\n".join(part for part in (changes_text(server.changes), tail) if part)
        self._changed_title.hide()
        self._changes.setVisible(bool(changes))
        self._changes.show_text(changes)
        self.accept.hide()
        self._schema_title.hide()
        self._schema.hide()

    def show_brought(self, server: FoundServer) -> None:
        """A server of the agent's own configuration."""
        self._tool = None
        self._title.setText(server.name)
        self._facts.setText(" · ".join(part for part in (server.transport, server.file or "") if part))
        about = self.tr("The agent's own configuration names it: the agent starts it by itself. Sayso does not see its "
                        "tools, and no rule of yours holds for them. Import it to have that.")  # fmt: skip
        self._set(self._text, about)
        self._set(self._hidden, "")
        self._changed_title.hide()
        self._changes.setVisible(bool(server.command or server.url))
        self._changes.show_text(server.url or shlex.join(server.command))
        self.accept.hide()
        self._schema_title.hide()
        self._schema.hide()

    def _on_accept(self) -> None:
        tool = self._tool
        if tool is not None and tool.content_hash is not None:
            self.accept_asked.emit(tool.source, tool.name, tool.content_hash)

    @staticmethod
    def _set(part: QLabel, text: str) -> None:
        part.setText(text)
        part.setVisible(bool(text))


class PreviewTab(QWidget):
    """``accept_asked`` carries server, tool and the hash of the definition that was looked at."""

    accept_asked = Signal(str, str, str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._sources: list[str] = []
        self._totals = label(tone="strong")
        self._loading = label(self.tr("Servers are still connecting…"), tone="muted")
        self.bar = TokenBar(theme)
        self._legend = label(tone="small", wrap=True)
        self._problems = label(tone="warning", wrap=True)
        head = QWidget()
        top = column(head, margin=(20, 12, 16, 10), gap=6)
        line = row()
        line.addWidget(self._totals, 1)
        line.addWidget(self._loading)
        top.addLayout(line)
        for part in (self.bar, self._legend, self._problems):
            top.addWidget(part)
        self.tree = QTreeWidget()
        self.tree.setProperty("kind", "plain")
        self.tree.setAccessibleName(self.tr("Tools by source"))
        self.tree.setColumnCount(4)
        self.tree.setHeaderLabels([self.tr("Tool"), self.tr("Shown"), self.tr("Approval"), self.tr("Tokens")])
        self.tree.setUniformRowHeights(True)
        self.tree.setFrameShape(QFrame.Shape.NoFrame)
        self.tree.setIconSize(QSize(14, 14))
        header = self.tree.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.tree.currentItemChanged.connect(lambda item, _: self._on_item(item))
        self.detail = ToolDetail(theme)
        self.detail.accept_asked.connect(self.accept_asked)
        both = QSplitter(Qt.Orientation.Vertical)
        both.setHandleWidth(1)
        both.setChildrenCollapsible(False)
        both.addWidget(self.tree)
        both.addWidget(self.detail)
        both.setSizes([320, 220])
        full = QWidget()
        inside = column(full, gap=0)
        inside.addWidget(head)
        inside.addWidget(frame("line"))
        inside.addWidget(both, 1)
        self._empty = EmptyState(theme, "clock", "", "")
        self._pages = QStackedWidget()
        self._pages.addWidget(self._empty)
        self._pages.addWidget(full)
        column(self, gap=0).addWidget(self._pages)
        self.show_loading()

    def show_loading(self) -> None:
        self._empty.show_text("clock", self.tr("Loading…"), "")
        self._pages.setCurrentIndex(0)

    def show_problem(self, message: str) -> None:
        self._empty.show_text("alert", self.tr("The preview could not be made"), message, "danger")
        self._pages.setCurrentIndex(0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The names of the tools need the room more than who asks."""
        self.tree.setColumnHidden(2, self.width() < _WITH_APPROVAL)
        super().resizeEvent(event)

    def show_no_place(self) -> None:
        hint = self.tr("What a session gets depends on its workspace and its provider: choose both above.")
        self._empty.show_text("folder", self.tr("Choose a workspace"), hint)
        self._pages.setCurrentIndex(0)

    def show_preview(self, preview: ToolPreview) -> None:
        """Show it anew; what is open and chosen stays so."""
        by_source: dict[str, list[ToolRow]] = {"sayso": []}
        by_source |= {server.name: [] for server in preview.servers}
        for tool in preview.tools:
            by_source.setdefault(tool.source, []).append(tool)
        costs = {name: sum(t.tokens for t in tools if t.available) for name, tools in by_source.items()}
        self._sources = [name for name, cost in costs.items() if cost]
        self._totals.setText(
            self.tr("{0} tools at once, about {1} tokens").format(preview.totals.tools, preview.totals.tokens)
        )
        self._loading.setVisible(preview.loading)
        self.bar.show_parts([(name, costs[name]) for name in self._sources])
        self._legend.setText(" · ".join(f"{name} {costs[name]}" for name in self._sources))
        clashes = [
            self.tr("Several tools would be called {0}").format(clash.name) for clash in preview.collisions
        ]  # fmt: skip
        files = [str(problem.get("message") or "") for problem in preview.problems]
        self._problems.setText("\n".join([*clashes, *files]))
        self._problems.setVisible(bool(clashes or files))
        self._fill({server.name: server for server in preview.servers}, by_source, costs, preview.brought)
        self._pages.setCurrentIndex(1)

    def _fill(
        self,
        servers: dict[str, ServerState],
        by_source: dict[str, list[ToolRow]],
        costs: dict[str, int],
        brought: Sequence[FoundServer],
    ) -> None:
        tree = self.tree
        chosen = self._name_of(tree.currentItem())
        opened = {self._name_of(tree.topLevelItem(at)) for at in range(tree.topLevelItemCount())
                  if (item := tree.topLevelItem(at)) is not None and item.isExpanded()}  # fmt: skip
        first = tree.topLevelItemCount() == 0
        scroll = tree.verticalScrollBar().value()
        tree.blockSignals(True)
        tree.clear()
        again: QTreeWidgetItem | None = None
        muted = QColor(self._theme.scheme.muted)
        for name, tools in by_source.items():
            server = servers.get(name)
            title = "Sayso" if server is None else server.title or server.name
            state = "" if server is None else state_text(server.state)
            top = QTreeWidgetItem([f"{title}  ({len(tools)})", state, "", str(costs.get(name, 0) or "")])
            top.setData(0, _ROW, server)
            tree.addTopLevelItem(top)
            for tool in tools:
                shown = exposure_text(tool.exposure) if tool.available else self.tr("Not at all")
                entry = QTreeWidgetItem(
                    [tool.title or tool.name, shown, approval_text(tool.approval), str(tool.tokens)]
                )
                entry.setData(0, _ROW, tool)
                entry.setToolTip(0, tool_reason_text(tool.reason_code, tool.reason) or tool.shown_as)
                if tool.pin == "changed" or tool.hidden:
                    entry.setIcon(0, self._theme.icon("alert", "warning"))
                if not tool.available:
                    for at in range(4):
                        entry.setForeground(at, muted)
                top.addChild(entry)
                if self._name_of(entry) == chosen:
                    again = entry
            if self._name_of(top) == chosen:
                again = top
            top.setExpanded(self._name_of(top) in opened or (first and server is not None))
        for own in brought:
            top = QTreeWidgetItem([own.name, self.tr("Brought by the agent"), approval_text("agent"), ""])
            top.setData(0, _ROW, own)
            for at in range(4):
                top.setForeground(at, muted)
            tree.addTopLevelItem(top)
            if self._name_of(top) == chosen:
                again = top
        if first and tree.topLevelItemCount():
            again = tree.topLevelItem(min(1, tree.topLevelItemCount() - 1))
        if (shown := again or tree.topLevelItem(0)) is not None:
            tree.setCurrentItem(shown)
        tree.blockSignals(False)
        tree.verticalScrollBar().setValue(scroll)
        self._on_item(tree.currentItem())

    @staticmethod
    def _name_of(item: QTreeWidgetItem | None) -> str:
        found = None if item is None else item.data(0, _ROW)
        if isinstance(found, ToolRow):
            return f"{found.source}/{found.name}"
        if isinstance(found, FoundServer):
            return f"brought/{found.name}"
        return found.name if isinstance(found, ServerState) else "sayso"

    def _on_item(self, item: QTreeWidgetItem | None) -> None:
        found = None if item is None else item.data(0, _ROW)
        self.detail.setVisible(found is not None)
        if isinstance(found, ToolRow):
            self.detail.show_tool(found)
        elif isinstance(found, ServerState):
            self.detail.show_server(found)
        elif isinstance(found, FoundServer):
            self.detail.show_brought(found)

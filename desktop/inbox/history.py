"""What was decided: each request with who said so, where, when, what was heard, and what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QFrame, QHeaderView, QStackedWidget, QTreeWidget, QTreeWidgetItem

from actions.catalog.views import ApprovalView
from desktop.theme.theme import Theme
from desktop.widgets.basics import EmptyState, column

_ID = Qt.ItemDataRole.UserRole
_TONES = {"executed": "success", "failed": "danger", "outcome_unknown": "warning", "rejected": "danger"}


class HistoryPage(QFrame):
    """The newest first; a row opens to its fields and its provenance."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.tree = QTreeWidget()
        self.tree.setProperty("kind", "plain")
        self.tree.setFrameShape(QFrame.Shape.NoFrame)
        self.tree.setAccessibleName(self.tr("Decided requests"))
        self.tree.setHeaderLabels([self.tr("Request"), self.tr("Outcome"), self.tr("Decided by"), self.tr("When")])
        self.tree.setUniformRowHeights(True)
        header = self.tree.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self._empty = EmptyState(theme, "clock", self.tr("Loading…"), "")
        self._pages = QStackedWidget()
        self._pages.addWidget(self._empty)
        self._pages.addWidget(self.tree)
        column(self, gap=0).addWidget(self._pages)

    def show_problem(self, message: str) -> None:
        self._empty.show_text("alert", self.tr("The history could not be read"), message, "danger")
        self._pages.setCurrentIndex(0)

    def show_requests(self, requests: Sequence[ApprovalView]) -> None:
        """Those that are decided; what is open to look at stays open."""
        decided = [one for one in requests if one.status not in ("open", "deferred")]
        if not decided:
            self._empty.show_text("check", self.tr("Nothing was decided yet"), "")
            self._pages.setCurrentIndex(0)
            return
        opened = {item.data(0, _ID) for item in self._tops() if item.isExpanded()}
        self.tree.clear()
        for request in sorted(decided, key=lambda one: -one.updated):
            top = QTreeWidgetItem(
                [request.summary.split("\n")[0] or request.title, self.outcome(request.status), self.by(request),
                 self.when(request.updated)]
            )  # fmt: skip
            top.setData(0, _ID, request.id)
            top.setToolTip(0, request.summary)
            if (tone := _TONES.get(request.status)) is not None:
                top.setForeground(1, QColor(getattr(self._theme.scheme, tone)))
            for name, value in self._more(request):
                child = QTreeWidgetItem([f"{name}: {value}"])
                child.setToolTip(0, value)
                child.setFirstColumnSpanned(True)
                top.addChild(child)
            self.tree.addTopLevelItem(top)
            top.setExpanded(request.id in opened)
        self._pages.setCurrentIndex(1)

    def outcome(self, status: str) -> str:
        return {
            "approved": self.tr("approved"),
            "executing": self.tr("running"),
            "executed": self.tr("approved and done"),
            "failed": self.tr("approved, then failed"),
            "outcome_unknown": self.tr("approved, outcome unknown"),
            "rejected": self.tr("rejected"),
            "cancelled": self.tr("withdrawn"),
            "expired": self.tr("expired"),
            "stale": self.tr("out of date"),
        }.get(status, status)

    def by(self, request: ApprovalView) -> str:
        """Who decided, and where."""
        decision = request.decision or {}
        if decision.get("by") == "rule":
            return self.tr("a rule")
        return {
            "ui": self.tr("you, in the window"),
            "voice": self.tr("you, by voice"),
            "cli": self.tr("you, in a terminal"),
        }.get(str(decision.get("surface") or ""), "–")

    @staticmethod
    def when(at: int) -> str:
        """Local time."""
        return datetime.fromtimestamp(at / 1000, UTC).astimezone().strftime("%Y-%m-%d %H:%M")

    def _more(self, request: ApprovalView) -> list[tuple[str, str]]:
        decision, execution = request.decision or {}, request.execution or {}
        heard: dict[str, Any] = decision.get("heard") or {}
        rows = [(self.tr("Asked by"), request.asked_by), *((field.title, str(field.value)) for field in request.fields)]
        if heard.get("text"):
            sure = heard.get("confidence")
            share = "" if sure is None else f" ({round(float(sure) * 100)} %)"
            rows.append((self.tr("Heard"), f"“{heard['text']}”{share}"))
        rows += [
            (self.tr("Rule"), str(decision.get("rule_id") or "")),
            (self.tr("Said with it"), str(decision.get("feedback") or "")),
            (self.tr("Failed with"), str((execution.get("error") or {}).get("message") or "")),
        ]
        return [(name, value) for name, value in rows if value]

    def _tops(self) -> list[QTreeWidgetItem]:
        found = [self.tree.topLevelItem(at) for at in range(self.tree.topLevelItemCount())]
        return [item for item in found if item is not None]

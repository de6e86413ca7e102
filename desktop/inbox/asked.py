"""What an agent put before the user in full: a plan to read, or a form to fill in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QUrl, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame

from actions.catalog.questions import main_fields
from actions.catalog.views import InboxRow
from desktop.forms.draft import Draft
from desktop.forms.editors import MultiSelectEditor
from desktop.forms.form import FormView
from desktop.inbox.choices import form, form_answers, picked, plan
from desktop.theme.theme import Theme
from desktop.transcript.markdown import MarkdownBody
from desktop.widgets.basics import column


class AskedBody(QFrame):
    """Shows the plan or the form of a request; a question with a few answers needs neither."""

    link_asked = Signal(QUrl)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._plan_text = ""
        self._plan = MarkdownBody(theme)
        self._plan.setAccessibleName(self.tr("The plan"))
        self._plan.link_asked.connect(self.link_asked)
        self.form = FormView(theme, whole=True)
        self.form.resized.connect(self._fit)
        inside = column(self, gap=0)
        inside.addWidget(self._plan)
        inside.addWidget(self.form)

    def show_row(self, request: InboxRow) -> None:
        """Show another request, its form empty but for what it fills in itself."""
        self._plan_text = plan(request)
        self._plan.setVisible(bool(self._plan_text))
        self._draw_plan()
        fields = [] if picked(request) is not None else form(request)
        self.form.setVisible(bool(fields))
        self.form.show_draft(Draft(fields))
        self._fit()
        self.setVisible(bool(self._plan_text or fields))

    def answers(self) -> list[dict[str, Any]] | None:
        """What was entered; None when something is missing, which is marked then and has the focus."""
        draft = self.form.draft
        return form_answers(draft.fields, draft.input()) if self.form.check() else None

    def take_errors(self, errors: Sequence[Mapping[str, str]]) -> list[str]:
        """Show what the host found wrong beside its fields; gives the messages that belong to none."""
        others = self.form.take_errors(errors)
        if (bad := self.form.draft.first_error()) is not None:
            self.form.focus_field(bad)
        return others

    def flip(self, number: int) -> bool:
        """Tick or clear choice ``number`` (from 0) of the only question; False where there is none."""
        asked = main_fields(self.form.draft.fields)
        editor = self.form.editor(asked[0].path) if len(asked) == 1 else None
        return isinstance(editor, MultiSelectEditor) and editor.flip(number)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._draw_plan()

    def _draw_plan(self) -> None:
        if self._plan_text:
            self._plan.show_markdown(self._plan_text, max(self.width(), 120))

    def _fit(self) -> None:
        self.form.setFixedHeight(self.form.content_height() if self.form.draft.fields else 0)

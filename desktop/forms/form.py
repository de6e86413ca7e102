"""A form over a draft: a title, an editor and an error a field, in the order of the action's input."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QScrollArea, QWidget

from actions.catalog.form import FormField
from actions.catalog.options import Option
from desktop.forms.draft import Draft
from desktop.forms.editors import Editor, ToggleEditor
from desktop.forms.pick import editor_for
from desktop.forms.schema_editor import SchemaEditor
from desktop.forms.schema_words import refusal_words
from desktop.forms.tab_order import order_tabs
from desktop.theme.theme import Theme
from desktop.widgets.basics import button, column, label, restyle, row


class FieldBox(QWidget):
    """One field: title with its mark, editor, and either its description or its error."""

    def __init__(self, editor: Editor) -> None:
        super().__init__()
        self.editor = editor
        field = editor.field
        self._title = label(field.title, tone="strong")
        self._mark = label(tone="small")
        self._note = label(field.description, tone="small", wrap=True)
        top = row(gap=8)
        top.addWidget(self._title)
        top.addStretch()
        top.addWidget(self._mark)
        inside = column(self, gap=4)
        inside.addLayout(top)
        inside.addWidget(editor)
        inside.addWidget(self._note)
        self._inside = inside
        self._title.setBuddy(editor.control)
        self._title.setVisible(not isinstance(editor, ToggleEditor))
        self._error = label(tone="danger", wrap=True)
        inside.addWidget(self._error)

    def use(self, editor: Editor) -> None:
        """Fill in the same field with another editor."""
        old, self.editor = self.editor, editor
        self._inside.replaceWidget(old, editor)
        old.hide()
        old.deleteLater()
        if self.isVisible():
            editor.show()

    def show_state(self, *, required: bool, disabled: bool, error: str | None, note: str | None) -> None:
        field = self.editor.field
        toggle = isinstance(self.editor, ToggleEditor)
        self._mark.setText("" if toggle else self.tr("required") if required else self.tr("optional"))
        self._mark.setVisible(not toggle)
        self._error.setText(error or "")
        self._error.setVisible(bool(error))
        self._note.setText(note or field.description)
        self._note.setVisible(bool(self._note.text()) and not error)
        restyle(self._note, tone="warning" if note else "small")
        self.editor.setEnabled(not disabled)
        self.editor.show_bad(bool(error))
        name = self.tr("{0}, required").format(field.title) if required else field.title
        self.editor.describe(name, error or note or field.description or field.ask)


class FormView(QScrollArea):
    """Shows a :class:`Draft` and writes into it. Options of a source are asked for with ``options_wanted`` and given
    back with :meth:`show_options`; the form itself asks nobody. A ``whole`` one shows every field at once."""

    changed = Signal()
    resized = Signal()
    options_wanted = Signal(str)

    def __init__(self, theme: Theme, *, whole: bool = False) -> None:
        super().__init__()
        self._theme = theme
        self._whole = whole
        self._boxes: dict[str, FieldBox] = {}
        self._offered: dict[str, dict[str, dict[str, Any] | None]] = {}
        self._main: list[str] = []
        self._all = True
        self._more: QPushButton | None = None
        self._canvas = QWidget()
        self._height = 0
        self._settled = QTimer(self, singleShot=True, interval=0)
        self._settled.timeout.connect(lambda: order_tabs(self))
        self.draft = Draft([])
        self.setProperty("kind", "plain")
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._rebuild()

    def show_draft(self, draft: Draft) -> None:
        """Build the form anew; asks for the options of every field that has a source."""
        self.draft = draft
        self._rebuild()
        for field in draft.fields:
            self._want_options(field)

    def show_options(self, path: str, options: Sequence[Option]) -> None:
        """The choices for a field have come."""
        box = self._boxes.get(path)
        if box is not None:
            self.draft.notes.pop(path, None)
            box.editor.show_options(options)
            box.editor.show_value(self.draft.value(path))
            self._offered[path] = {str(option.value): option.json_schema for option in options}
            self._follow(path)
            self.refresh()

    def show_problem(self, path: str, message: str) -> None:
        """The choices for a field could not be had; the message says why. What the user types may still be right."""
        self.draft.notes[path] = message
        self.refresh()

    def check(self) -> bool:
        """Mark what is missing and move the focus to the first bad field."""
        self.draft.check(self.tr("This is needed."))
        for path, box in self._boxes.items():
            if isinstance(box.editor, SchemaEditor) and self.draft.states()[path].visible:
                self.draft.mark(path, box.editor.complete())
        bad = self.draft.first_error()
        self.refresh()
        if bad is not None:
            self.focus_field(bad)
        return bad is None

    def take_errors(self, errors: Sequence[Mapping[str, str]]) -> list[str]:
        """The action refused the input: each message beside its field or the part of it; gives those that belong to
        none."""
        worded = [{"field": error.get("field", ""), "message": refusal_words(error)} for error in errors]
        others = self.draft.take_errors(worded)
        for error in worded:
            first, _, rest = str(error.get("field", "")).partition(".")
            box = self._boxes.get(first)
            if rest and box is not None and isinstance(box.editor, SchemaEditor):
                steps = tuple(int(part) if part.isdigit() else part for part in rest.split("."))
                box.editor.show_problem(steps, str(error.get("message", "")))
        self.refresh()
        return others

    def focus_field(self, path: str) -> None:
        box = self._boxes.get(path)
        if box is not None:
            box.editor.take_focus()
            self.ensureWidgetVisible(box)
            focused = self.window().focusWidget()
            if focused is not None and box.isAncestorOf(focused):  # a part of a big field, perhaps far down in it
                self.ensureWidgetVisible(focused)

    def focus_first(self) -> None:
        states = self.draft.states()
        for path in self._boxes:
            if states[path].visible and not states[path].disabled:
                self.focus_field(path)
                return

    def editor(self, path: str) -> Editor:
        return self._boxes[path].editor

    def content_height(self) -> int:
        """The height at which nothing has to scroll."""
        return self._canvas.sizeHint().height() + 4

    def refresh(self) -> None:
        """Show what the draft says: which fields count, and which are wrong."""
        states = self.draft.states()
        if self._more is not None:
            self._more.setText(self.tr("Fewer options") if self._all else self.tr("More options"))
            self._more.setIcon(self._theme.icon("chevron-down" if self._all else "chevron-right"))
        for path, box in self._boxes.items():
            state = states[path]
            box.setVisible(state.visible and (self._all or path in self._main or path in self.draft.errors))
            box.show_state(
                required=state.required,
                disabled=state.disabled,
                error=self.draft.errors.get(path),
                note=self.draft.notes.get(path),
            )

    def _more_row(self) -> QHBoxLayout:
        self._more = more = button("", kind="quiet")
        more.clicked.connect(self._on_more)
        line = row()
        line.addWidget(more)
        line.addStretch()
        return line

    def _rebuild(self) -> None:
        self._more = None
        canvas = QWidget()
        canvas.setProperty("kind", "canvas")
        inside = column(canvas, margin=(2, 2, 8, 2), gap=14)
        self._boxes, self._offered = {}, {}
        self._main = [f.path for f in self.draft.fields] if self._whole else self.draft.main_paths()
        self._all = len(self._main) == len(self.draft.fields)
        rest = [field.path for field in self.draft.fields if field.path not in self._main]
        for path in [*self._main, *rest]:
            field = self.draft.field(path)
            self._boxes[field.path] = FieldBox(self._made(field))
            if rest and path == rest[0]:
                inside.addLayout(self._more_row())
            inside.addWidget(self._boxes[field.path])
        inside.addStretch()
        old = self.takeWidget()
        if old is not None:
            old.deleteLater()
        self._canvas = canvas
        canvas.installEventFilter(self)
        self.setWidget(canvas)
        self.refresh()

    def _made(self, field: FormField) -> Editor:
        editor = editor_for(field, self._theme)
        editor.show_value(self.draft.value(field.path))
        editor.changed.connect(lambda value, path=field.path: self._on_changed(path, value))
        editor.refused.connect(lambda message, path=field.path: self._on_refused(path, message))
        return editor

    def _follow(self, path: str) -> None:
        """Draw the fields that hold what the chosen option of ``path`` takes."""
        schema = self._offered.get(path, {}).get(str(self.draft.value(path)))
        for field in self.draft.fields:
            box = self._boxes.get(field.path)
            if field.schema_from == path and box is not None and box.editor.field.json_schema != schema:
                self.draft.errors.pop(field.path, None)
                box.use(self._made(field.model_copy(update={"json_schema": schema})))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # Options that arrive, errors and "more options" change the height, some time after they were asked for.
        if watched is self._canvas and event.type() == QEvent.Type.LayoutRequest:
            self._settled.start()
            height = self.content_height()
            if height != self._height:
                self._height = height
                self.resized.emit()
        return super().eventFilter(watched, event)

    def _on_changed(self, path: str, value: object) -> None:
        self.draft.set(path, value)
        self._follow(path)
        self.refresh()
        for field in self.draft.dependents(path):
            self._want_options(field)
        self.changed.emit()

    def _on_refused(self, path: str, message: str) -> None:
        self.draft.errors[path] = message
        self.refresh()

    def _want_options(self, field: FormField) -> None:
        if not field.source:
            return
        if self.draft.lacks_for_options(field):
            self._boxes[field.path].editor.show_options([])
        else:
            self.options_wanted.emit(field.path)

    def _on_more(self) -> None:
        self._all = not self._all
        self.refresh()

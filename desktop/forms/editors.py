"""One editor a kind of field. An editor shows a value, reports changes, and shows whether it is wrong."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QFileDialog,
    QLineEdit,
    QListView,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from actions.catalog.form import FormField, FormOption
from actions.catalog.hints import Widget
from actions.catalog.options import Option
from desktop.forms.draft import parse_json, parse_number
from desktop.forms.options_model import OptionsModel
from desktop.theme.theme import Theme
from desktop.widgets.basics import restyle, row
from desktop.widgets.select import Select

_VALUE = Qt.ItemDataRole.UserRole


class Editor(QWidget):
    """The input of one field. ``changed`` carries the new value; ``refused`` a text that is no value at all."""

    changed = Signal(object)
    refused = Signal(str)

    def __init__(self, field: FormField, control: QWidget) -> None:
        super().__init__()
        self.field = field
        self.control = control
        self.inside = QVBoxLayout(self)
        self.inside.setContentsMargins(0, 0, 0, 0)
        self.inside.addWidget(control)
        self.setFocusProxy(control)

    def show_value(self, value: Any) -> None:
        raise NotImplementedError

    def show_options(self, options: Sequence[Option]) -> None:
        """New choices; a value that is no longer among them stays visible and is marked."""

    def describe(self, name: str, description: str) -> None:
        self.control.setAccessibleName(name)
        self.control.setAccessibleDescription(description)

    def take_focus(self) -> None:
        self.control.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_bad(self, bad: bool) -> None:
        restyle(self.control, bad="true" if bad else "false")


class FolderButton(QPushButton):
    """Stands beside an editor's control and enters a folder that is chosen in a dialog, which starts ``here``."""

    def __init__(self, editor: Editor, here: Callable[[], str]) -> None:
        super().__init__(editor)
        self._editor = editor
        self._here = here
        self.setText(self.tr("Choose…"))
        self.setAccessibleName(self.tr("Choose a folder for {0}").format(editor.field.title))
        self.clicked.connect(self._ask)
        inside = row()
        editor.inside.removeWidget(editor.control)
        inside.addWidget(editor.control, 1)
        inside.addWidget(self)
        editor.inside.addLayout(inside)

    def _ask(self) -> None:
        dialog = QFileDialog(self, self._editor.field.title, self._here())
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self.choose)
        dialog.open()

    def choose(self, path: str) -> None:
        """Enter ``path``."""
        self._editor.show_value(path)
        self._editor.changed.emit(path)


class LineEditor(Editor):
    """Text on one line, a secret, or a number."""

    def __init__(self, field: FormField) -> None:
        self._line = QLineEdit()
        super().__init__(field, self._line)
        self._line.setPlaceholderText(field.placeholder)
        if field.widget is Widget.SECRET:
            self._line.setEchoMode(QLineEdit.EchoMode.Password)
        self._line.textEdited.connect(self._edited)

    def show_value(self, value: Any) -> None:
        text = "" if value is None else str(value)
        if text != self._line.text():
            self._line.setText(text)

    def _edited(self, text: str) -> None:
        if self.field.type in ("integer", "number") and text:
            try:
                self.changed.emit(parse_number(text, self.field.type))
            except ValueError:
                self.refused.emit(self.tr("Enter a number."))
            return
        self.changed.emit(text)


class PathEditor(LineEditor):
    """A folder or file, typed or chosen."""

    def __init__(self, field: FormField) -> None:
        super().__init__(field)
        FolderButton(self, self._line.text)


class AreaEditor(Editor):
    """Text of several lines, one entry a line, or JSON."""

    def __init__(self, field: FormField) -> None:
        self._area = QPlainTextEdit()
        super().__init__(field, self._area)
        self._area.setProperty("kind", "field")
        self._area.setPlaceholderText(field.placeholder)
        self._area.setTabChangesFocus(True)
        lines = 3 if field.widget is Widget.TEXT_LIST else 4
        self._area.setFixedHeight(self._area.fontMetrics().lineSpacing() * lines + 20)
        self._area.textChanged.connect(self._edited)
        self._showing = False

    def show_value(self, value: Any) -> None:
        text = self._text(value)
        if self._value_of(self._area.toPlainText()) != value:
            self._showing = True
            self._area.setPlainText(text)
            self._showing = False

    def _text(self, value: Any) -> str:
        if value is None:
            return ""
        if self.field.widget is Widget.TEXT_LIST:
            return "\n".join(str(part) for part in value)
        return value if isinstance(value, str) else json.dumps(value, indent=2, ensure_ascii=False)

    def _value_of(self, text: str) -> Any:
        if self.field.widget is Widget.TEXT_LIST:
            parts = text.split(",") if self.field.separator == "," else text.splitlines()
            return [part.strip() for part in parts if part.strip()]
        if self.field.widget is Widget.TEXTAREA:
            return text
        try:
            return parse_json(text) if text.strip() else None
        except ValueError:
            return None

    def _edited(self) -> None:
        if self._showing:
            return
        text = self._area.toPlainText()
        if self.field.widget not in (Widget.TEXT_LIST, Widget.TEXTAREA) and text.strip():
            try:
                self.changed.emit(parse_json(text))
            except ValueError as error:
                self.refused.emit(self.tr("This is not JSON: {0}").format(error))
            return
        self.changed.emit(self._value_of(text))


class SelectEditor(Editor):
    """One of several options."""

    def __init__(self, field: FormField, theme: Theme) -> None:
        self._box = Select(theme)
        super().__init__(field, self._box)
        self._options = OptionsModel(self)
        self._box.setModel(self._options)
        # As wide as its field: Qt would else measure each of the options to find the widest.
        self._box.setSizeAdjustPolicy(Select.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        listed = self._box.view()
        if isinstance(listed, QListView):
            listed.setUniformItemSizes(True)
        self._box.activated.connect(self._picked)
        self._value: Any = None
        self.show_options([_from_form(option) for option in field.options])

    def show_options(self, options: Sequence[Option]) -> None:
        opened = self._box.view().isVisible()
        if opened:
            self._box.hidePopup()  # an open list does not grow with what comes in
        empty = self.field.placeholder or (self.tr("Choose…") if self.field.required else self.tr("Not set"))
        self._options.show_options([Option(value=None, label=empty), *options])
        self.show_value(self._value)
        if opened:
            self._box.showPopup()

    def show_value(self, value: Any) -> None:
        self._value = value
        at = self._options.position(value)
        if at < 0:
            self._options.add(Option(value=value, label=self.not_offered(value)))
            at = self._options.rowCount() - 1
        self._box.setCurrentIndex(at)

    def not_offered(self, value: Any) -> str:
        """How a value is shown that is none of the options."""
        return self.tr("{0} (not offered now)").format(value)

    def _picked(self, at: int) -> None:
        self._value = self._options.value(at)
        self.changed.emit(self._value)


class WorkspaceEditor(SelectEditor):
    """One of the known workspaces, or any other folder: where there is none yet, a new user must not be stuck."""

    def __init__(self, field: FormField, theme: Theme) -> None:
        super().__init__(field, theme)
        FolderButton(self, lambda: str(self._value or ""))

    def not_offered(self, value: Any) -> str:
        return str(value)


class MultiSelectEditor(Editor):
    """Any number of options; too many keeps the last ones."""

    def __init__(self, field: FormField) -> None:
        self._list = QListWidget()
        super().__init__(field, self._list)
        self._list.setProperty("kind", "field")
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self._list.itemChanged.connect(self._ticked)
        self._list.itemActivated.connect(self._flip)
        self._value: list[Any] = []
        self._showing = False
        self.show_options([_from_form(option) for option in field.options])

    def show_options(self, options: Sequence[Option]) -> None:
        known = {str(option.value) for option in options}
        kept = [Option(value=value, label=str(value)) for value in self._value if str(value) not in known]
        self._showing = True
        self._list.clear()
        for option in [*options, *kept]:
            item = QListWidgetItem(option.label)
            item.setData(_VALUE, option.value)
            item.setFlags(Qt.ItemFlag.ItemIsUserCheckable | Qt.ItemFlag.ItemIsSelectable)
            if not option.disabled:
                item.setFlags(item.flags() | Qt.ItemFlag.ItemIsEnabled)
            item.setCheckState(Qt.CheckState.Unchecked)
            item.setToolTip(option.reason or option.description or "")
            if option.disabled and option.reason:
                item.setText(f"{option.label} · {option.reason}")
            self._list.addItem(item)
        self._list.setCurrentRow(0)  # so that the space bar ticks at once
        rows = min(max(self._list.count(), 1), 6)
        self._list.setFixedHeight(rows * max(self._list.sizeHintForRow(0), 24) + 16)
        self._showing = False
        self.show_value(self._value)

    def show_value(self, value: Any) -> None:
        self._value = list(value or ())
        self._showing = True
        for at in range(self._list.count()):
            item = self._list.item(at)
            ticked = item.data(_VALUE) in self._value
            item.setCheckState(Qt.CheckState.Checked if ticked else Qt.CheckState.Unchecked)
        self._showing = False

    def flip(self, number: int) -> bool:
        """Tick or clear option ``number`` (from 0); False where there is none."""
        found = 0 <= number < self._list.count()
        if found:
            self._flip(self._list.item(number))
        return found

    def _flip(self, item: QListWidgetItem) -> None:
        ticked = item.checkState() == Qt.CheckState.Checked
        item.setCheckState(Qt.CheckState.Unchecked if ticked else Qt.CheckState.Checked)

    def _ticked(self, item: QListWidgetItem) -> None:
        if self._showing:
            return
        value = item.data(_VALUE)
        self._value = [old for old in self._value if old != value]
        if item.checkState() == Qt.CheckState.Checked:
            self._value.append(value)
        if self.field.max_selections is not None:
            self._value = self._value[-self.field.max_selections :]
            self.show_value(self._value)
        self.changed.emit(list(self._value))


class ToggleEditor(Editor):
    """On or off."""

    def __init__(self, field: FormField) -> None:
        self._box = QCheckBox(field.title)
        super().__init__(field, self._box)
        self._box.toggled.connect(lambda on: self.changed.emit(on))

    def show_value(self, value: Any) -> None:
        self._box.blockSignals(True)
        self._box.setChecked(bool(value))
        self._box.blockSignals(False)


def _from_form(option: FormOption) -> Option:
    return Option(value=option.value, label=option.label, description=option.description)

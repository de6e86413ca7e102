"""One named value in a form from a JSON Schema: its title, its editor, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QToolButton, QWidget

from actions.catalog.json_schema import Problem
from desktop.forms.schema import ABSENT, Node
from desktop.forms.schema_leaves import JsonEditor, NodeEditor
from desktop.forms.schema_words import hints_of, problem_words
from desktop.widgets.basics import button, column, label, row

MakeEditor = Callable[[Node, bool, int], NodeEditor]
"""The editor of a node: whether it is required, and how deep it stands."""

_EAGER = 4
"""How deep required groups are drawn at once; a schema that contains itself would never come to an end."""


class Entry(QWidget):
    """A value that must be there, or may: one of several controls is added when it is wanted, and taken away again.

    A value that its editor cannot show without loss is edited as JSON instead.
    """

    changed = Signal()
    focus_wanted = Signal()

    def __init__(
        self,
        node: Node,
        make: MakeEditor,
        *,
        title: str,
        required: bool,
        depth: int = 0,
        bare: bool = False,
        marked: bool = True,
    ) -> None:
        """``bare``: no title and no description are shown here. ``marked``: whether it says that it is required."""
        super().__init__()
        self.node = node
        self.title = title
        self.required = required
        self.editor: NodeEditor | None = None
        self._make = make
        self._depth = depth
        self._bare = bare
        self._outer = ""
        self._title = label(title, tone="strong", wrap=True)
        self._title.setVisible(not bare and bool(title))
        self._mark = label(tone="small")
        self._mark.setText(self.tr("required") if required else self.tr("optional"))
        self._mark.setVisible(marked and not bare and bool(title))
        self._tools = row(gap=2)
        self._line = row(gap=4)
        self._add = self._button(self.tr("Add"), self.tr("Add {0}").format(title), self._on_add)
        self._remove = self._button(self.tr("Remove"), self.tr("Remove {0}").format(title), self._on_remove)
        top = row(gap=8)
        top.addWidget(self._title, 1)
        if bare or not title:
            top.addStretch(1)
        for widget in (self._mark, self._add, self._remove):
            top.addWidget(widget)
        if not bare:
            top.addLayout(self._tools)
        self._about = label(self._description(), tone="small", wrap=True)
        self._error = label(tone="danger", wrap=True)
        self._error.hide()
        self._inside = column(self, gap=4)
        self._inside.addLayout(top)
        self._inside.addLayout(self._line)
        if bare:
            self._line.addLayout(self._tools)
        self._inside.addWidget(self._about)
        self._inside.addWidget(self._error)
        if node.kind.small or node.default is not ABSENT or (required and depth < _EAGER):
            self._open()
            if node.default is not ABSENT:
                self._put(node.default)
        self._show_tools()

    def value(self) -> Any:
        return ABSENT if self.editor is None else self.editor.value()

    def show_value(self, value: Any) -> None:
        """Show a value; ABSENT takes away what may be left out."""
        if value is None and self.node.null_is_absent:
            value = ABSENT
        if value is ABSENT and not self.node.kind.small and not (self.required and self._depth < _EAGER):
            self._close()
        else:
            if self.editor is None:
                self._open()
            self._put(value)
        self.take([])
        self._show_tools()

    def refusals(self) -> list[str]:
        """What is wrong with inputs that are no values, anywhere inside."""
        if self.editor is None:
            return []
        inner = [text for entry in self.editor.findChildren(Entry) for text in entry.own_refusal()]
        return [*self.own_refusal(), *inner]

    def own_refusal(self) -> list[str]:
        refused = "" if self.editor is None else self.editor.refused()
        return [refused] if refused else []

    def take(self, problems: Sequence[Problem]) -> None:
        """Show what is wrong with the value, the deepest first; all of it is shown here where nothing else takes it."""
        left = list(problems) if self.editor is None else self.editor.take(problems)
        refused = self.own_refusal()
        if refused:
            left = []
        lines = [*refused, *(problem_words(problem) for problem in left if not problem.path)]
        lines += [f"{'.'.join(map(str, problem.path))}: {problem_words(problem)}" for problem in left if problem.path]
        text = "\n".join(dict.fromkeys(lines))
        self._error.setText(text)
        self._error.setVisible(bool(text))
        self._about.setVisible(bool(self._about.text()) and not text)
        if self.editor is not None:
            self.editor.describe(self._called(), text or self.node.description)

    def name(self, outer: str) -> None:
        """What a screen reader calls it: with the titles of what it stands in."""
        self._outer = outer
        if self.editor is not None:
            self.editor.describe(self._called(), self._error.text() or self.node.description)

    def add_tool(self, tool: QToolButton, act: Callable[[], None]) -> None:
        """A button beside the value, or beside its title."""
        tool.clicked.connect(lambda: act())
        self._tools.addWidget(tool)

    def retitle(self, title: str) -> None:
        """It stands at another place."""
        self.title = title
        self._title.setText(title)
        self.name(self._outer)

    def take_focus(self, *, bad: bool = False) -> bool:
        if bad and self._error.isHidden() and (self.editor is None or not self.editor.take_focus(bad=True)):
            return False
        if bad and self._error.isHidden():
            return True
        if self.editor is None:
            self._add.setFocus(Qt.FocusReason.OtherFocusReason)
            return True
        return self.editor.take_focus(bad=bad) or self.editor.take_focus()

    def _called(self) -> str:
        name = ", ".join(part for part in (self._outer, self.title) if part)
        return self.tr("{0}, required").format(name) if self.required and not self._bare and self.title else name

    def _description(self) -> str:
        return " ".join(part for part in ("" if self._bare else self.node.description, hints_of(self.node)) if part)

    def _button(self, text: str, name: str, act: Callable[[], None]) -> QPushButton:
        made = button(text, kind="inline", name=name)
        made.clicked.connect(lambda: act())
        return made

    def _open(self) -> None:
        self._use(self._make(self.node, self.required, self._depth))

    def _put(self, value: Any) -> None:
        if self.editor is not None and not self.editor.show_value(value):
            self._use(JsonEditor(self.node))
            self.editor.show_value(value)

    def _use(self, editor: NodeEditor) -> None:
        self._close()
        self.editor = editor
        editor.changed.connect(self.changed)
        editor.setEnabled(not self.node.read_only)
        self._line.insertWidget(0, editor, 1)
        if self.isVisible():
            editor.show()  # a layout shows it later, and only what is shown can take the focus
        self.name(self._outer)

    def _close(self) -> None:
        if self.editor is not None:
            self.editor.hide()
            self.editor.setParent(None)
            self.editor.deleteLater()
            self.editor = None

    def _show_tools(self) -> None:
        self._add.setVisible(self.editor is None)
        self._remove.setVisible(self.editor is not None and not self.node.kind.small and not self.required)

    def _on_add(self) -> None:
        self._open()
        self._show_tools()
        self.take_focus()
        self.changed.emit()

    def _on_remove(self) -> None:
        self._close()
        self._show_tools()
        self._add.setFocus(Qt.FocusReason.OtherFocusReason)
        self.changed.emit()

"""Which editor a field gets; what no editor fits is edited as JSON, never dropped."""

from __future__ import annotations

from collections.abc import Callable

from actions.catalog.form import FormField
from actions.catalog.hints import Widget
from desktop.forms.editors import (
    AreaEditor,
    Editor,
    LineEditor,
    MultiSelectEditor,
    PathEditor,
    SelectEditor,
    ToggleEditor,
    WorkspaceEditor,
)
from desktop.forms.schema_editor import SchemaEditor
from desktop.theme.theme import Theme

_WORKSPACES = "workspaces.recent"

_EDITORS: dict[Widget, Callable[[FormField], Editor]] = {
    Widget.TEXT: LineEditor,
    Widget.NUMBER: LineEditor,
    Widget.SECRET: LineEditor,
    Widget.PATH: PathEditor,
    Widget.TEXTAREA: AreaEditor,
    Widget.TEXT_LIST: AreaEditor,
    Widget.JSON: AreaEditor,
    Widget.MULTISELECT: MultiSelectEditor,
    Widget.TOGGLE: ToggleEditor,
}


def editor_for(field: FormField, theme: Theme) -> Editor:
    """The editor of a field."""
    if field.widget is Widget.SELECT:
        return (WorkspaceEditor if field.source == _WORKSPACES else SelectEditor)(field, theme)
    if field.widget is Widget.JSON and field.json_schema is not None:
        return SchemaEditor(field, field.json_schema, theme)
    return _EDITORS.get(field.widget, AreaEditor)(field)

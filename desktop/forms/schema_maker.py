"""The editor of each kind of value that a JSON Schema describes."""

from __future__ import annotations

from desktop.forms.schema import Choice, Kind, Node, Schema
from desktop.forms.schema_group import GroupEditor
from desktop.forms.schema_leaves import ChoiceEditor, ChoicesEditor, JsonEditor, NodeEditor, NothingEditor, NumberEditor
from desktop.forms.schema_list import ListEditor
from desktop.forms.schema_text import TextEditor
from desktop.forms.schema_variants import VariantsEditor
from desktop.forms.schema_words import translate
from desktop.theme.theme import Theme


class Maker:
    """Makes the editor of each node of one schema."""

    def __init__(self, schema: Schema, theme: Theme) -> None:
        self.schema = schema
        self.theme = theme

    def __call__(self, node: Node, required: bool, depth: int) -> NodeEditor:
        match node.kind:
            case Kind.TEXT:
                return TextEditor(node)
            case Kind.INTEGER | Kind.NUMBER:
                return NumberEditor(node)
            case Kind.BOOLEAN:
                yes, no = translate("SchemaWords", "Yes"), translate("SchemaWords", "No")
                return ChoiceEditor(node, self.theme, [Choice(True, yes), Choice(False, no)], required=required)
            case Kind.CHOICE:
                return ChoiceEditor(node, self.theme, node.choices, required=required)
            case Kind.CHOICES:
                return ChoicesEditor(node, required=required)
            case Kind.GROUP:
                return GroupEditor(node, self, depth)
            case Kind.LIST:
                return ListEditor(node, self, depth, required=required)
            case Kind.VARIANTS:
                return VariantsEditor(node, self, depth, required=required)
            case Kind.NOTHING:
                return NothingEditor(node)
            case Kind.ANY:
                return JsonEditor(node)

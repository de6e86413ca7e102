"""Hints: how a field of an action's input is asked for, on every surface. A hint never decides validity."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any

from actions.catalog.predicates import Predicate
from actions.catalog.text import Text


class Widget(StrEnum):
    TEXT = "text"
    TEXTAREA = "textarea"
    TEXT_LIST = "text_list"
    NUMBER = "number"
    SELECT = "select"
    MULTISELECT = "multiselect"
    TOGGLE = "toggle"
    JSON = "json"
    PATH = "path"
    SECRET = "secret"


@dataclass(frozen=True, slots=True)
class FixedOption:
    """One of a fixed list of choices."""

    value: Any
    label: Text
    description: Text = Text("")
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Hint:
    """How one field is asked for.

    ``options`` is the id of an option source or a fixed list. ``ask`` is the spoken and written question for a missing
    value. ``explicit`` values are never filled, guessed or picked when only one exists. ``flag`` is the option's
    name on the command line where it differs from the field's. ``separator`` belongs to text lists. ``schema_from``
    names the field whose chosen option says what this one may hold.
    """

    widget: Widget | None = None
    options: str | tuple[FixedOption, ...] | None = None
    ask: Text | str = ""
    title: Text | str = ""
    description: Text | str = ""
    placeholder: Text | str = ""
    explicit: bool = False
    max_selections: int | None = None
    separator: str | None = None
    schema_from: str | None = None
    visible_when: Predicate | None = None
    required_when: Predicate | None = None
    disabled_when: Predicate | None = None
    flag: str | None = None


class RefKind(StrEnum):
    SESSION = "session"
    RUN = "run"
    APPROVAL = "approval"
    WORKSPACE = "workspace"


@dataclass(frozen=True, slots=True)
class Ref:
    """The field names a thing by id, by an unambiguous prefix of it or by title; the door resolves it.

    ``own`` says what a missing session means: ``None`` nothing, ``"preferred"`` the caller's own where it has one,
    ``"required"`` the caller's own, else ``session_not_selected``.
    """

    kind: RefKind
    own: str | None = None


_SESSION = Hint(
    widget=Widget.SELECT,
    options="sessions.open",
    ask=Text("Which session?", "哪个会话?"),
    title=Text("Session", "会话"),
)

SessionRef = Annotated[str, Ref(RefKind.SESSION), _SESSION]
"""A session by id, unambiguous id prefix or title."""

OwnSession = Annotated[str | None, Ref(RefKind.SESSION, own="required"), _SESSION]
"""A session; left out, it is the caller's own, else ``session_not_selected``."""

AnySession = Annotated[str | None, Ref(RefKind.SESSION, own="preferred"), _SESSION]
"""A session; left out, it is the caller's own where there is one."""

SessionFilter = Annotated[str | None, Ref(RefKind.SESSION), _SESSION]
"""A session to narrow a list down to; left out, nothing is narrowed."""

RunRef = Annotated[
    str,
    Ref(RefKind.RUN),
    Hint(widget=Widget.SELECT, options="runs.active", ask=Text("Which run?", "哪个运行?"), title=Text("Run", "运行")),
]

ApprovalRef = Annotated[
    str,
    Ref(RefKind.APPROVAL),
    Hint(
        widget=Widget.SELECT,
        options="approvals.open",
        ask=Text("Which request?", "哪个请求?"),
        title=Text("Request", "请求"),
    ),
]

WorkspaceRef = Annotated[
    str,
    Ref(RefKind.WORKSPACE),
    Hint(
        widget=Widget.SELECT,
        options="workspaces.recent",
        ask=Text("In which workspace?", "在哪个工作区?"),
        title=Text("Workspace", "工作区"),
    ),
]
"""A workspace by id, name or directory."""

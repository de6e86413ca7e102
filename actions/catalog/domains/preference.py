"""The settings of the app: what holds, and how a person changes it."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StrictBool, StrictFloat, StrictInt

from actions.catalog.context import ActionContext
from actions.catalog.hints import Hint
from actions.catalog.spec import ActionInput, ActionOutput, Effect, Surface, action
from actions.catalog.text import Text

Value = StrictBool | StrictInt | StrictFloat | str


class SettingView(ActionOutput):
    """One setting; ``changed`` says that ``settings.toml`` names it."""

    key: str
    value: Value
    default: Value
    description: str
    choices: list[Value] = Field(default_factory=list[Value])
    minimum: float | None = None
    changed: bool = False


class SettingList(ActionOutput):
    """``problems`` are what a person should mend in the file; ``file`` is where it is."""

    settings: list[SettingView]
    file: str
    problems: list[str] = Field(default_factory=list[str])


class GetSettings(ActionInput):
    key: Annotated[str | None, Hint(ask=Text("Which setting?", "哪项设置?"))] = None
    """A key, or its beginning: ``voice`` gives all of them that begin with ``voice.``."""


@action(
    "settings.get",
    title=Text("Show the settings", "显示设置"),
    effect=Effect.READ,
    surfaces=[Surface.UI, Surface.CLI],
    cli="settings get {key}",
    synonyms=["preferences", "options", "configuration"],
    examples=[{"key": "appearance"}],
)
async def get_settings(inp: GetSettings, ctx: ActionContext) -> SettingList:
    """Show what is set, what would hold without it, and what may be chosen."""
    return ctx.ports.preferences.list(inp.key)


class SetSetting(ActionInput):
    key: Annotated[str, Hint(explicit=True, ask=Text("Which setting?", "哪项设置?"))]
    value: Annotated[str | None, Hint(ask=Text("Which value?", "设为什么?"))] = None
    """As it stands in ``settings.toml``: text, a number, true or false. Without one the default holds again."""


@action(
    "settings.set",
    title=Text("Change a setting", "更改设置"),
    effect=Effect.WRITE,
    surfaces=[Surface.UI, Surface.CLI],
    decides=True,
    cli="settings set {key} {value}",
    examples=[{"key": "appearance.theme", "value": "dark"}],
)
async def set_setting(inp: SetSetting, ctx: ActionContext) -> SettingView:
    """Change one setting of the app, or go back to its default."""
    return ctx.ports.preferences.set(inp.key, inp.value)

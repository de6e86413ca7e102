"""What only a connected window can do: show things, and listen."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from actions.catalog.context import ActionContext
from actions.catalog.hints import FixedOption, Hint, Widget
from actions.catalog.say import says
from actions.catalog.spec import ActionInput, ActionOutput, Effect, Placement, Surface, action
from actions.catalog.text import Text

_PERSON = [Surface.UI, Surface.VOICE]


class Target(StrEnum):
    SESSIONS = "sessions"
    SESSION = "session"
    INBOX = "inbox"
    RUNS = "runs"
    RUN = "run"
    APPROVAL = "approval"
    LAUNCHER = "launcher"
    SETTINGS = "settings"
    SETTINGS_GENERAL = "settings.general"
    SETTINGS_APPEARANCE = "settings.appearance"
    SETTINGS_ACTIONS = "settings.actions"
    SETTINGS_MCP = "settings.mcp"
    SETTINGS_PROVIDERS = "settings.providers"
    SETTINGS_VOICE = "settings.voice"
    SETTINGS_KEYS = "settings.keys"
    SETTINGS_NOTIFICATIONS = "settings.notifications"
    SETTINGS_PRIVACY = "settings.privacy"


_TARGETS = (
    FixedOption("sessions", Text("Sessions", "会话")),
    FixedOption("session", Text("A session", "某个会话")),
    FixedOption("inbox", Text("Inbox", "收件箱")),
    FixedOption("runs", Text("Runs", "运行")),
    FixedOption("run", Text("A run", "某个运行")),
    FixedOption("approval", Text("A request", "某个请求")),
    FixedOption("launcher", Text("Launcher", "启动器"), aliases=("command palette", "palette")),
    FixedOption("settings", Text("Settings", "设置"), aliases=("preferences",)),
    FixedOption("settings.general", Text("General settings", "常规设置")),
    FixedOption("settings.appearance", Text("Appearance settings", "外观设置")),
    FixedOption("settings.actions", Text("Action settings", "操作设置"), aliases=("actions settings",)),
    FixedOption("settings.mcp", Text("MCP settings", "MCP 设置"), aliases=("m c p settings", "mcp server settings")),
    FixedOption("settings.providers", Text("Provider settings", "智能体设置"), aliases=("providers settings",)),
    FixedOption("settings.voice", Text("Voice settings", "语音设置")),
    FixedOption("settings.keys", Text("Keys", "快捷键"), aliases=("shortcuts", "keyboard shortcuts")),
    FixedOption("settings.notifications", Text("Notification settings", "通知设置")),
    FixedOption("settings.privacy", Text("Privacy settings", "隐私设置")),
)


class OpenPane(ActionInput):
    target: Annotated[Target, Hint(options=_TARGETS, ask=Text("Open what?", "打开什么?"), title=Text("Pane", "面板"))]
    id: str | None = None
    workspace: Annotated[
        str | None, Hint(widget=Widget.SELECT, options="workspaces.recent", title=Text("Workspace", "工作区"))
    ] = None


class PaneOpened(ActionOutput):
    opened: str
    id: str | None = None
    workspace: str | None = None


@action(
    "ui.open",
    title=Text("Open a pane", "打开面板"),
    effect=Effect.NONE,
    surfaces=_PERSON,
    placements=[Placement.PALETTE],
    say=[
        says("(show|open|go to) [(my|the)] inbox", target="inbox"),
        says("(打开|显示|查看)收件箱", target="inbox"),
        says(
            "(open|show|go to|take me to) [the] m c p settings (for|of|in) [the] [workspace] {workspace}",
            target="settings.mcp",
        ),
        says("(打开|显示)[工作区]{workspace}的 m c p 设置", target="settings.mcp"),
        "(open|show|go to|take me to) [the] {target}",
        "打开{target}",
    ],
    synonyms=["show", "go to", "inbox", "settings"],
)
async def open_pane(inp: OpenPane, ctx: ActionContext) -> PaneOpened:
    """Bring a pane of the window to the front."""
    arguments = {"target": inp.target.value, "id": inp.id, "workspace": inp.workspace}
    await ctx.ports.window.call("ui.open", {k: v for k, v in arguments.items() if v is not None})
    return PaneOpened(opened=inp.target.value, id=inp.id, workspace=inp.workspace)


class ListenMode(StrEnum):
    HOLD = "hold"
    TOGGLE = "toggle"
    HANDS_FREE = "hands_free"


class StartListening(ActionInput):
    mode: ListenMode = ListenMode.TOGGLE
    language: Annotated[str | None, Field(max_length=16)] = None


class Listening(ActionOutput):
    listening: bool


@action(
    "voice.listen.start",
    title=Text("Start listening", "开始聆听"),
    effect=Effect.NONE,
    surfaces=_PERSON,
    placements=[Placement.PALETTE, Placement.SLASH],
    slash=["/voice"],
)
async def start_listening(inp: StartListening, ctx: ActionContext) -> Listening:
    """Open the microphone of the connected window."""
    await ctx.ports.window.call("voice.listen.start", {"mode": inp.mode.value, "language": inp.language})
    return Listening(listening=True)


class StopListening(ActionInput):
    discard: bool = False


@action(
    "voice.listen.stop",
    title=Text("Stop listening", "停止聆听"),
    effect=Effect.NONE,
    surfaces=_PERSON,
    placements=[Placement.PALETTE],
    say=["stop listening", "停止聆听"],
)
async def stop_listening(inp: StopListening, ctx: ActionContext) -> Listening:
    """Close the microphone; what was heard is taken, or thrown away with ``discard``."""
    await ctx.ports.window.call("voice.listen.stop", {"discard": inp.discard})
    return Listening(listening=False)

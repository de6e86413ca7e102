"""Every setting, declared once: the file's comments, the typed read and the settings pages come from here.

Add one by adding a constant. Two with one key stop start-up.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, cast

T = TypeVar("T", str, bool, int, float)


@dataclass(frozen=True)
class Setting(Generic[T]):
    """One key of ``settings.toml``.

    Args:
        key: dotted, the last part is the name, the rest the table.
        default: what holds while the file says nothing; its type is the setting's type.
        description: one sentence for a person.
        choices: the closed set of values, where there is one.
        minimum: the least number allowed.
    """

    key: str
    default: T
    description: str
    choices: tuple[T, ...] = ()
    minimum: float | None = None

    def refusal(self, value: object) -> str | None:
        """Why ``value`` does not fit, as the end of the sentence "<key> ...", or None when it fits."""
        wanted = type(self.default)
        fits = isinstance(value, wanted) and not (wanted is not bool and isinstance(value, bool))
        if wanted is float and isinstance(value, int) and not isinstance(value, bool):
            fits = True
        if not fits:
            return f"must be {_TYPE_WORDS[wanted]}"
        if self.choices and value not in self.choices:
            return f"must be one of {', '.join(str(c) for c in self.choices)}"
        if self.minimum is not None and isinstance(value, (int, float)) and value < self.minimum:
            return f"must be at least {self.minimum:g}"
        return None

    def read(self, value: object) -> T:
        """The value in the setting's own type; call :meth:`refusal` first."""
        kind: type[T] = type(self.default)
        return kind(value)  # pyright: ignore[reportArgumentType]  # refusal() has checked the type


_TYPE_WORDS: dict[type[Any], str] = {str: "text", bool: "true or false", int: "a whole number", float: "a number"}

THEME = Setting("appearance.theme", "system", "Light, dark, or as the desktop is set.", ("system", "light", "dark"))
LANGUAGE = Setting("appearance.language", "system", "Language of the app.", ("system", "en", "zh"))
FONT_SIZE = Setting("appearance.font_size", 0, "Text size in points; 0 takes the desktop's.", minimum=0)

CONTRAST = Setting("appearance.contrast", "normal", "Contrast of the colours.", ("normal", "high"))
SCALE = Setting(
    "appearance.scale",
    100,
    "Size of the whole window in percent, from its next start.",
    (100, 125, 150, 175, 200, 250, 300),
)
REDUCED_MOTION = Setting("appearance.reduced_motion", False, "Nothing moves or blinks by itself.")

KEY_LAUNCHER = Setting("keys.launcher", "Ctrl+K", "Search actions.")
KEY_NEW = Setting("keys.new_session", "Ctrl+N", "Start a session.")
KEY_WINDOW = Setting("keys.new_window", "Ctrl+Shift+N", "Open another window.")
KEY_SWITCH = Setting("keys.switch_session", "Ctrl+P", "Go to another session by its name.")
KEY_RECENT = Setting("keys.recent_session", "Ctrl+Tab", "Go to the session that was open before.")
KEY_INBOX = Setting("keys.inbox", "Ctrl+I", "Show the inbox.")
KEY_COMPOSER = Setting("keys.composer", "Ctrl+Shift+I", "Write to the agent.")
KEY_FIND = Setting("keys.find", "Ctrl+F", "Find in the transcript.")
KEY_PERMISSION = Setting("keys.permission", "Ctrl+J", "Go to the open permission.")
KEY_SIDEBAR = Setting("keys.sidebar", "Ctrl+B", "Show or hide the sidebar.")
KEY_PANEL = Setting("keys.side_panel", "Ctrl+Shift+B", "Show or hide the session's servers and agents.")
KEY_SETTINGS = Setting("keys.settings", "Ctrl+,", "Show the settings.")
KEY_SHORTCUTS = Setting("keys.shortcuts", "Ctrl+/", "Show all shortcuts.")
KEY_NOTICE = Setting("keys.notice", "F9", "Go to the newest notice in the window.")
KEY_TALK = Setting("keys.talk", "F8", "Hold to talk.")
KEY_DICTATE = Setting("keys.dictate", "Ctrl+F8", "Dictate into the field where the cursor is.")
KEY_HANDS_FREE = Setting("keys.hands_free", "Shift+F8", "Listen without a key, or stop listening.")
KEY_QUIT = Setting("keys.quit", "Ctrl+Q", "Close the window.")

VOICE_MODEL = Setting("voice.model", "", "Speech model: a name or a folder; empty takes the installed one.")
VOICE_LANGUAGE = Setting("voice.language", "auto", "Language that you speak.", ("auto", "en", "zh"))
VOICE_MICROPHONE = Setting("voice.microphone", "", "Name of the microphone; empty takes the system's.")
VOICE_MODE = Setting("voice.mode", "hold", "Hold the key while you speak, or switch on and off.", ("hold", "toggle"))
VOICE_SPEAK = Setting(
    "voice.speak", "short", "What is read aloud: nothing, read-backs and questions, or results too.",
    ("off", "short", "all"),
)  # fmt: skip
VOICE_APPROVALS = Setting("voice.approvals", True, "Requests may be approved by voice, after they were read back.")
VOICE_KEEP_TEXTS = Setting("voice.keep_texts", False, "Keep a log of what was heard.")
VOICE_KEEP_AUDIO = Setting("voice.keep_audio", False, "Keep recordings on the disk.")

PROVIDER_DEFAULT = Setting("providers.default", "", "Provider chosen for new sessions; empty asks.")
AGENT_MODEL = Setting("providers.agent_model", "", "Model of the built-in agent, provider:name; empty looks for one.")

AGENT_SEARCH_URL = Setting("agent.search_url", "", "Search service of the built-in agent; empty: it cannot search.")
AGENT_PRIVATE_ADDRESSES = Setting(
    "agent.private_addresses", False, "Let the built-in agent fetch pages from private addresses, such as this machine."
)
AGENT_TELEMETRY = Setting("agent.telemetry", True, "Keep figures about tool calls, on this machine only.")

HOST_IDLE_SECONDS = Setting(
    "host.idle_seconds", 600, "A host without work and without clients ends after so many seconds.", minimum=1
)
DELEGATION = Setting(
    "runs.delegation",
    "native_first",
    "Whether agents delegate to their own subagents, or must use runs of Sayso.",
    ("native_first", "sayso_required"),
)
STRICT_SERVERS = Setting("mcp.strict_start", False, "A session starts only when all of its MCP servers are connected.")

WORKTREE_PLACE = Setting(
    "worktrees.place",
    "home",
    "Folder of new git worktrees: in Sayso's own data, or beside the repository.",
    ("home", "beside"),
)
WORKTREE_PREFIX = Setting("worktrees.branch_prefix", "sayso/", "Begins the name of each branch made for a session.")

NOTIFY_PERMISSION = Setting("notifications.permission", True, "Tell when an agent asks for a permission.")
NOTIFY_QUESTION = Setting("notifications.question", True, "Tell when an agent asks a question.")
NOTIFY_DONE = Setting("notifications.done", True, "Tell when an agent has finished its turn.")
NOTIFY_FAILED = Setting("notifications.failed", True, "Tell when a session or a run has failed.")


def collect(candidates: Iterable[object]) -> dict[str, Setting[Any]]:
    """The settings among ``candidates`` by key. Raises ValueError when two have one key."""
    found: dict[str, Setting[Any]] = {}
    for candidate in candidates:
        if isinstance(candidate, Setting):
            setting = cast("Setting[Any]", candidate)
            if setting.key in found:
                raise ValueError(f"the setting {setting.key!r} is declared twice")
            found[setting.key] = setting
    return found


SETTINGS: dict[str, Setting[Any]] = collect(list(vars().values()))
"""All settings by key, in the order of their declaration."""

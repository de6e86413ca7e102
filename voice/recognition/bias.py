"""The words that Whisper is told before it listens: names of sessions, workspaces, providers, and of actions.

A prompt is text that the model believes was said before. What it holds is heard more often, and on unclear audio its
end is what gets invented. So it opens with one real example command, then the lists, and closes with words that are
no command. In Chinese an example comes back as a command: there it holds names and nouns only, in simplified
characters.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from voice.recognition.chinese import to_simplified

LONGEST = 200
"""Tokens of a prompt; the model keeps 223."""

_NO_COMMAND = {"en": "Quiet room, morning light.", "zh": "安静的房间，早上的阳光。"}


@dataclass(frozen=True)
class World:
    """The names that can be spoken now, each list with the likeliest first: on screen, recent, the rest.

    ``action_words`` are nouns of the catalog ("review run", "inbox"); ``example`` is a command in the words of its
    template, of an action that only reads or navigates or is read back before it runs.
    """

    sessions: Sequence[str] = ()
    workspaces: Sequence[str] = ()
    providers: Sequence[str] = ()
    action_words: Sequence[str] = ()
    example: str = ""


_LABELS = {
    "en": {"providers": "Providers", "sessions": "Sessions", "workspaces": "Workspaces", "action_words": "Words"},
    "zh": {"providers": "代理", "sessions": "会话", "workspaces": "工作区", "action_words": "词语"},
}


def build_prompt(
    world: World,
    language: str = "en",
    *,
    count_tokens: Callable[[str], int] | None = None,
    longest: int = LONGEST,
) -> str:
    """A prompt of at most ``longest`` tokens; names that do not fit are left out, the last of each list first.

    ``count_tokens`` is the recogniser's; without it a cautious estimate is used. Languages other than Chinese get the
    English form. An empty world gives an empty prompt.
    """
    count = count_tokens or estimate_tokens
    chinese = language == "zh"
    labels = _LABELS["zh" if chinese else "en"]
    lists = {
        "providers": [_spoken(name) for name in world.providers],
        "sessions": [_spoken(name) for name in world.sessions],
        "workspaces": [_spoken(name) for name in world.workspaces],
        "action_words": list(world.action_words),
    }
    if not any(lists.values()):
        return ""
    example = "" if chinese else world.example.strip().rstrip(".")

    def text(kept: dict[str, list[str]]) -> str:
        comma, stop, colon = ("、", "。", "：") if chinese else (", ", ". ", ": ")
        parts = [labels[key] + colon + comma.join(dict.fromkeys(names)) for key, names in kept.items() if names]
        whole = stop.join(([example] if example else []) + parts) + stop + _NO_COMMAND["zh" if chinese else "en"]
        return to_simplified(whole) if chinese else whole

    kept: dict[str, list[str]] = {key: [] for key in lists}
    for rank in range(max(len(names) for names in lists.values())):
        for key, names in lists.items():
            if rank < len(names):
                kept[key].append(names[rank])
                if count(text(kept)) > longest:
                    kept[key].pop()
                    lists[key] = names[:rank]  # This list is full; shorter names further down rank lower.
    return text(kept) if any(kept.values()) else ""


def estimate_tokens(text: str) -> int:
    """A count that is rather too high: a token for two Latin letters, two for a Chinese character."""
    wide = sum(1 for character in text if not character.isascii())
    return 2 * wide + (len(text) - wide + 1) // 2


def _spoken(name: str) -> str:
    """A name as it is said: "auth-refactor" is "auth refactor"."""
    return " ".join(name.replace("-", " ").replace("_", " ").split())

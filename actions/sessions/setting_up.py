"""Right after an agent's session stands: the mode in which it asks, its options, and what was chosen for the session.

What the agent does not confirm is never assumed: the session is marked, and a person told.
"""

from __future__ import annotations

from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

from actions.errors import ErrorCode, SaysoError
from actions.sessions.events import Draft, notice
from actions.sessions.provider import Provider
from actions.sessions.selecting import change_mode, change_model, change_option

if TYPE_CHECKING:
    from actions.sessions.link import Link, Wishes

# What a person should know of an agent that does not ask us as a matter of course.
_HONEST = {
    "never": "never asks before it acts.",
    "own_config": "asks before it acts because Sayso configures it to; it does not ask for tools of MCP servers.",
    "escalated": "works in a sandbox and asks only to leave it: it writes in the workspace unasked.",
}


async def set_up(provider: Provider, link: Link, wishes: Wishes) -> None:
    """Set all of it. Raises SaysoError for what a new session was to have, and cannot."""
    chosen = wishes.mode is not None and await _wish(link, change_mode(link, wishes.mode), "mode", wishes)
    if not chosen and provider.ask_mode is not None and link.modes.mode.current != provider.ask_mode:
        await _set_ask_mode(provider, link, provider.ask_mode)
    for option, value in provider.options.items():
        await _set_option(provider, link, option, value)
    if wishes.model is not None:
        await _wish(link, change_model(link, wishes.model), "model", wishes)
    for option, value in wishes.options.items():
        await _wish(link, change_option(link, option, value), option, wishes)
    if not chosen and "ask_mode_not_set" not in link.marks and provider.ask_mode not in (None, link.modes.mode.current):
        await _set_ask_mode(provider, link, str(provider.ask_mode))  # an option or a model took it away
    keep_to_mode(provider, link)
    if provider.asks == "never":
        link.marks.add("never_asks")
    if not wishes.takes_up and provider.asks in _HONEST:
        text = f"{provider.name} {_HONEST[provider.asks]}"
        link.notices.append(notice(text, f"asks_{provider.asks}", provider=provider.name))


def keep_to_mode(provider: Provider, link: Link) -> None:
    """From now on it is to stay in the mode in which it asks, if that is the one that it confirmed."""
    link.asks_in = provider.ask_mode if provider.ask_mode == link.modes.mode.current else None


async def _wish(link: Link, step: Coroutine[Any, Any, None], what: str, wishes: Wishes) -> bool:
    """Whether a wish was granted. One for a new session is a condition; an old one may have gone out of use."""
    try:
        await step
    except SaysoError as error:
        if not wishes.takes_up or error.code is ErrorCode.TIMEOUT:
            raise
        text = f"The {what} of before could not be set again: {error.message}"
        link.notices.append(notice(text, "wish_not_set", what=what, why=error.message))
        return False
    return True


async def _set_ask_mode(provider: Provider, link: Link, mode: str) -> None:
    try:
        await change_mode(link, mode)
    except SaysoError as error:
        link.notices.append(not_in_ask_mode(provider, link, f" ({error.message})"))


def not_in_ask_mode(provider: Provider, link: Link, why: str = "") -> Draft:
    """Mark the session: it is not in the mode in which its agent asks, and nobody chose that."""
    link.marks.add("ask_mode_not_set")
    current = link.modes.mode.name_of(link.modes.mode.current)
    state = f"it is in mode {current!r}" if current else "it has no modes"
    text = f"{provider.name} was not put into its mode {provider.ask_mode!r}; {state} and may act without asking.{why}"
    facts = {"provider": provider.name, "mode": str(provider.ask_mode), "current": current or "", "why": why.strip()}
    return notice(text, "ask_mode_not_set", **facts)


async def _set_option(provider: Provider, link: Link, option: str, value: str | bool) -> None:
    if any(known.id == option and known.value == value for known in link.modes.options):
        return
    try:
        await change_option(link, option, value)
    except SaysoError as error:
        link.marks.add("option_not_set")
        text = f"{provider.name} did not take {option} = {value}, and may act without asking: {error.message}"
        facts = {"provider": provider.name, "option": f"{option} = {value}", "why": error.message}
        link.notices.append(notice(text, "option_not_set", **facts))

"""Choosing a mode, a model or an option of a running agent: believed only as far as the agent acknowledged it.

Source: ACP 1, session config options (each answer carries the complete state) and session modes (an answer without an
error is the acknowledgement, unless the agent says another mode meanwhile).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from actions.errors import InvalidInput, SaysoError
from actions.sessions.modes import Selector

if TYPE_CHECKING:
    from actions.sessions.link import Link


async def change_mode(link: Link, mode_id: str) -> None:
    """Set the mode; ``link.modes`` then holds what the agent acknowledged.

    Raises InvalidInput for an unknown mode, and SaysoError where the agent says that it is in another one.
    """
    await _change(link, "mode", mode_id)
    link.marks.discard("ask_mode_not_set")


async def change_model(link: Link, model_id: str) -> None:
    """Set the model; as :func:`change_mode`."""
    await _change(link, "model", model_id)


async def change_option(link: Link, option_id: str, value: str | bool) -> None:
    """Set one of the agent's config options; as :func:`change_mode`."""
    option = next((option for option in link.modes.options if option.id == option_id), None)
    if option is None:
        known = ", ".join(option.id for option in link.modes.options)
        offers = f"it offers {known}" if known else "it offers no options"
        raise InvalidInput(
            f"The agent has no option {option_id!r}; {offers}.", [{"field": "option_id", "message": offers}]
        )
    if option.kind == "boolean":
        fits, offers = isinstance(value, bool), "it takes true or false"
    else:
        known = [choice.id for choice in option.choices]
        fits, offers = value in known, f"it takes {', '.join(known)}"
    if not fits:
        raise InvalidInput(f"{option.name} cannot be {value!r}; {offers}.", [{"field": "value", "message": offers}])
    state = await link.connection.set_config_option(link.agent_session_id, option_id, value)
    link.modes = link.modes.with_options(state)
    now = next((option for option in link.modes.options if option.id == option_id), None)
    if now is None or now.value != value:
        raise _not_confirmed(option.name, str(value), None if now is None else str(now.value))
    link.marks.discard("option_not_set")


async def _change(link: Link, what: Literal["mode", "model"], value: str) -> None:
    selector: Selector = getattr(link.modes, what)
    known = [choice.id for choice in selector.choices]
    if value not in known:
        offers = f"it offers {', '.join(known)}" if known else f"it offers no {what} to choose"
        raise InvalidInput(
            f"The agent has no {what} {value!r}; {offers}.", [{"field": f"{what}_id", "message": offers}], known=known
        )
    if selector.config_id is None:
        before = link.modes
        await link.connection.set_mode(link.agent_session_id, value)
        if link.modes is before:  # else it said meanwhile what its mode is now
            link.modes = before.with_mode(value)
    else:
        state = await link.connection.set_config_option(link.agent_session_id, selector.config_id, value)
        link.modes = link.modes.with_options(state)
    now: Selector = getattr(link.modes, what)
    if now.current != value:
        raise _not_confirmed(what, selector.name_of(value) or value, now.name_of(now.current))


def _not_confirmed(what: str, wanted: str, current: str | None) -> SaysoError:
    stays = f"it is {current!r} still" if current else "it does not say which it is in now"
    return SaysoError(
        f"The agent did not confirm {wanted!r} as its {what}; {stays}.",
        details={"reason": "not_confirmed", "wanted": wanted, "current": current},
    )

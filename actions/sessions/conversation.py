"""The agent's side of a session: a new conversation, one that is taken up again, or a second one from an old one.

What an agent advertises is only tried, never trusted: some refuse after a crash what they offered before.
Source: ACP 1, session/new, session/load, session/resume; session/fork is unstable.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from actions.errors import ErrorCode, SaysoError
from actions.sessions.events import notice

if TYPE_CHECKING:
    from actions.sessions.link import Link, Wishes

_CANNOT = "this agent cannot take up an earlier conversation"


async def begin(link: Link, cwd: str, servers: list[Any], wishes: Wishes, timeout: float) -> dict[str, Any]:
    """Start what ``wishes`` ask for and set ``link.agent_session_id``; gives the agent's response.

    Raises SaysoError: the agent refused, or (``details["reason"]`` is ``cannot_resume`` or ``cannot_fork``) it has no
    such conversation any more and the wishes are strict.
    """
    if wishes.fork is not None:
        return await _fork(link, wishes.fork, cwd, servers, timeout)
    if wishes.resume is not None:
        response, reason = await _take_up(link, wishes.resume, cwd, servers, timeout)
        if response is not None:
            return response
        if wishes.strict:
            raise SaysoError(
                f"This conversation cannot be taken up again: {reason}. Send a message to go on in a new one; the "
                "agent will not remember what was said.",
                details={"reason": "cannot_resume", "why": reason},
            )
        text = f"A new conversation was started, because {reason}. The agent does not remember what is above."
        link.notices.append(notice(text, "fresh_session", why=reason))
    link.agent_session_id, link.fresh = "", True
    response = await link.connection.new_session(cwd, servers, timeout)
    link.agent_session_id = str(response.get("sessionId", ""))
    return response


async def _take_up(
    link: Link, agent_session_id: str, cwd: str, servers: list[Any], timeout: float
) -> tuple[dict[str, Any] | None, str]:
    """Resume, else load. Gives the response, or None and why neither worked."""
    link.agent_session_id = agent_session_id
    reason = _CANNOT
    if can_resume(link.capabilities):
        try:
            return await link.connection.resume_session(agent_session_id, cwd, servers, timeout), ""
        except SaysoError as refused:
            reason = _unless_lost(link, refused)
    if can_load(link.capabilities):
        try:
            return await link.connection.load_session(agent_session_id, cwd, servers, timeout), ""
        except SaysoError as refused:
            reason = _unless_lost(link, refused)
    return None, reason


async def _fork(link: Link, agent_session_id: str, cwd: str, servers: list[Any], timeout: float) -> dict[str, Any]:
    try:
        response = await link.connection.fork_session(agent_session_id, cwd, servers, timeout)
    except SaysoError as refused:
        _unless_lost(link, refused)
        refused.details["reason"] = "cannot_fork"
        raise
    link.agent_session_id = str(response.get("sessionId") or "")
    if link.agent_session_id in ("", agent_session_id):
        raise SaysoError(
            "The agent gave the fork no session of its own. Check its version.", details={"reason": "cannot_fork"}
        )
    return response


def _unless_lost(link: Link, refused: SaysoError) -> str:
    """Why the agent refused; raised again where it did not answer at all or wants a sign-in."""
    signs_in = refused.details.get("reason") == "auth_required"
    if signs_in or refused.code is ErrorCode.TIMEOUT or not link.process.alive:
        raise refused
    return refused.message.rstrip(".")


def can_resume(capabilities: Mapping[str, Any]) -> bool:
    """Whether the agent advertises session/resume."""
    return _session(capabilities).get("resume") is not None


def can_fork(capabilities: Mapping[str, Any]) -> bool:
    """Whether the agent advertises session/fork."""
    return _session(capabilities).get("fork") is not None


def can_load(capabilities: Mapping[str, Any]) -> bool:
    """Whether the agent advertises session/load."""
    return bool(capabilities.get("loadSession"))


def can_delete(capabilities: Mapping[str, Any]) -> bool:
    """Whether the agent advertises session/delete."""
    return _session(capabilities).get("delete") is not None


def can_steer(capabilities: Mapping[str, Any]) -> bool:
    """Whether the agent takes messages into a running turn: the extension ``_sayso/steer``, named in its ``_meta``."""
    meta: Any = capabilities.get("_meta")
    own: Any = cast("dict[str, Any]", meta).get("sayso") if isinstance(meta, dict) else None
    return isinstance(own, dict) and cast("dict[str, Any]", own).get("steer") is True


def _session(capabilities: Mapping[str, Any]) -> dict[str, Any]:
    return cast("dict[str, Any]", capabilities.get("sessionCapabilities") or {})

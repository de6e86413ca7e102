"""The host as voice uses it: every call on the voice surface, over any transport that takes a method and parameters."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Protocol, cast

from actions.errors import ErrorCode, SaysoError

Envelope = Mapping[str, Any]
"""``{"ok", "outcome", "kind", "data" | "error"}``, as the host answers."""


class BlockingHost(Protocol):
    """A connection whose calls block, such as ``actions.client.connection.HostConnection``."""

    def call(self, method: str, params: dict[str, Any], *, repeatable: bool = False) -> dict[str, Any]: ...


AsyncCall = Callable[[str, dict[str, Any], bool], Awaitable[Envelope]]
"""``call(method, params, repeatable)``. Raises SaysoError when the host cannot be reached."""


def off_the_loop(host: BlockingHost) -> AsyncCall:
    """The calls of a blocking connection, each on a thread."""

    async def call(method: str, params: dict[str, Any], repeatable: bool) -> Envelope:
        return await asyncio.to_thread(host.call, method, params, repeatable=repeatable)

    return call


class VoiceHost:
    """Calls of one voice user. ``session_id`` is the session that "this session" means, ``label`` names the caller."""

    def __init__(
        self,
        call: AsyncCall,
        *,
        language: str = "en",
        label: str = "voice",
        session_id: str | None = None,
        workspace: str | None = None,
    ) -> None:
        self._call = call
        self._fixed = {"surface": "voice", "language": language, "label": label}
        self._fixed |= {k: v for k, v in (("session_id", session_id), ("workspace", workspace)) if v}

    @property
    def language(self) -> str:
        """Of what the host says."""
        return self._fixed["language"]

    def about(self, session_id: str | None) -> VoiceHost:
        """The same host, for a user who speaks about another session."""
        fixed = self._fixed
        return VoiceHost(
            self._call,
            language=fixed["language"],
            label=fixed["label"],
            session_id=session_id,
            workspace=fixed.get("workspace"),
        )

    async def execute(
        self,
        action: str,
        input: Mapping[str, Any],
        *,
        read_back: str | None = None,
        read_back_age_s: float = 0.0,
        heard: Mapping[str, Any] | None = None,
        key: str | None = None,
        repeatable: bool = False,
    ) -> Envelope:
        """The envelope of one action. ``read_back`` is the request that was read aloud and affirmed, the read-back
        being ``read_back_age_s`` seconds old; ``heard`` what the command was understood from.
        """
        params: dict[str, Any] = {"action": action, "input": dict(input), **self._fixed}
        if read_back:
            params |= {"read_back": read_back, "read_back_age_s": read_back_age_s}
        if heard:
            params["heard"] = dict(heard)
        if key:
            params["idempotency_key"] = key
        return await self._call("execute", params, repeatable)

    async def resolve(self, action: str, field: str, draft: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
        """The options of a field. Raises SaysoError with the code of the host."""
        asked = {"action_id": action, "field_path": field, "draft": dict(draft)}
        envelope = await self.execute("action.options.resolve", asked, repeatable=True)
        if not envelope.get("ok"):
            raise error_of(envelope)
        data = cast(Mapping[str, Any], envelope.get("data") or {})
        return cast(Sequence[Mapping[str, Any]], data.get("options") or ())


def error_of(envelope: Envelope) -> SaysoError:
    """The error that an envelope carries."""
    raw = cast(Mapping[str, Any], envelope.get("error") or {})
    try:
        code = ErrorCode(str(raw.get("code")))
    except ValueError:
        code = ErrorCode.FAILED
    message = str(raw.get("message") or "The host gave no reason.")
    return SaysoError(message, code=code, details=cast(Mapping[str, Any], raw.get("details") or {}))

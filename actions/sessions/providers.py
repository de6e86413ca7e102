"""The providers as a service: which there are, what is installed, and what an agent says when it is started."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from actions.catalog.views import ModeView, ProviderCheck, ProviderList, ProviderView, RunError
from actions.errors import NotFound, SaysoError
from actions.sessions.detection import Detection
from actions.sessions.launcher import Ears, Launcher, Link, Wishes
from actions.sessions.mcp_transport import transports
from actions.sessions.provider import Provider
from actions.sessions.registry import ProviderFile
from actions.sessions.signing_in import methods_of
from actions.sessions.tool_delivery import way_of
from actions.sessions.versions import notes_on
from actions.storage.ids import Prefix, new_id

BUILTIN = "builtin"


@dataclass(frozen=True, slots=True)
class _Seen:
    """What an agent said about itself the last time it was started."""

    capabilities: Mapping[str, Any] = field(default_factory=dict[str, Any])
    modes: tuple[ModeView, ...] = ()
    models: tuple[ModeView, ...] = ()
    version: str | None = None


class ProviderService:
    """Implements :class:`actions.catalog.ports.ProvidersPort`."""

    def __init__(
        self, file: ProviderFile, detection: Detection, launcher: Launcher, default: Callable[[], str]
    ) -> None:
        self._file = file
        self._detection = detection
        self._launcher = launcher
        self._default = default
        self._seen: dict[str, _Seen] = {}

    async def require(self, provider_id: str) -> Provider:
        """The row of a provider. Raises NotFound that names the known ones."""
        return (await asyncio.to_thread(self._file.load)).require(provider_id)

    async def list(self, *, include_missing: bool = True) -> ProviderList:
        """Every provider, installed ones first, with what is wrong in the user's file."""
        registry = await asyncio.to_thread(self._file.load)
        views = await asyncio.gather(*(self._view(provider) for provider in registry.providers.values()))
        shown = [view for view in views if include_missing or view.installed]
        shown.sort(key=lambda view: (not view.installed, view.id != BUILTIN))
        return ProviderList(providers=shown, problems=list(registry.problems))

    async def get(self, provider_id: str) -> ProviderView:
        """One provider. Raises NotFound."""
        return await self._view(await self.require(provider_id))

    async def check(self, provider_id: str, *, sign_in: str | None = None) -> ProviderCheck:
        """Start the agent in an empty folder, open a session, end it again; what it said or why it did not start.

        ``sign_in``: where the agent wants one, call this method of its own and try once more.
        """
        provider = await self.require(provider_id)
        self._detection.forget()
        ignore = Ears(incoming=lambda _: None, ended=lambda: None, forget=lambda: None)
        check_id = new_id(Prefix.CALL)
        link: Link | None = None
        error: SaysoError | None = None
        with tempfile.TemporaryDirectory(prefix="sayso-check-") as folder:
            try:
                link = await self._launcher.connect(provider, Path(folder), session_id=check_id, ears=ignore)
                wishes = Wishes(sign_in=sign_in)
                await self._launcher.open_session(
                    provider, link, Path(folder), session_id=check_id, wishes=wishes, tools=False
                )
                self.remember(provider, link)
                await self._launcher.end(link, "checked")
            except SaysoError as failure:
                error = failure
        return _report(provider, await self._view(provider), link, error)

    def default_id(self) -> str:
        """The provider that the settings name, else the built-in one."""
        return self._default() or BUILTIN

    def name_of(self, provider_id: str) -> str:
        """The name for people; the id itself for a provider that is not there any more."""
        provider = self._file.load().providers.get(provider_id)
        return provider.name if provider else provider_id

    def remember(self, provider: Provider, link: Link) -> None:
        """Keep what a started agent said about itself, for lists and forms."""
        info = link.initialized.agent_info if link.initialized else None
        self._seen[provider.id] = _Seen(
            link.capabilities, link.modes.mode.choices, link.modes.model.choices, info.version if info else None
        )

    def known_capabilities(self, provider_id: str) -> Mapping[str, Any]:
        """What an agent said that it can do when it was last started; nothing for one that never was."""
        return self._seen.get(provider_id, _Seen()).capabilities

    async def advice(self, provider: Provider) -> list[str]:
        """What may keep the agent from working here: a version that was not tried, a Node that is too old."""
        return await advice_on(self._detection, provider, self._seen.get(provider.id, _Seen()).version)

    async def _view(self, provider: Provider) -> ProviderView:
        found = await self._detection.find(provider.command[0])
        seen = self._seen.get(provider.id, _Seen())
        version = seen.version or await self._detection.version(provider)
        return ProviderView(
            id=provider.id,
            name=provider.name,
            delivery=way_of(provider, seen.capabilities),
            installed=found is not None,
            version=version,
            command=list(provider.command),
            auth=provider.auth_hint,
            modes=list(seen.modes),
            models=list(seen.models),
            capabilities=dict(seen.capabilities),
            aliases=list(provider.aliases),
            notes=await self.advice(provider) if found else [],
            reason=None
            if found
            else f"The command {provider.command[0]!r} was not found. {provider.install_hint}".strip(),
        )


async def advice_on(detection: Detection, provider: Provider, version: str | None = None) -> list[str]:
    """As :meth:`ProviderService.advice`; ``version`` is what the agent said itself, if it was ever started."""
    node = await detection.node() if provider.node_min is not None else None
    return notes_on(provider, version or await detection.version(provider), node)


def _report(provider: Provider, view: ProviderView, link: Link | None, error: SaysoError | None) -> ProviderCheck:
    initialized = link.initialized if link else None
    info = initialized.agent_info if initialized else None
    failure = None
    if error is not None:
        fix = provider.install_hint if isinstance(error, NotFound) else provider.auth_hint
        message = error.message if not fix or fix in error.message else f"{error.message} {fix}"
        failure = RunError(code=error.code.value, message=message)
    return ProviderCheck(
        id=provider.id,
        ok=error is None,
        provider=view,
        agent_name=(info.title or info.name) if info else None,
        agent_version=info.version if info else None,
        protocol_version=initialized.protocol_version if initialized else None,
        auth_methods=[method.id for method in methods_of(initialized)],
        sign_in=methods_of(initialized),
        mode=link.modes.mode.current if link else None,
        options={o.id: o.value for o in link.modes.options if o.value is not None} if link else {},
        mcp=list(transports(provider, link.capabilities)) if link else [],
        notices=[str(draft.data["text"]) for draft in link.notices] if link else [],
        ms=dict(link.ms) if link else {},
        error=failure,
        stderr=(str(error.details.get("stderr") or "") or None) if error else None,
    )

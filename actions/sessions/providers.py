"""The providers as a service: which there are, what is installed, and what an agent says when it is started."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from actions.catalog.context import Progress
from actions.catalog.views import ModeView, ProviderCheck, ProviderList, ProviderView, RunError
from actions.errors import NotFound, SaysoError
from actions.sessions.detection import Detection
from actions.sessions.incoming import Incoming, Update
from actions.sessions.launcher import Launcher
from actions.sessions.link import Ears, Link, Wishes
from actions.sessions.mcp_transport import transports
from actions.sessions.provider import Provider
from actions.sessions.registry import ProviderFile
from actions.sessions.signing_in import methods_of
from actions.sessions.slow_start import PATIENCE_S, SlowStart
from actions.sessions.tool_delivery import way_of
from actions.sessions.versions import Here, notes_on, too_old
from actions.storage.ids import Prefix, new_id
from actions.tasks import TaskOwner

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
        self,
        file: ProviderFile,
        detection: Detection,
        launcher: Launcher,
        default: Callable[[], str],
        *,
        patience: float = PATIENCE_S,
    ) -> None:
        self._patience = patience
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

    async def check(
        self, provider_id: str, *, sign_in: str | None = None, told: Progress | None = None
    ) -> ProviderCheck:
        """Start the agent in an empty folder, open a session, end it again; what it said or why it did not start.

        ``sign_in``: where the agent wants one, call this method of its own and try once more. ``told`` hears of a start
        that takes long. Cancelled, it ends the agent.
        """
        provider = await self.require(provider_id)
        self._detection.forget()
        check_id = new_id(Prefix.CALL)
        link: Link | None = None
        error: SaysoError | None = None

        def hear(entry: Incoming) -> None:
            if link is not None and isinstance(entry, Update):
                link.modes = link.modes.after(entry.update)

        slow = SlowStart(provider.name, lambda s, words: None if told is None else told(s, None, words), self._patience)
        ears = Ears(incoming=hear, ended=lambda: None, forget=lambda: None, waits=slow.waits)
        tasks = TaskOwner("check")
        with tempfile.TemporaryDirectory(prefix="sayso-check-") as folder:
            tasks.start(slow.watch(), name=check_id)
            try:
                link = await self._launcher.connect(provider, Path(folder), session_id=check_id, ears=ears)
                self.remember(provider, link)
                wishes = Wishes(sign_in=sign_in)
                await self._launcher.open_session(
                    provider, link, Path(folder), session_id=check_id, wishes=wishes, tools=False
                )
                self.remember(provider, link)
                await asyncio.shield(self._launcher.end(link, "checked"))
            except SaysoError as failure:
                error = failure
            finally:
                await tasks.close()
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
        before = self._seen.get(provider.id, _Seen())  # an agent without a session has no modes yet
        self._seen[provider.id] = _Seen(
            link.capabilities,
            link.modes.mode.choices or before.modes,
            link.modes.model.choices or before.models,
            info.version if info else None,
        )

    def known_capabilities(self, provider_id: str) -> Mapping[str, Any]:
        """What an agent said that it can do when it was last started; nothing for one that never was."""
        return self._seen.get(provider_id, _Seen()).capabilities

    async def advice(self, provider: Provider) -> list[str]:
        """What may keep the agent from working here: something that is too old, a version that was not tried."""
        return await advice_on(self._detection, provider, self._seen.get(provider.id, _Seen()).version)

    async def _view(self, provider: Provider) -> ProviderView:
        found = await self._detection.find(provider.command[0]) is not None
        seen = self._seen.get(provider.id, _Seen())
        here = await _here(self._detection, provider, seen.version)
        missing = await self._missing(provider)
        old = too_old(provider, here) if found else []
        return ProviderView(
            id=provider.id,
            name=provider.name,
            delivery=way_of(provider, seen.capabilities),
            installed=found,
            state="missing" if missing else "too_old" if old else "ready",
            version=here.version,
            command=list(provider.command),
            auth=provider.auth_hint,
            modes=list(seen.modes),
            models=list(seen.models),
            capabilities=dict(seen.capabilities),
            aliases=list(provider.aliases),
            notes=notes_on(provider, here) if found else [],
            reason=" ".join([*missing, *old]) or None,
        )

    async def _missing(self, provider: Provider) -> list[str]:
        """Which command was not found, and what to do."""
        for command in (provider.command[0], *provider.needs):
            if await self._detection.find(command) is None:
                return [
                    f"The command {command!r} was not found.",
                    *([provider.install_hint] * bool(provider.install_hint)),
                ]
        return []


async def advice_on(detection: Detection, provider: Provider, version: str | None = None) -> list[str]:
    """As :meth:`ProviderService.advice`; ``version`` is what the agent said itself, if it was ever started."""
    here = await _here(detection, provider, version)
    return [*too_old(provider, here), *notes_on(provider, here)]


async def refusal_on(detection: Detection, provider: Provider) -> str | None:
    """Why the agent must not be started: it is of a version that hangs or worse. What runs it is left to itself."""
    if provider.version_min is None:
        return None
    told = too_old(provider, Here(await detection.version(provider), provider.node_min))
    return " ".join(told) or None


async def _here(detection: Detection, provider: Provider, version: str | None) -> Here:
    node = await detection.node() if provider.node_min is not None else None
    python = await detection.python(provider.command[0]) if provider.python_min is not None else None
    return Here(version or await detection.version(provider), node, python)


def _report(provider: Provider, view: ProviderView, link: Link | None, error: SaysoError | None) -> ProviderCheck:
    initialized = link.initialized if link else None
    info = initialized.agent_info if initialized else None
    failure = None
    if error is not None:
        fix = provider.install_hint if isinstance(error, NotFound) else provider.auth_hint
        message = error.message if not fix or fix in error.message else f"{error.message} {fix}"
        failure = RunError(code=error.code.value, message=message)
    return ProviderCheck(
        **view.model_dump(),
        ok=error is None,
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

"""Shows what the host tells of where a person sees it, and leads a click to the place that it is about."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from pydantic import ValidationError

from actions.catalog.notification import Notification, NotificationKind
from desktop.app.backend import Backend, HostEvent
from desktop.app.pane import Presenter, Report
from desktop.notifications.outlet import Outlet
from desktop.notifications.words import Wording

_WAITS = (NotificationKind.PERMISSION, NotificationKind.QUESTION, NotificationKind.PLAN)


class NotificationsPresenter(Presenter):
    """The first outlet that can show one does.

    ``seen`` gives the sessions that are visible in a window with the keyboard, ``open_session`` and ``open_request``
    bring theirs to the front.
    """

    name = "notifications"

    def __init__(
        self,
        backend: Backend,
        outlets: Sequence[Outlet],
        report: Report,
        seen: Callable[[], Collection[str]],
        open_session: Callable[[str], None],
        open_request: Callable[[str], None],
    ) -> None:
        super().__init__(backend, report)
        self._outlets = outlets
        self._seen = seen
        self._open_session = open_session
        self._open_request = open_request
        self._wording = Wording()
        self._shown: dict[str, Notification] = {}
        for outlet in outlets:
            outlet.listen(self._on_click)
        self.handles.enter_context(backend.subscribe(self._on_event))

    def look(self) -> None:
        """Another session may be in front: what was told of it is seen."""
        seen = self._seen()
        for id in [id for id, told in self._shown.items() if told.session_id in seen]:
            self._withdraw(id)

    async def close(self) -> None:
        await super().close()
        self._shown.clear()
        for outlet in self._outlets:
            await outlet.close()

    def _on_event(self, event: HostEvent) -> None:
        if event.type == "notification_did_end":
            self._withdraw(str(event.data.get("id")))
        elif event.type == "notification":
            try:
                told = Notification.model_validate(event.data)
            except ValidationError:
                return  # of a host of another version, which this window has no words for
            if told.session_id is None or told.session_id not in self._seen():
                self._shown[told.id] = told
                self.start(self._show(told), f"show {told.id}")

    async def _show(self, told: Notification) -> None:
        words = self._wording.words(told)
        for outlet in self._outlets:
            if self._shown.get(told.id) is not told:
                return
            if await outlet.show(told.id, words, waits=told.kind in _WAITS):
                break
        if told.id not in self._shown:
            await self._take_back(told.id)  # it was answered while it was on its way

    def _on_click(self, id: str) -> None:
        told = self._shown.get(id)
        if told is None:
            return
        self._withdraw(id)
        if told.session_id is not None:
            self._open_session(told.session_id)
        elif told.request_id is not None:
            self._open_request(told.request_id)

    def _withdraw(self, id: str) -> None:
        if self._shown.pop(id, None) is not None:
            self.start(self._take_back(id), f"withdraw {id}")

    async def _take_back(self, id: str) -> None:
        for outlet in self._outlets:
            await outlet.withdraw(id)

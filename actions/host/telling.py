"""Of which requests a person is told who is not looking, and the setting that turns each kind of it off."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from actions.catalog.notification import NotificationKind
from actions.catalog.registry import Catalog
from actions.catalog.spec import Surface
from actions.delivery.notifier import Asked
from actions.execution.approval import Status
from actions.execution.approvals import Approvals
from actions.storage.declarations import NOTIFY_DONE, NOTIFY_FAILED, NOTIFY_PERMISSION, NOTIFY_QUESTION

SETTING_OF = {
    NotificationKind.PERMISSION: NOTIFY_PERMISSION,
    NotificationKind.QUESTION: NOTIFY_QUESTION,
    NotificationKind.PLAN: NOTIFY_QUESTION,
    NotificationKind.DONE: NOTIFY_DONE,
    NotificationKind.FAILED: NOTIFY_FAILED,
}


def worth_telling(approvals: Approvals, catalog: Catalog) -> Callable[[str], Awaitable[Asked | None]]:
    """Reads an approval request; None for a person's own, and for one that they put off."""

    async def read(approval_id: str) -> Asked | None:
        approval = await approvals.get(approval_id)
        own = approval.surface not in (Surface.SESSION_AGENT, Surface.MCP)
        if own or approval.deferred_until is not None or approval.status is not Status.OPEN:
            return None
        spec = catalog.get(approval.action_id)
        title = {} if spec is None else {tag: spec.title.in_language(tag) for tag in ("en", "zh")}
        return Asked(approval.session_id, title)

    return read

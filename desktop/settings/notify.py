"""The notifications page: what is told of, and when it is not."""

from __future__ import annotations

from desktop.settings.preference import Preference, PreferencePage
from desktop.theme.theme import Theme


class NotificationsPage(PreferencePage):
    """A switch for each kind."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(
            theme,
            self.tr("Notifications"),
            self.tr(
                "Nothing is told of the session that you are looking at. A notification names a tool, never a path."
            ),
        )
        kinds = [
            ("permission", self.tr("An agent asks for a permission")),
            ("question", self.tr("An agent asks a question, or shows a plan")),
            ("done", self.tr("An agent has finished its turn")),
            ("failed", self.tr("A session or a run has failed")),
        ]
        shown = [Preference(f"notifications.{kind}", title, switch=True) for kind, title in kinds]
        self.add_group(self.tr("Tell me when"), shown)
        self.body.addStretch(1)

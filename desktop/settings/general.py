"""The general page: language, agents at work, worktrees."""

from __future__ import annotations

from desktop.settings.preference import Preference, PreferencePage
from desktop.theme.theme import Theme


class GeneralPage(PreferencePage):
    """What belongs to no other page."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, self.tr("General"))
        language = Preference(
            "appearance.language",
            self.tr("Language"),
            self.tr("Holds from the next start of the window."),
            [("system", self.tr("As the desktop")), ("en", "English"), ("zh", "中文")],
        )
        delegation = Preference(
            "runs.delegation",
            self.tr("Subagents"),
            self.tr("Whether an agent hands work to its own subagents, or must start runs that you see here."),
            [("native_first", self.tr("Its own first")), ("sayso_required", self.tr("Runs of Sayso"))],
        )
        strict = Preference(
            "mcp.strict_start",
            self.tr("Start with all MCP servers only"),
            self.tr("A session is not started while one of its servers is not connected; it says which and why."),
            switch=True,
        )
        idle = Preference(
            "host.idle_seconds",
            self.tr("Seconds until an idle host ends"),
            self.tr("The host ends when no window is open and no agent works."),
            most=86_400,
        )
        place = Preference(
            "worktrees.place",
            self.tr("Folder of new worktrees"),
            choices=[("home", self.tr("In Sayso's data")), ("beside", self.tr("Beside the repository"))],
        )
        prefix = Preference(
            "worktrees.branch_prefix",
            self.tr("Branches begin with"),
            self.tr("The beginning of the name of each branch that is made for a session."),
        )
        self.add_group("", [language])
        self.add_group(self.tr("Agents"), [delegation, strict, idle])
        self.add_group(self.tr("Git worktrees"), [place, prefix])
        self.body.addStretch(1)

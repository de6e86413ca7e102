"""The appearance page: colours, contrast, sizes and motion."""

from __future__ import annotations

from desktop.settings.preference import Preference, PreferencePage
from desktop.theme.theme import Theme


class AppearancePage(PreferencePage):
    """How the window looks; all but the scale holds at once."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, self.tr("Appearance"))
        scheme = Preference(
            "appearance.theme",
            self.tr("Colours"),
            choices=[
                ("system", self.tr("As the desktop")),
                ("light", self.tr("Light")),
                ("dark", self.tr("Dark")),
            ],
        )
        contrast = Preference(
            "appearance.contrast",
            self.tr("Contrast"),
            self.tr("High contrast draws every edge, and all text at least 7 to 1."),
            [("normal", self.tr("Usual")), ("high", self.tr("High"))],
        )
        size = Preference(
            "appearance.font_size", self.tr("Text size in points"), most=32, zero=self.tr("Usual, 10 points")
        )
        scale = Preference(
            "appearance.scale",
            self.tr("Size of the window"),
            self.tr("Everything in it, from the next start of the window."),
            [(percent, f"{percent} %") for percent in (100, 125, 150, 175, 200, 250, 300)],
        )
        motion = Preference(
            "appearance.reduced_motion",
            self.tr("Reduce motion"),
            self.tr("Nothing moves or blinks by itself, the text cursor neither."),
            switch=True,
        )
        self.add_group(self.tr("Colours"), [scheme, contrast])
        self.add_group(self.tr("Sizes"), [size, scale])
        self.add_group(self.tr("Motion"), [motion])
        self.body.addStretch(1)

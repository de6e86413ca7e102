"""The two colour schemes and the arithmetic that proves them readable.

No colour literal stands outside this module. Contrast follows WCAG 2.2 (success criterion 1.4.3): 4.5 to 1 for text,
3 to 1 for disabled text and for the outline of a control.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from enum import StrEnum


class SchemeName(StrEnum):
    """Which scheme is drawn; ``system`` follows the desktop."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


@dataclass(frozen=True)
class Scheme:
    """Colours by role, each ``#rrggbb``."""

    name: str
    # surfaces, from the back to the front
    window: str
    base: str
    raised: str
    sunken: str
    hover: str
    selected: str
    border: str
    outline: str
    # text
    text: str
    muted: str
    disabled: str
    link: str
    link_visited: str
    # the one accent, as a fill with its text, as text on the surfaces, and as a tint
    accent: str
    accent_text: str
    on_accent: str
    accent_hover: str
    accent_tint: str
    # what a state means: text on the surfaces, and a tint behind it
    success: str
    success_tint: str
    warning: str
    warning_tint: str
    danger: str
    danger_tint: str
    danger_fill: str
    on_danger: str
    code: str
    shadow: str

    def colors(self) -> Iterator[tuple[str, str]]:
        """Role and colour of each field but the name."""
        return ((field.name, getattr(self, field.name)) for field in fields(self) if field.name != "name")


LIGHT = Scheme(
    name="light",
    window="#f6f6f8",
    base="#ffffff",
    raised="#ffffff",
    sunken="#f3f3f6",
    hover="#ececf0",
    selected="#e4e4f3",
    border="#e2e2e8",
    outline="#8a8c98",
    text="#1a1b20",
    muted="#5c5f6b",
    disabled="#858793",
    link="#3f4bc4",
    link_visited="#7440a8",
    accent="#4a51cf",
    accent_text="#3f46bd",
    on_accent="#ffffff",
    accent_hover="#3d43b4",
    accent_tint="#ecedfb",
    success="#19693c",
    success_tint="#e3f4ea",
    warning="#80500a",
    warning_tint="#fbf0db",
    danger="#b0242b",
    danger_tint="#fcebeb",
    danger_fill="#c02f36",
    on_danger="#ffffff",
    code="#f3f3f6",
    shadow="#16171d",
)

DARK = Scheme(
    name="dark",
    window="#131418",
    base="#191a1f",
    raised="#212329",
    sunken="#141519",
    hover="#26282f",
    selected="#2b2d42",
    border="#2c2e36",
    outline="#737682",
    text="#e9eaee",
    muted="#a3a6b1",
    disabled="#7a7d88",
    link="#a0a8ff",
    link_visited="#cba6f5",
    accent="#5a60d8",
    accent_text="#a9aeff",
    on_accent="#ffffff",
    accent_hover="#6268dc",
    accent_tint="#25273d",
    success="#6fcf97",
    success_tint="#1a2e24",
    warning="#e5b567",
    warning_tint="#332a1a",
    danger="#ff8f8c",
    danger_tint="#3a2023",
    danger_fill="#c63b42",
    on_danger="#ffffff",
    code="#131418",
    shadow="#000000",
)

LIGHT_HIGH = replace(
    LIGHT,
    window="#ffffff",
    sunken="#f7f7fa",
    hover="#e6e6ec",
    selected="#dcdcf2",
    border="#5a5c66",
    outline="#3c3e48",
    text="#000000",
    muted="#33353d",
    disabled="#5c5f6b",
    link="#1f2a9c",
    link_visited="#55207f",
    accent="#2f36a8",
    accent_text="#262d96",
    accent_hover="#23298a",
    success="#0b4a27",
    warning="#553300",
    danger="#86121a",
    danger_fill="#8f1a21",
    code="#f7f7fa",
)
DARK_HIGH = replace(
    DARK,
    window="#000000",
    base="#000000",
    raised="#0c0d10",
    sunken="#000000",
    hover="#1c1e24",
    selected="#22243a",
    border="#9a9dab",
    outline="#c4c7d2",
    text="#ffffff",
    muted="#d4d6de",
    disabled="#a3a6b1",
    link="#c3c8ff",
    link_visited="#e2ccff",
    accent="#3d43ad",
    accent_text="#c9ccff",
    accent_hover="#4248b6",
    success="#a6ebc2",
    warning="#ffd89b",
    danger="#ffbdbb",
    danger_fill="#9c2027",
    code="#0c0d10",
)
"""For eyes that need more: every text at least 7 to 1 (success criterion 1.4.6), every edge drawn."""

SURFACES = ("window", "base", "raised", "sunken", "hover", "selected")
TEXT_PAIRS = (
    *((front, back) for front in ("text", "muted") for back in SURFACES),
    *((front, back) for front in ("link", "link_visited", "accent_text") for back in ("window", "base", "raised")),
    *((front, f"{front}_tint") for front in ("success", "warning", "danger")),
    *((front, back) for front in ("success", "warning", "danger") for back in ("window", "base", "raised", "selected")),
    *(("text", f"{role}_tint") for role in ("accent", "success", "warning", "danger")),
    ("muted", "accent_tint"),
    ("accent_text", "accent_tint"),
    ("on_accent", "accent"),
    ("on_accent", "accent_hover"),
    ("on_danger", "danger_fill"),
    *((front, "code") for front in ("text", "muted", "accent_text", "link", "success", "warning", "danger")),
)
FAINT_PAIRS = (
    ("disabled", "window"),
    ("disabled", "base"),
    ("outline", "base"),
    ("outline", "window"),
    ("accent_text", "base"),
)


def luminance(color: str) -> float:
    """Relative luminance of ``#rrggbb``, 0 to 1."""
    channels = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Contrast ratio of two colours, 1 to 21."""
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def too_faint(scheme: Scheme, text: float = 4.5, faint: float = 3.0) -> list[str]:
    """The pairs that a person cannot read, as ``"muted on base 3.9"``; empty when the scheme is good."""
    wanted = [(pair, text) for pair in TEXT_PAIRS] + [(pair, faint) for pair in FAINT_PAIRS]
    return [
        f"{front} on {back} {ratio:.2f}"
        for (front, back), least in wanted
        if (ratio := contrast(getattr(scheme, front), getattr(scheme, back))) < least
    ]

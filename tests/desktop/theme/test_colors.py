import re
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QApplication

from desktop.theme import icons
from desktop.theme.colors import DARK, DARK_HIGH, LIGHT, LIGHT_HIGH, Scheme, SchemeName, contrast, too_faint
from desktop.theme.palette import palette
from desktop.theme.stylesheet import stylesheet
from desktop.theme.theme import Theme

DESKTOP = Path(__file__).parents[3] / "desktop"


def test_contrast_by_the_numbers_of_wcag() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)  # the well-known grey just below 4.5
    assert contrast("#ffffff", "#777777") == contrast("#777777", "#ffffff")


@pytest.mark.parametrize("scheme", [LIGHT, DARK], ids=lambda scheme: scheme.name)
def test_everything_can_be_read(scheme: Scheme) -> None:
    assert too_faint(scheme) == []


@pytest.mark.parametrize("scheme", [LIGHT_HIGH, DARK_HIGH], ids=lambda scheme: scheme.name)
def test_high_contrast_is_seven_to_one(scheme: Scheme) -> None:
    assert too_faint(scheme, text=7.0, faint=4.5) == []
    assert contrast(scheme.border, scheme.base) >= 3


def test_contrast_and_size_change_while_the_window_is_open(qapp: QApplication) -> None:
    theme = Theme(qapp, SchemeName.DARK)
    changes: list[float] = []
    theme.changed.connect(lambda: changes.append(qapp.font().pointSizeF()))
    theme.set_contrast(high=True)
    theme.set_size(20)
    assert theme.scheme is DARK_HIGH
    assert changes == [10, 20]
    assert theme.code_font.pointSizeF() == 18
    theme.set_size(0)
    assert qapp.font().pointSizeF() == 10


def test_every_size_of_the_sheet_grows_with_the_text() -> None:
    usual, large = (re.findall(r"([0-9.]+)pt", stylesheet(LIGHT, ratio)) for ratio in (1.0, 2.0))
    assert usual
    assert [float(size) * 2 for size in usual] == [float(size) for size in large]


def test_the_check_sees_a_faint_text() -> None:
    assert "muted on base 1.00" in too_faint(replace(LIGHT, muted=LIGHT.base))


@pytest.mark.parametrize("scheme", [LIGHT, DARK], ids=lambda scheme: scheme.name)
def test_every_role_of_the_palette_is_ours(scheme: Scheme) -> None:
    ours = {color for _, color in scheme.colors()}
    made = palette(scheme)
    for role in QPalette.ColorRole:
        if role not in (QPalette.ColorRole.NoRole, QPalette.ColorRole.NColorRoles):
            for group in (QPalette.ColorGroup.Active, QPalette.ColorGroup.Inactive, QPalette.ColorGroup.Disabled):
                assert made.color(group, role).name() in ours, (group, role)


def test_no_colour_stands_anywhere_else() -> None:
    literal = re.compile(r"#[0-9a-fA-F]{6}\b")
    found = [
        path.name
        for path in DESKTOP.rglob("*.py")
        if path.name != "colors.py" and literal.search(path.read_text(encoding="utf-8"))
    ]
    assert found == []


@pytest.mark.parametrize("name", icons.names())
def test_every_icon_draws_something(qapp: object, name: str) -> None:
    image = icons.pixmap(name, LIGHT.text).toImage()
    drawn = sum(image.pixelColor(x, y).alpha() > 0 for x in range(image.width()) for y in range(image.height()))
    assert 10 < drawn < 700

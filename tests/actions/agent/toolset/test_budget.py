"""How much of a result the model gets."""

from __future__ import annotations

from pathlib import Path

import pytest

from actions.agent.tools.needs import Spool
from actions.agent.toolset.budget import Shortener, fit
from actions.agent.toolset.results import ErrorClass, MediaPart, Part, TextPart, ToolResult
from tests.actions.agent.toolset.rig import Echo, Rig, Words

SMALL = MediaPart("A" * 100, "image/png")


def texts(parts: tuple[Part, ...]) -> list[str]:
    return [part.text for part in parts if isinstance(part, TextPart)]


def test_34_small_text_is_unchanged() -> None:
    """Case 34."""
    fitted = fit([TextPart("small")])
    assert (fitted.parts, fitted.cut) == ((TextPart("small"),), False)


def test_35_one_text_too_long() -> None:
    """Case 35."""
    fitted = fit([TextPart("x" * 105_000)])
    assert len(texts(fitted.parts)[0]) == 100_000
    assert len(fitted.parts) == 2
    assert fitted.cut


def test_36_two_texts_together_too_long() -> None:
    """Case 36."""
    fitted = fit([TextPart("x" * 60_000), TextPart("y" * 40_100)])
    *kept, note = texts(fitted.parts)
    assert [len(text) for text in kept] == [60_000, 40_000]
    assert "cut" in note


def test_37_a_small_image_and_text_stay() -> None:
    """Case 37."""
    assert fit([SMALL, TextPart("t")]).parts == (SMALL, TextPart("t"))


def test_38_a_large_image_becomes_a_placeholder() -> None:
    """Case 38."""
    fitted = fit([MediaPart("A" * 150_000, "image/png")])
    placeholder, note = texts(fitted.parts)
    assert "image/png" in placeholder
    assert "150000" in placeholder
    assert "cut" in note


def test_39_40_parts_stay_in_order() -> None:
    """Cases 39 and 40: a part that nobody can show is one line of text by now."""
    line = TextPart("[a part of type x/unknown]")
    assert fit([TextPart("good"), line]).parts == (TextPart("good"), line)


def test_exactly_the_budget_passes_untouched() -> None:
    fitted = fit([TextPart("x" * 99_900), SMALL])
    assert not fitted.cut
    assert fitted.parts == (TextPart("x" * 99_900), SMALL)


def test_a_placeholder_costs_nothing_and_a_later_small_part_still_fits() -> None:
    fitted = fit([TextPart("x" * 99_900), MediaPart("A" * 101, "image/png"), SMALL, TextPart("late")])
    assert SMALL in fitted.parts
    assert "late" not in texts(fitted.parts)


def test_the_note_comes_once_last_and_names_the_file() -> None:
    fitted = fit([TextPart("x" * 200_000)] * 3, whole="/spool/1")
    assert len(fitted.parts) == 2
    assert "/spool/1" in texts(fitted.parts)[-1]


# Built-in tools


async def result_of(output: str, tmp_path: Path, *, error: ErrorClass | None = None) -> ToolResult:
    async def give(_: Words) -> ToolResult:
        return ToolResult(output, error=error)

    return await Rig(Echo(then=give), spool=Spool(tmp_path / "spool")).start("Echo", id="call/1")


@pytest.mark.parametrize("output", ["x" * 2_000, "\n".join(["x" * 1_999] * 25), "x\n" * 25_000])
async def test_what_fits_is_untouched(output: str, tmp_path: Path) -> None:
    assert (await result_of(output, tmp_path)).output == output
    assert not (tmp_path / "spool").exists()


async def test_long_output_is_cut_and_kept_whole_in_a_file(tmp_path: Path) -> None:
    whole = "".join(f"line {number}\n" for number in range(10_000))
    result = await result_of(whole, tmp_path, error=ErrorClass.TOOL_ERROR)
    assert result.error is ErrorClass.TOOL_ERROR
    assert isinstance(result.output, str)
    kept, note = result.output[:50_000], result.output[50_000:]
    assert whole.startswith(kept)
    (file,) = (tmp_path / "spool").iterdir()
    assert file.read_text("utf-8") == whole
    assert file.stat().st_mode & 0o077 == 0
    assert str(file) in note
    line = int(note.split("from line ")[1].split(".")[0])
    lines = whole.splitlines(keepends=True)
    before, rest = "".join(lines[: line - 1]), "".join(lines[line - 1 :])
    assert kept.startswith(before)
    assert rest.endswith(whole[50_000:])


async def test_a_long_line_is_cut_with_a_mark(tmp_path: Path) -> None:
    result = await result_of("a\n" + "x" * 2_001 + "\nb", tmp_path)
    assert isinstance(result.output, str)
    lines = result.output.splitlines()
    assert lines[0] == "a"
    assert lines[1].startswith("x" * 2_000 + " [line cut")
    assert lines[2] == "b"
    assert str(tmp_path) in lines[3]


async def test_a_call_whose_output_cannot_be_kept_has_still_succeeded(tmp_path: Path) -> None:
    """Told that it failed, the model would do it a second time."""
    (tmp_path / "spool").write_text("in the way")
    result = await Shortener(Spool(tmp_path / "spool"))(ToolResult("x\n" * 60_000), "c1")
    assert result.error is None
    assert "Cut after" in str(result.output)

"""What the model sees of a result."""

from __future__ import annotations

import pytest

from actions.agent.toolset.messages import EMPTY, NOT_TEXT, for_model
from actions.agent.toolset.results import ErrorClass, MediaPart, Output, TextPart, ToolResult, failure

IMAGE = MediaPart("AAAA", "image/png")


def test_56_the_message_comes_before_the_output() -> None:
    """Case 56."""
    assert for_model(ToolResult("out", "said")) == [TextPart("<system>said</system>\nout")]


def test_57_an_error_is_tagged_before_the_output() -> None:
    """Case 57."""
    result = failure(ErrorClass.TOOL_ERROR, "exit 1", "stderr")
    assert for_model(result) == [TextPart("<error>exit 1</error>\nstderr")]


@pytest.mark.parametrize("output", ["", " \n", (), (TextPart(""),)])
def test_no_output_is_said(output: Output) -> None:
    assert for_model(ToolResult(output)) == [TextPart(EMPTY)]
    assert for_model(ToolResult(output, "done")) == [TextPart(f"<system>done</system>\n{EMPTY}")]
    assert for_model(failure(ErrorClass.TIMEOUT, "too late", output)) == [TextPart("<error>too late</error>")]


def test_an_error_without_words_names_its_class() -> None:
    assert for_model(failure(ErrorClass.TIMEOUT, "")) == [TextPart("<error>timeout</error>")]


def test_media_alone_is_introduced() -> None:
    assert for_model(ToolResult((IMAGE,))) == [TextPart(NOT_TEXT), IMAGE]
    assert for_model(ToolResult((IMAGE,), "a page")) == [TextPart(f"<system>a page</system>\n{NOT_TEXT}"), IMAGE]


def test_text_and_media_stay_in_order() -> None:
    assert for_model(ToolResult((IMAGE, TextPart("t")))) == [IMAGE, TextPart("t")]
    assert for_model(ToolResult((TextPart("t"), IMAGE), "m")) == [TextPart("<system>m</system>\nt"), IMAGE]
    assert for_model(ToolResult((IMAGE, TextPart("t")), "m")) == [TextPart("<system>m</system>"), IMAGE, TextPart("t")]


def test_plain_output_is_just_that() -> None:
    assert for_model(ToolResult("out")) == [TextPart("out")]

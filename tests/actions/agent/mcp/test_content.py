"""Results of MCP calls as the model gets them, within the budget."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from actions.agent.mcp.content import parts_of
from actions.agent.toolset.budget import fit
from actions.agent.toolset.results import MediaPart, Part, TextPart
from actions.servers.pool.states import CallResult

NOTE = "[The result was cut to 100000 characters.]"


def text(value: str) -> dict[str, Any]:
    return {"type": "text", "text": value}


def image(size: int) -> dict[str, Any]:
    return {"type": "image", "data": "A" * size, "mimeType": "image/png"}


def fitted(*blocks: dict[str, Any]) -> tuple[Part, ...]:
    return fit(parts_of(CallResult(blocks))).parts


def test_34_small_text_is_unchanged() -> None:
    assert fitted(text("hello")) == (TextPart("hello"),)


def test_35_text_over_the_budget_is_cut_with_one_note() -> None:
    assert fitted(text("x" * 105_000)) == (TextPart("x" * 100_000), TextPart(NOTE))
    assert fitted(text("x" * 100_000)) == (TextPart("x" * 100_000),)


def test_36_the_budget_is_over_all_parts() -> None:
    parts = fitted(text("a" * 60_000), text("b" * 40_100))
    assert parts == (TextPart("a" * 60_000), TextPart("b" * 40_000), TextPart(NOTE))


def test_37_a_small_image_and_text_are_both_kept() -> None:
    assert fitted(image(400), text("below")) == (MediaPart("A" * 400, "image/png"), TextPart("below"))


def test_38_a_large_image_becomes_a_placeholder() -> None:
    parts = fitted(image(150_000), text("small"))
    assert parts == (
        TextPart("[image/png, 150000 characters of data, left out]"),
        TextPart("small"),
        TextPart(NOTE),
    )


def test_39_an_unknown_part_is_one_line() -> None:
    assert fitted({"type": "hologram", "x": 1}) == (TextPart("[content of type 'hologram', which is not supported]"),)


def test_40_good_and_unsupported_parts_stay_in_order() -> None:
    binary = {"type": "resource", "resource": {"uri": "mem://z", "blob": "AAAA", "mimeType": "application/zip"}}
    assert fitted(text("first"), binary, text("last")) == (
        TextPart("first"),
        TextPart("[resource mem://z of type application/zip, which is not supported]"),
        TextPart("last"),
    )


def test_embedded_text_is_text_and_a_link_a_line() -> None:
    link = {"type": "resource_link", "uri": "file:///a.txt", "name": "a.txt", "mimeType": "text/plain"}
    embedded = {"type": "resource", "resource": {"uri": "mem://x", "text": "hi"}}
    assert fitted(link, embedded) == (TextPart("[resource a.txt: file:///a.txt (text/plain)]"), TextPart("hi"))


def test_an_embedded_picture_and_a_sound_are_media() -> None:
    data = base64.b64encode(b"RIFF").decode()
    sound = {"type": "audio", "data": data, "mimeType": "audio/wav"}
    picture = {"type": "resource", "resource": {"uri": "mem://p", "blob": data, "mimeType": "image/webp"}}
    assert fitted(sound, picture) == (MediaPart(data, "audio/wav"), MediaPart(data, "image/webp"))


@pytest.mark.parametrize(
    "block", [{}, {"type": "image"}, {"type": "resource"}, {"type": ["x"]}, {"type": "audio", "data": 5, "mimeType": 6}]
)
def test_malformed_blocks_are_a_line(block: dict[str, Any]) -> None:
    (part,) = fitted(block)
    assert isinstance(part, TextPart)
    assert part.text.startswith("[")


def test_structured_content_is_said_once() -> None:
    said = CallResult((text('{"n": 1}'),), {"n": 1})
    assert parts_of(said) == (TextPart('{"n": 1}'),)
    assert parts_of(CallResult((text("42"),), {"result": 42})) == (TextPart("42"),)
    assert parts_of(CallResult((), {"n": 1})) == (TextPart('{"n": 1}'),)
    assert parts_of(CallResult((text("one"),), {"n": 1})) == (TextPart("one"), TextPart('{"n": 1}'))
    assert parts_of(CallResult((), {"x": float("nan")})) == (TextPart('{"x": NaN}'),)

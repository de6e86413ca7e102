"""ReadMediaFile: kinds by content, senses of the model, limits."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from actions.agent.tools.media import mime_of
from actions.agent.tools.needs import ModelSenses, Workspace
from actions.agent.tools.read_media import ReadMediaFile
from actions.agent.toolset.results import MediaPart
from actions.agent.toolset.tool import SkipThisTool
from tests.actions.agent.tools.files_desk import call, workspace

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


@pytest.fixture
def desk(tmp_path: Path) -> Workspace:
    return workspace(tmp_path)


def test_a_model_without_senses_has_no_such_tool(desk: Workspace) -> None:
    with pytest.raises(SkipThisTool):
        ReadMediaFile(desk, ModelSenses())


@pytest.mark.parametrize(
    ("head", "mime"),
    [
        (PNG[:32], "image/png"),
        (b"\xff\xd8\xff\xe0\x00\x10JFIF", "image/jpeg"),
        (b"GIF89a\x01\x00", "image/gif"),
        (b"RIFF\x24\0\0\0WEBPVP8 ", "image/webp"),
        (b"RIFF\x24\0\0\0WAVEfmt ", "audio/wav"),
        (b"ID3\x04\0\0", "audio/mpeg"),
        (b"\xff\xfb\x90\x64", "audio/mpeg"),
        (b"OggS\0\x02", "audio/ogg"),
        (b"fLaC\0\0\0\x22", "audio/flac"),
        (b"\0\0\0\x20ftypM4A \0\0", "audio/mp4"),
        (b"\0\0\0\x20ftypisom\0\0", "video/mp4"),
        (b"\x1aE\xdf\xa3\x9fB\x86", "video/webm"),
        (b"\0\0\0\x1cftypheic", "image/heic"),
        (b"", None),
        (b"plain text", None),
        (b"\x7fELF\x02\x01", None),
        (b"\xff\xfet\0e\0x\0t\0", None),
        (b"RIFF\x24\0\0\0????", None),
    ],
)
def test_the_kind_is_in_the_first_bytes(head: bytes, mime: str | None) -> None:
    assert mime_of(head) == mime


async def test_an_image_under_a_wrong_name(desk: Workspace) -> None:
    (desk.root / "a.txt").write_bytes(PNG)
    result = await call(ReadMediaFile(desk, ModelSenses(image=True)), path="a.txt")
    assert result.output == (MediaPart(base64.b64encode(PNG).decode(), "image/png"),)
    assert result.message == f"a.txt: image/png, {len(PNG)} bytes."


async def test_what_the_model_does_not_take(desk: Workspace) -> None:
    tool = ReadMediaFile(desk, ModelSenses(image=True))
    (desk.root / "a.wav").write_bytes(b"RIFF\x24\0\0\0WAVEfmt ")
    assert "audio/wav; this model takes image only" in (await call(tool, path="a.wav")).message
    (desk.root / "a.png").write_text("not a picture")
    assert "for text use ReadFile" in (await call(tool, path="a.png")).message
    (desk.root / "a.heic").write_bytes(b"\0\0\0\x1cftypheic")
    assert "convert it to PNG or JPEG" in (await call(tool, path="a.heic")).message
    assert "does not exist" in (await call(tool, path="b.png")).message


async def test_the_limit(desk: Workspace) -> None:
    tool = ReadMediaFile(desk, ModelSenses(image=True))
    (desk.root / "a.png").write_bytes(PNG.ljust(3_750_000, b"\0"))
    result = await call(tool, path="a.png")
    assert not result.is_error
    (desk.root / "a.png").write_bytes(PNG.ljust(3_750_001, b"\0"))
    assert "3,750,001 bytes; at most 3,750,000" in (await call(tool, path="a.png")).message

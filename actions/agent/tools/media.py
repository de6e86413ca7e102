"""What kind of media a file holds, told from its first bytes."""

from __future__ import annotations

from typing import Literal

Sense = Literal["image", "audio", "video"]

HEAD = 32
MOST_PICTURE = 3_750_000
_BEGINS = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"ID3", "audio/mpeg"),
    (b"fLaC", "audio/flac"),
    (b"OggS", "audio/ogg"),
    (b"\x1aE\xdf\xa3", "video/webm"),
)
_RIFF = {b"WEBP": "image/webp", b"WAVE": "audio/wav", b"AVI ": "video/x-msvideo"}
_BRANDS = {
    b"M4A ": "audio/mp4",
    b"M4B ": "audio/mp4",
    b"qt  ": "video/quicktime",
    b"avif": "image/avif",
    b"heic": "image/heic",
}
_USUAL = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})


def mime_of(head: bytes) -> str | None:
    """Like ``image/png``; None for what is no known media."""
    for begin, mime in _BEGINS:
        if head.startswith(begin):
            return mime
    if head[:4] == b"RIFF":
        return _RIFF.get(head[8:12])
    if head[4:8] == b"ftyp":
        return _BRANDS.get(head[8:12], "video/mp4")
    # An MPEG audio frame: eleven bits set, layer III or II
    if len(head) > 2 and head[0] == 0xFF and head[1] & 0xE0 == 0xE0 and head[1] & 0x06 in (0x02, 0x04):
        return "audio/mpeg"
    return None


def picture(data: bytes) -> str | None:
    """What kind of picture ``data`` is, whatever it is called; None for one that providers refuse, and with it every
    later request of the conversation: none at all, another format, more than 3.75 MB (5 MB as they count).
    """
    mime = mime_of(data[:HEAD])
    return mime if mime in _USUAL and len(data) <= MOST_PICTURE else None


def taken(mime: str) -> bool:
    """Whether models take this format; of images only the usual ones."""
    return mime in _USUAL or not mime.startswith("image/")

"""How much of a result the model gets. What is cut is kept whole in a file, and the cut says where."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from actions.agent.tools.needs import Spool
from actions.agent.toolset.results import MediaPart, Part, TextPart, ToolResult

OUTPUT_LIMIT = 50_000
LINE_LIMIT = 2_000
PARTS_LIMIT = 100_000
"""Characters over all parts of an MCP result."""
_log = logging.getLogger(__name__)
_LONG_LINE = re.compile(rf"[^\n]{{{LINE_LIMIT + 1},}}")


@dataclass(frozen=True, slots=True)
class Fitted:
    """``cut`` tells whether something was left out."""

    parts: tuple[Part, ...]
    cut: bool


def fit(parts: Sequence[Part], budget: int = PARTS_LIMIT, *, whole: str | None = None) -> Fitted:
    """``parts`` within ``budget`` characters over all of them; ``whole`` names the file that has everything.

    Text is cut at what is left and later text skipped. Media counts by the length of its data; what is too long becomes
    a placeholder that costs nothing, so that a later small part still fits. The note on the cut comes once, last, and
    is not counted.
    """
    kept: list[Part] = []
    left, cut = budget, False
    for part in parts:
        if isinstance(part, MediaPart):
            if len(part.data) <= left:
                left -= len(part.data)
                kept.append(part)
            else:
                kept.append(TextPart(f"[{part.mime}, {len(part.data)} characters of data, left out]"))
                cut = True
            continue
        if len(part.text) > left:
            cut = True
            if left:
                kept.append(TextPart(part.text[:left]))
        else:
            kept.append(part)
        left -= min(left, len(part.text))
    if cut:
        where = f" The whole is in {whole}." if whole else ""
        kept.append(TextPart(f"[The result was cut to {budget} characters.{where}]"))
    return Fitted(tuple(kept), cut)


class Shortener:
    """Cuts the output of built-in tools: 50,000 characters in all, 2,000 a line. ``spool`` None: nothing is kept."""

    def __init__(self, spool: Spool | None) -> None:
        self._spool = spool

    def concerns(self, result: ToolResult) -> bool:
        """Whether anything of ``result`` is too long; at once for what is short."""
        output = result.output
        if isinstance(output, str):
            return _too_long(output)
        return any(isinstance(part, TextPart) and _too_long(part.text) for part in output)

    async def __call__(self, result: ToolResult, name: str) -> ToolResult:
        """``result`` cut, its whole text in the spool under ``name``."""
        output = result.output
        texts = [output] if isinstance(output, str) else [part.text for part in output if isinstance(part, TextPart)]
        path = None
        if self._spool is not None:
            try:
                path = await asyncio.to_thread(keep_whole, self._spool, name, "\n".join(texts))
            except (OSError, RuntimeError) as error:  # a full disk, no thread: the call itself did succeed
                _log.warning("the whole output of %s could not be kept: %s", name, error)
        if isinstance(output, str):
            return result.with_output(shortened(output, path))
        return result.with_output(
            tuple(TextPart(shortened(part.text, path)) if isinstance(part, TextPart) else part for part in output)
        )


def shortened(text: str, path: Path | None) -> str:
    """``text`` within the limits, with a mark at every cut; ``path`` has the whole."""
    if not _too_long(text):
        return text
    lines = _LONG_LINE.sub(lambda line: f"{line[0][:LINE_LIMIT]} [line cut, {len(line[0])} characters]", text)
    if len(lines) <= OUTPUT_LIMIT:
        return lines if path is None else f"{lines}\n[Long lines were cut. The whole is in {path}.]"
    kept = lines[:OUTPUT_LIMIT]
    offset = kept.count("\n") + 1
    where = "" if path is None else f" The whole is in {path}: go on reading there from line {offset}."
    return f"{kept}\n[Cut after {OUTPUT_LIMIT} of {len(text)} characters.{where}]"


def _too_long(text: str) -> bool:
    return len(text) > LINE_LIMIT and (len(text) > OUTPUT_LIMIT or _LONG_LINE.search(text) is not None)


def keep_whole(spool: Spool, name: str, text: str) -> Path:
    """The file in the spool that now holds ``text``. Raises OSError."""
    path = spool.fresh(f"{name}.txt")
    path.touch(mode=0o600)
    path.write_text(text, "utf-8", errors="surrogateescape")
    return path

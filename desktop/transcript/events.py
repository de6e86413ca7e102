"""From stored events to rows. Events that share an item id tell the life of one row; each is applied once."""

from __future__ import annotations

import difflib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from actions.catalog.views import TranscriptEvent
from desktop.transcript.model import Item, Kind, TranscriptModel

_STREAMED = {"agent": Kind.AGENT, "thought": Kind.THOUGHT}
_SILENT = frozenset({"commands", "usage", "turn_start"})


class TranscriptReader:
    """Applies events to a model, in any overlap of pages: what was applied before is passed over.

    ``words`` makes the sentences that no event carries: ``mode``, ``stopped``, ``question`` and ``unanswered``;
    ``noticed`` those of a notice from its data, where it has better ones than the notice itself.
    """

    def __init__(
        self,
        model: TranscriptModel,
        words: Mapping[str, str],
        noticed: Callable[[Mapping[str, Any]], str] = lambda data: "",
    ) -> None:
        self._model = model
        self._words = words
        self._noticed = noticed
        self.last_seq = 0

    def restart(self, events: Iterable[TranscriptEvent]) -> None:
        """Show another session: one reset, however many events there are."""
        items, self.last_seq = self._folded(events)
        self._model.reset(items)

    def prepend(self, events: Iterable[TranscriptEvent]) -> None:
        """Put events before those that are shown already."""
        self._model.prepend(self._folded(events)[0])

    def _folded(self, events: Iterable[TranscriptEvent]) -> tuple[list[Item], int]:
        quiet = TranscriptModel()
        reader = TranscriptReader(quiet, self._words, self._noticed)
        for event in events:
            reader.apply(event)
        return [quiet[row] for row in range(len(quiet))], reader.last_seq

    def apply(self, event: TranscriptEvent) -> None:
        """Apply one event."""
        if event.seq <= self.last_seq:
            return
        self.last_seq = event.seq
        item_id = f"{event.kind}:{event.item_id or event.seq}"
        text = str(event.data.get("text") or "")
        match event.kind:
            case "agent" | "thought":
                self._model.append_text(item_id, _STREAMED[event.kind], text)
            case "user":
                self._model.settle()
                self._model.upsert(Item(item_id, Kind.USER, text))
            case "tool_call":
                self._tool(item_id, event.data)
            case "plan":
                # A plan is sent whole each time; within a turn it is the same row.
                self._model.upsert(Item(f"plan:{event.turn}", Kind.PLAN, data={"entries": event.data["entries"]}))
            case "permission":
                self._permission(f"permission:{event.item_id}", event.data)
            case "permission_answer":
                self._answer(f"permission:{event.item_id}", event.data)
            case "question":
                self._question(f"question:{event.item_id}", event.data)
            case "question_answer":
                self._question_answer(f"question:{event.item_id}", event.data)
            case "error":
                message = "\n".join(str(event.data[key]) for key in ("message", "stderr") if event.data.get(key))
                self._model.upsert(Item(item_id, Kind.ERROR, message))
            case "mode":
                name = str(event.data.get("mode_name") or event.data.get("mode") or "")
                self._model.upsert(Item(item_id, Kind.NOTICE, self._words["mode"].format(name)))
            case "turn_end":
                self._model.settle()
                if event.data.get("stop_reason") in ("cancelled", "interrupted"):
                    self._model.upsert(Item(item_id, Kind.NOTICE, self._words["stopped"]))
            case kind if kind in _SILENT:
                pass
            case _:
                if text := (self._noticed(event.data) if event.kind == "notice" else "") or text:
                    about = {"run_id": event.data["run_id"]} if event.data.get("run_id") else {}
                    self._model.upsert(Item(item_id, Kind.NOTICE, text, data=about))

    def _known(self, item_id: str, kind: Kind) -> Item:
        row = self._model.row_of(item_id)
        return Item(item_id, kind) if row is None else self._model[row]

    def _tool(self, item_id: str, data: Mapping[str, Any]) -> None:
        known = self._known(item_id, Kind.TOOL)
        merged = {**known.data, **{key: value for key, value in data.items() if key not in ("title", "kind")}}
        if "kind" in data:
            merged["tool_kind"] = data["kind"]
        merged["output"] = tool_output(merged)
        title = str(data.get("title") or known.text or data.get("name") or merged.get("tool_kind") or "")
        self._model.upsert(replace(known, text=title, data=merged))

    def _permission(self, item_id: str, data: Mapping[str, Any]) -> None:
        known = self._known(item_id, Kind.PERMISSION)
        merged = {**known.data, **data}
        call = self._model.row_of(f"tool_call:{data.get('tool_call_id')}")
        if call is not None and "input" in self._model[call].data:
            merged.setdefault("input", self._model[call].data["input"])
        self._model.upsert(replace(known, text=str(data.get("title") or known.text), data=merged))

    def _question(self, item_id: str, data: Mapping[str, Any]) -> None:
        text = self._words["question"].format(data.get("message") or data.get("title") or "")
        titles = {str(field.get("path")): str(field.get("title")) for field in data.get("fields") or ()}
        self._model.upsert(Item(item_id, Kind.NOTICE, text, data={"fields": titles}))

    def _question_answer(self, item_id: str, data: Mapping[str, Any]) -> None:
        if self._model.row_of(item_id) is None:
            return
        known = self._known(item_id, Kind.NOTICE)
        titles: Mapping[str, str] = known.data.get("fields") or {}
        content: Mapping[str, Any] = data.get("content") or {}
        lines = [f"{titles.get(name, name)}: {_plain(value)}" for name, value in content.items()]
        said = "\n".join(lines) or self._words["unanswered"]
        self._model.upsert(replace(known, text=f"{known.text}\n{said}"))

    def _answer(self, item_id: str, data: Mapping[str, Any]) -> None:
        if self._model.row_of(item_id) is None:
            return
        known = self._known(item_id, Kind.PERMISSION)
        answer = data.get("option_id") or data.get("name") or data.get("outcome") or ""
        self._model.upsert(replace(known, data={**known.data, "answer": str(answer)}))


def _plain(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def tool_output(data: Mapping[str, Any]) -> str:
    """What a tool call gave back as text, wherever its agent put it: content blocks, a terminal, or raw output."""
    parts = [_block_text(block) for block in data.get("content") or () if isinstance(block, Mapping)]
    terminal = data.get("terminal")
    if isinstance(terminal, Mapping):
        parts += [str(value) for key, value in terminal.items() if key.startswith("terminal_output") and value]
    text = "\n".join(part for part in parts if part)
    if text:
        return text
    output = data.get("output")
    if isinstance(output, Mapping) and isinstance(output.get("output"), str):
        return str(output["output"])
    if output is None or isinstance(output, str):
        return output or ""
    return json.dumps(output, indent=2, ensure_ascii=False, default=str)


def change_of(data: Mapping[str, Any]) -> str:
    """What a tool call changed, as one unified diff."""
    blocks = [block for block in data.get("content") or () if isinstance(block, Mapping)]
    return "\n".join(text for block in blocks if block.get("type") == "diff" and (text := _block_text(block)))


def _block_text(block: Mapping[str, Any]) -> str:
    match block.get("type"):
        case "content":
            inner = block.get("content")
            return str(inner.get("text") or "") if isinstance(inner, Mapping) else ""
        case "text":
            return str(block.get("text") or "")
        case "diff":
            return diff_text(str(block.get("path") or ""), block.get("oldText"), str(block.get("newText") or ""))
        case _:
            return ""


def diff_text(path: str, old: str | None, new: str, limit: int = 2000) -> str:
    """A unified diff, cut to ``limit`` lines."""
    before = (old or "").splitlines()
    after = new.splitlines()
    if len(before) + len(after) > 4 * limit:  # difflib's time grows with the square
        return "\n".join([f"+++ {path}", *(f"+{line}" for line in after[:limit]), "⋯"])
    lines = list(difflib.unified_diff(before, after, path, path, lineterm=""))
    return "\n".join([*lines[:limit], "⋯"] if len(lines) > limit else lines)

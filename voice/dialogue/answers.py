"""What a reading command found, in a sentence or two: for the bar, and to be read aloud."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

MOST = 5
"""Entries that are named; the rest is a number."""
_Rows = Sequence[Mapping[str, Any]]
_STATES_ZH = {
    "working": "工作中",
    "idle": "空闲",
    "waiting": "等待回答",
    "starting": "启动中",
    "stopped": "已停止",
    "failed": "失败",
    "interrupted": "被中断",
    "queued": "排队中",
    "running": "进行中",
    "succeeded": "已完成",
    "cancelled": "已取消",
}
_KINDS_ZH = {"plan": "计划", "review": "审查", "delegate": "委派"}


def told(action: str, data: Mapping[str, Any], language: str = "en") -> str:
    """The answer to ``action``; ``Done.`` where the action's own effect says it all."""
    chinese = language.startswith("zh")
    tell = _TELL.get(action)
    return (tell(data, chinese) if tell is not None else "") or ("完成。" if chinese else "Done.")


def _sessions(data: Mapping[str, Any], chinese: bool) -> str:
    rows = cast("_Rows", data.get("sessions") or ())
    named = [f"{row.get('title')} ({_state(row, chinese)})" for row in rows]
    return _listed(named, ("1 session", "{0} sessions", "No sessions."), "{0} 个会话", "没有会话。", chinese)


def _inbox(data: Mapping[str, Any], chinese: bool) -> str:
    rows = cast("_Rows", data.get("rows") or ())
    named = [" ".join(str(row.get(key) or "") for key in ("title", "session_title")).strip() for row in rows]
    words = ("1 request waits for you", "{0} requests wait for you", "Nothing waits for you.")
    return _listed(named, words, "有 {0} 项在等你", "没有事项在等你。", chinese)


def _runs(data: Mapping[str, Any], chinese: bool) -> str:
    rows = cast("_Rows", data.get("runs") or ())
    named = [_run(row, chinese) for row in rows]
    return _listed(named, ("1 run", "{0} runs", "No runs."), "{0} 个运行", "没有运行。", chinese)


def _one_run(data: Mapping[str, Any], chinese: bool) -> str:
    error = cast("Mapping[str, Any]", data.get("error") or {})
    result = cast("Mapping[str, Any]", data.get("result") or {})
    more = str(error.get("message") or result.get("summary") or "")
    found = result.get("findings")
    if isinstance(found, list):
        count = len(cast("list[Any]", found))
        more = f"{more} {_counted(count, ('1 finding', '{0} findings', 'no findings'), '{0} 个问题', chinese)}".strip()
    said = _run(data, chinese)
    return f"{said}: {more}" if more else f"{said}."


def _findings(data: Mapping[str, Any], chinese: bool) -> str:
    rows = cast("_Rows", data.get("findings") or ())
    named = [f"{row.get('severity')}: {row.get('text')} ({_place(row)})" for row in rows]
    return _listed(named, ("1 finding", "{0} findings", "Nothing was found."), "{0} 个问题", "没有发现问题。", chinese)


def _actions(data: Mapping[str, Any], chinese: bool) -> str:
    rows = cast("_Rows", data.get("actions") or ())
    named = [str(row.get("title")) for row in rows]
    return _listed(named, ("1 action", "{0} actions", "No action fits."), "{0} 个操作", "没有合适的操作。", chinese)


def _run(row: Mapping[str, Any], chinese: bool) -> str:
    kind, provider = str(row.get("kind") or ""), str(row.get("provider") or "")
    if chinese:
        return f"{provider} 的{_KINDS_ZH.get(kind, kind)}运行{_state(row, chinese)}"
    return f"{kind} run by {provider} {_state(row, chinese)}"


def _state(row: Mapping[str, Any], chinese: bool) -> str:
    state = str(row.get("state") or "")
    return _STATES_ZH.get(state, state) if chinese else state.replace("_", " ")


def _place(row: Mapping[str, Any]) -> str:
    line = row.get("line")
    return f"{row.get('file')}:{line}" if line else str(row.get("file"))


def _counted(count: int, english: tuple[str, str, str], chinese_words: str, chinese: bool) -> str:
    if chinese:
        return chinese_words.format(count)
    return english[2] if count == 0 else english[0] if count == 1 else english[1].format(count)


def _listed(
    named: Sequence[str], english: tuple[str, str, str], chinese_words: str, nothing: str, chinese: bool
) -> str:
    if not named:
        return nothing if chinese else english[2]
    count = _counted(len(named), english, chinese_words, chinese)
    shown = ("、" if chinese else ", ").join(named[:MOST])
    rest = len(named) - MOST
    more = (f",还有 {rest} 个" if chinese else f", and {rest} more") if rest > 0 else ""
    return f"{count}{':' if chinese else ': '}{shown}{more}{'。' if chinese else '.'}"


_TELL: Mapping[str, Callable[[Mapping[str, Any], bool], str]] = {
    "session.list": _sessions,
    "inbox.list": _inbox,
    "execution.run.list": _runs,
    "execution.run.get": _one_run,
    "execution.run.findings.get": _findings,
    "action.spec.search": _actions,
}

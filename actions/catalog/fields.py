"""What fields are called, and what they are for, where they mean the same in every action that has them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from actions.catalog.text import Text


class FieldText(NamedTuple):
    """``title`` stands where the name alone would read badly."""

    description: Text
    title: Text | None = None


_NONE = FieldText(Text(""))
_SHARED: Mapping[str, FieldText] = {
    "timeout_s": FieldText(
        Text("Seconds to wait at most; giving up stops nothing", "最多等待的秒数;放弃等待不会停止任何操作"),
        Text("Timeout (seconds)", "超时(秒)"),
    ),
    "poll_ms": FieldText(
        Text("Milliseconds between two looks", "两次查看之间的毫秒数"),
        Text("Poll interval (milliseconds)", "轮询间隔(毫秒)"),
    ),
    "limit": FieldText(Text("How many at most", "最多返回的数量")),
    "cursor": FieldText(Text("Where the page before ended: its next_cursor", "上一页结束的位置:其 next_cursor")),
    "kinds": FieldText(
        Text(
            "Only events of these kinds, such as user, agent, tool_call", "仅这些类型的事件,例如 user、agent、tool_call"
        )
    ),
    "directory": FieldText(Text("The folder to work in, where it is no workspace yet", "工作目录(尚未添加为工作区时)")),
    "mcp_selection": FieldText(
        Text(
            'MCP servers for this session: {"include": [...], "exclude": [...]}',
            '此会话的 MCP 服务器:{"include": [...], "exclude": [...]}',
        ),
        Text("MCP selection", "MCP 选择"),
    ),
    "config_options": FieldText(
        Text("Options of the agent, as it names them: {option: value}", "智能体自己的选项:{选项: 值}")
    ),
    "permission_mode": FieldText(Text("What the agent may do before it has to ask", "智能体在询问之前可以做什么")),
    "tag": FieldText(Text("A word of your own, to find the session by", "自定义标签,便于查找会话")),
    "include_preview": FieldText(Text("With the last words of each session", "附上每个会话的最后内容")),
    "include_structured": FieldText(Text("With the result as data, not as text alone", "除文本外还附上结构化结果")),
    "include_missing": FieldText(Text("Those that are not installed too", "也包括未安装的")),
    "include_removed": FieldText(Text("Those that were removed too", "也包括已移除的")),
    "include_disabled": FieldText(
        Text("Those that cannot be chosen now too, with the reason", "也包括当前不可选的,并说明原因")
    ),
    "active_only": FieldText(Text("Only sessions whose agent runs", "仅智能体正在运行的会话")),
    "archived_only": FieldText(Text("Only archived ones", "仅已归档的")),
    "resumable_only": FieldText(Text("Only those that can be taken up again", "仅可恢复的")),
    "live": FieldText(Text("Ask the agent's process, not what was last noted", "询问智能体进程,而不是读取最近的记录")),
    "discard": FieldText(Text("Throw away what was heard", "丢弃已听到的内容")),
    "severity": FieldText(Text("All findings, or only what must not stay (high)", "全部发现,或仅必须修正的(high)")),
    "feedback": FieldText(Text("What the agent is told", "告诉智能体的话")),
    "language": FieldText(Text("Language of the words: en or zh", "语言:en 或 zh")),
    "draft": FieldText(Text("The values that are set so far", "目前已填写的值")),
    "at_message": FieldText(Text("The message from which on it goes another way", "从哪条消息开始分支")),
    "remove_bindings": FieldText(Text("Its bindings to workspaces too", "同时移除与工作区的绑定")),
    "sign_in": FieldText(Text("The way to sign in, where the agent offers several", "登录方式(智能体提供多种时)")),
    "run_class": FieldText(Text("How long it may go on", "可以运行多久")),
    "wait": FieldText(Text("Return when it has ended", "结束后才返回")),
    "retention": FieldText(Text("Whether its session stays in the list after the end", "结束后其会话是否保留在列表中")),
    "services": FieldText(Text("Connected services that the run may use", "运行可以使用的已连接服务")),
    "reason": FieldText(Text("Why", "原因")),
}


def text_of(name: str) -> FieldText:
    """The text of a field of that name; empty where there is none for all."""
    return _SHARED.get(name, _NONE)

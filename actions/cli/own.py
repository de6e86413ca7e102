"""The commands that are no action, and what is added to those that are one. Only the generator reads this."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from actions.catalog.text import Text


def _argument(
    field: str,
    help: Text,
    *,
    flag: str | None = None,
    type: str = "string",
    required: bool = False,
    repeat: bool = False,
    choices: Sequence[str] = (),
    path: str | None = None,
    source: str | None = None,
) -> dict[str, Any]:
    return {
        "field": field,
        "flag": flag,
        "type": type,
        "required": required,
        "repeat": repeat,
        "choices": list(choices),
        "path": path,
        "source": source,
        "help": {"en": help.en, "zh": help.zh or help.en},
    }


def _command(words: str, run: str, help: Text, *arguments: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "words": words.split(),
        "action": None,
        "run": run,
        "help": {"en": help.en, "zh": help.zh or help.en},
        "arguments": list(arguments),
        **more,
    }


_ROW = _argument("id", Text("The row, by id", "收件箱条目的 id"), required=True, source="inbox")
_YES = _argument("yes", Text("Do not ask again before deciding", "决定前不再询问"), flag="--yes", type="boolean")
_FEEDBACK = _argument("feedback", Text("What the agent is told", "告诉智能体的话"), flag="--feedback")
_SCOPE = _argument(
    "scope",
    Text("How far the approval reaches", "批准的范围"),
    flag="--scope",
    choices=["once", "session", "always"],
)
_WAIT = _argument("wait", Text("Return when every run has ended", "等待所有运行结束"), flag="--wait", type="boolean")
_TIMEOUT = _argument(
    "timeout_s",
    Text("Seconds to wait; giving up stops nothing", "等待的秒数;超时不会停止运行"),
    flag="--timeout",
    type="number",
)
_EXIT_STATUS = _argument(
    "exit_status",
    Text(
        "Fail when a run did not succeed: 1, or 75 when trying again makes sense", "运行未成功时以 1(可重试时 75)退出"
    ),
    flag="--exit-status",
    type="boolean",
)
_SESSION = _argument("session_id", Text("The session, by id", "会话 id"), flag="--session-id", source="sessions.open")
_SERVER = _argument("server", Text("The server, by name", "服务器名称"), required=True, source="mcp.servers")
_RAW = {"raw": True}

COMMANDS: list[dict[str, Any]] = [
    _command(
        "actions run",
        "actions.cli.direct:run",
        Text("Run an action by its id", "按 id 运行操作"),
        _argument(
            "id", Text("The action, such as review.start", "操作 id,例如 review.start"), required=True, source="actions"
        ),
        _argument(
            "input",
            Text("Its input as JSON; @FILE reads a file, - standard input", "JSON 输入;@文件 读取文件,- 读取标准输入"),
            flag="--input",
            type="json",
        ),
        _argument(
            "session_id",
            Text("The session that it is about", "所针对的会话"),
            flag="--session-id",
            source="sessions.open",
        ),
    ),
    _command(
        "inbox approve", "actions.cli.deciding:approve", Text("Approve a request", "批准请求"), _ROW, _SCOPE, _YES
    ),
    _command(
        "inbox reject", "actions.cli.deciding:reject", Text("Reject a request", "拒绝请求"), _ROW, _FEEDBACK, _YES
    ),
    _command(
        "inbox answer",
        "actions.cli.deciding:answer",
        Text("Answer a question, a plan or a permission request", "回答问题、计划或权限请求"),
        _ROW,
        _argument(
            "json_input",
            Text(
                "The answer: a text, {question: value}, or the fields of session.user_action.answer",
                "答案:文本、{问题: 值},或 session.user_action.answer 的字段",
            ),
            flag="--json-input",
            type="json",
            required=True,
        ),
        _YES,
    ),
    _command("host", "actions.cli.hosting:serve", Text("Run the host without a window", "运行无窗口的主机进程")),
    _command("host status", "actions.cli.hosting:status", Text("Show the running host", "查看正在运行的主机进程")),
    _command("host stop", "actions.cli.hosting:stop", Text("Stop the running host", "停止正在运行的主机进程")),
    _command(
        "doctor",
        "actions.cli.doctor:run",
        Text("See what works here, and how to fix what does not", "检查本机哪些可用、如何修复"),
    ),
    _command(
        "completion",
        "actions.cli.completion:script",
        Text("Print the completion script of a shell", "输出 shell 补全脚本"),
        _argument("shell", Text("Which shell", "哪种 shell"), required=True, choices=["bash", "zsh", "fish"]),
    ),
    _command(
        "complete",
        "actions.cli.completion:complete",
        Text("Complete a command line", "补全命令行"),
        hidden=True,
        **_RAW,
    ),
    _command("desktop", "actions.cli.others:run", Text("Open the app", "打开应用"), **_RAW),
    _command(
        "demo",
        "actions.cli.others:run",
        Text("The main job, from a spoken command to a finished run", "演示主要流程"),
        **_RAW,
    ),
    _command(
        "voice",
        "actions.cli.others:run",
        Text("Voice: devices, transcribe, intent, run", "语音:devices、transcribe、intent、run"),
        **_RAW,
    ),
    _command(
        "agent",
        "actions.cli.others:agent",
        Text("The built-in agent: ACP on stdin and stdout", "内置智能体(ACP)"),
        **_RAW,
    ),
    _command(
        "tools list",
        "actions.cli.tools:list_tools",
        Text("List the tools that an agent gets", "列出智能体可用的工具"),
        _SESSION,
        _argument(
            "provider",
            Text("As an agent of this provider gets them", "以该智能体所得为准"),
            flag="--provider",
            source="providers.available",
        ),
    ),
    _command(
        "tools call",
        "actions.cli.tools:call_tool",
        Text("Call a tool of a session", "调用会话的工具"),
        _SESSION,
        _argument(
            "source", Text("sayso, or an MCP server's name", "sayso 或 MCP 服务器名"), flag="--source", required=True
        ),
        _argument("tool", Text("The tool's name", "工具名"), flag="--tool", required=True),
        _argument(
            "args_json",
            Text("Its arguments as a JSON object", "JSON 对象形式的参数"),
            flag="--args-json",
            type="json",
        ),
        _argument(
            "wait",
            Text("Return when a person has decided, where one is asked", "需要审批时等待决定"),
            flag="--wait",
            type="boolean",
        ),
    ),
    _command(
        "mcp add",
        "actions.cli.servers:add",
        Text("Add an MCP server, and switch it on", "添加并启用 MCP 服务器"),
        _argument("name", Text("Its name: a-z, 0-9, - and _", "名称:a-z、0-9、- 和 _"), required=True),
        _argument("command", Text("The program that it is", "要运行的程序"), flag="--command"),
        _argument("arg", Text("An argument of the program", "程序的参数"), flag="--arg", repeat=True),
        _argument("url", Text("Where it is reached", "服务器地址"), flag="--url"),
        _argument(
            "transport", Text("How the url is spoken to", "传输方式"), flag="--transport", choices=["http", "sse"]
        ),
        _argument(
            "env",
            Text("A variable: NAME=value, or NAME for its value here", "环境变量:NAME=值,或仅 NAME(取当前值)"),
            flag="--env",
            repeat=True,
        ),
        _argument("header", Text("A header, 'Name: value'", "请求头,“Name: value”"), flag="--header", repeat=True),
        _argument("cwd", Text("The folder that it runs in", "运行目录"), flag="--cwd", path="path"),
        _argument("preset", Text("A known server instead: sayso mcp presets", "常用服务器"), flag="--preset"),
        _argument("disabled", Text("Leave it off", "暂不启用"), flag="--disabled", type="boolean"),
    ),
    _command("mcp remove", "actions.cli.servers:remove", Text("Remove an MCP server", "移除 MCP 服务器"), _SERVER),
    _command(
        "mcp enable",
        "actions.cli.servers:enable",
        Text("Switch an MCP server on, on the device or with --workspace there", "启用 MCP 服务器(设备或工作区)"),
        _SERVER,
    ),
    _command(
        "mcp disable",
        "actions.cli.servers:disable",
        Text("Switch an MCP server off, on the device or with --workspace there", "停用 MCP 服务器(设备或工作区)"),
        _SERVER,
    ),
    _command(
        "mcp login",
        "actions.cli.server_use:login",
        Text("Log in to an MCP server in the browser", "在浏览器中登录 MCP 服务器"),
        _SERVER,
    ),
    _command(
        "mcp logout", "actions.cli.server_use:logout", Text("Log out of an MCP server", "退出 MCP 服务器"), _SERVER
    ),
    _command(
        "mcp trust",
        "actions.cli.server_use:trust",
        Text("Trust the servers of a workspace's file, as they are now", "信任工作区文件中的服务器(以当前内容为准)"),
        _argument("workspace", Text("The workspace's directory", "工作区目录"), required=True, path="path"),
        _argument(
            "yes",
            Text("Agree to what is shown, without asking", "直接同意所示内容,不再询问"),
            flag="--yes",
            type="boolean",
        ),
        _argument(
            "allow_env",
            Text("A variable that can change which program runs, allowed", "允许设置会改变所运行程序的变量"),
            flag="--allow-env",
            repeat=True,
        ),
        _argument("withdraw", Text("Take the trust back", "撤回信任"), flag="--withdraw", type="boolean"),
    ),
    _command(
        "mcp preview",
        "actions.cli.server_use:preview",
        Text("Show the tools that a session would get", "预览会话将获得的工具"),
        _argument(
            "provider",
            Text("As an agent of this provider gets them", "以该智能体所得为准"),
            flag="--provider",
            source="providers.available",
        ),
        _argument(
            "selection",
            Text("What the session takes and leaves, as JSON", "会话选用的服务器(JSON)"),
            flag="--selection",
            type="json",
        ),
        _argument(
            "wait_s",
            Text("Seconds to wait for servers that connect", "等待服务器连接的秒数"),
            flag="--wait",
            type="number",
        ),
    ),
    _command(
        "mcp serve",
        "actions.cli.serving:serve",
        Text("Serve the catalog to an editor over MCP", "通过 MCP 向编辑器提供操作"),
        _SESSION,
        _argument(
            "http",
            Text("On a loopback port, with a token that is printed", "使用本机端口,并输出令牌"),
            flag="--http",
            type="boolean",
        ),
    ),
]

HANDLERS = {
    "session.spawn_new": "actions.cli.sessions:new",
    "session.transcript.get": "actions.cli.sessions:transcript",
    "review.start": "actions.cli.runs:start",
    "subagents.plan.start": "actions.cli.runs:start",
    "subagents.delegate.start": "actions.cli.runs:start",
    "execution.run.wait": "actions.cli.runs:wait",
    "mcp.servers.test": "actions.cli.servers:test",
    "mcp.servers.import": "actions.cli.servers:take_over",
}
"""Actions whose command does more than one call."""

ADDED: dict[str, list[dict[str, Any]]] = {
    "review.start": [_WAIT, _TIMEOUT, _EXIT_STATUS],
    "subagents.plan.start": [_WAIT, _TIMEOUT, _EXIT_STATUS],
    "subagents.delegate.start": [_WAIT, _TIMEOUT, _EXIT_STATUS],
    "execution.run.wait": [_EXIT_STATUS],
}
"""Options of the command that are no input of the action."""

STREAMS = {"session.transcript.get"}
"""Actions whose command takes ``--jsonl``."""

GROUPS: dict[str, Text] = {
    "session": Text("Sessions of agents", "智能体会话"),
    "run": Text("Review, plan and delegate runs", "审查、计划和委派运行"),
    "inbox": Text("What waits for you", "等待你处理的事项"),
    "actions": Text("Everything that can be done, and who may do it", "所有操作及其策略"),
    "providers": Text("Agents that can be chosen", "可用的智能体"),
    "workspace": Text("Directories that agents work in", "智能体工作的目录"),
    "worktree": Text("Git worktrees", "Git 工作树"),
    "approval": Text("Approval requests and rules", "审批请求与规则"),
    "execution": Text("Runs by the ids of their actions", "按操作 id 管理运行"),
    "mcp": Text("Your MCP servers", "你的 MCP 服务器"),
    "settings": Text("Settings of the app", "应用设置"),
    "tools": Text("Tools of a session", "会话的工具"),
}
"""First words that hold several commands, in the order of the overview."""

"""A small catalog and two worlds to match in: the one of the spoken fixture clips and one with other names."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from voice.intent import ActionWords, Context, Matcher, Phrase, Slot, SpokenOption, World, compile, with_ordinals

DATA = Path(__file__).parent / "data"
FIXTURES = Path(__file__).parents[2] / "fixtures" / "voice"

SESSION = Slot(
    "session_id", "options", refers_to="session", nouns=("session", "会话"), titles={"en": "session", "zh": "会话"}
)
SESSION_R = Slot("session_id", "options", required=True, refers_to="session", nouns=("session", "会话"))
PROVIDERS = Slot("providers", "options", multiple=True, required=True, titles={"en": "providers"})
INSTRUCTIONS = Slot("instructions", "text", required=True, titles={"en": "instructions", "zh": "说明"})
WORKSPACE = Slot("workspace", "options", nouns=("workspace", "工作区"), titles={"en": "workspace", "zh": "工作区"})
APPROVAL = Slot("approval_id", "options", required=True, refers_to="approval", nouns=("request", "请求"))


def _action(
    action: str, title: str, effect: Any, says: Sequence[str | tuple[str, dict[str, Any]]], *slots: Slot, zh: str = ""
) -> ActionWords:
    pairs = [(say, dict[str, Any]()) if isinstance(say, str) else say for say in says]
    phrases = tuple(
        Phrase(action, text, "zh" if any(c > "\u2e7f" for c in text) else "en", values) for text, values in pairs
    )
    return ActionWords(action, title, effect, phrases, slots, titles={"zh": zh} if zh else {})


def catalog() -> tuple[ActionWords, ...]:
    approve, reject = {"decision": "approve"}, {"decision": "reject"}
    inbox, mcp, runs = {"target": "inbox"}, {"target": "settings.mcp"}, {"target": "runs"}
    return (
        _action(
            "review.start",
            "Start a review run",
            "external",
            [
                "(start|run|kick off|do) [a] [code] review [run] [(on|of) {session_id}] (with|using|by) {providers}",
                "(start|run|kick off) [a] [code] review [run] [(on|of) {session_id}]",
                "review {session_id} (with|using) {providers}",
                "review {change} (with|using) {providers}",
                "用{providers}(审查|检查){change}",
                "用{providers}(审查|检查){session_id}",
            ],
            PROVIDERS,
            SESSION,
            Slot("change", "options", titles={"en": "change", "zh": "范围"}),
            zh="开始审查",
        ),
        _action(
            "subagents.plan.start",
            "Start a plan run",
            "external",
            [
                "(start|run|kick off) [a] plan run [with {providers}] (for|to|about) {instructions}",
                "(make|draft|write|create) [me] a plan [with {providers}] (for|to) {instructions}",
                "have {providers} (plan|make a plan for) {instructions}",
                "为{instructions}(做|制定)[一个]计划",
                "开始计划运行{instructions}",
            ],
            Slot("providers", "options", multiple=True),
            INSTRUCTIONS,
            SESSION,
            zh="开始计划运行",
        ),
        _action(
            "subagents.delegate.start",
            "Delegate a task",
            "external",
            [
                "delegate {instructions} to {providers}",
                "have {providers} work on {instructions}",
                "让{providers}(做|处理){instructions}",
            ],
            PROVIDERS,
            INSTRUCTIONS,
            SESSION,
        ),
        _action(
            "session.mode.set",
            "Set the mode of a session",
            "write",
            [
                "(switch|set|change|put|move) [session] {session_id} [session] (to|into|in) {mode_id} mode",
                "(switch|change) to {mode_id} mode",
                "[把]{session_id}(切换到|设为|改成){mode_id}模式",
            ],
            SESSION,
            Slot("mode_id", "options", required=True, nouns=("mode", "模式")),
        ),
        _action(
            "approval.request.decide",
            "Decide a request",
            "external",
            [
                ("(approve|allow|accept) [the] {approval_id} [request] [in (my|the) inbox]", approve),
                ("(deny|reject|refuse) [the] {approval_id} [request] [in (my|the) inbox]", reject),
                ("(批准|同意|允许){approval_id}[请求]", approve),
                ("(拒绝|驳回){approval_id}[请求]", reject),
            ],
            APPROVAL,
            Slot("decision", "options"),
            zh="处理请求",
        ),
        _action(
            "session.user_action.answer",
            "Answer a question",
            "external",
            [
                "(answer|reply to|respond to) [the|that] question with {answer}",
                "(answer|reply) [with] {answer} to the question",
                "回答(问题|提问){answer}",
            ],
            Slot("answer", "text", required=True),
            SESSION,
        ),
        _action(
            "session.target.tracked.set",
            "Track sessions",
            "write",
            ["(track|follow|watch) [session[s]] {session_ids} [session[s]]", "(跟踪|关注)[会话]{session_ids}"],
            Slot(
                "session_ids", "options", multiple=True, required=True, refers_to="session", nouns=("session", "会话")
            ),
        ),
        _action(
            "session.target.primary.set",
            "Set the primary session",
            "write",
            [
                "make {session_id} [the|my] primary [session]",
                "set [the] primary session to {session_id}",
                "把{session_id}设为主会话",
            ],
            SESSION_R,
        ),
        _action(
            "ui.open",
            "Open a pane",
            "none",
            [
                (
                    "(open|show|go to|take me to) [the] m c p [server] settings [(for|of|in) [the] {workspace}]",
                    mcp,
                ),
                ("(open|show|go to|check) [me] [my|the] inbox", inbox),
                ("(open|show) [me] [the|my] runs [(pane|list)]", runs),
                ("打开[{workspace}的] m c p 设置", mcp),
                ("(打开|查看|显示)收件箱", inbox),
            ],
            Slot("target", "options"),
            WORKSPACE,
            zh="打开",
        ),
        _action(
            "session.title.set",
            "Rename a session",
            "write",
            [
                "(rename|retitle) {session_id} [to|as] {title}",
                "call {session_id} {title}",
                "[把]{session_id}(改名为|重命名为|改名叫){title}",
            ],
            SESSION,
            Slot("title", "text", required=True, titles={"en": "title", "zh": "标题"}),
            zh="重命名会话",
        ),
        _action(
            "execution.run.stop",
            "Stop a run",
            "write",
            [
                "(stop|cancel|end|abort) (the|this) [current] run",
                "stop [the] run {run_id}",
                "(停止|取消)[当前][的]运行",
            ],
            Slot("run_id", "options"),
        ),
        _action(
            "execution.run.list", "List runs", "read", ["(list|what are) [the] [all] [active] runs", "列出[所有]运行"]
        ),
        _action(
            "session.list",
            "List sessions",
            "read",
            [
                "(show|list) [me] [all] [of] [my|the] sessions",
                "(show|list) [me] [the] last {limit} sessions",
                "(显示|列出)[所有|全部][的]会话",
            ],
            Slot("limit", "number"),
            zh="会话列表",
        ),
        _action(
            "session.spawn_new",
            "Start a session",
            "external",
            [
                "(start|open|create) [a] new {provider} session [(in|for) [the] [workspace] {workspace}]",
                "new {provider} session in [the] [workspace] {workspace}",
                "在{workspace}(新建|开)[一个]{provider}会话",
            ],
            Slot("provider", "options", required=True, titles={"en": "provider"}),
            WORKSPACE,
        ),
        _action(
            "session.open",
            "Open a session",
            "none",
            [
                "(open|go to|jump to|switch to) [the] [session] {session_id} [session]",
                "(打开|切换到)[会话]{session_id}",
            ],
            SESSION_R,
            zh="打开会话",
        ),
        _action(
            "session.archive",
            "Archive a session",
            "write",
            [
                "archive [the] [session] {session_id} [session]",
                "put [the] [session] {session_id} [session] away",
                "归档[会话]{session_id}",
            ],
            SESSION_R,
        ),
        _action(
            "session.delete",
            "Delete a session",
            "danger",
            ["delete [the] [session] {session_id} [session]", "删除[会话]{session_id}"],
            SESSION_R,
        ),
        _action(
            "session.stop",
            "Stop a session",
            "write",
            ["stop [the] session {session_id}", "stop [the] {session_id} session", "停止会话{session_id}"],
            SESSION_R,
        ),
        _action(
            "session.message.send",
            "Send a message",
            "external",
            [
                "send {message} to [the] [session] {session_id} [session]",
                "tell [the] [session] {session_id} [session] to {message}",
                "(发送|发){message}(给|到){session_id}",
            ],
            SESSION,
            Slot("message", "text", required=True, titles={"en": "message", "zh": "消息"}),
        ),
        _action("voice.listen.stop", "Stop listening", "none", ["stop listening", "停止聆听"]),
    )


PROVIDER_OPTIONS = (
    SpokenOption("claude", "Claude"),
    SpokenOption("codex", "Codex"),
    SpokenOption("opencode", "OpenCode"),
    SpokenOption("gemini", "Gemini"),
    SpokenOption("kiro", "Kiro"),
    SpokenOption("qwen", "Qwen"),
    SpokenOption("kimi", "Kimi"),
    SpokenOption("auggie", "Auggie"),
    SpokenOption("builtin", "Scout", ("the scout", "built-in agent")),
    SpokenOption("copilot", "Copilot", disabled=True, reason="not installed"),
)
MODES = (SpokenOption("plan", "Plan", ("计划",)), SpokenOption("ask", "Ask", ("询问",)), SpokenOption("code", "Code"))
CHANGES = (
    SpokenOption(
        "uncommitted",
        "Uncommitted changes",
        ("my uncommitted changes", "the uncommitted changes", "未提交的更改", "未提交的修改"),
    ),
    SpokenOption("branch", "This branch", ("the branch", "这个分支")),
)


def make_world(
    sessions: Sequence[str], workspaces: Sequence[str], requests: int = 4, context: Context | None = None
) -> World:
    """Sessions and workspaces get the ids ``s:<title>`` and ``w:<name>``, requests ``r1`` and on."""
    session = tuple(SpokenOption(f"s:{t}", t) for t in sessions)
    workspace = tuple(SpokenOption(f"w:{n}", n) for n in workspaces)
    approval = with_ordinals([SpokenOption(f"r{i + 1}", f"Request {chr(65 + i)}") for i in range(requests)])
    by_field: dict[str, tuple[SpokenOption, ...]] = {
        "session_id": session,
        "session_ids": session,
        "workspace": workspace,
        "providers": PROVIDER_OPTIONS,
        "provider": PROVIDER_OPTIONS,
        "mode_id": MODES,
        "approval_id": approval,
        "change": CHANGES,
        "run_id": (SpokenOption("run-1", "Postgres plan"),),
        "target": (
            SpokenOption("inbox", "Inbox"),
            SpokenOption("settings.mcp", "MCP settings"),
            SpokenOption("runs", "Runs"),
        ),
        "decision": (SpokenOption("approve", "Approve"), SpokenOption("reject", "Reject")),
    }
    options = {(a.action, s.field): by_field[s.field] for a in catalog() for s in a.slots if s.field in by_field}
    return World(options, context or Context())


def fixture_world(context: Context | None = None) -> World:
    world = json.loads((DATA / "fixture_world.json").read_text())
    return make_world(world["sessions"], world["workspaces"], context=context)


OTHER_SESSIONS = (
    "checkout flow",
    "rate-limiter",
    "kiosk-7",
    "onboarding emails",
    "invoice export",
    "graph_layout",
    "quarterly report",
    "image resizer",
    "发布说明",
    "支付接口",
)
OTHER_WORKSPACES = ("harbor", "blue-whale", "pixel forge", "tax_tools", "north star")


def other_world(context: Context | None = None) -> World:
    return make_world(OTHER_SESSIONS, OTHER_WORKSPACES, context=context)


def matcher(world: World) -> Matcher:
    return Matcher(compile(catalog()), world)


def expected(values: Mapping[str, Any]) -> dict[str, Any]:
    """The clip's values, which name things as a person would, as the input they mean here."""
    ordinals = {"first": "r1", "second": "r2", "third": "r3", "fourth": "r4", "last": "r4"}
    found: dict[str, Any] = {}
    for name, value in values.items():
        if name == "session":
            found["session_id"] = f"s:{value}"
        elif name == "sessions":
            found["session_ids"] = [f"s:{v}" for v in value]
        elif name == "workspace":
            found["workspace"] = f"w:{value}"
        elif name == "request":
            found["approval_id"] = ordinals[value]
        else:
            found[name] = value
    return found


def same(got: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Equal, with free text compared by its words."""
    from voice.intent.text import plain

    if got.keys() != wanted.keys():
        return False
    return all(
        plain(str(got[k])) == plain(str(wanted[k]))
        if k in ("instructions", "answer", "title", "message")
        else got[k] == wanted[k]
        for k in wanted
    )

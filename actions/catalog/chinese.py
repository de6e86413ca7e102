"""The catalog's texts in Chinese, by their English source. A text that is not here is shown in English.

A new action works without an entry; add one here when its words are settled.
"""

from __future__ import annotations

from collections.abc import Mapping

from actions.catalog.chinese_results import RESULTS

DESCRIPTIONS: Mapping[str, str] = {
    "Say what an action would do with an input, before it is run: what it reaches, its effect, who is asked first.": (
        "在运行之前说明操作用这些输入会做什么:涉及什么、有何影响、先询问谁。"
    ),
    "List the choices for a field, given what the draft says so far.": "根据草稿中已有的内容,列出某个字段的选项。",
    "Show one action in full: its inputs, hints and examples, and whether it may be run here.": (
        "完整显示一个操作:输入、提示和示例,以及能否在此运行。"
    ),
    "Find what can be done, by words in English or Chinese.": "用中文或英文查找可以执行的操作。",
    "Show what is set, what would hold without it, and what may be chosen.": "显示当前设置、默认值以及可选的值。",
    "Change one setting of the app, or go back to its default.": "更改一项应用设置,或恢复默认值。",
    "Ask a person to approve an action before it is run.": "请人在运行前批准一个操作。",
    "Approve or reject a request. An approved action runs once, at once.": "批准或拒绝请求。批准的操作立即运行一次。",
    "Leave a request for later. Later is not no.": "稍后再处理请求。稍后不等于拒绝。",
    "Show an approval request with its decision and its result.": "显示审批请求及其决定和结果。",
    "List approval requests, open or decided.": "列出审批请求,包括待处理的和已决定的。",
    "List the rules that release requests without asking.": "列出无需询问即可放行请求的规则。",
    "Take a rule back; what it released is asked for again.": "撤回规则;它放行的内容会重新询问。",
    "Send the findings of review runs, or some of them, to a session as a message that says which are stale.": (
        "将审查运行的全部或部分结果作为消息发送到会话,并说明哪些已过期。"
    ),
    "Show what a review found, merged with the other reviews of that change: who said what, and where.": (
        "查看审查的结果,并与该更改的其他审查合并:谁在哪里说了什么。"
    ),
    "Show a run's state, and its result once it has ended.": "显示运行的状态,结束后显示结果。",
    "List the runs, the newest first.": "列出运行,最新的在前。",
    "Send a message to a run's session: it waits for the end of its turn. One that has ended needs ``resume``.": (
        "向运行的会话发送消息:等当前回合结束后读取。已结束的运行需要恢复。"
    ),
    "Start a review, plan or delegate run with one provider, under the policy of the action that it stands for.": (
        "用一个智能体启动审查、计划或委派运行,遵循对应操作的策略。"
    ),
    "Stop a run and its agent.": "停止运行及其智能体。",
    "Wait until a run has ended. Giving up leaves it alive.": "等待运行结束。放弃等待不会影响它。",
    "Show one request in full.": "完整显示一个请求。",
    "List everything that waits for a person: approvals, permissions, questions and failed runs.": (
        "列出所有等待处理的事项:审批、权限、问题和失败的运行。"
    ),
    "Switch an MCP server on or off for the device or a workspace.": "为本机或工作区启用或停用 MCP 服务器。",
    "Change a binding of an MCP server.": "更改 MCP 服务器的绑定。",
    "Remove a binding of an MCP server.": "移除 MCP 服务器的绑定。",
    "Accept a tool whose definition has changed, as it is now.": "按现状接受定义已更改的工具。",
    "Connect again to a server that failed.": "重新连接失败的服务器。",
    "Show what the servers of a workspace's file would run, and what of it you agreed to.": (
        "显示工作区文件中的服务器将运行什么,以及你已同意的部分。"
    ),
    "Choose which of your MCP servers a session takes and leaves, from its agent's next start on.": (
        "选择会话使用或不使用哪些 MCP 服务器,从其智能体下次启动起生效。"
    ),
    "Call a tool of one of the user's MCP servers that this session gets.": "调用本会话可用的某个 MCP 服务器的工具。",
    "Show exactly the tools that a session would get.": "准确显示会话将得到的工具。",
    "Add an MCP server and bind it.": "添加并绑定 MCP 服务器。",
    "Remove an MCP server's definition.": "删除 MCP 服务器的定义。",
    "Take over MCP servers from another client's configuration.": "从其他客户端的配置导入 MCP 服务器。",
    "List the MCP servers and where each is bound; values that may be secret are left out.": (
        "列出 MCP 服务器及其绑定位置;可能是机密的值不显示。"
    ),
    "Log in to an MCP server in the browser.": "在浏览器中登录 MCP 服务器。",
    "Forget an MCP server's login.": "清除 MCP 服务器的登录信息。",
    "Show one MCP server's definition.": "显示一个 MCP 服务器的定义。",
    "Start an MCP server, list its tools, and end it again.": "启动 MCP 服务器,列出其工具,然后结束它。",
    "Change an MCP server's definition.": "更改 MCP 服务器的定义。",
    "Find the MCP servers that other programs on this machine are set up with; nothing is changed.": (
        "查找本机其他程序所设置的 MCP 服务器;不做任何更改。"
    ),
    "List well-known MCP servers that can be added as they are.": "列出可直接添加的常用 MCP 服务器。",
    "Let a workspace's own MCP servers run, as they are now.": "允许工作区自带的 MCP 服务器按现状运行。",
    "Start a provider's agent, ask what it can do, and end it again.": "启动智能体,询问其能力,然后结束它。",
    "List the agents that can be chosen, and whether each is installed.": "列出可选的智能体以及是否已安装。",
    "Have one or more providers review a change in a session's workspace.": (
        "让一个或多个智能体审查会话工作区中的更改。"
    ),
    "Put a session away; its agent is stopped and its transcript stays.": "收起会话;其智能体停止,记录保留。",
    "Change one of the options that a session's agent offers. It may make the agent ask less.": (
        "更改会话智能体提供的选项。可能使它更少询问。"
    ),
    "Delete a session and its transcript. It cannot be undone; archive it to keep it.": (
        "删除会话及其记录,无法撤销;如需保留请归档。"
    ),
    "Export a session's transcript as Markdown or JSON Lines.": "将会话记录导出为 Markdown 或 JSON Lines。",
    "Start a second session from where this one stands, where its agent offers that.": (
        "从此会话的当前位置启动另一个会话(如果其智能体支持)。"
    ),
    "List the sessions, the most recent first.": "列出会话,最近的在前。",
    "Send a message to a session. While a turn runs it waits in the session's queue.": (
        "向会话发送消息。回合进行时消息在队列中等待。"
    ),
    "Put a session into one of its agent's modes. What the agent acknowledged is what is shown.": (
        "切换会话智能体的模式。显示的是智能体确认的模式。"
    ),
    "Choose the model that a session's agent uses. What the agent acknowledged is what is shown.": (
        "选择会话智能体使用的模型。显示的是智能体确认过的模型。"
    ),
    "Bring a session to the front of the window.": "将会话切换到窗口前面。",
    "Allow or deny what an agent asks to do.": "允许或拒绝智能体请求的操作。",
    "Keep a session at the top of the list, or let it go.": "将会话保持在列表顶部,或取消置顶。",
    "Edit, move or drop a message that waits, send it now (the turn is stopped), or steer the running turn with it.": (
        "编辑、移动或删除排队的消息,立即发送(会停止当前轮次),或将其加入正在进行的轮次。"
    ),
    "Start a stopped session's agent again where it left off. Where it cannot, the reason is told.": (
        "从中断处重新启动会话的智能体。无法恢复时会说明原因。"
    ),
    "Write down what passes between Sayso and a session's agent, secrets masked, to see why an agent misbehaves.": (
        "记录 Sayso 与会话智能体之间的消息(机密已遮盖),以便查明智能体出错的原因。"
    ),
    "Search the text of all sessions: what was said, which tools ran, what went wrong.": (
        "搜索所有会话的文本:说过的话、运行的工具、出错之处。"
    ),
    "Start a new session of a provider in a workspace, with a first message if you give one.": (
        "在工作区中启动智能体的新会话,可附上第一条消息。"
    ),
    "Show what a session is doing and whether it waits for you.": "显示会话在做什么,以及是否在等您。",
    "Stop a session's agent. What was said stays, and it can be resumed.": "停止会话的智能体。内容保留,可以恢复。",
    "Choose the session that commands mean when they name none; null clears the choice.": (
        "选择未指明会话时命令所指的会话;空值清除选择。"
    ),
    "Choose the sessions to keep an eye on.": "选择要关注的会话。",
    "Give a session a new title.": "给会话一个新标题。",
    "Read what happened in a session, oldest first.": "查看会话中发生的事,最早的在前。",
    "Stop what a session is doing now; the session stays.": "停止会话当前的工作;会话保留。",
    "Bring an archived session back into the list.": "将归档的会话恢复到列表。",
    "Answer a question or a plan that an agent put to you.": "回答智能体提出的问题或计划。",
    "Wait until a session is idle or needs attention. Giving up ends nothing.": (
        "等待会话空闲或需要处理。放弃等待不会结束任何事。"
    ),
    "Show which actions may run where, which ask first and how they are exposed, with the reasons.": (
        "显示各操作可在哪里运行、是否先询问、如何公开,以及原因。"
    ),
    "Switch an action off or on for a surface, or change whether it asks and how it is exposed.": (
        "在某个界面上启用或停用操作,或更改是否询问及如何公开。"
    ),
    "Hand a task to one or more providers, each in a child session that may write in the workspace.": (
        "把任务交给一个或多个智能体,各自在可写工作区的子会话中进行。"
    ),
    "Have one or more providers draft a plan for a task. They read, they change nothing.": (
        "让一个或多个智能体为任务起草计划。只读取,不做更改。"
    ),
    "Bring a pane of the window to the front.": "将窗口的面板切换到前面。",
    "Open the microphone of the connected window.": "打开已连接窗口的麦克风。",
    "Close the microphone; what was heard is taken, or thrown away with ``discard``.": (
        "关闭麦克风;听到的内容会被采用,或用 ``discard`` 丢弃。"
    ),
    "Register a directory that agents may work in.": "登记智能体可以工作的目录。",
    "List the registered workspaces.": "列出已登记的工作区。",
    "Show a workspace's sessions.": "显示工作区的会话。",
    "Forget a workspace. Its directory is not touched.": "移除工作区。其目录不受影响。",
    "Tell agents with a trust of their own that you trust a directory and its worktrees: what lies there may run.": (
        "告诉自有信任机制的智能体:你信任此目录及其工作树,其中的内容可以运行。"
    ),
    "Off takes the trust back": "关闭即收回信任",
    "Make a git worktree with its own branch, for a session to work in.": "创建带独立分支的 git 工作树供会话使用。",
    "List the git worktrees that were made for sessions.": "列出为会话创建的 git 工作树。",
    "Show what would be lost with a worktree, and what merging it back would do. Nothing is touched.": (
        "显示删除工作树会丢失什么,以及合并回去的结果。不会改动任何内容。"
    ),
    "Merge a worktree's branch back. Refused when either side is not clean or the two conflict.": (
        "把工作树的分支合并回去。任一侧不干净或有冲突时会拒绝。"
    ),
    "Remove a worktree that has nothing which is nowhere else. "
    "Refused, with what would be lost, when it is not clean.": (
        "删除没有独有内容的工作树。不干净时会拒绝,并列出将丢失的内容。"
    ),
}

FIELDS: Mapping[str, str] = {
    "A new folder and branch, apart from other work in the workspace": "新的文件夹和分支,与工作区中的其他工作分开",
    "The branch that the worktree begins from; left out, what is checked out": (
        "工作树的起始分支;留空则为当前检出的分支"
    ),
    "By id, branch or folder; left out, the session's own": "按 id、分支或文件夹;留空则为会话自己的工作树",
    "Left out, the branch it began from": "留空则为它的起始分支",
    "The branch is named after it": "分支以此命名",
    "Fix the login": "修复登录",
    "A name of your own": "自定义名称",
    "Left out, what is checked out": "留空则为当前检出的分支",
    "Also where moving forward would do": "即使可以快进",
    "Else it goes too, where another branch, a tag or a remote has all of it": (
        "否则在其他分支、标签或远程已包含其全部内容时一并删除"
    ),
    "Also those that are at work": "包括正在工作的会话",
    "Include removed": "包括已删除的",
    "Events after this number": "此编号之后的事件",
    "The newest events, from the start of a turn on where it is near": "最新的事件,若轮次开头不远则从开头算起",
    "With newest: events before this number": "与 newest 一起使用:此编号之前的事件",
    "Search as this surface sees the catalog": "按此界面所见搜索",
    "UTC milliseconds; left out, until you come back to it": "UTC 毫秒;留空则直到您再次处理",
    "The agent's own option, by id": "智能体自己的选项(按 id)",
    "Return when the turn of the first message has ended": "第一条消息的回合结束后返回",
    "Variables of the agent; secret:NAME is taken from the secret store": "智能体的变量;secret:名称 取自密钥库",
    "The answer to the only question": "唯一问题的回答",
    "device, or a workspace's directory": "device,或工作区的目录",
    "What should it do first?": "首先要做什么?",
    "Account": "账户",
    "Action": "操作",
    "Active only": "仅活动的",
    "Answer": "回答",
    "Answers": "回答",
    "Approval": "审批",
    "Archived only": "仅归档的",
    "At message": "从消息",
    "Base": "基准",
    "Binding": "绑定",
    "Bindings": "绑定",
    "Branch": "分支",
    "Changes": "更改",
    "Client": "客户端",
    "Config options": "配置选项",
    "Content hash": "内容哈希",
    "Cursor": "游标",
    "Decision": "决定",
    "Definition": "定义",
    "Directory": "目录",
    "Discard": "丢弃",
    "Display": "显示",
    "Draft": "草稿",
    "Dry run": "试运行",
    "Enabled": "启用",
    "Environment": "环境变量",
    "Expected revision": "预期版本",
    "Exposure": "公开方式",
    "Feedback": "反馈",
    "Field path": "字段路径",
    "Format": "格式",
    "Id": "编号",
    "Include disabled": "包含已停用的",
    "Include missing": "包含未安装的",
    "Include preview": "包含预览",
    "Include structured": "包含结构化结果",
    "Initial message": "第一条消息",
    "Input": "输入",
    "Intent": "意图",
    "Into": "合并到",
    "Kinds": "种类",
    "Language": "语言",
    "Limit": "数量上限",
    "Live": "实时",
    "Where": "写入何处",
    "Wait s": "等待秒数",
    "Cancel": "放弃",
    "Arguments": "参数",
    "Servers": "服务器",
    "Allow env": "允许的变量",
    "Withdraw": "撤回",
    "Left out: what is of this device alone": "留空:仅本机的",
    "Left out: all of them": "留空:全部",
    "Of what was looked at": "所查看内容的哈希",
    "Variables that can change which program runs": "会改变所运行程序的变量",
    "Take it back": "撤回信任",
    "Seconds to wait for servers that connect": "等待服务器连接的秒数",
    "Seconds to wait for the person": "等待用户操作的秒数",
    "Give up the login that was begun": "放弃已开始的登录",
    "Secrets": "机密",
    "Conflicts": "各名称的处理",
    "server@target, as the list shows it": "列表所示的 server@target",
    "Into the file of the device, or of the workspace, where others see it": "写入本机文件,或写入他人可见的工作区文件",
    "Where it is on: {target: device or a folder, enabled, overrides}": (
        "启用位置:{target: device 或文件夹, enabled, overrides}"
    ),
    "Fields of the definition; null takes one out, also within env, headers": (
        "定义的字段;null 表示删除,env、headers 内亦然"
    ),
    "command, args, cwd, url; env and headers name by name, null takes out": (
        "command、args、cwd、url;env 与 headers 按名称更改,null 表示删除"
    ),
    "Message": "消息",
    "Mode": "模式",
    "Model": "模型",
    "Name": "名称",
    "On conflict": "冲突时",
    "Operation": "操作",
    "Option": "选项",
    "Overrides": "覆盖",
    "Path": "路径",
    "Permission mode": "权限模式",
    "Pinned": "置顶",
    "Placements": "位置",
    "Position": "位置",
    "Preview": "预览",
    "Provider": "智能体",
    "Query": "查询",
    "Remove bindings": "移除绑定",
    "Resumable only": "仅可恢复的",
    "Resume": "恢复",
    "Retention": "保留方式",
    "Rule": "规则",
    "Run class": "运行类别",
    "Run": "运行",
    "Scope": "范围",
    "Selection": "选择",
    "Server": "服务器",
    "Services": "服务",
    "Session": "会话",
    "Severity": "严重程度",
    "Source": "来源",
    "Status": "状态",
    "Summary": "摘要",
    "Surface": "界面",
    "Tag": "标签",
    "Target": "目标",
    "Text": "文本",
    "Title": "标题",
    "Tool": "工具",
    "Until": "直到",
    "Value": "值",
    "Wait": "等待",
    "Workspace": "工作区",
}

OPTIONS: Mapping[str, str] = {
    "All": "全部",
    "Allow": "允许",
    "Always": "总是",
    "Approve": "批准",
    "Attention": "需要处理",
    "Bounded": "有限",
    "Cancelled": "已取消",
    "Cli": "命令行",
    "Composer chip": "输入框标签",
    "Default": "默认",
    "Delegate": "委派",
    "Deny": "拒绝",
    "Device": "本机",
    "Direct": "直接",
    "Discoverable": "可发现",
    "Drop": "移除",
    "Edit": "编辑",
    "Ephemeral": "临时",
    "Failed": "失败",
    "High": "高",
    "Hold": "按住",
    "Idle": "空闲",
    "Interrupted": "已中断",
    "Long lived": "长期",
    "Mcp": "编辑器 (MCP)",
    "Move": "移动",
    "Never": "从不",
    "Off": "关",
    "On": "开",
    "Once": "一次",
    "Palette": "命令面板",
    "Plan": "计划",
    "Queued": "排队中",
    "Read only": "只读",
    "Reject": "拒绝",
    "Rename": "重命名",
    "Replace": "替换",
    "Request changes": "要求修改",
    "Resumable": "可恢复",
    "Review": "审查",
    "Run card": "运行卡片",
    "Run list": "运行列表",
    "Running": "运行中",
    "Send now": "立即发送",
    "Session agent": "会话智能体",
    "Session header": "会话标题栏",
    "Session info": "会话信息",
    "Session menu": "会话菜单",
    "Skip": "跳过",
    "Slash": "斜杠命令",
    "Succeeded": "成功",
    "Toggle": "切换",
    "Ui": "窗口",
    "Voice": "语音",
    "Voice panel": "语音面板",
    "Workspace write": "可写工作区",
}

CHINESE: Mapping[str, str] = {**RESULTS, **DESCRIPTIONS, **FIELDS, **OPTIONS}

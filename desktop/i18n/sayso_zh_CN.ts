<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>ActionDetail</name>
    <message>
        <source>In {0}</source>
        <translation>在 {0} 中</translation>
    </message>
    <message>
        <source>On this device</source>
        <translation>在本设备上</translation>
    </message>
    <message>
        <source>As usual ({0})</source>
        <translation>默认({0})</translation>
    </message>
    <message>
        <source>As on this device</source>
        <translation>与本设备相同</translation>
    </message>
    <message>
        <source>this device</source>
        <translation>本设备</translation>
    </message>
    <message>
        <source>{0}, {1}: {2}</source>
        <translation>{0},{1}:{2}</translation>
    </message>
    <message>
        <source>How {0} is shown to agents, {1}</source>
        <translation>“{0}”如何向智能体展示,{1}</translation>
    </message>
    <message>
        <source>For the agent: {0}</source>
        <translation>对智能体:{0}</translation>
    </message>
    <message>
        <source>As on this device ({0})</source>
        <translation>与本设备相同({0})</translation>
    </message>
    <message>
        <source>Not there</source>
        <translation>不存在</translation>
    </message>
    <message>
        <source>This action does not exist there.</source>
        <translation>该界面上没有此操作。</translation>
    </message>
    <message>
        <source>Only a person may do this: in the window, or in a terminal that no agent started.</source>
        <translation>只有本人可以这样做:在窗口中,或在并非由智能体启动的终端中。</translation>
    </message>
    <message>
        <source>It is switched off on this device; a workspace cannot switch it on.</source>
        <translation>它在本设备上已关闭;工作区不能重新开启。</translation>
    </message>
    <message>
        <source>It is switched off there.</source>
        <translation>已在该界面停用。</translation>
    </message>
    <message>
        <source>{0}: this kind of action always asks first. No setting lifts that.</source>
        <translation>{0}:此类操作总是先询问,任何设置都不能取消。</translation>
    </message>
    <message>
        <source>A decision is never asked about a second time.</source>
        <translation>决定本身不会再次询问。</translation>
    </message>
    <message>
        <source>You set this for the workspace.</source>
        <translation>这是你为该工作区设置的。</translation>
    </message>
    <message>
        <source>You set this.</source>
        <translation>由您设置。</translation>
    </message>
    <message>
        <source>This is the usual for such an action.</source>
        <translation>此类操作的默认设置。</translation>
    </message>
    <message>
        <source>no effect</source>
        <translation>无影响</translation>
    </message>
    <message>
        <source>reads</source>
        <translation>读取</translation>
    </message>
    <message>
        <source>writes</source>
        <translation>写入</translation>
    </message>
    <message>
        <source>reaches outside</source>
        <translation>涉及外部</translation>
    </message>
    <message>
        <source>dangerous</source>
        <translation>危险</translation>
    </message>
    <message>
        <source>As a tool of its own</source>
        <translation>作为独立工具</translation>
    </message>
    <message>
        <source>Found by search</source>
        <translation>通过搜索找到</translation>
    </message>
</context>
<context>
    <name>ActionsModel</name>
    <message>
        <source>Action</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>The agent sees</source>
        <translation>智能体看到</translation>
    </message>
    <message>
        <source>cannot be changed</source>
        <translation>无法更改</translation>
    </message>
    <message>
        <source>Allowed</source>
        <translation>允许</translation>
    </message>
    <message>
        <source>Asks first</source>
        <translation>先询问</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>People only</source>
        <translation>仅限本人</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>Voice</source>
        <translation>语音</translation>
    </message>
    <message>
        <source>Agents</source>
        <translation>智能体</translation>
    </message>
    <message>
        <source>Editors</source>
        <translation>编辑器</translation>
    </message>
    <message>
        <source>Terminal</source>
        <translation>终端</translation>
    </message>
    <message>
        <source>As a tool</source>
        <translation>作为工具</translation>
    </message>
    <message>
        <source>By search</source>
        <translation>通过搜索</translation>
    </message>
    <message>
        <source>Not at all</source>
        <translation>看不到</translation>
    </message>
</context>
<context>
    <name>ActionsPage</name>
    <message>
        <source>Search actions</source>
        <translation>搜索操作</translation>
    </message>
    <message>
        <source>The workspace to look at</source>
        <translation>要查看的工作区</translation>
    </message>
    <message>
        <source>What an agent of this provider would see</source>
        <translation>该提供方的智能体会看到什么</translation>
    </message>
    <message>
        <source>Actions by surface</source>
        <translation>各界面的操作</translation>
    </message>
    <message>
        <source>Loading…</source>
        <translation>正在加载…</translation>
    </message>
    <message>
        <source>The actions could not be read</source>
        <translation>无法读取操作</translation>
    </message>
    <message>
        <source>No agent</source>
        <translation>不选智能体</translation>
    </message>
    <message>
        <source>This device only</source>
        <translation>仅本设备</translation>
    </message>
    <message>
        <source>Add a workspace first: what an agent sees depends on where it works.</source>
        <translation>请先添加工作区:智能体看到什么取决于它在哪里工作。</translation>
    </message>
    <message>
        <source>For a session in {0}</source>
        <translation>针对 {0} 中的会话</translation>
    </message>
    <message>
        <source>What may be done from where: on this device, and beside it in one workspace.</source>
        <translation>从哪里可以做什么:在本设备上,以及并列显示的一个工作区中。</translation>
    </message>
    <message>
        <source>Actions</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>As seen by</source>
        <translation>视角</translation>
    </message>
    <message>
        <source>No action fits</source>
        <translation>没有匹配的操作</translation>
    </message>
    <message>
        <source>Try other words.</source>
        <translation>换个说法试试。</translation>
    </message>
</context>
<context>
    <name>AddDialog</name>
    <message>
        <source>Add an MCP server</source>
        <translation>添加 MCP 服务器</translation>
    </message>
    <message>
        <source>Change an MCP server</source>
        <translation>更改 MCP 服务器</translation>
    </message>
    <message>
        <source>Ways to add a server</source>
        <translation>添加服务器的方式</translation>
    </message>
    <message>
        <source>Form</source>
        <translation>表单</translation>
    </message>
    <message>
        <source>Paste</source>
        <translation>粘贴</translation>
    </message>
    <message>
        <source>Known servers</source>
        <translation>常用服务器</translation>
    </message>
    <message>
        <source>JSON, TOML, YAML or a command line</source>
        <translation>JSON、TOML、YAML 或命令行</translation>
    </message>
    <message>
        <source>Paste what a server&apos;s page tells you to put into a configuration, or the command that starts it.</source>
        <translation>粘贴服务器说明页让您写入配置的内容,或启动它的命令。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>测试</translation>
    </message>
    <message>
        <source>Cancel the test</source>
        <translation>取消测试</translation>
    </message>
    <message>
        <source>No server was found in it.</source>
        <translation>其中没有找到服务器。</translation>
    </message>
    <message>
        <source>It works: {0} tools in {1} ms.</source>
        <translation>可以使用:{0} 个工具,用时 {1} 毫秒。</translation>
    </message>
    <message>
        <source>The test was cancelled; nothing of it runs.</source>
        <translation>测试已取消;没有任何进程在运行。</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>添加</translation>
    </message>
    <message>
        <source>Take over</source>
        <translation>导入</translation>
    </message>
    <message>
        <source>Look at it</source>
        <translation>查看内容</translation>
    </message>
    <message>
        <source>Use this one</source>
        <translation>使用此项</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Starting it and listing its tools…</source>
        <translation>正在启动并列出工具…</translation>
    </message>
    <message>
        <source>It also needs: {0}. Put it into the command line.</source>
        <translation>还需要:{0}。请写入命令行。</translation>
    </message>
</context>
<context>
    <name>AgentCard</name>
    <message>
        <source>Agent&apos;s answer</source>
        <translation>智能体的回答</translation>
    </message>
</context>
<context>
    <name>AppearancePage</name>
    <message>
        <source>Appearance</source>
        <translation>外观</translation>
    </message>
    <message>
        <source>Colours</source>
        <translation>颜色</translation>
    </message>
    <message>
        <source>As the desktop</source>
        <translation>跟随桌面</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Contrast</source>
        <translation>对比度</translation>
    </message>
    <message>
        <source>High contrast draws every edge, and all text at least 7 to 1.</source>
        <translation>高对比度会画出所有边线,文字对比度至少 7 比 1。</translation>
    </message>
    <message>
        <source>Usual</source>
        <translation>标准</translation>
    </message>
    <message>
        <source>High</source>
        <translation>高</translation>
    </message>
    <message>
        <source>Text size in points</source>
        <translation>文字大小(磅)</translation>
    </message>
    <message>
        <source>Usual, 10 points</source>
        <translation>标准,10 磅</translation>
    </message>
    <message>
        <source>Size of the window</source>
        <translation>窗口缩放</translation>
    </message>
    <message>
        <source>Everything in it, from the next start of the window.</source>
        <translation>缩放全部内容,下次打开窗口时生效。</translation>
    </message>
    <message>
        <source>Reduce motion</source>
        <translation>减少动态效果</translation>
    </message>
    <message>
        <source>Nothing moves or blinks by itself, the text cursor neither.</source>
        <translation>任何内容都不会自行移动或闪烁,文本光标也不会。</translation>
    </message>
    <message>
        <source>Sizes</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Motion</source>
        <translation>动态效果</translation>
    </message>
</context>
<context>
    <name>AreaEditor</name>
    <message>
        <source>This is not JSON: {0}</source>
        <translation>这不是 JSON：{0}</translation>
    </message>
</context>
<context>
    <name>AskedBody</name>
    <message>
        <source>The plan</source>
        <translation>计划</translation>
    </message>
</context>
<context>
    <name>BindingCard</name>
    <message>
        <source>What is different there</source>
        <translation>此处的不同之处</translation>
    </message>
    <message>
        <source>What is different…</source>
        <translation>有何不同…</translation>
    </message>
    <message>
        <source>On</source>
        <translation>开</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>关</translation>
    </message>
</context>
<context>
    <name>CardView</name>
    <message>
        <source>Edit…</source>
        <translation>编辑…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>{0} % sure</source>
        <translation>{0} % 把握</translation>
    </message>
    <message>
        <source>still missing</source>
        <translation>还缺少</translation>
    </message>
    <message>
        <source>Running…</source>
        <translation>正在执行…</translation>
    </message>
    <message>
        <source>Confirm</source>
        <translation>确认</translation>
    </message>
    <message>
        <source>Confirm: {0}</source>
        <translation>确认：{0}</translation>
    </message>
    <message>
        <source>Fill in…</source>
        <translation>补充…</translation>
    </message>
    <message>
        <source>Open {0} in the form</source>
        <translation>在表单中打开 {0}</translation>
    </message>
    <message>
        <source>Heard: {0}. {1}</source>
        <translation>听到：{0}。{1}</translation>
    </message>
</context>
<context>
    <name>ChoiceEditor</name>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>Not set</source>
        <translation>未设置</translation>
    </message>
</context>
<context>
    <name>CommentStrip</name>
    <message>
        <source>Comment on this line</source>
        <translation>评论这一行</translation>
    </message>
    <message>
        <source>Add comment</source>
        <translation>添加评论</translation>
    </message>
    <message>
        <source>Take the last comment back</source>
        <translation>撤回上一条评论</translation>
    </message>
    <message>
        <source>Send 1 comment</source>
        <translation>发送 1 条评论</translation>
    </message>
    <message>
        <source>Send {0} comments</source>
        <translation>发送 {0} 条评论</translation>
    </message>
</context>
<context>
    <name>Comments</name>
    <message>
        <source>Comments on the change:</source>
        <translation>对更改的评论:</translation>
    </message>
</context>
<context>
    <name>Composer</name>
    <message>
        <source>Message</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Enter sends, Shift+Enter starts a new line.</source>
        <translation>按 Enter 发送，Shift+Enter 换行。</translation>
    </message>
    <message>
        <source>Send message</source>
        <translation>发送消息</translation>
    </message>
    <message>
        <source>Message to {0}…</source>
        <translation>发消息给 {0}…</translation>
    </message>
    <message>
        <source>Start a session to write to an agent.</source>
        <translation>先新建会话，再给智能体发消息。</translation>
    </message>
    <message>
        <source>Stop the turn</source>
        <translation>停止这一轮</translation>
    </message>
    <message>
        <source>Working. Enter queues a message, Esc stops.</source>
        <translation>工作中。Enter 排队消息，Esc 停止。</translation>
    </message>
    <message>
        <source>Enter sends, Shift+Enter for a new line</source>
        <translation>Enter 发送，Shift+Enter 换行</translation>
    </message>
</context>
<context>
    <name>ConfirmDialog</name>
    <message>
        <source>What it is about</source>
        <translation>相关内容</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Yes, do it</source>
        <translation>是,执行</translation>
    </message>
</context>
<context>
    <name>DetectedTab</name>
    <message>
        <source>Look again</source>
        <translation>重新查找</translation>
    </message>
    <message>
        <source>Take over</source>
        <translation>导入</translation>
    </message>
    <message>
        <source>Looking…</source>
        <translation>正在查找…</translation>
    </message>
    <message>
        <source>The other programs could not be read</source>
        <translation>无法读取其他程序</translation>
    </message>
    <message>
        <source>Claude, Codex, Gemini, Cursor, VS Code and others: none of them has a server set up here.</source>
        <translation>Claude、Codex、Gemini、Cursor、VS Code 等均未在此设置服务器。</translation>
    </message>
    <message>
        <source>Nothing was found</source>
        <translation>什么也没有找到</translation>
    </message>
    <message>
        <source>{0} chosen</source>
        <translation>已选 {0} 个</translation>
    </message>
</context>
<context>
    <name>DiffPane</name>
    <message>
        <source>Back to the session</source>
        <translation>返回会话</translation>
    </message>
    <message>
        <source>The end of a very long change is not shown.</source>
        <translation>改动太长,末尾未显示。</translation>
    </message>
    <message>
        <source>Old and new side by side</source>
        <translation>新旧并排显示</translation>
    </message>
    <message>
        <source>Files of the change</source>
        <translation>改动的文件</translation>
    </message>
    <message>
        <source>The change</source>
        <translation>改动</translation>
    </message>
    <message>
        <source>The change, as it was</source>
        <translation>更改前的内容</translation>
    </message>
    <message>
        <source>There is no change to show</source>
        <translation>没有可显示的更改</translation>
    </message>
    <message>
        <source>Nothing was changed</source>
        <translation>没有改动</translation>
    </message>
    <message>
        <source>1 file</source>
        <translation>1 个文件</translation>
    </message>
    <message>
        <source>{0} files</source>
        <translation>{0} 个文件</translation>
    </message>
    <message>
        <source>Loading…</source>
        <translation>正在加载…</translation>
    </message>
    <message>
        <source>The review could not be read</source>
        <translation>无法读取审查</translation>
    </message>
</context>
<context>
    <name>Entry</name>
    <message>
        <source>required</source>
        <translation>必填</translation>
    </message>
    <message>
        <source>optional</source>
        <translation>可选</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>添加</translation>
    </message>
    <message>
        <source>Add {0}</source>
        <translation>添加{0}</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Remove {0}</source>
        <translation>移除{0}</translation>
    </message>
    <message>
        <source>{0}, required</source>
        <translation>{0}，必填</translation>
    </message>
</context>
<context>
    <name>ErrorCard</name>
    <message>
        <source>Error: {0}</source>
        <translation>错误：{0}</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>错误</translation>
    </message>
</context>
<context>
    <name>ErrorWords</name>
    <message>
        <source>The agent ended before it was done.</source>
        <translation>智能体在完成之前就结束了。</translation>
    </message>
    <message>
        <source>The agent refused the task.</source>
        <translation>智能体拒绝了这项任务。</translation>
    </message>
    <message>
        <source>The agent reached its limit before it was done.</source>
        <translation>智能体在完成之前达到了上限。</translation>
    </message>
    <message>
        <source>The agent ended its turn without an answer.</source>
        <translation>智能体结束了回合,但没有给出回答。</translation>
    </message>
    <message>
        <source>The host ended while this run was under way.</source>
        <translation>此运行进行时主进程结束了。</translation>
    </message>
    <message>
        <source>The host was stopped while this run was under way.</source>
        <translation>此运行进行时主进程被停止。</translation>
    </message>
    <message>
        <source>Trying again may help.</source>
        <translation>再试一次可能有用。</translation>
    </message>
</context>
<context>
    <name>FieldBox</name>
    <message>
        <source>required</source>
        <translation>必填</translation>
    </message>
    <message>
        <source>optional</source>
        <translation>可选</translation>
    </message>
    <message>
        <source>{0}, required</source>
        <translation>{0}，必填</translation>
    </message>
</context>
<context>
    <name>FindBar</name>
    <message>
        <source>Find in this session</source>
        <translation>在此会话中查找</translation>
    </message>
    <message>
        <source>The one before</source>
        <translation>上一处</translation>
    </message>
    <message>
        <source>The next one</source>
        <translation>下一处</translation>
    </message>
    <message>
        <source>Close the search</source>
        <translation>关闭查找</translation>
    </message>
    <message>
        <source>Not found</source>
        <translation>未找到</translation>
    </message>
    <message>
        <source>{0} of {1}</source>
        <translation>第 {0} 处,共 {1} 处</translation>
    </message>
</context>
<context>
    <name>FindingList</name>
    <message>
        <source>{0} more, in the change</source>
        <translation>另有 {0} 条,在更改中查看</translation>
    </message>
    <message>
        <source>Show it in the change</source>
        <translation>在更改中显示</translation>
    </message>
    <message>
        <source>Show in the change: {0}</source>
        <translation>在更改中显示:{0}</translation>
    </message>
    <message>
        <source>error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>note</source>
        <translation>提示</translation>
    </message>
</context>
<context>
    <name>FindingsPanel</name>
    <message>
        <source>Findings</source>
        <translation>审查结果</translation>
    </message>
    <message>
        <source>1 finding</source>
        <translation>1 条审查结果</translation>
    </message>
    <message>
        <source>{0} findings</source>
        <translation>{0} 条审查结果</translation>
    </message>
    <message>
        <source>Nothing was found</source>
        <translation>没有发现问题</translation>
    </message>
    <message>
        <source>Not on a line of this change</source>
        <translation>不在此更改的行上</translation>
    </message>
    <message>
        <source>Send 1 finding</source>
        <translation>发送 1 条</translation>
    </message>
    <message>
        <source>Send {0} findings</source>
        <translation>发送 {0} 条</translation>
    </message>
    <message>
        <source>Send 1 finding to…</source>
        <translation>发送 1 条到…</translation>
    </message>
    <message>
        <source>Send {0} findings to…</source>
        <translation>发送 {0} 条到…</translation>
    </message>
    <message>
        <source>Choose none</source>
        <translation>全不选</translation>
    </message>
    <message>
        <source>Choose all</source>
        <translation>全选</translation>
    </message>
    <message>
        <source>error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>note</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>{0} is still reviewing</source>
        <translation>{0} 仍在审查</translation>
    </message>
    <message>
        <source>{0} was stopped</source>
        <translation>{0} 已被停止</translation>
    </message>
    <message>
        <source>{0} gave no list that can be read; its text is in the run</source>
        <translation>{0} 没有给出可读取的列表;其文字在运行中</translation>
    </message>
    <message>
        <source>{0} failed: {1}</source>
        <translation>{0} 失败:{1}</translation>
    </message>
    <message>
        <source>no commit</source>
        <translation>无提交</translation>
    </message>
    <message>
        <source>Stale: HEAD moved from {0} to {1} since. Lines may have moved.</source>
        <translation>已过期:HEAD 已从 {0} 移到 {1},行号可能已变。</translation>
    </message>
</context>
<context>
    <name>FolderButton</name>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>Choose a folder for {0}</source>
        <translation>为 {0} 选择文件夹</translation>
    </message>
</context>
<context>
    <name>ForAgents</name>
    <message>
        <source>{0} shows you a change: {1}</source>
        <translation>{0} 请你看一处改动:{1}</translation>
    </message>
    <message>
        <source>a session</source>
        <translation>一个会话</translation>
    </message>
    <message>
        <source>the inbox</source>
        <translation>收件箱</translation>
    </message>
    <message>
        <source>the runs</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>a run</source>
        <translation>一次运行</translation>
    </message>
    <message>
        <source>{0} wants to show you {1}</source>
        <translation>{0} 想让你看{1}</translation>
    </message>
    <message>
        <source>An agent</source>
        <translation>智能体</translation>
    </message>
</context>
<context>
    <name>FormPage</name>
    <message>
        <source>Running…</source>
        <translation>正在运行…</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Yes, do it</source>
        <translation>确认执行</translation>
    </message>
    <message>
        <source>This may not be undone. Press again to confirm.</source>
        <translation>此操作可能无法撤销。再按一次以确认。</translation>
    </message>
    <message>
        <source>Back to the search</source>
        <translation>返回搜索</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>What was found</source>
        <translation>查找结果</translation>
    </message>
    <message>
        <source>Copy what was found as JSON</source>
        <translation>将结果复制为 JSON</translation>
    </message>
    <message>
        <source>Found</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>en</source>
        <comment>the language of this translation</comment>
        <translation>zh</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Nothing was found.</source>
        <translation>没有找到任何内容。</translation>
    </message>
    <message>
        <source>… and {0} more</source>
        <translation>……还有 {0} 项</translation>
    </message>
    <message>
        <source>Session: {0}</source>
        <translation>会话：{0}</translation>
    </message>
    <message>
        <source>Workspace: {0}</source>
        <translation>工作区：{0}</translation>
    </message>
    <message>
        <source>With {0}</source>
        <translation>由 {0} 执行</translation>
    </message>
    <message>
        <source>Run: {0}</source>
        <translation>运行：{0}</translation>
    </message>
    <message>
        <source>Request: {0}</source>
        <translation>请求：{0}</translation>
    </message>
    <message>
        <source>Server: {0}</source>
        <translation>服务器：{0}</translation>
    </message>
    <message>
        <source>{0} (not known)</source>
        <translation>{0}（未知）</translation>
    </message>
    <message>
        <source>Changes nothing outside this window.</source>
        <translation>不会改变此窗口之外的任何内容。</translation>
    </message>
    <message>
        <source>Only reads; nothing is changed.</source>
        <translation>仅读取，不做任何更改。</translation>
    </message>
    <message>
        <source>Changes something in Sayso.</source>
        <translation>会更改 Sayso 中的内容。</translation>
    </message>
    <message>
        <source>An agent starts to work on your behalf.</source>
        <translation>将有智能体代表你开始工作。</translation>
    </message>
    <message>
        <source>Something outside of Sayso is done on your behalf.</source>
        <translation>将在 Sayso 之外代表你执行操作。</translation>
    </message>
    <message>
        <source>Changes what may be lost.</source>
        <translation>会更改可能丢失的内容。</translation>
    </message>
    <message>
        <source>Asks for approval first, in the inbox; nothing happens before that.</source>
        <translation>会先在收件箱中请求批准，在此之前不会发生任何事。</translation>
    </message>
    <message>
        <source>Asks you to confirm.</source>
        <translation>会请你确认。</translation>
    </message>
</context>
<context>
    <name>FormView</name>
    <message>
        <source>This is needed.</source>
        <translation>这一项必填。</translation>
    </message>
    <message>
        <source>Fewer options</source>
        <translation>收起选项</translation>
    </message>
    <message>
        <source>More options</source>
        <translation>更多选项</translation>
    </message>
</context>
<context>
    <name>FoundCard</name>
    <message>
        <source>Take over {0}</source>
        <translation>导入 {0}</translation>
    </message>
    <message>
        <source>What to do with {0}</source>
        <translation>如何处理 {0}</translation>
    </message>
    <message>
        <source>Under another name</source>
        <translation>使用其他名称</translation>
    </message>
    <message>
        <source>Replace mine</source>
        <translation>替换现有的</translation>
    </message>
    <message>
        <source>What {0} runs</source>
        <translation>{0} 运行什么</translation>
    </message>
    <message>
        <source>{0} is not set here</source>
        <translation>此处未设置 {0}</translation>
    </message>
    <message>
        <source>New</source>
        <translation>新</translation>
    </message>
    <message>
        <source>You have it</source>
        <translation>已有</translation>
    </message>
    <message>
        <source>Name is taken</source>
        <translation>名称已占用</translation>
    </message>
    <message>
        <source>Not supported</source>
        <translation>不支持</translation>
    </message>
    <message>
        <source>Cannot be read</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>Taken over</source>
        <translation>已导入</translation>
    </message>
    <message>
        <source>Replaced</source>
        <translation>已替换</translation>
    </message>
    <message>
        <source>Renamed</source>
        <translation>已重命名</translation>
    </message>
    <message>
        <source>Left out</source>
        <translation>未导入</translation>
    </message>
    <message>
        <source>Never taken over: {0}</source>
        <translation>从不导入:{0}</translation>
    </message>
    <message>
        <source>Goes among your secrets: {0}</source>
        <translation>存入机密:{0}</translation>
    </message>
</context>
<context>
    <name>GeneralPage</name>
    <message>
        <source>General</source>
        <translation>常规</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Holds from the next start of the window.</source>
        <translation>下次打开窗口时生效。</translation>
    </message>
    <message>
        <source>As the desktop</source>
        <translation>跟随桌面</translation>
    </message>
    <message>
        <source>Subagents</source>
        <translation>子智能体</translation>
    </message>
    <message>
        <source>Whether an agent hands work to its own subagents, or must start runs that you see here.</source>
        <translation>智能体是把工作交给自己的子智能体,还是必须启动您在这里能看到的运行。</translation>
    </message>
    <message>
        <source>Its own first</source>
        <translation>优先自己的</translation>
    </message>
    <message>
        <source>Runs of Sayso</source>
        <translation>Sayso 的运行</translation>
    </message>
    <message>
        <source>Start with all MCP servers only</source>
        <translation>仅在所有 MCP 服务器就绪时启动</translation>
    </message>
    <message>
        <source>A session is not started while one of its servers is not connected; it says which and why.</source>
        <translation>只要有一个服务器未连接,会话就不会启动,并会说明是哪一个以及原因。</translation>
    </message>
    <message>
        <source>Seconds until an idle host ends</source>
        <translation>空闲主机结束前的秒数</translation>
    </message>
    <message>
        <source>The host ends when no window is open and no agent works.</source>
        <translation>没有窗口打开且没有智能体工作时,主机结束。</translation>
    </message>
    <message>
        <source>Folder of new worktrees</source>
        <translation>新工作树的文件夹</translation>
    </message>
    <message>
        <source>In Sayso&apos;s data</source>
        <translation>在 Sayso 的数据中</translation>
    </message>
    <message>
        <source>Beside the repository</source>
        <translation>在仓库旁边</translation>
    </message>
    <message>
        <source>Branches begin with</source>
        <translation>分支名开头</translation>
    </message>
    <message>
        <source>The beginning of the name of each branch that is made for a session.</source>
        <translation>为会话创建的每个分支的名称开头。</translation>
    </message>
    <message>
        <source>Agents</source>
        <translation>智能体</translation>
    </message>
    <message>
        <source>Git worktrees</source>
        <translation>Git 工作树</translation>
    </message>
</context>
<context>
    <name>GroupEditor</name>
    <message>
        <source>Add an entry</source>
        <translation>添加一项</translation>
    </message>
    <message>
        <source>Add an entry: {0}</source>
        <translation>添加一项：{0}</translation>
    </message>
    <message>
        <source>An entry has no name yet.</source>
        <translation>有一项还没有名称。</translation>
    </message>
    <message>
        <source>The name {0} is there already.</source>
        <translation>名称 {0} 已经存在。</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Name of the entry</source>
        <translation>此项的名称</translation>
    </message>
    <message>
        <source>Remove the entry {0}</source>
        <translation>移除项 {0}</translation>
    </message>
</context>
<context>
    <name>HistoryPage</name>
    <message>
        <source>Decided requests</source>
        <translation>已决定的请求</translation>
    </message>
    <message>
        <source>Request</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Decided by</source>
        <translation>决定者</translation>
    </message>
    <message>
        <source>When</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Loading…</source>
        <translation>正在加载…</translation>
    </message>
    <message>
        <source>The history could not be read</source>
        <translation>无法读取历史</translation>
    </message>
    <message>
        <source>Nothing was decided yet</source>
        <translation>还没有任何决定</translation>
    </message>
    <message>
        <source>approved</source>
        <translation>已批准</translation>
    </message>
    <message>
        <source>running</source>
        <translation>进行中</translation>
    </message>
    <message>
        <source>approved and done</source>
        <translation>已批准并完成</translation>
    </message>
    <message>
        <source>approved, then failed</source>
        <translation>已批准,随后失败</translation>
    </message>
    <message>
        <source>approved, outcome unknown</source>
        <translation>已批准,结果未知</translation>
    </message>
    <message>
        <source>rejected</source>
        <translation>已拒绝</translation>
    </message>
    <message>
        <source>withdrawn</source>
        <translation>已撤回</translation>
    </message>
    <message>
        <source>expired</source>
        <translation>已过期</translation>
    </message>
    <message>
        <source>out of date</source>
        <translation>已失效</translation>
    </message>
    <message>
        <source>a rule</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>you, in the window</source>
        <translation>你,在窗口中</translation>
    </message>
    <message>
        <source>you, by voice</source>
        <translation>你,通过语音</translation>
    </message>
    <message>
        <source>you, in a terminal</source>
        <translation>你,在终端中</translation>
    </message>
    <message>
        <source>Asked by</source>
        <translation>请求者</translation>
    </message>
    <message>
        <source>Heard</source>
        <translation>听到</translation>
    </message>
    <message>
        <source>Rule</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>Said with it</source>
        <translation>附言</translation>
    </message>
    <message>
        <source>Failed with</source>
        <translation>失败原因</translation>
    </message>
</context>
<context>
    <name>InboxDetail</name>
    <message>
        <source>Write it into the field first.</source>
        <translation>请先填写内容。</translation>
    </message>
    <message>
        <source>The request</source>
        <translation>请求内容</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>Asked by {0}</source>
        <translation>由 {0} 提出</translation>
    </message>
    <message>
        <source>Asked by the session {0}</source>
        <translation>由会话 {0} 提出</translation>
    </message>
    <message>
        <source>not set</source>
        <translation>未设置</translation>
    </message>
    <message>
        <source>This also releases: {0}</source>
        <translation>同时还会放行：{0}</translation>
    </message>
    <message>
        <source>Your answer</source>
        <translation>你的回答</translation>
    </message>
    <message>
        <source>Or in your own words</source>
        <translation>或者用您自己的话</translation>
    </message>
    <message>
        <source>What should change</source>
        <translation>需要改什么</translation>
    </message>
    <message>
        <source>Feedback, sent when you reject</source>
        <translation>反馈（拒绝时一并发送）</translation>
    </message>
    <message>
        <source>“{0}” is kept by Sayso: {1}.</source>
        <translation>“{0}”由 Sayso 记为规则:{1}。</translation>
    </message>
    <message>
        <source>“{0}” is the agent&apos;s own: what it releases cannot be told here.</source>
        <translation>“{0}”是智能体自己的选项:此处无法说明它会放行什么。</translation>
    </message>
    <message>
        <source>It is taken back in Settings, Actions, Rules.</source>
        <translation>可在“设置 › 操作 › 规则”中撤销。</translation>
    </message>
    <message>
        <source>Key {0}</source>
        <translation>按键 {0}</translation>
    </message>
    <message>
        <source>Approve once</source>
        <translation>批准一次</translation>
    </message>
    <message>
        <source>Carry it out</source>
        <translation>执行计划</translation>
    </message>
    <message>
        <source>Reject</source>
        <translation>拒绝</translation>
    </message>
    <message>
        <source>Later</source>
        <translation>稍后</translation>
    </message>
    <message>
        <source>Send answer</source>
        <translation>发送回答</translation>
    </message>
    <message>
        <source>Ask for changes</source>
        <translation>要求修改</translation>
    </message>
    <message>
        <source>Open the run</source>
        <translation>打开运行</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>忽略</translation>
    </message>
    <message>
        <source>Decline</source>
        <translation>拒绝回答</translation>
    </message>
    <message>
        <source>Always allow</source>
        <translation>始终允许</translation>
    </message>
</context>
<context>
    <name>InboxModel</name>
    <message>
        <source>{0}: {1}, asked by {2}</source>
        <translation>{0}：{1}，由 {2} 提出</translation>
    </message>
    <message>
        <source>{0}, and {1} more of this session</source>
        <translation>{0},此会话还有 {1} 项</translation>
    </message>
    <message>
        <source>Approval</source>
        <translation>审批</translation>
    </message>
    <message>
        <source>Permission</source>
        <translation>权限</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Plan to review</source>
        <translation>待审方案</translation>
    </message>
    <message>
        <source>Failed run</source>
        <translation>失败的运行</translation>
    </message>
</context>
<context>
    <name>InboxPane</name>
    <message>
        <source>Requests</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>History</source>
        <translation>历史</translation>
    </message>
    <message>
        <source>What was decided, by whom, and what came of it</source>
        <translation>决定了什么、由谁决定、结果如何</translation>
    </message>
    <message>
        <source>Inbox</source>
        <translation>收件箱</translation>
    </message>
    <message>
        <source>Loading…</source>
        <translation>正在载入…</translation>
    </message>
    <message>
        <source>The inbox could not be read</source>
        <translation>无法读取收件箱</translation>
    </message>
    <message>
        <source>Requests of agents show up here.</source>
        <translation>智能体的请求会显示在这里。</translation>
    </message>
    <message>
        <source>Nothing waits for you</source>
        <translation>没有等你处理的事</translation>
    </message>
</context>
<context>
    <name>JsonEditor</name>
    <message>
        <source>A value as JSON, such as &quot;text&quot;, 12, [1, 2] or {&quot;a&quot;: true}</source>
        <translation>JSON 值，例如 &quot;文本&quot;、12、[1, 2] 或 {&quot;a&quot;: true}</translation>
    </message>
    <message>
        <source>This is not JSON: {0}</source>
        <translation>这不是 JSON：{0}</translation>
    </message>
</context>
<context>
    <name>KeyRow</name>
    <message>
        <source>Keys for: {0}</source>
        <translation>快捷键:{0}</translation>
    </message>
    <message>
        <source>Usual keys for: {0}</source>
        <translation>恢复默认快捷键:{0}</translation>
    </message>
</context>
<context>
    <name>KeysPage</name>
    <message>
        <source>Press the keys in a field to give them to what stands beside it.</source>
        <translation>在输入框中按下按键,即可分配给旁边的功能。</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>快捷键</translation>
    </message>
    <message>
        <source>Search actions</source>
        <translation>搜索操作</translation>
    </message>
    <message>
        <source>Send the message</source>
        <translation>发送消息</translation>
    </message>
    <message>
        <source>New line</source>
        <translation>换行</translation>
    </message>
    <message>
        <source>Stop the turn, or close what is open</source>
        <translation>停止当前回合,或关闭打开的内容</translation>
    </message>
    <message>
        <source>Answer a request in the inbox</source>
        <translation>在收件箱中回答请求</translation>
    </message>
    <message>
        <source>Give the first answer of a request</source>
        <translation>给出请求的第一个回答</translation>
    </message>
    <message>
        <source>{0} always does the same, and cannot be changed.</source>
        <translation>{0} 的功能是固定的,不能更改。</translation>
    </message>
    <message>
        <source>{0} is taken: {1}. Give that another first.</source>
        <translation>{0} 已被占用:{1}。请先为它换一个。</translation>
    </message>
</context>
<context>
    <name>Launcher</name>
    <message>
        <source>Searching…</source>
        <translation>正在搜索…</translation>
    </message>
    <message>
        <source>No action fits. Try other words.</source>
        <translation>没有匹配的操作，换个说法试试。</translation>
    </message>
    <message>
        <source>What should be done?</source>
        <translation>要做什么？</translation>
    </message>
    <message>
        <source>Search actions</source>
        <translation>搜索操作</translation>
    </message>
    <message>
        <source>Actions found</source>
        <translation>找到的操作</translation>
    </message>
    <message>
        <source>choose</source>
        <translation>选择</translation>
    </message>
    <message>
        <source>open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>LineEditor</name>
    <message>
        <source>Enter a number.</source>
        <translation>请输入数字。</translation>
    </message>
</context>
<context>
    <name>ListEditor</name>
    <message>
        <source>Add</source>
        <translation>添加</translation>
    </message>
    <message>
        <source>Add an entry: {0}</source>
        <translation>添加一项：{0}</translation>
    </message>
    <message>
        <source>Entry {0}</source>
        <translation>第 {0} 项</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>上移</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Move up: {0}</source>
        <translation>上移：{0}</translation>
    </message>
    <message>
        <source>Remove: {0}</source>
        <translation>移除：{0}</translation>
    </message>
</context>
<context>
    <name>LocalVoice</name>
    <message>
        <source>Not done.</source>
        <translation>没有执行。</translation>
    </message>
    <message>
        <source>No speech was heard.</source>
        <translation>没有听到说话。</translation>
    </message>
    <message>
        <source>I heard “{0}”, which is no command.</source>
        <translation>听到“{0}”,这不是命令。</translation>
    </message>
    <message>
        <source>Near: {0}.</source>
        <translation>相近的有:{0}。</translation>
    </message>
    <message>
        <source>There is nothing to repeat yet.</source>
        <translation>还没有可重复的内容。</translation>
    </message>
    <message>
        <source>What was done last cannot be taken back by voice.</source>
        <translation>上一步操作无法用语音撤销。</translation>
    </message>
    <message>
        <source>You can say: {0}.</source>
        <translation>你可以说:{0}。</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>This window has no page {0} yet.</source>
        <translation>这个窗口还没有 {0} 页面。</translation>
    </message>
    <message>
        <source>Done: {0}</source>
        <translation>已完成:{0}</translation>
    </message>
    <message>
        <source>The wire log is written to {0}</source>
        <translation>协议日志写入 {0}</translation>
    </message>
    <message>
        <source>Merged into {0}</source>
        <translation>已合并到 {0}</translation>
    </message>
    <message>
        <source>Copied the session as Markdown</source>
        <translation>已将会话复制为 Markdown</translation>
    </message>
    <message>
        <source>Open a link</source>
        <translation>打开链接</translation>
    </message>
    <message>
        <source>Sayso does not open this kind of link:</source>
        <translation>Sayso 不打开这类链接：</translation>
    </message>
    <message>
        <source>Open this in the browser?</source>
        <translation>要在浏览器中打开吗？</translation>
    </message>
</context>
<context>
    <name>NothingEditor</name>
    <message>
        <source>Nothing is to be entered here.</source>
        <translation>这里不需要填写。</translation>
    </message>
</context>
<context>
    <name>NoticeCard</name>
    <message>
        <source>Show the run</source>
        <translation>查看运行</translation>
    </message>
</context>
<context>
    <name>NoticeWords</name>
    <message>
        <source>{provider} changed files or ran commands. It did not ask.</source>
        <translation>{provider} 更改了文件或运行了命令，却没有询问。</translation>
    </message>
    <message>
        <source>{provider} did not wait for your answer: {title} is done already.</source>
        <translation>{provider} 没有等你回答：{title} 已经完成。</translation>
    </message>
    <message>
        <source>A new conversation was started, because {why}. The agent does not remember what is above.</source>
        <translation>已开始新的对话，原因：{why}。智能体不记得上面的内容。</translation>
    </message>
    <message>
        <source>Forked from “{title}”. What is above was said there.</source>
        <translation>从“{title}”分叉而来。上面的内容是在那里说的。</translation>
    </message>
    <message>
        <source>{provider} never asks before it acts.</source>
        <translation>{provider} 行动前从不询问。</translation>
    </message>
    <message>
        <source>{provider} asks before it acts because Sayso configures it to; it does not ask for tools of MCP servers.</source>
        <translation>{provider} 行动前会询问，因为 Sayso 这样配置了它；但使用 MCP 服务器的工具时不会询问。</translation>
    </message>
    <message>
        <source>{provider} works in a sandbox and asks only to leave it: it writes in the workspace unasked.</source>
        <translation>{provider} 在沙箱中工作，只在要离开沙箱时询问：它不经询问就会写入工作区。</translation>
    </message>
    <message>
        <source>The {what} of before could not be set again: {why}</source>
        <translation>无法恢复之前的 {what}：{why}</translation>
    </message>
    <message>
        <source>{provider} was not put into its mode {mode} and may act without asking; it is in: {current}. {why}</source>
        <translation>{provider} 未能进入模式 {mode}，可能不经询问就行动；当前模式：{current}。{why}</translation>
    </message>
    <message>
        <source>{provider} did not take {option}, and may act without asking: {why}</source>
        <translation>{provider} 没有接受 {option}，可能不经询问就行动：{why}</translation>
    </message>
    <message>
        <source>Plan run</source>
        <translation>计划运行</translation>
    </message>
    <message>
        <source>Review run</source>
        <translation>审查运行</translation>
    </message>
    <message>
        <source>Delegated run</source>
        <translation>委托运行</translation>
    </message>
    <message>
        <source>{run} by {provider} succeeded</source>
        <translation>{provider} 的{run}成功</translation>
    </message>
    <message>
        <source>{run} by {provider} failed</source>
        <translation>{provider} 的{run}失败</translation>
    </message>
    <message>
        <source>{run} by {provider} was cancelled</source>
        <translation>{provider} 的{run}已取消</translation>
    </message>
    <message>
        <source>{run} by {provider} was interrupted</source>
        <translation>{provider} 的{run}被中断</translation>
    </message>
    <message>
        <source>{said}: {summary}</source>
        <translation>{said}：{summary}</translation>
    </message>
    <message>
        <source>{said}.</source>
        <translation>{said}。</translation>
    </message>
</context>
<context>
    <name>NotificationsPage</name>
    <message>
        <source>Notifications</source>
        <translation>通知</translation>
    </message>
    <message>
        <source>Nothing is told of the session that you are looking at. A notification names a tool, never a path.</source>
        <translation>正在查看的会话不会通知。通知只写工具名称,从不写路径。</translation>
    </message>
    <message>
        <source>An agent asks for a permission</source>
        <translation>智能体请求权限</translation>
    </message>
    <message>
        <source>An agent asks a question, or shows a plan</source>
        <translation>智能体提问或提交计划</translation>
    </message>
    <message>
        <source>An agent has finished its turn</source>
        <translation>智能体完成了回合</translation>
    </message>
    <message>
        <source>A session or a run has failed</source>
        <translation>会话或运行失败</translation>
    </message>
    <message>
        <source>Tell me when</source>
        <translation>在以下情况通知我</translation>
    </message>
</context>
<context>
    <name>NumberEditor</name>
    <message>
        <source>Enter a whole number.</source>
        <translation>请输入整数。</translation>
    </message>
    <message>
        <source>Enter a number.</source>
        <translation>请输入数字。</translation>
    </message>
</context>
<context>
    <name>Offers</name>
    <message>
        <source>Suggestions</source>
        <translation>建议</translation>
    </message>
</context>
<context>
    <name>PermissionCard</name>
    <message>
        <source>The plan</source>
        <translation>计划</translation>
    </message>
    <message>
        <source>What is asked</source>
        <translation>请求内容</translation>
    </message>
    <message>
        <source>Answered: {0}</source>
        <translation>已回答：{0}</translation>
    </message>
    <message>
        <source>Permission asked: {0}</source>
        <translation>请求权限：{0}</translation>
    </message>
</context>
<context>
    <name>PlanCard</name>
    <message>
        <source>Plan</source>
        <translation>方案</translation>
    </message>
    <message>
        <source>{0} of {1} done</source>
        <translation>已完成 {0}/{1}</translation>
    </message>
    <message>
        <source>Plan, {0} of {1} done</source>
        <translation>方案，已完成 {0}/{1}</translation>
    </message>
</context>
<context>
    <name>PreviewTab</name>
    <message>
        <source>Servers are still connecting…</source>
        <translation>服务器仍在连接…</translation>
    </message>
    <message>
        <source>Tools by source</source>
        <translation>按来源列出的工具</translation>
    </message>
    <message>
        <source>Tool</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>Shown</source>
        <translation>展示</translation>
    </message>
    <message>
        <source>Approval</source>
        <translation>审批</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>Loading…</source>
        <translation>正在加载…</translation>
    </message>
    <message>
        <source>The preview could not be made</source>
        <translation>无法生成预览</translation>
    </message>
    <message>
        <source>What a session gets depends on its workspace and its provider: choose both above.</source>
        <translation>会话得到什么取决于工作区和提供方:请在上方选择。</translation>
    </message>
    <message>
        <source>Choose a workspace</source>
        <translation>选择工作区</translation>
    </message>
    <message>
        <source>{0} tools at once, about {1} tokens</source>
        <translation>立即提供 {0} 个工具,约 {1} 个词元</translation>
    </message>
    <message>
        <source>Several tools would be called {0}</source>
        <translation>多个工具会同名:{0}</translation>
    </message>
    <message>
        <source>Not at all</source>
        <translation>看不到</translation>
    </message>
    <message>
        <source>Brought by the agent</source>
        <translation>智能体自带</translation>
    </message>
</context>
<context>
    <name>PrivacyPage</name>
    <message>
        <source>Privacy</source>
        <translation>隐私</translation>
    </message>
    <message>
        <source>Sayso sends nothing anywhere. What an agent sends is the agent&apos;s own affair.</source>
        <translation>Sayso 不向任何地方发送数据。智能体发送什么由智能体自己负责。</translation>
    </message>
    <message>
        <source>What is stored</source>
        <translation>存储的内容</translation>
    </message>
    <message>
        <source>Transcripts, requests with your answers, and runs, in one database that only you can read.</source>
        <translation>会话记录、请求及您的回答、运行,都在只有您能读取的数据库中。</translation>
    </message>
    <message>
        <source>Secrets of servers and environments in the desktop&apos;s keyring, or in a file that only you can read.</source>
        <translation>服务器和环境的密钥存于桌面密钥环,或只有您能读取的文件中。</translation>
    </message>
    <message>
        <source>Logs of this machine without the text of conversations; a wire log only where you ask for one.</source>
        <translation>本机日志不含对话内容;协议日志仅在您要求时记录。</translation>
    </message>
    <message>
        <source>Export a session…</source>
        <translation>导出会话…</translation>
    </message>
    <message>
        <source>Delete a session for good…</source>
        <translation>永久删除会话…</translation>
    </message>
    <message>
        <source>Take a rule back…</source>
        <translation>撤回规则…</translation>
    </message>
    <message>
        <source>Keep recordings</source>
        <translation>保留录音</translation>
    </message>
    <message>
        <source>Otherwise what the microphone heard is forgotten when it has been read.</source>
        <translation>否则麦克风录下的内容识别后即被丢弃。</translation>
    </message>
    <message>
        <source>Figures about tool calls</source>
        <translation>工具调用统计</translation>
    </message>
    <message>
        <source>How long they took and how they ended, on this machine only.</source>
        <translation>用时和结果,仅保存在本机。</translation>
    </message>
    <message>
        <source>Pages of private addresses</source>
        <translation>私有地址的网页</translation>
    </message>
    <message>
        <source>Lets the built-in agent fetch from this machine and your network.</source>
        <translation>允许内置智能体从本机和您的网络获取内容。</translation>
    </message>
    <message>
        <source>What may be kept</source>
        <translation>可以保留的内容</translation>
    </message>
    <message>
        <source>What may be reached</source>
        <translation>可以访问的内容</translation>
    </message>
    <message>
        <source>The settings are in {0}</source>
        <translation>设置保存在 {0}</translation>
    </message>
</context>
<context>
    <name>ProgressStrip</name>
    <message>
        <source>Under way</source>
        <translation>进行中</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Working</source>
        <translation>处理中</translation>
    </message>
    <message>
        <source>{0}… and {1} more</source>
        <translation>{0}……另有 {1} 项</translation>
    </message>
    <message>
        <source>{0}…</source>
        <translation>{0}……</translation>
    </message>
    <message>
        <source>Cancel: {0}</source>
        <translation>取消：{0}</translation>
    </message>
</context>
<context>
    <name>ProviderCard</name>
    <message>
        <source>found</source>
        <translation>已找到</translation>
    </message>
    <message>
        <source>not installed</source>
        <translation>未安装</translation>
    </message>
    <message>
        <source>too old</source>
        <translation>版本过旧</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>检查</translation>
    </message>
    <message>
        <source>Check {0}</source>
        <translation>检查 {0}</translation>
    </message>
    <message>
        <source>Starting it…</source>
        <translation>正在启动…</translation>
    </message>
    <message>
        <source>It starts and answers.</source>
        <translation>可以启动并作出应答。</translation>
    </message>
</context>
<context>
    <name>ProvidersPage</name>
    <message>
        <source>Providers</source>
        <translation>智能体</translation>
    </message>
    <message>
        <source>Provider of new sessions</source>
        <translation>新会话使用的智能体</translation>
    </message>
    <message>
        <source>Ask each time</source>
        <translation>每次询问</translation>
    </message>
    <message>
        <source>Model of the built-in agent</source>
        <translation>内置智能体的模型</translation>
    </message>
    <message>
        <source>As provider:name; empty looks for one.</source>
        <translation>格式为 provider:name;留空则自动寻找。</translation>
    </message>
    <message>
        <source>Search service of the built-in agent</source>
        <translation>内置智能体的搜索服务</translation>
    </message>
    <message>
        <source>Its address; empty: it cannot search the web.</source>
        <translation>其地址;留空则无法搜索网页。</translation>
    </message>
    <message>
        <source>Agents on this machine</source>
        <translation>本机上的智能体</translation>
    </message>
    <message>
        <source>Built-in agent</source>
        <translation>内置智能体</translation>
    </message>
    <message>
        <source>Looking for agents…</source>
        <translation>正在查找智能体…</translation>
    </message>
</context>
<context>
    <name>QueuePanel</name>
    <message>
        <source>and {0} more</source>
        <translation>还有 {0} 条</translation>
    </message>
</context>
<context>
    <name>ReasonWords</name>
    <message>
        <source>Stopped by you.</source>
        <translation>已由您停止。</translation>
    </message>
    <message>
        <source>Its run has ended.</source>
        <translation>它的运行已结束。</translation>
    </message>
    <message>
        <source>It was given up before its agent was ready. Send a message to start it.</source>
        <translation>在智能体就绪之前已放弃。发送消息即可启动。</translation>
    </message>
    <message>
        <source>The host ended. Send a message to go on.</source>
        <translation>主进程已结束。发送消息即可继续。</translation>
    </message>
    <message>
        <source>The host ended while the agent was at work. Send a message to go on.</source>
        <translation>主进程在智能体工作时结束。发送消息即可继续。</translation>
    </message>
    <message>
        <source>The host was stopped. Send a message to go on.</source>
        <translation>主进程已停止。发送消息即可继续。</translation>
    </message>
    <message>
        <source>The start was interrupted.</source>
        <translation>启动被中断。</translation>
    </message>
    <message>
        <source>Still starting: prepares its start, {seconds} s</source>
        <translation>仍在启动:正在准备,{seconds} 秒</translation>
    </message>
    <message>
        <source>Still starting: waits for the answer of {provider} to {step}, {seconds} s</source>
        <translation>仍在启动:正在等待 {provider} 对 {step} 的回应,{seconds} 秒</translation>
    </message>
</context>
<context>
    <name>Review</name>
    <message>
        <source>What the reviews found</source>
        <translation>审查发现的内容</translation>
    </message>
</context>
<context>
    <name>RunDetail</name>
    <message>
        <source>Result of the run</source>
        <translation>运行结果</translation>
    </message>
    <message>
        <source>Stop the run</source>
        <translation>停止运行</translation>
    </message>
    <message>
        <source>Show in the change</source>
        <translation>在更改中显示</translation>
    </message>
    <message>
        <source>Open its session</source>
        <translation>打开它的会话</translation>
    </message>
    <message>
        <source>Send the findings to the session</source>
        <translation>将审查结果发送到会话</translation>
    </message>
    <message>
        <source>Write to the run…</source>
        <translation>给运行发消息…</translation>
    </message>
    <message>
        <source>Overview</source>
        <translation>概览</translation>
    </message>
    <message>
        <source>Transcript</source>
        <translation>记录</translation>
    </message>
    <message>
        <source>Overview or transcript of the run</source>
        <translation>运行的概览或记录</translation>
    </message>
    <message>
        <source>Loading…</source>
        <translation>正在加载…</translation>
    </message>
    <message>
        <source>Nothing was said yet</source>
        <translation>还没有对话</translation>
    </message>
    <message>
        <source>It has no session: it did not start, or its session was deleted</source>
        <translation>它没有会话:未能启动,或会话已被删除</translation>
    </message>
    <message>
        <source>The transcript could not be read</source>
        <translation>无法读取记录</translation>
    </message>
    <message>
        <source>no commit</source>
        <translation>无提交</translation>
    </message>
    <message>
        <source>Stale: HEAD moved from {0} to {1} since. Review again to be sure.</source>
        <translation>已过期:HEAD 已从 {0} 移到 {1}。请重新审查以确认。</translation>
    </message>
    <message>
        <source>Its agent is being started.</source>
        <translation>正在启动它的智能体。</translation>
    </message>
    <message>
        <source>It is at work; its result will be here.</source>
        <translation>正在工作;结果会显示在这里。</translation>
    </message>
    <message>
        <source>It was stopped before it had a result.</source>
        <translation>在得出结果之前已被停止。</translation>
    </message>
    <message>
        <source>It has no result.</source>
        <translation>没有结果。</translation>
    </message>
    <message>
        <source>1 finding</source>
        <translation>1 条审查结果</translation>
    </message>
    <message>
        <source>{0} findings</source>
        <translation>{0} 条审查结果</translation>
    </message>
    <message>
        <source>Nothing was found</source>
        <translation>没有发现问题</translation>
    </message>
    <message>
        <source>Its findings could not be read as a list ({0}); they are in its text.</source>
        <translation>它的审查结果无法读成列表({0});请看它的文字。</translation>
    </message>
    <message>
        <source>{0} files, +{1} −{2}</source>
        <translation>{0} 个文件,+{1} −{2}</translation>
    </message>
    <message>
        <source>{0} commits on {1}, from {2} to {3}</source>
        <translation>{1} 上的 {0} 个提交,从 {2} 到 {3}</translation>
    </message>
    <message>
        <source>no branch</source>
        <translation>无分支</translation>
    </message>
    <message>
        <source>no commit yet</source>
        <translation>尚无提交</translation>
    </message>
    <message>
        <source>Uncommitted changes on {0} at {1}</source>
        <translation>{0} 上 {1} 处未提交的改动</translation>
    </message>
    <message>
        <source>{0} staged, {1} unstaged, {2} untracked</source>
        <translation>{0} 已暂存,{1} 未暂存,{2} 未跟踪</translation>
    </message>
</context>
<context>
    <name>RunListModel</name>
    <message>
        <source>stale</source>
        <translation>已过期</translation>
    </message>
    <message>
        <source>Review run</source>
        <translation>审查运行</translation>
    </message>
    <message>
        <source>Plan run</source>
        <translation>方案运行</translation>
    </message>
    <message>
        <source>Delegated run</source>
        <translation>委派运行</translation>
    </message>
    <message>
        <source>queued</source>
        <translation>排队中</translation>
    </message>
    <message>
        <source>running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>succeeded</source>
        <translation>已成功</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>interrupted</source>
        <translation>已中断</translation>
    </message>
</context>
<context>
    <name>RunsPane</name>
    <message>
        <source>Runs</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Loading…</source>
        <translation>正在载入…</translation>
    </message>
    <message>
        <source>The runs could not be read</source>
        <translation>无法读取运行</translation>
    </message>
    <message>
        <source>No runs yet</source>
        <translation>还没有运行</translation>
    </message>
    <message>
        <source>A run is an agent with one job: a plan, a review or a piece of work.</source>
        <translation>运行是只做一件事的智能体：方案、审查或一项工作。</translation>
    </message>
</context>
<context>
    <name>SchemaEditor</name>
    <message>
        <source>Something in here is not right yet.</source>
        <translation>这里还有内容不正确。</translation>
    </message>
</context>
<context>
    <name>SchemaWords</name>
    <message>
        <source>Yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>No</source>
        <translation>否</translation>
    </message>
    <message>
        <source>text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>a whole number</source>
        <translation>整数</translation>
    </message>
    <message>
        <source>a number</source>
        <translation>数字</translation>
    </message>
    <message>
        <source>yes or no</source>
        <translation>是或否</translation>
    </message>
    <message>
        <source>a choice</source>
        <translation>一个选项</translation>
    </message>
    <message>
        <source>choices</source>
        <translation>多个选项</translation>
    </message>
    <message>
        <source>several fields</source>
        <translation>多个字段</translation>
    </message>
    <message>
        <source>a list</source>
        <translation>列表</translation>
    </message>
    <message>
        <source>one of several</source>
        <translation>多种之一</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>空</translation>
    </message>
    <message>
        <source>any value, as JSON</source>
        <translation>任意值（JSON）</translation>
    </message>
    <message>
        <source>This is needed.</source>
        <translation>这是必填项。</translation>
    </message>
    <message>
        <source>This must be: {0}.</source>
        <translation>必须是：{0}。</translation>
    </message>
    <message>
        <source>One of: {0}.</source>
        <translation>其中之一：{0}。</translation>
    </message>
    <message>
        <source>Only {0} is possible.</source>
        <translation>只能是 {0}。</translation>
    </message>
    <message>
        <source>At least {0}.</source>
        <translation>至少 {0}。</translation>
    </message>
    <message>
        <source>At most {0}.</source>
        <translation>最多 {0}。</translation>
    </message>
    <message>
        <source>More than {0}.</source>
        <translation>大于 {0}。</translation>
    </message>
    <message>
        <source>Less than {0}.</source>
        <translation>小于 {0}。</translation>
    </message>
    <message>
        <source>A multiple of {0}.</source>
        <translation>{0} 的倍数。</translation>
    </message>
    <message>
        <source>At least {0} characters.</source>
        <translation>至少 {0} 个字符。</translation>
    </message>
    <message>
        <source>At most {0} characters.</source>
        <translation>最多 {0} 个字符。</translation>
    </message>
    <message>
        <source>At least {0} entries.</source>
        <translation>至少 {0} 项。</translation>
    </message>
    <message>
        <source>At most {0} entries.</source>
        <translation>最多 {0} 项。</translation>
    </message>
    <message>
        <source>At least {0} fields.</source>
        <translation>至少 {0} 个字段。</translation>
    </message>
    <message>
        <source>At most {0} fields.</source>
        <translation>最多 {0} 个字段。</translation>
    </message>
    <message>
        <source>Each entry once only.</source>
        <translation>每项只能出现一次。</translation>
    </message>
    <message>
        <source>It must match {0}.</source>
        <translation>必须匹配 {0}。</translation>
    </message>
    <message>
        <source>Write it like {0}.</source>
        <translation>格式如 {0}。</translation>
    </message>
    <message>
        <source>This name is not expected here.</source>
        <translation>这里不应有这个名称。</translation>
    </message>
    <message>
        <source>This name is not allowed here.</source>
        <translation>这里不允许这个名称。</translation>
    </message>
    <message>
        <source>This combination is not allowed.</source>
        <translation>不允许这种组合。</translation>
    </message>
    <message>
        <source>It must fit exactly one of the shapes.</source>
        <translation>必须恰好符合其中一种形式。</translation>
    </message>
    <message>
        <source>It fits none of the shapes.</source>
        <translation>不符合任何一种形式。</translation>
    </message>
    <message>
        <source>An entry that is asked for is missing.</source>
        <translation>缺少要求的项。</translation>
    </message>
    <message>
        <source>A field that belongs to another one is missing.</source>
        <translation>缺少与另一字段配套的字段。</translation>
    </message>
</context>
<context>
    <name>Section</name>
    <message>
        <source>Show all, {0} more lines</source>
        <translation>显示全部，还有 {0} 行</translation>
    </message>
</context>
<context>
    <name>SelectEditor</name>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>Not set</source>
        <translation>未设置</translation>
    </message>
    <message>
        <source>{0} (not offered now)</source>
        <translation>{0}（目前不可选）</translation>
    </message>
</context>
<context>
    <name>ServerDetail</name>
    <message>
        <source>What it runs</source>
        <translation>它运行什么</translation>
    </message>
    <message>
        <source>What it wrote last</source>
        <translation>它最后的输出</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>测试</translation>
    </message>
    <message>
        <source>Cancel the test</source>
        <translation>取消测试</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Log in</source>
        <translation>登录</translation>
    </message>
    <message>
        <source>Log out</source>
        <translation>退出登录</translation>
    </message>
    <message>
        <source>Review and trust</source>
        <translation>查看并信任</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Test under way</source>
        <translation>正在测试</translation>
    </message>
    <message>
        <source>Result of the test</source>
        <translation>测试结果</translation>
    </message>
    <message>
        <source>Give up the login</source>
        <translation>放弃登录</translation>
    </message>
    <message>
        <source>Where it is on</source>
        <translation>在哪里启用</translation>
    </message>
    <message>
        <source>On</source>
        <translation>开</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>It works: {0} tools in {1} ms.</source>
        <translation>可以使用:{0} 个工具,用时 {1} 毫秒。</translation>
    </message>
    <message>
        <source>Finish the login in the browser; {0} seconds left.</source>
        <translation>请在浏览器中完成登录,还剩 {0} 秒。</translation>
    </message>
    <message>
        <source>You are logged in.</source>
        <translation>已登录。</translation>
    </message>
    <message>
        <source>You are logged out.</source>
        <translation>已退出登录。</translation>
    </message>
    <message>
        <source>The login failed.</source>
        <translation>登录失败。</translation>
    </message>
    <message>
        <source>It belongs to the workspace&apos;s own file.</source>
        <translation>它属于工作区自己的文件。</translation>
    </message>
    <message>
        <source>This device, every workspace</source>
        <translation>本设备,所有工作区</translation>
    </message>
    <message>
        <source>Not set</source>
        <translation>未设置</translation>
    </message>
    <message>
        <source>Workspace {0}</source>
        <translation>工作区 {0}</translation>
    </message>
    <message>
        <source>Together: on here</source>
        <translation>合计:在此启用</translation>
    </message>
    <message>
        <source>Together: off here</source>
        <translation>合计:在此停用</translation>
    </message>
    <message>
        <source>As on the device</source>
        <translation>与设备相同</translation>
    </message>
    <message>
        <source>As its file says</source>
        <translation>按其文件</translation>
    </message>
    <message>
        <source>Starting it and listing its tools… {0} s</source>
        <translation>正在启动并列出工具… {0} 秒</translation>
    </message>
</context>
<context>
    <name>ServerForm</name>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Small letters, digits, - and _</source>
        <translation>小写字母、数字、- 和 _</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>标题</translation>
    </message>
    <message>
        <source>Command line or address</source>
        <translation>命令行或地址</translation>
    </message>
    <message>
        <source>An address begins with https://</source>
        <translation>地址以 https:// 开头</translation>
    </message>
    <message>
        <source>Folder to start in</source>
        <translation>启动目录</translation>
    </message>
    <message>
        <source>Variables</source>
        <translation>变量</translation>
    </message>
    <message>
        <source>One a line. Secrets go into the keyring.</source>
        <translation>每行一个。机密存入密钥环。</translation>
    </message>
    <message>
        <source>Headers</source>
        <translation>请求头</translation>
    </message>
    <message>
        <source>One a line, for an address.</source>
        <translation>每行一个,用于地址。</translation>
    </message>
    <message>
        <source>On for</source>
        <translation>启用范围</translation>
    </message>
    <message>
        <source>This device, every workspace</source>
        <translation>本设备,所有工作区</translation>
    </message>
    <message>
        <source>Only in {0}</source>
        <translation>仅在 {0}</translation>
    </message>
    <message>
        <source>This is no command line: {0}</source>
        <translation>这不是命令行:{0}</translation>
    </message>
    <message>
        <source>Write NAME=value: {0}</source>
        <translation>请写成 NAME=value:{0}</translation>
    </message>
    <message>
        <source>Write Name: value: {0}</source>
        <translation>请写成 Name: value:{0}</translation>
    </message>
    <message>
        <source>This is needed.</source>
        <translation>此项必填。</translation>
    </message>
</context>
<context>
    <name>ServerListModel</name>
    <message>
        <source>Needs attention</source>
        <translation>需要处理</translation>
    </message>
    <message>
        <source>Not trusted yet</source>
        <translation>尚未信任</translation>
    </message>
    <message>
        <source>On</source>
        <translation>开</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>关</translation>
    </message>
</context>
<context>
    <name>ServersPage</name>
    <message>
        <source>Workspace</source>
        <translation>工作区</translation>
    </message>
    <message>
        <source>Provider</source>
        <translation>提供方</translation>
    </message>
    <message>
        <source>Add a server</source>
        <translation>添加服务器</translation>
    </message>
    <message>
        <source>MCP servers</source>
        <translation>MCP 服务器</translation>
    </message>
    <message>
        <source>Configured</source>
        <translation>已配置</translation>
    </message>
    <message>
        <source>Detected</source>
        <translation>已发现</translation>
    </message>
    <message>
        <source>Preview</source>
        <translation>预览</translation>
    </message>
    <message>
        <source>Servers</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>This device only</source>
        <translation>仅本设备</translation>
    </message>
    <message>
        <source>Loading…</source>
        <translation>正在加载…</translation>
    </message>
    <message>
        <source>The servers could not be read</source>
        <translation>无法读取服务器</translation>
    </message>
    <message>
        <source>In</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>for</source>
        <translation>智能体</translation>
    </message>
    <message>
        <source>A server gives agents more tools. Add one, or look at Detected for those of other programs.</source>
        <translation>服务器为智能体提供更多工具。添加一个,或在“已发现”中查看其他程序的服务器。</translation>
    </message>
    <message>
        <source>No MCP servers yet</source>
        <translation>还没有 MCP 服务器</translation>
    </message>
</context>
<context>
    <name>SessionHeader</name>
    <message>
        <source>Mode</source>
        <translation>模式</translation>
    </message>
    <message>
        <source>Session mode</source>
        <translation>会话模式</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Session model</source>
        <translation>会话模型</translation>
    </message>
    <message>
        <source>Stop the session</source>
        <translation>停止会话</translation>
    </message>
    <message>
        <source>Servers and agents of this session</source>
        <translation>此会话的服务器和智能体</translation>
    </message>
    <message>
        <source>More for this session</source>
        <translation>此会话的更多操作</translation>
    </message>
    <message>
        <source>did not ask</source>
        <translation>未经询问</translation>
    </message>
    <message>
        <source>It acted without asking where it should have asked.</source>
        <translation>它本该先询问,却直接动手了。</translation>
    </message>
    <message>
        <source>never asks</source>
        <translation>从不询问</translation>
    </message>
    <message>
        <source>This agent never asks before it acts.</source>
        <translation>此智能体行动前从不询问。</translation>
    </message>
    <message>
        <source>may not ask</source>
        <translation>可能不询问</translation>
    </message>
    <message>
        <source>It did not confirm the mode in which it asks, and may act without asking.</source>
        <translation>它没有确认会先询问的模式,可能不询问就行动。</translation>
    </message>
    <message>
        <source>It did not take an option by which it asks.</source>
        <translation>它没有接受让它先询问的选项。</translation>
    </message>
    <message>
        <source>without Sayso&apos;s tools</source>
        <translation>没有 Sayso 工具</translation>
    </message>
    <message>
        <source>It never asked for Sayso&apos;s tools, so it works without them.</source>
        <translation>它从未请求 Sayso 的工具,因此在没有这些工具的情况下工作。</translation>
    </message>
    <message>
        <source>Its worktree is gone</source>
        <translation>它的工作树已不在</translation>
    </message>
    <message>
        <source>Its worktree was removed</source>
        <translation>它的工作树已删除</translation>
    </message>
    <message>
        <source>Worktree on {0}: merge back, remove</source>
        <translation>{0} 上的工作树:合并、删除</translation>
    </message>
</context>
<context>
    <name>SessionListModel</name>
    <message>
        <source>waiting for you</source>
        <translation>等你处理</translation>
    </message>
    <message>
        <source>still starting</source>
        <translation>仍在启动</translation>
    </message>
    <message>
        <source>starting</source>
        <translation>启动中</translation>
    </message>
    <message>
        <source>idle</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>working</source>
        <translation>工作中</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>interrupted</source>
        <translation>已中断</translation>
    </message>
    <message>
        <source>primary</source>
        <translation>主会话</translation>
    </message>
    <message>
        <source>followed</source>
        <translation>已跟踪</translation>
    </message>
    <message>
        <source>Workspace {0}, {1} sessions</source>
        <translation>工作区 {0}，{1} 个会话</translation>
    </message>
    <message>
        <source>, unread</source>
        <translation>，未读</translation>
    </message>
</context>
<context>
    <name>SessionMenu</name>
    <message>
        <source>Session</source>
        <translation>会话</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Fork</source>
        <translation>复制分支</translation>
    </message>
    <message>
        <source>Rename…</source>
        <translation>重命名…</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>取消置顶</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>置顶</translation>
    </message>
    <message>
        <source>Write a wire log</source>
        <translation>记录协议日志</translation>
    </message>
    <message>
        <source>Copy as Markdown</source>
        <translation>复制为 Markdown</translation>
    </message>
    <message>
        <source>Stop the agent</source>
        <translation>停止智能体</translation>
    </message>
    <message>
        <source>Take out of the archive</source>
        <translation>取消归档</translation>
    </message>
    <message>
        <source>Archive</source>
        <translation>归档</translation>
    </message>
    <message>
        <source>Stop and delete for good…</source>
        <translation>停止并永久删除…</translation>
    </message>
    <message>
        <source>Delete for good…</source>
        <translation>永久删除…</translation>
    </message>
    <message>
        <source>Primary session</source>
        <translation>主会话</translation>
    </message>
    <message>
        <source>Follow</source>
        <translation>跟踪</translation>
    </message>
    <message>
        <source>Options</source>
        <translation>选项</translation>
    </message>
</context>
<context>
    <name>SessionNote</name>
    <message>
        <source>Stop the turn</source>
        <translation>停止当前回合</translation>
    </message>
    <message>
        <source>Stop the agent</source>
        <translation>停止智能体</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>No activity for {0}</source>
        <translation>已 {0} 没有动静</translation>
    </message>
    <message>
        <source>The agent of this session does not run.</source>
        <translation>此会话的智能体没有运行。</translation>
    </message>
    <message>
        <source>{0} s</source>
        <translation>{0} 秒</translation>
    </message>
    <message>
        <source>{0} min</source>
        <translation>{0} 分钟</translation>
    </message>
</context>
<context>
    <name>SessionPage</name>
    <message>
        <source>Mode: {0}</source>
        <translation>模式：{0}</translation>
    </message>
    <message>
        <source>The turn was stopped</source>
        <translation>这一轮已停止</translation>
    </message>
    <message>
        <source>The agent asks: {0}</source>
        <translation>智能体提问:{0}</translation>
    </message>
    <message>
        <source>Not answered</source>
        <translation>未回答</translation>
    </message>
    <message>
        <source>Asks for permission: {0}</source>
        <translation>请求许可：{0}</translation>
    </message>
    <message>
        <source>The turn is over</source>
        <translation>本轮已结束</translation>
    </message>
    <message>
        <source>Loading…</source>
        <translation>正在载入…</translation>
    </message>
    <message>
        <source>The transcript could not be read</source>
        <translation>无法读取记录</translation>
    </message>
    <message>
        <source>Nothing was said yet</source>
        <translation>还没有对话</translation>
    </message>
    <message>
        <source>Write the first message below.</source>
        <translation>在下方写第一条消息。</translation>
    </message>
</context>
<context>
    <name>SessionsPane</name>
    <message>
        <source>Search actions</source>
        <translation>搜索操作</translation>
    </message>
    <message>
        <source>Inbox</source>
        <translation>收件箱</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>New session</source>
        <translation>新建会话</translation>
    </message>
    <message>
        <source>Show archived sessions</source>
        <translation>显示已归档的会话</translation>
    </message>
    <message>
        <source>Filter sessions</source>
        <translation>筛选会话</translation>
    </message>
    <message>
        <source>Sessions</source>
        <translation>会话</translation>
    </message>
    <message>
        <source>No sessions yet</source>
        <translation>还没有会话</translation>
    </message>
    <message>
        <source>A session is one agent at work in one folder.</source>
        <translation>会话就是一个智能体在一个文件夹里工作。</translation>
    </message>
    <message>
        <source>Switch between light and dark</source>
        <translation>切换浅色与深色</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Inbox, {0} waiting</source>
        <translation>收件箱，{0} 项待处理</translation>
    </message>
    <message>
        <source>Connecting…</source>
        <translation>正在连接…</translation>
    </message>
    <message>
        <source>Connected</source>
        <translation>已连接</translation>
    </message>
    <message>
        <source>Reconnecting…</source>
        <translation>正在重连…</translation>
    </message>
    <message>
        <source>Not connected</source>
        <translation>未连接</translation>
    </message>
    <message>
        <source>Hide archived sessions</source>
        <translation>隐藏已归档的会话</translation>
    </message>
    <message>
        <source>No session fits</source>
        <translation>没有符合的会话</translation>
    </message>
    <message>
        <source>Escape shows all of them again.</source>
        <translation>按 Esc 重新显示全部。</translation>
    </message>
    <message>
        <source>No archived sessions</source>
        <translation>没有已归档的会话</translation>
    </message>
</context>
<context>
    <name>SettingsPane</name>
    <message>
        <source>Pages of the settings</source>
        <translation>设置页面</translation>
    </message>
    <message>
        <source>Search settings</source>
        <translation>搜索设置</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
</context>
<context>
    <name>Shortcuts</name>
    <message>
        <source>Search actions</source>
        <translation>搜索操作</translation>
    </message>
    <message>
        <source>New session</source>
        <translation>新建会话</translation>
    </message>
    <message>
        <source>Another window</source>
        <translation>另一个窗口</translation>
    </message>
    <message>
        <source>Go to a session by its name</source>
        <translation>按名称转到会话</translation>
    </message>
    <message>
        <source>Go to the session before</source>
        <translation>转到上一个会话</translation>
    </message>
    <message>
        <source>Show the inbox</source>
        <translation>显示收件箱</translation>
    </message>
    <message>
        <source>Write to the agent</source>
        <translation>给智能体写消息</translation>
    </message>
    <message>
        <source>Find in the transcript</source>
        <translation>在记录中查找</translation>
    </message>
    <message>
        <source>Go to the open permission</source>
        <translation>转到待处理的权限</translation>
    </message>
    <message>
        <source>Show or hide the sidebar</source>
        <translation>显示或隐藏侧边栏</translation>
    </message>
    <message>
        <source>Show or hide servers and agents</source>
        <translation>显示或隐藏服务器和智能体</translation>
    </message>
    <message>
        <source>Show the settings</source>
        <translation>显示设置</translation>
    </message>
    <message>
        <source>Show the shortcuts</source>
        <translation>显示快捷键</translation>
    </message>
    <message>
        <source>Go to the newest notice</source>
        <translation>转到最新通知</translation>
    </message>
    <message>
        <source>Hold to talk</source>
        <translation>按住说话</translation>
    </message>
    <message>
        <source>Dictate into the field</source>
        <translation>向输入框口述</translation>
    </message>
    <message>
        <source>Listen without a key, or stop</source>
        <translation>免按键聆听,或停止</translation>
    </message>
    <message>
        <source>Close the window</source>
        <translation>关闭窗口</translation>
    </message>
</context>
<context>
    <name>SidePanel</name>
    <message>
        <source>Servers</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>Agents</source>
        <translation>智能体</translation>
    </message>
    <message>
        <source>Servers or agents of this session</source>
        <translation>此会话的服务器或智能体</translation>
    </message>
    <message>
        <source>Hide servers and agents</source>
        <translation>隐藏服务器和智能体</translation>
    </message>
    <message>
        <source>What the agent was given is known once it has started.</source>
        <translation>智能体启动后才知道它得到了什么。</translation>
    </message>
    <message>
        <source>It was given no server of yours.</source>
        <translation>它没有得到您的任何服务器。</translation>
    </message>
    <message>
        <source>Change its servers…</source>
        <translation>更改其服务器…</translation>
    </message>
    <message>
        <source>This agent takes no servers: it reaches Sayso by its command.</source>
        <translation>此智能体不接受服务器:它通过命令访问 Sayso。</translation>
    </message>
    <message>
        <source>This agent takes no servers.</source>
        <translation>此智能体不接受服务器。</translation>
    </message>
    <message>
        <source>The agent had a turn and never asked for Sayso&apos;s tools: it works without them.</source>
        <translation>智能体已完成一轮,但从未请求 Sayso 的工具:它在没有这些工具的情况下工作。</translation>
    </message>
    <message>
        <source>The agent has not asked for Sayso&apos;s tools yet.</source>
        <translation>智能体尚未请求 Sayso 的工具。</translation>
    </message>
    <message>
        <source>The agent has listed Sayso&apos;s tools: it has them.</source>
        <translation>智能体已列出 Sayso 的工具:它已拥有它们。</translation>
    </message>
    <message>
        <source>delivered</source>
        <translation>已交付</translation>
    </message>
    <message>
        <source>in use</source>
        <translation>使用中</translation>
    </message>
    <message>
        <source>handed over</source>
        <translation>已移交</translation>
    </message>
    <message>
        <source>not yet</source>
        <translation>尚未</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>{0} tools promised</source>
        <translation>承诺 {0} 个工具</translation>
    </message>
    <message>
        <source>{0} of {1} promised tools</source>
        <translation>承诺的 {1} 个工具中的 {0} 个</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Log in</source>
        <translation>登录</translation>
    </message>
    <message>
        <source>Runs of Sayso</source>
        <translation>Sayso 的运行</translation>
    </message>
    <message>
        <source>None. A review, a plan or a delegated task shows up here.</source>
        <translation>没有。审查、计划或委派的任务会显示在这里。</translation>
    </message>
    <message>
        <source>Its own subagents</source>
        <translation>它自己的子智能体</translation>
    </message>
    <message>
        <source>None that it has told of.</source>
        <translation>它没有告知任何子智能体。</translation>
    </message>
    <message>
        <source>They belong to the agent: Sayso can watch, not stop them.</source>
        <translation>它们属于智能体:Sayso 可以查看,但不能停止它们。</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Open the run {0}</source>
        <translation>打开运行 {0}</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Stop the run {0}</source>
        <translation>停止运行 {0}</translation>
    </message>
    <message>
        <source>done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>Show in the transcript</source>
        <translation>在记录中显示</translation>
    </message>
</context>
<context>
    <name>StatusBanner</name>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Connecting to the host…</source>
        <translation>正在连接主进程…</translation>
    </message>
    <message>
        <source>The connection to the host is lost; trying again. Running sessions go on.</source>
        <translation>与主进程的连接断开，正在重试。会话会继续运行。</translation>
    </message>
    <message>
        <source>The host does not answer. {0}</source>
        <translation>主进程没有响应。{0}</translation>
    </message>
</context>
<context>
    <name>ThoughtCard</name>
    <message>
        <source>Thinking…</source>
        <translation>思考中…</translation>
    </message>
    <message>
        <source>Thought</source>
        <translation>思考</translation>
    </message>
    <message>
        <source>Hide the thought</source>
        <translation>收起思考</translation>
    </message>
    <message>
        <source>Show the thought</source>
        <translation>展开思考</translation>
    </message>
</context>
<context>
    <name>Toast</name>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Put away</source>
        <translation>收起</translation>
    </message>
    <message>
        <source>Open: {0}. {1}</source>
        <translation>打开:{0}。{1}</translation>
    </message>
    <message>
        <source>Put away: {0}</source>
        <translation>收起:{0}</translation>
    </message>
</context>
<context>
    <name>ToolCard</name>
    <message>
        <source>Show details</source>
        <translation>显示详情</translation>
    </message>
    <message>
        <source>Open the change</source>
        <translation>打开更改</translation>
    </message>
    <message>
        <source>Hide details</source>
        <translation>隐藏详情</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Tool call {0}, {1}</source>
        <translation>工具调用 {0}，{1}</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
</context>
<context>
    <name>ToolDetail</name>
    <message>
        <source>Not as it was when you saw it</source>
        <translation>与您之前看到的不同</translation>
    </message>
    <message>
        <source>Accept it as it is now</source>
        <translation>接受现在的内容</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Input schema</source>
        <translation>输入结构</translation>
    </message>
    <message>
        <source>about {0} tokens</source>
        <translation>约 {0} 个词元</translation>
    </message>
    <message>
        <source>{0} in {1}: {2}</source>
        <translation>{1} 中的 {0}:{2}</translation>
    </message>
    <message>
        <source>Hidden text:</source>
        <translation>隐藏文本:</translation>
    </message>
    <message>
        <source>The agent&apos;s own configuration names it: the agent starts it by itself. Sayso does not see its tools, and no rule of yours holds for them. Import it to have that.</source>
        <translation>它写在智能体自己的配置中:由智能体自行启动。Sayso 看不到它的工具,你的规则对它们也不起作用。若要如此,请将其导入。</translation>
    </message>
</context>
<context>
    <name>TranscriptView</name>
    <message>
        <source>Transcript</source>
        <translation>记录</translation>
    </message>
    <message>
        <source>Jump to newest</source>
        <translation>跳到最新</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy as Markdown</source>
        <translation>复制为 Markdown</translation>
    </message>
    <message>
        <source>Hide details</source>
        <translation>隐藏详情</translation>
    </message>
    <message>
        <source>Show details</source>
        <translation>显示详情</translation>
    </message>
</context>
<context>
    <name>TrustDialog</name>
    <message>
        <source>Trust a workspace&apos;s servers</source>
        <translation>信任工作区的服务器</translation>
    </message>
    <message>
        <source>These servers come with the workspace</source>
        <translation>这些服务器随工作区而来</translation>
    </message>
    <message>
        <source>They are programs that run as you. Your yes is for exactly this; a change asks again.</source>
        <translation>它们以您的身份运行。您的同意仅针对这些内容;有更改时会再次询问。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Trust the chosen</source>
        <translation>信任所选</translation>
    </message>
    <message>
        <source>Trust {0}</source>
        <translation>信任 {0}</translation>
    </message>
    <message>
        <source>Your own</source>
        <translation>您自己的</translation>
    </message>
    <message>
        <source>Trusted</source>
        <translation>已信任</translation>
    </message>
    <message>
        <source>Not trusted yet</source>
        <translation>尚未信任</translation>
    </message>
    <message>
        <source>Changed since your yes</source>
        <translation>同意后有更改</translation>
    </message>
    <message>
        <source>Sets a sensitive variable</source>
        <translation>设置敏感变量</translation>
    </message>
    <message>
        <source>What {0} runs</source>
        <translation>{0} 运行什么</translation>
    </message>
    <message>
        <source>What is different</source>
        <translation>不同之处</translation>
    </message>
    <message>
        <source>Let it set {0}, which can change the program that runs</source>
        <translation>允许它设置 {0}(可能改变所运行的程序)</translation>
    </message>
    <message>
        <source>program</source>
        <translation>程序</translation>
    </message>
    <message>
        <source>folder</source>
        <translation>目录</translation>
    </message>
    <message>
        <source>variables</source>
        <translation>变量</translation>
    </message>
    <message>
        <source>headers</source>
        <translation>请求头</translation>
    </message>
    <message>
        <source>script</source>
        <translation>脚本</translation>
    </message>
</context>
<context>
    <name>UserCard</name>
    <message>
        <source>You wrote: {0}</source>
        <translation>你写道：{0}</translation>
    </message>
    <message>
        <source>Your message</source>
        <translation>你的消息</translation>
    </message>
</context>
<context>
    <name>VoiceBar</name>
    <message>
        <source>Hold to talk</source>
        <translation>按住说话</translation>
    </message>
    <message>
        <source>Hands-free</source>
        <translation>免提</translation>
    </message>
    <message>
        <source>Listen without a key, until you say “stop listening” or press this again</source>
        <translation>无需按键聆听,直到你说“停止聆听”或再次按下</translation>
    </message>
    <message>
        <source>Dictate</source>
        <translation>口述</translation>
    </message>
    <message>
        <source>Write what you say into the field where the cursor is; nothing is sent</source>
        <translation>将你说的话写入光标所在的输入框;不会发送</translation>
    </message>
    <message>
        <source>Voice settings</source>
        <translation>语音设置</translation>
    </message>
    <message>
        <source>Stop and take what was said</source>
        <translation>停止并采用所说的话</translation>
    </message>
    <message>
        <source>Voice is off</source>
        <translation>语音已关闭</translation>
    </message>
    <message>
        <source>No microphone. Plug one in and it is used at once.</source>
        <translation>没有麦克风。插上后立即可用。</translation>
    </message>
    <message>
        <source>No speech model on this machine. `sayso doctor` says how to get one.</source>
        <translation>这台机器没有语音模型。`sayso doctor` 会说明如何获取。</translation>
    </message>
    <message>
        <source>Loading the speech model…</source>
        <translation>正在载入语音模型…</translation>
    </message>
    <message>
        <source>Hold {0} or the button and speak. Nothing leaves this machine.</source>
        <translation>按住 {0} 或按钮说话。内容不会离开本机。</translation>
    </message>
    <message>
        <source>Listening…</source>
        <translation>正在聆听…</translation>
    </message>
    <message>
        <source>Hearing you…</source>
        <translation>正在听你说…</translation>
    </message>
    <message>
        <source>Recognising…</source>
        <translation>正在识别…</translation>
    </message>
    <message>
        <source>Is that right?</source>
        <translation>对吗？</translation>
    </message>
    <message>
        <source>Running…</source>
        <translation>正在执行…</translation>
    </message>
    <message>
        <source>Done.</source>
        <translation>完成。</translation>
    </message>
    <message>
        <source>That did not work.</source>
        <translation>没有成功。</translation>
    </message>
    <message>
        <source>Recording needs the PortAudio library: apt install libportaudio2, then start Sayso again.</source>
        <translation>录音需要 PortAudio 库:apt install libportaudio2,然后重新启动 Sayso。</translation>
    </message>
    <message>
        <source>Put the cursor into a field first: what you say is written there.</source>
        <translation>请先将光标放入输入框:你说的话会写在那里。</translation>
    </message>
</context>
<context>
    <name>VoicePage</name>
    <message>
        <source>Voice</source>
        <translation>语音</translation>
    </message>
    <message>
        <source>Recognised on this machine; nothing is sent away.</source>
        <translation>在本机识别;不会发送到别处。</translation>
    </message>
    <message>
        <source>Microphone</source>
        <translation>麦克风</translation>
    </message>
    <message>
        <source>One that is unplugged is used again when it comes back; until then the system&apos;s.</source>
        <translation>拔出的麦克风重新接上后会再次使用;在此之前使用系统默认的。</translation>
    </message>
    <message>
        <source>The system&apos;s</source>
        <translation>系统默认</translation>
    </message>
    <message>
        <source>Language that you speak</source>
        <translation>你说的语言</translation>
    </message>
    <message>
        <source>As the window</source>
        <translation>与窗口相同</translation>
    </message>
    <message>
        <source>Speech model</source>
        <translation>语音模型</translation>
    </message>
    <message>
        <source>A packaged one by its name, or a folder; empty takes the one for the language.</source>
        <translation>已打包模型的名称,或一个文件夹;留空则按语言选择。</translation>
    </message>
    <message>
        <source>Talk key</source>
        <translation>说话键</translation>
    </message>
    <message>
        <source>A tap listens until you are quiet. Without a key: the switch in the voice bar.</source>
        <translation>轻按一下会一直听到你停下。无需按键:使用语音栏中的开关。</translation>
    </message>
    <message>
        <source>Hold while you speak</source>
        <translation>说话时按住</translation>
    </message>
    <message>
        <source>Press to begin and to end</source>
        <translation>按一次开始,再按一次结束</translation>
    </message>
    <message>
        <source>Read aloud</source>
        <translation>朗读</translation>
    </message>
    <message>
        <source>Never paths, addresses, commands or secrets.</source>
        <translation>绝不朗读路径、地址、命令或密钥。</translation>
    </message>
    <message>
        <source>Nothing</source>
        <translation>不朗读</translation>
    </message>
    <message>
        <source>Read-backs and questions</source>
        <translation>复述和提问</translation>
    </message>
    <message>
        <source>Results too</source>
        <translation>也朗读结果</translation>
    </message>
    <message>
        <source>Approve by voice</source>
        <translation>语音批准</translation>
    </message>
    <message>
        <source>A request must have been read back just before, and named. Dangerous ones never.</source>
        <translation>请求必须刚刚被复述并指明。危险的请求绝不可以。</translation>
    </message>
    <message>
        <source>Keep a log of what was heard</source>
        <translation>保留听到内容的日志</translation>
    </message>
    <message>
        <source>Keep the recordings</source>
        <translation>保留录音</translation>
    </message>
    <message>
        <source>Listening</source>
        <translation>聆听</translation>
    </message>
    <message>
        <source>Answering</source>
        <translation>回应</translation>
    </message>
    <message>
        <source>Kept on this machine</source>
        <translation>保留在本机</translation>
    </message>
    <message>
        <source>Try it</source>
        <translation>试一试</translation>
    </message>
    <message>
        <source>Say a command. You see what is heard and what it would do; nothing is done.</source>
        <translation>说一条命令。你会看到听到的内容以及它会做什么;不会执行任何操作。</translation>
    </message>
    <message>
        <source>Speak</source>
        <translation>说话</translation>
    </message>
    <message>
        <source>{0} (not plugged in)</source>
        <translation>{0}(未接入)</translation>
    </message>
    <message>
        <source>Stop and take what was said</source>
        <translation>停止并采用所说内容</translation>
    </message>
    <message>
        <source>Listening…</source>
        <translation>正在聆听…</translation>
    </message>
    <message>
        <source>No speech was heard.</source>
        <translation>没有听到语音。</translation>
    </message>
    <message>
        <source>That is no command.</source>
        <translation>这不是命令。</translation>
    </message>
    <message>
        <source>{0} ms</source>
        <translation>{0} 毫秒</translation>
    </message>
</context>
<context>
    <name>WelcomePage</name>
    <message>
        <source>Agents</source>
        <translation>智能体</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Add a folder…</source>
        <translation>添加文件夹…</translation>
    </message>
    <message>
        <source>Voice</source>
        <translation>语音</translation>
    </message>
    <message>
        <source>Set up</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>New session</source>
        <translation>新建会话</translation>
    </message>
    <message>
        <source>Agents act on your say-so</source>
        <translation>智能体听您的指令行事</translation>
    </message>
    <message>
        <source>A session is one agent at work in one folder. What it may not do alone, it asks you.</source>
        <translation>一个会话是一个智能体在一个文件夹中工作。它不能擅自做的事会先问您。</translation>
    </message>
    <message>
        <source>or press Ctrl+K and say what should be done</source>
        <translation>或按 Ctrl+K 说出要做的事</translation>
    </message>
    <message>
        <source>Looking for agents…</source>
        <translation>正在查找智能体…</translation>
    </message>
    <message>
        <source>Looking for folders…</source>
        <translation>正在查找文件夹…</translation>
    </message>
    <message>
        <source>No agent was found. See what to install.</source>
        <translation>没有找到智能体。查看可以安装什么。</translation>
    </message>
    <message>
        <source>{0} and {1} more</source>
        <translation>{0} 以及另外 {1} 个</translation>
    </message>
    <message>
        <source>Add the folder of a project that an agent should work in.</source>
        <translation>添加一个项目文件夹,让智能体在其中工作。</translation>
    </message>
    <message>
        <source>Off. Everything works without it.</source>
        <translation>已关闭。没有它一切照常可用。</translation>
    </message>
    <message>
        <source>No microphone was found.</source>
        <translation>没有找到麦克风。</translation>
    </message>
    <message>
        <source>The speech model is not installed yet.</source>
        <translation>语音模型尚未安装。</translation>
    </message>
    <message>
        <source>The speech model is being loaded…</source>
        <translation>正在加载语音模型…</translation>
    </message>
    <message>
        <source>It does not work now.</source>
        <translation>现在无法使用。</translation>
    </message>
    <message>
        <source>Ready: hold the key of the bar below and speak.</source>
        <translation>就绪:按住下方语音栏的按键说话。</translation>
    </message>
</context>
<context>
    <name>Wording</name>
    <message>
        <source>An editor</source>
        <translation>某个编辑器</translation>
    </message>
    <message>
        <source>{0} asks for your say-so: {1}</source>
        <translation>{0} 请你批准:{1}</translation>
    </message>
    <message>
        <source>{0} asks for permission: {1}</source>
        <translation>{0} 请求许可:{1}</translation>
    </message>
    <message>
        <source>{0} asks you a question</source>
        <translation>{0} 有问题问你</translation>
    </message>
    <message>
        <source>{0} has a plan for you to look at</source>
        <translation>{0} 有一份计划请你过目</translation>
    </message>
    <message>
        <source>{0} is done</source>
        <translation>{0} 已完成</translation>
    </message>
    <message>
        <source>The review by {0} is done</source>
        <translation>{0} 的审查已完成</translation>
    </message>
    <message>
        <source>The plan by {0} is done</source>
        <translation>{0} 的计划已完成</translation>
    </message>
    <message>
        <source>{0} is done with its piece of work</source>
        <translation>{0} 已完成交给它的工作</translation>
    </message>
    <message>
        <source>{0} failed</source>
        <translation>{0} 失败了</translation>
    </message>
    <message>
        <source>The review by {0} failed</source>
        <translation>{0} 的审查失败了</translation>
    </message>
    <message>
        <source>The plan by {0} failed</source>
        <translation>{0} 的计划失败了</translation>
    </message>
    <message>
        <source>{0} failed at its piece of work</source>
        <translation>{0} 没能完成交给它的工作</translation>
    </message>
    <message>
        <source>read</source>
        <translation>读取</translation>
    </message>
    <message>
        <source>edit files</source>
        <translation>修改文件</translation>
    </message>
    <message>
        <source>delete files</source>
        <translation>删除文件</translation>
    </message>
    <message>
        <source>move files</source>
        <translation>移动文件</translation>
    </message>
    <message>
        <source>search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>run a command</source>
        <translation>运行命令</translation>
    </message>
    <message>
        <source>fetch from the web</source>
        <translation>从网络获取</translation>
    </message>
    <message>
        <source>change its mode</source>
        <translation>切换模式</translation>
    </message>
    <message>
        <source>use a tool</source>
        <translation>使用工具</translation>
    </message>
</context>
<context>
    <name>WorktreeStrip</name>
    <message>
        <source>Merge back</source>
        <translation>合并回去</translation>
    </message>
    <message>
        <source>Remove the worktree…</source>
        <translation>删除工作树…</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Worktree on {0}, from {1}</source>
        <translation>{0} 上的工作树,源自 {1}</translation>
    </message>
    <message>
        <source>a single commit</source>
        <translation>某个提交</translation>
    </message>
    <message>
        <source>Looking…</source>
        <translation>正在查看…</translation>
    </message>
    <message>
        <source>Merge into {0}</source>
        <translation>合并到 {0}</translation>
    </message>
    <message>
        <source>Remove the worktree with its ignored files…</source>
        <translation>删除工作树及其被忽略的文件…</translation>
    </message>
</context>
<context>
    <name>_Row</name>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Leave as it is</source>
        <translation>保持不变</translation>
    </message>
    <message>
        <source>Put into the running turn</source>
        <translation>加入正在进行的轮次</translation>
    </message>
    <message>
        <source>Send now</source>
        <translation>立即发送</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>上移</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>下移</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Drop</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Waits:</source>
        <translation>等待中:</translation>
    </message>
    <message>
        <source>Message that waits</source>
        <translation>等待中的消息</translation>
    </message>
</context>
<context>
    <name>age</name>
    <message>
        <source>now</source>
        <translation>刚刚</translation>
    </message>
    <message>
        <source>{0}m</source>
        <translation>{0} 分钟</translation>
    </message>
    <message>
        <source>{0}h</source>
        <translation>{0} 小时</translation>
    </message>
    <message>
        <source>{0}d</source>
        <translation>{0} 天</translation>
    </message>
</context>
<context>
    <name>servers</name>
    <message>
        <source>Connected</source>
        <translation>已连接</translation>
    </message>
    <message>
        <source>Connecting</source>
        <translation>连接中</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Needs a login</source>
        <translation>需要登录</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>Given to the agent</source>
        <translation>交给智能体</translation>
    </message>
    <message>
        <source>Through Sayso</source>
        <translation>经由 Sayso</translation>
    </message>
    <message>
        <source>By commands in its shell</source>
        <translation>通过其终端命令</translation>
    </message>
    <message>
        <source>Not given</source>
        <translation>不提供</translation>
    </message>
    <message>
        <source>Asks first</source>
        <translation>先询问</translation>
    </message>
    <message>
        <source>Allowed</source>
        <translation>允许</translation>
    </message>
    <message>
        <source>The agent decides</source>
        <translation>由智能体决定</translation>
    </message>
    <message>
        <source>At once</source>
        <translation>立即</translation>
    </message>
    <message>
        <source>By search</source>
        <translation>通过搜索</translation>
    </message>
    <message>
        <source>Its command was not found.</source>
        <translation>找不到它的命令。</translation>
    </message>
    <message>
        <source>Its folder does not exist.</source>
        <translation>它的文件夹不存在。</translation>
    </message>
    <message>
        <source>Its command cannot be run.</source>
        <translation>它的命令无法运行。</translation>
    </message>
    <message>
        <source>Its definition cannot be used.</source>
        <translation>它的定义无法使用。</translation>
    </message>
    <message>
        <source>Its process ended (%1).</source>
        <translation>它的进程已结束(%1)。</translation>
    </message>
    <message>
        <source>It did not connect in time.</source>
        <translation>它未能及时连接。</translation>
    </message>
    <message>
        <source>It did not answer in time.</source>
        <translation>它未能及时应答。</translation>
    </message>
    <message>
        <source>It does not keep to the protocol.</source>
        <translation>它不遵守协议。</translation>
    </message>
    <message>
        <source>It reports an error.</source>
        <translation>它报告了错误。</translation>
    </message>
    <message>
        <source>It answered with an error.</source>
        <translation>它返回了错误。</translation>
    </message>
    <message>
        <source>It wants a login.</source>
        <translation>它需要登录。</translation>
    </message>
    <message>
        <source>Its certificate was not accepted.</source>
        <translation>它的证书未被接受。</translation>
    </message>
    <message>
        <source>The name in its address is not known.</source>
        <translation>无法解析它地址中的主机名。</translation>
    </message>
    <message>
        <source>It cannot be reached.</source>
        <translation>无法连接到它。</translation>
    </message>
    <message>
        <source>Its connection was closed.</source>
        <translation>它的连接已关闭。</translation>
    </message>
    <message>
        <source>It is on here.</source>
        <translation>它在此处已启用。</translation>
    </message>
    <message>
        <source>It is off here.</source>
        <translation>它在此处已停用。</translation>
    </message>
    <message>
        <source>It is bound nowhere.</source>
        <translation>它未绑定到任何地方。</translation>
    </message>
    <message>
        <source>It is on in another folder only.</source>
        <translation>它仅在另一个文件夹中启用。</translation>
    </message>
    <message>
        <source>Its entry does not make a server.</source>
        <translation>它的条目不是有效的服务器。</translation>
    </message>
    <message>
        <source>A value that it needs is not set.</source>
        <translation>它需要的某个值尚未设置。</translation>
    </message>
    <message>
        <source>It is off here; a session can take it.</source>
        <translation>它在此处已停用;会话可以选用它。</translation>
    </message>
    <message>
        <source>This session takes it.</source>
        <translation>此会话使用它。</translation>
    </message>
    <message>
        <source>This session leaves it out.</source>
        <translation>此会话不使用它。</translation>
    </message>
    <message>
        <source>This session takes none of your servers.</source>
        <translation>此会话不使用你的任何服务器。</translation>
    </message>
    <message>
        <source>The workspace&apos;s file wants to run this: look at it first.</source>
        <translation>工作区的文件要运行它:请先查看。</translation>
    </message>
    <message>
        <source>What it runs has changed since you trusted it.</source>
        <translation>自你信任以来,它运行的内容已更改。</translation>
    </message>
    <message>
        <source>Its variables need a yes of their own.</source>
        <translation>它的变量需要单独同意。</translation>
    </message>
    <message>
        <source>This agent does not take it.</source>
        <translation>该智能体不接受它。</translation>
    </message>
    <message>
        <source>This agent gets tools as commands of its shell.</source>
        <translation>该智能体以 shell 命令的形式获得工具。</translation>
    </message>
    <message>
        <source>You chose that it goes through Sayso.</source>
        <translation>你选择了让它经由 Sayso。</translation>
    </message>
    <message>
        <source>A tool of it waits to be looked at; the others go through Sayso until then.</source>
        <translation>它有一个工具等待查看;在此之前,其余工具经由 Sayso。</translation>
    </message>
    <message>
        <source>Its login is kept by Sayso and is not handed on.</source>
        <translation>它的登录由 Sayso 保管,不会转交。</translation>
    </message>
    <message>
        <source>Its tools are not known now, so they cannot be compared with those that you know.</source>
        <translation>目前不知道它的工具,因此无法与你已知的进行比较。</translation>
    </message>
    <message>
        <source>It runs in a folder of its own, which an agent cannot be told.</source>
        <translation>它在自己的文件夹中运行,无法告知智能体。</translation>
    </message>
    <message>
        <source>This agent does not take servers of this kind.</source>
        <translation>该智能体不接受这类服务器。</translation>
    </message>
    <message>
        <source>Found by search, run by action_execute.</source>
        <translation>通过搜索找到,由 action_execute 运行。</translation>
    </message>
    <message>
        <source>This agent gets none of the tools of Sayso.</source>
        <translation>该智能体得不到 Sayso 的任何工具。</translation>
    </message>
    <message>
        <source>It is switched off for agents.</source>
        <translation>它已对智能体关闭。</translation>
    </message>
    <message>
        <source>It is new since the server&apos;s tools were last looked at. Look at it, and accept it.</source>
        <translation>这是上次查看该服务器的工具之后新增的。请查看并接受。</translation>
    </message>
    <message>
        <source>It has changed since you saw it. Look at the difference, and accept it.</source>
        <translation>自你查看之后它已更改。请查看差异并接受。</translation>
    </message>
    <message>
        <source>It could not be started.</source>
        <translation>无法启动。</translation>
    </message>
    <message>
        <source>It did not connect.</source>
        <translation>未能连接。</translation>
    </message>
    <message>
        <source>It did not list its tools.</source>
        <translation>它没有列出工具。</translation>
    </message>
</context>
</TS>

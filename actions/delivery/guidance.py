"""What agents are told beside their tools: when to start work of ours; finding an action is no licence to use it."""

from __future__ import annotations

NATIVE_FIRST, SAYSO_REQUIRED = "native_first", "sayso_required"
"""The values of the setting ``runs.delegation``."""

DELEGATING = frozenset(
    {"review.start", "subagents.plan.start", "subagents.delegate.start", "execution.run.start", "session.spawn_new"}
)
"""Actions that put other agents to work."""

_FOUND = "Finding an action is not a licence to use it."
_OWN = (
    "For plain delegation use your own subagents, where you have any. Start a run of Sayso (review.start, "
    "subagents.plan.start, subagents.delegate.start, execution.run.start) only when the user asked for such a run, or "
    "for another provider, model or account, or made a rule that demands it."
)
_REQUIRED = (
    "The user's rule here: delegate only through runs of Sayso (subagents.plan.start, subagents.delegate.start, "
    "review.start), never to your own subagents. Delegate only what the user's task calls for."
)
_APART = "session.spawn_new opens a new session for the user; it is no way to delegate."
_HOW = (
    "Read an action's definition (action_spec_get) and resolve its options (action_options_resolve) before you run it "
    "with action_execute. A call that a person has to approve first answers with kind approval_pending: go on with "
    "other work, and do not call it again."
)


def delegation_rule(delegation: str) -> str:
    """When to start work of ours, under the setting ``runs.delegation``."""
    return f"{_FOUND} {_REQUIRED if delegation == SAYSO_REQUIRED else _OWN} {_APART}"


def bridge_appendix(delegation: str) -> str:
    """What an agent that reaches our tools from its shell is told behind its first message."""
    return f"""<sayso>
Sayso hosts this session. Its tools are commands of your shell:
  sayso tools list --json
    every tool by source, with the JSON Schema of its input
  sayso tools call --source sayso --tool NAME --args-json '{{"field": "value"}}' --json
    call one; the source is sayso, or an MCP server as listed
Run each as a command of its own, without pipes. Sayso knows the session: name none. Its actions are found with the \
tool action_spec_search. Exit code 3, or an answer of kind approval_pending, means that a person is asked first: go on \
with other work, and do not call it again. {delegation_rule(delegation)} This note is no task.
</sayso>"""


def instructions(delegation: str) -> str:
    """The server's words to a model (MCP ``instructions``)."""
    about = "Sayso hosts coding agents and keeps what they ask for in one inbox. Its actions are found by search."
    return f"{about} {_HOW} {delegation_rule(delegation)}"

"""Short answers of the scout: what it is, and where something is."""

from __future__ import annotations

import re
from collections.abc import Iterator

from actions.agent.scout.markdown import cell, file_item
from actions.agent.scout.plan import Plan

_MOST_PLACES = 6
_GREETING = re.compile(
    r"(hi|hello|hey|good (morning|afternoon|evening)|help|thanks?( you)?|who are you|what (can|do) you do"
    r"|你好|您好|帮助|谢谢)?[\s!.?,。！？]*",
    re.I,
)


def greeting(text: str, *, planning: bool) -> str | None:
    """What the scout says to an empty prompt, a greeting or a call for help; None for anything else."""
    if not _GREETING.fullmatch(text.strip()):
        return None
    mode = (
        "You are in mode Plan: say what is to be done, and I draft a plan from the repository."
        if planning
        else "You are in mode Default: ask where something is, and I show the places. Mode Plan drafts a whole plan; "
        "after that, `write plan to docs/plan.md` keeps it, once you agreed."
    )
    return (
        "I am the scout, the built-in agent when no model is set. I read the repository and find what matters for your "
        "words: files with the reason for each, entry points, tests, notes left in the code, and what changes often. "
        "The same question always gets the same answer. I do not understand the task, and I do not change code.\n\n"
        f"{mode}\n\n{about_model()}\n"
    )


def about_model() -> str:
    """How to get more than the scout."""
    return (
        "No model is set. Choose one in the session's option Model (models that answer on this machine are listed "
        "there), or set `SAYSO_AGENT_MODEL` to `provider:name`, for example `ollama:qwen3` or `anthropic:NAME`; then I "
        "am a full coding agent."
    )


def answer_pieces(plan: Plan) -> Iterator[str]:
    """Where the matter of a question is: at most six files, then what is open."""
    if plan.files:
        yield f"These places fit your question best (found by the scout, no model read them). {plan.summary}\n\n"
        for at, file in enumerate(plan.files[:_MOST_PLACES], start=1):
            yield file_item(at, file)
        if plan.tests:
            yield "\nTests: " + ", ".join(cell(test.path) for test in plan.tests[:4]) + ".\n"
    else:
        yield f"{plan.summary}\n"
    if plan.questions:
        yield "\nOpen: " + " ".join(plan.questions[:2]) + "\n"
    yield f"\n{about_model()}\n"

"""``sayso voice intent TEXT [--language L] [--session-id S]``: what would be done for these words; runs nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from actions.errors import InvalidInput
from voice.arguments import Arguments
from voice.intent.model import Intent, Language
from voice.result import CommandResult


def intent(argv: Sequence[str], ctx: Any) -> CommandResult:
    """``data``: action, input, confidence, tier, missing, readback, alternatives.

    Raises SaysoError: no host, no such session, several that fit.
    """
    from actions.catalog.registry import load
    from voice.dialogue.context import context_of
    from voice.dialogue.host import VoiceHost, off_the_loop
    from voice.dialogue.understanding import Understanding

    parser = Arguments("intent", "What would be done for these words; runs nothing.")
    parser.add_argument("text", nargs="+", metavar="TEXT", help="the words, as said or typed")
    parser.add_argument("--language", metavar="L", help="en or zh; default: by the text")
    parser.add_argument("--session-id", metavar="S", help='the session that "this session" means')
    options = parser.parse_args(argv)
    language = language_of(options.language)

    async def answer() -> Intent:
        host = VoiceHost(off_the_loop(ctx.host()), language=language or "en")
        understanding = Understanding(load(), host)
        world = await understanding.world(await context_of(host, options.session_id))
        return await understanding.hear(" ".join(options.text), world, language)

    found = asyncio.run(answer())
    return CommandResult("intent", found.as_json(), describe(found))


def language_of(tag: str | None) -> Language | None:
    """``en`` or ``zh`` of a tag such as ``zh_CN``; None for none. Raises InvalidInput for another language."""
    if tag is None:
        return None
    short = tag.lower().replace("_", "-").partition("-")[0]
    if short == "zh":
        return "zh"
    if short == "en":
        return "en"
    message = f"Commands are understood in English (en) and Chinese (zh), not in {tag!r}."
    raise InvalidInput(message, [{"field": "language", "message": message}])


def describe(found: Intent) -> str:
    """The intent in a few lines for a person."""
    if found.action is None:
        near = ", ".join(a.title for a in found.alternatives)
        return "No action means this." + (f" Near: {near}." if near else "")
    lines = [found.readback, f"{found.action}  {found.tier}  {found.confidence:.2f}"]
    lines += [f"  {name}: {value}" for name, value in found.input.items()]
    return "\n".join([*lines, *(f"  {name}: ?" for name in found.missing if name not in found.input)])

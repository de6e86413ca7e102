"""``sayso voice run WAV [--confirm yes|no]``: a recording, as the microphone path handles it."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from actions.errors import ErrorCode
from actions.storage.paths import Paths
from voice.arguments import Arguments
from voice.dialogue.turn import Answer, TurnResult, TurnState
from voice.intent.cli import language_of
from voice.intent.model import Intent
from voice.result import CommandResult, exit_code

_HYPOTHESES = 5
_LONGEST = 60.0


def run(argv: Sequence[str], ctx: Any) -> CommandResult:
    """``data``: heard, intent, outcome {state, message, data, approval_id, error}, approval_id.

    Exits 0 for what was done, asked or not understood, 3 for a request that waits, 4 for a no, else by the error.
    Raises SaysoError for a file that cannot be read, a model that is not there, or a host out of reach.
    """
    parser = Arguments("run", "A recording, as the microphone path handles it.")
    parser.add_argument("wav", type=Path, metavar="WAV", help="a WAV file of any rate and channel count")
    parser.add_argument("--confirm", choices=("yes", "no"), help="the answer to the read-back")
    parser.add_argument("--language", metavar="L", help="en or zh; default: by LANG")
    parser.add_argument(
        "--session-id", metavar="S", help='the session that "this session" means; default: the primary, else the latest'
    )
    options = parser.parse_args(argv)
    heard, intent, result = asyncio.run(_turn(options.wav, options.confirm, options.language, options.session_id, ctx))
    data = {
        "heard": heard,
        "intent": intent.as_json(),
        "outcome": result.as_json(),
        "approval_id": result.approval_id,
    }
    text = "\n".join(part for part in (f"Heard: {heard}" if heard else "", result.message) if part)
    return CommandResult("voice_run", data, text, exit=_exit(result))


async def _turn(
    wav: Path, answer: Answer, language: str | None, session_id: str | None, ctx: Any
) -> tuple[str, Intent, TurnResult]:
    from actions.catalog.registry import load
    from voice.audio.wav import read_wav
    from voice.dialogue.context import context_of
    from voice.dialogue.host import VoiceHost, off_the_loop
    from voice.dialogue.turn import Turn
    from voice.dialogue.understanding import Understanding
    from voice.recognition.bias import build_prompt
    from voice.recognition.models import choose_model
    from voice.recognition.recognizer import Recognizer

    audio = read_wav(wav, longest=_LONGEST)
    choice = choose_model(cache=Paths.from_environment().models, language=language)
    spoken = language_of(choice.language) or "en"
    catalog = load()
    host = VoiceHost(off_the_loop(ctx.host()), language=spoken)
    understanding = Understanding(catalog, host)
    world = await understanding.world(await context_of(host, session_id, or_latest=True))
    recognizer = await asyncio.to_thread(Recognizer, choice)
    prompt = build_prompt(understanding.bias(world, spoken), spoken, count_tokens=recognizer.count_tokens)
    transcript = await asyncio.to_thread(
        lambda: recognizer.transcribe(audio, language=spoken, prompt=prompt, hypotheses=_HYPOTHESES)
    )
    texts = [text for text in (transcript.text, *transcript.alternatives) if text]
    intent = await understanding.hear(texts if transcript.text else "", world, spoken)
    turn = Turn(catalog, host.about(world.context.current_session), lambda: uuid.uuid4().hex)
    return transcript.text, intent, await turn.carry_out(intent, answer)


def _exit(result: TurnResult) -> int:
    if result.error is not None and result.error.code is not ErrorCode.REJECTED:
        return exit_code(result.error)
    return {TurnState.PENDING: 3, TurnState.REJECTED: 4, TurnState.FAILED: 1}.get(result.state, 0)

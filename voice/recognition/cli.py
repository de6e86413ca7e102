"""``sayso voice transcribe WAV [--language L]``: a recording as text, without a microphone or a host."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from actions.storage.paths import Paths
from voice.arguments import Arguments
from voice.recognition.recognizer import Transcript
from voice.result import CommandResult

LONGEST = 3_600.0
"""Seconds that are transcribed; a longer file is more likely a mistake than a command."""


def transcribe(argv: Sequence[str], ctx: Any) -> CommandResult:
    """``data``: text, language, seconds, segments [{start, end, text}]. Noise gives the text "".

    Raises SaysoError for a file that cannot be read or a model that is not there.
    """
    from voice.audio.wav import read_wav
    from voice.recognition.models import choose_model
    from voice.recognition.recognizer import Limits, Recognizer

    parser = Arguments("transcribe", "Text of a recording; nothing leaves this machine.")
    parser.add_argument("wav", type=Path, metavar="WAV", help="a WAV file of any rate and channel count")
    parser.add_argument("--language", metavar="L", help="en or zh; default: by LANG")
    options = parser.parse_args(argv)
    audio = read_wav(options.wav, longest=LONGEST)
    choice = choose_model(cache=Paths.from_environment().models, language=options.language)
    transcript = Recognizer(choice, limits=Limits(seconds=LONGEST)).transcribe(audio)  # Whole, not quick.
    return CommandResult("transcript", transcript_data(transcript), transcript.text or "No speech heard.")


def transcript_data(transcript: Transcript) -> dict[str, Any]:
    """``transcript`` as the contract's JSON."""
    return {
        "text": transcript.text,
        "language": transcript.language,
        "seconds": transcript.seconds,
        "segments": [{"start": s.start, "end": s.end, "text": s.text} for s in transcript.segments],
    }

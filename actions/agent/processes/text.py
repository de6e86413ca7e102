"""The output of a command as a model reads it: plain text, its beginning and its end, within bounds."""

from __future__ import annotations

import re

from actions.agent.processes.output import Output

MOST = 50_000
"""Characters of output that the model gets."""
LINE = 2_000
_HEAD = 10_000
# Control sequences of terminals (ECMA-48): CSI, OSC and the other strings, two-character escapes.
_ESCAPES = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b]{0,4096}(?:\x07|\x1b\\)|[ -/]*[0-~])|\x9b[0-?]*[ -/]*[@-~]"
)
_BEGUN = re.compile(r"\x1b(?:\[[0-?]*[ -/]*|[\]PX^_][^\x07\x1b]{0,4096}|[ -/]*)$")
_OVERSTRIKE = re.compile(r"[^\n\x08]\x08")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x80-\x9f]")


def plain(data: bytes) -> str:
    """Text of ``data``: what is no UTF-8 replaced, terminal control removed, of a line drawn over and over only the
    last drawing."""
    text = data.decode("utf-8", errors="replace").replace("\r\n", "\n")
    if "\x1b" in text or "\x9b" in text:
        text = _ESCAPES.sub("", text)
    if "\x08" in text:
        text = _OVERSTRIKE.sub("", text)
    if "\r" in text:
        text = "\n".join(_last_drawing(line) for line in text.split("\n"))
    return _CONTROL.sub("", text)


def begun_escape(text: str) -> int:
    """Where a control sequence begins that ``text`` ends in the middle of; its length when there is none."""
    match = _BEGUN.search(text, max(len(text) - 4100, 0))
    return len(text) if match is None else match.start()


def shown(head: bytes, tail: bytes, between: int) -> tuple[str, int | None]:
    """``(text, line)`` of an output given as :meth:`Output.parts`: at most ``MOST`` characters, lines of at most
    ``LINE``. ``line`` is where, counted from 1, the part begins that was left out; None when nothing was."""
    if between == 0:
        text, cut = _short_lines(plain(head + tail))
        if len(text) <= MOST:
            return text, cut
        first, last = text, text
    else:
        first, last = _short_lines(plain(head))[0], _short_lines(plain(tail))[0]
    first = first[:_HEAD]
    first = first[: first.rfind("\n") + 1] or first
    last = last[-(MOST - _HEAD - 200) :]
    last = last[last.find("\n") + 1 :] or last
    mark = "[the middle is left out]"
    joint = "" if first.endswith("\n") else "\n"
    return f"{first}{joint}{mark}\n{last}", first.count("\n") + 1


def whole_or_ends(output: Output) -> tuple[str, str]:
    """``(text for the model, note about the rest)``: with a note the whole output is in the file that it names."""
    text, line = shown(*output.parts())
    if line is None:
        return text, ""
    file = output.save()
    if file is None:
        return text, f" Part of the output is left out and {output.trouble}."
    return text, f" Part of the output is left out: read {file} from line {line}."


def _last_drawing(line: str) -> str:
    return next((part for part in reversed(line.split("\r")) if part), "")


def _short_lines(text: str) -> tuple[str, int | None]:
    """``text`` with long lines cut, and the number of the first cut line."""
    if len(text) <= LINE:
        return text, None
    lines = text.split("\n")
    long = [number for number, line in enumerate(lines, 1) if len(line) > LINE]
    for number in long:
        line = lines[number - 1]
        mark = f"[... {len(line) - LINE} more characters of this line]"
        lines[number - 1] = line[: LINE - len(mark)] + mark
    return "\n".join(lines), long[0] if long else None

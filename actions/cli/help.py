"""Help: of everything, of a group, of a command. It is printed from the manifest, in English or Chinese."""

from __future__ import annotations

import textwrap
from typing import Any

from actions.cli.answer import Answer, usage
from actions.cli.arguments import metavar
from actions.cli.commands import Found, Manifest
from actions.cli.width import pad

_TEXTS = {
    "en": {
        "usage": "usage",
        "arguments": "arguments",
        "options": "options",
        "everywhere": "options of every command",
        "commands": "commands",
        "more": "Help on one of them: sayso COMMAND --help",
        "required": "required",
        "repeat": "may be repeated",
        "command": "COMMAND",
        "intro": "The front end for people who run coding agents. Without a command it opens the app.",
        "--json": "Print one JSON document",
        "--jsonl": "Print a JSON document a line, as it comes",
        "--quiet": "Print ids only",
        "--workspace": "The directory that this is about",
        "--idempotency-key": "Repeating the command with the same key does nothing twice",
        "--language": "Language of texts: en or zh",
        "--help": "Show this help",
    },
    "zh": {
        "usage": "用法",
        "arguments": "参数",
        "options": "选项",
        "everywhere": "所有命令通用的选项",
        "commands": "命令",
        "more": "查看某个命令的帮助:sayso 命令 --help",
        "required": "必填",
        "repeat": "可重复",
        "command": "命令",
        "intro": "为使用编程智能体的人准备的前端。不带命令时打开应用。",
        "--json": "输出一个 JSON 文档",
        "--jsonl": "每行输出一个 JSON 文档",
        "--quiet": "只输出 id",
        "--workspace": "所针对的目录",
        "--idempotency-key": "用同一个键重复命令不会执行两次",
        "--language": "文本语言:en 或 zh",
        "--help": "显示帮助",
    },
}
_GLOBAL = {
    "--json": "",
    "--quiet": "",
    "--workspace": " DIR",
    "--idempotency-key": " KEY",
    "--language": " LANG",
    "--help": "",
}
_WIDTH = 100


def version(manifest: Manifest) -> Answer:
    return Answer("version", {"version": manifest.version}, text=f"sayso {manifest.version}")


def group(manifest: Manifest, found: Found, language: str) -> Answer:
    """The commands below some words, or all of them. Raises ``invalid_input`` when no help was asked for."""
    if "--help" not in found.rest and "-h" not in found.rest:
        following = sorted({c["words"][len(found.words)] for c in manifest.below(found.words)})
        said = " ".join(["sayso", *found.words])
        raise usage(f"{said} needs one of: {', '.join(following)}. Help: {said} --help", "command")
    t = _TEXTS[_known(language)]
    commands = manifest.below(found.words)
    lines = [f"{t['usage']}: {' '.join(['sayso', *found.words])} {t['command']}", ""]
    if not found.words:
        lines += [t["intro"], ""]
        rows = _overview(manifest, language)
    else:
        lines += [manifest.groups.get(found.words[0], {}).get(_known(language), ""), ""]
        rows = [(" ".join(c["words"][len(found.words) :]), _short(_help(c, language))) for c in commands]
    lines += [f"{t['commands']}:", *_table(rows), "", t["more"]]
    data = {"commands": [{"words": c["words"], "help": _help(c, language)} for c in commands]}
    return Answer("help", data, text="\n".join(lines))


def command(entry: dict[str, Any], language: str) -> Answer:
    """The usage, the arguments and the options of one command."""
    t = _TEXTS[_known(language)]
    positional = [a for a in entry["arguments"] if a["flag"] is None]
    options = [a for a in entry["arguments"] if a["flag"] is not None]
    names = [metavar(a) if a["required"] else f"[{metavar(a)}]" for a in positional]
    needed = [f"{a['flag']} {_placeholder(a)}".strip() for a in options if a["required"]]
    words = " ".join(["sayso", *entry["words"], *names, *needed])
    lines = [f"{t['usage']}: {words} [{t['options']}]", "", *textwrap.wrap(_help(entry, language), _WIDTH)]
    if positional:
        lines += ["", f"{t['arguments']}:", *_table([(metavar(a), _describe(a, language)) for a in positional])]
    if options:
        rows = [(f"{a['flag']} {_placeholder(a)}".strip(), _describe(a, language)) for a in options]
        lines += ["", f"{t['options']}:", *_table(rows)]
    own = {a["flag"] for a in options}
    rows = [(flag + value, t[flag]) for flag, value in _GLOBAL.items() if flag not in own]
    if entry.get("stream"):
        rows.insert(1, ("--jsonl", t["--jsonl"]))
    lines += ["", f"{t['everywhere']}:", *_table(rows)]
    data = {key: entry.get(key) for key in ("words", "action", "arguments")} | {"help": _help(entry, language)}
    return Answer("help", data, text="\n".join(lines))


def _overview(manifest: Manifest, language: str) -> list[tuple[str, str]]:
    rows: list[tuple[str, str]] = []
    for name, texts in manifest.groups.items():
        following = sorted({c["words"][1] for c in manifest.below([name])})
        rows.append((name, f"{texts[_known(language)]}: {', '.join(following)}"))
    alone = [c for c in manifest.below([]) if len(c["words"]) == 1]
    return rows + [(c["words"][0], _short(_help(c, language))) for c in alone]


def _describe(argument: dict[str, Any], language: str) -> str:
    t = _TEXTS[_known(language)]
    notes = [t["repeat"]] if argument["repeat"] else []
    if argument["required"] and argument["flag"] is not None:
        notes.insert(0, t["required"])
    if argument["choices"]:
        notes.append(", ".join(argument["choices"]))
    return _help(argument, language) + (f" ({'; '.join(notes)})" if notes else "")


def _placeholder(argument: dict[str, Any]) -> str:
    if argument["type"] == "boolean":
        return ""
    if argument.get("path"):
        return "DIR"
    word: str = argument["flag"].lstrip("-").upper()
    return {"integer": "N", "number": "N", "json": "JSON"}.get(argument["type"], word)


def _help(entry: dict[str, Any], language: str) -> str:
    return entry["help"][_known(language)]


def _known(language: str) -> str:
    return "zh" if language.startswith("zh") else "en"


def _short(text: str) -> str:
    return text.split(". ", maxsplit=1)[0].rstrip(".")


def _table(rows: list[tuple[str, str]]) -> list[str]:
    column = min(max((len(name) for name, _ in rows), default=0), 30) + 2
    lines: list[str] = []
    for name, text in rows:
        wrapped = textwrap.wrap(text, _WIDTH - column - 2) or [""]
        if len(name) >= column:
            lines.append(f"  {name}")
        else:
            lines.append(f"  {pad(name, column)}{wrapped.pop(0)}".rstrip())
        lines += [f"  {' ' * column}{line}" for line in wrapped]
    return lines

"""A configuration's text, in whatever format, as the servers that stand in it."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from actions.servers.imports import entries
from actions.servers.imports.dialects import DIALECTS, UNKNOWN, Dialect
from actions.servers.imports.found import Asked, Found, Scope
from actions.servers.imports.line import NoLine, from_line, name_of
from actions.servers.jsonc.reading import BrokenJson, half_character
from actions.servers.jsonc.reading import read as read_json


class Unreadable(ValueError):
    """The text is not what its program writes; it says where and why."""


@dataclass(frozen=True)
class Reader:
    """Reads configurations. ``secret_name`` makes the name under which a server's missing secret will be kept."""

    secret_name: Callable[[str, str], str]

    def read(
        self,
        text: str,
        client: str | None,
        *,
        file: Path | None = None,
        scope: Scope = "user",
        project: Path | None = None,
    ) -> list[Found]:
        """Every server of a text; ``client`` is whose format it is, where that is known. Raises Unreadable."""
        dialect = DIALECTS.get(client or "", UNKNOWN)
        document = parse(text, _format_of(dialect, file, text))
        if client is None:
            dialect = _guess(document) or UNKNOWN
        found = [*self._servers(dialect, document, file, scope, project)]
        if dialect.id == "claude-code":
            found += self._of_projects(dialect, document, file)
        return found

    def read_line(self, line: str) -> list[Found]:
        """The one server that a command line or an address is. Raises Unreadable."""
        try:
            name, entry = from_line(line)
        except NoLine as error:
            raise Unreadable(str(error)) from error
        return [entries.read(UNKNOWN, name, entry, secret_name=self.secret_name)]

    def _servers(
        self, dialect: Dialect, document: dict[str, Any], file: Path | None, scope: Scope, project: Path | None
    ) -> Iterator[Found]:
        inputs = dict(_inputs(document))
        off = _switched_off(document)
        for name, raw in _map_of(dialect, document).items():
            yield entries.read(
                dialect,
                str(name),
                raw,
                secret_name=self.secret_name,
                file=file,
                scope=scope,
                project=project,
                inputs=inputs,
                switched_off=name in off,
            )

    def _of_projects(self, dialect: Dialect, document: dict[str, Any], file: Path | None) -> Iterator[Found]:
        projects: Any = document.get("projects")
        for path, within in (cast("dict[str, Any]", projects) if isinstance(projects, dict) else {}).items():
            if isinstance(within, dict):
                held = cast("dict[str, Any]", within)
                yield from self._servers(dialect, held, file, "project", Path(path))


def parse(text: str, format: str) -> dict[str, Any]:
    """``text`` as one object. Raises Unreadable with the line."""
    if format != "toml" and half_character(text) is not None:
        raise Unreadable("it holds half a character (a lone surrogate)")
    try:
        if format == "toml":
            value: object = tomllib.loads(text)
        elif format == "yaml":
            import yaml

            try:
                value = yaml.safe_load(text)
            except yaml.YAMLError as error:
                mark = getattr(error, "problem_mark", None)
                line = f"line {mark.line + 1}: " if mark is not None else ""
                raise Unreadable(f"{line}{getattr(error, 'problem', None) or 'it is no YAML'}") from error
        else:
            value = read_json(text).value
    except BrokenJson as error:
        raise Unreadable(str(error)) from error
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise Unreadable(str(error)) from error
    if not isinstance(value, dict):
        raise Unreadable("it is no object with servers")
    return cast("dict[str, Any]", value)


def _format_of(dialect: Dialect, file: Path | None, text: str) -> str:
    if dialect.id in ("codex", "goose"):
        return "toml" if dialect.id == "codex" else "yaml"
    suffix = "" if file is None else file.suffix.lower()
    known = {".toml": "toml", ".yaml": "yaml", ".yml": "yaml", ".json": "json", ".jsonc": "json"}.get(suffix)
    if known is not None:
        return known
    begins = text.lstrip("\ufeff \t\r\n")
    if begins.startswith(("{", "//", "/*")):
        return "json"
    return "toml" if "[mcp_servers" in text else "yaml" if "extensions:" in text else "json"


def _guess(document: dict[str, Any]) -> Dialect | None:
    """Whose format a document is, where a key tells."""
    for key, client in (
        ("mcp_servers", "codex"),
        ("context_servers", "zed"),
        ("extensions", "goose"),
        ("projects", "claude-code"),
    ):
        if isinstance(document.get(key), dict):
            return DIALECTS[client]
    mcp: Any = document.get("mcp")
    if isinstance(mcp, dict) and "servers" not in cast("dict[str, Any]", mcp):
        return DIALECTS["opencode"]
    if isinstance(document.get("servers"), dict) and "mcpServers" not in document:
        return DIALECTS["vscode"]
    return None


def _map_of(dialect: Dialect, document: dict[str, Any]) -> Mapping[str, Any]:
    for root in dialect.roots:
        here: Any = document
        for key in root:
            here = cast("dict[str, Any]", here).get(key) if isinstance(here, dict) else None
        if isinstance(here, dict) and not (root == ("mcp",) and "servers" in here):
            return cast("dict[str, Any]", here)
    if _is_server(document):
        named: Any = document.get("name")
        return {named if isinstance(named, str) else _name(document): document}
    bare = {name: raw for name, raw in document.items() if _is_server(raw)}
    return bare if bare and len(bare) == sum(isinstance(raw, dict) for raw in document.values()) else {}


def _name(document: dict[str, Any]) -> str:
    url = document.get("url") or document.get("httpUrl") or document.get("serverUrl")
    if isinstance(url, str):
        return from_line(url)[0] if url.startswith(("http://", "https://")) and " " not in url else "server"
    command: Any = document.get("command")
    args: Any = document.get("args")
    words = cast("list[Any]", command) if isinstance(command, list) else [command]
    words = [str(word) for word in (*words, *(cast("list[Any]", args) if isinstance(args, list) else [])) if word]
    return name_of(words) if words else "server"


def _is_server(value: object) -> bool:
    if not isinstance(value, dict):
        return False
    keys = cast("dict[str, Any]", value).keys()
    return bool(keys & {"command", "cmd", "url", "httpUrl", "serverUrl", "uri"})


def _inputs(document: dict[str, Any]) -> Iterator[tuple[str, Asked]]:
    """What an editor would ask for; a program that would give the value is not run."""
    found: Any = document.get("inputs")
    if found is None and isinstance(mcp := document.get("mcp"), dict):
        found = cast("dict[str, Any]", mcp).get("inputs")
    for row in cast("list[Any]", found) if isinstance(found, list) else []:
        if isinstance(row, dict):
            fields = cast("dict[str, Any]", row)
            name = str(fields.get("id", ""))
            prompt = str(fields.get("description") or "")
            yield name, Asked(f"input:{name}", prompt, bool(fields.get("password")))


def _switched_off(document: dict[str, Any]) -> set[str]:
    """Names that lists beside the servers switch off."""
    off: set[str] = set()
    lists: list[Any] = [document.get("disabledMcpServers"), document.get("disabledMcpjsonServers")]
    mcp: Any = document.get("mcp")
    if isinstance(mcp, dict):
        lists.append(cast("dict[str, Any]", mcp).get("excluded"))
    for names in lists:
        off |= (
            {name for name in cast("list[Any]", names) if isinstance(name, str)} if isinstance(names, list) else set()
        )
    return off

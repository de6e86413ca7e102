"""One entry of a file's ``mcpServers``, read into a definition and written from one.

Read is what other programs write, too; written is the standard shape alone. What an entry has beyond that stays.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast

from actions.servers.pool.definition import Http, Limits, OAuthClient, ServerDefinition, Stdio, Value
from actions.servers.risks import url_problem
from actions.servers.values import BadValue, names_secret, secret_variable, text_of, unknown, value_of

RESERVED = "sayso"
_TYPES: Mapping[str, Literal["stdio", "http", "sse"]] = {
    "stdio": "stdio", "local": "stdio", "http": "http", "sse": "sse", "streamable-http": "http",
    "streamable_http": "http", "streamablehttp": "http", "remote": "http",
}  # fmt: skip


class BadEntry(ValueError):
    """An entry that makes no server; the text says why in words, and holds no value."""


@dataclass(frozen=True, slots=True)
class Read:
    """What an entry says. ``off``: the entry itself is switched off. ``through_sayso``: our block wants its calls to go
    through Sayso (``"delivery": "sayso"``).
    """

    definition: ServerDefinition
    title: str | None = None
    off: bool = False
    through_sayso: bool = False


def read_entry(name: str, entry: object, block: object = None) -> Read:
    """The server that ``entry`` describes, with what our own ``block`` adds (title, limits). Raises BadEntry."""
    if name == RESERVED:
        raise BadEntry("the name sayso is reserved")
    if not isinstance(entry, dict):
        raise BadEntry("it must be an object with a command or a url")
    fields = cast("dict[str, Any]", entry)
    own = cast("dict[str, Any]", block) if isinstance(block, dict) else {}
    limits = Limits(connect=_seconds(own, "connect_timeout_s"), idle=_seconds(own, "call_timeout_s") or Limits().idle)
    try:
        transport = _transport(fields)
    except BadValue as error:
        raise BadEntry(str(error)) from error
    title = own.get("title")
    off = fields.get("disabled") is True or fields.get("enabled") is False
    return Read(
        ServerDefinition(name, transport, limits),
        title if isinstance(title, str) else None,
        off,
        own.get("delivery") == "sayso",
    )


def written(definition: ServerDefinition) -> dict[str, Any]:
    """The standard entry of a definition."""
    transport = definition.transport
    if isinstance(transport, Stdio):
        entry: dict[str, Any] = {"command": transport.command}
        if transport.args:
            entry["args"] = list(transport.args)
        if transport.env:
            entry["env"] = {name: text_of(value) for name, value in transport.env.items()}
        if transport.cwd is not None:
            entry["cwd"] = str(transport.cwd)
        return entry
    entry = {"type": transport.transport, "url": transport.url}
    if transport.headers:
        entry["headers"] = {name: text_of(value) for name, value in transport.headers.items()}
    if transport.oauth is not None:
        entry["oauth"] = _oauth_written(transport.oauth)
    return entry


def block_of(definition: ServerDefinition, title: str | None) -> dict[str, Any]:
    """What goes into our own block of the file; empty where all is as usual."""
    block: dict[str, Any] = {}
    if title:
        block["title"] = title
    if definition.limits.connect is not None:
        block["connect_timeout_s"] = definition.limits.connect
    if definition.limits.idle != Limits().idle:
        block["call_timeout_s"] = definition.limits.idle
    return block


def _transport(fields: dict[str, Any]) -> Stdio | Http:
    url, urls = _url(fields)
    if (fields.get("command") is None) == (url is None):
        raise BadEntry("it must have a command or a url, and not both")
    kind = _kind(fields)
    if url is None:
        if kind not in (None, "stdio"):
            raise BadEntry(f"it has a command, and says that its type is {kind}")
        return _stdio(fields)
    if kind == "stdio":
        raise BadEntry("it has a url, and says that its type is stdio")
    if (why := url_problem(url)) is not None:
        raise BadEntry(why)
    if (why := names_secret(url)) is not None:
        raise BadEntry(why)
    _known(url)
    sse = kind == "sse" or (kind is None and urls != "httpUrl" and url.split("?")[0].rstrip("/").endswith("/sse"))
    return Http(url, _values(fields, "headers"), "sse" if sse else "http", _oauth(fields.get("oauth")))


def _stdio(fields: dict[str, Any]) -> Stdio:
    command = fields["command"]
    given: Any = fields.get("args") or []
    if not isinstance(given, list):
        raise BadEntry("its args must be a list of texts")
    args = cast("list[Any]", given)
    if isinstance(command, list):  # the whole line as a list
        command, *rest = cast("list[Any]", command) or [""]
        args = [*rest, *args]
    if not isinstance(command, str) or not command.strip():
        raise BadEntry("its command must be a text")
    argv = [_text(arg, "args") for arg in args]
    cwd = fields.get("cwd")
    if cwd is not None and not isinstance(cwd, str):
        raise BadEntry("its cwd must be a text")
    for text in (command, *argv, cwd or ""):
        if "\0" in text:
            raise BadEntry("its command holds a character that no command can have (NUL)")
        if (why := names_secret(text)) is not None:
            raise BadEntry(why)
        if (name := secret_variable(text)) is not None:
            raise BadEntry(f"${{{name}}} does not go into arguments, where every program can read it; use env")
        _known(text)
    return Stdio(command.strip(), tuple(argv), _values(fields, "env"), Path(cwd) if cwd else None)


def _url(fields: dict[str, Any]) -> tuple[str | None, str]:
    for name in ("url", "httpUrl", "serverUrl"):
        if (found := fields.get(name)) is not None:
            if not isinstance(found, str):
                raise BadEntry(f"its {name} must be a text")
            return found.strip(), name
    return None, ""


def _kind(fields: dict[str, Any]) -> Literal["stdio", "http", "sse"] | None:
    for name in ("type", "transport"):
        if (found := fields.get(name)) is not None:
            kind = _TYPES.get(found.lower()) if isinstance(found, str) else None
            if kind is None:
                raise BadEntry(f"its {name} must be stdio, http or sse")
            return kind
    return None


def _values(fields: dict[str, Any], key: str) -> dict[str, Value]:
    found = fields.get(key)
    if found is None:
        return {}
    if not isinstance(found, dict):
        raise BadEntry(f"its {key} must be an object of texts")
    values: dict[str, Value] = {}
    for name, value in cast("dict[str, Any]", found).items():
        text = _text(value, f"{key}.{name}")
        if not name or "=" in name or "\0" in name + text:
            raise BadEntry(f"its {key} has a name or a value that cannot be used")
        _known(text)
        values[name] = value_of(text)
    return values


def _known(text: str) -> None:
    if odd := unknown(text):
        raise BadEntry(f"it holds {', '.join(odd)}, which Sayso does not know; write the value, or ${{NAME}}")


def _text(value: object, where: str) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str | int | float):
        return str(value)
    raise BadEntry(f"its {where} must hold texts")


def _seconds(block: dict[str, Any], name: str) -> float | None:
    found = block.get(name)
    if found is None:
        return None
    if isinstance(found, bool) or not isinstance(found, int | float) or not 0 < found <= 86_400:
        raise BadEntry(f"its {name} must be a number of seconds")
    return float(found)


def _oauth(found: object) -> OAuthClient | None:
    if not isinstance(found, dict):
        return None
    fields = cast("dict[str, Any]", found)
    client_id = fields.get("clientId") or fields.get("client_id")
    if not isinstance(client_id, str):
        return None
    secret = fields.get("clientSecret") or fields.get("client_secret")
    scopes: Any = fields.get("scopes") or fields.get("scope") or []
    listed = scopes.split() if isinstance(scopes, str) else [str(scope) for scope in cast("list[Any]", scopes)]
    return OAuthClient(client_id, value_of(secret) if isinstance(secret, str) else None, tuple(listed))


def _oauth_written(client: OAuthClient) -> dict[str, Any]:
    entry: dict[str, Any] = {"clientId": client.client_id}
    if client.client_secret is not None:
        entry["clientSecret"] = text_of(client.client_secret)
    if client.scopes:
        entry["scopes"] = list(client.scopes)
    return entry

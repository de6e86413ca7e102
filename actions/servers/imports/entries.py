"""One server's entry of another program, key by key, made into a standard entry of ours."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, cast

from actions.servers.imports.dialects import Dialect
from actions.servers.imports.found import Asked, Found, Scope
from actions.servers.imports.variables import Translator

NEVER = {
    "trust": "trust", "autoApprove": "autoApprove", "alwaysAllow": "alwaysAllow", "autoAllow": "autoAllow",
    "auto_approve": "auto_approve", "alwaysApprove": "alwaysApprove", "approval_mode": "approval_mode",
    "default_tools_approval_mode": "default_tools_approval_mode", "autoapprove": "autoapprove",
    "alwaysAllowTools": "alwaysAllowTools", "always_allow": "always_allow",
}  # fmt: skip
"""Switches that free calls from being asked about."""
_CHOICE = frozenset(
    """
    enabled_tools disabled_tools includeTools excludeTools disabledTools enabledTools available_tools tools required
    """.split()
)
_SILENT = frozenset("name display_name description bundled source remote gallery version icon $schema metadata".split())
_TYPES = {
    "stdio": "stdio", "local": "stdio", "custom": "stdio", "http": "http", "streamable_http": "http", "sse": "sse",
    "streamable-http": "http", "streamableHttp": "http", "remote": None,
}  # fmt: skip
_UNSUPPORTED = {
    "builtin": "it is built into {client}", "platform": "it is built into {client}",
    "frontend": "it is a part of {client}",
    "inline_python": "it is a program within {client}", "extension": "an extension of {client} provides it",
    "ws": "Sayso does not speak WebSocket", "websocket": "Sayso does not speak WebSocket",
}  # fmt: skip


def read(
    dialect: Dialect,
    name: str,
    raw: object,
    *,
    secret_name: Callable[[str, str], str],
    file: Path | None = None,
    scope: Scope = "user",
    project: Path | None = None,
    inputs: Mapping[str, Asked] | None = None,
    switched_off: bool = False,
) -> Found:
    """The server that an entry describes; what nothing can be made of says why."""
    common: dict[str, Any] = {"name": name, "client": dialect.id, "file": file, "scope": scope, "project": project}
    if not isinstance(raw, dict):
        return Found(**common, unsupported="its entry is no object")
    fields = {str(key): value for key, value in cast("dict[Any, Any]", raw).items()}
    reading = _Reading(dialect, name, fields, secret_name, inputs or {})
    why = reading.run()
    warnings = [*reading.warnings]
    if reading.translator.odd:
        warnings.append(f"Not understood, and left as it is: {', '.join(reading.translator.odd)}.")
    if unknown := sorted(reading.left):
        warnings.append(f"Keys that Sayso does not know, and does not take over: {', '.join(unknown)}.")
    return Found(
        **common,
        entry=reading.entry,
        block=reading.block,
        enabled=reading.enabled and not switched_off,
        asked=tuple(reading.translator.asked),
        warnings=tuple(warnings),
        ignored=tuple(reading.ignored),
        unsupported=why,
    )


class _Reading:
    """Takes the keys of one entry, one after the other; what is ``left`` at the end nobody knows."""

    def __init__(
        self,
        dialect: Dialect,
        name: str,
        raw: dict[str, Any],
        secret_name: Callable[[str, str], str],
        inputs: Mapping[str, Asked],
    ) -> None:
        self.left = raw
        self.entry: dict[str, Any] = {}
        self.block: dict[str, Any] = {}
        self.enabled = True
        self.warnings: list[str] = []
        self.ignored: list[str] = []
        self.translator = Translator(dialect.syntax, name, secret_name, inputs)
        headers = dialect.header_syntax or dialect.syntax
        self._in_headers = Translator(headers, name, secret_name, inputs, self.translator.asked, self.translator.odd)
        self._dialect = dialect

    def run(self) -> str | None:
        """Read everything; why it makes no server, or None."""
        kind = self._take("type", "transport")
        if self._dialect.id == "zed" and self.left.get("source") == "extension":
            kind = "extension"
        if isinstance(kind, str) and (why := _UNSUPPORTED.get(kind)) is not None:
            self.left.clear()
            return why.format(client=self._dialect.title)
        if isinstance(kind, str) and kind not in _TYPES:
            return f"its type {kind!r} is none that Sayso knows"
        transport = _TYPES[kind] if isinstance(kind, str) else None
        self._switches()
        self._limits()
        why = self._stdio() if self._has("command", "cmd") else self._remote(transport)
        for key in _SILENT & self.left.keys():
            del self.left[key]
        return why

    def _switches(self) -> None:
        enabled = self._take("enabled")
        disabled, active = self._take("disabled"), self._take("isActive")
        self.enabled = enabled is not False and disabled is not True and active is not False
        for key in NEVER.keys() & self.left.keys():
            value = self.left.pop(key)
            if value not in (False, [], None, "", "prompt"):
                self.ignored.append(NEVER[key])
        tools: Any = self.left.get("tools")
        if isinstance(tools, dict) and any(
            "approval_mode" in str(one) for one in cast("dict[str, Any]", tools).values()
        ):
            self.ignored.append("tools.*.approval_mode")
            del self.left["tools"]
        chosen = sorted(key for key in _CHOICE & self.left.keys() if self.left.pop(key) not in (None, False, [], ["*"]))
        if chosen:
            self.warnings.append(f"Its choice of tools is not taken over: {', '.join(chosen)}.")
        self.ignored.sort()

    def _limits(self) -> None:
        for limit, field in ((self._dialect.connect, "connect_timeout_s"), (self._dialect.call, "call_timeout_s")):
            if limit is not None and isinstance(value := self._take(limit[0]), int | float) and value > 0:
                self.block[field] = float(value * limit[1])
        title = self._take("title")
        if isinstance(title, str):
            self.block["title"] = title

    def _stdio(self) -> str | None:
        command: Any = self._take("command", "cmd")
        args: Any = self._take("args")
        env: Any = self._take("env", "environment", "envs")
        if isinstance(command, dict):  # the older form of an editor
            inner = cast("dict[str, Any]", command)
            command, args, env = inner.get("path"), inner.get("args", args), inner.get("env", env)
        words = cast("list[Any]", command) if isinstance(command, list) else [command]
        words = [*words, *(cast("list[Any]", args) if isinstance(args, list) else [])]
        if not words or not isinstance(words[0], str) or not words[0].strip():
            return "its command is no text"
        if isinstance(args, str) or any(isinstance(word, dict | list) for word in words):
            return "its args are no list of texts"
        self.entry["command"] = self.translator(words[0])
        if len(words) > 1:
            self.entry["args"] = [self.translator(_text(word)) for word in words[1:]]
        values = self._values(env, self.translator)
        for name in self._names("env_vars"):
            values.setdefault(name, f"${{{name}}}")
        for name in self._names("env_keys"):
            if name not in values:
                values[name] = self.translator.wanted(Asked(f"keyring:{name}", f"{self._dialect.title} keeps {name}"))
        if values:
            self.entry["env"] = values
        if isinstance(cwd := self._take("cwd"), str) and cwd:
            self.entry["cwd"] = self.translator(cwd)
        if (env_file := self._take("envFile")) is not None:
            self.warnings.append(f"It takes variables from the file {env_file}, which is not read. Enter them here.")
        if self._take("sandbox") is not None:
            self.warnings.append("Its sandbox is not taken over.")
        for key in ("headers", "url", "auth", "oauth", "cwd"):
            if self.left.get(key) in ({}, "", None):
                self.left.pop(key, None)
        return None

    def _remote(self, transport: str | None) -> str | None:
        streams = "httpUrl" in self.left
        url: Any = self._take("httpUrl", "serverUrl", "url", "uri")
        if not isinstance(url, str) or not url.strip():
            if "settings" in self.left or not self.left:
                self.left.clear()
                return f"an extension of {self._dialect.title} provides it"
            return "it has neither a command nor a url"
        if url.startswith(("unix:", "pipe:")):
            return "Sayso reaches servers by https, or by http on this computer"
        sse = transport == "sse" or (transport is None and not streams and self._is_sse(url))
        self.entry |= {"type": "sse" if sse else "http", "url": self.translator(url)}
        headers = self._values(self._take("headers", "http_headers"), self._in_headers)
        for name, variable in self._pairs("env_http_headers"):
            headers[name] = f"${{{variable}}}"
        if isinstance(variable := self._take("bearer_token_env_var"), str):
            headers["Authorization"] = f"Bearer ${{{variable}}}"
        for name in self._names("env_keys"):
            if not any(f"${{{name}}}" in value for value in headers.values()):
                continue
            held = self.translator.wanted(Asked(f"keyring:{name}", f"{self._dialect.title} keeps {name}"))
            headers = {header: value.replace(f"${{{name}}}", held) for header, value in headers.items()}
        self._take("envs", "env", "args")
        if headers:
            self.entry["headers"] = headers
        self._login()
        if self._take("headersHelper") is not None:
            self.warnings.append("A program makes its headers (headersHelper), which is not run. Enter them here.")
        return None

    def _login(self) -> None:
        oauth: Any = self._take("oauth")
        scopes: Any = self._take("scopes", "oauthScopes")
        auth: Any = self._take("auth", "authProviderType")
        given = cast("dict[str, Any]", oauth) if isinstance(oauth, dict) else {}
        if not given and isinstance(auth, dict):
            given = cast("dict[str, Any]", auth)
        client_id = given.get("clientId") or given.get("client_id") or given.get("CLIENT_ID")
        if isinstance(client_id, str):
            secret = given.get("clientSecret") or given.get("client_secret") or given.get("CLIENT_SECRET")
            kept: dict[str, Any] = {"clientId": self.translator(client_id)}
            if isinstance(secret, str):
                kept["clientSecret"] = self.translator(secret)
            wanted: Any = given.get("scopes") or scopes
            rows = cast("list[Any]", wanted) if isinstance(wanted, list) else [wanted]
            if texts := [scope for scope in rows if isinstance(scope, str)]:
                kept["scopes"] = texts
            self.entry["oauth"] = kept
        elif oauth or auth:
            self.warnings.append("It wants a login. Log in from here: its login is not taken over.")

    def _is_sse(self, url: str) -> bool:
        return self._dialect.sse_url or url.split("?", maxsplit=1)[0].rstrip("/").endswith("/sse")

    def _values(self, found: object, translate: Translator) -> dict[str, str]:
        if not isinstance(found, dict):
            return {}
        values: dict[str, str] = {}
        for name, value in cast("dict[Any, Any]", found).items():
            if value is None or isinstance(value, dict | list):  # never made a text: it may be a very large one
                self.warnings.append(f"{name} has no value that is a text.")
            else:
                values[str(name)] = translate(_text(value))
        return values

    def _names(self, key: str) -> list[str]:
        found: Any = self._take(key)
        rows = cast("list[Any]", found) if isinstance(found, list) else []
        names = [cast("dict[str, Any]", row).get("name") if isinstance(row, dict) else row for row in rows]
        return [name for name in names if isinstance(name, str)]

    def _pairs(self, key: str) -> list[tuple[str, str]]:
        found: Any = self._take(key)
        pairs = cast("dict[Any, Any]", found).items() if isinstance(found, dict) else ()
        return [(str(name), variable) for name, variable in pairs if isinstance(variable, str)]

    def _has(self, *keys: str) -> bool:
        return any(self.left.get(key) is not None for key in keys)

    def _take(self, *keys: str) -> Any:
        found = [self.left.pop(key, None) for key in keys]
        return next((value for value in found if value is not None), None)


def _text(value: object) -> str:
    return ("true" if value else "false") if isinstance(value, bool) else str(value)

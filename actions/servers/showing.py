"""A stored server as it is shown: no value that looks like a secret, and what a person should know of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from actions.catalog.secrecy import HIDDEN, veiled, veiled_args, veiled_url, veiled_values
from actions.catalog.server_views import BindingView, ServerView
from actions.servers.advice import warnings_on
from actions.servers.definitions import Binding, StoredServer
from actions.servers.pool.definition import Limits, Stdio, Value
from actions.servers.values import text_of
from actions.storage.secrets import Secret


def shown(server: StoredServer, *, whole: bool, moved: Sequence[str] = ()) -> ServerView:
    """``whole``: values that look like no secret are shown, else the names alone."""
    view = ServerView(
        name=server.name,
        title=server.title,
        transport="unknown",
        scope=server.scope.value,
        file=str(server.source),
        line=server.line,
        enabled=server.enabled,
        reason=server.standing.value,
        problem=server.problem,
        bindings=[shown_binding(binding) for binding in server.bindings],
        moved_to_secrets=list(moved),
        content_hash=server.content_hash,
        revision=server.revision,
    )
    if (definition := server.definition) is None:
        return view
    transport, limits = definition.transport, definition.limits
    more = {
        "connect_timeout_s": limits.connect,
        "call_timeout_s": None if limits.idle == Limits().idle else limits.idle,
        "warnings": list(warnings_on(definition)),
    }
    if isinstance(transport, Stdio):
        more |= {
            "transport": "stdio",
            "command": transport.command,
            "args": veiled_args(transport.args),
            "cwd": None if transport.cwd is None else str(transport.cwd),
            "env": shown_values(transport.env, whole=whole),
        }
    else:
        more |= {
            "transport": transport.transport,
            "url": veiled_url(transport.url),
            "headers": shown_values(transport.headers, whole=whole),
        }
    return view.model_copy(update=more)


def shown_binding(binding: Binding, revision: str | None = None) -> BindingView:
    """A binding; secrets in its overrides are dots."""
    return BindingView(
        id=binding.id,
        server=binding.server,
        target=binding.target,
        enabled=binding.enabled,
        overrides=veiled(dict(binding.overrides)),
        implied=binding.implied,
        revision=revision,
    )


def shown_values(values: Mapping[str, Value], *, whole: bool) -> dict[str, str]:
    """Variables or headers: references as they are, the rest as may be shown."""
    texts = {name: HIDDEN if isinstance(value, Secret) else text_of(value) for name, value in values.items()}
    if whole:
        return veiled_values(texts)
    return {name: text if text.startswith("${") and text.endswith("}") else HIDDEN for name, text in texts.items()}

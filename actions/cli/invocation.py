"""One command as it was given, with what its handler needs to carry it out."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from actions.cli.answer import Pending, error_from
from actions.cli.arguments import Flags

if TYPE_CHECKING:
    from actions.client.connection import HostConnection

_READS = ("none", "read")


class Invocation(NamedTuple):
    """``values`` are the arguments by field; ``rest`` is the line as given, for commands that read it themselves."""

    command: dict[str, Any]
    values: dict[str, Any]
    flags: Flags
    rest: list[str]
    environ: Mapping[str, str]

    @property
    def said(self) -> str:
        return " ".join(["sayso", *self.command["words"]])

    @property
    def language(self) -> str:
        return self.flags.language or language_of(self.environ)

    def value(self, field: str, default: Any = None) -> Any:
        return self.values.get(field, default)

    def host(self, *, start: bool = True) -> HostConnection:
        """The home's host, or inside an agent the one that started it. It is started when none answers."""
        from actions.client.connection import HostConnection
        from actions.storage.socket_file import trusted_socket

        token = self.environ.get("SAYSO_TOKEN")
        if endpoint := self.environ.get("SAYSO_ENDPOINT"):
            return HostConnection(endpoint.removeprefix("unix:").removeprefix("//"), token=token)
        return HostConnection(trusted_socket(self.environ), token=token, start=self._launch if start else None)

    def _launch(self) -> None:
        from actions.client.launch import HostStarter
        from actions.storage.paths import Paths

        HostStarter(Paths.from_environment(self.environ), self.environ).start()

    def execute(
        self,
        action: str,
        input: Mapping[str, Any],
        *,
        effect: str = "write",
        host: HostConnection | None = None,
        attached: bool = False,
    ) -> dict[str, Any]:
        """Run an action and give its ``data``. ``attached``: it ends with this command, and says how far it is.

        Raises Pending when it waits for an approval, and a SaysoError with the outcome's code when it failed.
        """
        return self.outcome(action, input, effect=effect, host=host, attached=attached)["data"]

    def outcome(
        self,
        action: str,
        input: Mapping[str, Any],
        *,
        effect: str = "write",
        host: HostConnection | None = None,
        attached: bool = False,
    ) -> dict[str, Any]:
        """Like :meth:`execute`, but the whole envelope of a completed outcome."""
        params: dict[str, Any] = {
            "action": action,
            "input": dict(input),
            "surface": "cli",
            "language": self.language,
            "label": self.said,
            "session_id": self.environ.get("SAYSO_SESSION_ID"),
            "workspace": self.flags.workspace or self.values.get("workspace"),
            "idempotency_key": self.flags.idempotency_key,
        }
        sent = {name: value for name, value in params.items() if value is not None}
        repeatable = effect in _READS or self.flags.idempotency_key is not None
        told = _progress if attached else None
        envelope = (host or self.host()).call("execute", sent, repeatable=repeatable, told=told)
        if not envelope["ok"]:
            raise error_from(envelope.get("error") or {})
        if envelope.get("outcome") == "pending" or envelope.get("kind") == "approval_pending":
            raise Pending(envelope["data"])
        return envelope

    def checked(self, method: str, *, host: HostConnection) -> dict[str, Any]:
        """The data of a call that is no action and may be made twice. Raises the host's error as a SaysoError."""
        envelope = host.call(method, {"surface": "cli", "label": self.said}, repeatable=True)
        if not envelope["ok"]:
            raise error_from(envelope.get("error") or {})
        return envelope["data"]


def _progress(words: str) -> None:
    """A line for a person at a terminal; a program that reads the errors is not told."""
    if sys.stderr is not None and sys.stderr.isatty():
        from actions.cli.output import say

        say(words)


def language_of(environ: Mapping[str, str]) -> str:
    """``zh`` where the environment asks for Chinese, else ``en`` (POSIX: LC_ALL, LC_MESSAGES, LANG)."""
    tag = environ.get("LC_ALL") or environ.get("LC_MESSAGES") or environ.get("LANG") or ""
    return "zh" if tag.lower().startswith("zh") else "en"


def environment() -> Mapping[str, str]:
    return os.environ

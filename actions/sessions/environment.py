"""The environment an agent process starts with: complete, built by us, never inherited by accident."""

from __future__ import annotations

import fnmatch
import os
from collections.abc import Mapping, Sequence

# Names and patterns that every program needs to behave as in the user's own terminal. Keys of model vendors are not
# here: a provider row names the ones that its agent may see.
PASSED_THROUGH: tuple[str, ...] = (
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "LANG",
    "LANGUAGE",
    "LC_*",
    "TZ",
    "TERM",
    "COLORTERM",
    "TMPDIR",
    "TEMP",
    "TMP",
    "XDG_*",
    "SSH_AUTH_SOCK",
    "SSH_AGENT_PID",
    "DBUS_SESSION_BUS_ADDRESS",
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "http_proxy",
    "https_proxy",
    "all_proxy",
    "no_proxy",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
    "NO_PROXY",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "REQUESTS_CA_BUNDLE",
    "CURL_CA_BUNDLE",
    "NODE_EXTRA_CA_CERTS",
    "GIT_SSH_COMMAND",
    "GIT_CONFIG_GLOBAL",
    "NVM_DIR",
    "NVM_BIN",
    "VIRTUAL_ENV",
    "SYSTEMROOT",
    "PATHEXT",
    "APPDATA",
    "LOCALAPPDATA",
    "USERPROFILE",
    "SAYSO_HOME",
    "SAYSO_LOG",
)


def build_environment(
    *,
    path: str,
    pass_through: Sequence[str] = (),
    own: Mapping[str, str] | None = None,
    session: Mapping[str, str] | None = None,
    source: Mapping[str, str] | None = None,
    unset: Sequence[str] = (),
) -> dict[str, str]:
    """The variables an agent gets.

    ``path`` is its PATH; ``pass_through`` are further names or patterns (``OPENAI_*``) taken from ``source`` (this
    process's environment when absent); ``own`` are the provider's variables with their secrets resolved; ``session``
    are the host's (``SAYSO_SESSION_ID``, ``SAYSO_TOKEN``, ``SAYSO_ENDPOINT``). Later ones win. ``unset`` are names or
    patterns that are never inherited.
    """
    given = os.environ if source is None else source
    patterns = (*PASSED_THROUGH, *pass_through)

    def _passed(name: str, value: str) -> bool:
        return _wanted(name, patterns) and not _wanted(name, unset) and not value.startswith("() ")

    env = {name: value for name, value in given.items() if _passed(name, value)}
    env.setdefault("TERM", "dumb")
    env.setdefault("LANG", "C.UTF-8")
    env["PATH"] = path
    env.update(own or {})
    env.update(session or {})
    return env


def _wanted(name: str, patterns: Sequence[str]) -> bool:
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)

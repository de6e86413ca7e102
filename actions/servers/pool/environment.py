"""The environment of a server's process: a short list of ours, and what its definition adds.

A server is a third party's program: it gets what programs need to run here (paths, language, proxies, where packages
come from), and no key of a model provider, no token of a session.
"""

from __future__ import annotations

from collections.abc import Mapping

from actions.catalog.secrecy import looks_secret

_NAMES = frozenset(
    """
    HOME LOGNAME PATH SHELL TERM USER LANG LANGUAGE TZ TMPDIR TEMP TMP DISPLAY WAYLAND_DISPLAY XAUTHORITY
    SSH_AUTH_SOCK DBUS_SESSION_BUS_ADDRESS HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY SSL_CERT_FILE SSL_CERT_DIR
    REQUESTS_CA_BUNDLE CURL_CA_BUNDLE NODE_EXTRA_CA_CERTS PIP_INDEX_URL NVM_DIR NVM_BIN VOLTA_HOME JAVA_HOME
    APPDATA LOCALAPPDATA HOMEDRIVE HOMEPATH PATHEXT PROCESSOR_ARCHITECTURE SYSTEMDRIVE SYSTEMROOT USERNAME USERPROFILE
    SAYSO_SESSION_ID SAYSO_KEPT
    """.split()
)
_PREFIXES = ("LC_", "XDG_", "NPM_CONFIG_", "UV_", "PLAYWRIGHT_")


def base(environ: Mapping[str, str]) -> dict[str, str]:
    """The part of ``environ`` that every server gets."""
    return {name: value for name, value in environ.items() if passes(name) and not value.startswith("()")}


def passes(name: str) -> bool:
    """Whether a variable of ours reaches a server."""
    upper = name.upper()
    if upper in _NAMES:
        return True
    return upper.startswith(_PREFIXES) and not looks_secret(name)

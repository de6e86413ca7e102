"""What a definition must not do without a person's own yes, or not at all."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable
from urllib.parse import urlsplit

_DENIED = frozenset(
    """
    PATH PATHEXT PYTHONPATH PYTHONHOME PYTHONSTARTUP PYTHONINSPECT PYTHONUSERBASE NODE_OPTIONS NODE_PATH
    NODE_REPL_EXTERNAL_MODULE RUBYOPT RUBYLIB PERL5OPT PERL5LIB PERLLIB CLASSPATH JAVA_TOOL_OPTIONS _JAVA_OPTIONS
    JDK_JAVA_OPTIONS COMSPEC SYSTEMROOT WINDIR SHELL BASH_ENV ENV ZDOTDIR IFS PROMPT_COMMAND PS4 SHELLOPTS BASHOPTS
    TEMP TMP TMPDIR HOME USERPROFILE GCONV_PATH LOCPATH HOSTALIASES RESOLV_HOST_CONF
    GIT_SSH GIT_SSH_COMMAND GIT_EXEC_PATH GIT_PROXY_COMMAND GIT_ASKPASS SSH_ASKPASS EDITOR VISUAL PAGER BROWSER
    NODE_EXTRA_CA_CERTS NODE_TLS_REJECT_UNAUTHORIZED SSL_CERT_FILE SSL_CERT_DIR PYTHONHTTPSVERIFY
    """.split()
)
_DENIED_PREFIXES = ("LD_", "DYLD_", "NPM_CONFIG_", "BASH_FUNC_", "UV_", "PIP_", "GIT_CONFIG", "SAYSO_")
_VARIABLE = re.compile(r"\$\{[^{}]*\}")


def denied(name: str) -> bool:
    """Whether a variable of this name can change which program runs, or what is loaded into it."""
    upper = name.upper()
    return upper in _DENIED or upper.startswith(_DENIED_PREFIXES)


def denied_names(names: Iterable[str]) -> tuple[str, ...]:
    """Those of ``names`` that need a yes of their own, in order."""
    return tuple(sorted(name for name in names if denied(name)))


def url_problem(url: str) -> str | None:
    """Why a URL is not used, or None: https, but on this computer; no address of a cloud's metadata."""
    try:
        parts = urlsplit(_VARIABLE.sub("x", url))
        host = (parts.hostname or "").rstrip(".").lower()
    except ValueError as error:
        return f"the URL is not valid ({error})"
    if parts.scheme not in ("http", "https") or not host:
        return "the URL must begin with https:// and name a host"
    if parts.username is not None or parts.password is not None:
        return "the URL holds a user or a password; put them in a header"
    address = _address(host)
    if address is not None and (address.is_link_local or address.is_unspecified or address.is_multicast):
        return "the URL leads to an address that no server of yours has (link-local, or a cloud's metadata)"
    if host in ("metadata.google.internal", "metadata.goog"):
        return "the URL leads to a cloud's metadata"
    local = host == "localhost" or host.endswith(".localhost") or (address is not None and address.is_loopback)
    if parts.scheme == "http" and not local:
        return "the URL must begin with https://: http is for servers on this computer"
    return None


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        found = ipaddress.ip_address(host)
    except ValueError:
        return None
    return found.ipv4_mapped or found if isinstance(found, ipaddress.IPv6Address) else found

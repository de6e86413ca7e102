"""Why a server is not there, in the window's language: by the reason's id, for the host's words are English."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from actions.catalog.server_use_views import ServerState
from actions.catalog.server_views import ServerTest

_WORDS: dict[str, Any] = {
    "command_not_found": QT_TRANSLATE_NOOP("servers", "Its command was not found."),
    "cwd_missing": QT_TRANSLATE_NOOP("servers", "Its folder does not exist."),
    "not_executable": QT_TRANSLATE_NOOP("servers", "Its command cannot be run."),
    "bad_definition": QT_TRANSLATE_NOOP("servers", "Its definition cannot be used."),
    "process_exited": QT_TRANSLATE_NOOP("servers", "Its process ended (%1)."),
    "init_timeout": QT_TRANSLATE_NOOP("servers", "It did not connect in time."),
    "timeout": QT_TRANSLATE_NOOP("servers", "It did not answer in time."),
    "protocol_error": QT_TRANSLATE_NOOP("servers", "It does not keep to the protocol."),
    "server_error": QT_TRANSLATE_NOOP("servers", "It reports an error."),
    "http_status": QT_TRANSLATE_NOOP("servers", "It answered with an error."),
    "unauthorized": QT_TRANSLATE_NOOP("servers", "It wants a login."),
    "tls": QT_TRANSLATE_NOOP("servers", "Its certificate was not accepted."),
    "dns": QT_TRANSLATE_NOOP("servers", "The name in its address is not known."),
    "unreachable": QT_TRANSLATE_NOOP("servers", "It cannot be reached."),
    "closed": QT_TRANSLATE_NOOP("servers", "Its connection was closed."),
    "active_by_default": QT_TRANSLATE_NOOP("servers", "It is on here."),
    "binding_disabled": QT_TRANSLATE_NOOP("servers", "It is off here."),
    "not_bound": QT_TRANSLATE_NOOP("servers", "It is bound nowhere."),
    "not_available_here": QT_TRANSLATE_NOOP("servers", "It is on in another folder only."),
    "invalid_definition": QT_TRANSLATE_NOOP("servers", "Its entry does not make a server."),
    "missing_value": QT_TRANSLATE_NOOP("servers", "A value that it needs is not set."),
    "available_here": QT_TRANSLATE_NOOP("servers", "It is off here; a session can take it."),
    "forced_included": QT_TRANSLATE_NOOP("servers", "This session takes it."),
    "forced_excluded": QT_TRANSLATE_NOOP("servers", "This session leaves it out."),
    "servers_off_for_session": QT_TRANSLATE_NOOP("servers", "This session takes none of your servers."),
    "not_trusted": QT_TRANSLATE_NOOP("servers", "The workspace's file wants to run this: look at it first."),
    "trust_changed": QT_TRANSLATE_NOOP("servers", "What it runs has changed since you trusted it."),
    "environment": QT_TRANSLATE_NOOP("servers", "Its variables need a yes of their own."),
    "unsupported_by_provider": QT_TRANSLATE_NOOP("servers", "This agent does not take it."),
}
_WHOLE = frozenset({"process_exited", "command_not_found", "unauthorized", "closed", "active_by_default", "not_bound",
                    "binding_disabled", "not_available_here", "available_here", "forced_included", "forced_excluded",
                    "servers_off_for_session", "not_trusted"})  # fmt: skip
"""Reasons to which the host's own words add nothing."""


_OF_A_DELIVERY: dict[str, Any] = {
    "shell": QT_TRANSLATE_NOOP("servers", "This agent gets tools as commands of its shell."),
    "chosen": QT_TRANSLATE_NOOP("servers", "You chose that it goes through Sayso."),
    "held": QT_TRANSLATE_NOOP("servers", "A tool of it waits to be looked at; the others go through Sayso until then."),
    "login": QT_TRANSLATE_NOOP("servers", "Its login is kept by Sayso and is not handed on."),
    "unseen": QT_TRANSLATE_NOOP(
        "servers", "Its tools are not known now, so they cannot be compared with those that you know."
    ),
    "apart": QT_TRANSLATE_NOOP("servers", "It runs in a folder of its own, which an agent cannot be told."),
    "transport": QT_TRANSLATE_NOOP("servers", "This agent does not take servers of this kind."),
}
_OF_A_TOOL: dict[str, Any] = {
    "by_search": QT_TRANSLATE_NOOP("servers", "Found by search, run by action_execute."),
    "gets_none": QT_TRANSLATE_NOOP("servers", "This agent gets none of the tools of Sayso."),
    "off": QT_TRANSLATE_NOOP("servers", "It is switched off for agents."),
    "invalid": QT_TRANSLATE_NOOP("servers", "Its definition cannot be used."),
    "unsupported_by_provider": _WORDS["unsupported_by_provider"],
    "pin_new": QT_TRANSLATE_NOOP(
        "servers", "It is new since the server's tools were last looked at. Look at it, and accept it."
    ),
    "pin_changed": QT_TRANSLATE_NOOP(
        "servers", "It has changed since you saw it. Look at the difference, and accept it."
    ),
}
_OF_A_TEST: dict[str, Any] = {
    "invalid_request": _WORDS["invalid_definition"],
    "missing_credentials": _WORDS["missing_value"],
    "not_trusted": _WORDS["not_trusted"],
    "needs_login": _WORDS["unauthorized"],
    "timeout": _WORDS["timeout"],
    "launch_failed": QT_TRANSLATE_NOOP("servers", "It could not be started."),
    "connect_failed": QT_TRANSLATE_NOOP("servers", "It did not connect."),
    "list_tools_failed": QT_TRANSLATE_NOOP("servers", "It did not list its tools."),
}


def delivery_reason_text(state: ServerState) -> str:
    """Why an agent is not given a server as it is."""
    english = str(_OF_A_DELIVERY.get(state.delivery_code, ""))
    return QCoreApplication.translate("servers", english) if english else state.delivery_reason


def tool_reason_text(code: str | None, reason: str | None) -> str:
    """Why a tool is not there at once; what made a definition unusable is added in the host's words."""
    english = str(_OF_A_TOOL.get(code or "", ""))
    if not english:
        return reason or ""
    shown = QCoreApplication.translate("servers", english)
    return f"{shown}\n{reason}" if code == "invalid" and reason else shown


def outcome_text(test: ServerTest) -> str:
    """Why a test failed: the host's words, in another language below what its code says."""
    words = (test.message or "").strip()
    english = str(_OF_A_TEST.get(test.code or "", test.code or ""))
    shown = QCoreApplication.translate("servers", english) if english else ""
    if test.code not in _OF_A_TEST or (words and shown == english):
        return words or shown
    return f"{shown}\n{words}" if words and words != english else shown


def reason_text(state: ServerState) -> str:
    """What went wrong, or why it is off. The host's words where they are in the window's language, else a translation,
    with those words below it where they say more.
    """
    words = (state.error or state.message).strip()
    reason = state.error_code or state.reason
    english = str(_WORDS.get(reason, ""))
    shown = QCoreApplication.translate("servers", english) if english else ""
    if not words or shown == english:
        return words
    shown = shown.replace("%1", "?" if state.exit_code is None else str(state.exit_code))
    return shown if reason in _WHOLE else f"{shown}\n{words}"

"""Sign-in as the agents offer it: which methods there are, and what a person does for each.

Source: ACP 1, authentication. A method of type ``agent`` is called; one of type ``terminal`` is run in a terminal and
never called; ``env_var`` is set before the agent starts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from actions.catalog.views import AuthMethodView
from actions.errors import InvalidInput
from actions.sessions.provider import Provider

if TYPE_CHECKING:
    from acp.schema import InitializeResponse


def methods_of(initialized: InitializeResponse | None) -> list[AuthMethodView]:
    """The agent's methods, in its order."""
    found: list[AuthMethodView] = []
    for method in (initialized.auth_methods if initialized else None) or []:
        raw: dict[str, Any] = method.model_dump(mode="json", by_alias=True, exclude_none=True)
        kind = str(raw.get("type") or "agent")
        known = kind if kind in ("agent", "terminal", "env_var") else "other"
        view = {"id": raw["id"], "name": raw.get("name") or raw["id"], "description": raw.get("description")}
        told = {"kind": known, "variables": _variables(raw), "arguments": _arguments(raw)}
        found.append(AuthMethodView.model_validate({**view, **told}))
    return found


def before_new(provider: Provider, methods: Sequence[AuthMethodView]) -> str | None:
    """The method to call before a session is asked for, where its key is set: the row's, if the agent offers it."""
    wanted = provider.sign_in
    return wanted.method if wanted is not None and wanted.method in {method.id for method in methods} else None


def callable_method(methods: Sequence[AuthMethodView], method_id: str) -> str:
    """``method_id``, which can be called. Raises InvalidInput that says what to do instead."""
    method = next((method for method in methods if method.id == method_id), None)
    if method is None:
        known = ", ".join(method.id for method in methods) or "none"
        raise InvalidInput(
            f"The agent offers no sign-in {method_id!r}; it offers {known}.",
            [{"field": "sign_in", "message": f"one of {known}"}],
        )
    if method.kind == "terminal":
        raise InvalidInput(
            f"{method.name} is done in a terminal: start the agent there{_with(method)} and sign in, then check it "
            "again.",
            [{"field": "sign_in", "message": "done in a terminal"}],
        )
    if method.kind == "env_var":
        names = ", ".join(method.variables) or "its variable"
        raise InvalidInput(
            f"{method.name} is done by a variable: set {names}, or put it into providers.toml, then check it again.",
            [{"field": "sign_in", "message": f"set {names}"}],
        )
    return method.id


def what_to_do(provider: Provider, methods: Sequence[AuthMethodView]) -> str:
    """For a person whose agent wants a sign-in: the row's hint, and what the agent itself offers."""
    offered = ", ".join(f"{method.name} ({method.id})" for method in methods)
    parts = [f"{provider.name} wants you to sign in first.", provider.auth_hint or ""]
    if offered:
        parts.append(f"It offers: {offered}.")
    for method in methods:
        if method.kind == "agent":
            parts.append(f"For {method.name}: sayso providers check {provider.id} --sign-in {method.id}")
            break
    return " ".join(part for part in parts if part)


def _variables(raw: Mapping[str, Any]) -> list[str]:
    given = cast("list[Any]", raw.get("vars") or [])
    variables = [cast("dict[str, Any]", variable) for variable in given if isinstance(variable, dict)]
    return [str(variable["name"]) for variable in variables if variable.get("name")]


def _arguments(raw: Mapping[str, Any]) -> list[str]:
    given = raw.get("args")
    return [str(argument) for argument in cast("list[Any]", given)] if isinstance(given, list) else []


def _with(method: AuthMethodView) -> str:
    return f" with {' '.join(method.arguments)}" if method.arguments else ""

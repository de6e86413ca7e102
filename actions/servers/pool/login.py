"""Logging in to a server (MCP, "Authorization"): the browser's way for a person, renewal for the background."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import urlsplit

import httpx2
from mcp.client.auth import OAuthClientProvider, OAuthFlowError, OAuthRegistrationError, OAuthTokenError
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientInformationFull, OAuthClientMetadata, OAuthMetadata
from pydantic import AnyUrl

from actions.servers.pool.callback import Callback, listening
from actions.servers.pool.definition import Http, OAuthClient, SecretSource, ServerDefinition
from actions.servers.pool.secrets import resolve
from actions.servers.pool.states import Failure, Reason, ServerError
from actions.servers.pool.tokens import Tokens, Unreadable

LIMIT = 300.0
"""Seconds that a person has for a login."""
Show = Callable[[str], Awaitable[None]]
"""Opens the address in a browser, or shows it."""
_PROBE = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
_HEADERS = {"Accept": "application/json, text/event-stream"}


class LoginNeeded(Exception):
    """Only a person can go on: the stored login does not do, or there is none."""


class _Forgotten(Exception):
    """The provider does not know our registration any more."""


def background_auth(http: Http, tokens: Tokens, *, renew: bool) -> httpx2.Auth:
    """Sends the stored token and renews it; asks nobody. With ``renew`` it is renewed before its first use."""

    async def ask(url: str = "") -> AuthorizationCodeResult:
        raise LoginNeeded

    provider = _provider(http, tokens, "http://127.0.0.1/callback", ask, ask)
    provider.context.oauth_metadata = tokens.metadata
    provider.context.token_expiry_time = 1.0 if renew else tokens.expires_at
    return provider


async def log_in(
    definition: ServerDefinition, tokens: Tokens, secrets: SecretSource, show: Show, *, limit: float = LIMIT
) -> None:
    """Let a person log in; the client and the tokens are stored. Cancel it to give up.

    Raises ServerError, in words, when it does not work.
    """
    http = definition.transport
    if not isinstance(http, Http):
        raise _failed(definition, "It is a local program: there is nothing to log in to.")
    try:
        async with asyncio.timeout(limit):
            await _with_a_known_client(http, tokens, secrets, show)
    except TimeoutError as error:
        text = f"Nobody came back from the browser within {limit:g} s. Log in again."
        raise _failed(definition, text) from error
    except (OAuthFlowError, OAuthRegistrationError, OAuthTokenError, _Forgotten) as error:
        raise _failed(definition, str(error)) from error
    except httpx2.HTTPError as error:
        raise _failed(definition, f"The login could not be reached: {error}") from error


async def _with_a_known_client(http: Http, tokens: Tokens, secrets: SecretSource, show: Show) -> None:
    try:
        await tokens.load()
    except Unreadable:
        await tokens.forget()
    await tokens.forget("tokens", "expires_at")
    try:
        await _once(http, tokens, secrets, show)
    except _Forgotten:
        await tokens.forget("client")
        await _once(http, tokens, secrets, show)


async def _once(http: Http, tokens: Tokens, secrets: SecretSource, show: Show) -> None:
    stored = await tokens.get_client_info()
    async with listening(_port(stored)) as callback:
        if http.oauth is not None:
            await tokens.set_client_info(await _given_client(http.oauth, secrets, callback))
        elif stored is not None and callback.url not in map(str, stored.redirect_uris or ()):
            await tokens.forget("client")  # its port is taken: the provider would refuse another
            stored = None
        known = stored is not None

        async def open_page(url: str) -> None:
            # A provider that forgot our registration shows an error page to the person and answers us never
            if known and await _refused(url):
                raise _Forgotten("The provider does not know this client any more.")
            context = provider.context
            if http.oauth is not None and context.client_info is not None:
                method = _shows_secret(context.client_info, context.oauth_metadata)
                context.client_info = context.client_info.model_copy(update={"token_endpoint_auth_method": method})
                await tokens.set_client_info(context.client_info)
            await show(url)

        async def wait() -> AuthorizationCodeResult:
            answer = await callback.answer
            if "code" not in answer:
                why = answer.get("error_description") or answer.get("error") or "no code came back"
                raise OAuthFlowError(f"The login was refused: {why}.")
            return AuthorizationCodeResult(code=answer["code"], state=answer.get("state"), iss=answer.get("iss"))

        provider = _provider(http, tokens, callback.url, open_page, wait)
        headers, _ = await resolve(
            {name: v for name, v in http.headers.items() if name.lower() != "authorization"}, secrets
        )
        async with httpx2.AsyncClient(
            transport=_AsksForLogin(), auth=provider, headers={**headers, **_HEADERS}, timeout=30.0
        ) as client:
            await client.post(http.url, json=_PROBE)
        await tokens.set_metadata(provider.context.oauth_metadata)


class _AsksForLogin(httpx2.AsyncHTTPTransport):
    """A server may let anybody in at first; whoever wants to log in gets a 401 from here then."""

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        response = await super().handle_async_request(request)
        if response.status_code == 401 or "authorization" in request.headers or not _is_probe(request):
            return response
        await response.aclose()
        return httpx2.Response(401, request=request)


def _is_probe(request: httpx2.Request) -> bool:
    return request.method == "POST" and request.headers.get("accept") == _HEADERS["Accept"]


def _provider(http: Http, tokens: Tokens, url: str, ask: Any, wait: Any) -> OAuthClientProvider:
    return OAuthClientProvider(
        server_url=http.url,
        client_metadata=OAuthClientMetadata(
            client_name="Sayso",
            redirect_uris=[AnyUrl(url)],
            scope=" ".join(http.oauth.scopes) or None if http.oauth else None,
        ),
        storage=tokens,
        redirect_handler=ask,
        callback_handler=wait,
    )


async def _given_client(given: OAuthClient, secrets: SecretSource, callback: Callback) -> OAuthClientInformationFull:
    secret = None
    if given.client_secret is not None:
        clear, _ = await resolve({"secret": given.client_secret}, secrets)
        secret = clear["secret"]
    return OAuthClientInformationFull(
        client_id=given.client_id,
        client_secret=secret,
        redirect_uris=[AnyUrl(callback.url)],
    )


def _shows_secret(client: OAuthClientInformationFull, metadata: OAuthMetadata | None) -> str:
    """How a client that was registered by hand shows its secret to the provider (RFC 8414, 2; RFC 6749, 2.3.1)."""
    if not client.client_secret:
        return "none"
    told = None if metadata is None else metadata.token_endpoint_auth_methods_supported
    taken = told or ["client_secret_basic"]
    return next(
        (method for method in ("client_secret_post", "client_secret_basic", "none") if method in taken), taken[0]
    )


async def _refused(url: str) -> bool:
    async with httpx2.AsyncClient(follow_redirects=False, timeout=10.0) as client:
        return (await client.get(url)).status_code in (400, 401)


def _port(client: OAuthClientInformationFull | None) -> int:
    uris = (client.redirect_uris if client is not None else None) or ()
    return next((port for uri in uris if (port := urlsplit(str(uri)).port) is not None), 0)


def _failed(definition: ServerDefinition, text: str) -> ServerError:
    message = f"The login to {definition.name} did not work. {text}"
    return ServerError(definition.name, Failure(Reason.UNAUTHORIZED, message, login=True))

"""The parameters of the requests that the agent takes (ACP 1, "Schema"); what it has no use for is left out."""

from __future__ import annotations

from typing import Annotated, Any, Literal, cast

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel


class _Params(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", alias_generator=to_camel, populate_by_name=True)


class Pair(_Params):
    """A header or a variable."""

    name: str
    value: str


class HttpServer(_Params):
    type: Literal["http", "sse"]
    name: str
    url: str
    headers: tuple[Pair, ...] = ()


class StdioServer(_Params):
    type: Literal["stdio"] = "stdio"
    name: str
    command: str
    args: tuple[str, ...] = ()
    env: tuple[Pair, ...] = ()


Server = HttpServer | StdioServer


class _OpensSession(_Params):
    cwd: str
    additional_directories: tuple[str, ...] | None = None
    mcp_servers: tuple[Server, ...] | None = None


class NewSession(_OpensSession):
    """``session/new``."""


class ReopenSession(_OpensSession):
    """``session/load``, ``session/resume`` and ``session/fork``."""

    session_id: str


class ListSessions(_Params):
    """``session/list``."""

    cwd: str | None = None
    cursor: str | None = None


class OfSession(_Params):
    """``session/close`` and ``session/cancel``."""

    session_id: str


class SetMode(OfSession):
    """``session/set_mode``."""

    mode_id: str


class SetOption(OfSession):
    """``session/set_config_option``."""

    config_id: str
    value: str | bool


class TextBlock(_Params):
    type: Literal["text"]
    text: str


class MediaBlock(_Params):
    type: Literal["image", "audio"]
    data: str
    mime_type: str


class LinkBlock(_Params):
    type: Literal["resource_link"]
    uri: str


class Resource(_Params):
    """``text`` or ``blob`` (base64)."""

    uri: str
    mime_type: str | None = None
    text: str | None = None
    blob: str | None = None


class ResourceBlock(_Params):
    type: Literal["resource"]
    resource: Resource


Block = Annotated[TextBlock | MediaBlock | LinkBlock | ResourceBlock, Field(discriminator="type")]


class Prompt(OfSession):
    """``session/prompt``."""

    prompt: tuple[Block, ...]
    meta: Any = Field(default=None, alias="_meta")

    @property
    def sayso(self) -> object:
        """``_meta.sayso``, of whatever shape."""
        meta: object = self.meta
        return cast("dict[str, object]", meta).get("sayso") if isinstance(meta, dict) else None


class LateAnswer(OfSession):
    """``_sayso/permission/answer``."""

    request_id: str
    option_id: str
    feedback: str = ""

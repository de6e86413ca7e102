"""The catalog as a caller sees it: what it may find, in which words, with which options, under which policy."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any, Protocol

from actions.catalog.context import ActionContext
from actions.catalog.form import FormField
from actions.catalog.options import OptionRequest
from actions.catalog.projections.tool import input_schema
from actions.catalog.registry import Catalog
from actions.catalog.search import CatalogSearch
from actions.catalog.spec import ActionSpec, Exposure, Placement, Surface
from actions.errors import ErrorCode, InvalidInput, NotFound, Refused, SaysoError
from actions.execution.preview import preview
from actions.policy.availability import Status, availability
from actions.policy.effective import effective, on_surface
from actions.policy.exposure import exposed, hot_path
from actions.policy.settings import PolicySettings
from actions.policy.surfaces import surface_of


class PolicySource(Protocol):
    """Where the overrides in force come from, and where they are changed."""

    def current(self) -> PolicySettings: ...

    def change(
        self,
        action_id: str,
        *,
        surface: str | None,
        enabled: str | None,
        approval: str | None,
        exposure: str | None,
        workspace: str | None,
    ) -> None: ...


class Directory:
    """Implements the directory port over a catalog and the policy in force."""

    def __init__(self, catalog: Catalog, policy: PolicySource) -> None:
        self._catalog = catalog
        self._policy = policy
        self._search = CatalogSearch(catalog)

    def search(self, query: str, limit: int, ctx: ActionContext) -> list[dict[str, Any]]:
        """Summaries of what the caller's surface may run, best first. The window also finds what can be switched on."""
        settings = self._policy.current()
        found: list[dict[str, Any]] = []
        for score, spec in self._search.scored(query, 100):
            may = availability(spec, ctx.surface, settings, workspace=ctx.workspace)
            if may.available or (ctx.surface is Surface.UI and may.status is Status.DISABLED_BY_SETTINGS):
                rank = {"available": may.available, "slash": list(spec.slash), "score": score}
                found.append(_summary(spec, ctx.language) | rank)
        return found[:limit]

    def get(self, action_id: str, ctx: ActionContext) -> dict[str, Any]:
        """The full definition, for every declared id: availability is a field of it.

        Raises ``unknown_action``; for an agent or editor also ``action_disabled``.
        """
        spec = self._known(action_id)
        settings = self._policy.current()
        may = availability(spec, ctx.surface, settings, workspace=ctx.workspace)
        asker = ctx.surface in (Surface.SESSION_AGENT, Surface.MCP)
        if asker and may.status is Status.DISABLED_BY_SETTINGS:
            raise Refused(may.reason, code=ErrorCode.ACTION_DISABLED, details={"remedy": may.remedy})
        return self._definition(spec, ctx.surface, settings, ctx.workspace, ctx.language) | {
            "input_schema": input_schema(spec),
            "output_schema": spec.output.model_json_schema(mode="serialization"),
            "spec_hash": spec.hash,
        }

    def everything(self, surface: Surface, workspace: str | None, language: str) -> dict[str, Any]:
        """Every action of a surface with its form, phrases and policy, and a version that changes with any of it."""
        settings = self._policy.current()
        hot = {spec.id for spec in hot_path(self._catalog, surface, settings, workspace=workspace)}
        actions = [
            self._definition(spec, surface, settings, workspace, language) | {"on_hot_path": spec.id in hot}
            for spec in self._catalog
            if surface in spec.surfaces
        ]
        version = hashlib.sha256(json.dumps(actions, sort_keys=True, default=str).encode()).hexdigest()[:16]
        return {"version": version, "actions": actions}

    async def preview(self, action_id: str, draft: Mapping[str, Any], ctx: ActionContext) -> dict[str, Any]:
        return await preview(self._known(action_id), draft, self._policy.current(), ctx)

    async def options(
        self,
        *,
        action_id: str | None,
        field_path: str | None,
        source: str | None,
        draft: Mapping[str, Any],
        query: str,
        limit: int,
        include_disabled: bool,
        ctx: ActionContext,
    ) -> dict[str, Any]:
        """Options of a field, or of a source by its id, under a draft."""
        target: dict[str, Any] = {"action_id": action_id, "field_path": field_path, "source": source}
        source_id = source
        if source_id is None:
            field = self._field(self._known(action_id or ""), field_path or "", ctx.language)
            if field.options:
                wanted = query.casefold()
                fixed = [o for o in field.options if wanted in f"{o.value} {o.label} {' '.join(o.aliases)}".casefold()]
                return target | {"options": [o.model_dump(mode="json") for o in fixed[:limit]]}
            if field.source is None:
                raise InvalidInput(
                    f"{action_id}: {field_path} takes any value, it has no options.",
                    [{"field": "field_path", "message": "This field has no options."}],
                )
            source_id = str(field.source)
        known = self._catalog.sources.get(source_id)
        if known is None:
            raise InvalidInput(
                f"There is no option source {source_id!r}.", [{"field": "source", "message": "It is not known."}]
            )
        request = OptionRequest(draft=draft, query=query, limit=limit, include_disabled=include_disabled)
        try:
            options = await known.resolve(request, ctx)
        except SaysoError:
            raise
        except Exception as error:
            raise SaysoError(f"The options of {source_id} could not be read.", details={"cause": str(error)}) from error
        return target | {"source": source_id, "options": [o.model_dump(mode="json") for o in options]}

    def policy(self, action_id: str | None, surface: str | None, ctx: ActionContext) -> dict[str, Any]:
        settings = self._policy.current()
        chosen = surface_of(surface) if surface is not None else None
        specs = [self._known(action_id)] if action_id is not None else list(self._catalog)
        return {
            "actions": [
                effective(s, settings, surface=chosen, workspace=ctx.workspace, language=ctx.language) for s in specs
            ]
        }

    async def set_policy(
        self,
        action_id: str,
        *,
        surface: str | None,
        enabled: str | None,
        approval: str | None,
        exposure: str | None,
        workspace: str | None,
    ) -> dict[str, Any]:
        """Change the overrides of an action and answer with the policy in force."""
        spec = self._known(action_id)
        if (approval is not None or exposure is not None) and surface is None:
            raise InvalidInput(
                "Say for which surface.",
                [{"field": "surface", "message": "Approval and exposure belong to a surface."}],
            )
        if enabled is None and approval is None and exposure is None:
            raise InvalidInput(
                "Say what should change.", [{"field": "enabled", "message": "Give enabled, approval or exposure."}]
            )
        if approval is not None and spec.id.startswith("approval.request."):
            raise InvalidInput(
                "Approval actions have no approval control: they never ask.",
                [{"field": "approval", "message": "It cannot be set for this action."}],
            )
        self._policy.change(
            action_id, surface=surface, enabled=enabled, approval=approval, exposure=exposure, workspace=workspace
        )
        return {"actions": [effective(spec, self._policy.current(), workspace=workspace)]}

    def _definition(
        self, spec: ActionSpec, surface: Surface, settings: PolicySettings, workspace: str | None, language: str
    ) -> dict[str, Any]:
        policy = on_surface(spec, surface, settings, workspace)
        return _summary(spec, language) | {
            "surfaces": sorted(s.value for s in spec.surfaces),
            "form": [field.model_dump(mode="json") for field in self._catalog.form(spec, language)],
            "say": [{"template": s.template, "language": s.language, "values": dict(s.values)} for s in spec.say],
            "examples": [dict(example) for example in spec.examples],
            "placements": sorted(p.value for p in spec.placements if p is not Placement.COMPOSER_CHIP),
            "slash": list(spec.slash),
            "synonyms": list(spec.synonyms),
            "hot": spec.hot,
            "reply": spec.reply.value,
            "decides": spec.decides,
            "implemented": spec.implemented,
            "tool_name": spec.tool_name,
            "availability": policy["status"],
            "direct": exposed(spec, surface, settings, workspace=workspace).exposure is Exposure.DIRECT,
            "policy": policy,
        }

    def _known(self, action_id: str) -> ActionSpec:
        spec = self._catalog.get(action_id)
        if spec is None:
            near = self._catalog.nearest(action_id)
            hint = f" Did you mean {near[0]}?" if near else " Search for it: sayso actions search WORDS"
            raise NotFound(
                f"There is no action {action_id!r}.{hint}",
                code=ErrorCode.UNKNOWN_ACTION,
                details={"candidates": [{"id": found} for found in near]},
            )
        return spec

    def _field(self, spec: ActionSpec, path: str, language: str) -> FormField:
        for field in self._catalog.form(spec, language):
            if field.path == path:
                return field
        names = ", ".join(field.path for field in self._catalog.form(spec, language))
        raise InvalidInput(
            f"{spec.id} has no field {path!r}.", [{"field": "field_path", "message": f"Its fields are: {names}."}]
        )


def _summary(spec: ActionSpec, language: str) -> dict[str, Any]:
    return {
        "id": spec.id,
        "title": spec.title.in_language(language),
        "description": spec.description.in_language(language),
        "effect": spec.effect.value,
    }

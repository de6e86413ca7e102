"""Answers the launcher: search, definitions, options, and the run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pydantic import ValidationError

from actions.catalog.options import Option
from desktop.app.backend import Backend, Outcome, Status
from desktop.app.pane import Presenter, Report
from desktop.launcher.overlay import Launcher
from desktop.launcher.recent import Recent
from desktop.launcher.spec import ActionForm, read_form, read_preview, read_summary, slash_of, words_field

Done = Callable[[str, Outcome], None]


class LauncherPresenter(Presenter):
    """The newest question wins: an answer to an older one is dropped."""

    name = "launcher"

    def __init__(
        self, backend: Backend, view: Launcher, report: Report, done: Done, session: Callable[[], str | None]
    ) -> None:
        """``session`` names the one in front: what an action takes as the caller's own session, shown in its form."""
        super().__init__(backend, report)
        self.recent = Recent()
        self._session = session
        self._view = view
        self._done = done
        self._query = ""
        self._form: ActionForm | None = None
        self._asked: dict[str, int] = {}
        self._previews = 0
        view.query_changed.connect(self._on_query)
        view.picked.connect(self._on_pick)
        view.preview_wanted.connect(lambda action_id, draft: self.start(self._preview(action_id, draft), "preview"))
        view.options_wanted.connect(lambda path: self.start(self._load_options(path), "options"))
        view.run_asked.connect(lambda action_id, input: self.start(self._run(action_id, input), "run"))

    def open_form(self, action_id: str, values: Mapping[str, Any] | None = None) -> None:
        """Open an action's form, filled with what is known."""
        self.start(self._open(action_id, values), "open")

    def _on_pick(self, action_id: str) -> None:
        _, words = slash_of(self._query)
        self.start(self._open(action_id, None, words), "open")

    def _on_query(self, query: str) -> None:
        self._query = query
        self.start(self._search(query), "search")

    async def _search(self, query: str) -> None:
        token, words = slash_of(query)
        outcome = await self.backend.execute("action.spec.search", {"query": token or query, "limit": 100})
        if query != self._query:
            return
        if outcome.ok:
            hits = self.recent.in_order(read_summary(entry) for entry in outcome.data.get("actions", ()))
            exact = [hit for hit in hits if token in hit.slash]
            self._view.show_hits(exact if words and exact else hits)
        else:
            self._view.show_problem(outcome.message)

    async def _open(self, action_id: str, values: Mapping[str, Any] | None, words: str = "") -> None:
        """Show its form; ``words`` are for the field that takes a text."""
        outcome = await self.backend.execute("action.spec.get", {"id": action_id})
        if not outcome.ok:
            self._view.show_problem(outcome.message)
            return
        try:
            self._form = read_form(outcome.data)
        except ValidationError as error:
            self._view.show_problem(str(error))
            return
        session = self._session()
        own = {field.path: session for field in self._form.fields if field.own and session is not None}
        field = words_field(self._form) if words else None
        said = {} if field is None else {field: words}
        self._view.show_form(self._form, {**own, **said, **(values or {})})

    async def _load_options(self, path: str) -> None:
        form = self._form
        if form is None:
            return
        number = self._asked[path] = self._asked.get(path, 0) + 1
        draft = self._view.form.draft.values()
        outcome = await self.backend.execute(
            "action.options.resolve", {"action_id": form.summary.id, "field_path": path, "draft": draft}
        )
        if form is not self._form or number != self._asked[path]:
            return
        if outcome.ok:
            known = Option.model_fields
            options = [
                Option.model_validate({key: value for key, value in entry.items() if key in known})
                for entry in outcome.data.get("options", ())
            ]
            self._view.form.show_options(path, options)
        else:
            self._view.form.show_problem(path, outcome.message)

    async def _preview(self, action_id: str, draft: Mapping[str, Any]) -> None:
        self._previews = number = self._previews + 1
        outcome = await self.backend.execute("action.call.preview", {"action_id": action_id, "input": draft})
        if outcome.ok and outcome.data and number == self._previews:
            self._view.show_preview(action_id, read_preview(outcome.data))

    def _answers(self, action_id: str) -> bool:
        """Whether the form that is still open is run for what comes back."""
        form = self._form
        return form is not None and form.summary.id == action_id and form.answers and self._view.isVisible()

    async def _run(self, action_id: str, input: Mapping[str, Any]) -> None:
        outcome = await self.backend.execute(action_id, input)
        if outcome.status in (Status.COMPLETED, Status.PENDING):
            self.recent.used(action_id)
        if outcome.status is Status.COMPLETED and self._answers(action_id):
            self._view.show_found(outcome.data)
        elif outcome.status in (Status.COMPLETED, Status.PENDING):
            self._view.close_launcher()
            self._done(action_id, outcome)
        else:
            self._view.show_errors(list(outcome.details.get("fields", ())), outcome.message)

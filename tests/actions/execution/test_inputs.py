"""An input on its way in: named complaints, canonical text, rows for a person."""

from __future__ import annotations

import json
from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field, model_validator

from actions.catalog.form import form_fields
from actions.catalog.hints import Hint, Widget
from actions.catalog.predicates import eq
from actions.catalog.spec import ActionInput, Done, Effect, action
from actions.errors import InvalidInput
from actions.execution import inputs, proofs


class Mixed(ActionInput):
    name: str
    count: Annotated[int, Field(ge=1, le=5)] = 1
    tags: list[str] = Field(default_factory=list[str])
    extra: dict[str, Any] | None = None
    loud: bool = False
    token: Annotated[str | None, Hint(widget=Widget.SECRET)] = None
    hidden: Annotated[str, Hint(visible_when=eq("loud", True))] = ""

    @model_validator(mode="after")
    def _check(self) -> Mixed:
        if self.name == "bad":
            raise ValueError("that name is taken")
        return self


@action("test.mixed", title="Mixed", effect=Effect.READ)
async def mixed(inp: Mixed, ctx: Any) -> Done:
    """All kinds of fields."""
    return Done()


def test_complaints_name_the_field_in_plain_words() -> None:
    with pytest.raises(InvalidInput) as refused:
        inputs.parse(mixed, {"count": 9, "nmae": "x", "extra": 3})
    assert {f["field"]: f["message"] for f in refused.value.details["fields"]} == {
        "name": "is required",
        "nmae": "is not a field of this action",
        "count": "Input should be less than or equal to 5",
        "extra": "Input should be a valid dictionary",
    }
    rules = {f["field"]: (f.get("keyword"), f.get("limit")) for f in refused.value.details["fields"]}
    assert rules == {
        "name": ("required", None),
        "nmae": ("additionalProperties", None),
        "count": ("maximum", "5"),
        "extra": (None, None),  # our words for it would say less
    }


def test_a_complaint_about_the_whole_has_no_field() -> None:
    with pytest.raises(InvalidInput, match="that name is taken") as refused:
        inputs.parse(mixed, {"name": "bad"})
    assert refused.value.details["fields"] == [{"field": "", "message": "that name is taken"}]


def test_the_canonical_text_holds_what_was_given() -> None:
    text = inputs.canonical(Mixed(name="é", count=2, extra=None))
    assert text == '{"count":2,"extra":null,"name":"é"}'


@given(
    st.fixed_dictionaries(
        {"name": st.text(min_size=1).filter(lambda t: t.strip() not in ("", "bad"))},
        optional={
            "count": st.integers(1, 5),
            "tags": st.lists(st.text()),
            "loud": st.booleans(),
            "extra": st.dictionaries(st.text(), st.integers() | st.text() | st.none()),
        },
    ),
    st.randoms(),
)
def test_equal_inputs_have_one_text_that_reads_back(values: dict[str, Any], random: Any) -> None:
    first = inputs.parse(mixed, values)
    shuffled = list(values.items())
    random.shuffle(shuffled)
    text = inputs.canonical(first)
    assert inputs.canonical(inputs.parse(mixed, dict(shuffled))) == text
    again = inputs.parse(mixed, json.loads(text))
    assert again == first
    assert inputs.canonical(again) == text


def test_rows_say_what_matters_and_hide_what_is_secret() -> None:
    inp = Mixed(name="x" * 3000, tags=["a", "b"], extra={"k": [1]}, token="hunter2", hidden="not shown")
    rows = {row["path"]: row["value"] for row in inputs.shown_fields(form_fields(Mixed), inp, {})}
    assert rows["name"] == "x" * 3000, "what is approved is what was shown: nothing hides behind a cut"
    assert rows["tags"] == "a, b"
    assert rows["extra"] == '{"k": [1]}'
    assert rows["token"] == "•••"
    assert rows["loud"] == "no"
    assert "hidden" not in rows


def test_a_secret_is_found_by_its_widget() -> None:
    fields = form_fields(Mixed)
    assert inputs.has_secret(fields, Mixed(name="x", token="t"))
    assert not inputs.has_secret(fields, Mixed(name="x"))


async def test_what_is_gone_is_no_error_but_a_difference(tmp_path: Any) -> None:
    file = tmp_path / "a.txt"
    file.write_text("one")
    claims = {"file": str(file), "directory": str(tmp_path), "head": str(tmp_path), "revision": 7}
    before = await proofs.observe(claims)
    assert proofs.difference(before, await proofs.observe(claims)) is None
    file.write_text("two")
    assert "has changed" in (proofs.difference(before, await proofs.observe(claims)) or "")
    file.unlink()
    assert "has changed" in (proofs.difference(before, await proofs.observe(claims)) or "")
    file.write_text("one")
    assert proofs.difference(before, await proofs.observe(claims | {"revision": 8})) == "revision is not as it was."

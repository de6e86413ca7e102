from actions.catalog.form import spec_form
from actions.catalog.registry import load
from desktop.launcher.spec import read_form, read_summary


def test_every_action_of_the_catalog_becomes_a_form() -> None:
    for spec in load().specs.values():
        fields = [field.model_dump(mode="json") for field in spec_form(spec)]
        form = read_form({"id": spec.id, "title": spec.title.en, "effect": spec.effect.value, "form": fields})
        assert [field.path for field in form.fields] == list(spec.input.model_fields)


def test_a_field_of_a_newer_host_is_read_as_far_as_it_is_known() -> None:
    spec = load().specs["session.spawn_new"]
    fields = [field.model_dump(mode="json") | {"invented_later": 1} for field in spec_form(spec)]
    assert read_form({"id": spec.id, "form": fields}).fields


def test_why_an_action_cannot_be_run() -> None:
    blocked = {"state": "disabled_by_settings", "reason": "Switched off on this device."}
    summary = read_summary({"id": "a.b", "title": "Do", "available": blocked})
    assert (summary.available, summary.reason) == (False, "Switched off on this device.")
    assert read_summary({"id": "a.b"}).available

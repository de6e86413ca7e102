"""The Chinese texts: none for a text that is gone, and nearly everything a person reads has one."""

from __future__ import annotations

from actions.catalog.chinese import CHINESE, DESCRIPTIONS, FIELDS, OPTIONS
from actions.catalog.chinese_results import RESULTS
from actions.catalog.form import humanise
from actions.catalog.hints import Hint
from actions.catalog.registry import load
from actions.catalog.spec import Reply
from actions.catalog.text import Text, is_chinese

CATALOG = load()


def form_texts():
    for spec in CATALOG:
        for field in CATALOG.form(spec):
            yield from (field.title, field.description, field.placeholder, humanise(field.path))
            yield from (option.label for option in field.options)


def test_no_translation_of_a_text_that_is_gone():
    known = {spec.description.en for spec in CATALOG} | set(form_texts())
    assert set(DESCRIPTIONS) | set(FIELDS) | set(OPTIONS) <= known


def result_names():
    read = [spec for spec in CATALOG if spec.effect.reads_only or spec.reply is Reply.WAIT]
    schemas = [spec.output.model_json_schema(mode="serialization") for spec in read]
    schemas += [field.json_schema for spec in CATALOG for field in CATALOG.form(spec) if field.json_schema]
    for schema in schemas:
        for part in (schema, *schema.get("$defs", {}).values()):
            yield from (humanise(name) for name in part.get("properties", {}))


def test_results_are_named_in_chinese_and_no_name_is_gone():
    names = set(result_names())
    assert set(RESULTS) <= names
    named = [name for name in names if is_chinese(Text(name).in_language("zh"))]
    assert len(named) >= len(names) * 0.85


def test_translations_are_chinese():
    assert [source for source, text in CHINESE.items() if not is_chinese(text)] == []


def test_most_of_what_is_read_is_there():
    shown = [(f.title, f.path) for spec in CATALOG for f in CATALOG.form(spec, "zh_CN")]
    assert sum(not is_chinese(title) for title, _ in shown) <= len(shown) // 20
    descriptions = [spec.description.in_language("zh") for spec in CATALOG]
    assert sum(not is_chinese(text) for text in descriptions) <= len(descriptions) // 20


def test_an_unknown_text_stays_english_and_other_languages_too():
    assert Text("Nothing like it").in_language("zh") == "Nothing like it"
    assert Text("Read only").in_language("de") == "Read only"
    assert Text("Read only").in_language("zh_CN") == "只读"
    assert Text("Read only", "自己的").in_language("zh") == "自己的"
    assert Hint().title == ""

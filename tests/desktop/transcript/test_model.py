from desktop.transcript.model import Change, Item, Kind, TranscriptModel


def _heard(model: TranscriptModel) -> list[Change]:
    changes: list[Change] = []
    model.subscribe(changes.append)
    return changes


def test_the_same_id_changes_its_row() -> None:
    model = TranscriptModel([Item("a", Kind.USER, "one")])
    changes = _heard(model)
    model.upsert(Item("b", Kind.AGENT, "two"))
    model.upsert(Item("a", Kind.USER, "uno"))
    assert [model[row].text for row in range(len(model))] == ["uno", "two"]
    assert changes == [Change(appended=1), Change(rows=frozenset({0}))]


def test_an_equal_item_tells_nobody() -> None:
    model = TranscriptModel([Item("a", Kind.USER, "one")])
    changes = _heard(model)
    model.upsert(Item("a", Kind.USER, "one"))
    assert changes == []


def test_streamed_text_grows_one_row_until_it_settles() -> None:
    model = TranscriptModel()
    for piece in ("Hel", "lo"):
        model.append_text("m", Kind.AGENT, piece)
    assert (model[0].text, model[0].streaming) == ("Hello", True)
    model.settle()
    assert model[0].streaming is False


def test_expanded_belongs_to_the_item_and_ends_with_the_session() -> None:
    model = TranscriptModel([Item("a", Kind.TOOL), Item("b", Kind.TOOL)])
    model.set_expanded("b", True)
    assert (model.is_expanded("a"), model.is_expanded("b")) == (False, True)
    model.reset([Item("b", Kind.TOOL)])
    assert model.is_expanded("b") is False


def test_a_closed_subscription_hears_nothing_and_closes_twice() -> None:
    model = TranscriptModel()
    changes: list[Change] = []
    handle = model.subscribe(changes.append)
    with handle:
        model.upsert(Item("a", Kind.USER))
    with handle:
        model.upsert(Item("b", Kind.USER))
    assert (len(changes), model.listeners) == (1, 0)

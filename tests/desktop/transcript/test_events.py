from desktop.transcript.events import TranscriptReader, diff_text, tool_output
from desktop.transcript.model import Kind, TranscriptModel
from tests.desktop.host import event

WORDS = {"mode": "Mode: {0}", "stopped": "Stopped", "question": "Asked: {0}", "unanswered": "Not answered"}
TURN = [
    event(1, "turn_start"),
    event(2, "user", "u1", text="Plan it"),
    event(3, "thought", "m1-thought", text="Hm"),
    event(4, "tool_call", "c1", title="Read a.py", kind="read", status="pending", input={"path": "a.py"}),
    event(5, "permission", "p1", tool_call_id="c1", title="Read a.py", options=[{"id": "y", "name": "Allow"}]),
    event(6, "permission_answer", "p1", outcome="selected", option_id="y", by="user"),
    event(7, "tool_call", "c1", status="completed", content=[{"type": "content", "content": {"text": "x = 1"}}]),
    event(8, "agent", "m1", text="Two "),
    event(9, "agent", "m1", text="steps."),
    event(10, "plan", "plan", entries=[{"content": "one", "status": "pending"}]),
    event(11, "plan", "plan", entries=[{"content": "one", "status": "completed"}]),
    event(12, "usage", "usage", used=3, size=9),
    event(13, "mode", mode="plan", mode_name="Plan"),
    event(14, "turn_end", stop_reason="end_turn"),
]


def _read(events: list) -> TranscriptModel:
    model = TranscriptModel()
    TranscriptReader(model, WORDS).restart(events)
    return model


def test_a_turn_becomes_rows_in_order() -> None:
    model = _read(TURN)
    rows = [model[row] for row in range(len(model))]
    assert [row.kind for row in rows] == [
        Kind.USER,
        Kind.THOUGHT,
        Kind.TOOL,
        Kind.PERMISSION,
        Kind.AGENT,
        Kind.PLAN,
        Kind.NOTICE,
    ]
    assert rows[2].data["status"] == "completed"
    assert rows[2].data["output"] == "x = 1"
    assert rows[3].data["answer"] == "y"
    assert rows[3].data["input"] == {"path": "a.py"}
    assert (rows[4].text, rows[4].streaming) == ("Two steps.", False)
    assert rows[5].data["entries"][0]["status"] == "completed"
    assert rows[6].text == "Mode: Plan"


def test_overlapping_pages_change_nothing() -> None:
    model = TranscriptModel()
    reader = TranscriptReader(model, WORDS)
    for entry in [*TURN[:9], *TURN[5:], *TURN]:
        reader.apply(entry)
    assert [model[row] for row in range(len(model))] == [_read(TURN)[row] for row in range(len(model))]


def test_a_plan_of_the_next_turn_is_a_row_of_its_own() -> None:
    model = _read([event(1, "plan", "plan", entries=[]), event(2, "plan", "plan", turn=2, entries=[])])
    assert len(model) == 2


def test_an_error_shows_all_that_the_agent_said() -> None:
    model = _read([event(1, "error", message="The agent ended.", code="failed", stderr="no key")])
    assert (model[0].kind, model[0].text) == (Kind.ERROR, "The agent ended.\nno key")


def test_output_is_found_wherever_an_agent_puts_it() -> None:
    assert tool_output({"output": "plain"}) == "plain"
    assert tool_output({"output": {"output": "inner", "metadata": {}}}) == "inner"
    assert tool_output({"terminal": {"terminal_output": "ls"}}) == "ls"
    assert tool_output({"output": {"a": 1}}) == '{\n  "a": 1\n}'
    assert tool_output({}) == ""


def test_a_huge_diff_is_cut() -> None:
    lines = diff_text("a", None, "\n".join(str(n) for n in range(100_000)), limit=50).splitlines()
    assert len(lines) == 52
    assert diff_text("a", "x\n", "y\n").splitlines()[-2:] == ["-x", "+y"]


def test_a_question_and_its_answer_are_one_line() -> None:
    field = {"path": "q1", "title": "Colour"}
    asked = event(1, "question", "r1", message="Which colour?", fields=[field])
    answered = event(2, "question_answer", "r1", outcome="answered", content={"q1": ["red", "blue"]})
    item = _read([asked, answered])[0]
    assert item.text == "Asked: Which colour?\nColour: red, blue"
    item = _read([asked, event(2, "question_answer", "r1", outcome="dismissed")])[0]
    assert item.text == "Asked: Which colour?\nNot answered"


def test_a_plan_is_kept_as_markdown() -> None:
    item = _read([event(1, "permission", "r1", title="Ready to code?", options=[], plan="# Plan")])[0]
    assert (item.kind, item.data["plan"]) == (Kind.PERMISSION, "# Plan")


def test_a_page_may_end_anywhere_and_the_one_before_it_completes_it() -> None:
    whole = _read(TURN)
    # In the middle of a message, and between a call and its end. What asks and its answer are in one page.
    for cut in (3, 8, 10):
        model = TranscriptModel()
        reader = TranscriptReader(model, WORDS)
        reader.restart(TURN[cut:])
        reader.prepend(TURN[:cut])
        assert {model[row].id for row in range(len(model))} == {whole[row].id for row in range(len(whole))}
        for row in range(len(whole)):
            at = model.row_of(whole[row].id)
            assert at is not None
            mine = model[at]
            assert (mine.text, mine.data) == (whole[row].text, whole[row].data), (cut, mine)
        assert reader.last_seq == TURN[-1].seq

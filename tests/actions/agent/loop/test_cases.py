"""The numbered cases that are about a whole turn. Each test names its number."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable

import psutil
import pytest

from actions.agent.approvals.decision import Answer, Choice
from actions.agent.toolset.results import ErrorClass
from tests.actions.agent.loop.conftest import Open
from tests.actions.agent.loop.stage import call, script, step
from tests.stopwatch import Stopwatch


async def test_18_a_call_repeated_for_ever_ends_the_turn_after_twelve_steps(stage: Open) -> None:
    here = await stage(script(loop=[step(call("Glob", pattern="*.nothing"))] * 40))
    end = await here.prompt("[[loop]]")
    assert (end.reason, end.detail) == ("end_turn", "tool_call_repeat")
    assert len(here.screen.of("made")) == 12
    *steps, last = here.requests_to_model()
    assert len(steps) == 12
    assert last["script"] == "no_tools"  # one last request, without tools, for the summary
    assert last["tools"] == []
    assert end.text == "In short."
    assert here.screen.said.endswith("In short.")


async def test_15_the_turn_after_a_forced_stop_starts_clean(stage: Open) -> None:
    here = await stage(script(loop=[step(call("Glob", pattern="*.nothing"))] * 40, fine=[{"text": "Fine."}]))
    await here.prompt("[[loop]]")
    end = await here.prompt("[[fine]]")
    assert (end.detail, end.text) == ("", "Fine.")


async def test_66_an_unknown_tool_is_an_error_and_the_turn_goes_on(stage: Open) -> None:
    here = await stage(script(odd=[step(call("NoSuchTool", a=1)), {"text": "Without it, then."}]))
    end = await here.prompt("[[odd]]")
    assert end.text == "Without it, then."
    assert [result.error for result in here.screen.results()] == [ErrorClass.NOT_FOUND]
    assert "NoSuchTool" in here.requests_to_model()[1]["last"]


@pytest.mark.parametrize("provider", ["openai-chat", "anthropic"])
async def test_75_arguments_that_are_no_json_are_errors_and_counted(stage: Open, provider: str) -> None:
    bad = step({"tool": "Shell", "raw_args": '{"command": '})
    here = await stage(script(bad=[bad] * 5 + [{"text": "Done."}]), provider=provider)
    end = await here.prompt("[[bad]]")
    assert end.text == "Done."
    results = here.screen.results()
    assert [result.error for result in results] == [ErrorClass.BAD_JSON] * 5
    assert "repeated_times: 5" in str(results[4].output)
    assert here.requests == []


async def test_62_approve_over_a_request_then_the_second_step(stage: Open) -> None:
    here = await stage(script(ask=[step(call("Shell", command="echo ok"), text="I run it."), {"text": "It said ok."}]))
    here.choice = None
    turn = asyncio.create_task(here.prompt("[[ask]]"))
    await here.screen.until(lambda: here.requests)
    request = here.requests[0]
    assert (request.wanted.tool, request.wanted.source.kind) == ("Shell", "turn")
    assert not here.screen.of("running")
    assert here.session.approvals.resolve(request.id, Answer(Choice.ONCE))
    end = await turn
    assert end.text == "It said ok."
    assert "ok" in str(here.screen.results()[0].output)


async def test_rejection_without_feedback_ends_the_turn_with_feedback_it_goes_on(stage: Open) -> None:
    steps = [step(call("ReadFile", path="a.txt"), call("Shell", command="echo no")), {"text": "Another way."}]
    here = await stage(script(work=steps, more=steps))
    (here.root / "a.txt").write_text("a")
    here.choice = Choice.REJECT
    end = await here.prompt("[[work]]")
    assert (end.reason, end.detail) == ("end_turn", "rejected")
    assert len(here.requests_to_model()) == 1  # it ends although the other call succeeded

    here.feedback = "use the other folder"
    end = await here.prompt("[[more]]")
    assert (end.detail, end.text) == ("", "Another way.")
    assert "use the other folder" in here.requests_to_model()[-1]["last"]


async def test_77_two_calls_with_one_id_get_two_results(stage: Open) -> None:
    from tests.actions.agent.loop.scripted import Scripted, calls, says

    model = Scripted(
        calls(("same", "ReadFile", '{"path": "a.txt"}'), ("same", "ReadFile", '{"path": "b.txt"}')), says("Read both.")
    )
    here = await stage(model=model)
    (here.root / "a.txt").write_text("alpha")
    (here.root / "b.txt").write_text("beta")
    end = await here.prompt("go")
    assert end.text == "Read both."
    returned = model.results_in_request(1)
    assert len({call_id for call_id, _ in returned}) == 2
    assert ["alpha" in text for _, text in returned] == [True, False]
    assert ["beta" in text for _, text in returned] == [False, True]


async def test_78_a_provider_error_after_a_write_does_not_write_again(stage: Open) -> None:
    down = {"error": {"status": 500, "type": "api_error"}, "times": 2, "then": {"text": "Written once."}}
    here = await stage(script(w=[step(call("Shell", command="echo line >> log.txt")), down]))
    end = await here.prompt("[[w]]")
    assert end.text == "Written once."
    assert (here.root / "log.txt").read_text() == "line\n"
    assert len(here.screen.results()) == 1
    retried = here.requests_to_model()[-1]
    assert retried["roles"][-1] == "tool"
    assert len(here.screen.of("notice")) == 2


async def test_78_an_answer_that_breaks_off_runs_nothing_twice(stage: Open) -> None:
    """The reading call had ended when the answer broke off: its recorded result answers the retry; the write had not
    begun, because half a message has no effect."""
    from tests.actions.agent.loop.scripted import Scripted, breaks, calls, says

    read = ("r", "ReadFile", '{"path": "a.txt"}')
    write = ("w", "WriteFile", '{"path": "b.txt", "content": "x"}')
    model = Scripted(breaks(calls(read, write), wait=0.3), calls(read, write), says("Good."))
    here = await stage(model=model)
    (here.root / "a.txt").write_text("alpha")
    end = await here.prompt("go")
    assert end.text == "Good."
    assert len(here.screen.of("running")) == 2  # one read, one write
    returned = model.results_in_request(2)
    assert len(returned) == 2
    assert "alpha" in returned[0][1]
    assert len(here.requests) == 1


async def test_a_provider_that_stays_down_is_tried_four_times_then_told(stage: Open) -> None:
    from actions.agent.model.errors import ModelError
    from tests.actions.agent.loop.scripted import Scripted, breaks, says

    model = Scripted(*[breaks(says("half"))] * 9)
    here = await stage(model=model)
    started = time.monotonic()
    with pytest.raises(ModelError):
        await here.prompt("go")
    assert len(model.asked) == 4
    assert 2.0 < time.monotonic() - started < 30  # 0.3 + 0.6 + 1.2 seconds of waiting
    assert len(here.screen.of("notice")) == 3
    assert not here.session.running


async def test_79_cancel_with_one_call_done_and_one_running(stage: Open) -> None:
    here = await stage(
        script(
            work=[step(call("ReadFile", path="a.txt"), call("Shell", command="sleep 30"), text="Both.")],
            next=[{"text": "Going on."}],
        )
    )
    (here.root / "a.txt").write_text("alpha")
    turn = asyncio.create_task(here.prompt("[[work]]"))
    await here.screen.until(lambda: len(here.screen.of("ended")) == 1 and len(here.screen.of("running")) == 2)
    begun = Stopwatch()
    await here.session.cancel()
    took = begun.seconds
    end = await turn
    assert end.reason == "cancelled"
    assert took < 0.2
    ended = [result.error for result in here.screen.results()]
    assert ended == [None, ErrorClass.CANCELLED]

    assert (await here.prompt("[[next]]")).text == "Going on."
    roles = here.requests_to_model()[-1]["roles"]
    assert roles[-4:] == ["assistant", "tool", "tool", "user"]


async def test_79_a_second_cancel_does_not_break_into_the_first(stage: Open) -> None:
    here = await stage(script(work=[step(call("Shell", command="sleep 30"))], next=[{"text": "Going on."}]))
    turn = asyncio.create_task(here.prompt("[[work]]"))
    await here.screen.until(lambda: here.screen.of("running"))
    await asyncio.gather(here.session.cancel(), here.session.cancel(), here.session.cancel())
    assert (await turn).reason == "cancelled"
    assert (await here.prompt("[[next]]")).text == "Going on."
    assert here.requests_to_model()[-1]["roles"][-3:] == ["assistant", "tool", "user"]


async def test_80_cancel_while_a_permission_is_open(stage: Open) -> None:
    here = await stage(script(ask=[step(call("Shell", command="echo never > never.txt"))]))
    here.choice = None
    turn = asyncio.create_task(here.prompt("[[ask]]"))
    await here.screen.until(lambda: here.requests)
    begun = Stopwatch()
    await here.session.cancel()
    assert (await turn).reason == "cancelled"
    assert begun.seconds < 0.2
    assert here.session.approvals.pending() == ()
    assert [result.error for result in here.screen.results()] == [ErrorClass.CANCELLED]
    assert not (here.root / "never.txt").exists()


async def test_cancel_while_the_model_writes_keeps_what_it_said(stage: Open) -> None:
    slow = {"text": "word " * 200, "chunk": 5, "chunk_delay": 0.05}
    here = await stage(script(slow=[slow], next=[{"text": "Yes."}]))
    turn = asyncio.create_task(here.prompt("[[slow]]"))
    await here.screen.until(lambda: "word word" in here.screen.said)
    begun = Stopwatch()
    await here.session.cancel()
    assert (await turn).reason == "cancelled"
    assert begun.seconds < 0.2
    await here.prompt("[[next]]")
    assert here.requests_to_model()[-1]["roles"][-3:] == ["user", "assistant", "user"]


async def test_cancel_ends_the_processes_of_a_command(stage: Open) -> None:
    here = await stage(script(work=[step(call("Shell", command="echo $$ > pid; sleep 300 & sleep 300"))]))
    turn = asyncio.create_task(here.prompt("[[work]]"))
    pid = here.root / "pid"
    await here.screen.until(lambda: here.screen.of("running"))
    await _until(lambda: pid.exists() and pid.read_text().strip())
    await here.session.cancel()
    await turn
    group = int(pid.read_text())
    await _until(lambda: not _lives(group))


def _lives(group: int) -> bool:
    """Whether a process of the group still runs; one that waits to be reaped does not."""
    for process in psutil.process_iter(["pid", "status"]):
        try:
            if os.getpgid(process.pid) == group and process.info["status"] != psutil.STATUS_ZOMBIE:
                return True
        except ProcessLookupError:
            continue
    return False


async def _until(true: Callable[[], object], seconds: float = 30) -> None:
    limit = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < limit
        await asyncio.sleep(0.02)


async def test_64_yolo_asks_nobody_and_89_switching_it_on_releases_what_waits(stage: Open) -> None:
    from actions.agent.session.state import Mode

    here = await stage(
        script(
            two=[
                step(call("Shell", command="echo 1 > 1.txt"), call("Shell", command="echo 2 > 2.txt")),
                {"text": "Ok."},
            ],
            more=[step(call("Shell", command="echo 3 > 3.txt")), {"text": "Ok again."}],
        )
    )
    here.choice = None
    turn = asyncio.create_task(here.prompt("[[two]]"))
    await here.screen.until(lambda: len(here.requests) == 2)
    here.session.set_mode(Mode.YOLO)
    assert (await turn).text == "Ok."
    assert {(here.root / f"{n}.txt").read_text() for n in (1, 2)} == {"1\n", "2\n"}
    assert (await here.prompt("[[more]]")).text == "Ok again."
    assert len(here.requests) == 2


async def test_87_a_file_tool_asks_although_it_never_asks_itself(stage: Open) -> None:
    here = await stage(script(w=[step(call("WriteFile", path="a.txt", content="x")), {"text": "ok"}]))
    here.choice = Choice.REJECT
    await here.prompt("[[w]]")
    assert [request.wanted.tool for request in here.requests] == ["WriteFile"]
    assert not (here.root / "a.txt").exists()


async def test_88_a_file_that_changed_between_preview_and_yes_is_left_alone(stage: Open) -> None:
    here = await stage(script(w=[step(call("WriteFile", path="a.txt", content="new")), {"text": "I see."}]))
    (here.root / "a.txt").write_text("old")
    here.choice = None
    turn = asyncio.create_task(here.prompt("[[w]]"))
    await here.screen.until(lambda: here.requests)
    (here.root / "a.txt").write_text("somebody else's")
    here.session.approvals.resolve(here.requests[0].id, Answer(Choice.ONCE))
    assert (await turn).text == "I see."
    assert (here.root / "a.txt").read_text() == "somebody else's"
    assert here.screen.results()[0].is_error


async def test_81_a_subagent_asks_at_the_root_and_its_calls_are_shown_under_the_parent(stage: Open) -> None:
    here = await stage(
        script(
            root=[
                step(call("Agent", description="make a file", prompt="[[child]] make it", type="coder")),
                {"text": "It is made."},
            ],
            child=[step(call("Shell", command="echo child > child.txt")), {"text": "I made child.txt."}],
        )
    )
    end = await here.prompt("[[root]]")
    assert end.text == "It is made."
    assert (here.root / "child.txt").read_text() == "child\n"
    source = here.requests[0].wanted.source
    assert (source.agent_id, source.agent_type) == ("agent-1", "coder")
    (child,) = here.screen.children
    parent_call = here.screen.of("made")[0][0]
    assert child.under == (parent_call, "agent-1", "coder")
    assert [name for _, name in child.of("made")] == ["Shell"]
    assert "I made child.txt." in str(here.screen.results()[0].output)
    offered = here.requests_to_model()[1]["tools"]
    assert "Shell" in offered
    assert "Agent" not in offered  # no subagents of subagents
    assert here.session.approvals.pending() == ()


async def test_a_rejected_subagent_goes_on_and_reports(stage: Open) -> None:
    here = await stage(
        script(
            root=[step(call("Agent", description="try", prompt="[[child]]", type="coder")), {"text": "I understand."}],
            child=[step(call("Shell", command="echo x")), {"text": "It was not allowed."}],
        )
    )
    here.choice = Choice.REJECT
    end = await here.prompt("[[root]]")
    assert end.text == "I understand."
    assert "It was not allowed." in str(here.screen.results()[0].output)


async def test_71_a_client_without_questions_is_not_offered_the_tool(stage: Open) -> None:
    from tests.actions.agent.loop.stage import Person

    here = await stage(script(hi=[{"text": "Hi."}]), person=Person(available=False))
    await here.prompt("[[hi]]")
    assert "AskUserQuestion" not in here.requests_to_model()[0]["tools"]


async def test_70_the_answers_to_a_question_reach_the_tool(stage: Open) -> None:
    from tests.actions.agent.loop.stage import Person

    options = [{"label": "red", "description": ""}, {"label": "blue", "description": ""}]
    questions = [{"question": "Which colour?", "header": "Colour", "options": options}]
    here = await stage(
        script(q=[step(call("AskUserQuestion", questions=questions)), {"text": "Blue it is."}]),
        person=Person(answers={"Which colour?": ["blue"]}),
    )
    await here.prompt("[[q]]")
    assert "blue" in str(here.screen.results()[0].output)
    assert here.requests == []

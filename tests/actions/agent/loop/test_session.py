"""A session of the agent over several turns, with and without a model."""

from __future__ import annotations

import asyncio
import base64
import itertools
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from actions.agent.approvals.decision import Choice
from actions.agent.loop.options import Flags
from actions.agent.loop.screen import PlanVerdict
from actions.agent.model.errors import ModelErrorKind
from actions.agent.session.state import Mode
from actions.agent.tools.needs import ModelSenses
from actions.agent.toolset.results import ErrorClass, MediaPart, TextPart
from actions.errors import SaysoError
from tests.actions.agent.loop.conftest import Open
from tests.actions.agent.loop.scripted import Scripted, breaks, calls, says
from tests.actions.agent.loop.stage import Person, Screen, Stage, call, script, step
from tests.stopwatch import Stopwatch


async def test_a_note_to_an_earlier_checkpoint(stage: Open) -> None:
    """The context goes back with the note, files stay, and repetition is counted anew."""
    model = Scripted(
        calls(("c1", "WriteFile", '{"path": "big.txt", "content": "noise"}')),
        calls(("c2", "ReadFile", '{"path": "big.txt"}')),
        calls(("c3", "SendDMail", '{"message": "big.txt is only noise", "checkpoint": 0}')),
        says("Then I leave it."),
    )
    here = await stage(model=model)
    end = await here.prompt("look into it")
    assert end.text == "Then I leave it."
    assert (here.root / "big.txt").read_text() == "noise"
    assert "checkpoint 1" in model.results_in_request(1)[0][1]
    assert "checkpoint 2" in model.results_in_request(2)[1][1]
    last = [str(part.content) for message in model.asked[3][0] for part in message.parts]
    assert len(last) == 2  # the prompt and the note
    assert "look into it" in last[0]
    assert "checkpoint 0" in last[0]
    assert "big.txt is only noise" in last[1]


async def test_a_rejection_comes_before_the_way_back(stage: Open) -> None:
    model = Scripted(
        calls(
            ("c1", "SendDMail", '{"message": "back", "checkpoint": 0}'),
            ("c2", "Shell", '{"command": "echo x"}'),
        ),
        says("After."),
    )
    here = await stage(model=model)
    here.choice = Choice.REJECT
    assert (await here.prompt("go")).detail == "rejected"
    here.choice = Choice.ONCE
    assert (await here.prompt("again")).text == "After."


async def test_a_message_of_the_user_joins_at_the_next_step(stage: Open) -> None:
    model = Scripted(calls(("c1", "Shell", '{"command": "sleep 0.3"}')), says("With the hint."), says("Done."))
    here = await stage(model=model)
    turn = asyncio.create_task(here.prompt("go"))
    await here.screen.until(lambda: here.screen.of("running"))
    assert here.session.steer([TextPart("use the cache")])
    assert (await turn).text == "With the hint."
    assert "use the cache" in str(model.asked[1][0][-1].parts[0].content)
    assert not here.session.steer([TextPart("too late")])


async def test_a_message_of_the_user_overrides_the_stop(stage: Open) -> None:
    again = calls(("c", "Glob", '{"pattern": "*.nothing"}'))
    slow = calls(("c", "Glob", '{"pattern": "*.nothing"}'), ("s", "Shell", '{"command": "sleep 0.4"}'))
    model = Scripted(*[again] * 11, slow, says("I do as you say."))
    here = await stage(model=model)
    here.session.set_mode(Mode.YOLO)
    turn = asyncio.create_task(here.prompt("go"))
    await here.screen.until(lambda: len(here.screen.of("made")) == 13)
    here.session.steer([TextPart("stop that and look elsewhere")])
    end = await turn
    assert (end.detail, end.text) == ("", "I do as you say.")


async def test_the_end_of_a_background_task_is_told_at_the_next_step(stage: Open) -> None:
    model = Scripted(
        calls(("c1", "Shell", '{"command": "echo bg", "background": true, "description": "a job"}')),
        calls(("c2", "TaskOutput", '{"id": "task-1", "wait": 5}')),
        says("It is over."),
    )
    here = await stage(model=model)
    await here.prompt("go")
    told = [str(getattr(part, "content", "")) for message in model.asked[2][0] for part in message.parts]
    assert any("background task task-1 (a job) has ended: done" in text for text in told)


async def test_a_subagent_in_the_background_reports_as_a_task(stage: Open) -> None:
    here = await stage(
        script(
            root=[
                step(call("Agent", description="look", prompt="[[child]]", type="explore", background=True)),
                step(call("TaskOutput", id="task-1", wait=10)),
                {"text": "Reported."},
            ],
            child=[{"text": "Nothing to see."}],
        )
    )
    end = await here.prompt("[[root]]")
    assert end.text == "Reported."
    started, read = here.screen.results()
    assert "task-1" in str(started.output)
    assert "Nothing to see." in str(read.output) + read.message


async def test_the_context_is_compacted_when_it_is_nearly_full(stage: Open) -> None:
    model = Scripted(
        calls(("c1", "ReadFile", '{"path": "a.txt"}'), used=500),
        calls(("c2", "ReadFile", '{"path": "b.txt"}'), used=1900),
        says("The hand-over."),
        says("Going on."),
        window=2_000,
    )
    here = await stage(model=model)
    (here.root / "a.txt").write_text("alpha\n" * 100)
    (here.root / "b.txt").write_text("beta")
    assert (await here.prompt("read them")).text == "Going on."
    summed_up = model.asked[2]
    assert summed_up[1] == []  # no tools
    assert "read them" in str(summed_up[0][0].parts[0].content)
    after = model.asked[3][0]
    assert "The hand-over." in str(after[0].parts[0].content)
    called = [p.tool_call_id for m in after for p in m.parts if p.part_kind == "tool-call"]
    returned = [p.tool_call_id for m in after for p in m.parts if p.part_kind == "tool-return"]
    assert called == returned == ["c2"]  # no pair was split
    assert any("summed up" in text.lower() for (text,) in here.screen.of("notice"))


async def test_the_context_is_compacted_when_the_provider_says_that_it_is_too_long(stage: Open) -> None:
    model = Scripted(
        says("First." * 200),
        breaks(says(""), ModelErrorKind.CONTEXT_TOO_LONG),
        says("The hand-over."),
        says("Second."),
    )
    here = await stage(model=model)
    await here.prompt("one")
    assert (await here.prompt("two")).text == "Second."


async def test_a_person_may_have_the_context_compacted(stage: Open) -> None:
    model = Scripted(says("One." * 200), says("Two."), says("The hand-over."), says("Three."))
    here = await stage(model=model)
    await here.prompt("first")
    await here.prompt("second")
    assert await here.session.compact("the name of the file")
    assert "the name of the file" in str(model.asked[2][0][0].parts[0].content)
    await here.prompt("third")
    texts = [str(getattr(part, "content", "")) for message in model.asked[3][0] for part in message.parts]
    assert "The hand-over." in texts[0]
    assert not any("One.One." in text for text in texts)


async def test_a_turn_ends_at_its_limit_of_steps(stage: Open) -> None:
    model = Scripted(*[calls((f"c{n}", "Glob", f'{{"pattern": "*.{n}"}}')) for n in range(9)])
    here = await stage(model=model, step_limit=3)
    end = await here.prompt("go")
    assert (end.reason, end.detail) == ("max_turn_requests", "step_limit")
    assert len(model.asked) == 3


async def test_plan_mode_forbids_writing_and_an_approved_plan_lifts_it(stage: Open) -> None:
    person = Person(verdict=PlanVerdict(approved=True))
    here = await stage(person=person, model=(model := Scripted(
        calls(("c1", "WriteFile", '{"path": "a.txt", "content": "x"}')),
        calls(("c2", "ExitPlanMode", '{"plan": "# The plan"}')),
        calls(("c3", "WriteFile", '{"path": "a.txt", "content": "x"}')),
        says("Done."),
    )))  # fmt: skip
    here.session.set_mode(Mode.PLAN)
    assert (await here.prompt("plan it")).text == "Done."
    errors = [result.error for result in here.screen.results()]
    assert errors == [ErrorClass.BLOCKED, None, None]
    assert person.asked[0][0] == "# The plan"
    assert here.session.mode is Mode.DEFAULT
    assert here.session.state.plan == "# The plan"
    assert here.screen.of("mode") == [("default",)]
    assert "plan mode" in str(model.asked[0][0][0].parts[0].content)
    assert [request.wanted.tool for request in here.requests] == ["WriteFile"]


async def test_the_plan_file_may_be_written_while_planning(stage: Open) -> None:
    here = await stage(model=Scripted(says("hm")))
    here.session.set_mode(Mode.PLAN)
    await here.prompt("x")
    # The reminder names the file; writing it is let through.
    from actions.agent.toolset.call import ToolCall

    plan = str(here.session._rooms.planning.file)
    here.session.toolset.begin_step()
    result = await here.session.toolset.handle(ToolCall("p", "WriteFile", f'{{"path": "{plan}", "content": "# Plan"}}'))
    assert not result.is_error, result
    assert here.session._rooms.planning.file.read_text() == "# Plan"


async def test_afk_for_this_run_approves_dismisses_questions_and_is_not_kept(stage: Open) -> None:
    questions = '{"questions": [{"question": "Which?", "header": "Q", "options": [{"label": "a"}, {"label": "b"}]}]}'
    person = Person(answers={"Which?": ["a"]})
    model = Scripted(
        calls(("c1", "Shell", '{"command": "echo x > x.txt"}'), ("c2", "AskUserQuestion", questions)), says("Done.")
    )
    here = await stage(model=model, person=person, flags=Flags(afk=True))
    here.choice = None
    assert here.session.mode is Mode.AFK
    assert (await here.prompt("go")).text == "Done."
    assert person.asked == []
    assert (here.root / "x.txt").exists()
    again = await stage(model=Scripted(), session_id=here.session.id)
    assert again.session.mode is Mode.DEFAULT


async def test_a_session_is_taken_up_where_it_was_left(stage: Open) -> None:
    todos = '{"todos": [{"title": "look", "status": "done"}, {"title": "mend", "status": "pending"}]}'
    here = await stage(
        model=Scripted(
            calls(("c1", "ReadFile", '{"path": "a.txt"}'), ("c2", "SetTodoList", todos), text="I look."), says("Read.")
        )
    )
    (here.root / "a.txt").write_text("alpha")
    await here.prompt("read it")
    here.session.set_mode(Mode.YOLO)
    await here.session.close()

    model = Scripted(says("I remember."))
    again = await stage(model=model, session_id=here.session.id)
    assert again.session.mode is Mode.YOLO
    assert again.session.state.todo == (("look", "done"), ("mend", "pending"))
    assert again.session.state.title == "read it"
    shown = Screen()
    again.session.replay(shown)
    assert [event[0] for event in shown.events] == [
        "user", "text", "started", "made", "started", "made", "ended", "ended", "text", "todo",
    ]  # fmt: skip
    assert shown.of("user") == [("read it", ())]
    assert "alpha" in str(shown.results()[0].output)

    await again.prompt("and?")
    texts = [str(getattr(part, "content", "")) for message in model.asked[0][0] for part in message.parts]
    assert any("alpha" in text for text in texts)
    assert again.session.spent.total > 200


async def test_pictures_go_to_the_model_and_come_back_from_tools(stage: Open) -> None:
    png = base64.b64encode(_PNG).decode()
    model = Scripted(calls(("c1", "ReadMediaFile", '{"path": "p.png"}')), says("Both are red."))
    here = await stage(model=model)
    (here.root / "p.png").write_bytes(_PNG)
    end = await here.session.prompt([TextPart("compare"), MediaPart(png, "image/png")])
    assert end.text == "Both are red."
    prompt = model.asked[0][0][0].parts[0].content
    assert [type(item).__name__ for item in prompt][:2] == ["str", "BinaryContent"]
    returned = next(p for m in model.asked[1][0] for p in m.parts if p.part_kind == "tool-return")
    assert any(getattr(item, "data", b"") == _PNG for item in returned.content)


async def test_a_picture_for_a_model_without_eyes_is_named(stage: Open) -> None:
    model = Scripted(says("I cannot see it."), senses=ModelSenses())
    here = await stage(model=model)
    await here.session.prompt([TextPart("see"), MediaPart("aGk=", "image/png")])
    assert "does not take this kind of input" in str(model.asked[0][0][0].parts[0].content)
    [(told,)] = here.screen.of("notice")
    assert told.startswith("This model does not take image/png")


_PNG = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC")


@pytest.mark.parametrize("data", ["", "!!!", "bm8gcGljdHVyZQ=="])
async def test_a_picture_that_is_none_is_told(stage: Open, data: str) -> None:
    here = await stage(model=Scripted(says("ok")))
    await here.session.prompt([TextPart("look"), MediaPart(data, "image/png")])
    [(told,)] = here.screen.of("notice")
    assert "A picture was left out" in told


async def test_the_instructions_say_where_the_agent_is_and_what_the_repository_asks(stage: Open) -> None:
    model = Scripted(says("ok"))
    here = await stage(model=model)
    git(here.root, "init", "-q", "-b", "trunk")
    (here.root / "AGENTS.md").write_text("Use tabs.\n" + "x" * 40_000)
    (here.root / "CLAUDE.md").write_text("Not read, the other file counts.")
    await here.prompt("hi")
    said = model.asked[0][2]
    assert str(here.root) in said
    assert "Git branch trunk; 2 uncommitted changes" in said
    assert "Use tabs." in said
    assert "Not read" not in said
    assert "cut here" in said
    assert len(said) < 45_000


async def test_one_turn_at_a_time(stage: Open) -> None:
    here = await stage(model=Scripted(calls(("c", "Shell", '{"command": "sleep 5"}'))))
    turn = asyncio.create_task(here.prompt("go"))
    await here.screen.until(lambda: here.screen.of("running"))
    with pytest.raises(SaysoError, match="A turn is running"):
        await here.prompt("more")
    await here.session.cancel()
    assert (await turn).reason == "cancelled"
    await here.session.cancel()  # harmless


async def test_a_prompt_whose_caller_goes_away_is_cancelled(stage: Open) -> None:
    here = await stage(model=Scripted(calls(("c", "Shell", '{"command": "sleep 5"}'))))
    turn = asyncio.create_task(here.prompt("go"))
    await here.screen.until(lambda: here.screen.of("running"))
    turn.cancel()
    with pytest.raises(asyncio.CancelledError):
        await turn
    assert not here.session.running
    assert here.screen.results()[0].error is ErrorClass.CANCELLED


async def test_hooks_of_the_settings_hold_a_call_back(stage: Open, tmp_path: Path) -> None:
    settings = tmp_path / "home" / "config" / "settings.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text(
        '[[agent.hooks]]\nevent = "PreToolUse"\nmatcher = "Shell"\ncommand = "echo not today >&2; exit 2"\n'
    )
    here = await stage(model=Scripted(calls(("c", "Shell", '{"command": "echo x > x.txt"}')), says("I see.")))
    assert (await here.prompt("go")).text == "I see."
    (result,) = here.screen.results()
    assert result.error is ErrorClass.BLOCKED
    assert "not today" in result.message
    assert not (here.root / "x.txt").exists()


async def test_hooks_that_are_wrong_are_named_and_off(stage: Open, tmp_path: Path) -> None:
    settings = tmp_path / "home" / "config" / "settings.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text('[[agent.hooks]]\nevent = "Never"\ncommand = "true"\n')
    here = await stage(model=Scripted(says("hi")))
    assert any("hooks" in text and "settings.toml" in text for (text,) in here.screen.of("notice"))
    assert (await here.prompt("go")).text == "hi"


async def test_a_wrong_hook_takes_no_other_with_it_and_one_that_must_pass_blocks(stage: Open, tmp_path: Path) -> None:
    settings = tmp_path / "home" / "config" / "settings.toml"
    settings.parent.mkdir(parents=True)
    good = '[[agent.hooks]]\nevent = "PreToolUse"\nmatcher = "Glob"\ncommand = "echo not today >&2; exit 2"\n'
    wrong = '[[agent.hooks]]\nevent = "PreToolUse"\ncommand = "true"\ntimeout = 0\n'
    made = (("c1", "Glob", '{"pattern": "*"}'), ("c2", "TaskList", "{}"))
    settings.write_text(wrong + good)
    here = await stage(model=Scripted(calls(*made), says("I see.")))
    await here.prompt("go")
    assert {call_id: result.error for call_id, result in here.screen.of("ended")} == {
        "c1": ErrorClass.BLOCKED,
        "c2": None,
    }
    settings.write_text(wrong + "fail_closed = true\n" + good)
    here = await stage(model=Scripted(calls(*made), says("I see.")))
    await here.prompt("go")
    assert [result.error for result in here.screen.results()] == [ErrorClass.BLOCKED, ErrorClass.BLOCKED]
    assert all("Hook 1" in result.message for result in here.screen.results())


async def test_hooks_of_a_subagents_own_file_run_beside_those_of_the_session(stage: Open, tmp_path: Path) -> None:
    config = tmp_path / "home" / "config"
    config.mkdir(parents=True)
    (config / "agent.yaml").write_text(
        "extend: default\n"
        "hooks: [{event: PreToolUse, matcher: ReadFile, command: 'exit 2'}]\n"
        "subagents: {careful: {file: careful.yaml, description: Careful}}\n"
    )
    (config / "careful.yaml").write_text(
        "extend: explore\nname: careful\nhooks: [{event: PreToolUse, matcher: Glob, command: 'exit 2'}]\n"
    )
    model = Scripted(
        calls(("a", "Agent", '{"type": "careful", "description": "look", "prompt": "look"}')),
        calls(
            ("s1", "Glob", '{"pattern": "*"}'), ("s2", "ReadFile", '{"path": "a"}'), ("s3", "Grep", '{"pattern": "a"}')
        ),
        says("report"),
        calls(("r1", "Glob", '{"pattern": "*"}')),
        says("done"),
    )
    here = await stage(model=model)
    await here.prompt("go")
    errors = {call_id: result.error for call_id, result in here.screen.children[0].of("ended")}
    assert errors == {"s1": ErrorClass.BLOCKED, "s2": ErrorClass.BLOCKED, "s3": None}
    assert here.screen.results()[-1].error is None


def git(root: Path, *args: str) -> None:
    subprocess.run(["git", *args], cwd=root, check=True)


# Without a model


async def _command(here: Stage, text: str) -> Any:
    assert here.session.can_answer([TextPart(text)])
    return await here.prompt(text)


async def test_slash_commands_run_without_a_model_through_the_same_approvals(stage: Open) -> None:
    here = await stage()
    (here.root / "a.py").write_text("def refund():\n    return 1\n")
    assert [command.name for command in here.session.commands.available] == [
        "plan",
        "review",
        "grep",
        "read",
        "rules",
        "shell",
    ]
    assert "refund" in (await _command(here, "/grep refund")).text
    assert "return 1" in (await _command(here, "/read a.py:2")).text
    assert "return 1" in here.screen.said
    assert here.requests == []
    assert "shell-here" in (await _command(here, "/shell echo shell-here")).text
    assert [request.wanted.tool for request in here.requests] == ["Shell"]
    here.choice = Choice.REJECT
    end = await _command(here, "/shell echo x > x.txt")
    assert end.detail == "rejected"
    assert not (here.root / "x.txt").exists()
    assert "# Plan" in (await _command(here, "/plan rename refund")).text
    assert here.session.state.plan
    assert "Say what to do" in (await _command(here, "/grep")).text
    assert not here.session.can_answer([TextPart("/tmp/x is a path")])
    assert not here.session.can_answer([TextPart("hello")])
    with pytest.raises(SaysoError, match="No model"):
        await here.prompt("hello")


async def test_a_review_without_a_model(stage: Open) -> None:
    here = await stage()
    for args in (
        ["init", "-q"],
        ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "x"],
    ):
        git(here.root, *args)
    (here.root / "a.py").write_text("<<<<<<< HEAD\nx = 1 \n=======\n>>>>>>> other\n")
    end = await _command(here, "/review")
    assert "a.py" in end.text
    assert "conflict" in end.text.lower()


async def test_a_command_is_cancelled(stage: Open) -> None:
    here = await stage()
    turn = asyncio.create_task(here.prompt("/shell sleep 30"))
    await here.screen.until(lambda: here.screen.of("running"))
    begun = Stopwatch()
    await here.session.cancel()
    assert (await turn).reason == "cancelled"
    assert begun.seconds < 0.2


def test_without_a_model_the_models_library_is_not_loaded(tmp_path: Path) -> None:
    code = """
import asyncio, sys
from pathlib import Path
from actions.agent.loop.build import open_session
from actions.agent.loop.options import AgentOptions
from actions.agent.session.store import SessionStore
from actions.agent.tools.needs import Workspace
from actions.agent.toolset.results import TextPart
from actions.storage.paths import Paths
from tests.actions.agent.loop.stage import Person, Screen
async def main():
    store = SessionStore(Paths.from_environment().state / "agent" / "sessions")
    session = open_session(AgentOptions(Workspace(Path.cwd()), store.create(str(Path.cwd())), Screen(), Person(),
                                        Paths.from_environment()))
    end = await session.prompt([TextPart("/grep needle")])
    assert "needle" in end.text, end
    session.replay()
    await session.close()
asyncio.run(main())
loaded = [name for name in ("pydantic_ai", "openai", "anthropic", "mcp", "fastmcp") if name in sys.modules]
assert not loaded, loaded
"""
    (tmp_path / "a.txt").write_text("a needle\n")
    env = {**os.environ, "SAYSO_HOME": str(tmp_path / "home"), "PYTHONPATH": str(Path(__file__).parents[4])}
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


async def test_a_model_chosen_later_brings_its_own_tools(stage: Open) -> None:
    here = await stage()
    model = Scripted(says("I see."))
    here.session.set_model(model)
    assert (await here.prompt("hi")).text == "I see."
    assert {"ReadMediaFile", "Agent", "Shell"} <= set(model.asked[0][1])
    here.session.set_model(None)
    assert not here.session.can_answer([TextPart("hi")])


async def test_a_refusal_is_an_end_and_told(stage: Open) -> None:
    here = await stage(model=Scripted(breaks(says(""), ModelErrorKind.REFUSED)))
    assert (await here.prompt("go")).reason == "refusal"
    assert here.screen.of("notice")


async def test_a_way_back_that_was_overtaken_is_forgotten(stage: Open) -> None:
    back = ("c1", "SendDMail", '{"message": "back", "checkpoint": 0}')
    model = Scripted(
        calls(back, ("c2", "Shell", '{"command": "echo x"}')),
        calls(("c3", "Glob", '{"pattern": "*"}')),
        says("Here."),
    )
    here = await stage(model=model)
    here.choice = Choice.REJECT
    await here.prompt("first")
    await here.prompt("second")
    texts = [str(getattr(part, "content", "")) for message in model.asked[2][0] for part in message.parts]
    assert any("second" in text for text in texts)
    assert "back" not in texts


async def test_cancel_reaches_a_subagent_and_what_it_asks(stage: Open) -> None:
    here = await stage(
        script(
            root=[step(call("Agent", description="x", prompt="[[child]]", type="coder"))],
            child=[step(call("Shell", command="echo x > x.txt"))],
        )
    )
    here.choice = None
    turn = asyncio.create_task(here.prompt("[[root]]"))
    await here.screen.until(lambda: here.requests)
    begun = Stopwatch()
    await here.session.cancel()
    assert (await turn).reason == "cancelled"
    assert begun.seconds < 0.3
    assert here.session.approvals.pending() == ()
    assert here.screen.children[0].results()[0].error is ErrorClass.CANCELLED
    assert here.screen.results()[0].error is ErrorClass.CANCELLED
    assert not (here.root / "x.txt").exists()


async def test_figures_and_approvals_are_kept_on_this_machine(stage: Open, tmp_path: Path) -> None:
    here = await stage(model=Scripted(calls(("c1", "Shell", '{"command": "echo x"}')), says("ok")))
    await here.prompt("go")
    await here.session.close()
    state = tmp_path / "home" / "state" / "agent"
    figures = [json.loads(line) for line in (state / "tool-calls.jsonl").read_text().splitlines()]
    assert [row["event"] for row in figures] == ["tool_permission", "tool_call"]
    assert (figures[1]["tool_name"], figures[1]["outcome"]) == ("Shell", "success")
    (row,) = [json.loads(line) for line in (state / "approvals.jsonl").read_text().splitlines()]
    assert (row["tool"], row["approved"], row["mode"]) == ("Shell", True, "manual")


@pytest.mark.parametrize(
    "arguments",
    [
        "[" * 100_000,
        '{"command": "\\ud800"}',
        '{"path": "\ud800"}',
        "\x00",
        "null",
        '"x"',
        '{"command": ' + '"a' * 9 + '"}',
    ],
)
async def test_76_no_argument_of_a_model_breaks_a_turn(stage: Open, arguments: str) -> None:
    model = Scripted(calls(("c1", "ReadFile", arguments), ("c2", "Shell", arguments)), says("Still here."))
    here = await stage(model=model)
    here.choice = Choice.REJECT
    here.feedback = "no"
    begun = Stopwatch()
    end = await here.prompt("go")
    assert end.text == "Still here."
    assert begun.seconds < 5
    again = await stage(model=Scripted(says("Loaded.")), session_id=here.session.id)
    assert (await again.prompt("and")).text == "Loaded."


async def test_a_step_costs_the_same_however_long_the_session(stage: Open) -> None:
    """Our own part of it: what a provider is sent grows with the context, of course."""
    model = Scripted(*[calls((f"c{n}", "ReadFile", f'{{"path": "a.txt", "count": {n + 1}}}')) for n in range(400)])
    here = await stage(model=model)
    (here.root / "a.txt").write_text("alpha")
    marks: list[float] = []
    answer = model.stream

    def stream(*args: Any, **more: Any) -> Any:
        marks.append(time.process_time())
        return answer(*args, **more)

    model.stream = stream
    with pytest.raises(IndexError):
        await here.prompt("go")
    took = [after - before for before, after in itertools.pairwise(marks)]
    assert statistics.median(took[300:]) < 2 * statistics.median(took[10:110])

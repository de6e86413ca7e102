"""The plan as Markdown, in the pieces in which it is streamed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from actions.agent.scout.plan import Plan, RelevantFile

NO_MODEL = (
    "*Drafted by the scout from the repository itself. No model wrote this: it shows where to look and in which order, "
    "it does not understand the task.*"
)
_MOST_ENTRIES = 12
_TICKS = re.compile(r"`+")


def render(plan: Plan) -> str:
    """The whole text; ends with a newline."""
    return "".join(pieces(plan))


def pieces(plan: Plan) -> Iterator[str]:
    """One piece a section, each ending with a blank line but for the last."""
    head = f"# Plan: {_title(plan.instructions)}\n\n{NO_MODEL}\n\n{plan.summary}\n"
    sections = [head, _files(plan), _steps(plan), _tests(plan), _entry_points(plan), _todos(plan), _churn(plan)]
    sections += [_questions(plan), _repository(plan)]
    kept = [section for section in sections if section]
    for at, section in enumerate(kept):
        yield section if at == len(kept) - 1 else section + "\n"


def cell(text: str) -> str:
    """``text`` as inline code that cannot break out of its line or its backticks."""
    flat = " ".join(text.split())
    fence = "`" * (1 + max((len(run) for run in _TICKS.findall(flat)), default=0))
    pad = " " if len(fence) > 1 else ""
    return f"{fence}{pad}{flat}{pad}{fence}"


def file_item(number: int, file: RelevantFile) -> str:
    """One ranked file with its reasons and lines, as a list item."""
    rows = [f"{number}. **{cell(file.path)}** ({file.score:g}): {'; '.join(file.reasons)}"]
    rows += [f"    - line {line.number}: {cell(line.text)}" for line in file.lines if line.text]
    return "\n".join(rows) + "\n"


def _title(instructions: str) -> str:
    flat = " ".join(instructions.split()) or "(no instructions)"
    return flat if len(flat) <= 100 else flat[:99] + "…"


def _section(title: str, rows: Sequence[str]) -> str:
    return f"## {title}\n\n" + "".join(rows) if rows else ""


def _files(plan: Plan) -> str:
    return _section("Relevant files", [file_item(at, file) for at, file in enumerate(plan.files, start=1)])


def _steps(plan: Plan) -> str:
    return _section(
        "Suggested steps", [f"{at}. **{s.title}.** {s.detail}\n" for at, s in enumerate(plan.steps, start=1)]
    )


def _tests(plan: Plan) -> str:
    return _section("Related tests", [f"- {cell(test.path)}: {test.reason}\n" for test in plan.tests])


def _entry_points(plan: Plan) -> str:
    rows = [
        f"- {entry.kind}: **{entry.name}**{f' → {cell(entry.target)}' if entry.target else ''} in {cell(entry.path)}\n"
        for entry in plan.entry_points[:_MOST_ENTRIES]
    ]
    left = len(plan.entry_points) - _MOST_ENTRIES
    return _section("Entry points", [*rows, f"- and {left} more\n"] if left > 0 else rows)


def _todos(plan: Plan) -> str:
    rows = [f"- {cell(f'{todo.path}:{todo.line}')} {cell(todo.text)}\n" for todo in plan.todos]
    return _section("Notes left in the code", rows)


def _churn(plan: Plan) -> str:
    rows = [
        f"- {cell(row.path)}: {row.commits} commit{'' if row.commits == 1 else 's'}, +{row.added} -{row.deleted}, "
        f"last on {row.last}\n"
        for row in plan.churn[:10]
    ]
    return _section(f"Churn in the last {plan.repository.commits_read} commits", rows)


def _questions(plan: Plan) -> str:
    return _section("Open questions", [f"- {question}\n" for question in plan.questions])


def _repository(plan: Plan) -> str:
    repository = plan.repository
    rows = [f"- {repository.files} files, {repository.lines} lines read\n"]
    if repository.languages:
        rows.append(
            "- " + ", ".join(f"{x.name} {x.lines} lines in {x.files} files" for x in repository.languages) + "\n"
        )
    if repository.head:
        rows.append(f"- on {cell(repository.branch or 'a detached HEAD')} at {cell(repository.head)}\n")
    return _section("Repository", rows)

"""What is read of a result."""

import pytest

from desktop.runs.result import result_markdown

BLOCK = '```json\n{"findings": [{"file": "a.py"}]}\n```'


@pytest.mark.parametrize(
    ("result", "shown"),
    [
        (None, ""),
        ({"text": "# Plan\n\nOne."}, "# Plan\n\nOne."),
        ({"summary": "Short."}, "Short."),
        ({"files": ["a.py"]}, '```json\n{\n  "files": [\n    "a.py"\n  ]\n}\n```'),
        ({"text": f"Fine.\n\n{BLOCK}\n", "findings": []}, "Fine."),
        ({"text": f"Fine.\n\n{BLOCK}", "findings_problem": "no"}, f"Fine.\n\n{BLOCK}"),
        ({"text": f"{BLOCK}\n\nFine.", "findings": []}, f"{BLOCK}\n\nFine."),
        ({"text": "Run\n\n```sh\nmake\n```", "findings": []}, "Run\n\n```sh\nmake\n```"),
        ({"text": f"Run\n\n```json\n[1]\n```\n\nthen\n\n{BLOCK}", "findings": []}, "Run\n\n```json\n[1]\n```\n\nthen"),
        ({"text": BLOCK, "findings": []}, ""),
    ],
)
def test_a_result_is_shown_in_words(result: dict[str, object] | None, shown: str) -> None:
    assert result_markdown(result) == shown

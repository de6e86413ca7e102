"""The environment of a command: the agent's own, without the keys by which the agent reaches its model.

A command runs text that a model wrote, so what it prints goes back to a model provider: the keys stay out. Everything
else of the user's environment stays, since commands have to behave as in the user's terminal; so do ``SAYSO_*``, which
`sayso tools` needs and which give no more than the rights of the session's own agent (docs/security.md). A tool's
option lets single names through again.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Mapping

SECRETS = re.compile(r".*_API_KEY|ANTHROPIC_AUTH_TOKEN|AWS_BEARER_TOKEN_BEDROCK|HF_TOKEN", re.IGNORECASE)
"""The variables that model libraries read their keys from."""
QUIET: Mapping[str, str] = {
    "TERM": "dumb",
    "PAGER": "cat",
    "GIT_PAGER": "cat",
    "GIT_TERMINAL_PROMPT": "0",
    "PYTHONUNBUFFERED": "1",
}
"""Nobody looks at a terminal and nobody can answer: no colours, no pager, no prompt, no output held back."""


def command_environment(
    *, keep: Collection[str] = (), extra: Mapping[str, str] | None = None, source: Mapping[str, str] | None = None
) -> dict[str, str]:
    """The variables of a command: ``source`` (the process's own) without secrets, except those named in ``keep``;
    ``extra`` wins."""
    given = os.environ if source is None else source
    kept = {name: value for name, value in given.items() if name in keep or not SECRETS.fullmatch(name)}
    return {**kept, **QUIET, **(extra or {})}

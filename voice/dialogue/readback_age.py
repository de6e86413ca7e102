"""How long a read-back may be answered by voice: a yes that comes later may be meant for something else."""

from __future__ import annotations

from voice.intent.confirm import Answer

LONGEST_S = 10.0


def in_time(answer: Answer, *, shown: float, spoken: float) -> bool:
    """Whether ``answer``, whose speech ended at ``spoken``, counts for what was read back at ``shown``.

    Both are seconds of one monotonic clock. A yes counts for less than ten seconds; a no always does, since it runs
    nothing.
    """
    return answer != "yes" or 0.0 <= spoken - shown < LONGEST_S

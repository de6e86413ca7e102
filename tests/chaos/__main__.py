"""``python -m tests.chaos [--faults 200] [--sessions 20] [--seed N] [--fault NAME]``: prints its seed first."""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
from pathlib import Path

from tests.chaos.faults import FAULTS
from tests.chaos.house import Broken
from tests.chaos.play import play


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", description="Random faults over many sessions.")
    parser.add_argument("--faults", type=int, default=200)
    parser.add_argument("--sessions", type=int, default=20)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1_000_000))
    parser.add_argument("--patience", type=float, default=10, help="seconds that nothing may take longer than")
    parser.add_argument("--fault", action="append", choices=FAULTS, help="only this one; may be given again")
    given = parser.parse_args()
    for name in [name for name in os.environ if name.startswith("SAYSO_")]:
        del os.environ[name]
    print(f"seed {given.seed}", flush=True)
    with tempfile.TemporaryDirectory(prefix="chaos-") as folder:
        try:
            report = play(
                Path(folder),
                faults=given.faults,
                sessions=given.sessions,
                seed=given.seed,
                patience=given.patience,
                kinds=given.fault or tuple(FAULTS),
                mount=True,
                tell=True,
            )
        except Broken as broken:
            print(f"broken: {broken}", file=sys.stderr)
            for log in Path(folder).glob("*.log"):
                print(log.read_text()[-4000:], file=sys.stderr)
            return 1
    for name, count in sorted(report.faults.items()):
        print(f"{name:24} {count}")
    count = report.faults.total()
    print(f"{count} faults over {given.sessions} sessions in {report.seconds:.0f} s on {report.disk}")
    print(f"{report.decisions} decisions, none lost; the longest waits:")
    for wait in report.waits:
        print(f"  {wait}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

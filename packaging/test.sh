#!/usr/bin/env bash
# Runs the tests (make test). One to three that fail are run once more, alone: what passes then failed for those beside
# it, which is a race to look for and no reason to stop. More failures, or one that fails alone, fail the run.
set -uo pipefail
cd "$(dirname "$0")/.." || exit

seen=$(mktemp -d)
trap 'rm -rf "$seen"' EXIT
pytest=(.venv/bin/pytest -o "cache_dir=$seen")

failed() { .venv/bin/python -c 'import json, sys; print(*json.load(open(sys.argv[1])), sep="\n")' "$seen/v/cache/lastfailed"; }

"${pytest[@]}" -n "${JOBS:-3}" --dist loadfile "$@"
code=$?
[ "$code" -eq 1 ] || exit "$code" # 1: tests failed; anything else is a run that did not come to its end
names=$(failed)
[ "$(wc -l <<<"$names")" -le 3 ] || exit "$code"

printf '\ntest: these failed and run once more, alone:\n%s\n' "$names"
"${pytest[@]}" -n 0 --last-failed --last-failed-no-failures none "$@" || exit
printf '\ntest: failed beside others, passed alone: look for a race\n%s\n' "$names"

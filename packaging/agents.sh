#!/usr/bin/env bash
# Installs the real agents, pinned, into .agents/ of this checkout and runs the tests marked `agents` with them.
# Run by `make agents`; arguments are passed to pytest.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly AGENTS=(opencode-ai@1.18.33)

if ! command -v npm >/dev/null; then
    echo "agents: skipped, npm is missing; the agents are npm packages (Debian: apt-get install npm)" >&2
    exit 0
fi

wanted="${AGENTS[*]}"
if [[ $(cat .agents/installed 2>/dev/null || true) != "$wanted" ]]; then
    echo "agents: installing $wanted into .agents/" >&2
    npm install --prefix .agents --no-audit --no-fund --loglevel=error "${AGENTS[@]}" </dev/null \
        || { echo "agents: npm could not install $wanted; check the network, then run make agents again" >&2; exit 1; }
    printf '%s\n' "$wanted" >.agents/installed
fi

PATH="$PWD/.agents/node_modules/.bin:$PATH" exec .venv/bin/pytest -m agents "$@"

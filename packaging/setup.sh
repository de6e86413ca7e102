#!/usr/bin/env bash
# Sets up a checkout: system libraries, a pinned uv, and .venv from the lock file with the speech models.
# Needs git, and Python >= 3.11 with venv. Run by `make setup`; a second run does nothing and takes no time.
# With the argument "tests" also what only tests need, where it may be installed; without it those tests skip.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly DONE=.venv/.setup-packages LIBRARIES_DONE=.venv/.setup-libraries
readonly TOOLS=.tools
PACKAGES=packaging/system-packages.txt

say() { printf 'setup: %s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }

# What the result depends on: the checkout's own place too, for a moved .venv has wrong paths in its scripts.
fingerprint() {
    { pwd; cat pyproject.toml uv.lock packaging/setup.sh packaging/bootstrap.txt "$PACKAGES"; } | cksum
}

# Prints those lines of the list of which no alternative is installed.
missing_lines() {
    local line name
    local -A installed=()
    while read -r name; do installed[$name]=1; done \
        < <(dpkg-query -W -f '${db:Status-Status} ${Package}\n' 2>/dev/null | sed -n 's/^installed //p')
    sed -e 's/#.*//' -e '/^[[:space:]]*$/d' "$PACKAGES" | while read -r line; do
        for name in $line; do [[ -n ${installed[$name]:-} ]] && continue 2; done
        echo "$line"
    done
}

# From each line, the first name that apt knows.
apt_names() {
    local line name
    while read -r line; do
        for name in $line; do
            if apt-cache show "$name" >/dev/null 2>&1; then echo "$name"; continue 2; fi
        done
        echo "${line%% *}"
    done
}

apt_install() {
    local log
    log=$(mktemp)
    export DEBIAN_FRONTEND=noninteractive
    if ! { apt-get update -q && apt-get install -q -y --no-install-recommends -o DPkg::Lock::Timeout=300 "$@"; } \
        </dev/null >"$log" 2>&1; then
        tail -n 3 "$log" >&2
        rm -f "$log"
        fail "apt-get could not install: $* (the end of its output is above; check the network and the package sources)"
    fi
    rm -f "$log"
}

# Returns 1 if libraries are missing that only root can install; names them in one line.
system_libraries() {
    [[ $(uname -s) == Linux ]] || return 0
    if ! command -v dpkg-query >/dev/null; then
        say "not a Debian system: install what your system calls the libraries of $PACKAGES"
        return 0
    fi
    local lines names
    lines=$(missing_lines)
    [[ -n $lines ]] || return 0
    if [[ $(id -u) -ne 0 ]]; then
        names=$(apt_names <<<"$lines" | tr '\n' ' ')
        say "system libraries are missing; run: sudo apt-get install --no-install-recommends ${names% }"
        return 1
    fi
    say "installing system libraries (apt-get)"
    apt-get update -q </dev/null >/dev/null 2>&1 || true   # apt knows no names on a fresh machine
    mapfile -t names < <(apt_names <<<"$lines")
    apt_install "${names[@]}"
}

# Prints the Python to use: $PYTHON, else the newest that fits.
find_python() {
    local candidate
    for candidate in ${PYTHON:+"$PYTHON"} python3 python3.13 python3.12 python3.11; do
        if command -v "$candidate" >/dev/null \
            && "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            command -v "$candidate"
            return
        fi
    done
    fail "Python 3.11 or newer is needed and none was found; install it, or name it: make setup PYTHON=/path/to/python3"
}

# The machine's own pip settings (index, find-links, constraints) must not change what is installed; its
# certificates must keep working.
isolated_pip() {
    local certificates=${PIP_CERT:-${SSL_CERT_FILE:-${REQUESTS_CA_BUNDLE:-}}}
    PIP_CONFIG_FILE=/dev/null "$TOOLS/bin/python" -m pip --isolated --disable-pip-version-check \
        ${certificates:+--cert "$certificates"} "$@"
}

bootstrap_uv() {
    local python=$1 wanted have
    wanted=$(sed -n 's/^uv==\([^ ]*\).*/uv \1/p' packaging/bootstrap.txt)
    have=$("$TOOLS/bin/uv" --version 2>/dev/null || true)
    [[ $have == "$wanted" || $have == "$wanted "* ]] && return
    say "installing $wanted for this checkout"
    if ! "$python" -m venv --clear "$TOOLS"; then
        if [[ $(id -u) -ne 0 ]] || ! command -v apt-get >/dev/null; then
            fail "Python's venv is missing; run: sudo apt-get install python3-venv"
        fi
        apt_install python3-venv
        "$python" -m venv --clear "$TOOLS"
    fi
    isolated_pip install --quiet --only-binary :all: --require-hashes -r packaging/bootstrap.txt \
        || fail "could not get uv from PyPI: check the network, or the proxy and certificate settings; then run make setup again"
}

sync_environment() {
    local python=$1 name
    for name in $(compgen -e | grep '^UV_' || true); do
        case $name in UV_CACHE_DIR | UV_HTTP_TIMEOUT | UV_LINK_MODE | UV_SYSTEM_CERTS | UV_NATIVE_TLS | UV_CONCURRENT_*) ;; *) unset "$name" ;; esac
    done
    say "installing Sayso and its tools into .venv (1.3 GB the first time)"
    UV_PROJECT_ENVIRONMENT=.venv UV_PYTHON_DOWNLOADS=never "$TOOLS/bin/uv" --no-config --quiet sync \
        --frozen --extra models --group dev --python "$python" \
        || fail "could not install the packages of uv.lock: check the network (PyPI) and the free disk space; then run make setup again"
}

is_done() { [[ -x .venv/bin/python && -f $1 && $(<"$1") == "$2" ]]; }

main() {
    local mark libraries=yes python
    mark=$(fingerprint)
    is_done "$LIBRARIES_DONE" "$mark" || system_libraries || libraries=no
    if ! is_done "$DONE" "$mark"; then
        python=$(find_python)
        bootstrap_uv "$python"
        sync_environment "$python"
        printf '%s\n' "$mark" >"$DONE"
        say "done"
    fi
    [[ $libraries == no ]] || printf '%s\n' "$mark" >"$LIBRARIES_DONE"
}

main
if [[ ${1:-} == tests && $(id -u) -eq 0 ]]; then
    PACKAGES=packaging/test-packages.txt
    system_libraries
fi

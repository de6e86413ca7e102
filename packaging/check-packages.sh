#!/usr/bin/env bash
# Proves the packages of dist/ on a bare Debian: the wheel as `pipx install` takes it, the .deb as apt does. Each must give
# a working `sayso`; the .deb also the window under Xvfb and the demo, and its removal must leave the user's data.
# Needs root, debootstrap and what packaging/bundle.sh and packaging/deb.sh built. Exits 1 at the first step that fails.
set -euo pipefail

usage() {
    cat <<'HELP'
usage: packaging/check-packages.sh [options] [wheel] [deb]      (default: both)

  --dir DIR        where the systems are built (default: /var/tmp/sayso-bare)
  --suite NAME     Debian release (default: bookworm)
  --mirror URL     Debian mirror (default: debootstrap's)
  --dist DIR       where the packages are (default: dist)
HELP
}

repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
dir=/var/tmp/sayso-bare suite=bookworm mirror='' keep=no dist=$repository/dist
what=()
arguments=("$@")
while (($#)); do
    case $1 in
        --dir) dir=$2; shift ;;
        --suite) suite=$2; shift ;;
        --mirror) mirror=$2; shift ;;
        --dist) dist=$2; shift ;;
        -h | --help) usage; exit 0 ;;
        wheel | deb) what+=("$1") ;;
        *) usage >&2; exit 2 ;;
    esac
    shift
done
((${#what[@]})) || what=(wheel deb)
readonly base=$dir/base machine=$dir/packages

source "$repository/packaging/bare.sh"
enter_bare "${BASH_SOURCE[0]}" "${arguments[@]}"

step() {
    local started=$SECONDS
    in_machine "$2" </dev/null >"$dir/step.log" 2>&1 || { tail -n 25 "$dir/step.log" >&2; echo "packages: FAILED: $1" >&2; exit 1; }
    echo "packages: $1 ($((SECONDS - started)) s)"
}

readonly APT='DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends'

check_wheel() {
    cp "$dist"/sayso-*.whl "$machine/root/"
    step "pipx is there" "apt-get -q update && $APT install pipx"
    step "pipx install sayso" 'pipx install /root/sayso-*.whl'
    step "sayso answers" '~/.local/bin/sayso --version && ~/.local/bin/sayso actions get session.spawn_new --json'
    step "a host starts, makes a session and ends" \
        'cd ~ && export PATH=$PATH:~/.local/bin && mkdir -p work && sayso session new --provider builtin --directory ~/work --json && sayso host stop'
    step "pipx uninstall leaves the database" \
        'pipx uninstall sayso && ! test -e ~/.local/bin/sayso && test -s ~/.local/share/sayso/sayso.db && rm -r ~/.local/share/sayso'
}

# The window is up when a second start finds it and brings it to the front.
readonly WINDOW='Xvfb :7 -nolisten tcp & screen=$!; export DISPLAY=:7; sleep 1; sayso desktop & window=$!
for _ in $(seq 120); do sleep 0.5; sayso desktop --json | grep -q "\"raised\": true" && found=yes && break; done
kill -TERM $window; wait $window; kill $screen; [[ ${found:-} == yes ]]'

check_deb() {
    cp "$dist"/sayso_*.deb "$machine/root/"
    step "apt installs the .deb" "apt-get -q update && $APT install /root/sayso_*.deb"
    step "sayso answers, from the package" 'sayso --version && sayso doctor --json | grep -q /usr/lib/sayso/sayso'
    step "Xvfb is there" "$APT install xvfb"
    step "the window opens" "$WINDOW"
    step "sayso demo" 'sayso demo'
    step "a session is made" 'cd ~ && mkdir -p work && sayso session new --provider builtin --directory ~/work --json && sayso host stop'
    step "the removal leaves the user's data and nothing else" \
        "$APT purge sayso && ! test -e /usr/lib/sayso && ! test -e /usr/bin/sayso && test -s ~/.local/share/sayso/sayso.db"
}

make_base
make_machine
for one in "${what[@]}"; do "check_$one"; done

#!/usr/bin/env bash
# Proves a fresh clone on a bare Debian: makes a minimal system with make, git and python3-venv and nothing else,
# clones the last commit of this checkout into it, and runs make targets there one by one.
# Needs root and debootstrap. Prints each target's time and what it left running; exits 1 if one failed.
set -euo pipefail

usage() {
    cat <<'HELP'
usage: packaging/check-bare-debian.sh [options] [TARGET...]      (default: setup setup demo test)

  --dir DIR        where the systems are built (default: /var/tmp/sayso-bare); `base` in it is made once and kept
  --suite NAME     Debian release (default: bookworm)
  --mirror URL     Debian mirror (default: debootstrap's)
  --keep           use the system of the last run again, with the newest commit pulled into its clone
  --shell          open a shell in the system after the targets
HELP
}

dir=/var/tmp/sayso-bare suite=bookworm mirror='' keep=no shell=no
targets=()
arguments=("$@")
while (($#)); do
    case $1 in
        --dir) dir=$2; shift ;;
        --suite) suite=$2; shift ;;
        --mirror) mirror=$2; shift ;;
        --keep) keep=yes ;;
        --shell) shell=yes ;;
        -h | --help) usage; exit 0 ;;
        -*) usage >&2; exit 2 ;;
        *) targets+=("$1") ;;
    esac
    shift
done
((${#targets[@]})) || targets=(setup setup demo test)
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
readonly base=$dir/base machine=$dir/machine clone=/root/sayso

source "$repository/packaging/bare.sh"
enter_bare "${BASH_SOURCE[0]}" "${arguments[@]}"

clone_checkout() {
    if [[ -d $machine$clone ]]; then
        git -C "$machine$clone" pull -q --ff-only "$repository" HEAD
    else
        git clone -q --no-local "$repository" "$machine$clone"
    fi
    echo "bare: $(git -C "$machine$clone" log -1 --format='%h %s')"
}

# What runs in the machine now; it has its own process numbers, so everything but this script is its own.
left_running() {
    local process
    for process in "$machine"/proc/[0-9]*; do
        [[ $(readlink "$process/root" 2>/dev/null) == / ]] && continue
        tr '\0' ' ' <"$process/cmdline" 2>/dev/null | cut -c1-200
    done | grep -v '^ *$' || true
}

make_base
make_machine
clone_checkout
failed=0
for target in "${targets[@]}"; do
    echo "bare: make $target"
    started=$SECONDS
    code=0
    in_machine "cd $clone && make $target" </dev/null || code=$?
    echo "bare: make $target ended with $code after $((SECONDS - started)) s"
    ((code == 0)) || failed=1
    sleep 1
    left=$(left_running)
    [[ -z $left ]] || printf 'bare: left running:\n%s\n' "$left"
done
[[ $shell == no ]] || in_machine "cd $clone && bash"
exit "$failed"

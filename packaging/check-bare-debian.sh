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

dir=/var/tmp/sayso-bare suite=bookworm mirror='' keep=no shell=no inside=no
targets=()
arguments=("$@")
while (($#)); do
    case $1 in
        --dir) dir=$2; shift ;;
        --suite) suite=$2; shift ;;
        --mirror) mirror=$2; shift ;;
        --keep) keep=yes ;;
        --shell) shell=yes ;;
        --inside) inside=yes ;;   # how it calls itself below
        -h | --help) usage; exit 0 ;;
        -*) usage >&2; exit 2 ;;
        *) targets+=("$1") ;;
    esac
    shift
done
((${#targets[@]})) || targets=(setup setup demo test)
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
readonly base=$dir/base machine=$dir/machine clone=/root/sayso

if [[ $(id -u) -ne 0 ]] || ! command -v debootstrap >/dev/null; then
    echo "bare: needs root and debootstrap (apt-get install debootstrap)" >&2
    exit 1
fi

# Own mounts and processes: whatever happens inside ends with this script.
if [[ $inside == no ]]; then
    exec unshare --mount --pid --fork --kill-child "${BASH_SOURCE[0]}" --inside "${arguments[@]}"
fi

make_base() {
    [[ -f $base/.complete ]] && return
    echo "bare: building a minimal $suite in $base"
    rm -rf "$base"
    mkdir -p "$dir"
    debootstrap --variant=minbase --include=make,git,python3-venv,ca-certificates "$suite" "$base" ${mirror:+"$mirror"} >"$dir/debootstrap.log" 2>&1 \
        || { tail -n 5 "$dir/debootstrap.log" >&2; exit 1; }
    touch "$base/.complete"
}

# This machine's way to the network: names, certificates, proxies; no other setting of it.
network_environment() {
    local name
    for name in SSL_CERT_FILE SSL_CERT_DIR REQUESTS_CA_BUNDLE CURL_CA_BUNDLE PIP_CERT GIT_SSL_CAINFO NODE_EXTRA_CA_CERTS \
        http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY; do
        [[ -z ${!name:-} ]] || printf '%s=%s\n' "$name" "${!name}"
    done
}

make_machine() {
    if [[ $keep == no || ! -d $machine ]]; then
        rm -rf "$machine"
        cp -a "$base" "$machine"
    fi
    cp /etc/resolv.conf /etc/hosts "$machine/etc/"
    cp -L /etc/ssl/certs/ca-certificates.crt "$machine/etc/ssl/certs/ca-certificates.crt"
    mount -t proc proc "$machine/proc"
    mount --rbind /dev "$machine/dev"
    mount -t tmpfs tmpfs "$machine/dev/shm"
    if [[ -d $machine$clone ]]; then
        git -C "$machine$clone" pull -q --ff-only "$repository" HEAD
    else
        git clone -q --no-local "$repository" "$machine$clone"
    fi
    echo "bare: $(git -C "$machine$clone" log -1 --format='%h %s')"
}

in_machine() {
    local environment
    mapfile -t environment < <(network_environment)
    chroot "$machine" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 "${environment[@]}" \
        bash -c "cd $clone && $1"
}

# What runs in the machine now; it has its own process numbers, so everything but this script is its own.
left_running() {
    local process
    for process in "$machine"/proc/[0-9]*; do
        [[ $(readlink "$process/root" 2>/dev/null) == / ]] && continue
        tr '\0' ' ' <"$process/cmdline" 2>/dev/null | cut -c1-200
    done | grep -v '^ *$' || true
}

mount --make-rprivate /
make_base
make_machine
failed=0
for target in "${targets[@]}"; do
    echo "bare: make $target"
    started=$SECONDS
    code=0
    in_machine "make $target" </dev/null || code=$?
    echo "bare: make $target ended with $code after $((SECONDS - started)) s"
    ((code == 0)) || failed=1
    sleep 1
    left=$(left_running)
    [[ -z $left ]] || printf 'bare: left running:\n%s\n' "$left"
done
[[ $shell == no ]] || in_machine bash
exit "$failed"

# A bare Debian in a folder, for the checks that need one: sourced by them, it does nothing by itself.
# They set: dir, suite, mirror (empty: debootstrap's), keep (yes: the machine of the last run), base, machine.

# Runs the calling script again with its own mounts and processes: whatever happens inside ends with it.
enter_bare() {
    local script=$1
    shift
    if [[ $(id -u) -ne 0 ]] || ! command -v debootstrap >/dev/null; then
        echo "bare: needs root and debootstrap (apt-get install debootstrap)" >&2
        exit 1
    fi
    [[ ${SAYSO_BARE_INSIDE:-} == yes ]] && { mount --make-rprivate /; return; }
    SAYSO_BARE_INSIDE=yes exec unshare --mount --pid --fork --kill-child "$script" "$@"
}

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
}

# Runs a line of shell in the machine, as root, with nothing of this environment but the way to the network.
in_machine() {
    local environment
    mapfile -t environment < <(network_environment)
    chroot "$machine" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 "${environment[@]}" \
        bash -c "$1"
}

# Sourced by ./run and ./test: Debian's packages and the build. Both cost well under a second when there is nothing to do.

attn_run_packages=(
    g++ cmake ninja-build pkg-config python3-glad libgl-dev libglfw3-dev libimgui-dev libstb-dev libfreetype-dev
    libfontconfig-dev libeigen3-dev libcairo2-dev libzip-dev nlohmann-json3-dev libcli11-dev libmuparser-dev
    libgl1-mesa-dri fonts-inter fonts-dejavu-core
)
attn_test_packages=(
    libgtest-dev libgmock-dev libxtst-dev xvfb x11-xserver-utils librsvg2-bin poppler-utils
)

# attn_install PACKAGE…: installs those that are not there, as root or with sudo.
attn_install() {
    local missing=() package sudo=()
    local installed
    installed=" $(dpkg-query -W -f '${db:Status-Status}=${Package} ' "$@" 2>/dev/null || true)"
    for package in "$@"; do
        [[ "$installed" == *" installed=$package "* ]] || missing+=("$package")
    done
    [ "${#missing[@]}" -gt 0 ] || return 0
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || {
            echo "attnscope: error: these packages are missing and only root can install them: ${missing[*]}" >&2
            return 1
        }
        sudo=(sudo)
    fi
    echo "Installing: ${missing[*]}"
    "${sudo[@]}" apt-get update -qq
    "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# attn_build ROOT PRESET: configures once, then builds what changed. Quiet unless there is something to say.
attn_build() {
    local root="$1" preset="$2" log
    if [ ! -f "$root/build/build.ninja" ]; then
        log="$(mktemp)"
        (cd "$root" && cmake --preset "$preset") >"$log" 2>&1 || { cat "$log" >&2; rm -f "$log"; return 1; }
        rm -f "$log"
    fi
    ninja -C "$root/build" --quiet | { grep -v '^ninja: no work to do' || true; }
}

# SPDX-License-Identifier: MIT
# Sourced by the other scripts. `setup demo|test|all|bench` installs what is missing on Debian; elsewhere
# it lists what is needed and stops. Nothing missing: no package manager is asked. OS_RELEASE names the file
# that says which system this is.

say() { printf '\n== %s\n' "$*"; }

# A package and how to see that it is there: a command, a header or a Python module. What begins with ? is
# left out, with a word, where it cannot be installed.
needs_demo="
g++                 command g++
cmake               command cmake
ninja-build         command ninja
git                 command git
python3             command python3
libeigen3-dev       header eigen3/Eigen/Core
libtbb-dev          header oneapi/tbb.h
libqhull-dev        header libqhull_r/libqhull_r.h
libsundials-dev     header cvodes/cvodes.h
libassimp-dev       header assimp/Importer.hpp
libpugixml-dev      header pugixml.hpp
libyaml-cpp-dev     header yaml-cpp/yaml.h
libhdf5-dev         header hdf5/serial/hdf5.h
zlib1g-dev          header zlib.h
libtinygltf-dev     header tiny_gltf.h
libcli11-dev        header CLI/CLI.hpp
libfmt-dev          header fmt/core.h
libspdlog-dev       header spdlog/spdlog.h
nlohmann-json3-dev  header nlohmann/json.hpp
?nodejs             command node
?npm                command npm"
needs_test="$needs_demo
?ccache             command ccache
doctest-dev         header doctest/doctest.h
librapidcheck-dev   header rapidcheck.h
libcgal-dev         header CGAL/version.h
libfcl-dev          header fcl/config.h
libccd-dev          header ccd/ccd.h
liburdfdom-dev      header urdf_parser/urdf_parser.h
clang-format        command clang-format
?chromium           command chromium
python3-h5py        module h5py
python3-dev         header python3.11/Python.h
python3-numpy       module numpy
python3-pytest      module pytest
pybind11-dev        header pybind11/pybind11.h
python3-jsonschema  module jsonschema
python3-yaml        module yaml"
needs_all="$needs_test
clang               command clang++
libclang-rt-14-dev  file /usr/lib/llvm-14/lib/clang/14.0.6/lib/linux/libclang_rt.asan-x86_64.a
?bochs-term         command bochs
?xorriso            command xorriso
?cpio               command cpio
?busybox-static     command busybox
?bochsbios          file /usr/share/bochs/BIOS-bochs-latest
?vgabios            file /usr/share/vgabios/vgabios.bin
?isolinux           file /usr/lib/ISOLINUX/isolinux.bin
?syslinux-common    file /usr/lib/syslinux/modules/bios/ldlinux.c32"
needs_bench="$needs_demo
clang               command clang++
?valgrind           command valgrind
?libmujoco-dev      header mujoco/mujoco.h
?libbullet-dev      header bullet/btBulletDynamicsCommon.h
?libsimbody-dev     header simbody/Simbody.h
?libdart-dev        header dart/dart.hpp"

found() { # kind name
    case $1 in
    command) command -v "$2" >/dev/null ;;
    header) [ -e "/usr/include/$2" ] || [ -e "/usr/local/include/$2" ] ;;
    file) [ -e "$2" ] ;;
    module) [ -e "/usr/lib/python3/dist-packages/$2" ] ;;
    esac
}

setup() { # demo, test, all or bench
    local list=needs_$1 package kind name missing=() wished=()
    if ! grep -qsE '^ID(_LIKE)?=.*debian' "${OS_RELEASE-/etc/os-release}"; then
        echo "This script installs packages on Debian only. Install these by your own means"
        echo "(names as Debian has them):"
        awk 'NF { sub(/^\?/, ""); print "  " $1 }' <<<"${!list}"
        echo "and then: cmake --preset release && cmake --build --preset release"
        exit 1
    fi
    while read -r package kind name; do
        [ -z "$package" ] || found "$kind" "$name" || case $package in
            \?*) wished+=("${package#\?}") ;;
            *) missing+=("$package") ;;
            esac
    done <<<"${!list}"
    [ $((${#missing[@]} + ${#wished[@]})) -gt 0 ] || return 0

    local root=() log
    if [ "$(id -u)" != 0 ]; then
        if ! command -v sudo >/dev/null; then
            echo "As root: apt-get install ${missing[*]} ${wished[*]}"
            [ ${#missing[@]} -eq 0 ] || exit 1
            return 0
        fi
        root=(sudo)
    fi
    log=$(mktemp)
    say "Installing ${missing[*]} ${wished[*]}"
    install() {
        "${root[@]}" env DEBIAN_FRONTEND=noninteractive \
            apt-get install -q -y --no-install-recommends "$@" >>"$log" 2>&1
    }
    "${root[@]}" apt-get update -q >"$log" 2>&1 || [ ${#missing[@]} -eq 0 ] ||
        { tail -n 30 "$log"; echo "apt-get update failed; the whole output is in $log"; exit 1; }
    if [ ${#missing[@]} -gt 0 ] && ! install "${missing[@]}"; then
        tail -n 30 "$log"
        echo "Installing failed; the whole output is in $log"
        exit 1
    fi
    for package in ${wished[@]+"${wished[@]}"}; do
        install "$package" || echo "$package cannot be installed: what needs it is left out"
    done
    rm -f "$log"
}

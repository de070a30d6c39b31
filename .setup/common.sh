# Sourced by setup-and-run and setup-and-test; the current directory is the root of the tree.

program_packages=(
  g++ cmake ninja-build libeigen3-dev libspectra-dev libhdf5-dev libtomlplusplus-dev libcli11-dev
  libfmt-dev libssl-dev zlib1g-dev pkg-config gnuplot-nox libmetis-dev libmumps-seq-dev libopenblas0-pthread
  libjs-three libjs-dygraphs)
test_packages=(
  git libopenmpi-dev openmpi-bin libgtest-dev libgmock-dev python3 python3-h5py python3-websocket python3-jsonschema
  hdf5-tools clang-format python3-dev pybind11-dev python3-numpy python3-xarray python3-setuptools
  python3-pip python3-wheel clang-14 libclang-rt-14-dev lld-14)
# tests that need them are skipped without
peer_packages=(calculix-ccx gmsh chromium)
# of what is run by hand
full_packages=(libbenchmark-dev valgrind dpkg-dev man-db mandoc groff-base python3-markdown)

log=build/setup.log

say() { printf '\n==> %s\n' "$*"; }

# begin_log: empties the log file of this run.
begin_log() {
  mkdir -p "$(dirname "$log")"
  : >"$log"
}

# quietly <what> <command>...: the command's output goes to the log file. A terminal shows one line with the last
# progress of ninja; elsewhere a line tells the beginning. When the command fails, the end of its output is shown.
quietly() {
  local what=$1 begun=$SECONDS from status=0 line
  shift
  from=$(($(wc -l <"$log") + 1))
  if [[ -t 1 ]]; then
    "$@" >>"$log" 2>&1 &
    local pid=$!
    while kill -0 "$pid" 2>/dev/null; do
      line=$(tail -n 1 "$log" | grep -o '^\[[0-9]*/[0-9]*\]' || true)
      printf '\r\033[K    %s %s %d s' "$what" "$line" $((SECONDS - begun))
      sleep 1
    done
    wait "$pid" || status=$?
    printf '\r\033[K'
  else
    printf '    %s\n' "$what"
    "$@" >>"$log" 2>&1 </dev/null || status=$?
  fi
  if ((status != 0)); then
    tail -n "+$from" "$log" | tail -n 60 >&2
    printf '\n%s failed (status %d). The whole output is in %s.\n' "$what" "$status" "$PWD/$log" >&2
    return "$status"
  fi
  printf '    %s: %d s\n' "$what" $((SECONDS - begun))
}

is_installed() {
  [[ "$(dpkg-query --show --showformat='${db:Status-Status}' "$1" 2>/dev/null)" == installed ]]
}

as_root() {
  if [[ "$(id -u)" -eq 0 ]]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo --preserve-env=DEBIAN_FRONTEND "$@"
  else
    printf 'Root rights are needed to run: %s\n' "$*" >&2
    return 1
  fi
}

# install_missing <package>...: no network access where nothing is missing.
install_missing() {
  if ! command -v dpkg-query >/dev/null; then
    printf 'Not a Debian system: these packages are taken to be there: %s\n' "$*" >&2
    return 0
  fi
  local missing=() package
  for package in "$@"; do
    is_installed "$package" || missing+=("$package")
  done
  if ((${#missing[@]} == 0)); then
    return 0
  fi
  say "Installing ${missing[*]}"
  export DEBIAN_FRONTEND=noninteractive
  if [[ "$(id -u)" -ne 0 ]] && command -v sudo >/dev/null; then
    sudo --validate  # asks for the password before the output goes to the log
  fi
  quietly "list of packages" as_root apt-get update -q
  quietly "packages" as_root apt-get install -q -y --no-install-recommends "${missing[@]}"
}

# large_units: has a tree that is compiled as a whole compiled in large units, if there is memory for it: the compiler
# takes up to 3 GB for each processor.
large_units() {
  local kilobytes
  kilobytes=$(awk '/^MemTotal:/ { print $2 }' /proc/meminfo)
  if ((kilobytes / $(nproc) > 4500000)); then unite_size=48; fi
}

# build <preset> [<preset of the build>...]: configures, then builds by the presets, by that of the same name if none
# is named. A folder that was built before keeps the size of its units. Without optimisation, units can be larger.
build() {
  local preset=$1 each size=() units=${unite_size:-0}
  shift
  say "Building, preset $preset"
  if [[ $preset == check ]]; then units=$((2 * units)); fi
  if ((units > 0)) && [[ ! -f build/$preset/CMakeCache.txt ]]; then
    size=("-DRICOCHET_UNITE_SIZE=$units" "-DRICOCHET_UNITE_IO_SIZE=$((2 * units))")
    if [[ $preset == check ]]; then size+=(-DRICOCHET_LINES=OFF); fi
  fi
  quietly "configuration" cmake --preset "$preset" "${size[@]}"
  for each in "${@:-$preset}"; do
    quietly "compiling ($each)" cmake --build --preset "$each" --parallel "$(nproc)"
  done
}

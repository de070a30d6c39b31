# Sourced by setup-and-run and setup-and-test; the current directory is the root of the tree.

program_packages=(
  g++ cmake ninja-build libeigen3-dev libspectra-dev libhdf5-dev libtomlplusplus-dev libcli11-dev
  libfmt-dev libssl-dev pkg-config gnuplot-nox libmetis-dev libmumps-seq-dev libopenblas0-pthread)
test_packages=(
  git libopenmpi-dev openmpi-bin libgtest-dev libgmock-dev libbenchmark-dev python3 python3-h5py hdf5-tools clang-format valgrind)
# tests that need them are skipped without
peer_packages=(calculix-ccx gmsh)

say() { printf '\n==> %s\n' "$*"; }

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
  as_root apt-get update -q
  as_root apt-get install -q -y --no-install-recommends "${missing[@]}"
}

# configure_and_build <preset> [<argument of the configuration>...]
configure_and_build() {
  local preset=$1
  shift
  say "Building, preset $preset"
  cmake --preset "$preset" "$@"
  cmake --build --preset "$preset" --parallel "$(nproc)"
}

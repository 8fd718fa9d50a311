#!/usr/bin/env bash
# Installs the system packages that some suites need, each only when it is missing and this machine lets it: Debian's
# apt, as root. Elsewhere it says so, and those suites are skipped by name.
#   chromium                       the report page in a browser
#   orthanc, orthanc-dicomweb      a real PACS. The tests start their own on a free port; no service of it is needed
#   dcmtk, python3-pydicom, -gdcm  other readers' answers, and the benchmarks that compare with them
set -u
python=/usr/lib/python3/dist-packages
missing=()
need() { # need PACKAGE TEST…: notes the package as missing when the test fails
  local package=$1
  shift
  "$@" >/dev/null 2>&1 || missing+=("$package")
}
need chromium command -v chromium
need orthanc test -x /usr/sbin/Orthanc
need orthanc-dicomweb test -e /usr/share/orthanc/plugins/libOrthancDicomWeb.so
need dcmtk command -v dcmdump
need python3-pydicom test -d "$python/pydicom"
need python3-gdcm test -e "$python/gdcm.py"
[ ${#missing[@]} -eq 0 ] && exit 0

if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null 2>&1; then
  echo "test packages: not installed, and cannot be installed here (needs root and apt): ${missing[*]}"
  exit 0
fi
echo "test packages: installing ${missing[*]} …"
log=$(mktemp)
install() { DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@" >>"$log" 2>&1; }
apt-get update >>"$log" 2>&1
if ! install "${missing[@]}"; then
  # One that this release lacks should not cost the others.
  for package in "${missing[@]}"; do
    install "$package" && continue
    echo "test packages: $package could not be installed:"
    tail -n 5 "$log"
  done
fi
rm -f "$log"
exit 0

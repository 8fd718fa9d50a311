#!/usr/bin/env bash
# Installs the system packages that some suites need (Chromium: the report page in a browser), when this machine lets
# it: Debian's apt, as root. Elsewhere it says so, and those suites are skipped by name.
set -u
command -v chromium >/dev/null 2>&1 && exit 0
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null 2>&1; then
  echo "test packages: Chromium is not installed and cannot be installed here (needs root and apt)."
  exit 0
fi
echo "test packages: installing Chromium …"
log=$(mktemp)
if ! { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends chromium; } >"$log" 2>&1; then
  echo "test packages: Chromium could not be installed:"
  tail -n 5 "$log"
fi
rm -f "$log"
exit 0

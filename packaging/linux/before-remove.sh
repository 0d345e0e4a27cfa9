#!/bin/sh
# Runs before the package is removed, and before it is upgraded (deb: "upgrade", rpm: 1).
set -e
case "$1" in upgrade | 1) exit 0 ;; esac
if [ -x /usr/bin/tillbridge-agent ]; then tillbridge-agent service remove --if-installed || true; fi

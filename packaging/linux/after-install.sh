#!/bin/sh
# Runs after the package was installed or upgraded (deb and rpm).
set -e
program='/opt/${sanitizedProductName}'

ln -sf "$program/${executable}" /usr/bin/${executable}
ln -sf "$program/resources/agent/tillbridge-agent" /usr/bin/tillbridge-agent

# Chromium's sandbox takes user namespaces where the system lets everybody have them, and else this helper.
if unshare --user true 2>/dev/null; then
  chmod 0755 "$program/chrome-sandbox"
else
  chmod 4755 "$program/chrome-sandbox"
fi

# Systems that ask for it (Ubuntu 24.04 and later) let a program make user namespaces only with a profile.
profile="$program/resources/apparmor-profile"
if apparmor_status --enabled 2>/dev/null && apparmor_parser --skip-kernel-load --debug "$profile" >/dev/null 2>&1; then
  cp -f "$profile" /etc/apparmor.d/${executable}
  apparmor_parser --replace --write-cache --skip-read-cache /etc/apparmor.d/${executable} || true
fi

update-desktop-database /usr/share/applications 2>/dev/null || true

# The service of a shared machine goes on with the new version. It keeps what waits.
if [ -d /run/systemd/system ] && [ -f /etc/systemd/system/tillbridge.service ]; then
  systemctl try-restart tillbridge.service || true
fi

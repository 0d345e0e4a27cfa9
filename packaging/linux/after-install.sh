#!/bin/sh
# Runs after the package was installed or upgraded (deb and rpm).
set -e
program='/opt/${sanitizedProductName}'

# By way of the launcher, which watches the first start of an update.
ln -sf "$program/resources/${executable}" /usr/bin/${executable}
sed -i 's|^Exec=/opt/[^ ]*|Exec=/usr/bin/${executable}|' /usr/share/applications/${executable}.desktop
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

# With it the user at the till may have a signed update installed.
if [ -d /usr/share/polkit-1/actions ]; then
  cp -f "$program/resources/org.tillbridge.install.policy" /usr/share/polkit-1/actions/
fi

update-desktop-database /usr/share/applications 2>/dev/null || true

# The service of a shared machine goes on with the new version. It keeps what waits.
if [ -d /run/systemd/system ] && [ -f /etc/systemd/system/tillbridge.service ]; then
  systemctl try-restart tillbridge.service || true
fi
